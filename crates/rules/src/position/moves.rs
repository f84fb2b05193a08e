//! A move as the rules see it. Its texts are in `notation`.

use crate::geometry::Square;
use crate::piece::Role;

/// The kind of a move, beyond from and to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MoveKind {
    /// A piece goes to an empty square or captures there.
    Plain,
    /// A piece arrives on a promotion square and becomes the role.
    Promotion(Role),
    /// A pawn captures, on the square it crossed, the pawn that has just gone two squares.
    EnPassant,
    /// A piece joins the own piece on the square it reaches: the two become one.
    Fuse,
    /// The part of this role leaves its compound for an empty square; the other part stays.
    Split(Role),
    /// A castling: its number in the game's list. From and to are the King's.
    Castling(u8),
}

/// A move in one position of one game: four bytes. `from` and `to` are the moving piece's
/// (the King's in castling).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// The square the piece leaves.
    pub from: Square,
    /// The square the piece reaches.
    pub to: Square,
    /// The kind of move.
    pub kind: MoveKind,
}

impl Move {
    /// A move without anything special.
    #[inline]
    #[must_use]
    pub const fn plain(from: Square, to: Square) -> Self {
        Self { from, to, kind: MoveKind::Plain }
    }

    /// The role the piece becomes, if it promotes.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    /// let knight = uci::parse(&position, "a7a8n").unwrap();
    /// assert_eq!(knight.promotion(), chess.roles().role('N'));
    /// assert_eq!(uci::parse(&position, "a1b1").unwrap().promotion(), None);
    /// ```
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Whether the piece promotes.
    ///
    /// ```
    /// use lozenge_rules::{library, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
    /// let promotions = position.legal_moves().into_iter().filter(|legal| legal.is_promotion());
    /// assert_eq!(promotions.count(), 4);
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        matches!(self.kind, MoveKind::Promotion(_))
    }

    /// Whether it is a castling.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::san, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    /// assert_eq!(position.legal_moves().into_iter().filter(|legal| legal.is_castling()).count(), 2);
    /// assert!(san::parse(&position, "O-O-O").unwrap().is_castling());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind, MoveKind::Castling(_))
    }

    /// The number of the castling, an index into [`Variant::castlings`](crate::variant::Variant::castlings), if it is one.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::san, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    /// let long = san::parse(&position, "O-O-O").unwrap();
    /// let castling = &chess.castlings()[usize::from(long.castling().unwrap())];
    /// assert_eq!(chess.shape().name(castling.rook.0), "a1");
    /// ```
    #[must_use]
    pub const fn castling(self) -> Option<u8> {
        match self.kind {
            MoveKind::Castling(number) => Some(number),
            _ => None,
        }
    }

    /// Whether it captures en passant.
    ///
    /// ```
    /// use lozenge_rules::{library, notation::uci, position::AnyPosition};
    /// let chess = library::game("chess").unwrap();
    /// let position = AnyPosition::from_fen(&chess, "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    /// assert!(uci::parse(&position, "e5d6").unwrap().is_en_passant());
    /// ```
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        matches!(self.kind, MoveKind::EnPassant)
    }

    /// Whether two pieces of a side fuse.
    #[inline]
    #[must_use]
    pub const fn is_fusion(self) -> bool {
        matches!(self.kind, MoveKind::Fuse)
    }

    /// The role of the piece that leaves a compound, if one does.
    #[must_use]
    pub const fn leaver(self) -> Option<Role> {
        match self.kind {
            MoveKind::Split(role) => Some(role),
            _ => None,
        }
    }
}
