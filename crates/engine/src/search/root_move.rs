//! One move of the root, and what iterative deepening knows about it.

use crate::score::INFINITE;
use lozenge_rules::position::Move;

/// A move of the root with its score, line and node count.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) played: Move,
    /// From this iteration; `-INFINITE` while it is only known to be no better than the best.
    pub(super) score: i32,
    /// From the iteration before.
    pub(super) previous: i32,
    pub(super) line: Vec<Move>,
    pub(super) deepest_ply: usize,
    /// Nodes searched below it, in all iterations.
    pub(super) nodes: u64,
}

impl RootMove {
    /// A move that has not been searched yet.
    pub(super) fn new(played: Move) -> Self {
        Self { played, score: -INFINITE, previous: -INFINITE, line: vec![played], deepest_ply: 0, nodes: 0 }
    }
}
