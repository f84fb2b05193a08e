//! The rules of a game in words.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The rules of a game in the reader's language: how its pieces move, and everything else that decides games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GameRules {
    /// The game's name.
    pub name: String,
    /// Its pieces: the King, the others in the order of their reach, pawns last.
    pub pieces: Vec<PieceRules>,
    /// The other rules, then the board.
    pub chapters: Vec<RulesChapter>,
}

/// How a piece moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PieceRules {
    /// Id of its role.
    pub role: String,
    /// Its name.
    pub name: String,
    /// How it moves, in sentences.
    pub moves: Vec<String>,
    /// The squares on which its moves are drawn: one, or one for each kind of square where they differ.
    pub squares: Vec<u16>,
}

/// Sentences with a heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RulesChapter {
    /// Its heading.
    pub heading: String,
    /// Its points, each of some sentences.
    pub points: Vec<String>,
}
