//! Removes the moves that a player with a handicap overlooks.

use super::Searcher;
use crate::skill::MoveTraits;
use lozenge_rules::position::{Move, Position};

impl<const N: usize> Searcher<'_, N> {
    /// Removes overlooked moves from `moves[start..]`. At the root something always remains.
    pub(super) fn overlook(&mut self, position: &Position<N>, start: usize, ply: usize) {
        let mut moves = core::mem::take(&mut self.moves);
        let mut kept = start;
        for at in start..moves.len() {
            if !self.overlooks(position, moves[at].played, ply) {
                moves.swap(kept, at);
                kept += 1;
            }
        }
        if ply > 0 || kept > start {
            moves.truncate(kept);
        }
        self.moves = moves;
    }

    /// Whether a move is overlooked, `ply` plies from the root.
    pub(super) fn overlooks(&self, position: &Position<N>, played: Move, ply: usize) -> bool {
        let Some(handicap_state) = &self.shared.handicap_state else { return false };
        let Some(piece) = position.piece_at(played.from) else { return false };
        // A King alone has few moves, and each is seen: who is about to mate it does not leave it a piece.
        if position.pieces(position.turn()).len() == 1 {
            return false;
        }
        let arrived = ply.checked_sub(1).and_then(|above| self.plies[above].arrived);
        let traits = MoveTraits {
            piece,
            from: played.from,
            to: played.to,
            distance: self.values.king_steps(played.from, played.to),
            capture: position.is_capture(played),
            recapture: arrived == Some(played.to),
        };
        handicap_state.overlooks(traits, ply)
    }
}
