//! Files of openings: one FEN a line, or EPD (four fields, then operations), with comments after `#`; or games as PGN.

use lozenge_protocol::games::named;
use lozenge_rules::notation::pgn::{BadGame, Faults, PgnLocation, Reader};
use lozenge_rules::notation::record::{self, RecordError};
use lozenge_rules::position::{AnyPosition, PositionError};
use lozenge_rules::variant::Variant;
use std::collections::HashSet;
use std::sync::Arc;

/// Why a file gives no openings.
#[derive(Clone, Debug, thiserror::Error)]
pub enum FileError {
    /// A line is no position of the game.
    #[error("line {line}: {error}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// The reason.
        error: PositionError,
    },
    /// A line is a position in which the game is over.
    #[error("line {0}: expected a position in which the game goes on")]
    Over(usize),
    /// A game of PGN is malformed.
    #[error(transparent)]
    Pgn(#[from] BadGame),
    /// A game of PGN breaks the rules.
    #[error(transparent)]
    Game(#[from] Faults<RecordError>),
    /// The opening of a game of PGN is a position in which the game is over.
    #[error(
        "{0}: expected a position in which the game goes on after the opening moves; --plies says how many to play"
    )]
    GameOver(PgnLocation),
    /// There is no position of this game.
    #[error("expected at least one position of {0}, found none")]
    Empty(String),
}

/// Reads openings of a game: PGN if the text begins with a tag, otherwise FEN or EPD. Of a game of PGN the opening is the
/// position after `plies` moves of the main line, or after all of them. Games of other variants are skipped, and so are
/// positions that occurred before.
///
/// # Errors
/// The first line or game that is not an opening.
pub fn read(variant: &Arc<Variant>, text: &str, plies: Option<u32>) -> Result<Vec<AnyPosition>, FileError> {
    let openings = if text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        read_pgn(variant, text, plies)?
    } else {
        read_lines(variant, text)?
    };
    if openings.is_empty() { Err(FileError::Empty(variant.name().to_owned())) } else { Ok(openings) }
}

fn read_pgn(variant: &Arc<Variant>, text: &str, plies: Option<u32>) -> Result<Vec<AnyPosition>, FileError> {
    let find = |name: &str| named(name, std::slice::from_ref(variant));
    let most = plies.map_or(usize::MAX, |plies| plies as usize);
    let (mut openings, mut seen) = (Vec::new(), HashSet::new());
    for game in Reader::new(text.as_bytes()) {
        let mut game = game?;
        game.line.nodes.truncate(most);
        let location = game.at;
        let played = record::resolve(game, &find)?.game;
        if played.variant().id() != variant.id() {
            continue;
        }
        let opening = played.position();
        if opening.legal_moves().is_empty() {
            return Err(FileError::GameOver(location));
        }
        if seen.insert(opening.key()) {
            openings.push(opening.clone());
        }
    }
    Ok(openings)
}

fn read_lines(variant: &Arc<Variant>, text: &str) -> Result<Vec<AnyPosition>, FileError> {
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
    Ok(openings)
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
