//! What runs beside the session: a search, a perft, a bench, an evaluation. Each on a thread of its
//! own that writes its lines, then hands the engine back. Which lines these are is for a [`Voice`] to
//! say, one for each protocol.

use crate::conversation::Event;
use crate::{Output, explain, perft};
use lozenge_engine::{Engine, Info, Limits, Score, Signals, bench};
use lozenge_rules::position::{AnyPosition, Game, Move};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Stack of a search, in bytes: recursion is as deep as the search.
const STACK: usize = 64 << 20;

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Task {
    /// Search. `infinite`: what it has found is held back until it is told to stop; while pondering
    /// it always is, until the hit.
    Search { game: Game, limits: Limits, infinite: bool },
    /// Count nodes.
    Perft { game: Game, depth: u32 },
    /// The static evaluation, explained.
    Eval { game: Game },
    /// The benchmark.
    Bench { depth: Option<u32> },
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The move to play; `None` where there is none.
    pub(crate) best: Option<Move>,
    /// The answer it expects.
    pub(crate) ponder: Option<Move>,
    /// What the position is worth to the side to move, if a search has said so.
    pub(crate) score: Option<Score>,
}

/// The lines of a task, in one protocol.
pub(crate) trait Voice: Send + Sync + fmt::Debug {
    /// After an iteration or line of a search.
    fn thinking(&self, position: &AnyPosition, info: &Info) -> Option<String>;
    /// For a search where the game is over, before [`found`](Self::found).
    fn finished(&self, position: &AnyPosition) -> Option<String>;
    /// At the end of a search.
    fn found(&self, position: &AnyPosition, found: &Found) -> Option<String>;
    /// A remark for people.
    fn remark(&self, text: &str) -> String;
}

/// A task on its thread.
#[derive(Debug)]
pub(crate) struct Running {
    signals: Signals,
    gate: Arc<Gate>,
    /// Whether it is held to a limit of its own, other than the clock.
    pub(crate) bounded: bool,
    /// Whether it goes on until it is told to stop.
    pub(crate) endless: bool,
    /// Whether it is a search, for which a move is awaited.
    pub(crate) search: bool,
    /// Set before its last line is written: what comes after that is not meant for it.
    over: Arc<AtomicBool>,
    /// When it began.
    pub(crate) started: Instant,
}

/// Where a finished search waits to be told to stop, or for the hit.
#[derive(Debug, Default)]
struct Gate {
    lock: Mutex<()>,
    signal: Condvar,
}

impl Running {
    /// Starts a task with the engine. `None`: there is no thread to be had.
    pub(crate) fn start(
        task: Task,
        ponder: bool,
        engine: Engine,
        voice: Arc<dyn Voice>,
        output: &Output,
        events: &SyncSender<Event>,
    ) -> Option<Self> {
        let (bounded, endless, search) = match &task {
            Task::Search { limits, infinite, .. } => {
                let limited = limits.depth.is_some()
                    || limits.nodes.is_some()
                    || limits.movetime.is_some()
                    || limits.mate.is_some();
                let held = *infinite || ponder;
                (limited && !held, held || !limited && limits.clock.is_none(), true)
            }
            Task::Perft { .. } | Task::Eval { .. } | Task::Bench { .. } => (true, false, false),
        };
        let signals = Signals::new(ponder);
        let gate = Arc::new(Gate::default());
        let over = Arc::new(AtomicBool::new(false));
        let worker = Worker {
            over: Arc::clone(&over),
            signals: signals.clone(),
            gate: Arc::clone(&gate),
            voice,
            output: output.clone(),
            events: events.clone(),
        };
        let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK);
        thread.spawn(move || worker.run(task, engine)).ok()?;
        Some(Self { signals, gate, bounded, endless, search, over, started: Instant::now() })
    }

    /// Whether it has come to its end or was told to.
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
    pub(crate) fn hit(&self) {
        self.signals.hit();
        self.gate.open();
    }
}

