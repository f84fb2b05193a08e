//! The commands that programs leave in comments: clocks, evaluations, squares and arrows. Not here: finding
//! them.

use std::fmt;
use std::time::Duration;

/// One command of a comment, `[%name argument]`.
///
/// Display writes it with its brackets. A known command whose argument cannot be parsed is
/// [`PgnCommand::Other`].
///
/// ```
/// # use lozenge_rules::notation::pgn::PgnCommand;
/// # use std::time::Duration;
/// let clock = PgnCommand::parse("clk 1:02:03.5");
/// assert_eq!(clock, PgnCommand::Clock(Duration::from_millis(3_723_500)));
/// assert_eq!(clock.to_string(), "[%clk 1:02:03.5]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PgnCommand {
    /// `clk`: the time that the player has left after the move.
    Clock(Duration),
    /// `emt`: the time that the move took.
    MoveTime(Duration),
    /// `eval`: the judgment of an engine.
    Eval {
        /// The score, White's side.
        score: Eval,
        /// The depth of the search in plies, where it is given after a comma.
        depth: Option<u32>,
    },
    /// `csl`: squares to be marked.
    Squares(Vec<Mark>),
    /// `cal`: arrows to be drawn.
    Arrows(Vec<Arrow>),
    /// Any other command: the text between `[%` and `]`, verbatim.
    Other(String),
}

/// The score of an evaluation, from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eval {
    /// Hundredths of a pawn; digits beyond them are cut off.
    Centipawns(i32),
    /// Moves to mate or to goal, negative when Black wins.
    Mate(i32),
}

/// The color of a mark or an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Paint {
    /// `G`
    Green,
    /// `R`
    Red,
    /// `Y`
    Yellow,
    /// `B`
    Blue,
}

/// A marked square, `Gd4`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The color.
    pub paint: Paint,
    /// The square as it was written: a small letter and digits.
    pub square: String,
}

/// A drawn arrow, `Rl12a1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arrow {
    /// The color.
    pub paint: Paint,
    /// The square it begins on.
    pub from: String,
    /// The square it points to.
    pub to: String,
}

impl PgnCommand {
    /// Reads the text between `[%` and `]`.
    ///
    /// ```
    /// use lozenge_rules::notation::pgn::{Arrow, PgnCommand, Paint};
    /// let arrow = Arrow { paint: Paint::Red, from: "l12".into(), to: "a1".into() };
    /// assert_eq!(PgnCommand::parse("cal Rl12a1"), PgnCommand::Arrows(vec![arrow]));
    /// ```
    pub fn parse(inner: &str) -> PgnCommand {
        let (name, argument) = inner.split_once(|c: char| c.is_whitespace()).unwrap_or((inner, ""));
        let argument = argument.trim();
        let known = match name {
            "clk" => parse_time(argument).map(PgnCommand::Clock),
            "emt" => parse_time(argument).map(PgnCommand::MoveTime),
            "eval" => parse_eval(argument),
            "csl" => parse_list(argument, parse_mark).map(PgnCommand::Squares),
            "cal" => parse_list(argument, parse_arrow).map(PgnCommand::Arrows),
            _ => None,
        };
        known.unwrap_or_else(|| PgnCommand::Other(inner.to_owned()))
    }
}

impl fmt::Display for PgnCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PgnCommand::Clock(time) => write!(f, "[%clk {}]", Time(*time)),
            PgnCommand::MoveTime(time) => write!(f, "[%emt {}]", Time(*time)),
            PgnCommand::Eval { score, depth: None } => write!(f, "[%eval {score}]"),
            PgnCommand::Eval { score, depth: Some(depth) } => write!(f, "[%eval {score},{depth}]"),
            PgnCommand::Squares(marks) => write_list(f, "csl", marks),
            PgnCommand::Arrows(arrows) => write_list(f, "cal", arrows),
            PgnCommand::Other(inner) => write!(f, "[%{inner}]"),
        }
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Eval::Mate(moves) => write!(f, "#{moves}"),
            Eval::Centipawns(score) => {
                let sign = if score < 0 { "-" } else { "" };
                write!(f, "{sign}{}.{:02}", score.unsigned_abs() / 100, score.unsigned_abs() % 100)
            }
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.paint.letter(), self.square)
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.paint.letter(), self.from, self.to)
    }
}

