//! `Setup`: a position as written down, not yet validated, and FEN, its text. A
//! [`Position`](crate::position::Position) is the validated one; the conversion returns every fault at once.

pub mod fen;
pub mod multi;

use crate::geometry::Coord;
use crate::piece::{Color, Piece};

/// The content of a cell of the bounding box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell<P = Piece> {
    /// No square: `*` in FEN.
    Hole,
    /// A square without a piece.
    Empty,
    /// A piece.
    Piece(P),
}

/// Greatest number of a move: games do not get there, texts do. It stays when it is reached, so that everything written
/// can be read.
pub const MAX_FULLMOVE: u32 = 1_000_000;

/// A position as written: any pieces anywhere, also where there is no square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The cells of the box, rank 1 first, file a first: `width * height` of them.
    pub cells: Vec<Cell>,
    /// Files of the box.
    pub width: u8,
    /// The side to move.
    pub turn: Color,
    /// Castling rights: a bit for each right of the game, in the order of its castlings.
    pub rights: u16,
    /// The square that the last move's double step crossed.
    pub en_passant: Option<Coord>,
    /// Where the piece stands that crossed it, if to judge by the board it may be one of two.
    pub en_passant_pawn: Option<Coord>,
    /// Starting squares whose pieces have moved there from elsewhere (FEN's seventh field).
    pub moved: Vec<Coord>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Number of the move, from 1 to [`MAX_FULLMOVE`], counted up after Black's.
    pub fullmove_number: u32,
}

impl Setup {
    /// The cell at these coordinates of the box; `None` outside.
    ///
    /// ```
    /// use lozenge_rules::{geometry::Coord, library, position::{AnyPosition, Cell}};
    /// let setup = AnyPosition::start(&library::game("diamond").unwrap()).setup();
    /// assert_eq!(setup.at(Coord { file: 0, rank: 0 }), Some(Cell::Hole));
    /// assert_eq!(setup.at(Coord { file: 9, rank: 0 }), None, "outside the box of nine files");
    /// ```
    #[must_use]
    pub fn at(&self, coord: Coord) -> Option<Cell> {
        self.cells.get(self.index(coord)?).copied()
    }

    /// Replaces the cell at these coordinates of the box; outside of it nothing changes.
    pub fn set(&mut self, coord: Coord, cell: Cell) {
        let index = self.index(coord);
        if let Some(old) = index.and_then(|index| self.cells.get_mut(index)) {
            *old = cell;
        }
    }

    /// Where a cell of this file is in the list.
    fn index(&self, coord: Coord) -> Option<usize> {
        let index = usize::from(coord.rank) * usize::from(self.width) + usize::from(coord.file);
        (coord.file < self.width).then_some(index)
    }

    /// Every piece and its cell.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let position = AnyPosition::start(&library::game("chess").unwrap());
    /// assert_eq!(position.setup().pieces().count(), 32);
    /// ```
    pub fn pieces(&self) -> impl Iterator<Item = (Coord, Piece)> + '_ {
        self.cells.iter().enumerate().filter_map(|(index, cell)| match cell {
            Cell::Piece(piece) => {
                let (file, rank) = (index % usize::from(self.width), index / usize::from(self.width));
                Some((Coord { file: file as u8, rank: rank as u8 }, *piece))
            }
            _ => None,
        })
    }
}

/// One reason why a setup is not a position of its game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupFault {
    /// The box has another size.
    #[error(
        "expected a board of {expected_width}x{expected_height} cells, found {found_width}x{found_height}"
    )]
    WrongBox {
        /// Files of the game's box.
        expected_width: u8,
        /// Ranks of the game's box.
        expected_height: u8,
        /// Files of the setup's box.
        found_width: usize,
        /// Ranks of the setup's box.
        found_height: usize,
    },
    /// A square is drawn as a hole.
    #[error("expected a square at {0}, found a hole `*`")]
    HoleOnSquare(Coord),
    /// A hole is drawn as a square, perhaps with a piece.
    #[error("expected a hole `*` at {0}, found a square")]
    SquareOnHole(Coord),
    /// Not exactly one King.
    #[error("expected exactly one king of {color}, found {found}")]
    Kings {
        /// The side.
        color: Color,
        /// How many.
        found: usize,
    },
    /// The side that has just moved left its King attacked.
    #[error("expected {0}, who has just moved, not to be in check, found it in check")]
    OpponentInCheck(Color),
    /// A piece stands where it would have been promoted.
    #[error("expected no {letter} of {color} on {at}, where it is promoted, found one")]
    Unpromoted {
        /// The color of the piece.
        color: Color,
        /// Its letter.
        letter: char,
        /// Where.
        at: Coord,
    },
    /// A piece stands on its goal although the game has gone on after that.
    #[error("expected no {letter} of {color} on its goal {at} other than by the last move, found one")]
    StaleGoal {
        /// The color of the piece.
        color: Color,
        /// Its letter.
        letter: char,
        /// Where.
        at: Coord,
    },
    /// A castling right without the pieces for it.
    #[error(
        "expected king and rook unmoved on {king} and {rook} for the castling right `{right}`, found otherwise"
    )]
    Right {
        /// The right's letter.
        right: char,
        /// Where the King should be.
        king: Coord,
        /// Where the rook should be.
        rook: Coord,
    },
    /// An en passant target that no double step has crossed.
    #[error(
        "expected {color} to have just crossed the en passant target {at} with a double step, found that it cannot have"
    )]
    EnPassant {
        /// The side that has just moved.
        color: Color,
        /// The target.
        at: Coord,
    },
    /// An en passant target that one of two pieces may have crossed.
    #[error(
        "expected behind the en passant target {at} the square of the piece that has crossed it, `{at}{}` or `{at}{}`, found none", pieces[0], pieces[1]
    )]
    EnPassantOfTwo {
        /// The target.
        at: Coord,
        /// Where the two stand.
        pieces: [Coord; 2],
    },
    /// A square in FEN's seventh field that is not a starting square with such a piece.
    #[error(
        "expected a piece with an initial move on one of its own starting squares at {0} (seventh field), found none"
    )]
    Moved(Coord),
}

/// Every reason why a setup is not a position; never empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// The reasons.
    pub faults: Vec<SetupFault>,
}

impl core::fmt::Display for SetupError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (number, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if number > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl core::error::Error for SetupError {}
