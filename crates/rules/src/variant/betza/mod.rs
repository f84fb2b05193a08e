//! Betza notation: from text to atoms. `compile` works out the squares that an atom reaches on a board.
//!
//! ```text
//! moves    = { group }
//! group    = modifiers ( atom [ range ] | path )
//! path     = "[" leg { ( "-" | "?" ) leg } "]"      a move of several legs, see `legs`
//! atom     = W F D N A H C Z G   leaps (1,0) (1,1) (2,0) (2,1) (2,2) (3,0) (3,1) (3,2) (3,3)
//!          | "(" m "," n ")"     any other leap
//!          | K = WF   R = W0   B = F0   Q = W0F0
//! range    = number              the most steps; 0: without limit
//!          | the atom's letter again: the same as 0 (NN is the nightrider)
//! modifiers: directions f b l r v s h in the player's frame; m only moves, c only captures,
//!            i only as the piece's first move; j jumps, n does not leap, p hops over one piece,
//!            g hops and lands right behind; z turns left and right by turns at every step.
//! ```
//! Source of the notation: Ralph Betza's "funny notation" and its extensions by XBoard and by the
//! Interactive Diagram of the Chess Variant Pages (XBetza: the brackets); the letters here mean what
//! they mean there. `docs/variants/betza.md` explains them with pictures.

mod legs;

pub use legs::{Leg, MAX_LEGS};

use crate::geometry::{Frame, Vector};

/// Longest text of moves for one piece, in bytes.
pub const MAX_TEXT: usize = 200;

/// Largest coordinate of a leap: no board is larger.
const MAX_LEAP: u8 = 15;

/// A leap: its larger and its smaller coordinate.
pub type Leap = (u8, u8);

/// One group of moves: the steps of one kind of leap, how often, and on what terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Atom {
    /// The leap's larger and smaller coordinate.
    pub leap: Leap,
    /// Which of the leap's directions; empty: all.
    pub directions: Vec<Direction>,
    /// How many times the step may be repeated; `None`: until something is in the way.
    pub range: Option<u8>,
    /// May go to an empty square.
    pub quiet: bool,
    /// May capture.
    pub capture: bool,
    /// Only as the piece's first move.
    pub initial: bool,
    /// How it treats pieces on the way.
    pub manner: Manner,
    /// `z`: every step after the first turns by a right angle, left and right by turns.
    pub crooked: bool,
    /// Further legs of the same move, each in a direction that follows from the leg before.
    pub then: Vec<Leg>,
}

/// How a move treats the squares between its start and its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// One step leaps; repeated steps need empty squares between them.
    Free,
    /// `n`: a leap that needs the squares on its way empty (the horse of xiangqi).
    Lame,
    /// `j`: a leap of two that needs a piece in the middle; a rider that skips its first square.
    Jump,
    /// `p`: hops over exactly one piece, landing anywhere beyond (the cannon's capture).
    HopOne,
    /// `g`: hops over exactly one piece, landing on the square right behind it (the grasshopper).
    HopBehind,
}

/// A directional modifier: one letter, or two that belong together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// `f`, `b`, `l` or `r`.
    One(Side),
    /// `v`: forward and backward.
    Vertical,
    /// `s`: left and right.
    Sideways,
    /// Two letters, such as `fl` or `rf`: on an oblique leap the order counts.
    Two(Side, Side),
    /// `fs` or `bs`: on an oblique leap the wide pair on that side; elsewhere both letters' moves.
    Wide(Side),
    /// `fh`, `bh`, `lh`, `rh`: the half of the moves on that side.
    Half(Side),
}

/// One of the four sides in the player's frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// `f`
    Forward,
    /// `b`
    Backward,
    /// `l`
    Left,
    /// `r`
    Right,
}

/// A fault in a text of moves, and its byte offset.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct BetzaError {
    /// Byte offset into the text.
    pub at: usize,
    /// A description of the text allowed there.
    pub expected: &'static str,
    /// The text found, or a description of it.
    pub found: String,
}

