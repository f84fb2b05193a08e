//! `lozenge engine` and `lozenge bench`: the engine on standard input and output, and its benchmark.

use crate::commands::ini;
use crate::{CliError, games, output};
use lozenge_protocol::diagnostics::bench_text;
use lozenge_protocol::games::{Games, LoadError, Loaded};
use std::io::{self, BufReader};
use std::path::Path;

/// Speaks UCI or XBoard until `quit` or the end of the input.
pub(crate) fn run() -> Result<(), CliError> {
    let games = Games::new(Box::new(load));
    lozenge_protocol::serve(BufReader::new(io::stdin()), io::stdout(), games);
    Ok(())
}

/// The games of a `variants.ini`, known by its ending, or the one of a variant file.
fn load(path: &str) -> Result<Loaded, LoadError> {
    let is_ini = Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ini"));
    if is_ini { ini::games(path) } else { Ok(games::load_any(path)?.into()) }
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
