//! Limits of a search, and signals to stop it.

use crate::Handicap;
use lozenge_rules::position::Move;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use web_time::Instant;

/// The limits of a search. The first one reached ends it; without limits it runs until it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Exactly this long.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Stop when a mate (or goal) in at most this number of moves is found.
    pub mate: Option<u32>,
    /// Only these first moves; empty: all.
    pub searchmoves: Vec<Move>,
    /// How many best lines to find; 0 counts as 1.
    pub multipv: usize,
    /// The handicap; `None` for full strength.
    pub handicap: Option<Handicap>,
    /// Time reserved for delays between the engine and the clock.
    pub overhead: Duration,
}

/// A chess clock as the engine sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None`: the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The two signals that reach a running search from other threads.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    stop: Arc<AtomicBool>,
    pondering: Arc<AtomicBool>,
    /// When the expected move was played.
    hit: Arc<OnceLock<Instant>>,
}

impl Signals {
    /// No signal given; with `pondering` the clock stands still until [`hit`](Self::hit).
    #[must_use]
    pub fn new(pondering: bool) -> Self {
        let signals = Self::default();
        signals.pondering.store(pondering, Ordering::Relaxed);
        signals
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The expected move was played: the clock runs from now.
    pub fn hit(&self) {
        // The first hit counts; a second changes nothing.
        let _ = self.hit.set(Instant::now());
        self.pondering.store(false, Ordering::Release);
    }

    /// Whether the caller stopped the search.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the clock stands still.
    #[must_use]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When the clock began to run, if it stood still at first and runs now.
    pub(crate) fn hit_at(&self) -> Option<Instant> {
        self.hit.get().copied()
    }
}
