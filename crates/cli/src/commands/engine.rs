//! `lozenge engine` and `lozenge bench`: the engine on standard input and output, and its benchmark.

use crate::{CliError, games, output};
use lozenge_protocol::diagnostics::bench_text;
use lozenge_protocol::games::Games;
use std::io::{self, BufReader};

/// Speaks UCI or XBoard until `quit` or the end of the input.
pub(crate) fn run() -> Result<(), CliError> {
    let games = Games::new(Box::new(games::load));
    lozenge_protocol::serve(BufReader::new(io::stdin()), io::stdout(), games);
    Ok(())
}

/// Prints `Nodes searched: N` and `Nodes/second: N`.
pub(crate) fn bench(depth: Option<u32>) -> Result<(), CliError> {
    let mut printed = Ok(());
    let result = lozenge_engine::bench::run(depth, &mut |name, nodes| {
        if printed.is_ok() {
            printed = output::line(format_args!("{name}: {nodes}"));
        }
    });
    printed?;
    output::line(format_args!("\n{}", bench_text(&result)))
}
