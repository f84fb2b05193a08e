//! Moves as people type and read them: the one place to extend for other notations.

use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Move, MoveKind};

/// Why a text is no move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NoMove {
    /// It does not look like a move at all.
    Unlike,
    /// It looks like one, but it is not legal; in words.
    Illegal(String),
}

/// Reads a legal move: long algebraic (`a2b3`, `g7g8q`), also written `Na2xb3+`, `g7-g8=Q`, and
/// castling as `O-O` and `O-O-O`.
pub(crate) fn read_move(position: &AnyPosition, text: &str) -> Result<Move, NoMove> {
    let text = text.trim();
    if let Ok(read) = uci::parse(position, text) {
        return Ok(read);
    }
    if let Some(castling) = castling(position, text) {
        return castling;
    }
    let plain: String = text.chars().filter(|letter| !"-x=:+#!?()".contains(*letter)).take(12).collect();
    // `Na2b3` is a man's letter before a move, `A2B3` a move in capitals.
    let mut letters = plain.chars();
    let plain = match (letters.next(), letters.next()) {
        (Some('A'..='Z'), Some(second)) if !second.is_ascii_digit() => plain[1..].to_lowercase(),
        _ => plain.to_lowercase(),
    };
    match uci::parse(position, &plain) {
        Ok(read) => Ok(read),
        Err(uci::UciError::Illegal(_)) => {
            let becomes: Vec<String> = (position.legal_moves().into_iter())
                .map(|legal| uci::write(position.variant(), legal))
                .filter(|legal| legal.starts_with(&plain) && legal.len() == plain.len() + 1)
                .collect();
            Err(NoMove::Illegal(match becomes.first() {
                Some(_) => format!("Add the letter of the man it becomes: {}.", becomes.join(", ")),
                None => why_illegal(position, &plain),
            }))
        }
        Err(uci::UciError::Syntax { .. }) => Err(NoMove::Unlike),
    }
}

/// A castling by its sign, with `:` and the rook's square where more than one is possible.
fn castling(position: &AnyPosition, text: &str) -> Option<Result<Move, NoMove>> {
    let (sign, rook) = text.split_once(':').map_or((text, None), |(sign, rook)| (sign, Some(rook)));
    let short = match sign.to_uppercase().replace('0', "O").trim_end_matches(['+', '#']) {
        "O-O" => true,
        "O-O-O" => false,
        _ => return None,
    };
    let (variant, shape) = (position.variant(), position.variant().shape());
    let infos = variant.castlings();
    let info = |played: &Move| match played.kind {
        MoveKind::Castling(number) => infos.get(usize::from(number)),
        _ => None,
    };
    let legal: Vec<Move> = (position.legal_moves().into_iter())
        .filter(|played| info(played).is_some_and(|info| info.short == short))
        .filter(|played| {
            rook.is_none_or(|rook| info(played).is_some_and(|info| shape.name(info.rook.0) == rook))
        })
        .collect();
    Some(match &legal[..] {
        [one] => Ok(*one),
        [] => Err(NoMove::Illegal(format!("{sign} is not possible here."))),
        several => {
            let names: Vec<String> = several
                .iter()
                .filter_map(info)
                .map(|info| format!("{sign}:{}", shape.name(info.rook.0)))
                .collect();
            Err(NoMove::Illegal(format!("There are several: {}.", names.join(", "))))
        }
    })
}

/// The reason that a player most likely wants to hear.
fn why_illegal(position: &AnyPosition, text: &str) -> String {
    let shape = position.variant().shape();
    let moves = position.legal_moves();
    let from = shape.squares().find(|&square| {
        let name = shape.name(square);
        text.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_digit()))
    });
    let Some(from) = from else { return "There is no such square.".into() };
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
    uci::write(position.variant(), played)
}