/// Reads moves in Betza notation.
///
/// ```
/// use lozenge_rules::variant::betza::parse;
/// assert_eq!(parse("mfFcfW").unwrap().len(), 2);
/// assert_eq!(parse("mfX").unwrap_err().at, 2);
/// ```
///
/// # Errors
/// The first place where the text is not Betza notation as described above.
pub fn parse(text: &str) -> Result<Vec<Atom>, BetzaError> {
    let mut reader = AtomReader { text, at: 0 };
    if text.len() > MAX_TEXT {
        return Err(reader.error("at most 200 letters of moves"));
    }
    let mut atoms = Vec::new();
    while reader.at < text.len() {
        reader.group(&mut atoms)?;
    }
    Ok(atoms)
}

struct AtomReader<'a> {
    text: &'a str,
    at: usize,
}

#[derive(Default)]
struct Modifiers {
    directions: Vec<Direction>,
    quiet: bool,
    capture: bool,
    initial: bool,
    manner: Option<(Manner, usize)>,
    crooked: Option<usize>,
}

impl AtomReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn error(&self, expected: &'static str) -> BetzaError {
        let found = match self.text[self.at..].chars().next() {
            Some(letter) => format!("`{letter}`"),
            None => "the end".into(),
        };
        BetzaError { at: self.at, expected, found }
    }

    fn group(&mut self, atoms: &mut Vec<Atom>) -> Result<(), BetzaError> {
        let start = self.at;
        let modifiers = self.modifiers()?;
        if self.peek() == Some(b'[') {
            return self.path(start, &modifiers, atoms);
        }
        let letter = self.peek();
        let leaps = self.atom()?;
        let range = self.range(letter)?;
        for (leap, rides) in leaps {
            let range = steps_of(range, rides);
            if let Some(at) = modifiers.crooked {
                check_crooked(leap, range).map_err(|expected| self.error_in(at, expected))?;
            }
            let (manner, at) = modifiers.manner.unwrap_or((Manner::Free, self.at));
            check_manner(manner, leap, range).map_err(|expected| self.error_in(at, expected))?;
            let both = modifiers.quiet == modifiers.capture;
            atoms.push(Atom {
                leap,
                directions: modifiers.directions.clone(),
                range,
                quiet: both || modifiers.quiet,
                capture: both || modifiers.capture,
                initial: modifiers.initial,
                manner,
                crooked: modifiers.crooked.is_some(),
                then: Vec::new(),
            });
        }
        Ok(())
    }

    /// A fault of everything from `at` to where the reader is.
    fn error_in(&self, at: usize, expected: &'static str) -> BetzaError {
        BetzaError { at, expected, found: format!("`{}`", &self.text[at..self.at]) }
    }

    fn modifiers(&mut self) -> Result<Modifiers, BetzaError> {
        let mut modifiers = Modifiers::default();
        while let Some(letter @ b'a'..=b'z') = self.peek() {
            match letter {
                b'm' => modifiers.quiet = true,
                b'c' => modifiers.capture = true,
                b'i' => modifiers.initial = true,
                b'j' | b'n' | b'p' | b'g' if modifiers.manner.is_some() => {
                    return Err(self.error("only one of j, n, p and g"));
                }
                b'j' => modifiers.manner = Some((Manner::Jump, self.at)),
                b'n' => modifiers.manner = Some((Manner::Lame, self.at)),
                b'p' => modifiers.manner = Some((Manner::HopOne, self.at)),
                b'g' => modifiers.manner = Some((Manner::HopBehind, self.at)),
                b'z' => modifiers.crooked = Some(self.at),
                _ => {
                    modifiers.directions.push(self.direction()?);
                    continue;
                }
            }
            self.at += 1;
        }
        Ok(modifiers)
    }

    fn direction(&mut self) -> Result<Direction, BetzaError> {
        let letter = self.peek().unwrap_or(b' ');
        self.at += 1;
        if letter == b'v' {
            return Ok(Direction::Vertical);
        }
        if letter == b's' {
            return Ok(Direction::Sideways);
        }
        let Some(side) = side(letter) else {
            self.at -= 1;
            return Err(self.error("a modifier (f b l r v s h m c i j n p g z) or an atom"));
        };
        let direction = match self.peek() {
            Some(b'h') => Direction::Half(side),
            Some(b's') if is_vertical(side) => Direction::Wide(side),
            Some(next) => match self::side(next) {
                Some(other) if is_vertical(side) != is_vertical(other) || side == other => {
                    Direction::Two(side, other)
                }
                _ => return Ok(Direction::One(side)),
            },
            None => return Ok(Direction::One(side)),
        };
        self.at += 1;
        Ok(direction)
    }

    /// The leaps of an atom, and whether it is a rider by its letter.
    fn atom(&mut self) -> Result<Vec<(Leap, bool)>, BetzaError> {
        const EXPECTED: &str = "an atom: W F D N A H C Z G K R B Q or (m,n)";
        let leaps = match self.peek() {
            Some(b'W') => vec![((1, 0), false)],
            Some(b'F') => vec![((1, 1), false)],
            Some(b'D') => vec![((2, 0), false)],
            Some(b'N') => vec![((2, 1), false)],
            Some(b'A') => vec![((2, 2), false)],
            Some(b'H') => vec![((3, 0), false)],
            Some(b'C') => vec![((3, 1), false)],
            Some(b'Z') => vec![((3, 2), false)],
            Some(b'G') => vec![((3, 3), false)],
            Some(b'K') => vec![((1, 0), false), ((1, 1), false)],
            Some(b'R') => vec![((1, 0), true)],
            Some(b'B') => vec![((1, 1), true)],
            Some(b'Q') => vec![((1, 0), true), ((1, 1), true)],
            Some(b'(') => return self.tuple().map(|leap| vec![(leap, false)]),
            _ => return Err(self.error(EXPECTED)),
        };
        self.at += 1;
        Ok(leaps)
    }

    fn tuple(&mut self) -> Result<Leap, BetzaError> {
        self.expect(b'(', "`(`")?;
        let first = self.number("a number from 0 to 15", MAX_LEAP)?;
        self.expect(b',', "`,`")?;
        let second = self.number("a number from 0 to 15", MAX_LEAP)?;
        if (first, second) == (0, 0) {
            return Err(self.error("a leap other than (0,0)"));
        }
        self.expect(b')', "`)`")?;
        Ok((first.max(second), first.min(second)))
    }

    fn expect(&mut self, letter: u8, expected: &'static str) -> Result<(), BetzaError> {
        if self.peek() != Some(letter) {
            return Err(self.error(expected));
        }
        self.at += 1;
        Ok(())
    }

    fn number(&mut self, expected: &'static str, most: u8) -> Result<u8, BetzaError> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        let number = self.text[start..self.at].parse().ok().filter(|&number| number <= most);
        match number {
            Some(number) => Ok(number),
            None if self.at == start => Err(self.error(expected)),
            None => Err(self.error_in(start, expected)),
        }
    }

    fn range(&mut self, atom: Option<u8>) -> Result<Option<u8>, BetzaError> {
        match self.peek() {
            Some(b'0'..=b'9') => self.number("a range from 0 to 255", u8::MAX).map(Some),
            again
                if again == atom
                    && matches!(
                        again,
                        Some(b'W' | b'F' | b'D' | b'N' | b'A' | b'H' | b'C' | b'Z' | b'G')
                    ) =>
            {
                self.at += 1;
                Ok(Some(0))
            }
            _ => Ok(None),
        }
    }
}

