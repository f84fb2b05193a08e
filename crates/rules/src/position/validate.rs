//! The one gate from [`Setup`] to [`Position`]: every reason against it at once.

use super::Position;
use crate::geometry::{BySquare, Coord, Shape, Square, SquareSet};
use crate::piece::{ByColor, Color, Piece};
use crate::setup::{Cell, Setup, SetupError, SetupFault};
use crate::variant::Castling;
use crate::variant::{Rules, Variant};

impl<const N: usize> Position<N> {
    /// Validates a setup.
    ///
    /// # Errors
    /// All reasons why it is not a position of the game.
    pub(crate) fn from_setup(variant: &Variant, rules: &Rules<N>, setup: &Setup) -> Result<Self, SetupError> {
        let shape = variant.shape();
        let mut faults = box_faults(shape, setup);
        if let Some(SetupFault::WrongBox { .. }) = faults.first() {
            return Err(SetupError { faults });
        }
        let mut pieces: Vec<(Square, Piece)> = Vec::new();
        for (at, piece) in setup.pieces() {
            if let Some(square) = shape.at(at) {
                pieces.push((square, piece));
            }
        }
        let royal = |color: Color| Piece::new(color, rules.royal);
        let kings = ByColor::from_fn(|color| {
            pieces.iter().filter(|(_, piece)| *piece == royal(color)).map(|piece| piece.0).collect::<Vec<_>>()
        });
        for color in Color::BOTH {
            if kings[color].len() != 1 {
                faults.push(SetupFault::Kings { color, found: kings[color].len() });
            }
        }
        let king_of = |color: Color| kings[color].first().copied().unwrap_or(Square::new(0));
        let mut position = Self {
            colors: ByColor::filled(SquareSet::EMPTY),
            sliders: [SquareSet::EMPTY; 2],
            board: BySquare::filled(None),
            kings: ByColor::from_fn(king_of),
            moved: SquareSet::EMPTY,
            key: 0,
            fullmove_number: setup.fullmove_number,
            halfmove_clock: setup.halfmove_clock,
            rights: setup.rights,
            en_passant: None,
            en_passant_pawn: Square::new(0),
            en_passant_ambiguous: false,
            turn: setup.turn,
        };
        for &(square, piece) in &pieces {
            position.put(rules, piece, square);
        }
        position.zone_faults(variant, rules, &pieces, &mut faults);
        position.right_faults(variant, rules, &mut faults);
        position.read_moved(shape, rules, setup, &mut faults);
        position.read_en_passant(shape, rules, setup, &mut faults);
        let idle = setup.turn.opponent();
        if kings[idle].len() == 1
            && position.is_attacked(rules, position.king(idle), setup.turn, position.occupied())
        {
            faults.push(SetupFault::OpponentInCheck(idle));
        }
        if !faults.is_empty() {
            return Err(SetupError { faults });
        }
        position.key = position.key_from_scratch(rules);
        Ok(position)
    }

    /// Pawns that should have been promoted, and pieces that should have ended the game. Another piece that
    /// is promoted on capture path may have been set up where it stands.
    fn zone_faults(
        &self,
        variant: &Variant,
        rules: &Rules<N>,
        pieces: &[(Square, Piece)],
        faults: &mut Vec<SetupFault>,
    ) {
        for &(square, piece) in pieces {
            if !rules.may_stand(piece, square) {
                let (color, letter) = (piece.color(), variant.roles().info(piece.role()).letter);
                faults.push(SetupFault::Unpromoted { color, letter, at: variant.shape().coord(square) });
            }
        }
        for color in Color::BOTH {
            let there = self.pieces_on_goal(rules, color);
            // The side that has just moved may have arrived, with one piece.
            let arrived = u32::from(color != self.turn);
            if there.len() > arrived {
                for square in there {
                    let letter =
                        self.piece_at(square).map_or('?', |piece| variant.roles().info(piece.role()).letter);
                    faults.push(SetupFault::StaleGoal { color, letter, at: variant.shape().coord(square) });
                }
            }
        }
    }

    fn right_faults(&self, variant: &Variant, rules: &Rules<N>, faults: &mut Vec<SetupFault>) {
        let stands = |castling: &Castling<N>| {
            self.piece_at(castling.king_from) == Some(Piece::new(castling.color, rules.royal))
                && self.piece_at(castling.rook_from) == Some(castling.rook)
        };
        for bit in (0..16).filter(|bit| self.rights >> bit & 1 != 0) {
            let right = 1 << bit;
            // A right may serve several squares of the King.
            let mut own = rules.castlings.iter().filter(|castling| castling.right == Some(right));
            if let Some(castling) = own.clone().next().filter(|_| !own.any(stands)) {
                faults.push(SetupFault::Right {
                    right: variant.rights()[bit],
                    king: variant.shape().coord(castling.king_from),
                    rook: variant.shape().coord(castling.rook_from),
                });
            }
        }
    }

    fn read_moved(&mut self, shape: &Shape, rules: &Rules<N>, setup: &Setup, faults: &mut Vec<SetupFault>) {
        for &at in &setup.moved {
            let stands = shape.at(at).filter(|&square| {
                self.piece_at(square).is_some_and(|piece| rules.info(piece).initial.contains(square))
            });
            match stands {
                Some(square) => self.moved.insert(square),
                None => faults.push(SetupFault::Moved(at)),
            }
        }
    }

