//! The review of a game: the engine's evaluation of every move. Scores and probabilities are White's.

use crate::GameResult;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reviews of some games.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// One review for each game.
    pub games: Vec<GameReview>,
}

/// The progress of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReviewProgress {
    /// Positions that have been searched.
    pub done: u32,
    /// Positions of the game.
    pub positions: u32,
}

/// The review of one game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameReview {
    /// Id of the game.
    pub variant: String,
    /// The name of White.
    pub white: String,
    /// The name of Black.
    pub black: String,
    /// The result.
    pub result: GameResult,
    /// The starting position.
    pub fen: String,
    /// Accuracy of both sides, from 0 to 100.
    pub accuracy: Accuracy,
    /// Evaluation of the starting position.
    pub start: Evaluation,
    /// The moves.
    pub moves: Vec<MoveReview>,
}

/// Accuracy of both sides, from 0 to 100; `None` for a side that did not move.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct Accuracy {
    /// White's moves.
    pub white: Option<f64>,
    /// Black's moves.
    pub black: Option<f64>,
}

/// The evaluation of a position.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// The score.
    pub score: ReviewScore,
    /// White's expected score, from 0 (loses) to 1 (wins).
    pub win_probability: f64,
}

/// A score, as White sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReviewScore {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Moves to mate or to goal; negative when Black wins; 0 when the game is over.
    Mate(i32),
}

/// A move of a reviewed game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoveReview {
    /// Its number, in plies from 1.
    pub ply: usize,
    /// In long algebraic form.
    pub uci: String,
    /// In SAN.
    pub san: String,
    /// The position after the move.
    #[serde(flatten)]
    pub evaluation: Evaluation,
    /// The engine's move instead.
    pub best: Option<BestMove>,
    /// The severity of a bad move; `None` for other moves.
    pub judgment: Option<Judgment>,
    /// A forced win that the move gave away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed_win: Option<MissedWin>,
}

/// The engine's choice in the position before a move.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, ToSchema)]
pub struct BestMove {
    /// In long algebraic form.
    pub uci: String,
    /// In SAN.
    pub san: String,
    /// Its score.
    pub score: ReviewScore,
    /// The line that the engine expects, beginning with the move, in SAN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

/// The severity of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Judgment {
    /// Loses at least 5 points of a hundred.
    Inaccuracy,
    /// Loses at least 10.
    Mistake,
    /// Loses at least 15.
    Blunder,
}

/// The kind of win that a move missed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MissedWin {
    /// By mate.
    Mate,
    /// By reaching a goal.
    Goal,
}
