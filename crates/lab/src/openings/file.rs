//! Files of openings: one FEN a line, or EPD (four fields, then operations); `#` begins a comment.

use lozenge_rules::position::{AnyPosition, PositionError};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// Why a file gives no openings.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FileError {
    /// A line is no position of the game.
    #[error("line {line}: {error}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        error: PositionError,
    },
    /// A line is a position in which the game is over.
    #[error("line {0}: expected a position in which the game goes on")]
    Over(usize),
    /// There is no line with a position.
    #[error("expected at least one position, found none")]
    Empty,
}

/// Reads openings of a game.
///
/// # Errors
/// The first line that is none.
pub fn read(variant: &Arc<Variant>, text: &str) -> Result<Vec<AnyPosition>, FileError> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let position = AnyPosition::from_fen(variant, &fen(line))
            .map_err(|error| FileError::Line { line: number, error })?;
        if position.legal_moves().is_empty() {
            return Err(FileError::Over(number));
        }
        openings.push(position);
    }
    if openings.is_empty() { Err(FileError::Empty) } else { Ok(openings) }
}

/// The FEN in a line: EPD has operations in place of the two counters.
fn fen(line: &str) -> String {
    let fields: Vec<&str> = line.split_whitespace().collect();
    let counters = fields.get(4).is_some_and(|field| field.parse::<u32>().is_ok());
    if fields.len() <= 4 || counters {
        return line.to_owned();
    }
    fields[..4].join(" ")
}

/// The text of a file with these openings.
#[must_use]
pub fn write(openings: &[AnyPosition]) -> String {
    openings.iter().map(|opening| format!("{}\n", opening.fen())).collect()
}
