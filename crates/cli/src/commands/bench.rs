//! `lozenge bench`.

use crate::{CliError, output};

/// Prints `Nodes searched: N` and `Nodes/second: N`.
pub(crate) fn run(depth: Option<u32>) -> Result<(), CliError> {
    let mut printed = Ok(());
    let result = lozenge_engine::bench::run(depth, &mut |name, nodes| {
        if printed.is_ok() {
            printed = output::line(format_args!("{name}: {nodes}"));
        }
    });
    printed?;
    output::line(format_args!("\n{}", lozenge_protocol::diagnostics::bench_text(&result)))
}
