//! Parses typed commands and moves, and suggests commands for misspelled words.

use lozenge_rules::notation::san::{self, SanError};
use lozenge_rules::position::{AnyPosition, Move};

/// A command with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PlayCommand {
    Help,
    Board,
    Moves(String),
    Hint,
    Undo,
    Flip,
    View(String),
    Fen,
    Save(String),
    New(String),
    Level(String),
    Rules,
    Resign,
    Draw,
    Quit,
    /// Not a command, perhaps a move.
    Other(String),
    /// An empty line.
    Nothing,
}

/// The commands as `help` lists them, with their effects.
pub(crate) const HELP: [(&str, &str); 15] = [
    ("help", "this list"),
    ("moves [LETTER]", "the legal moves, of all pieces or one kind"),
    ("hint", "shows a good move"),
    ("undo", "takes back your last move and the reply"),
    ("board", "draws the board again"),
    ("flip", "turns the board by 180 degrees"),
    ("view [diamond|square]", "turns the board by 45 degrees"),
    ("level [N]", "the level of the engine, 0 to 13"),
    ("rules", "the rules of the game"),
    ("fen", "the position as text"),
    ("save FILE", "saves the game as PGN"),
    ("draw", "claims a draw if the rules allow it"),
    ("resign", "resigns the game"),
    ("new [N] [white|black]", "starts a new game, from starting position N, with that side"),
    ("quit", "ends the program"),
];

/// Synonyms of commands.
const ALIASES: [(&str, &str); 12] = [
    ("?", "help"),
    ("h", "help"),
    ("exit", "quit"),
    ("q", "quit"),
    ("bye", "quit"),
    ("takeback", "undo"),
    ("back", "undo"),
    ("redraw", "board"),
    ("show", "board"),
    ("legal", "moves"),
    ("restart", "new"),
    ("pgn", "save"),
];

/// Parses a line.
pub(crate) fn parse(line: &str) -> PlayCommand {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim().to_owned();
    let lower = word.to_lowercase();
    let word = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(lower.as_str(), |(_, word)| word);
    match word {
        "" => PlayCommand::Nothing,
        "help" => PlayCommand::Help,
        "board" => PlayCommand::Board,
        "moves" => PlayCommand::Moves(rest),
        "hint" => PlayCommand::Hint,
        "undo" => PlayCommand::Undo,
        "flip" => PlayCommand::Flip,
        "view" => PlayCommand::View(rest),
        "fen" => PlayCommand::Fen,
        "save" => PlayCommand::Save(rest),
        "new" => PlayCommand::New(rest),
        "level" => PlayCommand::Level(rest),
        "rules" => PlayCommand::Rules,
        "resign" => PlayCommand::Resign,
        "draw" => PlayCommand::Draw,
        "quit" => PlayCommand::Quit,
        _ => PlayCommand::Other(line.to_owned()),
    }
}

/// The most similar command, if one is similar.
pub(crate) fn nearest(word: &str) -> Option<&'static str> {
    let word: String = word.to_lowercase().chars().take(20).collect();
    let first = |help: &'static str| help.split(' ').next().unwrap_or(help);
    let names = HELP.iter().map(|(help, _)| first(help)).chain(ALIASES.iter().map(|(alias, _)| *alias));
    let near = names.filter(|name| name.len() > 1).map(|name| (strsim::osa_distance(&word, name), name));
    let (steps, name) = near.min_by_key(|(steps, _)| *steps)?;
    let begins = word.len() > 1 && name.starts_with(&word);
    (begins || steps <= 1 || (steps == 2 && name.len() > 4)).then_some(name)
}

/// Why a text is not a legal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum MoveError {
    /// It is not the notation of a move.
    Syntax,
    /// It is illegal or ambiguous; the message explains why.
    Illegal(String),
}

/// Parses a legal move in SAN or long algebraic form, in either case.
pub(crate) fn read_move(position: &AnyPosition, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let error = match san::parse(position, text) {
        Ok(read) => return Ok(read),
        Err(error) => error,
    };
    if let Some(read) = in_other_case(position, text) {
        return Ok(read);
    }
    match error {
        SanError::Syntax { .. } => Err(MoveError::Syntax),
        SanError::Ambiguous { candidates, .. } => {
            Err(MoveError::Illegal(format!("That could be {}.", candidates.join(" or "))))
        }
        SanError::Illegal(_) if text.starts_with(['O', '0']) => {
            Err(MoveError::Illegal(format!("{} is not possible here.", text.replace('0', "O"))))
        }
        SanError::Illegal(_) | SanError::Over(_) => {
            Err(MoveError::Illegal(why_illegal(position, &text.to_lowercase())))
        }
    }
}

/// `nf3` for `Nf3` and `A2B3` for `a2b3`, where that is one legal move.
fn in_other_case(position: &AnyPosition, text: &str) -> Option<Move> {
    let mut letters = text.chars();
    let first = letters.next()?.to_uppercase();
    let piece = format!("{first}{}", letters.as_str().to_lowercase());
    let all = text.to_lowercase();
    [piece, all].iter().find_map(|text| san::parse(position, text).ok())
}

/// The most likely reason why a move is illegal.
fn why_illegal(position: &AnyPosition, text: &str) -> String {
    let shape = position.variant().shape();
    let moves = position.legal_moves();
    let from = shape.squares().find(|&square| {
        let name = shape.name(square);
        text.strip_prefix(&name).is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_ascii_digit()))
    });
    let Some(from) = from else { return "There is no such legal move; `moves` lists them.".into() };
    let name = shape.name(from);
    match position.piece_at(from) {
        None => format!("There is no piece on {name}."),
        Some(piece) if piece.color() != position.turn() => format!("The piece on {name} is not yours."),
        Some(_) if moves.iter().all(|legal| legal.from != from) => {
            format!(
                "The piece on {name} has no legal move{}.",
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed_and_typos_get_suggestions() {
        assert_eq!(parse("  MOVES n "), PlayCommand::Moves("n".into()));
        assert_eq!(parse(""), PlayCommand::Nothing);
        assert_eq!(parse("save my game.pgn"), PlayCommand::Save("my game.pgn".into()));
        assert_eq!(parse("e2e4"), PlayCommand::Other("e2e4".into()));
        for (typed, expected) in
            [("hlep", "help"), ("mvoes", "moves"), ("exi", "exit"), ("udno", "undo"), ("resing", "resign")]
        {
            assert_eq!(nearest(typed), Some(expected));
        }
        assert_eq!(nearest("castle"), None);
        assert_eq!(nearest("\0\0"), None);
    }
}
