//! What runs beside the session: a search, a perft, a bench, an evaluation. Each on a thread of its
//! own that writes its lines, then hands the engine back.

use super::{Event, format};
use crate::{Output, bench, perft};
use lozenge_engine::{Engine, Limits, Signals};
use lozenge_rules::position::Game;
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
    /// Search; `wait`: the best move is held back until `stop` (or, pondering, `ponderhit`).
    Search { game: Game, limits: Limits, infinite: bool },
    /// Count nodes.
    Perft { game: Game, depth: u32 },
    /// The static score, from a search of depth 1.
    Eval { game: Game },
    /// The benchmark. It cannot be stopped.
    Bench { depth: Option<u32> },
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
    /// Whether it is a search, for which `bestmove` is awaited.
    pub(crate) search: bool,
    /// Set before its last line is written: what comes after that is not meant for it.
    over: Arc<AtomicBool>,
    /// When it began.
    pub(crate) started: Instant,
}

/// Where a finished search waits for `stop` or `ponderhit`.
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
            output: output.clone(),
            events: events.clone(),
        };
        let thread = std::thread::Builder::new().name("search".into()).stack_size(STACK);
        thread.spawn(move || worker.run(task, engine)).ok()?;
        Some(Self { signals, gate, bounded, endless, search, over, started: Instant::now() })
    }

    /// Whether it has come to its end or was told to.
    pub(crate) fn is_ending(&self) -> bool {
        self.signals.is_stopped() || self.over.load(Ordering::Acquire)
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
        let engine = match done {
            Ok(()) => Some(engine),
            Err(_) => {
                self.output.info("internal error: the search has failed");
                self.over.store(true, Ordering::Release);
                if let Some(position) = fallback {
                    let any = position.legal_moves().first().copied();
                    self.say(format::best_move(position.variant(), any, None));
                }
                None
            }
        };
        // Nobody listens any more when the session has ended.
        let _ = self.events.send(Event::Finished(engine));
    }

    fn work(&self, task: Task, engine: &mut Engine) {
        match task {
            Task::Search { game, limits, infinite } => self.search(engine, &game, &limits, infinite),
            Task::Perft { game, depth } => {
                match perft::count(game.position(), depth, 1, &|| self.signals.is_stopped()) {
                    Some(counts) => self.say(counts.text(true)),
                    None => self.inform("perft stopped"),
                }
            }
            Task::Eval { game } => self.evaluate(engine, &game),
            Task::Bench { depth } => {
                let measured = bench::run(depth, &mut |name, nodes| {
                    self.inform(&format!("bench {name}: {nodes} nodes"));
                });
                self.say(measured.to_string());
            }
        }
    }

    fn search(&self, engine: &mut Engine, game: &Game, limits: &Limits, infinite: bool) {
        let position = game.position();
        let legal = position.legal_moves();
        let (mut best, mut ponder) = (None, None);
        if legal.is_empty() {
            self.say(format::finished(position));
        } else {
            let report = engine.search(game, limits, &self.signals, &mut |info| {
                self.say(format::info(game.variant(), info));
            });
            // Where the engine sees nothing left to play for (a dead position) whoever asks for a
            // move still gets one; and no other move than one that was asked for.
            let allowed = if limits.searchmoves.is_empty() { &legal } else { &limits.searchmoves };
            let found = report.best.filter(|best| allowed.contains(best));
            best = found.or_else(|| allowed.first().copied());
            ponder = report.ponder.filter(|_| found.is_some());
        }
        let held = || {
            let waiting = infinite || self.signals.is_pondering();
            waiting && !self.signals.is_stopped()
        };
        self.gate.wait_while(held);
        self.over.store(true, Ordering::Release);
        self.say(format::best_move(game.variant(), best, ponder));
    }

    fn evaluate(&self, engine: &mut Engine, game: &Game) {
        let position = game.position();
        if position.legal_moves().is_empty() {
            self.say(format!("Final evaluation: none ({})", position.status()));
            return;
        }
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let report = engine.search(game, &limits, &self.signals, &mut |_| {});
        self.say(format::evaluation(position, &report));
    }

    fn say(&self, line: String) {
        self.noticed(self.output.line(line));
    }

    fn inform(&self, text: &str) {
        self.noticed(self.output.info(text));
    }

    /// A line that nobody reads ends the work and the session.
    fn noticed(&self, written: bool) {
        if !written && !self.signals.is_stopped() {
            self.signals.stop();
            let _ = self.events.send(Event::OutputClosed);
        }
    }
}
