//! The entries of the opening explorer: the moves that were played from a position in a month, and how the games ended.
//! Encoded as bytes, because a row for each move and bucket would take three times the room. Not here: the database.
//!
//! ```text
//! entry   = 1 moves recent
//! moves   = count (length uci buckets)*
//! buckets = count (bucket white draws black rating_sum rating_count)*
//! recent  = count (bucket games)*
//! games   = count number*
//! ```
//!
//! A bucket is one byte; all numbers are varints (LEB128).

use super::machine::GameMachine;
use lozenge_rules::notation::{book::BookGame, uci};
use lozenge_rules::position::{self, Game, MultiGame, MultiTurn, Played};
use lozenge_wire::{Color, GameResult, Speed, Visibility};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Half moves of a game that are counted.
pub(crate) const PLIES: usize = 40;
/// Games that are named for each bucket of a position.
pub(crate) const RECENT: usize = 8;
/// The month of the book of engine games.
pub const BOOK_MONTH: i64 = 0;

/// The format of an entry, its first byte.
const FORMAT: u64 = 1;
/// Width of a band of ratings, and where the second one begins: all ratings below are in the first.
const BAND: i32 = 200;
const SECOND_BAND: i32 = 800;
const BANDS: i32 = 15;

/// The number of a position in the explorer. The rules are part of it: positions of other rules are other positions.
pub fn key(digest: &str, position: u64) -> i64 {
    // The digest is a hash already.
    let rules = digest.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok());
    (position ^ rules.unwrap_or_default()).cast_signed()
}

/// The month of a moment (Unix milliseconds), counted from January 1970, which is 1.
pub fn month(at: i64) -> i64 {
    let farthest = if at < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    let date = jiff::Timestamp::from_millisecond(at).unwrap_or(farthest).to_zoned(jiff::tz::TimeZone::UTC);
    ((i64::from(date.year()) - 1970) * 12 + i64::from(date.month())).max(1)
}

/// A class of games that are counted together: speed in bits 0 to 2, rated in bit 3, the band of ratings above.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Bucket(u8);

impl Bucket {
    /// Games of the book.
    pub(crate) const BOOK: Self = Self(7);

    /// The bucket of a game; `rating` is the average of its players' ratings, if any has one.
    pub fn of(speed: Speed, rated: bool, rating: Option<i32>) -> Self {
        Self(speed as u8 | u8::from(rated) << 3 | rating.map_or(0, band) << 4)
    }

    fn speed(self) -> u8 {
        self.0 & 7
    }

    fn is_rated(self) -> bool {
        self.0 & 8 != 0
    }

    /// 0 if neither player had a rating.
    fn band(self) -> u8 {
        self.0 >> 4
    }
}

/// The band of a rating, 1 to [`BANDS`].
fn band(rating: i32) -> u8 {
    (rating.saturating_sub(SECOND_BAND).div_euclid(BAND) + 2).clamp(1, BANDS) as u8
}

/// Which games count. The book counts only where all do.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExplorerFilter {
    /// Only rated games, or only casual ones; `None` for both.
    pub rated: Option<bool>,
    /// Only games of this speed; `None` for all.
    pub speed: Option<Speed>,
    /// Bounds of the average rating, widened to whole bands.
    pub ratings: [Option<i32>; 2],
}

impl ExplorerFilter {
    fn admits(&self, bucket: Bucket) -> bool {
        let [min, max] = self.ratings.map(|rating| rating.map(band));
        if bucket == Bucket::BOOK {
            return self.rated.is_none() && self.speed.is_none() && min.is_none() && max.is_none();
        }
        self.rated.is_none_or(|rated| rated == bucket.is_rated())
            && self.speed.is_none_or(|speed| speed as u8 == bucket.speed())
            && min.is_none_or(|min| bucket.band() >= min)
            && max.is_none_or(|max| (1..=max).contains(&bucket.band()))
    }
}

/// How often a move was played, and how the games ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Games that White won; of more than two players, those that the player to move won.
    pub white: u64,
    /// Games that were drawn, or in which the player to move shared the first place.
    pub draws: u64,
    /// Games that Black won, or in which the player to move had another place.
    pub black: u64,
    /// The sum of the ratings of the players of the move, and how many had one.
    rating_sum: u64,
    rating_count: u64,
}

