//! Quiescence with four players: captures and promotions until nothing is to be gained at once.

use super::Searcher;
use crate::ordering::pick;
use crate::score::{INFINITE, MAX_PLY};
use lozenge_rules::position::MultiPosition;

/// The most that a capture may gain beyond the captured piece, in centipawns.
const MARGIN: i32 = 150;

impl<const N: usize> Searcher<'_, N> {
    /// The score once nothing is to be gained at once.
    pub(super) fn quiesce(
        &mut self,
        position: &MultiPosition<N>,
        ply: usize,
        (mut alpha, beta): (i32, i32),
    ) -> i32 {
        self.lines[ply].clear();
        if self.count(ply) {
            return 0;
        }
        if let Some(score) = self.settled(position, ply) {
            return score;
        }
        let standing = self.evaluate(position);
        if standing >= beta || ply >= MAX_PLY - 1 {
            return standing;
        }
        alpha = alpha.max(standing);
        let mut best = standing;
        let moves = position.forcing_moves(self.rules);
        let mut moves = self.scored(position, moves, None, ply);
        for at in 0..moves.len() {
            let Some(next) = pick(&mut moves, at) else { break };
            let gain = self.gain(position, next.played);
            if next.score < 0 || standing + gain + MARGIN <= alpha {
                continue;
            }
            let child = position.play(self.rules, next.played);
            self.path.push(child.key());
            let score = self.below(position, &child, (alpha, beta), |search, window| {
                search.quiesce(&child, ply + 1, window)
            });
            self.path.pop();
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    self.extend_line(ply, next.played);
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        debug_assert!(best.abs() < INFINITE);
        best
    }
}
