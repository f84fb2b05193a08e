//! Many games at once: workers take the next pairing, play it, and record the game.

use super::arbiter::{self, Pairing};
use super::record::{Ending, GameRecord};
use super::settings::{MatchSettings, OpeningSource};
use super::table::{MatchEnd, Table};
use crate::openings::{Openings, RandomOpenings, Source};
use crate::players::{Player, PlayerError};
use crate::stats::Verdict;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Crashes in a row without a single move, after which the match ends.
const MAX_FALSE_STARTS: usize = 5;

/// Events of a running match.
pub enum MatchProgress<'p> {
    /// A game is finished and counted.
    Finished {
        /// The game.
        record: &'p GameRecord,
        /// The results with it.
        table: &'p Table,
    },
}

/// Why a match cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine cannot be started, or does not know a game.
    #[error("{engine}: {what}")]
    Engine {
        /// Its name.
        engine: String,
        /// The reason.
        what: String,
    },
    /// Reporting a finished game failed.
    #[error(transparent)]
    Report(#[from] std::io::Error),
    /// A worker thread has panicked: a bug in this program.
    #[error("internal error: a worker has failed")]
    Worker,
}

/// Plays a match. `known` are games played before, which are counted and not played again; `report` is
/// called for each game; `interrupted` ends the match when it returns true, without the games in progress.
///
/// # Errors
/// When an engine cannot play at all, or `report` fails.
pub fn run(
    settings: &MatchSettings,
    known: &[GameRecord],
    report: &mut (dyn FnMut(MatchProgress<'_>) -> std::io::Result<()> + Send),
    interrupted: &(dyn Fn() -> bool + Sync),
) -> Result<(Table, MatchEnd), MatchError> {
    let mut table = Table::default();
    for record in known {
        table.add(record);
    }
    if let Some(verdict) = decided(settings, &table) {
        return Ok((table, MatchEnd::Decided(verdict)));
    }
    let runner = MatchRunner {
        settings,
        pairings: pairings(settings, known),
        next: AtomicUsize::new(0),
        openings: Mutex::new(openings(settings)),
        played: openings_of(settings, known),
        results: Mutex::new(Results { table, report, verdict: None, error: None, false_starts: [0; 2] }),
        closed: AtomicBool::new(false),
        interrupted,
    };
    runner.check_engines()?;
    let workers = settings.concurrency.clamp(1, runner.pairings.len().max(1));
    let all_ok = thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(|| runner.work())).collect();
        // Join all threads before reporting whether one has failed.
        handles.into_iter().filter_map(|handle| handle.join().err()).count() == 0
    });
    let was_interrupted = interrupted();
    let results = runner.results.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = results.error {
        return Err(error);
    }
    if !all_ok {
        return Err(MatchError::Worker);
    }
    let end = match results.verdict {
        Some(verdict) => MatchEnd::Decided(verdict),
        None if was_interrupted => MatchEnd::Interrupted,
        None => MatchEnd::Complete,
    };
    Ok((results.table, end))
}

/// Plays the games of a match on worker threads.
struct MatchRunner<'m, 'r> {
    settings: &'m MatchSettings,
    pairings: Vec<Pairing>,
    next: AtomicUsize,
    openings: Mutex<Vec<Openings>>,
    /// The openings of games played before; their partners begin there, too.
    played: HashMap<(String, usize), String>,
    results: Mutex<Results<'r>>,
    /// No more games start: the match is decided or has failed.
    closed: AtomicBool,
    interrupted: &'m (dyn Fn() -> bool + Sync),
}

/// The results so far; finished games are recorded here.
struct Results<'r> {
    table: Table,
    report: &'r mut (dyn FnMut(MatchProgress<'_>) -> std::io::Result<()> + Send),
    verdict: Option<Verdict>,
    error: Option<MatchError>,
    false_starts: [usize; 2],
}

impl MatchRunner<'_, '_> {
    /// Starts each engine once for each game, so that a wrong command line fails before any game counts.
    fn check_engines(&self) -> Result<(), MatchError> {
        for engine in &self.settings.engines {
            let mut player = engine.player();
            for variant in &self.settings.variants {
                match player.begin(variant) {
                    Ok(()) => {}
                    Err(PlayerError::Interrupted) => return Ok(()),
                    Err(PlayerError::Crashed(what) | PlayerError::Timeout { what }) => {
                        return Err(MatchError::Engine { engine: engine.name.clone(), what });
                    }
                }
            }
        }
        Ok(())
    }