impl Counts {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.white.saturating_add(self.draws).saturating_add(self.black)
    }

    /// The average rating of the players of the move.
    pub fn average_rating(&self) -> Option<u64> {
        (self.rating_count > 0)
            .then(|| self.rating_sum.saturating_add(self.rating_count / 2) / self.rating_count)
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: &Self) {
        for (own, other) in self.numbers_mut().into_iter().zip(other.numbers()) {
            *own = own.saturating_add(other);
        }
    }

    fn numbers(&self) -> [u64; 5] {
        [self.white, self.draws, self.black, self.rating_sum, self.rating_count]
    }

    fn numbers_mut(&mut self) -> [&mut u64; 5] {
        [&mut self.white, &mut self.draws, &mut self.black, &mut self.rating_sum, &mut self.rating_count]
    }
}

/// A move in a game that is counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visit {
    /// The position before it.
    pub key: i64,
    /// The move in long algebraic notation.
    pub uci: String,
    /// The rating of the side that moved.
    pub rating: Option<i32>,
    /// The seat whose result counts, by the order of the turns: White's in a game of two, the mover's among more players.
    pub seat: usize,
}

/// A game's contribution to the explorer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedGame {
    /// The month in which the game ended, as [`month`] counts; [`BOOK_MONTH`] for a game of a book.
    pub month: i64,
    /// The class of games that it is counted with.
    pub bucket: Bucket,
    /// How the game ended.
    pub result: GameResult,
    /// Each position once, with the move that was first played there.
    pub visits: Vec<Visit>,
}

impl CountedGame {
    /// The contribution of a finished public game; `None` for any other.
    pub fn of(machine: &GameMachine) -> Option<Self> {
        if machine.config.visibility != Visibility::Public {
            return None;
        }
        let (result, _) = machine.ended.filter(|(result, _)| *result != GameResult::Unknown)?;
        let rating = |color: Color| machine.player(color).and_then(|player| player.rating);
        let known: Vec<i32> = machine.record.colors().iter().copied().filter_map(rating).collect();
        let average = (!known.is_empty()).then(|| known.iter().sum::<i32>() / known.len() as i32);
        Some(Self {
            month: month(machine.updated_at),
            bucket: Bucket::of(machine.config.speed, machine.config.rated, average),
            result,
            visits: match machine.record.played() {
                Played::Two(game) => visits(&machine.config.digest, game, rating),
                Played::Four(game) => multi_visits(&machine.config.digest, game, rating),
            },
        })
    }

    /// The contribution of a book game; `digest` is that of its rules.
    pub fn of_book(digest: &str, game: &BookGame) -> Self {
        let result = match game.winner {
            Some(position::Color::White) => GameResult::WhiteWins,
            Some(position::Color::Black) => GameResult::BlackWins,
            None => GameResult::Draw,
        };
        let visits = visits(digest, &game.game, |_| None);
        Self { month: BOOK_MONTH, bucket: Bucket::BOOK, result, visits }
    }
}

/// The first positions of a game, each once.
fn visits(digest: &str, game: &Game, rating: impl Fn(Color) -> Option<i32>) -> Vec<Visit> {
    let mut seen = BTreeSet::new();
    let moves = game.positions().zip(game.moves()).take(PLIES);
    let visits = moves.filter_map(|(position, &played)| {
        let key = key(digest, position.key());
        let mover = crate::convert::color(position.turn());
        let visit = Visit { key, uci: uci::write(game.variant(), played), rating: rating(mover), seat: 0 };
        seen.insert(key).then_some(visit)
    });
    visits.collect()
}

/// The same of a game of three or four, without resignations and time-outs.
fn multi_visits(digest: &str, game: &MultiGame, rating: impl Fn(Color) -> Option<i32>) -> Vec<Visit> {
    let mut seen = BTreeSet::new();
    let turns = game.positions().zip(game.turns()).take(PLIES);
    let visits = turns.filter_map(|(position, turn)| {
        let MultiTurn::Move(played) = *turn else { return None };
        let key = key(digest, position.key());
        let mover = crate::convert::seat_color(position.turn());
        let uci = uci::write_multi(position.variant(), played);
        let visit = Visit { key, uci, rating: rating(mover), seat: mover.index() };
        seen.insert(key).then_some(visit)
    });
    visits.collect()
}

/// The moves played from a position and the latest games through it, by bucket.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExplorerEntry {
    moves: BTreeMap<Box<str>, BTreeMap<Bucket, Counts>>,
    /// Numbers of games, the latest first.
    recent: BTreeMap<Bucket, Vec<u64>>,
}

