//! The events that a session reacts to: the lines of the GUI and the end of a task.

use crate::InputLine;
use lozenge_engine::{Engine, Score};
use lozenge_rules::position::Move;

/// Something that a session has to handle.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "few at a time, and moved once")]
pub(crate) enum Event {
    /// A line from the GUI.
    Line(InputLine),
    /// The input has ended.
    EndOfInput,
    /// A task has ended.
    TaskEnded {
        /// The engine; `None` if the task panicked.
        engine: Option<Engine>,
        /// The result, if the task was a search.
        result: Option<SearchResult>,
    },
    /// The reader of the output has gone.
    OutputClosed,
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchResult {
    /// The move to play; `None` without legal moves.
    pub(crate) best: Option<Move>,
    /// The expected reply.
    pub(crate) ponder: Option<Move>,
    /// The score for the side to move; `None` if nothing was searched.
    pub(crate) score: Option<Score>,
}
