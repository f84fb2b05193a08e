//! The events of a game, which are stored and determine it. Nothing else changes a game.

use lozenge_wire::{Color, GameResult, Player, PlayerKind, Reason};
use serde::{Deserialize, Serialize};

/// One thing that happened. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub enum GameEvent {
    /// A player took a seat.
    Joined {
        /// Its color.
        color: Color,
        /// The player.
        player: Player,
        /// When, in Unix milliseconds.
        at: i64,
    },
    /// A move, and what was left to the side that made it. In a game of four `R` is the resignation and `T` the time-out of the
    /// player to move.
    Moved {
        /// The move in long algebraic notation.
        uci: String,
        /// When, in Unix milliseconds.
        at: i64,
        /// The time left to the side that made it, in milliseconds; `None` without a clock.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<i64>,
    },
    /// The last half moves were taken back.
    TakenBack {
        /// How many.
        plies: u32,
        /// When, in Unix milliseconds.
        at: i64,
    },
    /// A draw was offered.
    DrawOffered {
        /// The side that offers it.
        by: Color,
    },
    /// The offer was declined.
    DrawDeclined,
    /// A player wants to take a move back.
    TakebackAsked {
        /// That player's side.
        by: Color,
    },
    /// The request was declined.
    TakebackDeclined,
    /// A player got more time; without `at` not as a gift of the other's.
    TimeGiven {
        /// The side that gets it.
        to: Color,
        /// How much, in milliseconds; negative to take time away.
        ms: i64,
        /// When the opponent gave it, in Unix milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<i64>,
    },
    /// A player of four wants to resign on the next own turn, or does not want to any more.
    ResignationWanted {
        /// That player's color.
        by: Color,
        /// Whether the player wants to.
        wanted: bool,
    },
    /// The game ended.
    Finished {
        /// How.
        result: GameResult,
        /// Why.
        reason: Reason,
        /// When, in Unix milliseconds.
        at: i64,
    },
    /// Another game was offered.
    RematchOffered {
        /// The side that offers it.
        by: Color,
    },
    /// The offer of another game was declined.
    RematchDeclined,
    /// The other game was created.
    Rematched {
        /// Its id.
        game: String,
    },
    /// A guest has taken a name.
    Renamed {
        /// The guest's side.
        color: Color,
        /// The new name.
        name: String,
    },
    /// A player has deleted the account: the name is removed.
    Forgotten {
        /// The player's side.
        color: Color,
    },
    /// The server was away; the clocks go on from here.
    Resumed {
        /// When, in Unix milliseconds.
        at: i64,
    },
}

impl GameEvent {
    /// Whether it changes a seat or the name of a player.
    pub(crate) fn changes_seats(&self) -> bool {
        matches!(self, Self::Joined { .. } | Self::Renamed { .. } | Self::Forgotten { .. })
    }

    /// Removes a side's player whose account was deleted. Returns whether anything has changed.
    pub fn erase(&mut self, side: Color) -> bool {
        match self {
            Self::Joined { color, player, .. } if *color == side => *player = deleted_player(player),
            Self::Renamed { color, name } if *color == side => *name = DELETED_NAME.into(),
            _ => return false,
        }
        true
    }
}

/// The name of a player whose account was deleted.
const DELETED_NAME: &str = "Guest";

/// A player without name and id: the account is deleted.
pub(super) fn deleted_player(player: &Player) -> Player {
    Player {
        kind: PlayerKind::Guest,
        id: String::new(),
        name: DELETED_NAME.into(),
        rating: None,
        ..player.clone()
    }
}
