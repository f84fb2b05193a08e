//! What follows from where the men stand and is kept up to date move by move: the sums of the
//! evaluation, and the features that corrections are kept by.

use crate::eval::{Listener, Tally, Values};
use crate::ordering::Features;
use crate::random::Random;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, Observer, Piece, Position};
use lozenge_rules::variant::Rules;

/// The sums of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sums {
    pub(super) tally: Tally,
    pub(super) features: Features,
}

impl Sums {
    /// The sums of a position, from nothing.
    pub(super) fn of<const N: usize>(position: &Position<N>, values: &Values, keys: &FeatureKeys) -> Self {
        let mut features = Features::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                keys.toggle(&mut features, piece, square);
            }
        }
        Self { tally: Tally::of(position, values), features }
    }

    /// The position after a move, and its sums.
    #[inline]
    pub(super) fn play<const N: usize>(
        &self,
        position: &Position<N>,
        rules: &Rules<N>,
        values: &Values,
        keys: &FeatureKeys,
        played: Move,
    ) -> (Position<N>, Self) {
        let listener = Listener { tally: self.tally, values };
        let mut both = Both { listener, features: self.features, keys };
        let after = position.play_observed(rules, played, &mut both);
        (after, Self { tally: both.listener.tally, features: both.features })
    }
}

/// Listens for the evaluation and for the features.
struct Both<'v> {
    listener: Listener<'v>,
    features: Features,
    keys: &'v FeatureKeys,
}

impl Observer for Both<'_> {
    #[inline]
    fn lift(&mut self, piece: Piece, square: Square) {
        self.listener.lift(piece, square);
        self.keys.toggle(&mut self.features, piece, square);
    }
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.listener.put(piece, square);
        self.keys.toggle(&mut self.features, piece, square);
    }
}

/// A random number for each man on each square (Zobrist 1970), the same in every run.
#[derive(Clone, Debug)]
pub(crate) struct FeatureKeys {
    squares: usize,
    keys: Vec<u64>,
    /// By piece index.
    pawn: Vec<bool>,
}

impl FeatureKeys {
    /// The numbers for the men and squares of a game.
    pub(crate) fn new(values: &Values) -> Self {
        let squares = values.squares();
        let pawn: Vec<bool> = values.pieces().map(|piece| values.man(piece).pawn).collect();
        let mut random = Random(0);
        let keys = (0..pawn.len() * squares).map(|_| random.next()).collect();
        Self { squares, keys, pawn }
    }

    /// A man arrives or leaves.
    #[inline]
    fn toggle(&self, features: &mut Features, piece: Piece, square: Square) {
        let key = self.keys[piece.index() * self.squares + square.index()];
        if self.pawn[piece.index()] {
            features.pawns ^= key;
        } else {
            features.men[piece.color().index()] ^= key;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::position::{AnyPosition, WidthVisitor};
    use lozenge_rules::variant::library;

    /// Plays along the first lines of moves and compares sums kept with sums made from nothing.
    struct Compare<'v>(&'v Values);

    impl WidthVisitor for Compare<'_> {
        type Output = ();
        fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) {
            let keys = FeatureKeys::new(self.0);
            let mut position = *start;
            let mut sums = Sums::of(start, self.0, &keys);
            for ply in 0..60 {
                let moves = position.legal_moves(rules);
                let Some(&played) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                (position, sums) = sums.play(&position, rules, self.0, &keys, played);
                assert_eq!(sums, Sums::of(&position, self.0, &keys));
            }
        }
    }

    #[test]
    fn sums_kept_are_sums_made_anew() {
        for id in library::ids() {
            let variant = library::game(id).unwrap();
            AnyPosition::start(&variant).visit(Compare(&Values::new(&variant)));
        }
    }
}
