//! Several threads on one position ("lazy SMP", wiki; first described by Daniel Homan and Martin
//! Sedlák): each searches for itself, all of them remember positions in the same table, and every two learn
//! together. They hand on what they have finished ([`super::relay`]) and put off what another is at
//! ([`super::busy`]). At the end they vote.

use super::FeatureKeys;
use super::busy::Busy;
use super::path;
use super::relay::Relay;
use super::root::{self, Find};
use crate::score::{DECIDED, INFINITE};
use crate::skill::Sight;
use crate::time::{Budget, Watch};
use crate::transposition::Table;
use crate::tunables::Tunables;
use crate::{Info, Limits, Report, Signals};
use crate::{eval::Values, ordering::Memory};
use lozenge_rules::position::{Game, Move, Position};
use lozenge_rules::variant::Rules;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Stack of a helping thread, in bytes: recursion is as deep as the search.
const STACK: usize = 16 << 20;

/// So many threads learn together: with one memory they make the same choices, and what one of them leaves to
/// another is found in the table when it comes back to it. Measured for two; the more share one, the more they
/// write to the same places.
const THREADS_A_MEMORY: usize = 2;

/// How many memories so many threads need.
pub(crate) fn memories_for(threads: usize) -> usize {
    threads.div_ceil(THREADS_A_MEMORY)
}

/// Everything a search needs besides the position.
pub(crate) struct Outside<'a> {
    pub(crate) game: &'a Game,
    pub(crate) limits: &'a Limits,
    pub(crate) signals: &'a Signals,
    pub(crate) inform: &'a mut dyn FnMut(&Info),
    pub(crate) values: &'a Values,
    pub(crate) feature_keys: &'a FeatureKeys,
    pub(crate) table: &'a Table,
    /// How many threads search, at least one.
    pub(crate) threads: usize,
    /// [`memories_for`] so many threads.
    pub(crate) memories: &'a [Memory],
    pub(crate) tunables: Tunables,
}

/// What each thread is given.
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
    pub(super) shared: &'a Shared<'a>,
}

/// What the threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) table: &'a Table,
    /// What a player with a handicap sees; `None` at full strength.
    pub(super) sight: Option<Sight>,
    pub(super) watch: Watch<'a>,
    pub(super) relay: Relay,
    pub(super) busy: Busy,
    halted: AtomicBool,
    counters: Vec<Counter>,
}

/// Nodes of one thread, on a cache line of its own.
#[derive(Default)]
#[repr(align(128))]
struct Counter(AtomicU64);

impl Shared<'_> {
    /// Under which key a position is remembered: a player with a handicap has a memory of its own.
    #[inline]
    pub(super) fn key(&self, key: u64) -> u64 {
        self.sight.as_ref().map_or(key, |sight| key ^ sight.salt())
    }

    /// Ends all threads' work as soon as possible.
    pub(super) fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Whether everybody is to end: one of the threads said so, or the outside did.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed) || self.watch.is_stopped()
    }

    /// A thread tells how many nodes it has searched.
    #[inline]
    pub(super) fn count(&self, thread: usize, nodes: u64) {
        self.counters[thread].0.store(nodes, Ordering::Relaxed);
    }

    /// Nodes of all threads, as far as told.
    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }
}

impl<const N: usize> Task<'_, N> {
    /// The most nodes a thread may search: all threads together no more than asked.
    pub(super) fn most_nodes(&self, thread: usize) -> u64 {
        let handicap = self.limits.handicap.map(|handicap| handicap.nodes(self.values.branching()));
        let Some(most) = self.limits.nodes.into_iter().chain(handicap).min() else { return u64::MAX };
        let threads = self.shared.counters.len() as u64;
        most / threads + if thread == 0 { most % threads } else { 0 }
    }
}

/// Searches the position at the end of the game.
pub(crate) fn think<const N: usize>(
    outside: Outside<'_>,
    position: &Position<N>,
    rules: &Rules<N>,
) -> Report {
    let Outside { game, limits, signals, inform, values, feature_keys, table, threads, memories, tunables } =
        outside;
    let counters = (0..threads).map(|_| Counter::default()).collect();
    let watch = Watch::new(Budget::new(limits), signals);
    let sight = limits.handicap.map(|handicap| Sight::new(handicap, position.key()));
    let busy = Busy::new(threads);
    let (relay, halted) = (Relay::default(), AtomicBool::new(false));
    let shared = Shared { table, sight, watch, relay, busy, halted, counters };
    // The game is played over for them: once, not by every thread.
    let keys = path::keys_of(game, values);
    let task =
        Task { position, rules, game, keys: &keys, limits, values, feature_keys, tunables, shared: &shared };
    let report = match game.outcome() {
        None => search_together(&task, threads, memories, inform),
        outcome => root::finished(outcome, position.turn()),
    };
    // With nothing but a signal to end the search, it is the signal that ends it.
    let endless = limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.movetime.is_none()
        && limits.clock.is_none()
        && limits.mate.is_none();
    watch.wait(endless);
    report
}

