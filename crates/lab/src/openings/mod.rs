//! Openings: random balanced positions, or those of a file.

mod file;
mod random;

pub use file::{FileError, read, write};
pub use random::{Plan, RandomOpenings, usual_plies};
pub(crate) use random::{random_opening, starts};

use lozenge_rules::position::AnyPosition;

/// The source of openings.
#[derive(Debug)]
pub enum Source {
    /// Random moves, as many different ones as needed.
    Random(Box<RandomOpenings>),
    /// A list, repeated when it is exhausted.
    List(Vec<AnyPosition>),
}

/// The openings of one game, by number, always the same.
#[derive(Debug)]
pub struct Openings {
    source: Source,
    generated: Vec<AnyPosition>,
}

impl Openings {
    /// Openings from a source. A list must not be empty.
    #[must_use]
    pub const fn new(source: Source) -> Self {
        Self { source, generated: Vec::new() }
    }

    /// The opening with this number.
    pub fn number(&mut self, number: usize) -> AnyPosition {
        match &mut self.source {
            Source::List(list) => list[number % list.len()].clone(),
            Source::Random(random) => {
                while self.generated.len() <= number {
                    self.generated.push(random.next_opening());
                }
                self.generated[number].clone()
            }
        }
    }
}
