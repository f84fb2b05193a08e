//! Tables by square. No geometry: a table does not know its board.

use super::Square;
use core::ops::{Index, IndexMut};

/// A value for each square of a board of at most `64 * N` squares.
///
/// With one, two or four times 64 squares every [`Square`] is in range, so that a look-up checks nothing. With
/// three, [indexing](Index) by a square above 191 panics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BySquare<T, const N: usize>([[T; 64]; N]);

impl<T: Copy, const N: usize> BySquare<T, N> {
    /// The same value for every square.
    pub(crate) const fn filled(value: T) -> Self {
        Self([[value; 64]; N])
    }
}

impl<T, const N: usize> Index<Square> for BySquare<T, N> {
    type Output = T;
    #[inline]
    fn index(&self, square: Square) -> &T {
        &self.0[square.word::<N>()][square.index() & 63]
    }
}

impl<T, const N: usize> IndexMut<Square> for BySquare<T, N> {
    #[inline]
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square.word::<N>()][square.index() & 63]
    }
}
