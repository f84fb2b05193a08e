//! Runs the engine for many clients: a fixed number of threads, each with an engine of its own. A job of a higher [`Class`]
//! comes first and interrupts one of a lower class. Inside a class, networks take turns and so do the askers of each network:
//! one with a hundred jobs does not hold up another with one. Searches for moves can be done elsewhere, too
//! ([`RemoteSearches`]). Not here: the purpose of a job, and how it travels.

mod pool;
mod queue;
mod remote;
mod waiting;

pub use lozenge_engine::bench::signature;
pub use lozenge_engine::{
    Bound, CurrentMove, Engine, Handicap, Info, Limits, Score, SearchReport, Signals, Values, skill, wdl,
};
use lozenge_rules::position::Played;
pub use pool::Pool;
pub use remote::{RemoteSearch, RemoteSearches};
use std::num::NonZeroUsize;
use std::time::Duration;

/// How urgent a job is. A job never waits for one of a later class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A move in a game that goes on.
    Move,
    /// A hint in such a game.
    Hint,
    /// A position that a user analyzes. The classes before interrupt it, and it is resumed.
    Analysis,
    /// The review of a game; no player waits for it at the board. It is interrupted, too.
    Review,
}

impl Class {
    pub(crate) const COUNT: usize = Self::ALL.len();
    pub(crate) const ALL: [Self; 4] = [Self::Move, Self::Hint, Self::Analysis, Self::Review];
    pub(crate) const PLAYING: [Self; 2] = [Self::Move, Self::Hint];

    pub(crate) const fn index(self) -> usize {
        self as usize
    }

    /// Whether a player waits for it at the board.
    pub(crate) fn is_playing(self) -> bool {
        self <= Self::Hint
    }

    /// Whether a running job of this class gives way to one of another.
    pub(crate) fn yields_to(self, other: Self) -> bool {
        self >= Self::Analysis && other < self
    }
}

/// A search for a move.
#[derive(Clone, Debug)]
pub struct Job {
    /// How urgent it is.
    pub class: Class,
    /// The asker, as a path of groups, the widest first: networks take turns, and inside each of them accounts.
    pub asker: Vec<String>,
    /// The game whose last position is searched.
    pub game: Played,
    /// How long and how well. A job without any bound is given [`Bounds::time`].
    pub limits: Limits,
}

/// The resources of the jobs.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Threads that search at the same time.
    pub threads: NonZeroUsize,
    /// Memory of each for positions, in MiB.
    pub hash_mib: usize,
    /// Longest search for a move.
    pub time: Duration,
    /// Most jobs of one asker that may wait.
    pub waiting: usize,
}

impl Default for Bounds {
    /// Half of the processors, 16 MiB each, 10 seconds, 32 waiting jobs of each asker.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            threads: NonZeroUsize::new(processors / 2).unwrap_or(NonZeroUsize::MIN),
            hash_mib: 16,
            time: Duration::from_secs(10),
            waiting: 32,
        }
    }
}

/// Why a job was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The asker has too many jobs waiting already.
    #[error("expected at most {0} waiting jobs of one asker, found more")]
    TooMany(usize),
    /// The pool is being closed, or the search failed.
    #[error("the engine is not available")]
    Gone,
}
