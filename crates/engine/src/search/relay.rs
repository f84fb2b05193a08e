//! What the threads of a search hand on to each other besides the table: whoever is first to finish an
//! iteration gives its moves to the others, who leave theirs unfinished and take it from there. So each
//! iteration takes as long as the luckiest thread needs ("lazy SMP", wiki, where the threads of Cheng do
//! the same).

use super::root::RootMove;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// The deepest iteration that any thread has finished.
#[derive(Default)]
pub(super) struct Relay {
    /// Its depth in plies, readable without waiting; 0 before the first.
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

impl Relay {
    /// The depth of the deepest finished iteration; 0 for none.
    #[inline]
    pub(super) fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// A thread has finished an iteration.
    pub(super) fn hand_on(&self, depth: u32, moves: &[RootMove]) {
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        if depth > finished.depth {
            finished.depth = depth;
            finished.moves.clear();
            finished.moves.extend_from_slice(moves);
            self.depth.store(depth, Ordering::Relaxed);
        }
    }

    /// Gives a thread the order, scores and lines of the deepest finished iteration; how many nodes it has
    /// spent on each move it knows itself. Returns the iteration's depth.
    pub(super) fn take_over(&self, moves: &mut Vec<RootMove>) -> u32 {
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
        (root_move.score, root_move.nodes) = (score, nodes);
        root_move
    }

    #[test]
    fn the_deepest_iteration_is_handed_on_and_nodes_stay_with_who_spent_them() {
        let relay = Relay::default();
        assert_eq!(relay.depth(), 0);
        relay.hand_on(7, &[root_move(2, 30, 500), root_move(1, 10, 400)]);
        relay.hand_on(6, &[root_move(1, 99, 1), root_move(2, 98, 1)]);
        assert_eq!(relay.depth(), 7);
        let mut moves = vec![root_move(1, 20, 3), root_move(2, 15, 4)];
        assert_eq!(relay.take_over(&mut moves), 7);
        let seen: Vec<_> = moves.iter().map(|taken| (taken.played.to, taken.score, taken.nodes)).collect();
        assert_eq!(seen, [(Square::new(2), 30, 4), (Square::new(1), 10, 3)]);
    }
}
