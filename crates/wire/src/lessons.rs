//! Lessons made from the rules of a game.

use serde::{Deserialize, Serialize};
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

/// A position with a goal. The learner is White.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LessonLevel {
    /// Its id, such as `piece-r-1`.
    pub id: String,
    /// The position, with White to move.
    pub fen: String,
    /// What to do, in the reader's language.
    pub text: String,
    /// When it is done.
    pub goal: LessonGoal,
    /// The fewest moves of the learner that reach the goal.
    pub par: u32,
    /// Squares to be visited, or whose pieces are to be captured.
    pub stars: Vec<String>,
    /// Hints as arrows, from square to square. Only the first level of a stage has any.
    pub arrows: Vec<[String; 2]>,
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
    /// The enemy cannot win by reaching a goal square at once.
    Stop,
    /// The learner has made so many moves of a game against the engine, or has won it.
    Play {
        /// The engine's level.
        level: u8,
        /// Moves of the learner.
        moves: u32,
    },
}
