//! Books: many games of one variant as bytes, one byte a move. A file is a line of text and records:
//!
//! ```text
//! lozenge book 1 diamond nodes=2000 plies=8 seed=1
//! record = length start result check moves
//! ```
//!
//! `length` (two bytes, the lower first, as in all numbers) is that of `moves`; `start` (one byte) is the number of the starting
//! position; `result` (one byte) is 0 if Black won, 1 for a draw, 2 if White won; `check` (four bytes) is the lower half of the
//! key of the last position. A move is its index among the sorted legal moves: one byte, or 255 and two bytes from 255 on.
//!
//! The check distinguishes a book of other rules, and nearly every damaged one, from a good one: moves are indices, which mean
//! something in any game.

use crate::position::{AnyPosition, Color, Game, Move, Outcome};
use crate::variant::Variant;
use std::sync::Arc;

/// How the first line begins, before the variant's id.
const HEADING: &str = "lozenge book 1 ";
/// Bytes of a record before its moves.
const FIXED: usize = 8;
/// The byte of a move whose index follows in two.
const ESCAPE: u8 = 255;

/// Why bytes are not a book, or a record not a game of its variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// The first line is another.
    #[error("expected a first line that begins with `{HEADING}` and the id of a game")]
    Heading,
    /// The last record is not whole.
    #[error("expected whole records, found {0} more bytes")]
    Cut(usize),
    /// There is no such starting position.
    #[error("expected the number of a starting position, found {0}")]
    Start(u8),
    /// The result is invalid, or the rules have another for the last position.
    #[error("expected the result of the game, found {0}")]
    Result(u8),
    /// A move is illegal.
    #[error("expected one of the {legal} legal moves at ply {ply}, found number {index}")]
    Move {
        /// Plies before it.
        ply: usize,
        /// How many legal moves there are.
        legal: usize,
        /// The index that was read.
        index: usize,
    },
    /// The moves lead to another position: the rules have changed, or the book is damaged.
    #[error("expected moves that lead to the position with the recorded key, found another")]
    Check,
}

/// A book that has been split into its records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Book<'b> {
    /// Id of the variant.
    pub variant: &'b str,
    /// How its games were made.
    pub settings: &'b str,
    records: Vec<&'b [u8]>,
}

/// A game of a book.
#[derive(Clone, Debug)]
pub struct BookGame {
    /// The moves.
    pub game: Game,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
}

/// Whether bytes begin as a book does.
///
/// ```
/// use lozenge_rules::notation::book;
/// assert!(!book::is_book(b"[Event \"Casual\"]"));
/// ```
#[must_use]
pub fn is_book(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADING.as_bytes())
}

/// The first line of a book, with its line feed.
///
/// ```
/// use lozenge_rules::{library, notation::book};
/// let heading = book::heading(&library::game("diamond").unwrap(), "5 ms a move");
/// assert!(heading.ends_with(" diamond 5 ms a move\n"));
/// assert!(book::is_book(heading.as_bytes()));
/// ```
#[must_use]
pub fn heading(variant: &Variant, settings: &str) -> String {
    format!("{HEADING}{} {settings}\n", variant.id())
}

/// The record of a game that began with this starting position; `None` if it is too long for one.
///
/// ```
/// use lozenge_rules::{library, notation::{book, san}, position::{Color, Game}};
/// let chess = library::game("chess").unwrap();
/// let mut game = Game::new(&chess);
/// for text in ["f3", "e5", "g4", "Qh4"] {
///     game.play(san::parse(game.position(), text).unwrap()).unwrap();
/// }
/// let mut bytes = book::heading(&chess, "by hand").into_bytes();
/// bytes.extend(book::encode(&game, 0, Some(Color::Black)).unwrap());
///
/// let book = book::Book::parse(&bytes).unwrap();
/// let read = book.game(&chess, 0).unwrap().unwrap();
/// assert_eq!((read.game.moves(), read.winner), (game.moves(), Some(Color::Black)));
/// ```
#[must_use]
pub fn encode(game: &Game, start: u8, winner: Option<Color>) -> Option<Vec<u8>> {
    let mut moves = Vec::with_capacity(game.moves().len());
    for (position, played) in game.positions().zip(game.moves()) {
        let index = sorted(&position).iter().position(|legal| legal == played)?;
        match u8::try_from(index) {
            Ok(byte) if byte != ESCAPE => moves.push(byte),
            _ => {
                moves.push(ESCAPE);
                moves.extend_from_slice(&u16::try_from(index).ok()?.to_le_bytes());
            }
        }
    }
    let mut record = u16::try_from(moves.len()).ok()?.to_le_bytes().to_vec();
    record.extend([start, result(winner)]);
    record.extend_from_slice(&check(game.position()).to_le_bytes());
    record.extend_from_slice(&moves);
    Some(record)
}

