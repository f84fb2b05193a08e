//! Moves as people type and read them: the one place to extend for other notations.

use lozenge_rules::notation::san::{self, SanError};
use lozenge_rules::position::{AnyPosition, Move};

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoMove {
    /// It does not look like a move at all.
    Unlike,
    /// It looks like one, but it is not legal; in words.
    Illegal(String),
}

/// Reads a legal move in SAN or long algebraic form; letters of men in small type are forgiven.
pub(crate) fn read_move(position: &AnyPosition, text: &str) -> Result<Move, NoMove> {
    let text = text.trim();
    let no_move = match san::parse(position, text) {
        Ok(read) => return Ok(read),
        Err(no_move) => no_move,
    };
    if let Some(read) = in_other_capitals(position, text) {
        return Ok(read);
    }
    match no_move {
        SanError::Syntax { .. } => Err(NoMove::Unlike),
        SanError::Ambiguous { candidates, .. } => {
            Err(NoMove::Illegal(format!("That could be {}.", candidates.join(" or "))))
        }
        SanError::Illegal(_) if text.starts_with(['O', '0']) => {
            Err(NoMove::Illegal(format!("{} is not possible here.", text.replace('0', "O"))))
        }
        SanError::Illegal(_) => Err(NoMove::Illegal(why_illegal(position, &text.to_lowercase()))),
    }
}

/// `nf3` for `Nf3` and `A2B3` for `a2b3`, where that is one legal move.
fn in_other_capitals(position: &AnyPosition, text: &str) -> Option<Move> {
    let mut letters = text.chars();
    let first = letters.next()?.to_uppercase();
    let man = format!("{first}{}", letters.as_str().to_lowercase());
    let all = text.to_lowercase();
    [man, all].iter().find_map(|text| san::parse(position, text).ok())
}

/// The reason that a player most likely wants to hear.
fn why_illegal(position: &AnyPosition, text: &str) -> String {
    let shape = position.variant().shape();
    let moves = position.legal_moves();
    let from = shape.squares().find(|&square| {
        let name = shape.name(square);
        text.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_digit()))
    });
    let Some(from) = from else { return "No legal move is written so; `moves` lists them.".into() };
    let name = shape.name(from);
    match position.piece_at(from) {
        None => format!("There is no man on {name}."),
        Some(piece) if piece.color() != position.turn() => format!("The man on {name} is not yours."),
        Some(_) if moves.iter().all(|legal| legal.from != from) => {
            format!(
                "The man on {name} has no legal move{}.",
                if position.is_check() { ": you are in check" } else { "" }
            )
        }
        Some(_) => {
            let mut to: Vec<String> =
                moves.iter().filter(|legal| legal.from == from).map(|legal| shape.name(legal.to)).collect();
            to.sort();
            to.dedup();
            format!("That is not legal. From {name} you can go to {}.", to.join(", "))
        }
    }
}

/// Writes a legal move of the position.
pub(crate) fn write_move(position: &AnyPosition, played: Move) -> String {
    san::write(position, played)
}
