//! Moves of several legs, written in brackets as in XBetza: `[F?fR]` is the griffon.
//!
//! ```text
//! path = "[" leg { ( "-" | "?" ) leg } "]"      "-": must go on, "?": may also end before this leg
//! leg  = directions atom [ range ]
//! ```
//! The first leg is read in the player's frame, every other one in the frame of the step before it:
//! `f` goes on outward, `s` turns by a right angle, and so on; without a direction it is `f`. `m`, `c`
//! and `i` stand before the bracket and hold for the whole path. All squares passed must be empty.

use super::{Atom, AtomReader, BetzaError, Direction, Leap, Manner, Modifiers, Side, steps, steps_of};
use crate::geometry::{Frame, Vector};

/// Most legs of one move.
pub const MAX_LEGS: usize = 4;

/// A leg of a move after the first one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leg {
    /// Whether the move may end where this leg would begin.
    pub stop_before: bool,
    /// The leap's larger and smaller coordinate.
    pub leap: Leap,
    /// Which of the leap's directions, as seen from the step before; empty: outward.
    pub directions: Vec<Direction>,
    /// How many times the step may be repeated, at least once; `None`: until something is in the way.
    pub range: Option<u8>,
}

impl Leg {
    /// The leg's steps after a step of a player with this frame; none after an oblique step.
    #[must_use]
    pub fn steps(&self, frame: Frame, before: Vector) -> Vec<Vector> {
        let Some(frame) = turned(frame, before) else { return Vec::new() };
        let outward = [Direction::One(Side::Forward)];
        steps(self.leap, if self.directions.is_empty() { &outward } else { &self.directions }, frame)
    }
}

/// The frame after this step. In a mirrored frame, left and right stay mirrored on the way.
fn turned(frame: Frame, before: Vector) -> Option<Frame> {
    let Vector { dx, dy } = before;
    let straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
    let forward = straight.then(|| Vector::new(dx.signum(), dy.signum()))?;
    let mirrored = frame.right != frame.forward.clockwise();
    let right = forward.clockwise();
    Some(Frame { forward, right: if mirrored { right.times(-1) } else { right } })
}

impl AtomReader<'_> {
    /// The bracket, after its modifiers, which began at `start`.
    pub(super) fn path(
        &mut self,
        start: usize,
        modifiers: &Modifiers,
        atoms: &mut Vec<Atom>,
    ) -> Result<(), BetzaError> {
        if !modifiers.directions.is_empty() || modifiers.manner.is_some() || modifiers.crooked.is_some() {
            return Err(self.error_in(start, "only m, c and i before a path in [ ]: its legs do not hop"));
        }
        self.expect(b'[', "`[`")?;
        let both = modifiers.quiet == modifiers.capture;
        let mut paths: Vec<Atom> = (self.leg()?.into_iter())
            .map(|Leg { leap, directions, range, .. }| Atom {
                leap,
                directions,
                range,
                quiet: both || modifiers.quiet,
                capture: both || modifiers.capture,
                initial: modifiers.initial,
                manner: Manner::Free,
                crooked: false,
                then: Vec::new(),
            })
            .collect();
        let mut legs = 1;
        while let Some(joint @ (b'-' | b'?')) = self.peek() {
            if legs == MAX_LEGS {
                return Err(self.error("`]` after four legs"));
            }
            let oblique = |path: &Atom| {
                let (m, n) = path.then.last().map_or(path.leap, |leg| leg.leap);
                n != 0 && n != m
            };
            if paths.iter().any(oblique) {
                return Err(self.error("`]`: nothing follows a leg of oblique leaps"));
            }
            self.at += 1;
            legs += 1;
            let next = self.leg()?;
            paths = (paths.iter())
                .flat_map(|path| {
                    next.iter().map(|leg| {
                        let mut longer = path.clone();
                        longer.then.push(Leg { stop_before: joint == b'?', ..leg.clone() });
                        longer
                    })
                })
                .collect();
        }
        if legs == 1 {
            return Err(self.error("`-` or `?` and another leg"));
        }
        self.expect(b']', "`-`, `?` or `]`")?;
        atoms.append(&mut paths);
        Ok(())
    }

    /// Directions, an atom, a range: a leg for each kind of leap of the atom.
    fn leg(&mut self) -> Result<Vec<Leg>, BetzaError> {
        let mut directions = Vec::new();
        while let Some(letter @ b'a'..=b'z') = self.peek() {
            if !b"fblrvs".contains(&letter) {
                return Err(self.error("a direction (f b l r v s h) or an atom"));
            }
            directions.push(self.direction()?);
        }
        let letter = self.peek();
        let leaps = self.atom()?;
        let range = self.range(letter)?;
        let leg = |(leap, rides)| Leg {
            stop_before: false,
            leap,
            directions: directions.clone(),
            range: steps_of(range, rides),
        };
        Ok(leaps.into_iter().map(leg).collect())
    }
}
