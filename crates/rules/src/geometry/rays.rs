//! Rays: the squares a piece passes who repeats one step, in the order he passes them.

use super::{Shape, Square, Vector};

/// The squares from `start` by repeated `step`, in order, until the board ends, a hole stops it, or
/// it comes round to `start` again (which is never part of the ray). On a ring of twelve files a
/// sideways ray therefore has eleven squares.
#[must_use]
pub fn ray(shape: &Shape, start: Square, step: Vector) -> Vec<Square> {
    let mut squares = Vec::new();
    let mut here = start;
    while let Some(next) = shape.step(here, step) {
        if next == start {
            break;
        }
        squares.push(next);
        here = next;
    }
    squares
}
