//! The entry of an endgame table for a position.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The result of a position or move with best play, clock and repetitions ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TableCategory {
    /// The side to move wins.
    Win,
    /// The side to move loses.
    Loss,
    /// Neither side can force a win.
    Draw,
}

/// The value of a position, and of each legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TablePosition {
    /// The result for the side to move.
    pub category: TableCategory,
    /// Half moves to mate or goal with best play; `null` in a draw.
    pub distance: Option<u16>,
    /// The legal moves, the best first.
    pub moves: Vec<TableMove>,
}

/// A legal move and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableMove {
    /// The move in long algebraic notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The result of this move for the side that plays it.
    pub category: TableCategory,
    /// Half moves to mate or goal with best play, this move included; `null` in a draw.
    pub distance: Option<u16>,
}

/// A game with endgame tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TableCoverage {
    /// Id of the rules.
    pub variant: String,
    /// The most pieces of a position that a table covers, Kings included. Some classes with that number may be missing.
    pub pieces: u32,
}

/// The drills of a game: classes of endings that one side can win, but not with every move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Drills {
    /// The classes, the easiest first; none for games without endgame tables.
    pub classes: Vec<DrillClass>,
}

/// A class of endings to be won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrillClass {
    /// Its pieces, such as `KRvK`.
    pub name: String,
    /// Half moves of its longest win with best play.
    pub longest: u16,
}

/// A position to be won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrillPosition {
    /// The position, with White to move and to win.
    pub fen: String,
    /// Half moves to mate or goal with best play.
    pub distance: u16,
}
