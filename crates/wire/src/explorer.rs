//! The opening explorer: the moves that have been played from a position.

use crate::GameSummary;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where games in the explorer come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExplorerSource {
    /// The public games of the site.
    Site,
    /// The book of engine games.
    Book,
}

/// The moves that have been played from a position, and the results of the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Explored {
    /// Games that White won; with more than two players, those that the player to move won.
    pub white: u64,
    /// Drawn games; with more than two players, those in which the player to move shared the first place.
    pub draws: u64,
    /// Games that Black won; with more than two players, those in which the player to move had another place.
    pub black: u64,
    /// The moves that were played most often, at most 12, the most frequent first.
    pub moves: Vec<ExploredMove>,
    /// The latest games of the site with this position, at most 8.
    pub recent_games: Vec<GameSummary>,
}

/// A move that has been played from a position. Its numbers count the games in which it was played there, not those that
/// reached the next position by other moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExploredMove {
    /// The move in long algebraic notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// Games that White won; with more than two players, those that the player to move won.
    pub white: u64,
    /// Drawn games; with more than two players, those in which the player to move shared the first place.
    pub draws: u64,
    /// Games that Black won; with more than two players, those in which the player to move had another place.
    pub black: u64,
    /// The average rating of the players who chose the move; `null` if none of them had a rating.
    pub average_rating: Option<u64>,
}
