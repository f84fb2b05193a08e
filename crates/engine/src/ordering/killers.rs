//! Killers: quiet moves that refuted something at the same ply.

use crate::score::MAX_PLY;
use lozenge_rules::position::Move;

/// By ply, the last two ("killer heuristic", Akl and Newborn 1977).
#[derive(Clone, Debug)]
pub(crate) struct Killers(Vec<[Option<Move>; 2]>);

impl Killers {
    /// No killers.
    pub(crate) fn new() -> Self {
        Self(vec![[None; 2]; MAX_PLY + 2])
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

    /// Clears a ply, as an iteration does for the first.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply] = [None; 2];
    }
}
