//! The value of a position with best play: won, lost or drawn for the side to move, and in how many half moves. Clock and
//! repetitions are ignored.

/// The greatest distance that a table has room for, in half moves.
pub const MAX_DISTANCE: u16 = 16_000;

/// The code of a number that belongs to no position.
pub(crate) const ABSENT: u16 = u16::MAX;

/// The value of a position for the side to move, with best play of both sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// It wins, by mate or goal, in this number of half moves.
    Win(u16),
    /// It loses in this number of half moves; 0 when it has lost.
    Loss(u16),
    /// Neither side can force a win.
    Draw,
}

impl Value {
    /// The value of a move that leads to a position of this value.
    #[must_use]
    pub const fn before_move(self) -> Self {
        match self {
            Self::Win(distance) => Self::Loss(distance + 1),
            Self::Loss(distance) => Self::Win(distance + 1),
            Self::Draw => Self::Draw,
        }
    }

    /// Half moves to the end of the game; `None` in a draw.
    #[must_use]
    pub const fn distance(self) -> Option<u16> {
        match self {
            Self::Win(distance) | Self::Loss(distance) => Some(distance),
            Self::Draw => None,
        }
    }

    /// A number that is greater for better values: quick wins first, slow losses before quick ones.
    #[must_use]
    pub const fn rank(self) -> i32 {
        match self {
            Self::Win(distance) => i32::MAX - distance as i32,
            Self::Draw => 0,
            Self::Loss(distance) => distance as i32 - i32::MAX,
        }
    }

    /// The word for it: `win`, `loss` or `draw`.
    #[must_use]
    pub const fn category(self) -> &'static str {
        match self {
            Self::Win(_) => "win",
            Self::Loss(_) => "loss",
            Self::Draw => "draw",
        }
    }

    /// The number in tables: 0 for a draw, then losses odd and wins even.
    pub(crate) const fn code(self) -> u16 {
        match self {
            Self::Draw => 0,
            Self::Loss(distance) => distance * 2 + 1,
            Self::Win(distance) => distance * 2 + 2,
        }
    }

    /// The value with this number.
    pub(crate) const fn of_code(code: u16) -> Self {
        match code {
            0 => Self::Draw,
            _ if code & 1 == 1 => Self::Loss(code / 2),
            _ => Self::Win(code / 2 - 1),
        }
    }
}

impl core::fmt::Display for Value {
    /// `win 20`, `loss 3` or `draw`.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.category())?;
        self.distance().map_or(Ok(()), |distance| write!(f, " {distance}"))
    }
}
