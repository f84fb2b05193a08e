//! The results of a match of four: places by engine and seat.

use lozenge_rules::position::{MultiEnd, MultiGame, MultiOutcome, MultiResult, MultiTurn};
use lozenge_rules::seat::{BySeat, Seat};
use std::collections::BTreeMap;
use std::time::Duration;

/// Half the width of a 95 % interval, in standard errors.
const SIGMAS: f64 = 1.96;

/// A finished game.
#[derive(Clone, Debug)]
pub struct MultiRecord {
    /// Its number, from 0.
    pub number: u32,
    /// The engine of each seat, by its number in the settings.
    pub engines: BySeat<usize>,
    /// The game.
    pub game: MultiGame,
    /// How it ended.
    pub outcome: MultiOutcome,
    /// When it began, in seconds since 1970.
    pub begun: u64,
    /// How long each turn of an engine took; those of the opening are not among them.
    pub times: Vec<Duration>,
    /// The engines that went out by an illegal move, without an answer or out of time, by number.
    pub faults: Vec<usize>,
}

impl MultiRecord {
    /// How many turns were moves.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.game.turns().iter().filter(|turn| matches!(turn, MultiTurn::Move(_))).count()
    }

    /// Whether it ended in a draw, or was ended by the arbiter.
    #[must_use]
    pub fn is_draw(&self) -> bool {
        self.outcome.end != MultiEnd::Decided
    }
}

/// What an engine reached, in one seat or in all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SeatResults {
    /// Games, counted once for each seat that the engine had.
    pub games: u32,
    /// First places; a shared one counts in part.
    pub firsts: f64,
    /// Sum of the places, from 1; players who share places have their mean.
    pub places: f64,
    /// Sum of the squares of the places.
    squares: f64,
}

impl SeatResults {
    /// Share of first places, from 0 to 1, and half the width of its 95 % interval.
    #[must_use]
    pub fn first_share(&self) -> (f64, f64) {
        let games = f64::from(self.games.max(1));
        let share = self.firsts / games;
        (share, SIGMAS * (share * (1.0 - share) / games).sqrt())
    }

    /// Mean place, and half the width of its 95 % interval.
    #[must_use]
    pub fn mean_place(&self) -> (f64, f64) {
        let games = f64::from(self.games.max(1));
        let mean = self.places / games;
        let variance = (self.squares / games - mean * mean).max(0.0);
        (mean, SIGMAS * (variance / games).sqrt())
    }

    fn add(&mut self, first: f64, place: f64) {
        self.games += 1;
        self.firsts += first;
        self.places += place;
        self.squares += place * place;
    }

    /// Adds the games of another seat.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            firsts: self.firsts + other.firsts,
            places: self.places + other.places,
            squares: self.squares + other.squares,
        }
    }
}

/// The results of a match.
#[derive(Clone, Debug)]
pub struct Table {
    /// By engine and seat.
    pub engines: Vec<BySeat<SeatResults>>,
    /// By engine: games lost by an illegal move or without an answer.
    pub faults: Vec<u32>,
    /// Games.
    pub games: u32,
    /// Plies of all games.
    pub plies: u64,
    /// How the games ended.
    pub endings: BTreeMap<String, u32>,
}

impl Table {
    /// No games yet.
    #[must_use]
    pub fn new(engines: usize) -> Self {
        Self {
            engines: vec![BySeat::from_fn(|_| SeatResults::default()); engines],
            faults: vec![0; engines],
            games: 0,
            plies: 0,
            endings: BTreeMap::new(),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &MultiRecord) {
        self.games += 1;
        self.plies += record.plies() as u64;
        *self.endings.entry(format!("{:?}", record.outcome.end).to_lowercase()).or_default() += 1;
        for &engine in &record.faults {
            self.faults[engine] += 1;
        }
        for seat in record.game.position().variant().seats().iter() {
            let (first, place) = reached(record.outcome.result, seat);
            self.engines[record.engines[seat]][seat].add(first, place);
        }
    }

    /// What an engine reached in all seats.
    #[must_use]
    pub fn total(&self, engine: usize) -> SeatResults {
        self.engines[engine].iter().fold(SeatResults::default(), |sum, seat| sum.plus(*seat))
    }
}

/// The part of the first place and the place of a seat. In games of teams there are two places.
pub(super) fn reached(result: MultiResult, seat: Seat) -> (f64, f64) {
    match result {
        MultiResult::Places(places) => {
            let own = places[seat];
            let sharing = Seat::ALL.into_iter().filter(|&other| places[other] == own).count();
            let first = if own == 1 { 1.0 / sharing as f64 } else { 0.0 };
            (first, f64::from(own) + (sharing as f64 - 1.0) / 2.0)
        }
        MultiResult::Team(winner) if seat.index() % 2 == winner.index() % 2 => (1.0, 1.0),
        MultiResult::Team(_) => (0.0, 2.0),
        MultiResult::Draw => (0.5, 1.5),
    }
}
