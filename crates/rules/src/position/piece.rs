//! A piece: its color and role in one byte.

use super::{Color, Role};
use core::num::NonZeroU8;

/// A piece of one color and role. `Option<Piece>` is one byte too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of this color and role.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Self {
        Self(NonZeroU8::MIN.saturating_add((role.index() * 2 + color.index()) as u8))
    }

    /// A number below `2 * MAX_ROLES`: an index into tables by color and role.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0.get() - 1) as usize
    }

    /// Whose piece it is.
    #[inline]
    #[must_use]
    pub const fn color(self) -> Color {
        if self.index() & 1 == 0 { Color::White } else { Color::Black }
    }

    /// What it is.
    #[inline]
    #[must_use]
    pub const fn role(self) -> Role {
        Role::new((self.index() / 2) as u8)
    }
}

impl core::fmt::Debug for Piece {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} {:?}", self.color(), self.role())
    }
}
