//! Counting the positions at the end of all sequences of legal moves of a length.

use crate::walker::Walker;

impl Walker {
    /// How many sequences of `depth` legal moves there are.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal();
        if depth == 1 {
            return moves.len() as u64;
        }
        moves.iter().map(|mv| self.after(mv).perft(depth - 1)).sum()
    }

    /// The same count for every first move, by the move's name. Depth 0 has no first move.
    pub fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        if depth == 0 {
            return Vec::new();
        }
        let mut counts: Vec<(String, u64)> =
            self.legal().iter().map(|mv| (mv.text(), self.after(mv).perft(depth - 1))).collect();
        counts.sort();
        counts
    }
}
