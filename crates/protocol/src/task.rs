//! A task of the engine: a search, a perft, a benchmark, an evaluation. Each runs on a thread of its own that writes
//! its lines, then returns the engine in an [`Event`]. A [`Format`] for each protocol turns results into lines.

use crate::event::{Event, SearchResult};
use crate::{Output, diagnostics, perft};
use lozenge_engine::{Engine, Info, Limits, Signals, bench};
use lozenge_rules::position::Played;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Stack of a search, in bytes: recursion is as deep as the search.
const STACK: usize = 64 << 20;

/// A task of the engine.
#[derive(Debug)]
pub(crate) enum Task {
    /// Search. With `infinite`, and while pondering, the result is held back until `stop` (or the ponder hit).
    Search { game: Played, limits: Limits, infinite: bool },
    /// Answer without a move, because the position was refused; held back as the result of a search is.
    NoSearch { game: Played, infinite: bool },
    /// Count nodes.
    Perft { game: Played, depth: u32 },
    /// Explain the static evaluation.
    Eval { game: Played },
    /// Run the benchmark.
    Bench { depth: Option<u32> },
}

/// The lines of a task in one protocol; `None` where the protocol has none.
pub(crate) trait Format: Send + Sync + fmt::Debug {
    /// After an iteration or line of a search.
    fn info(&self, game: &Played, info: &Info) -> Option<String>;
    /// Before the [`result`](Self::result) of a search where no move is legal.
    fn game_over(&self, game: &Played) -> Option<String>;
    /// At the end of a search.
    fn result(&self, game: &Played, result: &SearchResult) -> Option<String>;
    /// A comment for people.
    fn comment(&self, text: &str) -> String;
}

/// A task on its thread.
#[derive(Debug)]
pub(crate) struct RunningTask {
    signals: Signals,
    gate: Arc<Gate>,
    /// Whether it has a limit other than the clock.
    pub(crate) is_limited: bool,
    /// Whether it runs until `stop`.
    pub(crate) is_infinite: bool,
    /// Whether it is a search, which ends with a move.
    pub(crate) is_search: bool,
    /// Set before its last line is written. Later commands are not meant for it.
    over: Arc<AtomicBool>,
    pub(crate) started: Instant,
}

/// Where a finished search waits for `stop` or the ponder hit.
#[derive(Debug, Default)]
struct Gate {
    lock: Mutex<()>,
    signal: Condvar,
}

impl RunningTask {
    /// Starts a task with the engine. `None` if no thread could be started.
    pub(crate) fn start(
        task: Task,
        ponder: bool,
        engine: Engine,
        format: Arc<dyn Format>,
        output: &Output,
        events: &SyncSender<Event>,
    ) -> Option<Self> {
        let (is_limited, is_infinite, is_search) = match &task {
            Task::Search { limits, infinite, .. } => {
                let limited = limits.depth.is_some()
                    || limits.nodes.is_some()
                    || limits.movetime.is_some()
                    || limits.mate.is_some();
                let is_held = *infinite || ponder;
                (limited && !is_held, is_held || !limited && limits.clock.is_none(), true)
            }
            Task::NoSearch { infinite, .. } => (!*infinite && !ponder, *infinite || ponder, true),
            Task::Perft { .. } | Task::Eval { .. } | Task::Bench { .. } => (true, false, false),
        };
        let signals = Signals::new(ponder);
        let gate = Arc::new(Gate::default());
        let over = Arc::new(AtomicBool::new(false));
        let runner = Runner {
            over: Arc::clone(&over),
            signals: signals.clone(),
            gate: Arc::clone(&gate),
            format,
            output: output.clone(),
            events: events.clone(),
        };
        let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK);
        thread.spawn(move || runner.run(task, engine)).ok()?;
        Some(Self { signals, gate, is_limited, is_infinite, is_search, over, started: Instant::now() })
    }

    /// Whether it has ended or was stopped.
    pub(crate) fn is_ending(&self) -> bool {
        self.signals.is_stopped() || self.is_over()
    }

    /// Whether its last line has been written, or is about to be.
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Ends it as soon as possible.
    pub(crate) fn stop(&self) {
        self.signals.stop();
        self.gate.open();
    }

    /// The expected move was played.
    pub(crate) fn ponder_hit(&self) {
        self.signals.hit();
        self.gate.open();
    }
}

impl Gate {
    fn open(&self) {
        // Taking the lock prevents a wake-up between the check and the wait of the other thread.
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.signal.notify_all();
    }

