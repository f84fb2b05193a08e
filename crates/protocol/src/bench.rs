//! The benchmark: fixed positions, one thread, fixed depth. One call, for `bench` of the command
//! line and of UCI.

use lozenge_engine::{Engine, Limits, Signals};
use lozenge_rules::position::Game;
use lozenge_rules::variant::library;
use std::fmt;
use std::time::{Duration, Instant};

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

/// Deepest iteration unless told.
const DEPTH: u32 = 5;

/// Runs the benchmark; `progress` is told each position's name and nodes.
pub fn run(depth: Option<u32>, progress: &mut dyn FnMut(&str, u64)) -> Measured {
    let started = Instant::now();
    let limits = Limits { depth: Some(depth.unwrap_or(DEPTH)), ..Limits::default() };
    let mut nodes = 0;
    for id in library::ids().take(library::OWN_GAMES) {
        let Some(variant) = library::game(id) else { continue };
        let game = Game::new(&variant);
        let report = Engine::new(16).search(&game, &limits, &Signals::default(), &mut |_| {});
        progress(id, report.nodes);
        nodes += report.nodes;
    }
    Measured { nodes, time: started.elapsed() }
}
