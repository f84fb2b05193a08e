//! `lozenge perft`.

use crate::args::PerftArgs;
use crate::{CliError, output};
use lozenge_protocol::perft;
use serde_json::json;

/// Prints the node counts in the form Stockfish prints.
pub(crate) fn run(args: &PerftArgs) -> Result<(), CliError> {
    let position = args.position()?;
    let Some(counts) = perft::count(&position, args.depth, usize::from(args.threads), &|| false) else {
        unreachable!("a count that is never stopped ends")
    };
    if !args.json {
        return output::line(counts.text(args.divide));
    }
    let mut value = json!({
        "variant": position.variant().id(),
        "fen": position.fen(),
        "depth": args.depth,
        "nodes": counts.total,
    });
    if args.divide {
        let moves: serde_json::Map<_, _> =
            counts.by_move.into_iter().map(|(name, count)| (name, count.into())).collect();
        value["divide"] = moves.into();
    }
    output::json(&value)
}
