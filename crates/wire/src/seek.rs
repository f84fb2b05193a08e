//! The lobby: open seeks, and games that wait for players.

use crate::{Clock, Fill, Player, Seat, Side, Speed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A new seek.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSeek {
    /// Id of the rules.
    pub variant: String,
    /// The clock; none for a game without a clock.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// The side of its maker.
    #[serde(default)]
    pub side: Side,
    /// Whether the game counts for ratings.
    #[serde(default)]
    pub rated: bool,
    /// The lowest rating of an opponent.
    #[serde(default)]
    pub rating_min: Option<i32>,
    /// The highest rating of an opponent.
    #[serde(default)]
    pub rating_max: Option<i32>,
}

/// An open seek.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Seek {
    /// Its id.
    pub id: String,
    /// Its maker.
    pub player: Player,
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The clock; none for a game without a clock.
    pub clock: Option<Clock>,
    /// The class of the clock.
    pub speed: Speed,
    /// The side of its maker.
    pub side: Side,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// The lowest rating of an opponent.
    #[serde(default)]
    pub rating_min: Option<i32>,
    /// The highest rating of an opponent.
    #[serde(default)]
    pub rating_max: Option<i32>,
    /// Whether the client made it.
    pub yours: bool,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
}

/// A game of four in the lobby, which waits for players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OpenGame {
    /// Its id.
    pub id: String,
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The clock; none for a game without a clock.
    pub clock: Option<Clock>,
    /// The class of the clock.
    pub speed: Speed,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// The seats, in the order of the turns: who sits there, and which are open.
    pub seats: Vec<Seat>,
    /// When the engine takes the free seats; absent if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<Fill>,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
}

/// The result of a new seek: it is open, or it has matched another and a game starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SeekReply {
    /// The seek, if it is open.
    pub seek: Option<Seek>,
    /// Id of the game, if one starts.
    pub game: Option<String>,
}

/// One message of the lobby's stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyEvent {
    /// All open seeks and games of four: the first message, and again for a client that was too slow to receive every change.
    Seeks {
        /// Number of the list: the next `changes` has the next one.
        version: u64,
        /// Newest first.
        seeks: Vec<Seek>,
        /// The games of four that wait for players, newest first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        games: Vec<OpenGame>,
    },
    /// The changes since the previous version of the list.
    Changes {
        /// Number of the list after the changes. If a number is missing, reconnect.
        version: u64,
        /// New seeks; one whose id is known replaces it.
        added: Vec<Seek>,
        /// Ids of seeks and games that are no longer open.
        removed: Vec<String>,
        /// New games of four; one whose id is known replaces it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        games: Vec<OpenGame>,
    },
    /// A seek of the client has become a game.
    Game {
        /// Its id.
        game: String,
    },
}

/// The moves of a piece that stands alone: numbers of squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Diagram {
    /// Empty squares to which it may move at any time.
    pub quiet: Vec<u16>,
    /// Squares where it may capture.
    pub capture: Vec<u16>,
    /// Further empty squares for its first move.
    pub first: Vec<u16>,
    /// Further squares that it reaches by jumping over one piece.
    pub over: Vec<u16>,
}
