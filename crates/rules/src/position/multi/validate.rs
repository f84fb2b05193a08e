//! The one gate from [`MultiSetup`] to [`MultiPosition`]: every reason against it at once.

use super::MultiPosition;
use crate::geometry::{BySquare, Coord, Shape, Square, SquareSet};
use crate::seat::{BySeat, OwnedPiece, SEATS, Seat};
use crate::setup::multi::{MultiCell, MultiSetup, MultiSetupError, MultiSetupFault};
use crate::variant::{MultiRules, MultiVariant};

impl<const N: usize> MultiPosition<N> {
    /// Validates and resolves a setup that has the size of the game's box.
    pub(crate) fn from_setup(
        variant: &MultiVariant,
        rules: &MultiRules<N>,
        setup: &MultiSetup,
    ) -> Result<Self, MultiSetupError> {
        let shape = variant.shape();
        let mut faults = Vec::new();
        let pieces = pieces(shape, setup, &mut faults);
        let king = |seat| OwnedPiece { owner: Some(seat), role: rules.royal };
        let kings = BySeat::from_fn(|seat| {
            pieces
                .iter()
                .filter(|(_, piece)| *piece == king(seat))
                .map(|(square, _)| *square)
                .collect::<Vec<_>>()
        });
        let mut out = [Seat::Red; SEATS];
        for (place, seat) in out.iter_mut().zip(&setup.out) {
            *place = *seat;
        }
        let mut position = Self {
            pieces: BySeat::from_fn(|_| SquareSet::EMPTY),
            dead: SquareSet::EMPTY,
            sliders: [SquareSet::EMPTY; 2],
            board: BySquare::filled(None),
            kings: BySeat::from_fn(|seat| kings[seat].first().copied().unwrap_or_default()),
            turn: setup.turn,
            living: setup.living(),
            out,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            key: 0,
        };
        for &(square, piece) in &pieces {
            position.put(rules, piece, square);
        }
        let living = position.living;
        if !living.contains(setup.turn) {
            faults.push(MultiSetupFault::MoverOut(setup.turn));
        }
        for seat in living.iter().filter(|&seat| kings[seat].len() != 1) {
            faults.push(MultiSetupFault::Kings { seat, found: kings[seat].len() });
        }
        for &(square, piece) in &pieces {
            let at = shape.coord(square);
            match piece.owner {
                None if piece.role == rules.royal => faults.push(MultiSetupFault::DeadKing(at)),
                Some(seat) if !living.contains(seat) => faults.push(MultiSetupFault::PieceOfOut { seat, at }),
                Some(seat) => {
                    let (tables, known) = rules.piece(seat, piece.role);
                    if !tables.may_stand(known, square) {
                        let letter = variant.roles().info(piece.role).letter;
                        faults.push(MultiSetupFault::Unpromoted { seat, letter, at });
                    }
                }
                None => {}
            }
        }
        position.touching_kings(rules, &kings, &mut faults);
        if rules.is_teams {
            let previous = setup.turn.previous();
            if living.contains(previous)
                && kings[previous].len() == 1
                && position.is_attacked(rules, previous)
            {
                faults.push(MultiSetupFault::PreviousInCheck(previous));
            }
            if setup.out.len() > 1 {
                faults.push(MultiSetupFault::TooManyOut(setup.out.len()));
            }
        }
        if !faults.is_empty() {
            return Err(MultiSetupError { faults });
        }
        position.resolve(rules);
        Ok(position)
    }

    /// Hostile Kings that could capture each other.
    fn touching_kings(
        &self,
        rules: &MultiRules<N>,
        kings: &BySeat<Vec<Square>>,
        faults: &mut Vec<MultiSetupFault>,
    ) {
        let captures = |seat: Seat, from: Square, to: Square| {
            let (tables, king) = rules.piece(seat, rules.royal);
            let (others, none) = (self.occupied().without(SquareSet::of(to)), SquareSet::EMPTY);
            tables.captures(king, from, others, SquareSet::of(to), none).contains(to)
        };
        for one in self.living.iter() {
            for other in self.enemies(rules, one).iter().filter(|other| *other > one) {
                let mut pairs = kings[one].iter().flat_map(|a| kings[other].iter().map(move |b| (*a, *b)));
                if pairs.any(|(a, b)| captures(one, a, b) && captures(other, b, a)) {
                    faults.push(MultiSetupFault::KingsTouch(one, other));
                }
            }
        }
    }

    /// The setup of this position.
    pub(crate) fn setup(&self, shape: &Shape) -> MultiSetup {
        let mut cells = Vec::new();
        for rank in 0..shape.height() {
            for file in 0..shape.width() {
                cells.push(match shape.at(Coord { file, rank }) {
                    None => MultiCell::Hole,
                    Some(square) => self.piece_at(square).map_or(MultiCell::Empty, MultiCell::Piece),
                });
            }
        }
        MultiSetup {
            cells,
            turn: self.turn,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            out: self.out().to_vec(),
        }
    }

    /// Compares the sets of pieces with the board.
    ///
    /// # Panics
    /// When something differs: a mistake in this crate. For tests and fuzzing.
    pub fn assert_consistent(&self, rules: &MultiRules<N>) {
        let mut fresh = Self {
            pieces: BySeat::from_fn(|_| SquareSet::EMPTY),
            dead: SquareSet::EMPTY,
            sliders: [SquareSet::EMPTY; 2],
            board: BySquare::filled(None),
            key: 0,
            ..*self
        };
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                fresh.put(rules, piece, square);
            }
        }
        assert!(fresh == *self, "board sets differ from the board");
        for seat in self.living.iter() {
            let king = OwnedPiece { owner: Some(seat), role: rules.royal };
            assert_eq!(self.piece_at(self.kings[seat]), Some(king), "the king's square");
        }
    }
}

/// The pieces on squares; cells that do not fit the board are faults.
fn pieces(shape: &Shape, setup: &MultiSetup, faults: &mut Vec<MultiSetupFault>) -> Vec<(Square, OwnedPiece)> {
    let mut pieces = Vec::new();
    for (rank, cells) in setup.cells.chunks(usize::from(shape.width().max(1))).enumerate() {
        for (file, cell) in cells.iter().enumerate() {
            let at = Coord { file: file as u8, rank: rank as u8 };
            match (shape.at(at), cell) {
                (Some(_), MultiCell::Hole) => faults.push(MultiSetupFault::HoleOnSquare(at)),
                (None, MultiCell::Empty | MultiCell::Piece(_)) => {
                    faults.push(MultiSetupFault::SquareOnHole(at));
                }
                (Some(square), MultiCell::Piece(piece)) => pieces.push((square, *piece)),
                _ => {}
            }
        }
    }
    pieces
}
