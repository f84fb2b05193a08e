//! The King's safety as far as lines and leaps go: checks and pins.
//!
//! The King's lines are walked once. Each enemy slider that checks narrows where moves may end (its
//! path and itself); each that would check but for one own piece narrows that piece to the path. The
//! narrowings are joined by AND, and each is keyed by its own ordered path, never by a pair of
//! squares. The reason: on a torus one rook can check from both sides, and one piece can be pinned
//! along two rays that meet again.

use super::Position;
use crate::geometry::{Square, SquareSet};
use crate::variant::Rules;
use crate::variant::sliders::LineKind;
use arrayvec::ArrayVec;

/// Where the King's safety lets the other pieces go.
pub(super) trait KingSafety<const N: usize> {
    /// Whether only the King can answer the check.
    fn king_must_move(&self) -> bool;
    /// Where the piece on `from` may end.
    fn allowed(&self, from: Square) -> SquareSet<N>;
}

/// The squares that the King's safety leaves open to the other pieces, as far as lines and leaps go.
pub(super) struct Safety<const N: usize> {
    /// Squares where a move must end to answer the checks; all squares without a check.
    pub(super) evasion: SquareSet<N>,
    pub(super) check: bool,
    pinned: SquareSet<N>,
    /// Pinned pieces and the squares left to them; a piece may be listed twice.
    pins: ArrayVec<(Square, SquareSet<N>), 8>,
}

impl<const N: usize> Safety<N> {
    /// The squares left to the piece on `from` by those that would look through its square.
    #[inline]
    pub(super) fn unpinned(&self, from: Square, mut allowed: SquareSet<N>) -> SquareSet<N> {
        if self.pinned.contains(from) {
            for (pinned, path) in &self.pins {
                if *pinned == from {
                    allowed &= *path;
                }
            }
        }
        allowed
    }
}

impl<const N: usize> KingSafety<N> for Safety<N> {
    #[inline]
    fn king_must_move(&self) -> bool {
        self.evasion.is_empty()
    }

    #[inline]
    fn allowed(&self, from: Square) -> SquareSet<N> {
        self.unpinned(from, self.evasion)
    }
}

impl<const N: usize> Position<N> {
    /// Checks and pins.
    #[inline]
    pub(super) fn safety(&self, rules: &Rules<N>) -> Safety<N> {
        let king = self.king(self.turn);
        let (own, enemy) = (self.own(), self.enemy());
        let mut safety = Safety {
            evasion: SquareSet::FULL,
            check: false,
            pinned: SquareSet::EMPTY,
            pins: ArrayVec::new(),
        };
        for from in rules.leap_attackers[self.turn.opponent()][king] & enemy {
            if self.piece_at(from).is_some_and(|piece| rules.leaps(piece, from).capture.contains(king)) {
                safety.evasion &= SquareSet::of(from);
                safety.check = true;
            }
        }
        for (lines, sliders) in
            [(LineKind::Orthogonal, self.sliders[0]), (LineKind::Diagonal, self.sliders[1])]
        {
            let sliders = sliders & enemy;
            if !rules.sliders.reach(king, lines).meets(sliders) {
                continue;
            }
            for axis in [lines as usize * 2, lines as usize * 2 + 1] {
                if rules.sliders.axis_reach(king, axis).meets(sliders) {
                    let direction = lines as usize * 4 + (axis & 1);
                    self.look_along(rules, direction, own, enemy, sliders, &mut safety);
                    self.look_along(rules, direction + 2, own, enemy, sliders, &mut safety);
                }
            }
        }
        safety
    }

    /// Walks one ray from the King to the first enemy piece, past at most one own piece.
    #[inline]
    fn look_along(
        &self,
        rules: &Rules<N>,
        direction: usize,
        own: SquareSet<N>,
        enemy: SquareSet<N>,
        sliders: SquareSet<N>,
        safety: &mut Safety<N>,
    ) {
        let mut path = SquareSet::EMPTY;
        let mut shield = None;
        for &square in rules.sliders.ray(self.king(self.turn), direction) {
            path.insert(square);
            if own.contains(square) {
                if shield.is_some() {
                    return;
                }
                shield = Some(square);
            } else if enemy.contains(square) {
                if sliders.contains(square) {
                    match shield {
                        Some(shield) => {
                            safety.pinned.insert(shield);
                            safety.pins.push((shield, path));
                        }
                        None => {
                            safety.evasion &= path;
                            safety.check = true;
                        }
                    }
                }
                return;
            }
        }
    }
}
