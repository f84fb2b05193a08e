//! Perft: how many sequences of legal moves there are. The last ply is counted, not played.

use super::{Move, Position};
use crate::variant::Rules;

impl<const N: usize> Position<N> {
    /// The number of sequences of `depth` legal moves.
    #[must_use]
    pub fn perft(&self, rules: &Rules<N>, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(rules),
            _ => {
                let mut moves = Vec::with_capacity(128);
                self.generate(rules, &mut moves);
                moves.iter().map(|&next| self.play(rules, next).perft(rules, depth - 1)).sum()
            }
        }
    }

    /// The same, or `None` as soon as `stop` returns `true`. It is called at each node but the last two
    /// plies.
    #[must_use]
    pub fn perft_until(&self, rules: &Rules<N>, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        if stop() {
            return None;
        }
        if depth <= 2 {
            return Some(self.perft(rules, depth));
        }
        let mut nodes = 0;
        for next in self.legal_moves(rules) {
            nodes += self.play(rules, next).perft_until(rules, depth - 1, stop)?;
        }
        Some(nodes)
    }

    /// For each legal move, the number of sequences of `depth` moves that begin with it, `depth >= 1`.
    #[must_use]
    pub fn divide(&self, rules: &Rules<N>, depth: u32) -> Vec<(Move, u64)> {
        let moves = self.legal_moves(rules);
        moves
            .into_iter()
            .map(|next| (next, self.play(rules, next).perft(rules, depth.saturating_sub(1))))
            .collect()
    }
}