    fn wait_while(&self, closed: impl Fn() -> bool) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.signal.wait_while(guard, |()| closed()));
    }
}

/// The thread's part of a task.
struct Runner {
    over: Arc<AtomicBool>,
    signals: Signals,
    gate: Arc<Gate>,
    format: Arc<dyn Format>,
    output: Output,
    events: SyncSender<Event>,
}

impl Runner {
    fn run(self, task: Task, mut engine: Engine) {
        // If the engine panics, the session goes on and the GUI still gets a move.
        let searched = match &task {
            Task::Search { game, .. } => Some(game.clone()),
            _ => None,
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.compute(task, &mut engine)));
        let (engine, result) = match done {
            Ok(result) => (Some(engine), result),
            Err(_) => {
                self.comment("internal error: the search has failed");
                (None, searched.map(|game| self.any_move(&game)))
            }
        };
        // Fails only if the session has ended.
        let _ = self.events.send(Event::TaskEnded { engine, result });
    }

    fn compute(&self, task: Task, engine: &mut Engine) -> Option<SearchResult> {
        match task {
            Task::Search { game, limits, infinite } => {
                return Some(self.search(engine, &game, &limits, infinite));
            }
            Task::NoSearch { game, infinite } => {
                let result = SearchResult { best: None, ponder: None, score: None };
                return Some(self.finish(&game, infinite, result));
            }
            Task::Perft { game, depth } => {
                let stop = || self.signals.is_stopped();
                let counts = match &game {
                    Played::Two(game) => perft::count(game.position(), depth, 1, &stop),
                    Played::Four(game) => perft::count_multi(game.position(), depth, 1, &stop),
                };
                self.end(counts.map(|counts| counts.text(true)), "perft stopped");
            }
            Task::Eval { game } => {
                let text = match &game {
                    Played::Two(game) => diagnostics::evaluation(engine, game.position()),
                    Played::Four(game) => diagnostics::multi_evaluation(engine, game.position()),
                };
                self.end(Some(text), "");
            }
            Task::Bench { depth } => {
                let result = bench::run_until(depth, &self.signals, &mut |name, nodes| {
                    self.comment(&format!("bench {name}: {nodes} nodes"));
                });
                self.end(result.map(|result| diagnostics::bench_text(&result)), "bench stopped");
            }
        }
        None
    }

    fn search(&self, engine: &mut Engine, game: &Played, limits: &Limits, infinite: bool) -> SearchResult {
        let mut result = SearchResult { best: None, ponder: None, score: None };
        let legal = game.legal_moves();
        if legal.is_empty() {
            self.write(self.format.game_over(game));
        } else {
            let report = engine.search_played(game, limits, &self.signals, &mut |info| {
                self.write(self.format.info(game, info));
            });
            // With `searchmoves` no other move may be returned.
            let allowed = if limits.searchmoves.is_empty() { &legal } else { &limits.searchmoves };
            let best = report.best.filter(|best| allowed.contains(best));
            result.ponder = report.ponder.filter(|_| best.is_some());
            result.best = best.or_else(|| allowed.first().copied());
            result.score = Some(report.score);
        }
        self.finish(game, infinite, result)
    }

    /// Writes the result of a search, once it may be written.
    fn finish(&self, game: &Played, infinite: bool, result: SearchResult) -> SearchResult {
        let is_held = || {
            let waiting = infinite || self.signals.is_pondering();
            waiting && !self.signals.is_stopped()
        };
        self.gate.wait_while(is_held);
        self.over.store(true, Ordering::Release);
        self.write(self.format.result(game, &result));
        result
    }

    /// Any legal move, for a position in which the search has failed.
    fn any_move(&self, game: &Played) -> SearchResult {
        self.over.store(true, Ordering::Release);
        let best = game.legal_moves().first().copied();
        let result = SearchResult { best, ponder: None, score: None };
        self.write(self.format.result(game, &result));
        result
    }

    /// Writes the last lines of a task, or `stopped`.
    fn end(&self, lines: Option<String>, stopped: &str) {
        self.over.store(true, Ordering::Release);
        match lines {
            Some(lines) => self.write(Some(lines)),
            None => self.comment(stopped),
        }
    }

    fn comment(&self, text: &str) {
        self.write(Some(self.format.comment(text)));
    }

    /// Writes a line. If the output is closed, ends the task and the session.
    fn write(&self, line: Option<String>) {
        let Some(line) = line else { return };
        if !self.output.line(line) && !self.signals.is_stopped() {
            self.signals.stop();
            let _ = self.events.send(Event::OutputClosed);
        }
    }
}
