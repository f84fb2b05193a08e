//! The one gate from [`MultiSetup`] to [`MultiPosition`]: every reason against it at once.

use super::{MultiPosition, Offer};
use crate::geometry::{BySquare, Coord, Shape, Square, SquareSet};
use crate::piece::Piece;
use crate::seat::{BySeat, OwnedPiece, SEATS, Seat};
use crate::setup::multi::{MultiCell, MultiSetup, MultiSetupError, MultiSetupFault, OfferSetup};
use crate::variant::{Castling, MultiRules, MultiVariant};

impl<const N: usize> MultiPosition<N> {
    /// Validates and resolves a setup that has the size of the game's box.
    pub(crate) fn from_setup(
        variant: &MultiVariant,
        rules: &MultiRules<N>,
        setup: &MultiSetup,
    ) -> Result<Self, MultiSetupError> {
        let mut position = Self::unresolved(variant, rules, setup)?;
        position.resolve(rules);
        Ok(position)
    }

    /// As [`Self::from_setup`], for the start of a game: no player is in check from two others.
    pub(crate) fn from_start(
        variant: &MultiVariant,
        rules: &MultiRules<N>,
        setup: &MultiSetup,
    ) -> Result<Self, MultiSetupError> {
        let mut position = Self::unresolved(variant, rules, setup)?;
        let mut faults = Vec::new();
        for seat in position.living.iter() {
            let enemies = position.enemies(rules, seat);
            let mut attackers = enemies.iter().filter(|&enemy| position.is_attacked_by(rules, seat, enemy));
            if let Some((first, second)) = attackers.next().zip(attackers.next()) {
                faults.push(MultiSetupFault::TwoChecks { seat, by: [first, second] });
            }
        }
        if !faults.is_empty() {
            return Err(MultiSetupError { faults });
        }
        position.resolve(rules);
        Ok(position)
    }

    /// Validates a setup, in which the player to move may have no legal move.
    fn unresolved(
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
            out_count: setup.out.len() as u8,
            rights: 0,
            offers: BySeat::default(),
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
        position.read_rights(variant, rules, setup, &mut faults);
        position.read_offers(shape, rules, setup, &mut faults);
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
        Ok(position)
    }

    /// King and rook of each right must stand where the castling begins.
    fn read_rights(
        &mut self,
        variant: &MultiVariant,
        rules: &MultiRules<N>,
        setup: &MultiSetup,
        faults: &mut Vec<MultiSetupFault>,
    ) {
        for (bit, &(seat, letter)) in variant.rights.iter().enumerate() {
            let right = 1 << bit;
            let of_right = |(_, castling): &&(Seat, Castling<N>)| castling.right == Some(right);
            let stands = rules.castlings.iter().find(of_right).is_some_and(|(_, castling)| {
                let piece = |role| Some(OwnedPiece { owner: Some(seat), role });
                self.piece_at(castling.king_from) == piece(rules.royal)
                    && self.piece_at(castling.rook_from) == piece(castling.rook.role())
            });
            if setup.rights & right != 0 && !stands {
                faults.push(MultiSetupFault::Right { seat, letter });
            } else if setup.rights & right != 0 {
                self.rights |= right;
                self.key ^= rules.of(Seat::Red).0.keys.rights[bit];
            }
        }
    }

    /// Each double step must be one of a living player who is not to move, and its piece must stand at its end.
    fn read_offers(
        &mut self,
        shape: &Shape,
        rules: &MultiRules<N>,
        setup: &MultiSetup,
        faults: &mut Vec<MultiSetupFault>,
    ) {
        for &OfferSetup { seat, crossed, pawn } in &setup.offers {
            let (tables, color) = rules.of(seat);
            let offer = shape.at(crossed).zip(shape.at(pawn)).map(|(crossed, pawn)| Offer { crossed, pawn });
            let offer = offer.filter(|&Offer { crossed, pawn }| {
                let stands = self.piece_at(pawn).is_some_and(|piece| {
                    piece.owner == Some(seat) && tables.info(Piece::new(color, piece.role)).en_passant
                });
                let mut steps = tables.double_steps_across(color, crossed);
                stands && seat != self.turn && self.living.contains(seat) && steps.any(|step| step.to == pawn)
            });
            match offer {
                Some(offer) => self.set_offer(rules, seat, Some(offer)),
                None => faults.push(MultiSetupFault::EnPassant { seat, at: crossed }),
            }
        }
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
    pub(crate) fn setup(&self, variant: &MultiVariant) -> MultiSetup {
        let shape = variant.shape();
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
            seats: variant.seats(),
            turn: self.turn,
            rights: self.rights,
            offers: Seat::ALL.into_iter().filter_map(|seat| self.offer_setup(shape, seat)).collect(),
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            out: self.out().to_vec(),
        }
    }

    fn offer_setup(&self, shape: &Shape, seat: Seat) -> Option<OfferSetup> {
        let Offer { crossed, pawn } = self.offers[seat]?;
        Some(OfferSetup { seat, crossed: shape.coord(crossed), pawn: shape.coord(pawn) })
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
            offers: BySeat::default(),
            key: 0,
            ..*self
        };
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                fresh.put(rules, piece, square);
            }
        }
        for seat in Seat::ALL {
            fresh.set_offer(rules, seat, self.offers[seat]);
        }
        for (bit, key) in rules.of(Seat::Red).0.keys.rights.iter().enumerate() {
            fresh.key ^= if self.rights >> bit & 1 != 0 { *key } else { 0 };
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
