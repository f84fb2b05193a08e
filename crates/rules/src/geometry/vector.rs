//! Vectors: steps and leaps on the board.

/// A step or leap: files to the right and ranks up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vector {
    /// Files to the right (towards file h), negative to the left.
    pub dx: i8,
    /// Ranks up (towards rank 8), negative downward.
    pub dy: i8,
}

impl Vector {
    /// The vector of `dx` files and `dy` ranks.
    ///
    /// ```
    /// use lozenge_rules::geometry::Vector;
    /// assert_eq!(Vector::new(1, -2).dy, -2);
    /// ```
    #[must_use]
    pub const fn new(dx: i8, dy: i8) -> Self {
        Self { dx, dy }
    }

    /// This vector taken `times` times.
    ///
    /// ```
    /// use lozenge_rules::geometry::Vector;
    /// assert_eq!(Vector::new(1, -2).times(3), Vector::new(3, -6));
    /// ```
    #[must_use]
    pub const fn times(self, times: i8) -> Self {
        Self::new(self.dx * times, self.dy * times)
    }

    /// The sum of two vectors.
    ///
    /// ```
    /// use lozenge_rules::geometry::Vector;
    /// assert_eq!(Vector::new(1, 2).plus(Vector::new(1, 0)), Vector::new(2, 2));
    /// ```
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(self.dx + other.dx, self.dy + other.dy)
    }

    /// Turned clockwise by 90 degrees: up becomes right.
    ///
    /// ```
    /// use lozenge_rules::geometry::Vector;
    /// assert_eq!(Vector::new(0, 1).clockwise(), Vector::new(1, 0));
    /// ```
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Self::new(self.dy, -self.dx)
    }

    /// The eight steps to adjacent squares: the four orthogonal ones first, then the diagonal ones;
    /// in each half the indices of a step and its opposite differ by two.
    pub const EIGHT: [Self; 8] = [
        Self::new(0, 1),
        Self::new(1, 0),
        Self::new(0, -1),
        Self::new(-1, 0),
        Self::new(1, 1),
        Self::new(1, -1),
        Self::new(-1, -1),
        Self::new(-1, 1),
    ];
}
