//! Cannon Lake, a game of this project: cannons and grasshoppers on the board of Diamond Chess.

use crate::board::{Board, Color, Piece, Shape, Square, is_one_of};
use crate::games::diamond::Diamond;
use crate::games::ring_wildeurasian::hopping;
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, line, may_end_on, orthodox};
use crate::variant::Rules;
use crate::walker::Walker;

/// Cannon Lake.
#[derive(Debug)]
pub(crate) struct CannonLake;

impl Rules for CannonLake {
    fn id(&self) -> &'static str {
        "cannonlake"
    }

    fn shape(&self) -> &'static Shape {
        Diamond.shape()
    }

    fn letters(&self) -> &'static str {
        "KRNCHP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["****k****/***hcn***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***HCN***/****K**** w - - 0 1".into()]
    }

    /// King, rook and knight are FIDE's. The cannon goes as a rook and takes over exactly one piece. The
    /// grasshopper goes along any line to the first piece on it and ends on the square right behind that piece.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match piece.letter {
            'C' => ORTHOGONAL.iter().flat_map(|d| hopping(board, piece, &line(board, from, *d))).collect(),
            'H' => {
                let mut found = Vec::new();
                for direction in [ORTHOGONAL, DIAGONAL].concat() {
                    let squares = line(board, from, direction);
                    let hurdle = squares.iter().position(|square| !board.is_empty(*square));
                    let behind = hurdle.and_then(|at| squares.get(at + 1).copied());
                    found.extend(behind.filter(|to| may_end_on(board, piece, *to)));
                }
                found
            }
            _ => orthodox(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        Diamond.pawn_moves(walker, from, piece)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        let squares = match piece.color {
            Color::White => "d8 e8 f8 e7",
            Color::Black => "d2 e2 f2 e3",
        };
        if piece.letter == 'P' && is_one_of(to, squares) { "RNCH" } else { "" }
    }
}
