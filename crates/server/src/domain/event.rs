//! The events of a game, which are stored and determine it. Nothing else changes a game.

use lozenge_wire::{Color, GameResult, Player, PlayerKind, Reason};
use serde::{Deserialize, Serialize};

/// One thing that happened. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub(crate) enum GameEvent {
    /// A player took a seat.
    Joined { color: Color, player: Player, at: i64 },
    /// A move, and what was left to the side that made it.
    Moved {
        uci: String,
        at: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left_ms: Option<i64>,
    },
    /// The last half moves were taken back.
    TakenBack { plies: u32, at: i64 },
    /// A draw was offered.
    DrawOffered { by: Color },
    /// The offer was declined.
    DrawDeclined,
    /// A player wants to take a move back.
    TakebackAsked { by: Color },
    /// The request was declined.
    TakebackDeclined,
    /// A player got more time; without `at` not as a gift of the other's.
    TimeGiven {
        to: Color,
        ms: i64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<i64>,
    },
    /// The game ended.
    Finished { result: GameResult, reason: Reason, at: i64 },
    /// Another game was offered.
    RematchOffered { by: Color },
    /// The offer of another game was declined.
    RematchDeclined,
    /// The other game was created.
    Rematched { game: String },
    /// A guest has taken a name.
    Renamed { color: Color, name: String },
    /// A player has deleted the account: the name is removed.
    Forgotten { color: Color },
    /// The server was away; the clocks go on from here.
    Resumed { at: i64 },
}

impl GameEvent {
    /// Whether it changes a seat or the name of a player.
    pub(crate) fn changes_seats(&self) -> bool {
        matches!(self, Self::Joined { .. } | Self::Renamed { .. } | Self::Forgotten { .. })
    }

    /// Removes a side's player whose account was deleted. Returns whether anything has changed.
    pub(crate) fn erase(&mut self, side: Color) -> bool {
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
