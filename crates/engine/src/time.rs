//! Time management: the budget of a move from its clock, and the time manager that ends a search.

use crate::{Clock, Limits, Signals};
use std::time::Duration;
use web_time::Instant;

/// Moves for which the remaining time has to last where no time control is given.
const HORIZON: u32 = 28;

/// Longest clock; longer ones count as thirty days.
const MAX_CLOCK: Duration = Duration::from_secs(30 * 86_400);

/// Hundredths of the usual time for a best move that has been best for this many iterations.
pub(crate) fn steady_percent(iterations: u32) -> u32 {
    [150, 120, 100, 85, 75][iterations.min(4) as usize]
}

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Budget {
    /// No new iteration is begun after this, adjusted by how sure the search is.
    pub(crate) soft: Option<Duration>,
    /// The search is broken off.
    pub(crate) hard: Option<Duration>,
}

impl Budget {
    /// The budget that follows from the limits.
    pub(crate) fn new(limits: &Limits) -> Self {
        let least = Duration::from_millis(1);
        let fixed = limits.movetime.map(|time| time.saturating_sub(limits.overhead).max(least));
        let Some(clock) = limits.clock else { return Self { soft: None, hard: fixed } };
        let (soft, hard) = share(clock, limits.overhead);
        Self { soft: Some(soft), hard: Some(fixed.map_or(hard, |fixed| fixed.min(hard))) }
    }
}

/// A share of the clock: the usual time for a move and the most.
///
/// Only the part of the increment above the overhead is used. Where the increment hardly covers the
/// overhead, the clock therefore settles at many times the overhead and not just above zero. A
/// single delay then does not lose the game.
fn share(clock: Clock, overhead: Duration) -> (Duration, Duration) {
    let least = Duration::from_millis(1);
    let usable = clock.remaining.min(MAX_CLOCK).saturating_sub(overhead).max(least);
    let moves = clock.moves_to_go.map_or(HORIZON, |moves| moves.clamp(1, HORIZON) + 1);
    let optimum = usable / moves + clock.increment.min(MAX_CLOCK).saturating_sub(overhead) * 3 / 4;
    let hard = (optimum * 4).min(usable * 3 / 5).max(least);
    (optimum.min(hard), hard)
}

/// Measures a search against its budget. While pondering, no time passes. The threads of a search
/// share one, so that any running thread notices the end of the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager<'s> {
    signals: &'s Signals,
    budget: Budget,
    begun: Instant,
    /// Whether the clock stood still at first.
    pondered: bool,
}

impl<'s> TimeManager<'s> {
    /// The time manager of a search that began at `begun`.
    pub(crate) fn new(budget: Budget, signals: &'s Signals, begun: Instant) -> Self {
        Self { signals, budget, begun, pondered: signals.is_pondering() }
    }

    /// Time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the search received a stop signal.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.signals.is_stopped()
    }

    /// Whether the search must stop: on a signal, or out of time.
    pub(crate) fn is_over(&self) -> bool {
        self.is_stopped()
            || self.on_clock().is_some_and(|used| self.budget.hard.is_some_and(|hard| used >= hard))
    }

    /// Whether to begin no further iteration; `percent` stretches or shrinks the usual time. Time
    /// spent pondering counts.
    pub(crate) fn is_enough(&self, percent: u32) -> bool {
        let elapsed = self.begun.elapsed();
        self.on_clock().is_some() && self.budget.soft.is_some_and(|soft| elapsed >= soft * percent / 100)
    }

    /// Nodes for which a part of the planned time suffices, at the speed of the `nodes` so far; `None` without a time limit.
    pub(crate) fn nodes_in_part(&self, nodes: u64, part: u32) -> Option<u64> {
        let planned = self.budget.soft.or(self.budget.hard)? / part;
        let elapsed = self.begun.elapsed().as_micros().max(1);
        Some(u64::try_from(u128::from(nodes) * planned.as_micros() / elapsed).unwrap_or(u64::MAX))
    }

    /// Whether the clock runs: there is one, and the search does not ponder.
    pub(crate) fn counts(&self) -> bool {
        self.budget.soft.is_some() && self.on_clock().is_some()
    }

    /// Blocks until the GUI wants a move: while pondering, or until `stop` if `unlimited`.
    pub(crate) fn wait(&self, unlimited: bool) {
        while !self.signals.is_stopped() && (unlimited || self.signals.is_pondering()) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Time used on the clock; `None` while it stands still.
    fn on_clock(&self) -> Option<Duration> {
        if self.pondered {
            return self.signals.hit_at().map(|at| at.max(self.begun).elapsed());
        }
        Some(self.begun.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        Limits { clock: Some(clock), overhead: Duration::from_millis(30), ..Limits::default() }
    }

    #[test]
    fn never_plans_to_lose_on_time() {
        for remaining in [0, 1, 31, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 100, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(40)] {
                    let Budget { soft, hard } = Budget::new(&clock(remaining, increment, moves_to_go));
                    let (soft, hard) = (soft.unwrap(), hard.unwrap());
                    assert!(soft <= hard);
                    assert!(hard <= Duration::from_millis(remaining.saturating_sub(30).max(1)));
                }
            }
        }
    }

    #[test]
    fn a_short_increment_leaves_a_reserve() {
        // One second and a hundredth for each move, each move three milliseconds late, all of the
        // usual time used. After any number of moves there is time for a late one.
        let (mut left, overhead) = (Duration::from_secs(1), Duration::from_millis(10));
        for _ in 0..1_000 {
            let increment = Duration::from_millis(10);
            let (soft, hard) = share(Clock { remaining: left, increment, moves_to_go: None }, overhead);
            assert!(hard < left);
            left = left + increment - soft - Duration::from_millis(3);
            assert!(left > Duration::from_millis(150), "{left:?}");
        }
    }

    #[test]
    fn a_fixed_time_is_used_up() {
        let limits = Limits { movetime: Some(Duration::from_millis(500)), ..Limits::default() };
        let expected = Budget { soft: None, hard: Some(Duration::from_millis(500)) };
        assert_eq!(Budget::new(&limits), expected);
    }

    #[test]
    fn pondering_uses_no_clock_time() {
        let signals = Signals::new(true);
        let time_manager = TimeManager::new(Budget::new(&clock(1, 0, None)), &signals, Instant::now());
        std::thread::sleep(Duration::from_millis(5));
        assert!(!time_manager.is_over() && !time_manager.is_enough(100));
        signals.hit();
        assert!(!time_manager.is_enough(100_000));
        std::thread::sleep(Duration::from_millis(5));
        assert!(time_manager.is_over() && time_manager.is_enough(100));
    }

    #[test]
    fn part_of_the_time_is_counted_in_nodes() {
        let signals = Signals::default();
        let begun = Instant::now().checked_sub(Duration::from_millis(20)).unwrap();
        let nodes =
            |limits: &Limits| TimeManager::new(Budget::new(limits), &signals, begun).nodes_in_part(1_000, 16);
        assert_eq!(nodes(&Limits::default()), None);
        let movetime = |millis| Limits { movetime: Some(Duration::from_millis(millis)), ..Limits::default() };
        // A sixteenth is 10 ms, and 1,000 nodes took at least 20 ms.
        assert!(nodes(&movetime(160)).unwrap() <= 500);
        assert!(nodes(&movetime(160_000)) > nodes(&movetime(160)));
        assert!(nodes(&clock(60_000, 0, None)).is_some());
    }
}
