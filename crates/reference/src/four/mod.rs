//! Games of four players, and one of three: two on the flat board of Diamond Ring, written from their law alone, and two with
//! orthodox armies. Nothing here is shared with the games of two players but the names of squares.
//!
//! Here: seats, pieces and the board. The rest is in the files below.
//!
//! ```
//! use lozenge_reference::four::{FourRules, FourWalker};
//!
//! let start = FourWalker::from_fen(FourRules::Free, &FourRules::Free.start_fen())?;
//! assert_eq!(start.legal_moves().len(), 26);
//! let after = start.play("e2c3").ok_or("e2c3 is legal")?;
//! assert!(after.fen().ends_with(" b - - 1 1 rbyg"));
//! # Ok::<(), lozenge_reference::four::FenFaults>(())
//! ```

mod armies;
mod fen;
mod game;
mod pawn;
mod rules;
mod walker;

pub use fen::FenFaults;
pub use game::{End, FourGame};
pub use rules::FourRules;
pub use walker::FourWalker;

use crate::board::{Shape, Square};

/// Twelve by twelve squares with an edge all round.
static FLAT: Shape = Shape::rectangle(12, 12);

/// A player, by the edge where the army stands. Turns go in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seat {
    /// South.
    Red,
    /// West.
    Blue,
    /// North.
    Yellow,
    /// East.
    Green,
}

impl Seat {
    const ALL: [Seat; 4] = [Seat::Red, Seat::Blue, Seat::Yellow, Seat::Green];

    fn letter(self) -> char {
        match self {
            Seat::Red => 'r',
            Seat::Blue => 'b',
            Seat::Yellow => 'y',
            Seat::Green => 'g',
        }
    }

    fn of_letter(letter: char) -> Option<Seat> {
        Seat::ALL.into_iter().find(|seat| seat.letter() == letter)
    }

    fn name(self) -> &'static str {
        match self {
            Seat::Red => "Red",
            Seat::Blue => "Blue",
            Seat::Yellow => "Yellow",
            Seat::Green => "Green",
        }
    }

    /// The seat whose turn is next, whether or not its player is still living.
    fn next(self) -> Seat {
        match self {
            Seat::Red => Seat::Blue,
            Seat::Blue => Seat::Yellow,
            Seat::Yellow => Seat::Green,
            Seat::Green => Seat::Red,
        }
    }

    /// The seat across the board.
    fn opposite(self) -> Seat {
        self.next().next()
    }

    /// The seat whose turn was before.
    fn before(self) -> Seat {
        self.opposite().next()
    }
}

/// A piece on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    /// Its player. Without one it is dead: its player has gone out.
    owner: Option<Seat>,
    /// The capital letter of its kind.
    letter: char,
}

/// Which piece stands where.
#[derive(Clone, Debug)]
struct Board {
    shape: &'static Shape,
    pieces: Vec<Option<Piece>>,
}

impl Board {
    fn empty(shape: &'static Shape) -> Board {
        Board { shape, pieces: vec![None; (shape.files * shape.ranks) as usize] }
    }

    fn index(&self, square: Square) -> usize {
        (square.rank * self.shape.files + square.file) as usize
    }

    fn get(&self, square: Square) -> Option<Piece> {
        self.pieces[self.index(square)]
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        let index = self.index(square);
        self.pieces[index] = piece;
    }

    /// Every piece with its square.
    fn pieces(&self) -> Vec<(Square, Piece)> {
        let mut pieces = Vec::new();
        for rank in 0..self.shape.ranks {
            for file in 0..self.shape.files {
                let square = Square { file, rank };
                if let Some(piece) = self.get(square) {
                    pieces.push((square, piece));
                }
            }
        }
        pieces
    }

    /// The squares of the kings of a player.
    fn kings(&self, seat: Seat) -> Vec<Square> {
        let king = Piece { owner: Some(seat), letter: 'K' };
        self.pieces().into_iter().filter(|(_, piece)| *piece == king).map(|(square, _)| square).collect()
    }
}
