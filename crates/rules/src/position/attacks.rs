//! Attacks: the pieces that could capture on a square. Check is an attack on the King.

use super::Position;
use crate::geometry::{Square, SquareSet};
use crate::piece::Color;
use crate::variant::Rules;
use crate::variant::sliders::LineKind;

impl<const N: usize> Position<N> {
    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self, rules: &Rules<N>) -> bool {
        self.is_attacked(rules, self.king(self.turn), self.turn.opponent(), self.occupied())
    }

    /// The pieces that attack the King of the side to move.
    #[must_use]
    pub fn checkers(&self, rules: &Rules<N>) -> SquareSet<N> {
        self.attackers(rules, self.king(self.turn), self.turn.opponent(), self.occupied())
    }

    /// Whether a piece of color `by` could capture on `target` if `occupied` squares block lines.
    /// Only pieces standing on occupied squares count.
    #[inline]
    pub(crate) fn is_attacked(
        &self,
        rules: &Rules<N>,
        target: Square,
        by: Color,
        occupied: SquareSet<N>,
    ) -> bool {
        let pieces = self.pieces(by) & occupied;
        for from in rules.leap_attackers[by][target] & pieces {
            if self.leaps_to(rules, from, target) {
                return true;
            }
        }
        for (lines, sliders) in
            [(LineKind::Orthogonal, self.sliders[0]), (LineKind::Diagonal, self.sliders[1])]
        {
            let sliders = sliders & pieces;
            if rules.sliders.reach(target, lines).meets(sliders)
                && rules.sliders.attacks(target, lines, occupied).meets(sliders)
            {
                return true;
            }
        }
        rules.trail_captures && self.is_attacked_along_trails(rules, target, by, occupied)
    }

    /// The part of [`is_attacked`](Self::is_attacked) that most games never need.
    #[inline(never)]
    fn is_attacked_along_trails(
        &self,
        rules: &Rules<N>,
        target: Square,
        by: Color,
        occupied: SquareSet<N>,
    ) -> bool {
        (rules.capture_paths.attackers(by, target) & self.pieces(by) & occupied)
            .into_iter()
            .any(|from| self.arrives(rules, from, target, occupied))
    }

    /// All pieces of color `by` that could capture on `target` if `occupied` squares block lines.
    #[must_use]
    pub fn attackers(
        &self,
        rules: &Rules<N>,
        target: Square,
        by: Color,
        occupied: SquareSet<N>,
    ) -> SquareSet<N> {
        let pieces = self.pieces(by) & occupied;
        let mut attackers: SquareSet<N> = (rules.leap_attackers[by][target] & pieces)
            .into_iter()
            .filter(|&from| self.leaps_to(rules, from, target))
            .collect();
        for (lines, sliders) in
            [(LineKind::Orthogonal, self.sliders[0]), (LineKind::Diagonal, self.sliders[1])]
        {
            attackers |= rules.sliders.attacks(target, lines, occupied) & sliders & pieces;
        }
        if rules.trail_captures {
            let candidates = rules.capture_paths.attackers(by, target) & pieces;
            attackers |= (candidates.into_iter())
                .filter(|&from| self.arrives(rules, from, target, occupied))
                .collect();
        }
        attackers
    }

    #[inline]
    fn leaps_to(&self, rules: &Rules<N>, from: Square, target: Square) -> bool {
        self.piece_at(from).is_some_and(|piece| rules.leaps(piece, from).capture.contains(target))
    }

    /// Whether the piece on `from` could capture on `target` along a trail.
    #[inline]
    fn arrives(&self, rules: &Rules<N>, from: Square, target: Square, occupied: SquareSet<N>) -> bool {
        self.piece_at(from).is_some_and(|piece| {
            rules.capture_paths.of(piece, from, target).iter().any(|path| {
                path.missing(occupied, rules.capture_paths.flipped(path)) == 0
                    && (!path.initial || rules.may_start(piece, from, self.moved))
            })
        })
    }
}
