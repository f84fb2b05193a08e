//! The accumulator: sums of the evaluation and feature hashes for correction history, updated incrementally
//! with every move.

use crate::eval::{Tally, TallyObserver, Values};
use crate::ordering::Features;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, Observer, Piece, Position};
use lozenge_rules::variant::Rules;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Incrementally updated sums and hashes of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Accumulator {
    pub(super) tally: Tally,
    pub(super) features: Features,
}

impl Accumulator {
    /// Computes the accumulator of a position from scratch.
    pub(super) fn of<const N: usize>(position: &Position<N>, values: &Values, keys: &FeatureKeys) -> Self {
        let mut features = Features::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                keys.toggle(&mut features, piece, square);
            }
        }
        Self { tally: Tally::of(position, values), features }
    }

    /// Plays a move: the position after it, and its accumulator.
    #[inline]
    pub(super) fn play<const N: usize>(
        &self,
        position: &Position<N>,
        rules: &Rules<N>,
        values: &Values,
        keys: &FeatureKeys,
        played: Move,
    ) -> (Position<N>, Self) {
        let tally = TallyObserver { tally: self.tally, values };
        let mut observer = AccumulatorObserver { tally, features: self.features, keys };
        let after = position.play_observed(rules, played, &mut observer);
        (after, Self { tally: observer.tally.tally, features: observer.features })
    }
}

/// Updates the tally and the feature hashes while a move is played.
struct AccumulatorObserver<'v> {
    tally: TallyObserver<'v>,
    features: Features,
    keys: &'v FeatureKeys,
}

impl Observer for AccumulatorObserver<'_> {
    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.tally.lift(piece, square);
        self.keys.toggle(&mut self.features, piece, square);
    }
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.tally.put(piece, square);
        self.keys.toggle(&mut self.features, piece, square);
    }
}

/// A random number for each piece on each square (Zobrist 1970), the same in every run.
#[derive(Clone, Debug)]
pub(crate) struct FeatureKeys {
    squares: usize,
    keys: Vec<u64>,
    /// By piece index.
    pawn: Vec<bool>,
}

impl FeatureKeys {
    /// The numbers for the pieces and squares of a game.
    pub(crate) fn new(values: &Values) -> Self {
        let squares = values.squares();
        let pawn: Vec<bool> = values.pieces().map(|piece| values.piece(piece).pawn).collect();
        let mut random = SplitMix64::seed_from_u64(0);
        let keys = (0..pawn.len() * squares).map(|_| random.next_u64()).collect();
        Self { squares, keys, pawn }
    }

    /// Adds or removes a piece.
    #[inline]
    fn toggle(&self, features: &mut Features, piece: Piece, square: Square) {
        let key = self.keys[piece.index() * self.squares + square.index()];
        if self.pawn[piece.index()] {
            features.pawns ^= key;
        } else {
            features.pieces[piece.color()] ^= key;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::position::{AnyPosition, WidthVisitor};

    /// Plays moves and compares the updated accumulator with one computed from scratch.
    struct Compare<'v>(&'v Values);

    impl WidthVisitor for Compare<'_> {
        type Output = ();
        fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) {
            let keys = FeatureKeys::new(self.0);
            let mut position = *start;
            let mut accumulator = Accumulator::of(start, self.0, &keys);
            for ply in 0..60 {
                let moves = position.legal_moves(rules);
                let Some(&played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                (position, accumulator) = accumulator.play(&position, rules, self.0, &keys, played);
                assert_eq!(accumulator, Accumulator::of(&position, self.0, &keys));
            }
        }
    }

    #[test]
    fn incremental_update_equals_refresh() {
        for id in library::ids() {
            let variant = library::game(id).unwrap();
            AnyPosition::start(&variant).visit(Compare(&Values::new(&variant)));
        }
    }
}
