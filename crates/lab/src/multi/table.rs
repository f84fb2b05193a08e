//! The results of a match of four: places by engine and seat.

use crate::stats::{Interval, intervals};
use lozenge_rules::position::{MultiEnd, MultiGame, MultiOutcome, MultiResult, MultiTurn};
use lozenge_rules::seat::{BySeat, Seat};
use lozenge_rules::variant::MultiVariant;
use std::collections::BTreeMap;
use std::time::Duration;

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

/// Results of an engine, in one seat or in all. An engine with several seats in a game counts there with their mean, because
/// these seats do not come in independently of each other.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SeatResults {
    /// Games, counted once for each seat that the engine had.
    pub games: u32,
    /// Games, counted once.
    samples: u32,
    /// First places; a shared one counts in part.
    firsts: f64,
    /// Sum of the places, from 1; players who share places have their mean.
    places: f64,
    /// Sum of the squares of the places.
    squares: f64,
    /// The last of the places.
    last: u8,
}

impl SeatResults {
    /// Share of first places, from 0 to 1, with its 95 % interval.
    #[must_use]
    pub fn first_share(&self) -> Option<Interval> {
        intervals::share_of(self.firsts, self.samples.into())
    }

    /// Mean place, with its 95 % interval.
    #[must_use]
    pub fn mean_place(&self) -> Option<Interval> {
        intervals::place(self.samples.into(), self.places, self.squares, self.last)
    }

    /// Adds a game in which the engine had these parts of the first place and these places, one for each of its seats.
    pub(super) fn add(&mut self, reached: &[(f64, f64)], last: u8) {
        let seats = reached.len().max(1) as f64;
        let first = reached.iter().map(|(first, _)| first).sum::<f64>() / seats;
        let place = reached.iter().map(|(_, place)| place).sum::<f64>() / seats;
        self.games += reached.len() as u32;
        self.samples += 1;
        self.firsts += first;
        self.places += place;
        self.squares += place * place;
        self.last = last;
    }
}

/// The results of a match.
#[derive(Clone, Debug)]
pub struct Table {
    /// By engine and seat.
    pub engines: Vec<BySeat<SeatResults>>,
    /// By engine, in all seats.
    pub totals: Vec<SeatResults>,
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
            totals: vec![SeatResults::default(); engines],
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
        let variant = record.game.position().variant();
        let last = last_place(variant);
        let mut own = vec![Vec::new(); self.engines.len()];
        for seat in variant.seats().iter() {
            let reached = reached(record.outcome.result, seat);
            let engine = record.engines[seat];
            self.engines[engine][seat].add(&[reached], last);
            own[engine].push(reached);
        }
        for (total, reached) in self.totals.iter_mut().zip(&own).filter(|(_, reached)| !reached.is_empty()) {
            total.add(reached, last);
        }
    }
}

/// The last place: of the players, or of two teams.
pub(super) fn last_place(variant: &MultiVariant) -> u8 {
    if variant.is_teams() { 2 } else { variant.seats().len() as u8 }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_of_one_game_are_one_sample() {
        let one = |reached: &[(f64, f64)]| {
            let mut results = SeatResults::default();
            results.add(reached, 2);
            results
        };
        // Both players of a team win together, which says no more than one of them would.
        let (team, player) = (one(&[(1.0, 1.0), (1.0, 1.0)]), one(&[(1.0, 1.0)]));
        assert_eq!((team.games, player.games), (2, 1));
        assert_eq!(team.first_share(), player.first_share());
        assert_eq!(team.mean_place(), player.mean_place());
        let share = team.first_share().unwrap();
        assert!(share.value == 1.0 && (0.1..0.5).contains(&share.low), "{share:?}");
        assert_eq!(SeatResults::default().mean_place(), None);
    }
}
