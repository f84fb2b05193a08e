//! Diamond Chess, 40 squares (Bruce Mills, 1999): a diamond of ranks with the Lake in its middle.

use crate::board::{Board, Color, Piece, Shape, Square, is_one_of, sq};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, king_steps, orthodox, slides};
use crate::pawn::{captures, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

static BOARD: Shape =
    Shape { files: 9, ranks: 9, files_wrap: false, ranks_wrap: false, is_hole: is_water_or_outside };

/// The squares are those at most four steps along files and ranks from e5, less e5 itself, the Lake.
fn is_water_or_outside(square: Square) -> bool {
    let lake = sq("e5");
    square == lake || (square.file - lake.file).abs() + (square.rank - lake.rank).abs() > 4
}

/// Diamond Chess.
#[derive(Debug)]
pub(crate) struct Diamond;

impl Rules for Diamond {
    fn id(&self) -> &'static str {
        "diamond"
    }

    fn shape(&self) -> &'static Shape {
        &BOARD
    }

    fn letters(&self) -> &'static str {
        "KRNAVP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1".into()]
    }

    /// King, rook and knight are FIDE's; the archbishop is a bishop with the king's steps, the vizier a rook
    /// with the king's steps. The Lake is no square, so it stops a slide as the edge does.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        let steps = || king_steps(board, from, piece);
        match piece.letter {
            'A' => [slides(board, from, piece, &DIAGONAL), steps()].concat(),
            'V' => [slides(board, from, piece, &ORTHOGONAL), steps()].concat(),
            _ => orthodox(board, from, piece),
        }
    }

    /// One step ahead without capture, captures one step diagonally ahead. Where the square straight ahead
    /// does not exist (a piece standing there does not count), one step sideways without capture instead. No
    /// double step, no en passant.
    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let ahead = piece.color.turn((0, 1));
        let capture_steps = [piece.color.turn((-1, 1)), piece.color.turn((1, 1))];
        let quiet_steps = match BOARD.step(from, ahead) {
            Some(_) => vec![ahead],
            None => vec![(-1, 0), (1, 0)],
        };
        [quiet(walker, piece, from, &quiet_steps), captures(walker, piece, from, &capture_steps)].concat()
    }

    /// The squares on which the enemy's pieces other than pawns begin; the king's own cannot be reached without
    /// crossing another.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        let squares = match piece.color {
            Color::White => "d8 e8 f8 e7",
            Color::Black => "d2 e2 f2 e3",
        };
        if piece.letter == 'P' && is_one_of(to, squares) { "RNVA" } else { "" }
    }
}
