//! The benchmark: fixed positions, one thread, fixed depth. One call, for `bench` of the command
//! line and of UCI.

use std::fmt;
use std::time::Duration;

/// What the benchmark measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Nodes searched: the signature, equal on every machine.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.time.as_nanos().max(1);
        let per_second = u128::from(self.nodes) * 1_000_000_000 / nanos;
        write!(f, "Nodes searched: {}\nNodes/second: {per_second}", self.nodes)
    }
}

/// Runs the benchmark; `progress` is told each position's name and nodes.
pub fn run(depth: Option<u32>, progress: &mut dyn FnMut(&str, u64)) -> Measured {
    let result = lozenge_engine::bench::run(depth, progress);
    Measured { nodes: result.nodes, time: result.time }
}
