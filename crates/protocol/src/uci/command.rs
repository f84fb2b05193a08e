//! Parses a line into a [`UciCommand`], without the rules of the game.

use crate::output::quote;
use lozenge_rules::piece::{ByColor, Color};
use lozenge_rules::seat::{BySeat, Seat};
use std::time::Duration;

/// Longest time on a clock, some three years: sums of times cannot overflow.
const MAX_MILLISECONDS: u64 = 100_000_000_000;
/// Largest limit in plies or moves.
const MAX_PLIES: u64 = 1000;

/// A line, parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum UciCommand<'l> {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: Option<&'l str>,
    },
    Position {
        fen: Option<String>,
        moves: Vec<&'l str>,
    },
    Go(Box<Go<'l>>),
    Stop,
    PonderHit,
    Quit,
    Draw,
    Eval,
    Bench {
        depth: Option<u32>,
    },
    XBoard,
    /// Ignored: an empty line, a comment, `debug`, `register`.
    Nothing,
}

/// The arguments of `go`. Moves stay text, because parsing them needs the position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Go<'l> {
    /// White's and Black's.
    pub(crate) time: ByColor<Option<Duration>>,
    pub(crate) increment: ByColor<Duration>,
    /// The same by seat in games of four, where `btime` is Blue's.
    pub(crate) seat_time: BySeat<Option<Duration>>,
    pub(crate) seat_increment: BySeat<Duration>,
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) depth: Option<u32>,
    pub(crate) nodes: Option<u64>,
    pub(crate) movetime: Option<Duration>,
    pub(crate) mate: Option<u32>,
    pub(crate) infinite: bool,
    pub(crate) ponder: bool,
    pub(crate) perft: Option<u32>,
    pub(crate) searchmoves: Option<Vec<&'l str>>,
    /// Unknown words.
    pub(crate) ignored: Vec<&'l str>,
}

/// An invalid line.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum CommandError {
    #[error("unknown command `{0}`")]
    Unknown(String),
    #[error("{command}: expected {expected}, found {found}")]
    Words { command: &'static str, expected: &'static str, found: String },
}

impl CommandError {
    /// Whether the command is `position`.
    pub(crate) fn is_of_position(&self) -> bool {
        matches!(self, Self::Words { command: "position", .. })
    }
}

impl<'l> UciCommand<'l> {
    /// Reads a line.
    pub(crate) fn parse(line: &'l str) -> Result<Self, CommandError> {
        let (word, rest) = split(line);
        let mut words = rest.split_whitespace();
        Ok(match word {
            "uci" => Self::Uci,
            "isready" => Self::IsReady,
            "ucinewgame" => Self::NewGame,
            "setoption" => set_option(rest)?,
            "position" => position(words)?,
            "go" => Self::Go(Box::new(go(words)?)),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "d" => Self::Draw,
            "eval" => Self::Eval,
            "bench" => {
                let depth = words.next().map(|word| number("bench", "a depth", Some(word))).transpose()?;
                Self::Bench { depth: depth.map(plies) }
            }
            "xboard" => Self::XBoard,
            "" | "debug" | "register" => Self::Nothing,
            _ if word.starts_with('#') => Self::Nothing,
            _ => return Err(CommandError::Unknown(quote(word).trim_matches('`').to_owned())),
        })
    }

    /// Whether it must wait for a running search to end, because it needs the engine or changes the search's input.
    pub(crate) const fn waits(&self) -> bool {
        matches!(
            self,
            Self::NewGame
                | Self::SetOption { .. }
                | Self::Position { .. }
                | Self::Go(_)
                | Self::Eval
                | Self::Bench { .. }
                | Self::XBoard
        )
    }
}

/// The first word and the rest of the line.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim_start()))
}

fn set_option(rest: &str) -> Result<UciCommand<'_>, CommandError> {
    let expected = |found: &str| CommandError::Words {
        command: "setoption",
        expected: "`name NAME` or `name NAME value VALUE`",
        found: if found.is_empty() { "nothing".into() } else { quote(found) },
    };
    let (word, mut rest) = split(rest);
    if word != "name" {
        return Err(expected(word));
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = None;
    while !rest.is_empty() {
        let (word, after) = split(rest);
        if word == "value" && !name.is_empty() {
            value = Some(after);
            break;
        }
        name.push(word);
        rest = after;
    }
    if name.is_empty() {
        return Err(expected(""));
    }
    Ok(UciCommand::SetOption { name: name.join(" "), value })
}

fn position<'l>(mut words: impl Iterator<Item = &'l str>) -> Result<UciCommand<'l>, CommandError> {
    let error = |expected, found: Option<&str>| CommandError::Words {
        command: "position",
        expected,
        found: found.map_or_else(|| "nothing".into(), quote),
    };
    let fen = match words.next() {
        Some("startpos") => match words.next() {
            None => return Ok(UciCommand::Position { fen: None, moves: Vec::new() }),
            Some("moves") => None,
            other => return Err(error("`moves` or the end of the line after `startpos`", other)),
        },
        Some("fen") => {
            let fields: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
            if fields.is_empty() {
                return Err(error("a FEN after `fen`", None));
            }
            Some(fields.join(" "))
        }
        other => return Err(error("`startpos` or `fen FEN`", other)),
    };
    Ok(UciCommand::Position { fen, moves: words.collect() })
}