const fn side(letter: u8) -> Option<Side> {
    match letter {
        b'f' => Some(Side::Forward),
        b'b' => Some(Side::Backward),
        b'l' => Some(Side::Left),
        b'r' => Some(Side::Right),
        _ => None,
    }
}

const fn is_vertical(side: Side) -> bool {
    matches!(side, Side::Forward | Side::Backward)
}

/// Checks that a manner makes sense for the leap; otherwise describes the leaps that the manner needs.
fn check_manner(manner: Manner, (m, n): (u8, u8), range: Option<u8>) -> Result<(), &'static str> {
    let adjacent = m == 1;
    let straight = n == 0 || n == m;
    match manner {
        Manner::Lame if range != Some(1) || adjacent || !(straight || (m, n) == (2, 1)) => {
            Err("`n` before a single leap with squares between: D A H G N or a straight (m,n)")
        }
        Manner::Jump if range == Some(1) && !(straight && m == 2) => {
            Err("`j` before D or A (a leap over one square) or before a rider")
        }
        Manner::HopOne | Manner::HopBehind if range == Some(1) => {
            Err("a rider after `p` or `g`: they hop along a line")
        }
        _ => Ok(()),
    }
}

/// A crooked rider needs steps that can turn by a right angle and be of the same kind.
fn check_crooked((m, n): Leap, range: Option<u8>) -> Result<(), &'static str> {
    if range == Some(1) || !(n == 0 || n == m) {
        return Err("a rider along files and ranks or diagonals after `z`: zR zB zW3 zDD");
    }
    Ok(())
}

