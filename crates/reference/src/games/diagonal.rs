//! Diagonal Chess (David Howe, 1997): White in the corner a1, Black in h8, pawns along the long diagonal.

use crate::board::{Board, Color, Piece, Shape, Square, is_one_of, sq};
use crate::movement::{Move, leaps, oblique, orthodox};
use crate::pawn::{captures, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

static BOARD: Shape = Shape::rectangle(8, 8);

/// Diagonal Chess.
#[derive(Debug)]
pub(crate) struct Diagonal;

impl Rules for Diagonal {
    fn id(&self) -> &'static str {
        "diagonal"
    }

    fn shape(&self) -> &'static Shape {
        &BOARD
    }

    fn letters(&self) -> &'static str {
        "KQRBNP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["3prnnk/4ppqb/5ppb/P5pr/RP5p/BPP5/BQPP4/KNNRP3 w - - 0 1".into()]
    }

    /// King, queen, rook and bishop are FIDE's. The piece called knight leaps (3,1), as a camel does.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match piece.letter {
            'N' => leaps(board, from, piece, &oblique(3, 1)),
            _ => orthodox(board, from, piece),
        }
    }

    /// One step along the long diagonal without capture; a capture one step along the file or the rank. No
    /// double step, no en passant.
    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let forward = [piece.color.turn((1, 1))];
        let sides = [piece.color.turn((1, 0)), piece.color.turn((0, 1))];
        [quiet(walker, piece, from, &forward), captures(walker, piece, from, &sides)].concat()
    }

    /// The promotion choices depend on the square a pawn arrives on; promotion is obligatory there. On the goal
    /// it stays a pawn, having won.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter != 'P' {
            return "";
        }
        match as_white_sees_it(piece.color, to) {
            square if is_one_of(square, "a8 g8 h7 h1") => "QRBN",
            square if is_one_of(square, "b8 f8 h6 h2") => "RBN",
            square if is_one_of(square, "c8 e8 h5 h3") => "BN",
            square if is_one_of(square, "d8 h4") => "N",
            _ => "",
        }
    }

    /// A pawn that arrives on the corner where the enemy's king began wins at once.
    fn is_goal(&self, piece: Piece, square: Square) -> bool {
        piece.letter == 'P' && as_white_sees_it(piece.color, square) == sq("h8")
    }
}

/// Black's squares are White's turned by 180 degrees.
fn as_white_sees_it(color: Color, square: Square) -> Square {
    match color {
        Color::White => square,
        Color::Black => BOARD.turned(square),
    }
}
