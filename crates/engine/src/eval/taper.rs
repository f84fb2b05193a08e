//! Tapered values: one for the middle game, with all pieces on the board, and one for the end game.

use core::fmt;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// How many units a centipawn has: fine enough for terms that are counted many times.
pub const GRAIN: i32 = 16;

/// A middle game and an end game value, in sixteenths of a centipawn: with all pieces on the board, and with
/// hardly any left. Both are in one number, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Taper(i64);

impl Taper {
    /// Zero.
    pub const ZERO: Self = Self(0);

    /// From sixteenths of a centipawn.
    #[must_use]
    pub const fn new(middle: i32, end: i32) -> Self {
        // A negative end borrows from the middle; `middle` gives it back.
        Self(((middle as i64) << 32) + end as i64)
    }

    /// From centipawns.
    #[must_use]
    pub const fn centipawns(middle: i32, end: i32) -> Self {
        Self::new(middle * GRAIN, end * GRAIN)
    }

    /// With all pieces on the board.
    #[inline]
    #[must_use]
    pub const fn middle(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// With hardly any left.
    #[inline]
    #[must_use]
    pub const fn end(self) -> i32 {
        self.0 as i32
    }

    /// The value at a phase between 0 (end) and [`FULL_PHASE`] (all pieces).
    #[inline]
    pub(crate) const fn at(self, phase: i32) -> i32 {
        (self.middle() * phase + self.end() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl fmt::Debug for Taper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Taper").field("middle", &self.middle()).field("end", &self.end()).finish()
    }
}

/// The phase of a position with all its pieces.
pub const FULL_PHASE: i32 = 256;

impl Add for Taper {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Taper {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Taper {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Taper {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Mul<i32> for Taper {
    type Output = Self;
    #[inline]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * i64::from(times))
    }
}

impl Neg for Taper {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self * -1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_values_are_kept_apart() {
        let values = [0, 1, -1, 7, -7, 60_000, -60_000, 30_000_000, -30_000_000];
        for middle in values {
            for end in values {
                let one = Taper::new(middle, end);
                assert_eq!((one.middle(), one.end()), (middle, end));
                for times in [-3, 0, 1, 20] {
                    let many = one * times - Taper::new(end, middle);
                    let expected = (middle * times - end, end * times - middle);
                    assert_eq!((many.middle(), many.end()), expected, "{one:?} {times}");
                }
            }
        }
    }
}