/// How many steps a range after an atom means; `rides`: the atom is a rider by its letter.
const fn steps_of(range: Option<u8>, rides: bool) -> Option<u8> {
    match range {
        Some(0) => None,
        Some(limit) => Some(limit),
        None if rides => None,
        None => Some(1),
    }
}

impl Atom {
    /// The atom's single steps on the board for a player with this frame: the first ones, if it has
    /// several legs.
    #[must_use]
    pub fn steps(&self, frame: Frame) -> Vec<Vector> {
        steps(self.leap, &self.directions, frame)
    }
}

/// The steps of a leap in some directions (none: all) of a frame.
fn steps((m, n): Leap, directions: &[Direction], frame: Frame) -> Vec<Vector> {
    let (m, n) = (m as i8, n as i8);
    let mut steps = Vec::with_capacity(8);
    for (dx, dy) in [(n, m), (m, n), (m, -n), (n, -m), (-n, -m), (-m, -n), (-m, n), (-n, m)] {
        let step = Vector::new(dx, dy);
        let wanted = directions.is_empty()
            || directions.iter().any(|direction| direction.selects(frame.relative(step)));
        if wanted && !steps.contains(&step) {
            steps.push(step);
        }
    }
    steps
}

impl Direction {
    /// Whether a step that the player sees as (right, forward) goes in this direction. How letters
    /// combine depends on how the step lies in the frame: along an axis, along a diagonal, oblique.
    #[must_use]
    pub fn selects(self, (right, forward): (i32, i32)) -> bool {
        let towards = |side: Side| match side {
            Side::Forward => forward > 0,
            Side::Backward => forward < 0,
            Side::Left => right < 0,
            Side::Right => right > 0,
        };
        let (along, across) = (forward.abs(), right.abs());
        let on_axis = along == 0 || across == 0;
        let oblique = !on_axis && along != across;
        match self {
            Self::One(side) if oblique => towards(side) && is_vertical(side) == (along > across),
            Self::One(side) | Self::Half(side) => towards(side),
            Self::Vertical if oblique => along > across,
            Self::Vertical => forward != 0,
            Self::Sideways if oblique => across > along,
            Self::Sideways => right != 0,
            Self::Two(first, second) if on_axis => towards(first) || towards(second),
            Self::Two(first, second) if oblique && first == second => {
                Self::One(first).selects((right, forward))
            }
            Self::Two(first, second) if oblique => {
                towards(first) && towards(second) && is_vertical(second) == (along > across)
            }
            Self::Two(first, second) => towards(first) && towards(second),
            Self::Wide(side) if oblique => towards(side) && across > along,
            Self::Wide(side) => towards(side) || right != 0,
        }
    }
}
