//! Runs the benchmark: `bench [DEPTH]`.
#![allow(clippy::print_stdout)]
use lozenge_engine::bench;

fn main() {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok());
    let mut before = std::time::Instant::now();
    let result = bench::run(depth, &mut |position, nodes| {
        let now = std::time::Instant::now();
        let seconds = (now - before).as_secs_f64();
        before = now;
        println!("{nodes:>10} {:>6.0} knps {position}", nodes as f64 / seconds / 1e3);
    });
    println!("Nodes searched: {}\nNodes/second: {}", result.nodes, result.nodes_per_second());
}
