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
//! The check tells a book of other rules, and nearly every damaged one, from a good one: moves are indices, which mean
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
    /// Who won; `None` for a draw.
    pub winner: Option<Color>,
}

/// Whether bytes begin as a book does.
#[must_use]
pub fn is_book(bytes: &[u8]) -> bool {
    bytes.starts_with(HEADING.as_bytes())
}

/// The first line of a book, with its line feed.
#[must_use]
pub fn heading(variant: &Variant, settings: &str) -> String {
    format!("{HEADING}{} {settings}\n", variant.id())
}

/// The record of a game that began with this starting position; `None` if it is too long for one.
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

    /// Whether there are none.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library;

    /// A game in which each side plays the legal move of this number, as far as there are so many.
    fn game(id: &str, choose: usize, plies: usize) -> Game {
        let mut game = Game::new(&library::game(id).unwrap());
        while game.moves().len() < plies && game.outcome().is_none() {
            let legal = sorted(game.position());
            game.play(legal[(choose * (game.moves().len() + 1)) % legal.len()]).unwrap();
        }
        game
    }

    fn winner(game: &Game) -> Option<Color> {
        match game.outcome() {
            Some(Outcome::Win { winner, .. }) => Some(winner),
            _ => None,
        }
    }

    #[test]
    fn games_are_read_as_they_were_written() {
        for id in library::ids() {
            let variant = library::game(id).unwrap();
            let games: Vec<Game> = (0..6).map(|choose| game(id, choose, 12 * choose)).collect();
            let mut bytes = heading(&variant, "nodes=1").into_bytes();
            for game in &games {
                bytes.extend(encode(game, 0, winner(game)).unwrap());
            }
            let book = Book::parse(&bytes).unwrap();
            assert_eq!((book.variant, book.settings, book.len()), (id, "nodes=1", games.len()));
            for (number, game) in games.iter().enumerate() {
                let read = book.game(&variant, number).unwrap().unwrap();
                assert_eq!((read.game.moves(), read.winner), (game.moves(), winner(game)), "{id} {number}");
            }
            assert!(book.game(&variant, games.len()).is_none());
        }
    }

    #[test]
    fn a_book_of_other_rules_or_with_a_flipped_bit_is_refused() {
        let diamond = library::game("diamond").unwrap();
        let record = encode(&game("diamond", 3, 30), 0, None).unwrap();
        let read = |record: &[u8]| decode(&diamond, record);
        assert!(read(&record).is_ok());
        assert!(decode(&library::game("diagonal").unwrap(), &record).is_err());
        for byte in 2..record.len() {
            for bit in 0..8 {
                let mut other = record.clone();
                other[byte] ^= 1 << bit;
                let accepted = match read(&other) {
                    Err(_) => continue,
                    Ok(accepted) => accepted.game,
                };
                // Another result, or other moves to the same position.
                let last = accepted.position().key() == read(&record).unwrap().game.position().key();
                assert!((byte == 3 || byte >= FIXED) && last, "byte {byte}, bit {bit}");
            }
        }
    }

    #[test]
    fn an_unfinished_record_is_found() {
        let diamond = library::game("diamond").unwrap();
        let mut bytes = heading(&diamond, "x").into_bytes();
        let begin = bytes.len();
        bytes.extend(encode(&game("diamond", 1, 9), 0, None).unwrap());
        for end in begin + 1..bytes.len() {
            let (book, rest) = Book::parse_whole(&bytes[..end]).unwrap();
            assert_eq!((book.len(), rest), (0, end - begin));
            assert_eq!(Book::parse(&bytes[..end]), Err(BookError::Cut(rest)));
        }
        for bad in ["", "lozenge book 1 diamond x", "lozenge book 2 diamond x\n", "lozenge book 1 diamond\n"]
        {
            assert_eq!(Book::parse(bad.as_bytes()), Err(BookError::Heading), "{bad}");
        }
    }
}
