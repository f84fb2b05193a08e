//! What an endgame table has about a position.

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
