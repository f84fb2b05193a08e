//! Orthodox chess and its near relations: the same pieces and pawns on the usual board, on a cylinder, on six by
//! six and on five by five squares.

use crate::board::{Board, Color, Piece, Shape, Square, sq};
use crate::castling::Castling;
use crate::movement::{Move, orthodox};
use crate::pawn::{captures, double_step, en_passant, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

/// The differences between these games.
#[derive(Debug)]
pub(crate) struct Orthodox {
    id: &'static str,
    shape: &'static Shape,
    letters: &'static str,
    start: &'static str,
    promotes_to: &'static str,
    has_double_step: bool,
    castlings: &'static [Castling],
}

/// Chess as in the FIDE Laws.
pub(crate) static CHESS: Orthodox = Orthodox {
    id: "chess",
    shape: &Shape::rectangle(8, 8),
    letters: "KQRBNP",
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    promotes_to: "QRBN",
    has_double_step: true,
    castlings: &[
        Castling { right: 'K', color: Color::White, king: (sq("e1"), sq("g1")), rook: (sq("h1"), sq("f1")) },
        Castling { right: 'Q', color: Color::White, king: (sq("e1"), sq("c1")), rook: (sq("a1"), sq("d1")) },
        Castling { right: 'k', color: Color::Black, king: (sq("e8"), sq("g8")), rook: (sq("h8"), sq("f8")) },
        Castling { right: 'q', color: Color::Black, king: (sq("e8"), sq("c8")), rook: (sq("a8"), sq("d8")) },
    ],
};

/// Chess on a cylinder: file h lies next to file a, and there is no castling.
pub(crate) static CYLINDER: Orthodox = Orthodox {
    id: "cylinder",
    shape: &Shape { files: 8, ranks: 8, files_wrap: true, ranks_wrap: false, is_hole: |_| false },
    letters: "KQRBNP",
    start: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    promotes_to: "QRBN",
    has_double_step: true,
    castlings: &[],
};

/// Los Alamos chess: six by six, no bishops, no double step, no castling.
pub(crate) static LOS_ALAMOS: Orthodox = Orthodox {
    id: "losalamos",
    shape: &Shape::rectangle(6, 6),
    letters: "KQRNP",
    start: "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
    promotes_to: "QRN",
    has_double_step: false,
    castlings: &[],
};

/// Gardner's minichess: five by five, no double step, no castling.
pub(crate) static GARDNER: Orthodox = Orthodox {
    id: "gardner",
    shape: &Shape::rectangle(5, 5),
    letters: "KQRBNP",
    start: "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1",
    promotes_to: "QRBN",
    has_double_step: false,
    castlings: &[],
};

impl Rules for Orthodox {
    fn id(&self) -> &'static str {
        self.id
    }

    fn shape(&self) -> &'static Shape {
        self.shape
    }

    fn letters(&self) -> &'static str {
        self.letters
    }

    fn start_fens(&self) -> Vec<String> {
        vec![self.start.into()]
    }

    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        orthodox(board, from, piece)
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        orthodox_pawn_moves(walker, from, piece, self.has_double_step)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && to.rank == last_rank(self.shape, piece.color) {
            self.promotes_to
        } else {
            ""
        }
    }

    fn castlings(&self) -> &'static [Castling] {
        self.castlings
    }

    fn has_en_passant(&self) -> bool {
        self.has_double_step
    }
}

/// The rank farthest from a color.
pub(crate) fn last_rank(shape: &Shape, color: Color) -> i32 {
    match color {
        Color::White => shape.ranks - 1,
        Color::Black => 0,
    }
}

/// The rank on which the pawns of a color begin.
fn pawn_rank(shape: &Shape, color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => shape.ranks - 2,
    }
}

/// One step ahead without capture, a capture one step diagonally ahead; where the game has it, a double step
/// from the second rank and en passant.
pub(crate) fn orthodox_pawn_moves(
    walker: &Walker,
    from: Square,
    piece: Piece,
    has_double_step: bool,
) -> Vec<Move> {
    let ahead = piece.color.turn((0, 1));
    let capture_steps = [piece.color.turn((-1, 1)), piece.color.turn((1, 1))];
    let mut moves = quiet(walker, piece, from, &[ahead]);
    moves.extend(captures(walker, piece, from, &capture_steps));
    if has_double_step && from.rank == pawn_rank(walker.board.shape(), piece.color) {
        moves.extend(double_step(walker, from, ahead));
    }
    if has_double_step {
        let enemy_ahead = piece.color.enemy().turn((0, 1));
        moves.extend(en_passant(walker, piece, from, &capture_steps, enemy_ahead));
    }
    moves
}