    /// The target must be the square that a double step of the side not to move has just crossed. It stays if a capture
    /// there is legal.
    fn read_en_passant(
        &mut self,
        shape: &Shape,
        rules: &Rules<N>,
        setup: &Setup,
        faults: &mut Vec<SetupFault>,
    ) {
        let Some(at) = setup.en_passant else { return };
        let color = setup.turn.opponent();
        let crossed = shape.at(at);
        let mut steppers =
            crossed.map_or_else(Default::default, |crossed| self.double_steppers(rules, color, crossed));
        if let Some(pawn) = setup.en_passant_pawn {
            steppers.retain(|stepper| shape.coord(*stepper) == pawn);
        }
        match (crossed, &steppers[..]) {
            (Some(crossed), &[pawn]) if faults.is_empty() => self.set_en_passant(rules, color, crossed, pawn),
            (_, [_]) => {}
            (_, []) => faults.push(SetupFault::EnPassant { color, at }),
            (_, [first, second, ..]) => {
                let pieces = [first, second].map(|square| shape.coord(*square));
                faults.push(SetupFault::EnPassantOfTwo { at, pieces });
            }
        }
    }

    /// The hash computed from scratch; the incremental hash must always equal it.
    #[must_use]
    pub fn key_from_scratch(&self, rules: &Rules<N>) -> u64 {
        let keys = &rules.keys;
        let pieces = self
            .occupied()
            .into_iter()
            .filter_map(|square| self.piece_at(square).map(|piece| rules.info(piece).keys[square]));
        let rights = (0..16).filter(|bit| self.rights >> bit & 1 != 0).map(|bit| keys.rights[bit]);
        let moved = self.moved.into_iter().map(|square| keys.moved[square]);
        let turn = (self.turn == Color::Black).then_some(keys.black_to_move);
        let en_passant = [self.en_passant_key(rules)];
        pieces.chain(rights).chain(moved).chain(turn).chain(en_passant).fold(0, |all, key| all ^ key)
    }

    /// Recomputes everything that is updated move by move and compares.
    ///
    /// # Panics
    /// When something differs: a mistake in this crate. For tests and fuzzing.
    pub fn assert_consistent(&self, rules: &Rules<N>) {
        let mut fresh =
            Self { colors: ByColor::filled(SquareSet::EMPTY), sliders: [SquareSet::EMPTY; 2], ..*self };
        fresh.board = BySquare::filled(None);
        fresh.key = 0;
        for number in 0..rules.squares as u16 {
            let square = Square::new(number as u8);
            if let Some(piece) = self.piece_at(square) {
                fresh.put(rules, piece, square);
                if piece.role() == rules.royal {
                    assert_eq!(self.king(piece.color()), square, "the king's square");
                }
            }
        }
        fresh.key = self.key;
        assert!(fresh == *self, "board sets differ from the board");
        assert_eq!(self.key, self.key_from_scratch(rules), "hash");
        let captures = !self.en_passant_captures(rules).is_empty();
        assert_eq!(self.en_passant.is_some(), captures, "en passant square");
        assert_eq!(self.is_check(rules), !self.checkers(rules).is_empty(), "checkers");
    }

    /// The setup of this position.
    pub(crate) fn setup(&self, shape: &Shape) -> Setup {
        let mut cells = Vec::new();
        for rank in 0..shape.height() {
            for file in 0..shape.width() {
                cells.push(match shape.at(crate::geometry::Coord { file, rank }) {
                    None => Cell::Hole,
                    Some(square) => self.piece_at(square).map_or(Cell::Empty, Cell::Piece),
                });
            }
        }
        let mut moved: Vec<_> = self.moved.into_iter().map(|square| shape.coord(square)).collect();
        moved.sort_unstable();
        Setup {
            cells,
            width: shape.width(),
            turn: self.turn,
            rights: self.rights,
            en_passant: self.en_passant.map(|square| shape.coord(square)),
            en_passant_pawn: self.en_passant_ambiguous.then(|| shape.coord(self.en_passant_pawn)),
            moved,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }
}

fn box_faults(shape: &Shape, setup: &Setup) -> Vec<SetupFault> {
    let width = usize::from(setup.width);
    let height = setup.cells.len().checked_div(width).unwrap_or(0);
    if (width, height) != (usize::from(shape.width()), usize::from(shape.height()))
        || width * height != setup.cells.len()
    {
        return vec![SetupFault::WrongBox {
            expected_width: shape.width(),
            expected_height: shape.height(),
            found_width: width,
            found_height: height,
        }];
    }
    let mut faults = Vec::new();
    for (rank, cells) in setup.cells.chunks(width).enumerate() {
        for (file, cell) in cells.iter().enumerate() {
            let at = Coord { file: file as u8, rank: rank as u8 };
            match (shape.at(at), cell) {
                (Some(_), Cell::Hole) => faults.push(SetupFault::HoleOnSquare(at)),
                (None, Cell::Empty | Cell::Piece(_)) => faults.push(SetupFault::SquareOnHole(at)),
                _ => {}
            }
        }
    }
    faults
}
