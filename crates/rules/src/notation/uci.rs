//! Long algebraic moves as UCI engines write them: from, to, promotion letter in lower case
//! (`g7g8q`, `l12a1`). Castling is written as the King's move, a fusion as the move onto the own man
//! (`e4e6`), and where a part leaves a compound the letter is the leaver's (`e4e6r`).

use crate::geometry::Coord;
use crate::position::{AnyPosition, Move};
use crate::variant::Variant;

/// Why a text is not a legal move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UciError {
    /// It is not a move in long algebraic form.
    #[error("expected a move such as `{example}`, found `{found}`")]
    Syntax {
        /// A legal move of the position, or `a1a2` where there is none.
        example: String,
        /// The text.
        found: String,
    },
    /// It is a move, but not a legal one here.
    #[error("expected a legal move, found `{0}`")]
    Illegal(String),
}

/// The move in long algebraic form.
#[must_use]
pub fn write(variant: &Variant, written: Move) -> String {
    let shape = variant.shape();
    let letter = written.promotion().or(written.leaver());
    let letter = letter.map(|role| variant.men().info(role).letter.to_ascii_lowercase().to_string());
    format!("{}{}{}", shape.name(written.from), shape.name(written.to), letter.unwrap_or_default())
}

/// Reads a legal move of the position.
///
/// # Errors
/// When the text is not a move, or not a legal one.
pub fn parse(position: &AnyPosition, text: &str) -> Result<Move, UciError> {
    let moves = position.legal_moves();
    if let Some(&legal) = moves.iter().find(|&&legal| write(position.variant(), legal) == text) {
        return Ok(legal);
    }
    let shown: String = text.chars().take(40).collect();
    if looks_like_a_move(text) {
        return Err(UciError::Illegal(shown));
    }
    let example = moves.first().map_or_else(|| "a1a2".into(), |&legal| write(position.variant(), legal));
    Err(UciError::Syntax { example, found: shown })
}

fn looks_like_a_move(text: &str) -> bool {
    let rest = Coord::read(text).and_then(|(_, rest)| Coord::read(rest)).map(|(_, rest)| rest);
    rest.is_some_and(|rest| rest.is_empty() || (rest.len() == 1 && rest.as_bytes()[0].is_ascii_lowercase()))
}
