//! Where iterative deepening with four players stands, and the whole state of a search that pauses. Not here: the deepening
//! (`root`), nodes below the root (`node_state`).

use super::WINDOW;
use super::node_state::{InterruptedNode, Stage};
use super::ordering::Quiets;
use crate::score::{DECIDED, INFINITE};
use lozenge_rules::position::Move;

/// A root move and what is known of it.
#[derive(Debug)]
pub(super) struct RootMove {
    pub(super) played: Move,
    /// That of the last iteration in which it was the best of its line.
    pub(super) score: i32,
    pub(super) line: Vec<Move>,
}

/// The state between two searches of root moves.
#[derive(Debug)]
pub(super) struct RootState {
    pub(super) moves: Vec<RootMove>,
    /// The iteration.
    pub(super) depth: i32,
    /// The line of MultiPV that is searched, from 0.
    pub(super) line: usize,
    /// The best move before the iteration.
    pub(super) leader: Option<Move>,
    /// The last finished iteration.
    pub(super) finished: i32,
    /// Iterations in which the best move stayed.
    pub(super) steady: u32,
    /// The search of the line that was interrupted.
    pub(super) search: Option<LineSearch>,
}

/// A search for the best move of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineSearch {
    /// Half the width of the next window around the score.
    pub(super) width: i32,
    pub(super) window: (i32, i32),
    /// The index of the move that is searched.
    pub(super) at: usize,
    pub(super) stage: Stage,
    pub(super) alpha: i32,
    pub(super) best: i32,
}

impl LineSearch {
    /// The search of a line from its first move on, in a window around its last score.
    pub(super) fn new(line: usize, center: i32, depth: i32) -> Self {
        let is_open = depth < 4 || center.abs() >= DECIDED;
        let window = if is_open { (-INFINITE, INFINITE) } else { (center - WINDOW, center + WINDOW) };
        Self { width: WINDOW, ..Self::within(window, line) }
    }

    /// A search in this window.
    pub(super) fn within(window: (i32, i32), line: usize) -> Self {
        Self { width: WINDOW, window, at: line, stage: Stage::First, alpha: window.0, best: -INFINITE }
    }
}

/// The state that a paused search needs to go on, besides the table of the engine.
#[derive(Debug)]
pub(crate) struct MultiPaused {
    pub(super) root: RootState,
    /// The node nearest to the root last.
    pub(super) interrupted: Vec<InterruptedNode>,
    pub(super) quiets: Quiets,
    pub(super) lines: Vec<Vec<Move>>,
    pub(super) nodes: u64,
    pub(super) deepest_ply: usize,
}
