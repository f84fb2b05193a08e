//! What can happen in a game: the facts that are kept, from which a game follows. Nothing else changes one.

use lozenge_wire::{Color, Player, Reason};
use serde::{Deserialize, Serialize};

/// One thing that happened. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "snake_case")]
pub(crate) enum Fact {
    /// Somebody took a place.
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
    /// The other does not.
    TakebackDeclined,
    /// A player got more time.
    TimeGiven { to: Color, ms: i64 },
    /// The game ended.
    Finished { result: String, reason: Reason, at: i64 },
    /// Another game was offered.
    RematchOffered { by: Color },
    /// No other game.
    RematchDeclined,
    /// The other game is there.
    Rematched { game: String },
    /// A guest has taken a name.
    Renamed { color: Color, name: String },
    /// A player has deleted the account: the name goes.
    Forgotten { color: Color },
    /// The server was away; the clocks go on from here.
    Resumed { at: i64 },
}
