//! What quiet moves have done well elsewhere: history by man and target, and killers by ply.

use crate::score::MAX_PLY;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, Piece};

/// Bound of a history value.
const MOST: i32 = 1 << 14;

/// How often a man going to a square was the best quiet move ("history heuristic", Schaeffer 1983;
/// with gravity, as in Stockfish, so that values stay bounded and old ones fade).
#[derive(Clone, Default)]
pub(crate) struct History {
    table: Vec<i16>,
    squares: usize,
}

impl core::fmt::Debug for History {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("History").field("entries", &self.table.len()).finish_non_exhaustive()
    }
}

impl History {
    /// Nothing known, for so many men and squares.
    pub(crate) fn new(pieces: usize, squares: usize) -> Self {
        Self { table: vec![0; pieces * squares], squares }
    }

    /// A new search begins: what is here counts half.
    pub(crate) fn age(&mut self) {
        self.table.iter_mut().for_each(|value| *value /= 2);
    }

    /// The value of a man going to a square, from -16384 to 16384.
    #[inline]
    pub(crate) fn get(&self, piece: Piece, to: Square) -> i32 {
        i32::from(self.table[piece.index() * self.squares + to.index()])
    }

    /// The move was good (`bonus` positive) or not.
    #[inline]
    pub(crate) fn update(&mut self, piece: Piece, to: Square, bonus: i32) {
        let value = &mut self.table[piece.index() * self.squares + to.index()];
        let old = i32::from(*value);
        *value = (old + bonus - old * bonus.abs() / MOST).clamp(-MOST, MOST) as i16;
    }
}

/// What one thread keeps from search to search.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) history: History,
}

impl Memory {
    /// Nothing known, for so many men and squares.
    pub(crate) fn new(pieces: usize, squares: usize) -> Self {
        Self { history: History::new(pieces, squares) }
    }

    /// A new search begins.
    pub(crate) fn age(&mut self) {
        self.history.age();
    }
}

/// Quiet moves that refuted something at the same ply ("killer heuristic", Akl and Newborn 1977).
#[derive(Clone, Debug)]
pub(crate) struct Killers(Vec<[Option<Move>; 2]>);

impl Killers {
    /// None.
    pub(crate) fn new() -> Self {
        Self(vec![[None; 2]; MAX_PLY + 1])
    }

    /// The killers of a ply, the newer first.
    #[inline]
    pub(crate) fn get(&self, ply: usize) -> [Option<Move>; 2] {
        self.0[ply]
    }

    /// Adds a killer.
    #[inline]
    pub(crate) fn add(&mut self, ply: usize, killer: Move) {
        let slot = &mut self.0[ply];
        if slot[0] != Some(killer) {
            *slot = [Some(killer), slot[0]];
        }
    }
}