fn go<'l>(words: impl Iterator<Item = &'l str>) -> Result<Go<'l>, CommandError> {
    let mut go = Go::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        let mut amount = |expected| number("go", expected, words.next());
        match word {
            "wtime" => go.time[Color::White] = Some(time(amount("milliseconds after `wtime`")?)),
            "btime" => {
                let time = Some(time(amount("milliseconds after `btime`")?));
                (go.time[Color::Black], go.seat_time[Seat::Blue]) = (time, time);
            }
            "rtime" => go.seat_time[Seat::Red] = Some(time(amount("milliseconds after `rtime`")?)),
            "ytime" => go.seat_time[Seat::Yellow] = Some(time(amount("milliseconds after `ytime`")?)),
            "gtime" => go.seat_time[Seat::Green] = Some(time(amount("milliseconds after `gtime`")?)),
            "winc" => go.increment[Color::White] = time(amount("milliseconds after `winc`")?),
            "binc" => {
                let increment = time(amount("milliseconds after `binc`")?);
                (go.increment[Color::Black], go.seat_increment[Seat::Blue]) = (increment, increment);
            }
            "rinc" => go.seat_increment[Seat::Red] = time(amount("milliseconds after `rinc`")?),
            "yinc" => go.seat_increment[Seat::Yellow] = time(amount("milliseconds after `yinc`")?),
            "ginc" => go.seat_increment[Seat::Green] = time(amount("milliseconds after `ginc`")?),
            "movestogo" => {
                let moves = amount("a number of moves after `movestogo`")?;
                go.moves_to_go = (moves > 0).then(|| plies(moves));
            }
            "depth" => go.depth = Some(plies(amount("a number of plies after `depth`")?).max(1)),
            "nodes" => go.nodes = Some(amount("a number of nodes after `nodes`")?.max(1)),
            "movetime" => go.movetime = Some(time(amount("milliseconds after `movetime`")?)),
            "mate" => go.mate = Some(plies(amount("a number of moves after `mate`")?).max(1)),
            "perft" => go.perft = Some(plies(amount("a number of plies after `perft`")?)),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            "searchmoves" => {
                let moves = go.searchmoves.get_or_insert_default();
                while let Some(word) = words.next_if(|word| !GO_WORDS.contains(word)) {
                    moves.push(word);
                }
            }
            other => go.ignored.push(other),
        }
    }
    Ok(go)
}

/// The words of `go` that end a list of moves.
const GO_WORDS: [&str; 19] = [
    "wtime",
    "btime",
    "rtime",
    "ytime",
    "gtime",
    "winc",
    "binc",
    "rinc",
    "yinc",
    "ginc",
    "movestogo",
    "depth",
    "nodes",
    "movetime",
    "mate",
    "perft",
    "infinite",
    "ponder",
    "searchmoves",
];

/// A whole number. Negative numbers (a clock that has run out) count as 0, too large ones as the largest.
fn number(command: &'static str, expected: &'static str, word: Option<&str>) -> Result<u64, CommandError> {
    let found = || word.map_or_else(|| "nothing".into(), quote);
    let error = || CommandError::Words { command, expected, found: found() };
    let word = word.ok_or_else(error)?;
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(error());
    }
    if digits.len() < word.len() {
        return Ok(0);
    }
    Ok(digits.parse().unwrap_or(u64::MAX))
}

fn time(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds.min(MAX_MILLISECONDS))
}

fn plies(number: u64) -> u32 {
    number.min(MAX_PLIES) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_may_have_spaces_in_name_and_value() {
        let set = |name: &str, value| Ok(UciCommand::SetOption { name: name.into(), value });
        assert_eq!(UciCommand::parse("setoption name Skill  Level value 5"), set("Skill Level", Some("5")));
        assert_eq!(
            UciCommand::parse(" setoption name VariantPath value /a b/c  d.toml "),
            set("VariantPath", Some("/a b/c  d.toml"))
        );
        assert_eq!(UciCommand::parse("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(UciCommand::parse("setoption name X value"), set("X", Some("")));
        assert!(UciCommand::parse("setoption").is_err());
        assert!(UciCommand::parse("setoption name").is_err());
    }

    #[test]
    fn go_takes_numbers_of_any_size() {
        let Ok(UciCommand::Go(go)) =
            UciCommand::parse("go wtime -5 btime 99999999999999999999999 depth 0 nodes 7")
        else {
            panic!("expected a go");
        };
        assert_eq!(
            go.time,
            ByColor::new(Some(Duration::ZERO), Some(Duration::from_millis(MAX_MILLISECONDS)))
        );
        assert_eq!((go.depth, go.nodes), (Some(1), Some(7)));
        assert!(UciCommand::parse("go depth").is_err());
        assert!(UciCommand::parse("go depth x").is_err());
        assert!(UciCommand::parse("go movetime -").is_err());
    }

    #[test]
    fn searchmoves_end_at_the_next_keyword() {
        let Ok(UciCommand::Go(go)) = UciCommand::parse("go searchmoves a1a2 b1b2 depth 3 quickly") else {
            panic!("expected a go");
        };
        assert_eq!(go.searchmoves, Some(vec!["a1a2", "b1b2"]));
        assert_eq!((go.depth, go.ignored), (Some(3), vec!["quickly"]));
    }

    #[test]
    fn fields_of_a_fen_end_at_the_moves() {
        let Ok(UciCommand::Position { fen, moves }) = UciCommand::parse("position fen 8/8 w - - moves a1a2")
        else {
            panic!("expected a position");
        };
        assert_eq!((fen.as_deref(), moves), (Some("8/8 w - -"), vec!["a1a2"]));
        for wrong in
            ["position", "position fen", "position fen moves a1a2", "position startpos a1a2", "position x"]
        {
            assert!(UciCommand::parse(wrong).is_err(), "{wrong}");
        }
    }
}
