//! The lobby: games that somebody would like to play, and the games there are.

use crate::{BoardView, Clock, Player, Side, Speed};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A seek to be put up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSeek {
    /// Id of the rules.
    pub variant: String,
    /// The clock; none for a game without one.
    #[serde(default)]
    pub clock: Option<Clock>,
    /// Which side the maker plays.
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
    /// Who seeks.
    pub player: Player,
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The clock; none for a game without one.
    pub clock: Option<Clock>,
    /// Its class.
    pub speed: Speed,
    /// Which side the seeker plays.
    pub side: Side,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// The lowest rating of an opponent.
    #[serde(default)]
    pub rating_min: Option<i32>,
    /// The highest rating of an opponent.
    #[serde(default)]
    pub rating_max: Option<i32>,
    /// Whether it is the seek of whoever asks.
    pub yours: bool,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
}

/// A game that can be played here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VariantSummary {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Who invented it.
    pub author: String,
    /// When.
    pub year: Option<i64>,
    /// What it is, in a few sentences.
    pub about: String,
    /// Number of squares.
    pub squares: u32,
    /// Number of its own starting positions.
    pub starts: u32,
    /// What the starting positions are called, by number; empty for a game with one, or where they have no names.
    pub start_names: Vec<String>,
    /// What its only starting position is called, where that has a name: `reconstruction`.
    pub array: Option<String>,
    /// How it is usually shown.
    pub view: BoardView,
    /// Whether it is one of the five games, rather than of a family or an example.
    pub main: bool,
}

/// What became of a seek: it waits, or it has met another and there is a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Sought {
    /// The seek, if it waits.
    pub seek: Option<Seek>,
    /// Id of the game, if there is one.
    pub game: Option<String>,
}

/// One message of the lobby's stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LobbyEvent {
    /// All open seeks: the first message, and again for a listener that was too slow to hear every change.
    Seeks {
        /// Number of the list: the next `changes` has the next one.
        version: u64,
        /// Newest first.
        seeks: Vec<Seek>,
    },
    /// What has changed since the list of the version before.
    Changes {
        /// Number of the list after the changes. If one is missing before it, ask for the stream again.
        version: u64,
        /// New seeks; one whose id is known takes its place.
        added: Vec<Seek>,
        /// Ids of seeks that are not open any more.
        removed: Vec<String>,
    },
    /// A seek of whoever listens has become a game.
    Game {
        /// Its id.
        game: String,
    },
}

/// Where one man could go if it stood alone: numbers of squares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Diagram {
    /// Empty squares it may go to at any time.
    pub quiet: Vec<u16>,
    /// Squares where it may capture.
    pub capture: Vec<u16>,
    /// Further empty squares it may go to as its first move.
    pub first: Vec<u16>,
    /// Further squares that it reaches across one man on the way.
    pub over: Vec<u16>,
}
