//! `lozenge moves`.

use crate::args::MovesArgs;
use crate::{CliError, games, output};
use lozenge_rules::notation::uci;

/// Prints the legal moves, sorted, one a line, then `status: …`.
pub(crate) fn run(args: &MovesArgs) -> Result<(), CliError> {
    let position = games::position(&args.position.variant, args.position.fen.as_deref())?;
    let mut lines: Vec<String> =
        position.legal_moves().into_iter().map(|legal| uci::write(position.variant(), legal)).collect();
    lines.sort();
    lines.push(format!("status: {}", position.status()));
    output::line(lines.join("\n"))
}
