//! The state of a node during its search, and the [`InterruptedNode`] that stores it when the search is interrupted. Not here: the
//! search of a node (`node`, `moves`).

use super::Window;
use crate::ordering::Scored;
use crate::transposition::Hit;
use lozenge_rules::position::Move;

/// State of a node before its move loop.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) window: Window,
    /// The depth with which it was entered.
    pub(super) entered: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Uncorrected static evaluation, for the table; `None` in check.
    pub(super) raw: Option<i32>,
    /// The best estimate of the score: the corrected evaluation, or a better bound from the table.
    pub(super) evaluation: i32,
    /// In check, or the other side threatens to reach its goal: nothing is pruned.
    pub(super) urgent: bool,
    pub(super) improving: bool,
    /// Whether it lies, or once lay, on a principal variation.
    pub(super) principal: bool,
    /// Whether it is expected to fail high.
    pub(super) cut: bool,
    pub(super) hit: Option<Hit>,
    pub(super) excluded: Option<Move>,
}

impl Node {
    /// The TT move.
    pub(super) fn tt_move(&self) -> Option<Move> {
        self.hit.and_then(|hit| hit.best)
    }
}

/// The move that is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) played: Move,
    pub(super) move_score: i32,
    /// Moves tried before it.
    pub(super) move_count: usize,
    pub(super) quiet: bool,
    /// Its history score.
    pub(super) history: i32,
}

/// Where the move loop of a node stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveLoop {
    /// Index of the move that is picked next.
    pub(super) next: usize,
    /// Whether the moves after the TT move have been scored.
    pub(super) ordered: bool,
    pub(super) alpha: i32,
    pub(super) best: i32,
    pub(super) best_move: Option<Move>,
    /// Moves searched.
    pub(super) move_count: usize,
    pub(super) quiets_tried: usize,
}

/// The move that is being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    /// Its index.
    pub(super) at: usize,
    pub(super) candidate: Candidate,
    /// `None` until it is known how deep.
    pub(super) attempt: Option<Attempt>,
}

/// The searches of one move after another.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Stage {
    /// Reduced, with a null window.
    #[default]
    Reduced,
    /// In full, with a null window.
    Full,
    /// In full, with the window of the node.
    Open,
}

/// Depth and manner of the search of one move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    /// Depth in full, in plies.
    pub(super) depth: i32,
    /// Plies to take off at first.
    pub(super) reduction: i32,
    /// Whether it is the first move of its node.
    pub(super) first: bool,
    /// Whether the node expects to fail high.
    pub(super) cut: bool,
}

/// A node at which the search was interrupted.
#[derive(Debug)]
pub(super) struct InterruptedNode {
    /// Key of its position.
    pub(super) key: u64,
    pub(super) node: Node,
    /// Where its move loop stands; `None` while whole-node pruning is tried.
    pub(super) moves: Option<InterruptedMoves>,
}

/// Where a move loop stands.
#[derive(Debug)]
pub(super) struct InterruptedMoves {
    /// The moves; indices in the state count from their beginning.
    pub(super) moves: Vec<Scored>,
    /// The best line so far.
    pub(super) line: Vec<Move>,
    pub(super) state: MoveLoop,
    /// The move that is being searched.
    pub(super) trial: Trial,
}

impl InterruptedNode {
    /// Whether this is the node that is entered so.
    pub(super) fn is_of(
        &self,
        key: u64,
        window: Window,
        depth: i32,
        ply: usize,
        excluded: Option<Move>,
    ) -> bool {
        let Node { window: own, entered, ply: at, excluded: own_excluded, .. } = self.node;
        (self.key, own, entered, at, own_excluded) == (key, window, depth, ply, excluded)
    }
}
