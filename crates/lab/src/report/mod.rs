//! The balance report of a game: statistics of the engine's games against itself, each with its 95% interval.
//!
//! `plan` sets the games to play, and `selection` finds those that are missing and those that count. `play` plays a game, `job`
//! has it played on other machines, `record` stores it, and `observe` replays it. `metrics` and `values` count and fit. `json` is the report as data, `html` (with `charts`) as a page, and `summary` in lines;
//! `words` has the words of both.
//!
//! Not here: files other than the journal, arguments, progress bars (`cli`), the queue of a site (`server`).

mod charts;
mod html;
mod job;
mod json;
mod metrics;
mod observe;
mod plan;
mod play;
mod record;
mod selection;
mod summary;
mod values;
pub(crate) mod words;

pub use html::{STYLE, article, html, title};
pub use job::{ReportFleet, ReportJob};
pub use json::{
    Assessment, Compared, FirstMove, GameReport, HeatMaps, Limits, Number, PieceIntervals, PieceReport,
    Series, Unit,
};
pub use plan::{Part, Plan};
pub use record::{GameRecord, Journal, KnownGames};
pub use selection::{GameTask, Opening, Selection};
pub use summary::summary;

use lozenge_rules::variant::Variant;
use play::GameRunner;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

/// Longest time in which a thread without a game does not look whether the work goes on.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The journal cannot be read or written.
    #[error("{what}: {error}")]
    File {
        /// Which file.
        what: String,
        /// Why.
        error: std::io::Error,
    },
    /// The journal is something else.
    #[error("{what}:{line}: expected the games of a report, found something else")]
    Foreign {
        /// Which file.
        what: String,
        /// Which line, from 1.
        line: usize,
    },
    /// The journal is of other games.
    #[error("{0}: expected the games of this report, found those of another game, program or plan")]
    OtherJournal(String),
    /// The journal has games, and the caller did not ask to resume them.
    #[error("{what}: expected no games, found {games} of an interrupted report; --resume goes on with them")]
    Unfinished {
        /// Which file.
        what: String,
        /// How many games it has.
        games: usize,
    },
    /// The games could not be stored.
    #[error("the games cannot be kept: {0}")]
    Keep(String),
    /// The work was interrupted.
    #[error("interrupted after {0} games")]
    Interrupted(u64),
    /// No opening leaves the score as it is.
    #[error("expected openings that do not decide the game, found none")]
    NoOpenings,
    /// A game of the journal cannot be replayed.
    #[error("expected a game by these rules, found game {number} of the {part}")]
    Unplayable {
        /// Its number.
        number: u32,
        /// Its part.
        part: &'static str,
    },
}

/// The inputs of [`run`] besides the game and the plan.
pub struct Work<'a> {
    /// Games at a time.
    pub threads: usize,
    /// Ends the work after the current moves when set.
    pub stop: &'a AtomicBool,
    /// Games that were played before.
    pub known: KnownGames,
    /// Keeps a game that has been played, so that the work can go on from it.
    pub keep: &'a mut dyn FnMut(&GameRecord) -> Result<(), ReportError>,
    /// Receives the part being played and how many games are done.
    pub progress: &'a mut dyn FnMut(Part, u64),
}

impl std::fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Work").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// Plays the games of a plan and measures them.
///
/// # Errors
/// When the journal cannot be written, the work was interrupted, or the game has no openings.
pub fn run(variant: &Arc<Variant>, plan: &Plan, work: Work<'_>) -> Result<GameReport, ReportError> {
    let Work { threads, stop, known, keep, progress } = work;
    let runner = GameRunner::new(variant, plan, &|| {});
    let selection = Mutex::new(Selection::new(plan, known));
    let shared = SharedSelection { selection, changed: Condvar::new(), closed: AtomicBool::new(false) };
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, runner, shared) = (sender.clone(), &runner, &shared);
            scope.spawn(move || {
                let mut engines = GameRunner::engines();
                while let Some(task) = shared.next(stop) {
                    let Some(record) = runner.play_task(&task, &mut engines, stop) else { return };
                    if sender.send(record).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for record in receiver {
            let stored = keep(&record);
            if stored.is_err() {
                shared.closed.store(true, Ordering::Relaxed);
                return stored;
            }
            let mut selection = shared.lock();
            selection.take(record);
            progress(selection.part(), selection.done());
            shared.changed.notify_all();
        }
        Ok(())
    })?;
    let selection = shared.selection.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !selection.is_over() {
        return Err(ReportError::Interrupted(selection.done()));
    }
    measure(variant, plan, &selection)
}

/// Measures the games of a plan.
///
/// # Errors
/// When the selection has no games.
pub fn measure(
    variant: &Arc<Variant>,
    plan: &Plan,
    selection: &Selection,
) -> Result<GameReport, ReportError> {
    let games = selection.games();
    if games.is_empty() {
        return Err(ReportError::NoOpenings);
    }
    let runner = GameRunner::new(variant, plan, &|| {});
    let first_moves = runner.first_moves(&mut GameRunner::engines()[0]);
    metrics::report(variant, plan, &games, &first_moves, runner.start(0))
}

/// The games of a report while threads play them.
struct SharedSelection {
    selection: Mutex<Selection>,
    changed: Condvar,
    /// No more games start.
    closed: AtomicBool,
}

impl SharedSelection {
    fn lock(&self) -> MutexGuard<'_, Selection> {
        self.selection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game; waits while more games may be wanted.
    fn next(&self, stop: &AtomicBool) -> Option<GameTask> {
        let mut selection = self.lock();
        loop {
            let is_closed = self.closed.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed);
            if is_closed || selection.is_over() {
                return None;
            }
            if let Some(task) = selection.next_task() {
                return Some(task);
            }
            selection = match self.changed.wait_timeout(selection, POLL_INTERVAL) {
                Ok((selection, _)) => selection,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

#[cfg(test)]
mod tests;
