//! The time control of `level`, `st`, `sd` and `time`, and the search limits that follow from it.

use super::command::Level;
use lozenge_engine::{Clock, Limits};
use std::time::Duration;

/// The time control until XBoard sends one: forty moves in five minutes.
const DEFAULT_LEVEL: Level = Level { moves: 40, base: Duration::from_secs(300), increment: Duration::ZERO };

/// The time control and the engine's clock.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    control: Control,
    depth: Option<u32>,
    /// The engine's remaining time, as far as known.
    own: Duration,
    /// Moves of the engine since the time control began.
    moves: u32,
}

#[derive(Clone, Copy, Debug)]
enum Control {
    Level(Level),
    /// An exact time for each move.
    Each(Duration),
}

impl Default for Clocks {
    fn default() -> Self {
        Self { control: Control::Level(DEFAULT_LEVEL), depth: None, own: DEFAULT_LEVEL.base, moves: 0 }
    }
}

impl Clocks {
    /// `new`: clocks as at the start of the time control, and no limit in depth.
    pub(crate) fn restart(&mut self) {
        self.depth = None;
        self.moves = 0;
        if let Control::Level(level) = self.control {
            self.own = level.base;
        }
    }

    /// `level`. During a game it applies to the rest of the period.
    pub(crate) fn set_level(&mut self, level: Level) {
        self.control = Control::Level(level);
        self.own = level.base;
        self.moves = 0;
    }

    /// `st`.
    pub(crate) fn set_each(&mut self, time: Duration) {
        self.control = Control::Each(time);
    }

    /// `sd`; 0 is no limit.
    pub(crate) fn set_depth(&mut self, depth: u32) {
        self.depth = (depth > 0).then_some(depth);
    }

    /// `time`.
    pub(crate) fn set_own(&mut self, time: Duration) {
        self.own = time;
    }

    /// The engine has moved after thinking for this time.
    pub(crate) fn moved(&mut self, thought: Duration) {
        self.moves = self.moves.saturating_add(1);
        self.own = self.own.saturating_sub(thought);
        if let Control::Level(level) = self.control {
            self.own += level.increment;
            if level.moves > 0 && self.moves.is_multiple_of(level.moves) {
                self.own += level.base;
            }
        }
    }

    /// A move of the engine was taken back.
    pub(crate) fn unmoved(&mut self) {
        self.moves = self.moves.saturating_sub(1);
    }

    /// The limits for the engine's next move.
    pub(crate) fn limits(&self, overhead: Duration) -> Limits {
        let mut limits = Limits { depth: self.depth, overhead, ..Limits::default() };
        match self.control {
            Control::Each(time) => limits.movetime = Some(time),
            Control::Level(level) => {
                let moves_to_go = (level.moves > 0).then(|| level.moves - self.moves % level.moves);
                limits.clock = Some(Clock { remaining: self.own, increment: level.increment, moves_to_go });
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(clocks: &Clocks) -> (u64, Option<u32>) {
        let clock = clocks.limits(Duration::ZERO).clock.unwrap();
        (clock.remaining.as_millis() as u64, clock.moves_to_go)
    }

    #[test]
    fn moves_are_counted_and_time_is_added() {
        let mut clocks = Clocks::default();
        let second = Duration::from_secs(1);
        clocks.set_level(Level { moves: 2, base: 10 * second, increment: Duration::ZERO });
        assert_eq!(clock(&clocks), (10_000, Some(2)));
        clocks.moved(3 * second);
        assert_eq!(clock(&clocks), (7_000, Some(1)));
        clocks.moved(3 * second);
        assert_eq!(clock(&clocks), (14_000, Some(2)));
        clocks.set_own(5 * second);
        clocks.unmoved();
        assert_eq!(clock(&clocks), (5_000, Some(1)));
        clocks.restart();
        assert_eq!(clock(&clocks), (10_000, Some(2)));
        clocks.set_level(Level { moves: 0, base: second, increment: second });
        clocks.moved(2 * second);
        assert_eq!(clock(&clocks), (1_000, None));
    }

    #[test]
    fn time_for_each_move_and_depth_go_together() {
        let mut clocks = Clocks::default();
        clocks.set_each(Duration::from_secs(2));
        clocks.set_depth(7);
        let limits = clocks.limits(Duration::from_millis(5));
        assert_eq!((limits.depth, limits.movetime), (Some(7), Some(Duration::from_secs(2))));
        assert!(limits.clock.is_none());
        clocks.restart();
        assert_eq!(clocks.limits(Duration::ZERO).depth, None);
    }
}
