//! Vectors on the board and a player's frame: which way is forward, which way is right.

use super::symmetry::Symmetry;

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
    #[must_use]
    pub const fn new(dx: i8, dy: i8) -> Self {
        Self { dx, dy }
    }

    /// This vector taken `times` times.
    #[must_use]
    pub const fn times(self, times: i8) -> Self {
        Self::new(self.dx * times, self.dy * times)
    }

    /// The sum of two vectors.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self::new(self.dx + other.dx, self.dy + other.dy)
    }

    /// Turned clockwise by 90 degrees: up becomes right.
    #[must_use]
    pub const fn clockwise(self) -> Self {
        Self::new(self.dy, -self.dx)
    }

    /// The eight steps to adjacent squares: the four orthogonal ones first, then the diagonal ones;
    /// in each half a step and its opposite are two places apart.
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

/// A player's point of view: moves are written once, with forward "up", and read through the frame.
///
/// Forward may be diagonal. Then the board is seen turned by 45 degrees: a step (1,1) goes straight
/// forward, a step (1,0) half right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The step that goes straight forward: one of [`Vector::EIGHT`].
    pub forward: Vector,
    /// The step that goes straight right, at a right angle to forward.
    pub right: Vector,
}

impl Frame {
    /// The frame of White for this forward step.
    #[must_use]
    pub const fn first(forward: Vector) -> Self {
        Self { forward, right: forward.clockwise() }
    }

    /// The frame of Black: White's frame as the symmetry of the game carries it over, so that in a
    /// mirrored game Black's right hand is where White sees it in the mirror.
    #[must_use]
    pub fn second(first: Self, symmetry: Symmetry) -> Self {
        Self { forward: symmetry.vector(first.forward), right: symmetry.vector(first.right) }
    }

    /// The vector as the player sees it: (right, forward), in a unit that depends on the frame
    /// (a diagonal frame counts half steps), so only signs and comparisons mean something.
    #[must_use]
    pub fn seen(self, vector: Vector) -> (i32, i32) {
        let dot = |a: Vector| i32::from(a.dx) * i32::from(vector.dx) + i32::from(a.dy) * i32::from(vector.dy);
        (dot(self.right), dot(self.forward))
    }
}