impl Paint {
    fn letter(self) -> char {
        match self {
            Paint::Green => 'G',
            Paint::Red => 'R',
            Paint::Yellow => 'Y',
            Paint::Blue => 'B',
        }
    }

    fn of_letter(letter: char) -> Option<Paint> {
        [Paint::Green, Paint::Red, Paint::Yellow, Paint::Blue].into_iter().find(|p| p.letter() == letter)
    }
}

/// A time as `h:mm:ss`, with a fraction where there is one.
struct Time(Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        if self.0.subsec_nanos() == 0 {
            return Ok(());
        }
        let digits = format!("{:09}", self.0.subsec_nanos());
        write!(f, ".{}", digits.trim_end_matches('0'))
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, name: &str, items: &[impl fmt::Display]) -> fmt::Result {
    write!(f, "[%{name}")?;
    for (at, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if at == 0 { ' ' } else { ',' })?;
    }
    f.write_str("]")
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// `h:mm:ss` or `h:mm:ss.d`, up to nine digits after the point.
fn parse_time(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let mut fields = whole.split(':');
    let mut field = || fields.next().filter(|digits| is_digits(digits))?.parse::<u64>().ok();
    let (hours, minutes, seconds) = (field()?, field()?, field()?);
    if fields.next().is_some() || minutes > 59 || seconds > 59 || !is_digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let nanos = format!("{fraction:0<9}").parse().ok()?;
    let seconds = hours.checked_mul(3600)?.checked_add(minutes * 60 + seconds)?;
    Some(Duration::new(seconds, nanos))
}

/// `0.31`, `-12`, `#3`, `#-2`, each perhaps with a comma and the depth.
fn parse_eval(text: &str) -> Option<PgnCommand> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(moves) => Eval::Mate(moves.parse().ok()?),
        None => Eval::Centipawns(parse_centipawns(score)?),
    };
    Some(PgnCommand::Eval { score, depth })
}

fn parse_centipawns(text: &str) -> Option<i32> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (pawns, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    if !(is_digits(pawns) && is_digits(fraction)) {
        return None;
    }
    let hundredths: i32 = format!("{fraction:0<2}").get(..2)?.parse().ok()?;
    let score = pawns.parse::<i32>().ok()?.checked_mul(100)?.checked_add(hundredths)?;
    Some(if text.starts_with('-') { -score } else { score })
}

fn parse_list<T>(text: &str, item: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',').map(|text| item(text.trim())).collect()
}

fn parse_mark(text: &str) -> Option<Mark> {
    let (paint, rest) = split_paint(text)?;
    let (square, "") = split_square(rest)? else { return None };
    Some(Mark { paint, square: square.to_owned() })
}

fn parse_arrow(text: &str) -> Option<Arrow> {
    let (paint, rest) = split_paint(text)?;
    let (from, rest) = split_square(rest)?;
    let (to, "") = split_square(rest)? else { return None };
    Some(Arrow { paint, from: from.to_owned(), to: to.to_owned() })
}

fn split_paint(text: &str) -> Option<(Paint, &str)> {
    let letter = text.chars().next()?;
    Some((Paint::of_letter(letter)?, text.get(letter.len_utf8()..)?))
}

/// A lower-case letter with one to three digits, and the rest of the text.
fn split_square(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let good = text.starts_with(|c: char| c.is_ascii_lowercase()) && (1..=3).contains(&digits);
    good.then(|| text.split_at(1 + digits))
}
