//! Evaluation with four players: each seat's material, squares, mobility and the safety of its King, from values that are derived
//! from the game's geometry as with two players.

use crate::eval::{FULL_PHASE, Taper, Values};
use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::position::{AnyMultiPosition, Color, MultiPosition, MultiWidthVisitor, Piece, Role};
use lozenge_rules::seat::{BySeat, Seat, SeatSet};
use lozenge_rules::variant::{MultiRules, MultiVariant};
use std::sync::Arc;

/// Centipawns for each player who is out, where everyone plays alone.
const OUT: i32 = 1_200;

/// Sixteenths of a centipawn for the square of the attacks around a King.
const DANGER: i32 = 40;

/// Most attacks around a King that count.
const MOST_ATTACKS: i32 = 14;

/// The values of a game of four.
#[derive(Clone, Debug)]
pub(crate) struct MultiValues {
    /// By seat: the values of the game of two in which it has its place, and its color there.
    seats: BySeat<(Values, Color)>,
    /// Material of all officers at the start, in centipawns.
    full_force: i32,
}

impl MultiValues {
    /// The values that follow from the game's geometry.
    pub(crate) fn new(variant: &Arc<MultiVariant>) -> Self {
        AnyMultiPosition::start(variant).visit(Derive { variant })
    }

    /// A seat's piece, and the values of the game of two that knows it.
    fn of(&self, seat: Seat, role: Role) -> (&Values, Piece) {
        let (values, color) = &self.seats[seat];
        (values, Piece::new(*color, role))
    }

    /// Exchange value of a piece of any seat, in centipawns.
    pub(crate) fn exchange(&self, role: Role) -> i32 {
        let (values, piece) = self.of(Seat::Red, role);
        values.piece(piece).exchange
    }

    /// The material values of all roles, in centipawns, in the order of the variant's roles.
    pub(crate) fn material(&self) -> Vec<i32> {
        let values = &self.seats[Seat::Red].0;
        values
            .pieces()
            .filter(|piece| piece.color() == Color::White)
            .map(|piece| values.material(piece.role()))
            .collect()
    }

    /// King's steps between two squares.
    pub(crate) fn king_steps(&self, from: Square, to: Square) -> i32 {
        self.seats[Seat::Red].0.king_steps(from, to)
    }

    /// Whether a piece is neither pawn nor King.
    pub(crate) fn is_officer(&self, role: Role) -> bool {
        let (values, piece) = self.of(Seat::Red, role);
        values.piece(piece).force > 0
    }

    /// By square: it and the squares one King's step away.
    pub(crate) fn king_zones<const N: usize>(&self) -> Vec<SquareSet<N>> {
        let values = &self.seats[Seat::Red].0;
        let zone = |square| values.king_steps_from(square).chain([square]).collect();
        values.board().map(zone).collect()
    }

    /// How many moves a player has on average, roughly.
    pub(crate) fn branching(&self) -> u32 {
        self.seats[Seat::Red].0.branching()
    }

    /// The material of each living player, and the evaluation for the player to move, in centipawns.
    pub(crate) fn evaluate(&self, position: &AnyMultiPosition) -> (BySeat<i32>, i32) {
        position.visit(Evaluate { values: self })
    }

    /// The evaluation for a side, one player or a team, in centipawns.
    pub(crate) fn score<const N: usize>(
        &self,
        position: &MultiPosition<N>,
        rules: &MultiRules<N>,
        king_zones: &[SquareSet<N>],
        side: SeatSet,
    ) -> i32 {
        let worth = self.worth(position, rules, king_zones);
        let (mut own, mut others) = (0, 0);
        for seat in position.living().iter() {
            *(if side.contains(seat) { &mut own } else { &mut others }) += worth[seat];
        }
        if rules.is_teams() {
            return (own - others) / 2;
        }
        let out = position.out().len() as i32;
        own - others / (position.living().len() as i32 - 1).max(1) + OUT * out
    }

    /// The material of each living player, in centipawns.
    fn worth<const N: usize>(
        &self,
        position: &MultiPosition<N>,
        rules: &MultiRules<N>,
        king_zones: &[SquareSet<N>],
    ) -> BySeat<i32> {
        let living = position.living();
        let mut sums = BySeat::from_fn(|_| Taper::ZERO);
        let (mut force, mut attacks) = (0, BySeat::from_fn(|_| 0));
        let zones = BySeat::from_fn(|seat| {
            position.king(seat).map_or(SquareSet::EMPTY, |king| king_zones[king.index()])
        });
        for seat in living.iter() {
            let enemies = position.enemies(rules, seat);
            position.for_each_reach(rules, seat, |from, role, reach| {
                let (values, piece) = self.of(seat, role);
                sums[seat] += values.slot(piece, from).value;
                let known = values.piece(piece);
                force += known.force;
                if known.force > 0 {
                    sums[seat] += values.mobility(piece, reach.len());
                    for enemy in enemies.iter() {
                        attacks[enemy] += (reach & zones[enemy]).len() as i32;
                    }
                }
            });
        }
        let phase = (force * FULL_PHASE / self.full_force).min(FULL_PHASE);
        BySeat::from_fn(|seat| {
            let attacks: i32 = attacks[seat];
            let attacks = attacks.min(MOST_ATTACKS);
            let danger = Taper::new(DANGER * attacks * attacks, 0);
            (sums[seat] - danger).at(phase) / crate::GRAIN
        })
    }
}

/// The side of a player: alone, or with the partner.
pub(crate) fn side<const N: usize>(rules: &MultiRules<N>, seat: Seat) -> SeatSet {
    let mut side = SeatSet::EMPTY;
    side.insert(seat);
    if rules.is_teams() {
        side.insert(seat.next().next());
    }
    side
}

/// Evaluates the fast form of a position.
struct Evaluate<'v> {
    values: &'v MultiValues,
}

impl MultiWidthVisitor for Evaluate<'_> {
    type Output = (BySeat<i32>, i32);
    fn visit<const N: usize>(self, position: &MultiPosition<N>, rules: &MultiRules<N>) -> (BySeat<i32>, i32) {
        let king_zones = self.values.king_zones();
        let score = self.values.score(position, rules, &king_zones, side(rules, position.turn()));
        (self.values.worth(position, rules, &king_zones), score)
    }
}

/// Derives values on the fast form of the start position.
struct Derive<'v> {
    variant: &'v MultiVariant,
}

impl MultiWidthVisitor for Derive<'_> {
    type Output = MultiValues;
    fn visit<const N: usize>(self, start: &MultiPosition<N>, rules: &MultiRules<N>) -> MultiValues {
        let at_start = |seat: Seat, color| {
            let roles = start.pieces(seat).into_iter().filter_map(|square| start.piece_at(square));
            roles.map(move |piece| Piece::new(color, piece.role)).collect::<Vec<_>>()
        };
        let seats = BySeat::from_fn(|seat| {
            let (variant, color) = self.variant.pair(seat);
            let other = if seat == Seat::Red { Seat::Blue } else { seat };
            let pieces = [at_start(Seat::Red, Color::White), at_start(other, Color::Black)].concat();
            (Values::of_pieces(variant, rules.of(seat).0, &pieces), color)
        });
        let full_force = Seat::ALL
            .into_iter()
            .flat_map(|seat| at_start(seat, seats[seat].1).into_iter().map(move |piece| (seat, piece)))
            .map(|(seat, piece)| seats[seat].0.piece(piece).force)
            .sum::<i32>()
            .max(1);
        MultiValues { seats, full_force }
    }
}
