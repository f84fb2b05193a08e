//! The benchmark's result as text, for `bench` of the command line and of UCI.

pub use lozenge_engine::bench::{BenchResult, run};

/// `Nodes searched: N` (the signature, equal on every machine) and `Nodes/second: N`.
#[must_use]
pub fn text(result: &BenchResult) -> String {
    format!("Nodes searched: {}\nNodes/second: {}", result.nodes, result.nodes_per_second())
}
