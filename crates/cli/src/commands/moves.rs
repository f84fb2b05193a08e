//! `lozenge moves`.

use crate::args::MovesArgs;
use crate::{CliError, output};
use lozenge_rules::notation::{san, uci};
use serde_json::json;

/// Prints the legal moves, sorted, one a line, then `status: …`.
pub(crate) fn run(args: &MovesArgs) -> Result<(), CliError> {
    let position = args.position.position()?;
    let mut moves: Vec<(String, String)> = position
        .legal_moves()
        .into_iter()
        .map(|legal| (uci::write(position.variant(), legal), san::write(&position, legal)))
        .collect();
    moves.sort();
    if args.json {
        let moves: Vec<_> = moves.into_iter().map(|(uci, san)| json!({ "uci": uci, "san": san })).collect();
        return output::json(&json!({
            "variant": position.variant().id(),
            "fen": position.fen(),
            "status": position.status().to_string(),
            "moves": moves,
        }));
    }
    let mut lines: Vec<String> = moves.into_iter().map(|(uci, _)| uci).collect();
    lines.push(format!("status: {}", position.status()));
    output::line(lines.join("\n"))
}
