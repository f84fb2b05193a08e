//! Positions from lists of pieces, without the detour over text: for endgame tables, which make millions of them. Legal as
//! `validate` has it; here without castling rights and en passant.

use super::Position;
use crate::geometry::{BySquare, Square, SquareSet};
use crate::piece::{ByColor, Color, Piece};
use crate::variant::Rules;

/// A piece on its square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PlacedPiece {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// Whether it stands on a starting square of its kind and has moved there (FEN's seventh field).
    pub moved: bool,
}

impl<const N: usize> Position<N> {
    /// The position with these pieces, without castling rights and en passant; `None` if it is not legal.
    #[must_use]
    pub fn from_pieces(rules: &Rules<N>, pieces: &[PlacedPiece], turn: Color) -> Option<Self> {
        let mut position = Self {
            colors: ByColor::filled(SquareSet::EMPTY),
            sliders: [SquareSet::EMPTY; 2],
            board: BySquare::filled(None),
            kings: ByColor::filled(Square::new(0)),
            moved: SquareSet::EMPTY,
            key: if turn == Color::Black { rules.keys.black_to_move } else { 0 },
            fullmove_number: 1,
            halfmove_clock: 0,
            rights: 0,
            en_passant: None,
            en_passant_pawn: Square::new(0),
            en_passant_ambiguous: false,
            turn,
        };
        let mut kings = ByColor::filled(0);
        for &PlacedPiece { piece, square, moved } in pieces {
            if position.piece_at(square).is_some() {
                return None;
            }
            if !rules.may_stand(piece, square) {
                return None;
            }
            if piece.role() == rules.royal {
                kings[piece.color()] += 1;
                position.kings[piece.color()] = square;
            }
            position.put(rules, piece, square);
            if moved {
                if !rules.info(piece).initial.contains(square) {
                    return None;
                }
                position.moved.insert(square);
                position.key ^= rules.keys.moved[square];
            }
        }
        let is_legal = kings == ByColor::filled(1)
            && position.pieces_on_goal(rules, turn).is_empty()
            && position.pieces_on_goal(rules, turn.opponent()).len() <= 1
            && !position.is_attacked(rules, position.king(turn.opponent()), turn, position.occupied());
        is_legal.then_some(position)
    }

    /// The pieces, in the order of their squares.
    pub fn placed_pieces(&self) -> impl Iterator<Item = PlacedPiece> + '_ {
        self.occupied().into_iter().filter_map(|square| {
            let piece = self.piece_at(square)?;
            Some(PlacedPiece { piece, square, moved: self.moved.contains(square) })
        })
    }
}
