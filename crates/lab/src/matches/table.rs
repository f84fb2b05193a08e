//! The results: of each variant and of all, by games and pairs, with the faults of the engines.

use super::identity::identity;
use super::record::{Ending, GameRecord};
use super::settings::MatchSettings;
use crate::stats::{Estimate, Interval, Pairs, Points, Score3, Verdict};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MatchEnd {
    /// All games were played.
    Complete,
    /// The sequential test has decided.
    Decided(Verdict),
    /// It was interrupted.
    Interrupted,
}

/// The faults of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Faults {
    /// Programs that ended or did not become ready.
    pub crashes: u64,
    /// Illegal moves.
    pub illegal_moves: u64,
    /// Time limits exceeded.
    pub time_losses: u64,
    /// No answer, where there was no clock.
    pub hangs: u64,
}

impl Faults {
    /// All of them.
    #[must_use]
    pub const fn total(self) -> u64 {
        self.crashes + self.illegal_moves + self.time_losses + self.hangs
    }

    fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Crash => self.crashes += 1,
            Ending::IllegalMove => self.illegal_moves += 1,
            Ending::TimeLoss => self.time_losses += 1,
            Ending::Hang => self.hangs += 1,
            _ => {}
        }
    }
}

/// The results of one game, or of all.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameTable {
    /// Games from the first engine's side.
    pub score: Score3,
    /// Those in which the first engine had White.
    pub as_white: Score3,
    /// Complete pairs.
    pub pairs: Pairs,
    /// Plies of all games.
    pub plies: u64,
    /// How the games ended.
    pub endings: BTreeMap<&'static str, u64>,
    /// Faults, by engine.
    pub faults: [Faults; 2],
}

impl GameTable {
    /// How sure the difference is: from pairs if there are any, else from games.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of_pairs(self.pairs).or_else(|| Estimate::of_games(self.score))
    }

    fn add(&mut self, record: &GameRecord) {
        self.score.add(record.points);
        if !record.swapped {
            self.as_white.add(record.points);
        }
        self.plies += record.moves.len() as u64;
        *self.endings.entry(record.ending.words()).or_default() += 1;
        if let Some(failed_engine) = record.failed_engine() {
            self.faults[failed_engine].add(record.ending);
        }
    }
}

/// The results of a match.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// By id of the game.
    pub games: BTreeMap<String, GameTable>,
    /// All games together.
    pub total: GameTable,
    /// Games whose partner has not been played yet.
    open: HashMap<(String, u32), Points>,
}

impl Table {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        let of_game = self.games.entry(record.game.clone()).or_default();
        of_game.add(record);
        self.total.add(record);
        match self.open.remove(&(record.game.clone(), record.pair)) {
            None => {
                self.open.insert((record.game.clone(), record.pair), record.points);
            }
            Some(other) => {
                of_game.pairs.add(other, record.points);
                self.total.pairs.add(other, record.points);
            }
        }
    }
}

/// The results as data for other programs. Elo is `null` where it is infinite.
#[must_use]
pub fn summary(settings: &MatchSettings, table: &Table, end: MatchEnd) -> Value {
    let games: serde_json::Map<String, Value> =
        table.games.iter().map(|(id, game)| (id.clone(), results_of(game))).collect();
    let sprt = settings.sprt.map(|sprt| {
        let (low, high) = sprt.bounds();
        json!({
            "test": sprt,
            "llr": sprt.llr(table.total.pairs),
            "bounds": [low, high],
            "verdict": sprt.verdict(table.total.pairs),
        })
    });
    let end = match end {
        MatchEnd::Complete => "complete",
        MatchEnd::Decided(Verdict::H0) => "H0 accepted",
        MatchEnd::Decided(_) => "H1 accepted",
        MatchEnd::Interrupted => "interrupted",
    };
    json!({
        "settings": identity(settings),
        "course": end,
        "games": games,
        "total": results_of(&table.total),
        "sprt": sprt,
    })
}

fn results_of(game: &GameTable) -> Value {
    let estimate = game.estimate();
    json!({
        "games": game.score.games(),
        "score": game.score,
        "as_white": game.as_white,
        "pairs": game.pairs.0,
        "elo": estimate.map(|estimate| interval(estimate.elo())),
        "normalized_elo": estimate.map(|estimate| interval(estimate.normalized_elo())),
        "superiority": estimate.map(Estimate::superiority),
        "plies": game.plies,
        "endings": game.endings,
        "faults": game.faults,
    })
}

fn interval(interval: Interval) -> Value {
    json!({ "value": interval.value, "low": interval.low, "high": interval.high })
}
