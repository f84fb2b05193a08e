//! How many steps the moves of a game have at most on its board, estimated from their notation alone: a file whose tables
//! would be too large is refused before any of them is built.

use super::betza::{Atom, Leg};
use super::plan::{Moves, Plan};
use super::tables::{AtomTable, table_of};
use super::trail_builder::longest_path;
use crate::geometry::{Frame, Shape, Square, Vector};
use crate::piece::Color;
use crate::variant::document::At;

/// Most steps of the moves of a game, each piece counted on each of its squares. The dearest game of the library has
/// one in thirteen. A game with all of them takes a quarter of a second to compile, and 24 MiB.
pub(super) const MAX_STEPS: u64 = 2 << 20;

/// A game with too many steps.
pub(super) struct TooManySteps {
    /// The piece with the most.
    pub(super) at: At,
    pub(super) expected: String,
    pub(super) found: String,
}

/// The steps of a game: no fewer than the nodes of its trails.
///
/// # Errors
/// If there are more than `most`, which is [`MAX_STEPS`] or a part of it.
pub(super) fn check(plan: &Plan, most: u64) -> Result<u64, TooManySteps> {
    let mut count = Count { shape: &plan.shape, steps: 0, most };
    let mut dearest: Option<(u64, At)> = None;
    for role in &plan.moves {
        let before = count.steps;
        count.role(plan, role);
        let steps = count.steps - before;
        if let Some(first) = role.first()
            && dearest.is_none_or(|(most, _)| most < steps)
        {
            dearest = Some((steps, first.at));
        }
        if let Some((of_piece, at)) = dearest
            && count.steps > most
        {
            let expected = format!(
                "moves with at most {most} steps in all, the pieces counted on each square: with shorter ranges, \
                 fewer legs or fewer groups"
            );
            return Err(TooManySteps {
                at,
                expected,
                found: format!("more, {of_piece} of them of this piece"),
            });
        }
    }
    Ok(count.steps)
}

/// Counts steps, up to a little more than `most`.
struct Count<'p> {
    shape: &'p Shape,
    steps: u64,
    most: u64,
}

impl Count<'_> {
    /// The moves of a piece from all its squares, for all colors together.
    fn role(&mut self, plan: &Plan, role: &[Moves]) {
        for color in Color::BOTH {
            for moves in role {
                let all = || plan.shape.squares().collect();
                for square in moves.from.as_ref().map_or_else(all, |from| from[color].clone()) {
                    for atom in &moves.group.atoms {
                        if self.steps > self.most {
                            return;
                        }
                        self.atom(plan.frames[color], moves, atom, square);
                    }
                }
            }
        }
    }

    fn atom(&mut self, frame: Frame, moves: &Moves, atom: &Atom, square: Square) {
        let within = |steps: usize| atom.range.map_or(steps, |range| steps.min(range.into())) as u64;
        for step in atom.steps(frame) {
            // A direction costs a look even where it leads nowhere.
            self.steps += 1;
            match (table_of(moves, atom), atom.range) {
                (AtomTable::OrthogonalLines | AtomTable::DiagonalLines | AtomTable::Leap, _) => {}
                (AtomTable::Trail, range) if !atom.then.is_empty() => {
                    self.legs(frame, square, step, range, &atom.then, longest_path(self.shape));
                }
                // The squares on the way of a leap that does not fly.
                (AtomTable::Trail, Some(1)) => self.steps += u64::from(atom.leap.0),
                // To the left and to the right.
                (AtomTable::Trail, _) if atom.crooked => {
                    let sides = usize::from(self.shape.width()) + usize::from(self.shape.height());
                    self.steps += 2 * within(longest_path(self.shape).unwrap_or(sides));
                }
                (AtomTable::Trail, _) => self.steps += within(self.shape.ray(square, step).len()),
            }
        }
    }

    /// Counts a leg and the legs after it as they are laid, but without asking where the path has been; `left` are the steps
    /// that the longest path still has.
    fn legs(
        &mut self,
        frame: Frame,
        mut square: Square,
        step: Vector,
        range: Option<u8>,
        then: &[Leg],
        mut left: Option<usize>,
    ) {
        // A row without an end comes home after fewer steps than there are squares.
        for _ in 0..range.map_or(self.shape.len(), usize::from) {
            let Some(next) = self.shape.step(square, step).filter(|_| left != Some(0)) else { return };
            self.steps += 1;
            if self.steps > self.most {
                return;
            }
            (square, left) = (next, left.map(|left| left - 1));
            if let Some((turn, then)) = then.split_first() {
                for step in turn.steps(frame, step) {
                    self.legs(frame, square, step, turn.range, then, left);
                }
            }
        }
    }
}
