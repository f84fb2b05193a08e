//! The balance report of a game: what happens when the engine plays it against itself, with each number's 95% interval.
//!
//! `plan` says what is played, `play` plays a game, `record` keeps it, `observe` replays it, `metrics` and `values` count and
//! fit, `intervals` says how sure that is, `json` is the report as data, `html` (with `charts` and `boards`) as a page, `summary` in lines; `words` has
//! the words of both.
//!
//! Not here: files other than the journal, arguments, progress bars (`cli`), the queue of a site (`server`).

mod boards;
mod charts;
mod html;
mod intervals;
mod json;
mod metrics;
mod observe;
mod plan;
mod play;
mod record;
mod summary;
mod values;
mod words;

pub use html::{escaped, html};
pub use json::{
    Compared, FirstMove, GameReport, HeatMaps, Limits, Number, PieceReport, Series, Unit, Verdict,
};
pub use plan::{Part, Plan};
pub use record::{GameRecord, Journal, KnownGames};
pub use summary::summary;

use lozenge_rules::variant::Variant;
use play::{Engines, Opening, Table};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

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
    /// The journal has games, and nobody wants to go on with them.
    #[error("{what}: expected no games, found {games} of an interrupted report; --resume goes on with them")]
    Unfinished {
        /// Which file.
        what: String,
        /// How many games it has.
        games: usize,
    },
    /// The games could not be kept.
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

/// What there is besides the plan.
pub struct Work<'a> {
    /// Games at a time.
    pub threads: usize,
    /// Ends the work after the current moves when set.
    pub stop: &'a AtomicBool,
    /// Called before each search: it may wait while others need the processor.
    pub pause: &'a (dyn Fn() + Sync),
    /// When there have to be enough games: each part then ends after its quarter of the time.
    pub deadline: Option<Instant>,
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
pub fn run(variant: &Arc<Variant>, plan: &Plan, mut work: Work<'_>) -> Result<GameReport, ReportError> {
    let table = Table::new(variant, plan, work.pause);
    let quarters = Quarters::until(work.deadline);
    let mut games: Vec<GameRecord> = Vec::new();
    let mut different = Different::default();
    let mut fruitless = 0;
    let full = |number: u32, engines: &mut Engines, stop: &AtomicBool| match table
        .opening(number, &mut engines[0])
    {
        Some(opening) => table.play(Part::Full, number, &opening, engines, stop),
        None => Some(without_opening(number)),
    };
    in_order(Part::Full, &full, 0, &mut work, &mut |record| {
        let is_new = record.ending.is_some() && different.insert(&record);
        fruitless = if is_new { 0 } else { fruitless + 1 };
        if is_new {
            games.push(record);
        }
        let done = games.len() as u32;
        let enough = fruitless >= plan::FRUITLESS || (done > 0 && quarters.is_over(Part::Full));
        (done, done < plan.games && !enough)
    })?;
    let openings: Vec<Opening> =
        games.iter().map(|game| Opening { start: game.start, moves: game.opening.clone() }).collect();
    if openings.is_empty() {
        return Err(ReportError::NoOpenings);
    }
    let mut done = openings.len() as u64;
    for part in [Part::Weak, Part::Double, Part::Quadruple] {
        let each = if part == Part::Weak { 1 } else { 2 };
        let most = plan.games_of(part).min(openings.len() as u32 * each);
        let play = |number: u32, engines: &mut Engines, stop: &AtomicBool| {
            // Threads may be ahead of the last game.
            table.play(part, number, openings.get((number / each) as usize)?, engines, stop)
        };
        let mut different = Different::default();
        let mut count = 0;
        in_order(part, &play, done, &mut work, &mut |record| {
            count += 1;
            // Unequal players' games are pairs, which stay together.
            if part != Part::Weak || different.insert(&record) {
                games.push(record);
            }
            (count, count < most && !(count.is_multiple_of(2) && quarters.is_over(part)))
        })?;
        done += u64::from(count);
    }
    let first_moves = table.first_moves(&mut Table::engines()[0]);
    metrics::report(variant, plan, &games, &first_moves, table.start(0))
}

