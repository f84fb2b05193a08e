//! Capablanca chess: ten files, an archbishop and a chancellor besides the usual men, and a king that castles
//! three squares from the f-file.

use crate::board::{Board, Color, Man, Shape, Square, sq};
use crate::castling::Castling;
use crate::game::Rules;
use crate::games::orthodox::{last_rank, orthodox_pawn_moves};
use crate::legal::Walker;
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, leaps, oblique, orthodox, slides};

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
    fn destinations(&self, board: &Board, from: Square, man: Man) -> Vec<Square> {
        let knight = || leaps(board, from, man, &oblique(2, 1));
        match man.letter {
            'A' => [slides(board, from, man, &DIAGONAL), knight()].concat(),
            'C' => [slides(board, from, man, &ORTHOGONAL), knight()].concat(),
            _ => orthodox(board, from, man),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, man: Man) -> Vec<Move> {
        orthodox_pawn_moves(walker, from, man, true)
    }

    fn promotions(&self, man: Man, to: Square) -> &'static str {
        if man.letter == 'P' && to.rank == last_rank(&BOARD, man.color) { "QRBNAC" } else { "" }
    }

    fn castlings(&self) -> &'static [Castling] {
        &CASTLINGS
    }

    fn has_en_passant(&self) -> bool {
        true
    }
}
