//! Steps one after another: a heading before each, its time after it, and the list of times at the end.

use crate::failure::{Failure, Outcome};
use std::time::{Duration, Instant};

/// Runs steps and remembers how long they took.
pub(crate) struct Steps {
    started: Instant,
    taken: Vec<(&'static str, Duration)>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { started: Instant::now(), taken: Vec::new() }
    }

    /// Runs a step; its failure carries its name.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Outcome) -> Outcome {
        println!("\n=== {name}");
        let started = Instant::now();
        let result = step();
        let taken = started.elapsed();
        println!("--- {name}: {:.1} s", taken.as_secs_f64());
        self.taken.push((name, taken));
        result.map_err(|failure| Failure::new(format!("{name}: {failure}")))
    }

    /// Prints the times of all steps.
    pub(crate) fn finish(self) {
        println!("\n=== all is well");
        for (name, taken) in &self.taken {
            println!("{:>8.1} s  {name}", taken.as_secs_f64());
        }
        println!("{:>8.1} s  altogether", self.started.elapsed().as_secs_f64());
    }
}
