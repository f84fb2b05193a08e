//! Correction history: the average difference between search score and static evaluation in positions that
//! share a feature (Caissa 2023, Stockfish since 2024; wiki "static evaluation correction
//! history"). The average of what is known corrects the evaluation.

use super::history::HistoryTable;
use super::history::PieceTo;
use lozenge_rules::piece::{ByColor, Color};

/// Entries of a table for each side to move; a power of two.
const ENTRIES: usize = 1 << 13;

/// Bound of a value: [`GRAIN`]ths of a centipawn.
const MAX_CORRECTION: i32 = 1 << 13;

/// Parts of a centipawn.
const GRAIN: i32 = 32;

/// Features that positions may share, as incrementally updated hashes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Features {
    /// By pawn structure.
    pub(crate) pawns: u64,
    /// By color: where the other pieces stand.
    pub(crate) pieces: ByColor<u64>,
}

/// The tables of the threads that share them.
pub(crate) struct Corrections {
    pawns: HistoryTable,
    pieces: ByColor<HistoryTable>,
    /// By the last two moves.
    moves: HistoryTable,
}

impl core::fmt::Debug for Corrections {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Corrections").finish_non_exhaustive()
    }
}

/// Indices of the entries for a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectionIndices {
    pawns: usize,
    pieces: ByColor<usize>,
    moves: Option<usize>,
}

impl Corrections {
    /// An empty history.
    pub(crate) fn new() -> Self {
        let table = || HistoryTable::new(2 * ENTRIES);
        Self { pawns: table(), pieces: ByColor::from_fn(|_| table()), moves: table() }
    }

    /// Sets all corrections to zero.
    pub(crate) fn clear(&mut self) {
        for table in [&mut self.pawns, &mut self.moves].into_iter().chain(&mut self.pieces) {
            table.clear();
        }
    }

    /// The slots of a position: its features, the side to move, and the last two moves.
    pub(crate) fn indices(features: &Features, turn: Color, last: [Option<PieceTo>; 2]) -> CorrectionIndices {
        let index = |hash: u64| turn.index() * ENTRIES + (hash >> 40) as usize % ENTRIES;
        let pair = match last {
            [Some(last), Some(before)] => Some(u64::from(last.slot) << 32 | u64::from(before.slot)),
            _ => None,
        };
        CorrectionIndices {
            pawns: index(features.pawns),
            pieces: features.pieces.map(index),
            moves: pair.map(|pair| index(pair.wrapping_mul(0x9E37_79B9_7F4A_7C15))),
        }
    }

    /// The correction of the evaluation, in centipawns; `weights` of pawns, pieces and moves in 64ths.
    #[inline]
    pub(crate) fn get(&self, indices: &CorrectionIndices, weights: [i32; 3]) -> i32 {
        let pawns = self.pawns.get(indices.pawns);
        let [white, black] = Color::BOTH.map(|color| self.pieces[color].get(indices.pieces[color]));
        let moves = indices.moves.map_or(0, |index| self.moves.get(index));
        (pawns * weights[0] + (white + black) * weights[1] + moves * weights[2]) / (64 * GRAIN)
    }

    /// Updates after a search to `depth` found a score `error` centipawns above the corrected evaluation.
    #[inline]
    pub(crate) fn update(&self, indices: &CorrectionIndices, error: i32, depth: i32) {
        let bonus = (error * GRAIN * depth / 64).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        self.pawns.add(indices.pawns, bonus, MAX_CORRECTION);
        for (table, &index) in self.pieces.iter().zip(&indices.pieces) {
            table.add(index, bonus, MAX_CORRECTION);
        }
        if let Some(index) = indices.moves {
            self.moves.add(index, bonus, MAX_CORRECTION);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrects_similar_positions_and_no_others() {
        let corrections = Corrections::new();
        let features = Features { pawns: 77 << 41, pieces: ByColor::new(5 << 42, 9 << 43) };
        let indices = Corrections::indices(&features, Color::White, [None; 2]);
        for _ in 0..50 {
            let error = 60 - corrections.get(&indices, [64, 0, 0]);
            corrections.update(&indices, error, 6);
        }
        assert!((40..=70).contains(&corrections.get(&indices, [64, 0, 0])));
        assert_eq!(corrections.get(&Corrections::indices(&features, Color::Black, [None; 2]), [64; 3]), 0);
        let other = Features { pawns: 78 << 41, pieces: ByColor::new(6 << 42, 10 << 43) };
        assert_eq!(corrections.get(&Corrections::indices(&other, Color::White, [None; 2]), [64; 3]), 0);
    }
}