/// The times at which the parts end at the latest.
struct Quarters {
    begun: Instant,
    each: Option<Duration>,
}

impl Quarters {
    fn until(deadline: Option<Instant>) -> Self {
        let begun = Instant::now();
        let parts = Part::ALL.len() as u32;
        Self { begun, each: deadline.map(|deadline| deadline.saturating_duration_since(begun) / parts) }
    }

    fn is_over(&self, part: Part) -> bool {
        self.each.is_some_and(|each| self.begun.elapsed() > each * (part as u32 + 1))
    }
}

fn without_opening(number: u32) -> GameRecord {
    GameRecord {
        part: Part::Full,
        number,
        start: 0,
        opening: Vec::new(),
        moves: Vec::new(),
        scores: Vec::new(),
        choices: Vec::new(),
        ending: None,
        halves: 1,
    }
}

/// Games that differ: in their openings, and in more than their first half. Two ways to one position give one game.
#[derive(Default)]
struct Different {
    openings: HashSet<(usize, Vec<String>)>,
    /// By the last moves.
    games: HashMap<Vec<String>, Vec<Vec<String>>>,
}

impl Different {
    /// Whether the game is new.
    fn insert(&mut self, record: &GameRecord) -> bool {
        if !self.openings.insert((record.start, record.opening.clone())) {
            return false;
        }
        let moves: Vec<String> = record.opening.iter().chain(&record.moves).cloned().collect();
        let tail = moves[moves.len().saturating_sub(4)..].to_vec();
        let alike = self.games.entry(tail).or_default();
        let is_known = alike.iter().any(|known| {
            let same = known.iter().rev().zip(moves.iter().rev()).take_while(|(a, b)| a == b).count();
            2 * same >= known.len().max(moves.len())
        });
        if !is_known {
            alike.push(moves);
        }
        !is_known
    }
}

type PlayGame<'a> = dyn Fn(u32, &mut Engines, &AtomicBool) -> Option<GameRecord> + Sync + 'a;

/// Plays the games 0, 1, 2 … of a part, several at a time, and hands them over in this order until `take` wants no more: it
/// says how many count, and whether more are wanted.
fn in_order(
    part: Part,
    play: &PlayGame<'_>,
    before: u64,
    work: &mut Work<'_>,
    take: &mut dyn FnMut(GameRecord) -> (u32, bool),
) -> Result<(), ReportError> {
    let Work { threads, stop, known: kept, keep, progress, .. } = work;
    let known: HashSet<u32> = kept.keys().filter(|key| key.0 == part).map(|key| key.1).collect();
    let (next, enough) = (AtomicU32::new(0), AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..(*threads).max(1) {
            let (sender, next, enough, known, stop) = (sender.clone(), &next, &enough, &known, *stop);
            scope.spawn(move || {
                let mut engines = Table::engines();
                while !enough.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // The receiver takes those of the journal; it waits for nothing here.
                    if known.contains(&number) {
                        if sender.send(None).is_err() {
                            return;
                        }
                        continue;
                    }
                    let Some(record) = play(number, &mut engines, stop) else { return };
                    if sender.send(Some(record)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting: BTreeMap<u32, GameRecord> = BTreeMap::new();
        let (mut wanted, mut count) = (0, 0);
        for message in receiver {
            if let Some(record) = message {
                let added = keep(&record);
                if added.is_err() {
                    enough.store(true, Ordering::Relaxed);
                    return added;
                }
                waiting.insert(record.number, record);
            }
            loop {
                let known = kept.remove(&(part, wanted));
                let Some(record) = known.or_else(|| waiting.remove(&wanted)) else { break };
                wanted += 1;
                let (now, more) = take(record);
                count = now;
                progress(part, before + u64::from(count));
                if !more {
                    enough.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
        Err(ReportError::Interrupted(before + u64::from(count)))
    })
}

#[cfg(test)]
mod tests;
