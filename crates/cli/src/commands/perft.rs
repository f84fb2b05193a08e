//! `lozenge perft`.

use crate::args::PerftArgs;
use crate::{CliError, games, output};
use lozenge_protocol::perft;

/// Prints the node counts in the form Stockfish prints.
pub(crate) fn run(args: &PerftArgs) -> Result<(), CliError> {
    let position = games::position(&args.variant, args.fen.as_deref())?;
    match perft::count(&position, args.depth, usize::from(args.threads), &|| false) {
        Some(counts) => output::line(counts.text(args.divide)),
        None => unreachable!("a count that is never told to stop comes to its end"),
    }
}
