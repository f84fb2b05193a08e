//! Fusing and splitting: a piece moves onto an own piece and the two become one; one part of a compound
//! leaves it and the other stays.

use super::safety::KingSafety;
use super::trail_safety::TrailSafety;
use super::{Position, Sink};
use crate::geometry::{Square, SquareSet};
use crate::piece::{MAX_ROLES, Piece, Role, RoleSet};
use crate::variant::Rules;

impl<const N: usize> Position<N> {
    /// All legal fusions and splits.
    pub(super) fn fusing_moves(
        &self,
        rules: &Rules<N>,
        trail_safety: &TrailSafety<N>,
        sink: &mut impl Sink<N>,
    ) {
        let pieces = self.own();
        let mut by_role = [SquareSet::EMPTY; MAX_ROLES];
        let mut present = RoleSet::EMPTY;
        for from in pieces {
            if let Some(piece) = self.piece_at(from) {
                by_role[piece.role().index()].insert(from);
                present.insert(piece.role());
            }
        }
        let none = SquareSet::EMPTY;
        let others = self.enemy();
        for role in present.iter() {
            let squares = &by_role[role.index()];
            let piece = Piece::new(self.turn, role);
            let partners =
                rules.fusions.partners(role).iter().fold(none, |all, role| all | by_role[role.index()]);
            if !partners.is_empty() {
                let occupied_else = (pieces | others).without(partners);
                for from in *squares {
                    // As if the partners were enemies and all others in the way.
                    let partners = partners.without(SquareSet::of(from));
                    let targets = rules.captures(piece, from, occupied_else, partners, self.moved);
                    sink.fusions(from, targets & trail_safety.allowed(from));
                }
            }
            if let Some(parts) = rules.fusions.parts(role) {
                for from in *squares {
                    self.splits_from(rules, parts, from, trail_safety.allowed_staying(), sink);
                }
            }
        }
    }

    fn splits_from(
        &self,
        rules: &Rules<N>,
        parts: [Role; 2],
        from: Square,
        allowed: SquareSet<N>,
        sink: &mut impl Sink<N>,
    ) {
        for leaver in leavers(parts) {
            sink.splits(from, leaver, self.leaving(rules, leaver, from) & allowed);
        }
    }

    /// The empty squares a part could go to by itself.
    fn leaving(&self, rules: &Rules<N>, leaver: Role, from: Square) -> SquareSet<N> {
        let piece = Piece::new(self.turn, leaver);
        rules.targets(piece, from, self.own(), self.enemy(), self.moved).without(self.occupied())
    }

    /// Where a piece could fuse if the King's safety did not matter.
    pub(super) fn fusion_targets(&self, rules: &Rules<N>, piece: Piece, from: Square) -> SquareSet<N> {
        let wanted = rules.fusions.partners(piece.role());
        let partners: SquareSet<N> = (self.own().into_iter())
            .filter(|&square| {
                square != from && self.piece_at(square).is_some_and(|piece| wanted.contains(piece.role()))
            })
            .collect();
        rules.captures(piece, from, self.occupied().without(partners), partners, self.moved)
    }

    /// Where the parts of a compound could go if the King's safety did not matter.
    pub(super) fn split_targets(
        &self,
        rules: &Rules<N>,
        piece: Piece,
        from: Square,
    ) -> impl Iterator<Item = (Role, SquareSet<N>)> {
        let parts = rules.fusions.parts(piece.role());
        parts.into_iter().flat_map(leavers).map(move |leaver| (leaver, self.leaving(rules, leaver, from)))
    }
}

/// The parts that can leave; two of a kind are one.
fn leavers([one, other]: [Role; 2]) -> impl Iterator<Item = Role> {
    core::iter::once(one).chain((other != one).then_some(other))
}
