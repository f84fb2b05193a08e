//! Diamondback Chess (Mike Schneider, 1997): corners a1 and h8, and pawns whose abilities depend on where
//! they stand. Castling has few conditions, and there are two ways to win by arriving in the enemy's
//! corner.

use crate::board::{Board, Color, Piece, Shape, Square, is_one_of, sq};
use crate::movement::{Move, MoveKind, orthodox};
use crate::pawn::{captures, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

static BOARD: Shape = Shape::rectangle(8, 8);

/// Diamondback Chess.
#[derive(Debug)]
pub(crate) struct Diamondback;

impl Rules for Diamondback {
    fn id(&self) -> &'static str {
        "diamondback"
    }

    fn shape(&self) -> &'static Shape {
        &BOARD
    }

    fn letters(&self) -> &'static str {
        "KQRBNP"
    }

    /// Each side may have its queen and its light-squared bishop swapped: none, White, Black, both.
    fn start_fens(&self) -> Vec<String> {
        let (black, black_swapped) = ("3prnqk/4ppbb", "3prnbk/4ppbq");
        let (white, white_swapped) = ("BBPP4/KQNRP3", "QBPP4/KBNRP3");
        let middle = "5ppn/P3p1pr/RP1P3p/NPP5";
        [(black, white), (black, white_swapped), (black_swapped, white), (black_swapped, white_swapped)]
            .iter()
            .map(|(top, bottom)| format!("{top}/{middle}/{bottom} w - - 0 1"))
            .collect()
    }

    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        orthodox(board, from, piece)
    }

    /// The abilities of the square the pawn stands on, added up. No double step, no en passant.
    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let here = as_white_sees_it(piece.color, from);
        let turn = |step| piece.color.turn(step);
        // Every pawn: one step along the file or rank with or without capture, one step along the long
        // diagonal without.
        let mut quiet_steps = vec![turn((1, 0)), turn((0, 1)), turn((1, 1))];
        let mut capture_steps = vec![turn((1, 0)), turn((0, 1))];
        if is_guard(here) {
            // One step either way along its horizontal diagonal, with or without capture.
            quiet_steps.extend([turn((1, -1)), turn((-1, 1))]);
            capture_steps.extend([turn((1, -1)), turn((-1, 1))]);
        }
        if is_wing(here) {
            // Also captures one step along the long diagonal.
            capture_steps.push(turn((1, 1)));
        }
        // Also captures edgeward along its horizontal diagonal, from the second file and from the second rank.
        if is_flank_file(here) {
            capture_steps.push(turn((-1, 1)));
        }
        if is_flank_rank(here) {
            capture_steps.push(turn((1, -1)));
        }
        [quiet(walker, piece, from, &quiet_steps), captures(walker, piece, from, &capture_steps)].concat()
    }

    /// The three squares on either side of the enemy king's corner; no promotion on the other squares of the
    /// far edges.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        let here = as_white_sees_it(piece.color, to);
        if piece.letter == 'P' && is_one_of(here, "e8 f8 g8 h7 h6 h5") { "QRBN" } else { "" }
    }

    fn castling_moves(&self, walker: &Walker) -> Vec<Move> {
        let mut moves = Vec::new();
        for rook_home in [sq("d1"), sq("a4")] {
            moves.extend(castlings_with(walker, rook_home));
        }
        moves
    }

    /// A pawn or the king that arrives on the corner where the enemy's king began wins at once.
    fn is_goal(&self, piece: Piece, square: Square) -> bool {
        (piece.letter == 'P' || piece.letter == 'K') && as_white_sees_it(piece.color, square) == sq("h8")
    }

    /// A bare king may still walk to its goal.
    fn bare_kings_are_dead(&self) -> bool {
        false
    }
}

/// Black's squares are White's turned by 180 degrees.
fn as_white_sees_it(color: Color, square: Square) -> Square {
    match color {
        Color::White => square,
        Color::Black => BOARD.turned(square),
    }
}

/// The fourth horizontal diagonal, counted from the own corner.
fn is_guard(here: Square) -> bool {
    is_one_of(here, "a4 b3 c2 d1")
}

/// The own left or right edge.
fn is_wing(here: Square) -> bool {
    here.file == 0 || here.rank == 0
}

/// The file next to the own left edge.
fn is_flank_file(here: Square) -> bool {
    here.file == 1
}

/// The rank next to the own right edge.
fn is_flank_rank(here: Square) -> bool {
    here.rank == 1
}

/// Short and long castling with the rook of one home square, given as White sees it. King and rook must stand
/// at home with the two squares between them empty. They may have moved before, and the king may leave and
/// cross attacked squares. Short: the king goes two squares toward the rook, which lands on the
/// square the king crossed. Long: the two swap squares.
fn castlings_with(walker: &Walker, rook_home: Square) -> Vec<Move> {
    let color = walker.to_move;
    let board = &walker.board;
    let toward = ((rook_home.file).signum(), (rook_home.rank).signum());
    let place =
        |steps: i32| as_white_sees_it(color, Square { file: toward.0 * steps, rank: toward.1 * steps });
    let (king, crossed, two_away, rook) = (place(0), place(1), place(2), place(3));
    let at_home = board.has_piece(king, color, 'K') && board.has_piece(rook, color, 'R');
    if !at_home || !board.is_empty(crossed) || !board.is_empty(two_away) {
        return Vec::new();
    }
    let short = MoveKind::Castle { rook_from: rook, rook_to: crossed };
    let long = MoveKind::Castle { rook_from: rook, rook_to: king };
    vec![Move { kind: short, ..Move::go(king, two_away) }, Move { kind: long, ..Move::go(king, rook) }]
}