/// Runs the helping threads beside this one, which alone talks and decides when it is enough.
fn search_together<const N: usize>(
    task: &Task<'_, N>,
    threads: usize,
    memories: &[Memory],
    inform: &mut dyn FnMut(&Info),
) -> Report {
    let (mut finds, told) = std::thread::scope(|scope| {
        let memory_of = |thread: usize| &memories[thread / THREADS_A_MEMORY];
        let mut helpers = Vec::with_capacity(threads);
        for thread in 1..threads {
            let work = move || root::explore(task, thread, memory_of(thread), &mut |_| {});
            let builder = std::thread::Builder::new().name("helper".into()).stack_size(STACK);
            // Where the system gives no more threads, those that there are do the work.
            let Ok(helper) = builder.spawn_scoped(scope, work) else { break };
            helpers.push(helper);
        }
        let mut told = None;
        let mut finds = vec![root::explore(task, 0, memory_of(0), &mut |info| {
            if info.multipv == 1 {
                told = info.pv.first().copied();
            }
            inform(info);
        })];
        task.shared.halt();
        for helper in helpers {
            match helper.join() {
                Ok(find) => finds.push(find),
                // A fault of one thread is a fault of the search.
                Err(fault) => std::panic::resume_unwind(fault),
            }
        }
        (finds, told)
    });
    let elected = if task.limits.multipv <= 1 { vote(&finds) } else { 0 };
    let find = finds.swap_remove(elected);
    // Nothing was told yet, or a broken iteration or another thread has found better.
    if told.is_none() || told != find.best() {
        inform(&find.info(task));
    }
    find.report(task)
}

/// Which find to trust: that whose move gets most votes, each counting for its depth and for how
/// far its score lies above the worst (as in Stockfish since 2017), except that a proved win comes
/// before all, the shortest first. Finds that finished no iteration do not count, if one did.
fn vote(finds: &[Find]) -> usize {
    let eligible = |find: &&Find| find.score > -INFINITE && find.depth > 0;
    let worst = finds.iter().filter(eligible).map(|find| find.score).min().unwrap_or(0);
    let weight = |find: &Find| i64::from(find.score - worst + 14) * i64::from(find.depth);
    let votes = |best: Option<Move>| -> i64 {
        finds.iter().filter(eligible).filter(|find| find.best() == best).map(weight).sum()
    };
    let rank = |find: &Find| {
        let won = if find.score >= DECIDED { find.score } else { 0 };
        (won, votes(find.best()), weight(find))
    };
    let mut elected = 0;
    for (number, find) in finds.iter().enumerate().skip(1) {
        let better = !eligible(&&finds[elected]) || rank(find) > rank(&finds[elected]);
        if eligible(&find) && better {
            elected = number;
        }
    }
    elected
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::won_at;
    use lozenge_rules::geometry::Square;

    fn find(to: u8, score: i32, depth: u32) -> Find {
        Find::of(Move::plain(Square::new(0), Square::new(to)), score, depth)
    }

    #[test]
    fn the_majority_wins_unless_somebody_has_proved_a_win() {
        assert_eq!(vote(&[find(1, 20, 9)]), 0);
        assert_eq!(vote(&[find(1, 20, 9), find(2, 21, 9), find(2, 20, 9)]), 1);
        assert_eq!(vote(&[find(1, 20, 9), find(2, 400, 10), find(1, 30, 9)]), 1, "score and depth weigh");
        assert_eq!(vote(&[find(1, 20, 9), find(1, 30, 9), find(2, won_at(5), 4)]), 2);
        assert_eq!(vote(&[find(1, won_at(7), 9), find(2, won_at(3), 4)]), 1);
        assert_eq!(vote(&[find(1, -INFINITE, 0), find(2, 3, 1)]), 1, "nothing finished");
        assert_eq!(vote(&[find(1, -INFINITE, 0), find(2, -INFINITE, 0)]), 0);
    }
}
