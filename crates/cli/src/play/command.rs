//! What can be typed: the commands, and what was probably meant by a word that is none.

/// A command with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Command {
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
    /// No command: perhaps a move.
    Other(String),
    /// An empty line.
    Nothing,
}

/// The commands as `help` lists them: what is typed, and what it does.
pub(crate) const HELP: [(&str, &str); 15] = [
    ("help", "this list"),
    ("moves [LETTER]", "the legal moves, by man; of one kind of man only"),
    ("hint", "what the engine would play for you"),
    ("undo", "takes back your last move and the answer"),
    ("board", "draws the board again"),
    ("flip", "turns the board round"),
    ("view [diamond|square]", "turns the board by 45 degrees"),
    ("level [N]", "how well the engine plays, 0 to 13"),
    ("rules", "the rules of the game"),
    ("fen", "the position as text"),
    ("save FILE", "writes the game to a file (PGN)"),
    ("draw", "claims a draw, where the rules allow it"),
    ("resign", "gives up"),
    ("new [N] [white|black]", "another game, from starting position N, with that side"),
    ("quit", "leaves"),
];

/// Other words for the same.
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

/// Reads a line.
pub(crate) fn parse(line: &str) -> Command {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim().to_owned();
    let lower = word.to_lowercase();
    let word = ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(lower.as_str(), |(_, word)| word);
    match word {
        "" => Command::Nothing,
        "help" => Command::Help,
        "board" => Command::Board,
        "moves" => Command::Moves(rest),
        "hint" => Command::Hint,
        "undo" => Command::Undo,
        "flip" => Command::Flip,
        "view" => Command::View(rest),
        "fen" => Command::Fen,
        "save" => Command::Save(rest),
        "new" => Command::New(rest),
        "level" => Command::Level(rest),
        "rules" => Command::Rules,
        "resign" => Command::Resign,
        "draw" => Command::Draw,
        "quit" => Command::Quit,
        _ => Command::Other(line.to_owned()),
    }
}

/// The command that is nearest to a word, if one is near.
pub(crate) fn nearest(word: &str) -> Option<&'static str> {
    let word: String = word.to_lowercase().chars().take(20).collect();
    let first = |help: &'static str| help.split(' ').next().unwrap_or(help);
    let names = HELP.iter().map(|(help, _)| first(help)).chain(ALIASES.iter().map(|(alias, _)| *alias));
    let near = names.filter(|name| name.len() > 1).map(|name| (strsim::osa_distance(&word, name), name));
    let (steps, name) = near.min_by_key(|(steps, _)| *steps)?;
    let begins = word.len() > 1 && name.starts_with(&word);
    (begins || steps <= 1 || (steps == 2 && name.len() > 4)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(parse("  MOVES n "), Command::Moves("n".into()));
        assert_eq!(parse(""), Command::Nothing);
        assert_eq!(parse("save my game.pgn"), Command::Save("my game.pgn".into()));
        assert_eq!(parse("e2e4"), Command::Other("e2e4".into()));
        for (typed, meant) in
            [("hlep", "help"), ("mvoes", "moves"), ("exi", "exit"), ("udno", "undo"), ("resing", "resign")]
        {
            assert_eq!(nearest(typed), Some(meant));
        }
        assert_eq!(nearest("castle"), None);
        assert_eq!(nearest("\0\0"), None);
    }
}
