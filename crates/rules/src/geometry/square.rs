//! One square of a board, by its compact number. Names (`a1`, `l12`) need the [`Shape`](super::Shape).

/// A square: its number on one particular board.
///
/// Squares are numbered 0.. without gaps, rank 1 first, file a first, holes skipped, so that the
/// 40 squares of Diamond Chess fill 40 bits of one machine word. A number means something only
/// together with the [`Shape`](super::Shape) it came from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Square(u8);

impl Square {
    /// The square with this number, 0..=255. Only the shape of a board knows whether the board has it.
    ///
    /// ```
    /// use lozenge_rules::geometry::Square;
    /// assert_eq!(Square::new(63).index(), 63);
    /// ```
    #[must_use]
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The number as an index into tables by square.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of the machine word that holds the square's bit on a board of `N` words. With one, two or four
    /// words the mask proves it in range, so no check remains.
    #[inline]
    pub(crate) const fn word<const N: usize>(self) -> usize {
        let word = self.index() >> 6;
        if N.is_power_of_two() { word & (N - 1) } else { word }
    }

    /// The number itself.
    ///
    /// ```
    /// use lozenge_rules::geometry::Square;
    /// assert_eq!(Square::new(7).number(), 7);
    /// ```
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}
