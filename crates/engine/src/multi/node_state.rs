//! The state of nodes whose search is interrupted, so that it goes on where it was. A search pauses only when it enters a node, so
//! slices search the nodes of a whole search and no others. Not here: the search of a node (`node`).

use crate::ordering::Scored;
use crate::transposition::Hit;
use lozenge_rules::position::Move;

/// State of a node before its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entered {
    /// Plies that are left, extended.
    pub(super) depth: i32,
    /// The window, narrowed by the distance to the root.
    pub(super) window: (i32, i32),
    pub(super) check: bool,
    pub(super) hit: Option<Hit>,
    /// The static evaluation; `None` in check.
    pub(super) evaluation: Option<i32>,
}

/// The searches of one move after another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stage {
    /// The first move, with the window of the node.
    First,
    /// Perhaps reduced, with a null window.
    Reduced,
    /// In full, with a null window.
    Full,
    /// In full, with the window of the node.
    Open,
}

/// Where the move loop of a node stands.
#[derive(Debug)]
pub(super) struct MoveLoop {
    pub(super) moves: Vec<Scored>,
    /// Index of the move that is searched, or picked next.
    pub(super) at: usize,
    /// The search of that move that was interrupted.
    pub(super) stage: Option<Stage>,
    pub(super) alpha: i32,
    pub(super) best: i32,
    pub(super) best_move: Option<Move>,
    /// Quiet moves searched.
    pub(super) tried: Vec<Move>,
}

/// A node whose search is interrupted.
#[derive(Debug)]
pub(super) struct InterruptedNode {
    pub(super) ply: usize,
    pub(super) entered: Entered,
    /// Where its move loop stands; `None` while the null move is tried.
    pub(super) moves: Option<MoveLoop>,
}