impl Gate {
    fn open(&self) {
        // The lock is taken so that nobody is between looking and waiting.
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
        self.signal.notify_all();
    }

    fn wait_while(&self, closed: impl Fn() -> bool) {
        let guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.signal.wait_while(guard, |()| closed()));
    }
}

struct Worker {
    over: Arc<AtomicBool>,
    signals: Signals,
    gate: Arc<Gate>,
    voice: Arc<dyn Voice>,
    output: Output,
    events: SyncSender<Event>,
}

impl Worker {
    fn run(self, task: Task, mut engine: Engine) {
        // A fault of the engine must cost neither the session nor the game: the GUI gets a move.
        let fallback = match &task {
            Task::Search { game, .. } => Some(game.position().clone()),
            _ => None,
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.work(task, &mut engine)));
        let (engine, found) = match done {
            Ok(found) => (Some(engine), found),
            Err(_) => {
                self.remark("internal error: the search has failed");
                (None, fallback.map(|position| self.any(&position)))
            }
        };
        // Nobody listens any more when the session has ended.
        let _ = self.events.send(Event::Finished { engine, found });
    }

    fn work(&self, task: Task, engine: &mut Engine) -> Option<Found> {
        match task {
            Task::Search { game, limits, infinite } => {
                return Some(self.search(engine, &game, &limits, infinite));
            }
            Task::Perft { game, depth } => {
                let counts = perft::count(game.position(), depth, 1, &|| self.signals.is_stopped());
                self.end(counts.map(|counts| counts.text(true)), "perft stopped");
            }
            Task::Eval { game } => self.end(Some(explain::evaluation(engine, game.position())), ""),
            Task::Bench { depth } => {
                let result = bench::run_until(depth, &self.signals, &mut |name, nodes| {
                    self.remark(&format!("bench {name}: {nodes} nodes"));
                });
                self.end(result.map(|result| crate::bench::text(&result)), "bench stopped");
            }
        }
        None
    }

    fn search(&self, engine: &mut Engine, game: &Game, limits: &Limits, infinite: bool) -> Found {
        let position = game.position();
        let mut found = Found { best: None, ponder: None, score: None };
        if game.outcome().is_some() {
            self.say(self.voice.finished(position));
        } else {
            let legal = position.legal_moves();
            let report = engine.search(game, limits, &self.signals, &mut |info| {
                self.say(self.voice.thinking(position, info));
            });
            // No other move than one that was asked for.
            let allowed = if limits.searchmoves.is_empty() { &legal } else { &limits.searchmoves };
            let best = report.best.filter(|best| allowed.contains(best));
            found.ponder = report.ponder.filter(|_| best.is_some());
            found.best = best.or_else(|| allowed.first().copied());
            found.score = Some(report.score);
        }
        let held = || {
            let waiting = infinite || self.signals.is_pondering();
            waiting && !self.signals.is_stopped()
        };
        self.gate.wait_while(held);
        self.over.store(true, Ordering::Release);
        self.say(self.voice.found(position, &found));
        found
    }

    /// Some move of a position in which the search has failed.
    fn any(&self, position: &AnyPosition) -> Found {
        self.over.store(true, Ordering::Release);
        let best = position.legal_moves().first().copied();
        let found = Found { best, ponder: None, score: None };
        self.say(self.voice.found(position, &found));
        found
    }

    /// The last lines of a task, or that it was stopped.
    fn end(&self, lines: Option<String>, stopped: &str) {
        self.over.store(true, Ordering::Release);
        match lines {
            Some(lines) => self.say(Some(lines)),
            None => self.remark(stopped),
        }
    }

    fn remark(&self, text: &str) {
        self.say(Some(self.voice.remark(text)));
    }

    /// A line that nobody reads ends the work and the session.
    fn say(&self, line: Option<String>) {
        let Some(line) = line else { return };
        if !self.output.line(line) && !self.signals.is_stopped() {
            self.signals.stop();
            let _ = self.events.send(Event::OutputClosed);
        }
    }
}
