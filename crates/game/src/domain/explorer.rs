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
use lozenge_rules::position::{self, Game};
use lozenge_wire::{Color, GameResult, Speed, Visibility};
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
    /// Games that White won.
    pub white: u64,
    /// Games that were drawn.
    pub draws: u64,
    /// Games that Black won.
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
    /// The contribution of a finished public game of two; `None` for any other.
    pub fn of(machine: &GameMachine) -> Option<Self> {
        let game = machine.record.two().filter(|_| machine.config.visibility == Visibility::Public)?;
        let (result, _) = machine.ended.filter(|(result, _)| *result != GameResult::Unknown)?;
        let rating = |color: Color| machine.player(color).and_then(|player| player.rating);
        let known: Vec<i32> = Color::TWO.into_iter().filter_map(rating).collect();
        let average = (!known.is_empty()).then(|| known.iter().sum::<i32>() / known.len() as i32);
        Some(Self {
            month: month(machine.updated_at),
            bucket: Bucket::of(machine.config.speed, machine.config.rated, average),
            result,
            visits: visits(&machine.config.digest, game, rating),
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
        let visit = Visit { key, uci: uci::write(game.variant(), played), rating: rating(mover) };
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
        match game.result {
            GameResult::WhiteWins => counts.white = 1,
            GameResult::Draw => counts.draws = 1,
            GameResult::BlackWins => counts.black = 1,
            GameResult::Places(_) | GameResult::Unknown => {}
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
        let mut reader = Reader(bytes);
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
        let mut reader = Reader(bytes);
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
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
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
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::position::AnyPosition;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = ExplorerEntry> {
        let counts = any::<[u32; 5]>().prop_map(|numbers| {
            let mut counts = Counts::default();
            for (own, number) in counts.numbers_mut().into_iter().zip(numbers) {
                *own = u64::from(number);
            }
            counts
        });
        let buckets = prop::collection::btree_map(any::<u8>().prop_map(Bucket), counts, 1..4);
        let moves = prop::collection::btree_map("[a-p][1-9][a-p]1[0-6][a-z]?", buckets, 0..6);
        let games = prop::collection::btree_set(any::<u64>(), 1..RECENT);
        let games = games.prop_map(|games| games.into_iter().rev().collect::<Vec<u64>>());
        let recent = prop::collection::btree_map(any::<u8>().prop_map(Bucket), games, 0..4);
        (moves, recent).prop_map(|(moves, recent)| ExplorerEntry {
            moves: moves.into_iter().map(|(uci, buckets)| (uci.into(), buckets)).collect(),
            recent,
        })
    }

    fn sum(entry: &ExplorerEntry, filter: &ExplorerFilter) -> ExplorerSum {
        let mut sum = ExplorerSum::default();
        sum.add(&entry.encode(), filter).expect("an entry");
        sum
    }

    proptest! {
        #[test]
        fn entry_is_decoded_as_encoded(entry in entries()) {
            let bytes = entry.encode();
            prop_assert_eq!(ExplorerEntry::decode(&bytes), Some(entry));
            for cut in 0..bytes.len() {
                prop_assert_eq!(ExplorerEntry::decode(&bytes[..cut]), None);
            }
        }

        #[test]
        fn arbitrary_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let read = ExplorerSum::default().add(&bytes, &ExplorerFilter::default());
            prop_assert_eq!(read.is_some(), ExplorerEntry::decode(&bytes).is_some());
        }

        #[test]
        fn entries_merge_in_any_order(one in entries(), other in entries()) {
            let (mut first, mut second) = (one.clone(), other.clone());
            first.merge(&other);
            second.merge(&one);
            prop_assert_eq!(&first, &second);
            let rated = ExplorerFilter { rated: Some(true), ..ExplorerFilter::default() };
            let mut sum = sum(&one, &rated);
            sum.add(&other.encode(), &rated).expect("an entry");
            prop_assert_eq!(sum, self::sum(&first, &rated));
        }
    }

    /// Entries are on the disk: neither format nor keys may change unnoticed.
    #[test]
    fn encoding_of_an_entry_is_stable() {
        let game = CountedGame {
            month: 683,
            bucket: Bucket::of(Speed::Blitz, true, Some(1500)),
            result: GameResult::BlackWins,
            visits: vec![],
        };
        let mut entry = ExplorerEntry::default();
        let visit = |uci: &str, rating| Visit { key: 0, uci: uci.into(), rating };
        entry.count(&game, &visit("e2e4", Some(1500)), Some(300));
        entry.count(&game, &visit("o1o16q", None), None);
        let bytes =
            b"\x01\x02\x04e2e4\x01\x59\0\0\x01\xDC\x0B\x01\x06o1o16q\x01\x59\0\0\x01\0\0\x01\x59\x01\xAC\x02";
        assert_eq!(entry.encode(), bytes);
    }

    /// As a damaged database may have them.
    #[test]
    fn largest_counts_neither_overflow_nor_panic() {
        let most =
            Counts { white: u64::MAX, rating_sum: u64::MAX, rating_count: u64::MAX, ..Counts::default() };
        assert_eq!(most.average_rating(), Some(1));
        let bucket = Bucket::of(Speed::Blitz, true, Some(1500));
        let mut entry = ExplorerEntry::default();
        entry.moves.insert("e2e4".into(), BTreeMap::from([(bucket, most)]));
        let game = CountedGame { month: 683, bucket, result: GameResult::WhiteWins, visits: vec![] };
        entry.count(&game, &Visit { key: 0, uci: "e2e4".into(), rating: Some(1500) }, None);
        assert_eq!(sum(&entry, &ExplorerFilter::default()).moves["e2e4"], most);
    }

    #[test]
    fn position_keys_are_stable() {
        let digest = format!("8000000000000001{}", "0".repeat(48));
        assert_eq!(key(&digest, 3), i64::MIN + 2);
        for (game, fen, expected) in KEYS {
            let variant = library::game(game).unwrap_or_else(|| panic!("{game} is built in"));
            let position = AnyPosition::from_fen(&variant, fen).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(format!("{:016x}", position.key()), expected, "{game} {fen}");
        }
    }

    #[test]
    fn a_position_counts_once_in_a_game() {
        let variant = library::game("chess").expect("built in");
        let mut game = Game::new(&variant);
        for text in ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4", "e7e5"] {
            let played = uci::parse(game.position(), text).unwrap_or_else(|error| panic!("{error}"));
            game.play(played).unwrap_or_else(|error| panic!("{error}"));
        }
        let counted = CountedGame::of_book("", &BookGame { game, winner: None });
        let moves: Vec<&str> = counted.visits.iter().map(|visit| &*visit.uci).collect();
        assert_eq!(moves, ["g1f3", "g8f6", "f3g1", "f6g8", "e7e5"], "e2e4 was played in the first position");
        let mut entry = ExplorerEntry::default();
        counted.visits.iter().for_each(|visit| entry.count(&counted, visit, None));
        let sum = sum(&entry, &ExplorerFilter::default());
        assert!(sum.moves.values().all(|counts| (counts.draws, counts.games()) == (1, 1)));
        assert!(sum.recent.is_empty());
    }

    #[test]
    fn key_depends_on_side_rights_and_possible_en_passant() {
        let variant = library::game("chess").expect("built in");
        let of = |fen: &str| AnyPosition::from_fen(&variant, fen).expect("a position").key();
        let base = of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq - 0 1");
        assert_ne!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R w KQkq - 0 1"), "side to move");
        assert_ne!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQk - 0 1"), "castling rights");
        assert_eq!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq e3 0 1"), "no capture is possible");
        assert_eq!(base, of("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq - 7 9"), "clocks");
        let near = of("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
        assert_ne!(near, of("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "en passant is legal");
        // The pawn is pinned along the rank.
        let pinned = of("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
        assert_eq!(pinned, of("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1"), "en passant is not legal");
    }

    #[test]
    fn filters_cover_whole_rating_bands() {
        let blitz = Bucket::of(Speed::Blitz, true, Some(1599));
        let casual = Bucket::of(Speed::Unlimited, false, None);
        let filter = |ratings| ExplorerFilter { ratings, ..ExplorerFilter::default() };
        for (min, max, admitted) in [
            (Some(1400), None, true),
            (Some(1599), None, true),
            (Some(1600), None, false),
            (None, Some(1400), true),
            (None, Some(1399), false),
            (Some(i32::MIN), Some(i32::MAX), true),
        ] {
            assert_eq!(filter([min, max]).admits(blitz), admitted, "{min:?} {max:?}");
            assert!(!filter([min, max]).admits(casual), "a game without ratings");
        }
        let all = ExplorerFilter::default();
        assert!(all.admits(casual) && all.admits(Bucket::BOOK));
        let casual_only = ExplorerFilter { rated: Some(false), ..all };
        assert!(
            casual_only.admits(casual) && !casual_only.admits(blitz) && !casual_only.admits(Bucket::BOOK)
        );
        let fast = ExplorerFilter { speed: Some(Speed::Blitz), ..all };
        assert!(fast.admits(blitz) && !fast.admits(casual));
    }

    #[test]
    fn months_are_counted_in_utc() {
        for (at, expected) in [
            (0, 1),
            (-1, 1),
            (i64::MIN, 1),
            (i64::MAX, 96_360),
            (1_793_491_199_999, 682),
            (1_793_491_200_000, 683),
        ] {
            assert_eq!(month(at), expected, "{at}");
        }
    }

    const KEYS: [(&str, &str, &str); 7] = [
        (
            "diamond",
            "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** w - - 0 1",
            "bf44d051200692b3",
        ),
        ("diagonal", "3prnnk/4ppqb/5ppb/P5pr/RP5p/BPP5/BQPP4/KNNRP3 w - - 0 1", "b64469b461f327f6"),
        ("diamondback", "3prnqk/4ppbb/5ppn/P3p1pr/RP1P3p/NPP5/BBPP4/KQNRP3 w - - 0 1", "0da9209cc777e196"),
        (
            "diamondring",
            "2PREFWERP2/3PNBBNP3/p3PDDP3p/rp3PP3pr/enp6pne/kbdp4pdbw/fbdp4pdbf/enp6pne/rp3PP3pr/p3PDDP3p/3PNBBNP3/\
             2PREFKERP2 w - - 0 1",
            "237b2e06efcf719a",
        ),
        (
            "doublediamond",
            "**2rnbmk/**1pppppq/7pb/1P5pn/RP5pr/NP5p1/BP7/MPPPPP1**/KQBNR2** w KQkq - 0 1",
            "531fa5147cecbd7c",
        ),
        ("chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "85ec6846dc8d8e3e"),
        ("chess", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "8ca58931564c35f4"),
    ];
}
