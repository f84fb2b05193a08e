//! A player's frame: which way is forward, which way is right.

use super::symmetry::Symmetry;
use super::vector::Vector;

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
    ///
    /// ```
    /// use lozenge_rules::geometry::{Frame, Vector};
    /// assert_eq!(Frame::first(Vector::new(0, 1)).right, Vector::new(1, 0));
    /// ```
    #[must_use]
    pub const fn first(forward: Vector) -> Self {
        Self { forward, right: forward.clockwise() }
    }

    /// Whether forward is along a diagonal of the board.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Frame, Vector};
    /// assert!(Frame::first(Vector::new(1, 1)).is_diagonal());
    /// assert!(!Frame::first(Vector::new(0, 1)).is_diagonal());
    /// ```
    #[must_use]
    pub const fn is_diagonal(self) -> bool {
        self.forward.dx != 0 && self.forward.dy != 0
    }

    /// The frame of Black: White's frame as the symmetry of the game carries it over, so that in a
    /// mirrored game Black's right hand is where White sees it in the mirror.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Frame, Symmetry, Vector};
    /// let white = Frame::first(Vector::new(0, 1));
    /// let black = Frame::second(white, Symmetry::MirrorRanks);
    /// assert_eq!(black.forward, Vector::new(0, -1));
    /// assert_eq!(black.right, white.right);
    /// ```
    #[must_use]
    pub fn second(first: Self, symmetry: Symmetry) -> Self {
        Self { forward: symmetry.vector(first.forward), right: symmetry.vector(first.right) }
    }

    /// The vector as the player sees it: (right, forward), in a unit that depends on the frame
    /// (a diagonal frame counts half steps), so only signs and comparisons mean something.
    ///
    /// ```
    /// use lozenge_rules::geometry::{Frame, Vector};
    /// let frame = Frame::first(Vector::new(0, 1));
    /// assert_eq!(frame.relative(Vector::new(2, 1)), (2, 1));
    /// ```
    #[must_use]
    pub fn relative(self, vector: Vector) -> (i32, i32) {
        let dot = |a: Vector| i32::from(a.dx) * i32::from(vector.dx) + i32::from(a.dy) * i32::from(vector.dy);
        (dot(self.right), dot(self.forward))
    }
}
