//! The type of a move, and the ways in which pieces other than pawns move: leaps, slides, hops. The files of
//! the games combine them for each piece.

use crate::board::{Board, Color, Offset, Piece, Square};

/// The four steps along a file or a rank.
pub(crate) const ORTHOGONAL: [Offset; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

/// The four steps along a diagonal.
pub(crate) const DIAGONAL: [Offset; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

/// One thing that a side may do in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Move {
    /// Where the piece that moves comes from.
    pub(crate) from: Square,
    /// Where it goes.
    pub(crate) to: Square,
    /// The capital letter written after the squares: the piece promoted to, or the component that leaves.
    pub(crate) letter: Option<char>,
    /// The kind of the move.
    pub(crate) kind: MoveKind,
}

/// The kind of a move: its effect besides carrying a piece from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MoveKind {
    /// No other effect: the piece moves, captures any piece there, and promotes to the letter, if there is one.
    Go,
    /// A pawn's two squares at once; the square between may be captured on.
    DoubleStep { crossed: Square },
    /// The captured pawn stands elsewhere than on the square that the capturer goes to.
    EnPassant { victim: Square },
    /// A rook moves too.
    Castle { rook_from: Square, rook_to: Square },
    /// The piece joins the friendly piece on the square it goes to.
    Fuse { into: char },
    /// One component goes, the other stays behind.
    Part { stays: char },
}

impl Move {
    /// A plain move.
    pub(crate) fn go(from: Square, to: Square) -> Move {
        Move { from, to, letter: None, kind: MoveKind::Go }
    }

    /// The long algebraic form: from, to, and the letter in lower case.
    pub(crate) fn text(&self) -> String {
        let letter = self.letter.map(|letter| letter.to_ascii_lowercase().to_string()).unwrap_or_default();
        format!("{}{}{letter}", self.from.name(), self.to.name())
    }
}

/// A piece may end on an empty square or on an enemy, never on a friend.
pub(crate) fn may_end_on(board: &Board, piece: Piece, square: Square) -> bool {
    !board.has(square, piece.color)
}

/// Leaps: straight to the square, over any pieces between.
pub(crate) fn leaps(board: &Board, from: Square, piece: Piece, steps: &[Offset]) -> Vec<Square> {
    let mut found = Vec::new();
    for step in steps {
        if let Some(to) = board.shape().step(from, *step)
            && may_end_on(board, piece, to)
        {
            found.push(to);
        }
    }
    found
}

/// The eight leaps of a knight-like piece: `long` one way and `short` at right angles to it.
pub(crate) fn oblique(long: i32, short: i32) -> Vec<Offset> {
    let mut steps = Vec::new();
    for (x, y) in [(long, short), (short, long)] {
        steps.extend([(x, y), (x, -y), (-x, y), (-x, -y)]);
    }
    steps
}

/// A straight line: all the squares from `from` on in one direction, up to the edge or a hole. On a board
/// that wraps around it ends before it would come back to its own beginning.
pub(crate) fn line(board: &Board, from: Square, direction: Offset) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut here = from;
    while let Some(next) = board.shape().step(here, direction) {
        if next == from {
            break;
        }
        squares.push(next);
        here = next;
    }
    squares
}

/// How far a piece gets along a path: over empty squares, and onto the first piece met if it is an enemy.
pub(crate) fn along(board: &Board, piece: Piece, path: &[Square]) -> Vec<Square> {
    let mut found = Vec::new();
    for square in path {
        if may_end_on(board, piece, *square) {
            found.push(*square);
        }
        if !board.is_empty(*square) {
            break;
        }
    }
    found
}

/// Slides: any number of empty squares in a direction, then perhaps onto an enemy.
pub(crate) fn slides(board: &Board, from: Square, piece: Piece, directions: &[Offset]) -> Vec<Square> {
    let mut found = Vec::new();
    for direction in directions {
        found.extend(along(board, piece, &line(board, from, *direction)));
    }
    found
}

/// The piece of this letter stands on no square of its own, but the color is known.
pub(crate) fn piece(color: Color, letter: char) -> Piece {
    Piece { color, letter }
}

/// The moves of the six orthodox kinds of piece but the pawn: king, queen, rook, bishop, knight as in the FIDE
/// Laws of Chess. Other letters have none.
pub(crate) fn orthodox(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    match piece.letter {
        'K' => king_steps(board, from, piece),
        'Q' => [slides(board, from, piece, &ORTHOGONAL), slides(board, from, piece, &DIAGONAL)].concat(),
        'R' => slides(board, from, piece, &ORTHOGONAL),
        'B' => slides(board, from, piece, &DIAGONAL),
        'N' => leaps(board, from, piece, &oblique(2, 1)),
        _ => Vec::new(),
    }
}

/// One step in any of the eight directions.
pub(crate) fn king_steps(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    [leaps(board, from, piece, &ORTHOGONAL), leaps(board, from, piece, &DIAGONAL)].concat()
}
