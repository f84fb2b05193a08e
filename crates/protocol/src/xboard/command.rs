//! Parses a line into an [`XboardCommand`], without the rules of the game.

use crate::output::quote;
use std::time::Duration;

/// Longest time on a clock, some three years: sums of times cannot overflow.
const MAX_SECONDS: f64 = 1e8;
/// Largest limit in plies or moves.
const MAX_PLIES: u64 = 1000;

/// A line, parsed.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum XboardCommand<'l> {
    Uci,
    Protover,
    New,
    Variant(&'l str),
    Quit,
    Force,
    Go,
    PlayOther,
    Level(Level),
    /// An exact time for each move.
    MoveTime(Duration),
    Depth(u32),
    /// The engine's clock.
    Time(Duration),
    /// The opponent's clock.
    OpponentTime(Duration),
    Move(&'l str),
    MoveNow,
    Ping(&'l str),
    Draw,
    Result,
    SetBoard(&'l str),
    Hint,
    Book,
    Undo,
    Remove,
    Ponder(bool),
    Post(bool),
    /// The opponent is a program.
    Computer,
    Analyze,
    Exit,
    Status,
    Memory(&'l str),
    Cores(&'l str),
    Option {
        name: &'l str,
        value: Option<&'l str>,
    },
    /// `None`: all moves.
    Exclude(Option<&'l str>),
    Include(Option<&'l str>),
    /// A piece is picked up in the GUI.
    Lift(&'l str),
    /// The piece is put down.
    Put(&'l str),
    /// The board drawn with letters.
    Board,
    Eval,
    Perft(u32),
    /// Ignored: an empty line, a comment, a line about the opponent's name.
    Nothing,
}

/// A time control: a number of moves (0: all), their time, and an increment for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    pub(crate) moves: u32,
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

/// An invalid line: `Error (reason): line`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("Error ({reason}): {line}")]
pub(crate) struct CommandError {
    reason: &'static str,
    line: String,
}

impl CommandError {
    /// An error in a line.
    pub(crate) fn new(reason: &'static str, line: &str) -> Self {
        let line = crate::output::one_line(quote(line.trim()).trim_matches('`'));
        Self { reason, line }
    }
}

impl<'l> XboardCommand<'l> {
    /// Reads a line.
    pub(crate) fn parse(line: &'l str) -> Result<Self, CommandError> {
        let line = line.trim();
        let (word, rest) =
            line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        let needs = |reason| CommandError::new(reason, line);
        let text = |reason| if rest.is_empty() { Err(needs(reason)) } else { Ok(rest) };
        Ok(match word {
            "uci" => Self::Uci,
            "protover" => Self::Protover,
            "new" => Self::New,
            "variant" => Self::Variant(text("expected the name of a variant")?),
            "quit" => Self::Quit,
            "force" => Self::Force,
            "go" => Self::Go,
            "playother" => Self::PlayOther,
            "level" => Self::Level(level(rest).ok_or_else(|| needs("expected `level MOVES BASE INC`"))?),
            "st" => Self::MoveTime(seconds(rest).ok_or_else(|| needs("expected seconds"))?),
            "sd" => Self::Depth(plies(rest).ok_or_else(|| needs("expected a depth"))?),
            // XBoard sends this instead of `sd` to engines that reject `sd`.
            "depth" => Self::Depth(plies(rest).ok_or_else(|| needs("expected a depth"))?),
            "time" => Self::Time(centiseconds(rest).ok_or_else(|| needs("expected centiseconds"))?),
            "otim" => Self::OpponentTime(centiseconds(rest).ok_or_else(|| needs("expected centiseconds"))?),
            "usermove" => Self::Move(text("expected a move")?),
            "?" => Self::MoveNow,
            "ping" => Self::Ping(rest),
            "draw" => Self::Draw,
            "result" => Self::Result,
            "setboard" => Self::SetBoard(text("expected a FEN")?),
            "hint" => Self::Hint,
            "bk" => Self::Book,
            "undo" => Self::Undo,
            "remove" => Self::Remove,
            "hard" => Self::Ponder(true),
            "easy" => Self::Ponder(false),
            "post" => Self::Post(true),
            "nopost" => Self::Post(false),
            "computer" => Self::Computer,
            "analyze" | "analyse" => Self::Analyze,
            "exit" => Self::Exit,
            "." => Self::Status,
            "memory" => Self::Memory(text("expected a size in MiB")?),
            "cores" => Self::Cores(text("expected a number of threads")?),
            "option" => option(text("expected `option NAME` or `option NAME=VALUE`")?),
            "exclude" => Self::Exclude(moves(text("expected a move or `all`")?)),
            "include" => Self::Include(moves(text("expected a move or `all`")?)),
            "lift" => Self::Lift(rest),
            "put" => Self::Put(rest),
            "d" => Self::Board,
            "eval" => Self::Eval,
            "perft" => Self::Perft(plies(rest).ok_or_else(|| needs("expected a depth"))?),
            "" | "xboard" | "accepted" | "rejected" | "random" | "name" | "rating" | "ics" | "hover" => {
                Self::Nothing
            }
            _ if word.starts_with('#') => Self::Nothing,
            _ if rest.is_empty() && looks_like_a_move(word) => Self::Move(word),
            _ => return Err(needs("unknown command")),
        })
    }
}

fn option(rest: &str) -> XboardCommand<'_> {
    match rest.split_once('=') {
        Some((name, value)) => XboardCommand::Option { name: name.trim(), value: Some(value.trim()) },
        None => XboardCommand::Option { name: rest, value: None },
    }
}

fn moves(rest: &str) -> Option<&str> {
    (rest != "all").then_some(rest)
}

/// `40 5 0`, `40 0:30 0`, `0 2 12`. Text after the minutes and seconds is reserved for later versions of the protocol.
fn level(rest: &str) -> Option<Level> {
    let mut words = rest.split_whitespace();
    let moves = words.next()?.parse().ok()?;
    let base = words.next()?;
    let until = base.find(|letter: char| !letter.is_ascii_digit() && !".:".contains(letter));
    let base = &base[..until.unwrap_or(base.len())];
    let (minutes, rest) = base.split_once(':').unwrap_or((base, "0"));
    let base = positive(minutes)? * 60.0 + positive(rest)?;
    let increment = words.next().map_or(Some(0.0), positive)?;
    Some(Level { moves, base: duration(base), increment: duration(increment) })
}

fn seconds(word: &str) -> Option<Duration> {
    positive(word.split_whitespace().next()?).map(duration)
}

/// Centiseconds. A clock that has run out may be negative, which counts as 0.
fn centiseconds(word: &str) -> Option<Duration> {
    let word = word.split_whitespace().next()?;
    let hundredths =
        word.strip_prefix('-').map_or_else(|| positive(word), |rest| positive(rest).map(|_| 0.0))?;
    Some(duration(hundredths / 100.0))
}

/// A number that is not negative.
fn positive(word: &str) -> Option<f64> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    word.parse().ok().filter(|number: &f64| digits && number.is_finite())
}

fn duration(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.min(MAX_SECONDS))
}

fn plies(rest: &str) -> Option<u32> {
    let word = rest.split_whitespace().next()?;
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().unwrap_or(u64::MAX).min(MAX_PLIES) as u32)
}

/// Two squares and perhaps a letter: a move as sent by a GUI without `usermove`.
fn looks_like_a_move(word: &str) -> bool {
    let square = |text: &str| {
        let digits = text.get(1..)?.bytes().take_while(u8::is_ascii_digit).count();
        (text.as_bytes()[0].is_ascii_lowercase() && digits > 0).then_some(1 + digits)
    };
    word.len() <= 8
        && square(word).is_some_and(|first| {
            square(&word[first..]).is_some_and(|second| word.len() <= first + second + 1)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level_of(line: &str) -> Option<(u32, u128, u128)> {
        match XboardCommand::parse(line) {
            Ok(XboardCommand::Level(Level { moves, base, increment })) => {
                Some((moves, base.as_millis(), increment.as_millis()))
            }
            _ => None,
        }
    }

    #[test]
    fn all_forms_of_level_are_parsed() {
        assert_eq!(level_of("level 40 5 0"), Some((40, 300_000, 0)));
        assert_eq!(level_of("level 40 0:30 0"), Some((40, 30_000, 0)));
        assert_eq!(level_of("level 0 2 12"), Some((0, 120_000, 12_000)));
        assert_eq!(level_of("level 40 25+5 0"), Some((40, 1_500_000, 0)));
        assert_eq!(level_of("level 0 0:05 0.1"), Some((0, 5_000, 100)));
        assert_eq!(level_of("level 0 1"), Some((0, 60_000, 0)));
        for wrong in ["level", "level 40", "level x 5 0", "level 40 x 0", "level 40 5 -1", "level -1 5 0"] {
            assert!(XboardCommand::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn clocks_are_bounded() {
        let most = Duration::from_secs(MAX_SECONDS as u64);
        assert_eq!(XboardCommand::parse("time -50"), Ok(XboardCommand::Time(Duration::ZERO)));
        assert_eq!(XboardCommand::parse("time 99999999999999999999999999"), Ok(XboardCommand::Time(most)));
        assert_eq!(
            XboardCommand::parse("otim 150"),
            Ok(XboardCommand::OpponentTime(Duration::from_millis(1500)))
        );
        assert_eq!(XboardCommand::parse("st 0.5"), Ok(XboardCommand::MoveTime(Duration::from_millis(500))));
        for wrong in ["time", "time x", "time inf", "time NaN", "time 1e9", "st -1", "sd -1", "sd"] {
            assert!(XboardCommand::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn bare_move_is_parsed() {
        for text in ["e2e4", "j9j10", "l12a1", "e7e8q"] {
            assert_eq!(XboardCommand::parse(text), Ok(XboardCommand::Move(text)));
        }
        for text in ["e2", "e2e4qq", "hello", "é2e4", "e2e4 e5"] {
            let Err(error) = XboardCommand::parse(text) else { panic!("{text}") };
            assert_eq!(error.to_string(), format!("Error (unknown command): {text}"));
        }
    }

    #[test]
    fn option_value_may_be_missing() {
        let option = |name, value| Ok(XboardCommand::Option { name, value });
        assert_eq!(XboardCommand::parse("option Skill Level=5"), option("Skill Level", Some("5")));
        assert_eq!(
            XboardCommand::parse("option VariantPath=/a b=c.toml"),
            option("VariantPath", Some("/a b=c.toml"))
        );
        assert_eq!(XboardCommand::parse("option Clear Hash"), option("Clear Hash", None));
    }
}
