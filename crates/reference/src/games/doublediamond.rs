//! Double Diamond (Jim Aikin, 2001): a 9x9 board without four squares at each of two corners. Pawns move
//! along the diagonal, with a double step and en passant; castling goes along both edges.

use crate::board::{Board, Color, Piece, Shape, Square, is_one_of, sq};
use crate::castling::Castling;
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, leaps, oblique, orthodox, slides};
use crate::pawn::{captures, double_step, en_passant, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

static BOARD: Shape =
    Shape { files: 9, ranks: 9, files_wrap: false, ranks_wrap: false, is_hole: is_missing_corner };

/// Four squares are missing at the top left (a8 b8 a9 b9), four at the bottom right (h1 i1 h2 i2).
fn is_missing_corner(square: Square) -> bool {
    let at_top_left = square.file < 2 && square.rank >= 7;
    let at_bottom_right = square.file >= 7 && square.rank < 2;
    at_top_left || at_bottom_right
}

static CASTLINGS: [Castling; 4] = [
    Castling { right: 'K', color: Color::White, king: (sq("a1"), sq("c1")), rook: (sq("e1"), sq("b1")) },
    Castling { right: 'Q', color: Color::White, king: (sq("a1"), sq("a3")), rook: (sq("a5"), sq("a2")) },
    Castling { right: 'k', color: Color::Black, king: (sq("i9"), sq("g9")), rook: (sq("e9"), sq("h9")) },
    Castling { right: 'q', color: Color::Black, king: (sq("i9"), sq("i7")), rook: (sq("i5"), sq("i8")) },
];

/// Double Diamond.
#[derive(Debug)]
pub(crate) struct DoubleDiamond;

impl Rules for DoubleDiamond {
    fn id(&self) -> &'static str {
        "doublediamond"
    }

    fn shape(&self) -> &'static Shape {
        &BOARD
    }

    fn letters(&self) -> &'static str {
        "KQRBNMP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["**2rnbmk/**1pppppq/7pb/1P5pn/RP5pr/NP5p1/BP7/MPPPPP1**/KQBNR2** w KQkq - 0 1".into()]
    }

    /// King, queen, rook and knight are FIDE's. The marshall is rook and knight. Handled apart: the bishop,
    /// which may also step once along file or rank, but not to capture.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match piece.letter {
            'M' => {
                [slides(board, from, piece, &ORTHOGONAL), leaps(board, from, piece, &oblique(2, 1))].concat()
            }
            'B' => [slides(board, from, piece, &DIAGONAL), bishop_side_steps(board, from, piece)].concat(),
            _ => orthodox(board, from, piece),
        }
    }

    /// One step along the diagonal without capture, a capture one step along file or rank toward the enemy, a
    /// double step as the pawn's initial move, and en passant.
    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let forward = piece.color.turn((1, 1));
        let capture_steps = [piece.color.turn((1, 0)), piece.color.turn((0, 1))];
        let enemy_forward = piece.color.enemy().turn((1, 1));
        let mut moves = quiet(walker, piece, from, &[forward]);
        moves.extend(captures(walker, piece, from, &capture_steps));
        if is_unmoved(walker, from, piece) {
            moves.extend(double_step(walker, from, forward));
        }
        moves.extend(en_passant(walker, piece, from, &capture_steps, enemy_forward));
        moves
    }

    /// The L of squares along the enemy's two edges.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        let squares = match piece.color {
            Color::White => "c9 d9 e9 f9 g9 h9 i9 i3 i4 i5 i6 i7 i8",
            Color::Black => "a1 b1 c1 d1 e1 f1 g1 a2 a3 a4 a5 a6 a7",
        };
        if piece.letter == 'P' && is_one_of(to, squares) { "QMRBN" } else { "" }
    }

    fn castlings(&self) -> &'static [Castling] {
        &CASTLINGS
    }

    fn has_en_passant(&self) -> bool {
        true
    }

    fn is_remembered_pawn_square(&self, color: Color, square: Square) -> bool {
        is_start_of_pawn(color, square)
    }
}

/// At any time a bishop may go one step along file or rank without capture.
fn bishop_side_steps(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    leaps(board, from, piece, &ORTHOGONAL).into_iter().filter(|to| board.is_empty(*to)).collect()
}

/// The nine squares on which a color's pawns begin.
fn is_start_of_pawn(color: Color, square: Square) -> bool {
    match color {
        Color::White => is_one_of(square, "b6 b5 b4 b3 b2 c2 d2 e2 f2"),
        Color::Black => is_one_of(square, "d8 e8 f8 g8 h8 h7 h6 h5 h4"),
    }
}

/// A pawn has its initial move before it if it stands where pawns of its color begin and has not come there
/// by moving.
fn is_unmoved(walker: &Walker, square: Square, piece: Piece) -> bool {
    is_start_of_pawn(piece.color, square) && !walker.moved_pawns.contains(&square)
}
