//! Root moves, and the deepest finished iteration, shared by the threads of a search. The first thread that finishes an
//! iteration publishes its root moves. The other threads abort theirs and adopt it, so each iteration takes as
//! long as the fastest thread needs ("lazy SMP", wiki; Cheng does the same).

use crate::Bound;
use lozenge_rules::position::Move;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The score of a root move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RootScore {
    pub(super) value: i32,
    /// Kind of the value: a bound where it lies outside the window that it was searched with.
    pub(super) bound: Bound,
}

impl RootScore {
    /// A score that is known exactly.
    pub(super) const fn exact(value: i32) -> Self {
        Self { value, bound: Bound::Exact }
    }
}

/// A move of the root with its score, line and node count.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) played: Move,
    /// From this iteration; `None` while it is only known to be no better than the best.
    pub(super) score: Option<RootScore>,
    /// From the iteration before, or the bound with which it failed high in this one.
    pub(super) previous: Option<RootScore>,
    pub(super) line: Vec<Move>,
    pub(super) deepest_ply: usize,
    /// Nodes searched below it, in all iterations.
    pub(super) nodes: u64,
}

impl RootMove {
    /// The newest score.
    pub(super) fn newest(&self) -> Option<RootScore> {
        self.score.or(self.previous)
    }

    /// The value of the score from this iteration, by which the moves are sorted.
    pub(super) fn value(&self) -> Option<i32> {
        self.score.map(|score| score.value)
    }

    /// A move that has not been searched yet.
    pub(super) fn new(played: Move) -> Self {
        Self { played, score: None, previous: None, line: vec![played], deepest_ply: 0, nodes: 0 }
    }
}

/// The deepest iteration that any thread has finished.
#[derive(Default)]
pub(super) struct SharedIteration {
    /// Its depth in plies, readable without the lock; 0 before the first.
    depth: AtomicU32,
    finished: Mutex<Finished>,
}

/// A finished iteration.
#[derive(Default)]
struct Finished {
    depth: u32,
    /// The best first.
    moves: Vec<RootMove>,
}

impl SharedIteration {
    /// The depth of the deepest finished iteration; 0 for none.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Publishes an iteration that a thread has finished.
    pub(super) fn publish(&self, depth: u32, moves: &[RootMove]) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > finished.depth {
            finished.depth = depth;
            finished.moves.clear();
            finished.moves.extend_from_slice(moves);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Replaces a thread's root moves by those of the deepest finished iteration, but keeps its own node
    /// counts. Returns the depth of that iteration.
    pub(super) fn adopt(&self, moves: &mut Vec<RootMove>) -> u32 {
        let finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        let own = core::mem::replace(moves, finished.moves.clone());
        for taken in moves {
            let known = own.iter().find(|known| known.played == taken.played);
            taken.nodes = known.map_or(0, |known| known.nodes);
        }
        finished.depth
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::geometry::Square;
    use lozenge_rules::position::Move;

    fn root_move(to: u8, score: i32, nodes: u64) -> RootMove {
        let mut root_move = RootMove::new(Move::plain(Square::new(0), Square::new(to)));
        (root_move.score, root_move.nodes) = (Some(RootScore::exact(score)), nodes);
        root_move
    }

    #[test]
    fn deepest_iteration_is_adopted_and_node_counts_are_kept() {
        let shared_iteration = SharedIteration::default();
        assert_eq!(shared_iteration.depth(), 0);
        shared_iteration.publish(7, &[root_move(2, 30, 500), root_move(1, 10, 400)]);
        shared_iteration.publish(6, &[root_move(1, 99, 1), root_move(2, 98, 1)]);
        assert_eq!(shared_iteration.depth(), 7);
        let mut moves = vec![root_move(1, 20, 3), root_move(2, 15, 4)];
        assert_eq!(shared_iteration.adopt(&mut moves), 7);
        let seen: Vec<_> = moves.iter().map(|taken| (taken.played.to, taken.value(), taken.nodes)).collect();
        assert_eq!(seen, [(Square::new(2), Some(30), 4), (Square::new(1), Some(10), 3)]);
    }
}
