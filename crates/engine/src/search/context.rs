//! Inputs of a search, and the state that its threads share.

use super::FeatureKeys;
use super::abdada::CurrentlySearching;
use super::shared_iteration::SharedIteration;
use crate::eval::Values;
use crate::ordering::Histories;
use crate::skill::HandicapState;
use crate::time::TimeManager;
use crate::transposition::TranspositionTable;
use crate::tunables::Tunables;
use crate::{Info, Limits, Signals};
use lozenge_rules::position::{Game, Position};
use lozenge_rules::variant::Rules;
use lozenge_tablebase::Tables;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Input of a search besides the position.
pub(crate) struct SearchContext<'a> {
    pub(crate) game: &'a Game,
    pub(crate) limits: &'a Limits,
    pub(crate) signals: &'a Signals,
    pub(crate) on_info: &'a mut dyn FnMut(&Info),
    pub(crate) values: &'a Values,
    pub(crate) feature_keys: &'a FeatureKeys,
    pub(crate) table: &'a TranspositionTable,
    /// Endgame tables of the game, if there are any.
    pub(crate) tables: Option<&'a Tables>,
    /// How many threads search, at least one.
    pub(crate) threads: usize,
    /// As many as [`histories_for`](super::histories_for) returns.
    pub(crate) histories: &'a [Histories],
    pub(crate) tunables: Tunables,
}

/// Input of each thread.
pub(super) struct Task<'a, const N: usize> {
    pub(super) position: &'a Position<N>,
    pub(super) rules: &'a Rules<N>,
    pub(super) game: &'a Game,
    /// Keys of the game's positions that can still be repeated, the root last.
    pub(super) keys: &'a [u64],
    pub(super) limits: &'a Limits,
    pub(super) values: &'a Values,
    pub(super) feature_keys: &'a FeatureKeys,
    pub(super) tunables: Tunables,
    pub(super) shared: &'a SearchShared<'a>,
}

/// State that the threads of a search share.
pub(super) struct SearchShared<'a> {
    pub(super) table: &'a TranspositionTable,
    /// Endgame tables of the game; none for a player with a handicap.
    pub(super) tables: Option<&'a Tables>,
    /// Positions found in them.
    pub(super) table_hits: AtomicU64,
    /// Moves that a player with a handicap sees; `None` at full strength.
    pub(super) handicap_state: Option<HandicapState>,
    pub(super) time: TimeManager<'a>,
    pub(super) iteration: SharedIteration,
    pub(super) searching: CurrentlySearching,
    pub(super) halted: AtomicBool,
    pub(super) counters: Vec<Counter>,
}

/// Nodes of one thread, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Counter(AtomicU64);

impl SearchShared<'_> {
    /// Key of a position in the table. Every handicap has keys of its own, so that results do not mix.
    #[inline]
    pub(super) fn key(&self, key: u64) -> u64 {
        self.handicap_state.as_ref().map_or(key, |state| key ^ state.salt())
    }

    /// Stops all threads as soon as possible.
    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Whether all threads must stop: a thread halted the search, or the caller sent a signal.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed) || self.time.is_stopped()
    }

    /// Publishes the node count of a thread.
    #[inline]
    pub(super) fn count(&self, thread: usize, nodes: u64) {
        self.counters[thread].0.store(nodes, Ordering::Relaxed);
    }

    /// Nodes of all threads, as last published.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}

impl<const N: usize> Task<'_, N> {
    /// Node limit of one thread: its share of the limit for all threads.
    pub(super) fn most_nodes(&self, thread: usize) -> u64 {
        let handicap = self.limits.handicap.map(|handicap| handicap.nodes(self.values.branching()));
        let Some(most) = self.limits.nodes.into_iter().chain(handicap).min() else { return u64::MAX };
        let threads = self.shared.counters.len() as u64;
        most / threads + if thread == 0 { most % threads } else { 0 }
    }
}