impl<'b> Book<'b> {
    /// Splits a book into its records, without looking at the games.
    ///
    /// # Errors
    /// If these bytes are not a book, or end within a record.
    pub fn parse(bytes: &'b [u8]) -> Result<Self, BookError> {
        let (book, rest) = Self::parse_whole(bytes)?;
        if rest > 0 { Err(BookError::Cut(rest)) } else { Ok(book) }
    }

    /// The same, and how many bytes of an unfinished record follow: an interrupted run leaves them.
    ///
    /// # Errors
    /// If these bytes are not a book.
    pub fn parse_whole(bytes: &'b [u8]) -> Result<(Self, usize), BookError> {
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(BookError::Heading)?;
        let line = std::str::from_utf8(&bytes[..end]).map_err(|_| BookError::Heading)?;
        let line = line.strip_prefix(HEADING).ok_or(BookError::Heading)?;
        let (variant, settings) = line.split_once(' ').ok_or(BookError::Heading)?;
        let (mut rest, mut records) = (&bytes[end + 1..], Vec::new());
        while let Some(length) = rest.first_chunk::<2>() {
            let length = FIXED + usize::from(u16::from_le_bytes(*length));
            let Some((record, after)) = rest.split_at_checked(length) else { break };
            records.push(record);
            rest = after;
        }
        Ok((Self { variant, settings, records }, rest.len()))
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether the book has no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Reads a game, whose variant must be the book's; `None` if there are fewer.
    ///
    /// # Errors
    /// If the record is not a game of the variant.
    pub fn game(&self, variant: &Arc<Variant>, number: usize) -> Option<Result<BookGame, BookError>> {
        self.records.get(number).map(|record| decode(variant, record))
    }
}

fn decode(variant: &Arc<Variant>, record: &[u8]) -> Result<BookGame, BookError> {
    let (fixed, mut moves) = record.split_first_chunk::<FIXED>().ok_or(BookError::Cut(record.len()))?;
    let [_, _, start, ended, recorded @ ..] = *fixed;
    let start = AnyPosition::start_number(variant, usize::from(start)).ok_or(BookError::Start(start))?;
    let mut game = Game::from_position(start);
    while let Some((&byte, rest)) = moves.split_first() {
        let (index, rest) = match (byte, rest.split_first_chunk::<2>()) {
            (ESCAPE, None) => return Err(BookError::Cut(rest.len())),
            (ESCAPE, Some((wide, rest))) => (usize::from(u16::from_le_bytes(*wide)), rest),
            _ => (usize::from(byte), rest),
        };
        let legal = sorted(game.position());
        let (ply, count) = (game.moves().len(), legal.len());
        let played = *legal.get(index).ok_or(BookError::Move { ply, legal: count, index })?;
        game.play_unchecked(played);
        moves = rest;
    }
    if check(game.position()) != u32::from_le_bytes(recorded) {
        return Err(BookError::Check);
    }
    let winner = match ended {
        0 => Some(Color::Black),
        1 => None,
        2 => Some(Color::White),
        _ => return Err(BookError::Result(ended)),
    };
    let by_rules = game.outcome().map(|outcome| match outcome {
        Outcome::Win { winner, .. } => Some(winner),
        Outcome::Draw(_) => None,
    });
    if by_rules.is_some_and(|by_rules| by_rules != winner) {
        return Err(BookError::Result(ended));
    }
    Ok(BookGame { game, winner })
}

/// The legal moves in an order that does not depend on the generator.
fn sorted(position: &AnyPosition) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves.sort_unstable();
    moves
}

fn check(position: &AnyPosition) -> u32 {
    position.key() as u32
}

const fn result(winner: Option<Color>) -> u8 {
    match winner {
        Some(Color::Black) => 0,
        None => 1,
        Some(Color::White) => 2,
    }
}
