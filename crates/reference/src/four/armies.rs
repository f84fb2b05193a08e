//! The games with orthodox armies: Four-Player Chess on 160 squares and Three Armies on 108. Their boards, arrays, pawns and
//! castlings, as their rules text has them.
//!
//! Four-Player Chess has castling and double steps as in orthodox chess, each player towards the middle. A pawn that has made a
//! double step can be captured on the square it crossed by every opponent whose pawn captures there, until its own player's
//! next turn. A third player may have moved onto that square meanwhile: a pawn that captures there takes both.

use super::{FourRules, Seat};
use crate::board::{Offset, Shape, Square, sq};

/// Fourteen by fourteen squares without three by three in each corner.
static CROSS: Shape = Shape {
    files: 14,
    ranks: 14,
    files_wrap: false,
    ranks_wrap: false,
    is_hole: |square| is_corner(square, 14, 3),
};

/// Twelve by twelve squares without three by three in each corner.
static CUT: Shape = Shape {
    files: 12,
    ranks: 12,
    files_wrap: false,
    ranks_wrap: false,
    is_hole: |square| is_corner(square, 12, 3),
};

fn is_corner(square: Square, side: i32, cut: i32) -> bool {
    let is_outer = |at: i32| at < cut || at >= side - cut;
    is_outer(square.file) && is_outer(square.rank)
}

const CROSS_START: &str = "***yRyNyByKyQyByNyR***/***yPyPyPyPyPyPyPyP***/***8***/bRbP10gPgR/bNbP10gPgN/bBbP10gPgB/bQbP10gPgK/bKbP10gPgQ/bBbP10gPgB/bNbP10gPgN/bRbP10gPgR/***8***/***rPrPrPrPrPrPrPrP***/***rRrNrBrQrKrBrNrR*** r rKrQbKbQyKyQgKgQ - 0 1 rbyg";

const CUT_START: &str = "***yRyNyKyQyByR***/***yPyPyPyPyPyP***/***6***/bRbP10/bNbP10/bKbP10/bQbP10/bBbP10/bRbP10/***6***/***rPrPrPrPrPrP***/***rRrBrQrKrNrR*** r - - 0 1 rby";

/// A castling: its right, and from where to where King and rook go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Castling {
    pub(super) seat: Seat,
    pub(super) letter: char,
    pub(super) king: (Square, Square),
    pub(super) rook: (Square, Square),
}

const fn castling(seat: Seat, letter: char, king: [&str; 2], rook: [&str; 2]) -> Castling {
    Castling { seat, letter, king: (sq(king[0]), sq(king[1])), rook: (sq(rook[0]), sq(rook[1])) }
}

/// The King goes two squares towards a rook, which leaps over it. `K` is the nearer rook.
static CASTLINGS: [Castling; 8] = [
    castling(Seat::Red, 'K', ["h1", "j1"], ["k1", "i1"]),
    castling(Seat::Red, 'Q', ["h1", "f1"], ["d1", "g1"]),
    castling(Seat::Blue, 'K', ["a7", "a5"], ["a4", "a6"]),
    castling(Seat::Blue, 'Q', ["a7", "a9"], ["a11", "a8"]),
    castling(Seat::Yellow, 'K', ["g14", "e14"], ["d14", "f14"]),
    castling(Seat::Yellow, 'Q', ["g14", "i14"], ["k14", "h14"]),
    castling(Seat::Green, 'K', ["n8", "n10"], ["n11", "n9"]),
    castling(Seat::Green, 'Q', ["n8", "n6"], ["n4", "n7"]),
];

impl FourRules {
    /// The board and the start of a game with orthodox armies.
    pub(super) fn army(self) -> Option<(&'static Shape, &'static str)> {
        match self {
            FourRules::Chess => Some((&CROSS, CROSS_START)),
            FourRules::Three => Some((&CUT, CUT_START)),
            FourRules::Free | FourRules::Teams => None,
        }
    }

    /// The castlings of the game, in the order in which FEN writes their rights.
    pub(super) fn castlings(self) -> &'static [Castling] {
        if self == FourRules::Chess { &CASTLINGS } else { &[] }
    }

    /// A double step of a pawn that still stands where its player's pawns begin: the square it crosses, and its end.
    pub(super) fn double_step(self, seat: Seat, from: Square) -> Option<(Square, Square)> {
        let (shape, _) = self.army()?;
        // The second row, between the corners.
        let (row, along) = match seat {
            Seat::Red => (from.rank, from.file),
            Seat::Blue => (from.file, from.rank),
            Seat::Yellow => (13 - from.rank, from.file),
            Seat::Green => (13 - from.file, from.rank),
        };
        if self != FourRules::Chess || row != 1 || !(3..=10).contains(&along) {
            return None;
        }
        let crossed = shape.step(from, ahead(seat))?;
        Some((crossed, shape.step(crossed, ahead(seat))?))
    }

    /// Where a pawn with an orthodox step goes without capture.
    pub(super) fn orthodox_step(self, seat: Seat, from: Square) -> Option<Square> {
        self.army()?.0.step(from, ahead(seat))
    }

    /// Where it captures.
    pub(super) fn orthodox_captures(self, seat: Seat, from: Square) -> Vec<Square> {
        let Some((shape, _)) = self.army() else { return Vec::new() };
        let (dx, dy) = ahead(seat);
        [(dx + dy, dy + dx), (dx - dy, dy - dx)].iter().filter_map(|step| shape.step(from, *step)).collect()
    }

    /// Whether an orthodox pawn is promoted on the square: on the side opposite its player's, and in Three Armies also where a
    /// corner is before it.
    pub(super) fn orthodox_promotes(self, seat: Seat, square: Square) -> bool {
        let Some((shape, _)) = self.army() else { return false };
        let is_last = match seat {
            Seat::Red => square.rank == shape.ranks - 1,
            Seat::Blue => square.file == shape.files - 1,
            Seat::Yellow => square.rank == 0,
            Seat::Green => square.file == 0,
        };
        let beyond_middle = match seat {
            Seat::Red => square.rank > 5,
            Seat::Blue => square.file > 5,
            Seat::Yellow => square.rank < 6,
            Seat::Green => square.file < 6,
        };
        is_last || (self == FourRules::Three && beyond_middle && shape.step(square, ahead(seat)).is_none())
    }
}

/// Towards the middle.
fn ahead(seat: Seat) -> Offset {
    match seat {
        Seat::Red => (0, 1),
        Seat::Blue => (1, 0),
        Seat::Yellow => (0, -1),
        Seat::Green => (-1, 0),
    }
}