impl ExplorerEntry {
    /// Counts a move of a game. A game of the site has a number.
    pub fn count(&mut self, game: &CountedGame, visit: &Visit, number: Option<u64>) {
        let mut counts = Counts::default();
        match game.result.of_seat(visit.seat) {
            Some(Ordering::Greater) => counts.white = 1,
            Some(Ordering::Equal) => counts.draws = 1,
            Some(Ordering::Less) => counts.black = 1,
            None => {}
        }
        if let Some(rating) = visit.rating {
            (counts.rating_sum, counts.rating_count) = (u64::try_from(rating).unwrap_or_default(), 1);
        }
        self.moves.entry(visit.uci.as_str().into()).or_default().entry(game.bucket).or_default().add(&counts);
        if let Some(number) = number {
            add_recent(self.recent.entry(game.bucket).or_default(), &[number]);
        }
    }

    /// Adds what another entry of the same position has counted.
    pub fn merge(&mut self, other: &Self) {
        for (uci, buckets) in &other.moves {
            let own = self.moves.entry(uci.clone()).or_default();
            for (bucket, counts) in buckets {
                own.entry(*bucket).or_default().add(counts);
            }
        }
        for (bucket, games) in &other.recent {
            add_recent(self.recent.entry(*bucket).or_default(), games);
        }
    }

    /// The entry as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(32);
        push(&mut bytes, FORMAT);
        push(&mut bytes, self.moves.len() as u64);
        for (uci, buckets) in &self.moves {
            push(&mut bytes, uci.len() as u64);
            bytes.extend_from_slice(uci.as_bytes());
            push(&mut bytes, buckets.len() as u64);
            for (bucket, counts) in buckets {
                bytes.push(bucket.0);
                counts.numbers().into_iter().for_each(|number| push(&mut bytes, number));
            }
        }
        push(&mut bytes, self.recent.len() as u64);
        for (bucket, games) in &self.recent {
            bytes.push(bucket.0);
            push(&mut bytes, games.len() as u64);
            games.iter().for_each(|&number| push(&mut bytes, number));
        }
        bytes
    }

    /// The entry that was encoded; `None` if these are not its bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = EntryReader(bytes);
        if reader.number()? != FORMAT {
            return None;
        }
        let mut entry = Self::default();
        for _ in 0..reader.number()? {
            let length = reader.number()?;
            let uci = std::str::from_utf8(reader.take(length)?).ok()?;
            let buckets = entry.moves.entry(uci.into()).or_default();
            for _ in 0..reader.number()? {
                let counts = buckets.entry(Bucket(reader.byte()?)).or_default();
                for number in counts.numbers_mut() {
                    *number = reader.number()?;
                }
            }
        }
        for _ in 0..reader.number()? {
            let games = entry.recent.entry(Bucket(reader.byte()?)).or_default();
            for _ in 0..reader.number()? {
                games.push(reader.number()?);
            }
        }
        reader.0.is_empty().then_some(entry)
    }
}

/// The counts of one position over the games that match a filter. They are summed from the bytes of its entries: those of
/// a start over years are a megabyte.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExplorerSum {
    /// The counts of each move, by its long algebraic notation.
    pub moves: BTreeMap<Box<str>, Counts>,
    /// Numbers of the latest games, the latest first.
    pub recent: Vec<u64>,
}

impl ExplorerSum {
    /// Adds an encoded entry; `None` if these are not its bytes.
    pub fn add(&mut self, bytes: &[u8], filter: &ExplorerFilter) -> Option<()> {
        let mut reader = EntryReader(bytes);
        if reader.number()? != FORMAT {
            return None;
        }
        for _ in 0..reader.number()? {
            let length = reader.number()?;
            let uci = std::str::from_utf8(reader.take(length)?).ok()?;
            let mut sum = Counts::default();
            for _ in 0..reader.number()? {
                let bucket = Bucket(reader.byte()?);
                let mut counts = Counts::default();
                for number in counts.numbers_mut() {
                    *number = reader.number()?;
                }
                if filter.admits(bucket) {
                    sum.add(&counts);
                }
            }
            if sum.games() > 0 {
                self.moves.entry(uci.into()).or_default().add(&sum);
            }
        }
        for _ in 0..reader.number()? {
            let bucket = Bucket(reader.byte()?);
            for _ in 0..reader.number()? {
                let number = reader.number()?;
                if filter.admits(bucket) {
                    self.recent.push(number);
                }
            }
        }
        add_recent(&mut self.recent, &[]);
        reader.0.is_empty().then_some(())
    }
}

/// Adds games to a list of the latest, each once.
fn add_recent(list: &mut Vec<u64>, games: &[u64]) {
    list.extend_from_slice(games);
    list.sort_unstable_by(|one, other| other.cmp(one));
    list.dedup();
    list.truncate(RECENT);
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The bytes left to read.
struct EntryReader<'b>(&'b [u8]);

impl<'b> EntryReader<'b> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn take(&mut self, length: u64) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7F);
            if part << shift >> shift != part {
                return None;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
