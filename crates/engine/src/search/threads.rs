//! Several threads on one position ("lazy SMP", wiki; first described by Daniel Homan and Martin Sedlák).
//! All threads share the transposition table, and every two share histories. A thread publishes finished
//! iterations ([`super::shared_iteration`]) and defers moves that another searches ([`super::abdada`]). At the
//! end the threads vote.

use super::abdada::CurrentlySearching;
use super::context::{Counter, SearchContext, SearchShared, Task};
use super::path;
use super::root::{self, ThreadResult};
use super::shared_iteration::SharedIteration;
use super::slice::Slice;
use crate::ordering::Histories;
use crate::score::DECIDED;
use crate::skill::HandicapState;
use crate::time::{Budget, TimeManager};
use crate::{Info, SearchReport};
use lozenge_rules::position::{Move, Position};
use lozenge_rules::variant::Rules;
use std::sync::atomic::{AtomicBool, AtomicU64};
use web_time::Instant;

/// Stack of a helping thread, in bytes: recursion is as deep as the search.
const STACK: usize = 16 << 20;

/// Threads that share one set of histories. They order and reduce moves alike, so a deferred move's result is
/// in the table when a thread returns to it. Measured for two; more threads contend for the same entries.
const THREADS_PER_HISTORY: usize = 2;

/// Number of sets of histories that a search on `threads` threads needs.
pub(crate) fn histories_for(threads: usize) -> usize {
    threads.div_ceil(THREADS_PER_HISTORY)
}

/// Searches the position at the end of the game: the whole search, or a slice of it on one thread.
pub(crate) fn think<const N: usize>(
    context: SearchContext<'_>,
    slice: Option<&mut Slice>,
    position: &Position<N>,
    rules: &Rules<N>,
) -> SearchReport {
    let SearchContext {
        game,
        limits,
        signals,
        on_info,
        values,
        feature_keys,
        table,
        tables,
        threads,
        histories,
        tunables,
    } = context;
    let counters = (0..threads).map(|_| Counter::default()).collect();
    let begun = slice.as_ref().map_or_else(Instant::now, |slice| slice.begun);
    let time = TimeManager::new(Budget::new(limits), signals, begun);
    let handicap_state = limits.handicap.map(|handicap| HandicapState::new(handicap, position.key()));
    let searching = CurrentlySearching::new(threads);
    let (iteration, halted) = (SharedIteration::default(), AtomicBool::new(false));
    let shared = SearchShared {
        table,
        tables: tables.filter(|_| limits.handicap.is_none()),
        table_hits: AtomicU64::new(0),
        handicap_state,
        time,
        iteration,
        searching,
        halted,
        counters,
    };
    // Replay the game once, not in every thread.
    let keys = path::keys_of(game, values);
    let task =
        Task { position, rules, game, keys: &keys, limits, values, feature_keys, tunables, shared: &shared };
    let sliced = slice.is_some();
    // A game that is drawn, but in which there are moves, can be analyzed.
    let report = match game.outcome() {
        Some(outcome) if position.legal_moves(rules).is_empty() => root::finished(outcome, position.turn()),
        _ => search_together(&task, threads, histories, on_info, slice),
    };
    if sliced {
        return report;
    }
    // Without a limit, return only on a signal.
    let unlimited = limits.depth.is_none()
        && limits.nodes.is_none()
        && limits.movetime.is_none()
        && limits.clock.is_none()
        && limits.mate.is_none();
    time.wait(unlimited);
    report
}

/// Runs the helper threads beside the main thread, which alone reports and manages the time.
fn search_together<const N: usize>(
    task: &Task<'_, N>,
    threads: usize,
    histories: &[Histories],
    on_info: &mut dyn FnMut(&Info),
    mut slice: Option<&mut Slice>,
) -> SearchReport {
    let (mut results, reported) = std::thread::scope(|scope| {
        let histories_of = |thread: usize| &histories[thread / THREADS_PER_HISTORY];
        let mut helpers = Vec::with_capacity(threads);
        for thread in 1..threads {
            let work = move || root::explore(task, thread, histories_of(thread), &mut |_| {}, None);
            let builder = std::thread::Builder::new().name("helper".into()).stack_size(STACK);
            // If the system refuses more threads, search with fewer.
            let Ok(helper) = builder.spawn_scoped(scope, work) else { break };
            helpers.push(helper);
        }
        let mut reported = slice.as_ref().and_then(|slice| slice.reported());
        let on_info = &mut |info: &Info| {
            if info.multipv == 1 {
                reported = Some(info.headline());
            }
            on_info(info);
        };
        let mut results = vec![root::explore(task, 0, histories_of(0), on_info, slice.as_deref_mut())];
        task.shared.halt();
        for helper in helpers {
            match helper.join() {
                Ok(result) => results.push(result),
                // A panic of one thread is a panic of the search.
                Err(fault) => std::panic::resume_unwind(fault),
            }
        }
        (results, reported)
    });
    let elected = if task.limits.multipv <= 1 { vote(&results) } else { 0 };
    let result = results.swap_remove(elected);
    if slice.is_some_and(|slice| slice.is_paused()) {
        return result.report(task);
    }
    // Report the final move and score if the last reported line had others.
    let info = result.info(task);
    if reported != Some(info.headline()) {
        on_info(&info);
    }
    result.report(task)
}

/// Index of the elected result: its move has most votes, weighted by depth and by score above the worst (as in
/// Stockfish since 2017). A proved win comes first, the shortest before all. Results without a finished
/// iteration do not count if another thread finished one.
fn vote(results: &[ThreadResult]) -> usize {
    let eligible = |result: &&ThreadResult| result.depth > 0;
    let worst = results.iter().filter(eligible).map(|result| result.score).min().unwrap_or(0);
    let weight = |result: &ThreadResult| i64::from(result.score - worst + 14) * i64::from(result.depth);
    let votes = |best: Option<Move>| -> i64 {
        results.iter().filter(eligible).filter(|result| result.best() == best).map(weight).sum()
    };
    let rank = |result: &ThreadResult| {
        let won = if result.score >= DECIDED { result.score } else { 0 };
        (won, votes(result.best()), weight(result))
    };
    let mut elected = 0;
    for (number, result) in results.iter().enumerate().skip(1) {
        let better = !eligible(&&results[elected]) || rank(result) > rank(&results[elected]);
        if eligible(&result) && better {
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

    fn result(to: u8, score: i32, depth: u32) -> ThreadResult {
        ThreadResult::of(Move::plain(Square::new(0), Square::new(to)), score, depth)
    }

    #[test]
    fn majority_wins_unless_a_thread_has_proved_a_win() {
        assert_eq!(vote(&[result(1, 20, 9)]), 0);
        assert_eq!(vote(&[result(1, 20, 9), result(2, 21, 9), result(2, 20, 9)]), 1);
        assert_eq!(
            vote(&[result(1, 20, 9), result(2, 400, 10), result(1, 30, 9)]),
            1,
            "score and depth weigh"
        );
        assert_eq!(vote(&[result(1, 20, 9), result(1, 30, 9), result(2, won_at(5), 4)]), 2);
        assert_eq!(vote(&[result(1, won_at(7), 9), result(2, won_at(3), 4)]), 1);
        assert_eq!(vote(&[result(1, 90, 0), result(2, 3, 1)]), 1, "nothing finished");
        assert_eq!(vote(&[result(1, 5, 0), result(2, 9, 0)]), 0);
    }
}
