//! Lessons made from the rules of a game.

use crate::Castling;
use crate::analysis::{LegalMove, Step};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The lessons of a game. They are the same as long as its rules are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Course {
    /// The id of the game.
    pub variant: String,
    /// The digest of its rules.
    pub digest: String,
    /// The stages in order, each with at least one level.
    pub stages: Vec<LessonStage>,
}

/// Levels on one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LessonStage {
    /// Its id, such as `piece-r`.
    pub id: String,
    /// Its title in the reader's language.
    pub title: String,
    /// Its levels, the easiest first.
    pub levels: Vec<LessonLevel>,
}

/// A position with a goal. The learner is White; in a game of three or four, Red.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LessonLevel {
    /// Its id, such as `piece-r-1`.
    pub id: String,
    /// The position, with the learner to move.
    pub fen: String,
    /// The task, in the reader's language.
    pub text: String,
    /// When it is done.
    pub goal: LessonGoal,
    /// The fewest moves of the learner that reach the goal.
    pub par: u32,
    /// Squares to be visited, or whose pieces are to be captured.
    pub stars: Vec<String>,
    /// Where the piece stands that has to visit all stars; null in levels without stars.
    pub hero: Option<String>,
    /// Hints as arrows, from square to square. Only the first level of a stage has any.
    pub arrows: Vec<[String; 2]>,
    /// One way to the goal, in `par` moves in long algebraic form. A game has none.
    pub solution: Vec<String>,
}

/// The solved levels of a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LessonProgress {
    /// Stars by the ids of solved levels, 1 to 3.
    pub stars: BTreeMap<String, u8>,
}

/// The progress of a player in a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CourseProgress {
    /// The id of the game.
    pub variant: String,
    /// Its name.
    pub variant_name: String,
    /// How many levels are solved.
    pub levels: u32,
    /// The levels of the course.
    pub of: u32,
    /// The stars of the solved levels.
    pub stars: u32,
}

/// A move of a learner, or the beginning of a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LessonAttempt {
    /// The position to which the attempt has come: that of the level, or of the last [`LessonState`].
    pub fen: String,
    /// The level's goal.
    pub goal: LessonGoal,
    /// The stars that are left.
    #[serde(default)]
    pub stars: Vec<String>,
    /// Where the piece stands that has to visit them.
    #[serde(default)]
    pub hero: Option<String>,
    /// The move, in long algebraic form or in SAN; without one, the answer is the position with its moves.
    #[serde(default, rename = "move")]
    pub played: Option<String>,
}

/// The result of a move of a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LessonResult {
    /// The goal is reached.
    Done,
    /// More moves are needed.
    Going,
    /// The move does not reach the goal, and the level does not go on after it.
    Missed,
}

/// The progress of a learner in a level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LessonState {
    /// The result of the move; `going` without one.
    pub result: LessonResult,
    /// The position from which the attempt goes on; after a move that missed it is where it was.
    pub fen: String,
    /// Number of the square of the learner's King, if it is in check.
    pub check: Option<u16>,
    /// The moves that the level allows, sorted by their long algebraic form.
    pub legal: Vec<LegalMove>,
    /// The castlings among them.
    pub castlings: Vec<Castling>,
    /// The stars that are left.
    pub stars: Vec<String>,
    /// Where the piece stands that has to visit them.
    pub hero: Option<String>,
    /// The move; after one that missed also the enemy's answer, if it punishes the move.
    pub steps: Vec<Step>,
}

/// When a level is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum LessonGoal {
    /// One piece has visited all stars. Only the learner moves.
    Stars,
    /// One piece has captured all pieces on stars. Only the learner moves.
    Capture,
    /// A piece has been promoted.
    Promote,
    /// The learner has castled.
    Castle,
    /// A pawn has been captured en passant.
    EnPassant,
    /// Two pieces have become one.
    Fuse,
    /// The enemy King is in check.
    Check,
    /// The learner was in check and is no longer.
    Escape,
    /// None of the learner's pieces can be captured at once.
    Keep,
    /// The enemy is checkmated.
    Mate,
    /// The learner has won by reaching a goal square.
    Reach,
    /// The enemy cannot win by reaching a goal square at once; in a game of more players no enemy can mate at once.
    Stop,
    /// The learner has made this number of moves in a game against the engine, or has won it.
    Play {
        /// The engine's level.
        level: u8,
        /// Moves of the learner.
        moves: u32,
    },
}