    fn work(&self) {
        let mut players: [Box<dyn Player>; 2] = [0, 1].map(|engine| self.settings.engines[engine].player());
        while let Some(pairing) = self.next_pairing() {
            let opening = self.opening(pairing);
            let stop = || self.is_over();
            let Some(record) = arbiter::play(self.settings, pairing, &opening, &mut players, &stop) else {
                return;
            };
            self.record(&record);
        }
    }

    fn is_over(&self) -> bool {
        self.closed.load(Ordering::Relaxed) || (self.interrupted)()
    }

    fn next_pairing(&self) -> Option<Pairing> {
        if self.is_over() {
            return None;
        }
        self.pairings.get(self.next.fetch_add(1, Ordering::Relaxed)).copied()
    }

    fn opening(&self, pairing: Pairing) -> AnyPosition {
        let variant = &self.settings.variants[pairing.variant];
        let number = self.settings.opening_number(pairing.pair, pairing.swapped);
        let before = self.played.get(&(variant.id().to_owned(), number));
        if let Some(position) = before.and_then(|fen| AnyPosition::from_fen(variant, fen).ok()) {
            return position;
        }
        let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
        openings[pairing.variant].number(number)
    }

    fn record(&self, record: &GameRecord) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let Results { table, report, verdict, error, false_starts } = &mut *results;
        // A test that has decided stays decided.
        if verdict.is_some() || error.is_some() {
            return;
        }
        table.add(record);
        if let Err(fault) = report(MatchProgress::Finished { record, table }) {
            *error = Some(fault.into());
        }
        for (engine, count) in false_starts.iter_mut().enumerate() {
            let failed = record.failed_engine() == Some(engine);
            if failed && record.ending == Ending::Crash && record.moves.is_empty() {
                *count += 1;
            } else if record.moves.len() > 1 {
                *count = 0;
            }
            if *count >= MAX_FALSE_STARTS {
                let engine = self.settings.engines[engine].name.clone();
                let what = format!("{count} games in a row without a move; the last: {}", record.detail);
                *error = Some(MatchError::Engine { engine, what });
            }
        }
        *verdict = decided(self.settings, table);
        if verdict.is_some() || error.is_some() {
            self.closed.store(true, Ordering::Relaxed);
        }
    }
}

/// The games to be played: pair by pair, each pair of every variant in turn, so that a match that ends early
/// has played all variants.
pub(super) fn pairings(settings: &MatchSettings, known: &[GameRecord]) -> Vec<Pairing> {
    let done: HashSet<(&str, u32, bool)> =
        known.iter().map(|record| (record.game.as_str(), record.pair, record.swapped)).collect();
    let mut pairings = Vec::new();
    for pair in 0..settings.pairs {
        for (number, variant) in settings.variants.iter().enumerate() {
            for swapped in [false, true] {
                if !done.contains(&(variant.id(), pair, swapped)) {
                    pairings.push(Pairing { variant: number, pair, swapped });
                }
            }
        }
    }
    pairings
}

/// The openings of each game of a match.
#[must_use]
pub fn openings(settings: &MatchSettings) -> Vec<Openings> {
    let source = |(number, variant): (usize, &Arc<Variant>)| match &settings.openings {
        OpeningSource::Random(plan) => Source::Random(Box::new(RandomOpenings::new(variant, *plan))),
        OpeningSource::Lists(lists) => Source::List(lists[number].clone()),
    };
    settings.variants.iter().enumerate().map(|numbered| Openings::new(source(numbered))).collect()
}

pub(super) fn openings_of(
    settings: &MatchSettings,
    known: &[GameRecord],
) -> HashMap<(String, usize), String> {
    let number = |record: &GameRecord| settings.opening_number(record.pair, record.swapped);
    known.iter().map(|record| ((record.game.clone(), number(record)), record.fen.clone())).collect()
}

pub(super) fn decided(settings: &MatchSettings, table: &Table) -> Option<Verdict> {
    let verdict = settings.sprt?.verdict(table.total.pairs);
    (verdict != Verdict::Open).then_some(verdict)
}
