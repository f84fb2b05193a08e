//! Which moves give check, known before they are made. Search asks this of many moves of one position, so the squares from which
//! pieces would give check are found once.

use super::{Move, MoveKind, Position};
use crate::geometry::{Square, SquareSet};
use crate::variant::Rules;
use crate::variant::sliders::LineKind;

/// The squares from which the side to move would give check.
#[derive(Clone, Copy, Debug)]
pub struct CheckSquares<const N: usize> {
    /// The enemy King's square.
    king: Square,
    /// From where some piece leaps to the King.
    leaps: SquareSet<N>,
    /// From where sliders see the King: on orthogonal and on diagonal lines.
    lines: [SquareSet<N>; 2],
    /// Own pieces that stand between an own slider and the King, and may uncover a check.
    blockers: SquareSet<N>,
}

impl<const N: usize> Position<N> {
    /// The squares from which the side to move would give check.
    #[must_use]
    pub fn check_squares(&self, rules: &Rules<N>) -> CheckSquares<N> {
        let (turn, own, occupied) = (self.turn, self.own(), self.occupied());
        let king = self.king(turn.opponent());
        let mut blockers = SquareSet::EMPTY;
        let mut lines = [SquareSet::EMPTY; 2];
        for (seen, (kind, sliders)) in lines
            .iter_mut()
            .zip([(LineKind::Orthogonal, self.sliders[0]), (LineKind::Diagonal, self.sliders[1])])
        {
            *seen = rules.sliders.attacks(king, kind, occupied);
            let nearest = *seen & own;
            if !nearest.is_empty() && rules.sliders.reach(king, kind).meets(sliders & own) {
                let behind = rules.sliders.attacks(king, kind, occupied.without(nearest));
                if behind.without(*seen).meets(sliders & own) {
                    blockers |= nearest;
                }
            }
        }
        CheckSquares { king, leaps: rules.leap_attackers[turn][king], lines, blockers }
    }
}

impl<const N: usize> CheckSquares<N> {
    /// Whether a legal move of the position gives check, by a leap or on a line. Checks along trails, which few games have, are
    /// found only where a line or leap is uncovered, too.
    #[inline]
    #[must_use]
    pub fn gives_check(&self, position: &Position<N>, rules: &Rules<N>, played: Move) -> bool {
        let Move { from, to, kind } = played;
        if kind != MoveKind::Plain {
            return position.play(rules, played).is_check(rules);
        }
        let Some(piece) = position.piece_at(from) else { return false };
        let info = rules.info(piece);
        (self.leaps.contains(to) && info.leaps[to].capture.contains(self.king))
            || (info.orthogonal && self.lines[0].contains(to))
            || (info.diagonal && self.lines[1].contains(to))
            || (self.blockers.contains(from) && self.uncovers(position, rules, from, to))
    }

    /// Whether a move of a piece between an own slider and the King uncovers a check.
    #[cold]
    fn uncovers(&self, position: &Position<N>, rules: &Rules<N>, from: Square, to: Square) -> bool {
        let occupied = position.occupied().without(SquareSet::of(from)) | SquareSet::of(to);
        position.is_attacked(rules, self.king, position.turn, occupied)
    }
}
