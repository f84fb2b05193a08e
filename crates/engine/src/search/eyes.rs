//! What a player with a handicap does not see: moves taken out of the list.

use super::Searcher;
use crate::ordering::is_capture;
use crate::skill::Glance;
use lozenge_rules::position::{Move, Position};

impl<const N: usize> Searcher<'_, N> {
    /// Takes what is overlooked out of `list[base..]`. At the root something always remains.
    pub(super) fn overlook(&mut self, position: &Position<N>, base: usize, ply: usize) {
        let mut list = core::mem::take(&mut self.list);
        let mut kept = base;
        for at in base..list.len() {
            if !self.overlooks(position, list[at].played, ply) {
                list.swap(kept, at);
                kept += 1;
            }
        }
        if ply > 0 || kept > base {
            list.truncate(kept);
        }
        self.list = list;
    }

    /// Whether a move is overlooked, `ply` plies from the root.
    pub(super) fn overlooks(&self, position: &Position<N>, played: Move, ply: usize) -> bool {
        let Some(sight) = &self.shared.sight else { return false };
        let Some(piece) = position.piece_at(played.from) else { return false };
        let arrived = ply.checked_sub(1).and_then(|above| self.plies[above].arrived);
        let glance = Glance {
            piece,
            from: played.from,
            to: played.to,
            distance: self.values.king_steps(played.from, played.to),
            capture: is_capture(position, played),
            recapture: arrived == Some(played.to),
        };
        sight.overlooks(glance, ply)
    }
}
