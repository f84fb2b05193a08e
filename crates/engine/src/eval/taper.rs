//! Tapered values: one for the middle game, with all pieces on the board, and one for the end game.

use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// How many units a centipawn has: fine enough for terms that are counted many times.
pub const GRAIN: i32 = 16;

/// A middle game and an end game value, in sixteenths of a centipawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taper {
    /// With all pieces on the board.
    pub middle: i32,
    /// With hardly any left.
    pub end: i32,
}

impl Taper {
    /// Zero.
    pub const ZERO: Self = Self { middle: 0, end: 0 };

    /// From sixteenths of a centipawn.
    #[must_use]
    pub const fn new(middle: i32, end: i32) -> Self {
        Self { middle, end }
    }

    /// From centipawns.
    #[must_use]
    pub const fn centipawns(middle: i32, end: i32) -> Self {
        Self { middle: middle * GRAIN, end: end * GRAIN }
    }

    /// The value at a phase between 0 (end) and [`FULL_PHASE`] (all pieces).
    #[inline]
    pub(crate) const fn at(self, phase: i32) -> i32 {
        (self.middle * phase + self.end * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// The phase of a position with all its pieces.
pub const FULL_PHASE: i32 = 256;

impl Add for Taper {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { middle: self.middle + other.middle, end: self.end + other.end }
    }
}

impl Sub for Taper {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { middle: self.middle - other.middle, end: self.end - other.end }
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
        Self { middle: self.middle * times, end: self.end * times }
    }
}

impl Neg for Taper {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        self * -1
    }
}
