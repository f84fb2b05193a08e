//! Capablanca chess: ten files, an archbishop and a chancellor besides the usual pieces, and a king that castles
//! three squares from the f-file.

use crate::board::{Board, Color, Piece, Shape, Square, sq};
use crate::castling::Castling;
use crate::games::orthodox::{last_rank, orthodox_pawn_moves};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, leaps, oblique, orthodox, slides};
use crate::variant::Rules;
use crate::walker::Walker;

static BOARD: Shape = Shape::rectangle(10, 8);

static CASTLINGS: [Castling; 4] = [
    Castling { right: 'K', color: Color::White, king: (sq("f1"), sq("i1")), rook: (sq("j1"), sq("h1")) },
    Castling { right: 'Q', color: Color::White, king: (sq("f1"), sq("c1")), rook: (sq("a1"), sq("d1")) },
    Castling { right: 'k', color: Color::Black, king: (sq("f8"), sq("i8")), rook: (sq("j8"), sq("h8")) },
    Castling { right: 'q', color: Color::Black, king: (sq("f8"), sq("c8")), rook: (sq("a8"), sq("d8")) },
];

/// Capablanca chess.
#[derive(Debug)]
pub(crate) struct Capablanca;

impl Rules for Capablanca {
    fn id(&self) -> &'static str {
        "capablanca"
    }

    fn shape(&self) -> &'static Shape {
        &BOARD
    }

    fn letters(&self) -> &'static str {
        "KQRBNACP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1".into()]
    }

    /// The archbishop is bishop and knight, the chancellor rook and knight.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        let knight = || leaps(board, from, piece, &oblique(2, 1));
        match piece.letter {
            'A' => [slides(board, from, piece, &DIAGONAL), knight()].concat(),
            'C' => [slides(board, from, piece, &ORTHOGONAL), knight()].concat(),
            _ => orthodox(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        orthodox_pawn_moves(walker, from, piece, true)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && to.rank == last_rank(&BOARD, piece.color) { "QRBNAC" } else { "" }
    }

    fn castlings(&self) -> &'static [Castling] {
        &CASTLINGS
    }

    fn has_en_passant(&self) -> bool {
        true
    }
}
