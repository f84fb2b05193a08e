//! Scaling of the evaluation: a lead counts little if the pieces left can hardly mate. Retrograde analysis
//! (`endings`) finds the pieces that mate, so this holds on every board.

use super::Evaluator;
use lozenge_rules::position::{ByColor, Color, Piece};

/// Everything counts.
pub const FULL_SCALE: i32 = 128;
/// No mate can be forced.
const UNWINNABLE: i32 = 4;
/// It can hardly be forced.
const HARD_TO_WIN: i32 = 16;
/// One piece bound to a half of the board each, on different halves.
const OPPOSITE_HALVES: i32 = 80;

impl<const N: usize> Evaluator<'_, N> {
    /// How much of a sum from White's side counts, of [`FULL_SCALE`].
    pub(super) fn scale(&self, whole: i32) -> i32 {
        let Self { values, tally, .. } = *self;
        let ahead = if whole > 0 { Color::White } else { Color::Black };
        if tally.advancing[ahead] > 0 {
            return if self.has_opposite_halves() { OPPOSITE_HALVES } else { FULL_SCALE };
        }
        if !self.can_mate(ahead) {
            return UNWINNABLE;
        }
        // With few pieces more and no pawn there is hardly a win (a rule of thumb of H. G. Muller's).
        let lead = tally.force[ahead] - tally.force[ahead.opponent()];
        if lead < values.mating_lead { HARD_TO_WIN } else { FULL_SCALE }
    }

    /// Whether a side without pawns has the pieces to mate a bare King.
    fn can_mate(&self, color: Color) -> bool {
        let Self { position, values, tally, .. } = *self;
        if tally.maters[color] > 0 {
            return true;
        }
        match tally.officers[color] {
            0 | 1 => false,
            // Both on the same half of the board: the other half is safe.
            2 if tally.halves[color].contains(&2) => false,
            2 => {
                let mut pair =
                    position.pieces(color).into_iter().filter_map(|square| position.piece_at(square));
                let officer = |piece: &Piece| values.piece(*piece).force > 0;
                let first = pair.find(officer);
                let second = pair.find(officer);
                first.zip(second).is_none_or(|(a, b)| values.pair_mates(a.role(), b.role()))
            }
            _ => true,
        }
    }

    /// Whether each side has one officer, bound to a half of the board that the other's never enters.
    fn has_opposite_halves(&self) -> bool {
        let halves = self.tally.halves;
        self.tally.officers == ByColor::filled(1)
            && matches!(halves.into_array(), [[1, 0], [0, 1]] | [[0, 1], [1, 0]])
    }
}
