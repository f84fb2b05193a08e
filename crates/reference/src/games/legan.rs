//! Legan chess (L. Legan, 1913): the camps in the corners h1 (White) and a8, pawns along the other long
//! diagonal.

use crate::board::{Board, Color, Piece, Shape, Square, is_one_of};
use crate::movement::{Move, orthodox};
use crate::pawn::{captures, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

static BOARD: Shape = Shape::rectangle(8, 8);

/// Legan chess.
#[derive(Debug)]
pub(crate) struct Legan;

impl Rules for Legan {
    fn id(&self) -> &'static str {
        "legan"
    }

    fn shape(&self) -> &'static Shape {
        &BOARD
    }

    fn letters(&self) -> &'static str {
        "KQRBNP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1".into()]
    }

    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        orthodox(board, from, piece)
    }

    /// White's pawns go one step up and left without capture, and capture one step up or one step left;
    /// Black's the other way about. No double step, no en passant.
    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let forward = [piece.color.turn((-1, 1))];
        let sides = [piece.color.turn((-1, 0)), piece.color.turn((0, 1))];
        [quiet(walker, piece, from, &forward), captures(walker, piece, from, &sides)].concat()
    }

    /// The squares on which the enemy's king, bishops, knights and rooks begin.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        let squares = match piece.color {
            Color::White => "a5 a6 a7 a8 b8 c8 d8",
            Color::Black => "e1 f1 g1 h1 h2 h3 h4",
        };
        if piece.letter == 'P' && is_one_of(to, squares) { "QRBN" } else { "" }
    }
}
