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
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self.kind {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Whether the piece promotes.
    #[inline]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        matches!(self.kind, MoveKind::Promotion(_))
    }

    /// Whether it is a castling.
    #[inline]
    #[must_use]
    pub const fn is_castling(self) -> bool {
        matches!(self.kind, MoveKind::Castling(_))
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
