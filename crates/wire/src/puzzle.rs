//! Puzzles: positions in which one continuation is clearly best.

use crate::{MoveText, RatingChange};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Most own moves of an attempt.
pub const MAX_PUZZLE_MOVES: usize = 40;

/// A puzzle, without its solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Puzzle {
    /// Its id.
    pub id: String,
    /// Id of the rules, or their digest where the game has newer rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The position before the opponent's move that makes the puzzle.
    pub fen: String,
    /// That move, in long algebraic notation.
    pub lead: String,
    /// The position to solve.
    pub start_fen: String,
    /// The legal moves in it, in long algebraic notation.
    #[schema(value_type = Vec<String>)]
    pub moves: Vec<MoveText>,
    /// Its rating.
    pub rating: i32,
    /// Number of rated first attempts.
    pub plays: u64,
    /// Votes for it less those against it.
    pub votes: i64,
    /// Whether the reader's first attempt solved it; `null` before that attempt.
    pub solved: Option<bool>,
}

/// An attempt at a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleAttempt {
    /// All own moves so far, in long algebraic notation; at most 40. None to give up.
    pub moves: Vec<String>,
    /// The theme by which the puzzle was chosen, if it was: knowing it makes a puzzle easier.
    #[serde(default)]
    pub theme: Option<String>,
    /// Whether the attempt may change ratings.
    #[serde(default = "yes")]
    pub rated: bool,
}

const fn yes() -> bool {
    true
}

/// The result of an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleResult {
    /// Whether all moves were right.
    pub right: bool,
    /// Whether the puzzle is solved. If not, and all moves were right, it goes on after `reply`.
    pub solved: bool,
    /// The opponent's answer to the last move, where the puzzle goes on.
    pub reply: Option<String>,
    /// The legal moves after the answer, in long algebraic notation.
    #[schema(value_type = Vec<String>)]
    pub moves: Vec<MoveText>,
    /// The whole solution with the opponent's answers, once the attempt is over.
    pub solution: Option<Vec<String>>,
    /// The themes, once the attempt is over.
    pub themes: Vec<String>,
    /// The game that the puzzle is from, once the attempt is over.
    pub source: Option<String>,
    /// The change of the solver's rating: by the first attempt alone, and only for accounts.
    pub rating: Option<RatingChange>,
}

/// A request for a hint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleHintRequest {
    /// All own moves so far, in long algebraic notation; at most 40.
    pub moves: Vec<String>,
}

/// A hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleHint {
    /// Number of the square of the piece that moves next.
    pub square: u16,
}

/// A vote on a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzleVote {
    /// Whether it is for the puzzle.
    pub up: bool,
}

/// A player's first attempt at a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleRound {
    /// Id of the puzzle.
    pub puzzle: String,
    /// Id of the rules.
    pub variant: String,
    /// Whether it was solved.
    pub solved: bool,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
    /// The change of the rating; `null` where nothing was rated.
    pub rating: Option<RatingChange>,
}

/// A player's rating in the puzzles of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleRating {
    /// Id of the rules.
    pub variant: String,
    /// Name of the rules.
    pub variant_name: String,
    /// The rating.
    pub rating: f64,
    /// Its deviation.
    pub deviation: f64,
    /// Rated puzzles.
    pub plays: u32,
}

/// A theme of puzzles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleTheme {
    /// Its name, such as `fork`.
    pub theme: String,
    /// Number of puzzles of the game with this theme.
    pub puzzles: u32,
}

/// Puzzles to be solved in turn until one is failed, the easiest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleStreak {
    /// Ids of the puzzles.
    pub puzzles: Vec<String>,
}

/// Puzzles to be solved against the clock, the easiest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleStorm {
    /// The puzzles.
    pub puzzles: Vec<StormPuzzle>,
}

/// A puzzle with its solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StormPuzzle {
    /// Its id.
    pub id: String,
    /// The position before the opponent's move that makes the puzzle.
    pub fen: String,
    /// That move, in long algebraic notation.
    pub lead: String,
    /// The solution: moves of the solver and replies in turn, in long algebraic notation.
    pub line: Vec<String>,
    /// Its rating.
    pub rating: i32,
}

/// The initial data of a puzzle page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PuzzleStart {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The theme by which puzzles are chosen, if they are.
    pub theme: Option<String>,
    /// The puzzles of a streak, this one first; `null` where puzzles are solved one by one.
    pub streak: Option<PuzzleStreak>,
    /// The reader's rating; `null` for guests.
    pub rating: Option<PuzzleRating>,
}
