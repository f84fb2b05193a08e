//! Positions: validated, and what can be done with them: legal moves, play, status, perft.
//!
//! [`Position<N>`] is the fast one: plain data of a few hundred bytes, copied for each move, that
//! works on the tables of its game ([`Rules<N>`](crate::variant::Rules)). [`AnyPosition`] is the
//! comfortable one: it knows its game and hides the width. [`Game`] adds history: undo, repetition.

mod any;
mod attacks;
mod checks;
mod fusing;
mod game;
mod movegen;
mod moves;
pub(crate) mod multi;
mod outcome;
mod perft;
mod placement;
mod play;
mod played;
mod safety;
mod trail_safety;
mod validate;

pub use crate::piece::{ByColor, Color, MAX_ROLES, Piece, Role, RoleSet};
pub use crate::setup::{Cell, MAX_FULLMOVE, Setup, SetupError, SetupFault};
pub(crate) use any::canonical_fen;
pub use any::{AnyPosition, IllegalMove, PositionError, Width, WidthVisitor};
pub use checks::CheckSquares;
pub use game::Game;
pub use movegen::Sink;
pub use moves::{Move, MoveKind};
pub(crate) use multi::canonical_multi_fen;
pub use multi::{
    AnyMultiPosition, MultiEnd, MultiGame, MultiOutcome, MultiPosition, MultiPositionError, MultiResult,
    MultiStatus, MultiTurn, MultiWidthVisitor,
};
pub use outcome::{DrawReason, Outcome, Status, WinReason};
pub use placement::PlacedPiece;
pub use play::Observer;
pub use played::{GamePosition, GamePositionError, IllegalTurn, Played};

use crate::geometry::{BySquare, Square, SquareSet};
use crate::variant::Rules;

/// A legal position of a game on at most `64 * N` squares.
///
/// Plain data: every method takes the [`Rules`] of the position's own game. Passing those of
/// another game gives meaningless answers or panics, which is why [`AnyPosition`] exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position<const N: usize> {
    pub(crate) colors: ByColor<SquareSet<N>>,
    /// Pieces that slide along files and ranks, of both colors; and along diagonals.
    pub(crate) sliders: [SquareSet<N>; 2],
    pub(crate) board: BySquare<Option<Piece>, N>,
    pub(crate) kings: ByColor<Square>,
    /// Starting squares of pieces with an initial move on which such a piece stands that has moved.
    pub(crate) moved: SquareSet<N>,
    pub(crate) key: u64,
    pub(crate) fullmove_number: u32,
    pub(crate) halfmove_clock: u16,
    pub(crate) rights: u16,
    pub(crate) en_passant: Option<Square>,
    /// The piece that has crossed it; square 0 without an en passant square.
    pub(crate) en_passant_pawn: Square,
    /// Whether, to judge by the board, another piece may have crossed it instead.
    pub(crate) en_passant_ambiguous: bool,
    pub(crate) turn: Color,
}

impl<const N: usize> Position<N> {
    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square]
    }

    /// The piece that a legal move captures, also en passant.
    #[inline]
    #[must_use]
    pub fn captured(&self, played: Move) -> Option<Piece> {
        match played.kind {
            MoveKind::Plain | MoveKind::Promotion(_) => self.piece_at(played.to),
            MoveKind::EnPassant => self.piece_at(self.en_passant_pawn),
            // A fusion ends on an own piece, and a castling may end where the own Rook stands.
            MoveKind::Castling(_) | MoveKind::Fuse | MoveKind::Split(_) => None,
        }
    }

    /// Whether a legal move captures, also en passant.
    #[inline]
    #[must_use]
    pub fn is_capture(&self, played: Move) -> bool {
        played.kind == MoveKind::EnPassant
            || (!matches!(played.kind, MoveKind::Castling(_) | MoveKind::Fuse | MoveKind::Split(_))
                && self.pieces(self.turn.opponent()).contains(played.to))
    }

    /// The squares of one side's pieces.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color) -> SquareSet<N> {
        self.colors[color]
    }

    /// All squares with a piece.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> SquareSet<N> {
        self.colors[Color::White] | self.colors[Color::Black]
    }

    /// Where a side's King stands.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        self.kings[color]
    }

    /// The hash of the position: equal for positions that count as repetitions of each other.
    #[inline]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// Number of the move, from 1.
    #[inline]
    #[must_use]
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The square that the last move's double step crossed, if a capture there is legal.
    #[inline]
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Castling rights, a bit for each right of the game.
    #[inline]
    #[must_use]
    pub const fn rights(&self) -> u16 {
        self.rights
    }

    #[inline]
    pub(crate) fn own(&self) -> SquareSet<N> {
        self.colors[self.turn]
    }

    #[inline]
    pub(crate) fn enemy(&self) -> SquareSet<N> {
        self.colors[self.turn.opponent()]
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, rules: &Rules<N>, piece: Piece, square: Square) {
        let info = rules.info(piece);
        self.board[square] = Some(piece);
        self.colors[piece.color()].insert(square);
        if info.orthogonal {
            self.sliders[0].insert(square);
        }
        if info.diagonal {
            self.sliders[1].insert(square);
        }
        self.key ^= info.keys[square];
    }

    /// Takes a piece off its square.
    #[inline]
    pub(crate) fn lift(&mut self, rules: &Rules<N>, piece: Piece, square: Square) {
        self.board[square] = None;
        self.colors[piece.color()].remove(square);
        self.sliders[0].remove(square);
        self.sliders[1].remove(square);
        self.key ^= rules.info(piece).keys[square];
    }
}
