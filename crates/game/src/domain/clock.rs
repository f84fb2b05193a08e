//! Chess clocks, as arithmetic on Unix milliseconds. Not here: when they are checked.
//!
//! Live games: both sides' first moves are free; from then on the clock of the side to move runs. Lag is compensated from a
//! quota, as in lichess's `LagTracker`: each move takes back the measured round trip as far as the quota goes, and refills
//! it by [`LAG_GAIN_MS`]. A client that delays its pongs therefore gains no more than one that is a little far away.
//! Correspondence: each move has its own time, from when the last one was made.

use crate::time::DAY_MS;
use lozenge_wire::{ByPlayer, Clock, Clocks, Color, Speed};

/// Milliseconds of lag compensation that each timed move adds to its side's quota; the quota at the start; the largest
/// quota. (With lichess's gain, up to a second a move, a client could gain that much by delaying its pongs.)
pub(crate) const LAG_GAIN_MS: i64 = 100;
const LAG_START_MS: i64 = 3 * LAG_GAIN_MS;
/// The largest quota of lag compensation, in milliseconds.
pub(crate) const LAG_MOST_MS: i64 = 7 * LAG_GAIN_MS;

/// Time that one player gives the other at once, in milliseconds; how often in a game; the pause between two gifts.
pub(crate) const GIFT_MS: i64 = 15_000;
/// How often one player may give the other time in one game.
pub(crate) const MAX_GIFTS: u8 = 20;
/// The shortest pause between two gifts of one player, in milliseconds.
pub(crate) const GIFT_PAUSE_MS: i64 = 1_000;

/// The clocks of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockState {
    kind: Clock,
    /// How many play.
    players: usize,
    left: ByPlayer<i64>,
    running: Option<Color>,
    since: i64,
    /// Lag that each side may still be compensated for, in milliseconds.
    lag_quota: ByPlayer<i64>,
    /// Time that each side of a game of two has given the other.
    gifts: ByPlayer<Gifts, 2>,
}

/// The time that a side has given the other in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Gifts {
    /// How often.
    pub(crate) count: u8,
    /// The last time.
    pub(crate) last_at: i64,
}

impl ClockState {
    /// The clocks of this many players at the start.
    pub(crate) fn new(kind: Clock, players: usize) -> Self {
        let left = match kind {
            // With an increment alone, the first move that counts has one increment.
            Clock::Live { initial_s: 0, increment_s } => i64::from(increment_s) * 1000,
            Clock::Live { initial_s, .. } => i64::from(initial_s) * 1000,
            Clock::Correspondence { days } => i64::from(days) * DAY_MS,
        };
        Self {
            kind,
            players,
            left: ByPlayer::filled(left),
            running: None,
            since: 0,
            lag_quota: ByPlayer::filled(LAG_START_MS),
            gifts: ByPlayer::default(),
        }
    }

    /// Starts the clock of `turn` at `now`, after `plies` half moves. With a live clock the first move of each player is free.
    pub(crate) fn start(&mut self, turn: Color, plies: usize, now: i64) {
        let free = matches!(self.kind, Clock::Live { .. }) && plies < self.players;
        self.running = (!free).then_some(turn);
        self.since = now;
    }

    /// No clock runs.
    pub(crate) fn stop(&mut self, now: i64) {
        if let Some(color) = self.running.take() {
            self.left[color] = (self.left[color] - (now - self.since)).max(0);
        }
        self.since = now;
    }

    /// Records that moves were taken back: no clock runs. By correspondence each move has its own time, also one that is
    /// made again.
    pub(crate) fn take_back(&mut self, now: i64) {
        self.stop(now);
        if let Clock::Correspondence { days } = self.kind {
            self.left = ByPlayer::filled(i64::from(days) * DAY_MS);
        }
    }

    /// Remaining time of a side at a moment; may be negative.
    pub fn left(&self, color: Color, now: i64) -> i64 {
        let used = if self.running == Some(color) { (now - self.since).max(0) } else { 0 };
        self.left[color] - used
    }

    /// Remaining time of a side after its move, including the increment; `None` if its time was over. `lag_ms`
    /// is the measured round trip of its messages.
    pub(crate) fn after_move(&self, color: Color, now: i64, lag_ms: i64) -> Option<i64> {
        if self.running != Some(color) {
            // A free move costs nothing, and adds nothing.
            return Some(self.left[color]);
        }
        let used = (now - self.since).max(0);
        let charged = (used - lag_ms.clamp(0, self.lag_quota(color))).max(0);
        let left = self.left[color] - charged;
        if left <= 0 {
            return None;
        }
        Some(match self.kind {
            Clock::Live { increment_s, .. } => left + i64::from(increment_s) * 1000,
            Clock::Correspondence { days } => i64::from(days) * DAY_MS,
        })
    }

    /// Records a move of a side, and the time that it has left. Its lag compensation follows from that time, and is taken
    /// from its quota.
    pub(crate) fn moved(&mut self, color: Color, now: i64, left: i64) {
        if let (Clock::Live { increment_s, .. }, true) = (self.kind, self.running == Some(color)) {
            let charged = self.left[color] + i64::from(increment_s) * 1000 - left;
            let compensated = (now - self.since).max(0) - charged;
            let quota = &mut self.lag_quota[color];
            *quota = (*quota + LAG_GAIN_MS - compensated).clamp(0, LAG_MOST_MS);
        }
        self.left[color] = left;
    }

    /// The lag that a side may still be compensated for, in milliseconds.
    pub fn lag_quota(&self, color: Color) -> i64 {
        self.lag_quota[color]
    }

    /// Gives a side more time; a gift of the other's if it was given at a moment.
    pub(crate) fn give(&mut self, color: Color, ms: i64, at: Option<i64>) {
        self.left[color] += ms;
        if let Some(at) = at {
            let gifts = &mut self.gifts[color.opponent()];
            *gifts = Gifts { count: gifts.count.saturating_add(1), last_at: at };
        }
    }

    /// Time that a side has given the other.
    pub(crate) fn gifts(&self, color: Color) -> Gifts {
        self.gifts[color]
    }

    /// When the running clock will be over.
    pub fn deadline(&self) -> Option<i64> {
        self.running.map(|color| self.since + self.left[color])
    }

    /// Whether the moves are made within minutes rather than days.
    pub fn is_live(&self) -> bool {
        matches!(self.kind, Clock::Live { .. })
    }

    /// The color whose clock runs.
    pub(crate) fn running(&self) -> Option<Color> {
        self.running
    }

    /// The clocks of a game of two at a moment.
    pub(crate) fn to_wire(self, now: i64) -> Clocks {
        let left = |color| self.left(color, now).max(0);
        Clocks { white_ms: left(Color::White), black_ms: left(Color::Black), running: self.running, at: now }
    }
}

/// The class of a clock: by the time that 40 moves take.
pub fn speed(clock: Option<Clock>) -> Speed {
    match clock {
        None => Speed::Unlimited,
        Some(Clock::Correspondence { .. }) => Speed::Correspondence,
        Some(Clock::Live { initial_s, increment_s }) => match initial_s.saturating_add(40 * increment_s) {
            0..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        },
    }
}

/// Checks that games may be played with a clock. The error is a message with what was expected and found.
pub fn check(clock: Clock) -> Result<(), String> {
    match clock {
        Clock::Live { initial_s, increment_s } => {
            if initial_s > 10_800 || increment_s > 180 {
                return Err(format!(
                    "expected at most 10800 s and 180 s a move, found {initial_s} s and {increment_s} s"
                ));
            }
            if initial_s + 40 * increment_s < 30 {
                return Err(format!(
                    "expected at least 30 s for 40 moves, found {initial_s} s and {increment_s} s a move"
                ));
            }
            Ok(())
        }
        Clock::Correspondence { days } if (1..=14).contains(&days) => Ok(()),
        Clock::Correspondence { days } => Err(format!("expected 1 to 14 days a move, found {days}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIVE_PLUS_THREE: Clock = Clock::Live { initial_s: 300, increment_s: 3 };

    #[test]
    fn first_moves_are_free_then_time_runs() {
        let mut clock = ClockState::new(FIVE_PLUS_THREE, 2);
        clock.start(Color::White, 0, 1_000);
        assert_eq!((clock.deadline(), clock.after_move(Color::White, 60_000, 0)), (None, Some(300_000)));
        clock.start(Color::White, 2, 100_000);
        assert_eq!(clock.deadline(), Some(400_000));
        assert_eq!(clock.after_move(Color::White, 110_000, 0), Some(293_000));
        assert_eq!(clock.after_move(Color::White, 400_000, 0), None);
        assert_eq!(clock.left(Color::Black, 399_000), 300_000);
    }

    #[test]
    fn correspondence_move_after_a_takeback_has_its_full_time() {
        let mut clock = ClockState::new(Clock::Correspondence { days: 1 }, 2);
        clock.start(Color::Black, 1, 0);
        clock.take_back(DAY_MS - 1);
        clock.start(Color::White, 0, DAY_MS - 1);
        assert_eq!([Color::White, Color::Black].map(|color| clock.left(color, DAY_MS)), [DAY_MS - 1, DAY_MS]);
    }

    #[test]
    fn clock_of_increments_only_runs() {
        let mut clock = ClockState::new(Clock::Live { initial_s: 0, increment_s: 10 }, 2);
        for (ply, color) in [Color::White, Color::Black].into_iter().enumerate() {
            clock.start(color, ply, 0);
            assert_eq!(clock.after_move(color, 30_000, 0), Some(10_000), "a free move");
        }
        clock.start(Color::White, 2, 0);
        assert_eq!(clock.deadline(), Some(10_000));
        assert_eq!(clock.after_move(Color::White, 4_000, 0), Some(16_000));
        // Also where nothing is left before a free move.
        clock.moved(Color::Black, 0, 0);
        clock.start(Color::Black, 1, 0);
        assert_eq!(clock.after_move(Color::Black, 4_000, 0), Some(0));
    }

    #[test]
    fn lag_is_compensated_up_to_a_quota() {
        let mut clock = ClockState::new(FIVE_PLUS_THREE, 2);
        clock.start(Color::Black, 3, 0);
        assert_eq!(clock.after_move(Color::Black, 1_000, 200), Some(302_200));
        assert_eq!(clock.after_move(Color::Black, 1_000, 60_000), Some(302_300));
        assert_eq!(clock.after_move(Color::Black, 100, 200), Some(303_000), "never more than was used");
        assert_eq!(clock.after_move(Color::Black, 1_000, -5), Some(302_000));
    }

    /// Milliseconds that this number of moves costs, each of half a second with a lag.
    fn cost(moves: i64, lag_ms: i64) -> i64 {
        let mut clock = ClockState::new(Clock::Live { initial_s: 60, increment_s: 0 }, 2);
        let (mut now, mut left) = (0, 60_000);
        for ply in 0..moves as usize {
            clock.start(Color::White, 2 + 2 * ply, now);
            now += 500;
            left = clock.after_move(Color::White, now, lag_ms).expect("time is left");
            clock.moved(Color::White, now, left);
        }
        60_000 - left
    }

    #[test]
    fn delayed_pongs_do_not_buy_thinking_time() {
        assert_eq!(cost(10, 0), 5_000);
        assert_eq!(cost(10, 100), 4_000, "an honest lag of a tenth of a second is compensated in full");
        assert_eq!(cost(10, 500), 5_000 - LAG_START_MS - 9 * LAG_GAIN_MS);
        assert_eq!(cost(100, 500), 50_000 - LAG_START_MS - 99 * LAG_GAIN_MS);
        // Unused compensation is saved for moments of bad connection, up to a bound.
        let mut clock = ClockState::new(Clock::Live { initial_s: 60, increment_s: 0 }, 2);
        for ply in 0..20 {
            clock.start(Color::White, 2 + ply, 0);
            clock.moved(Color::White, 0, 60_000);
        }
        assert_eq!(clock.lag_quota(Color::White), LAG_MOST_MS);
    }

    #[test]
    fn each_correspondence_move_has_its_own_days() {
        let mut clock = ClockState::new(Clock::Correspondence { days: 2 }, 2);
        clock.start(Color::White, 0, 0);
        assert_eq!(clock.deadline(), Some(2 * DAY_MS));
        assert_eq!(clock.after_move(Color::White, DAY_MS, 0), Some(2 * DAY_MS));
    }

    #[test]
    fn classes_and_bounds() {
        let live = |initial_s, increment_s| Clock::Live { initial_s, increment_s };
        assert_eq!(speed(Some(live(60, 0))), Speed::Bullet);
        assert_eq!(speed(Some(live(180, 2))), Speed::Blitz);
        assert_eq!(speed(Some(live(600, 5))), Speed::Rapid);
        assert_eq!(speed(Some(live(1800, 0))), Speed::Classical);
        assert_eq!(speed(None), Speed::Unlimited);
        assert!(check(live(0, 0)).is_err() && check(live(100_000, 0)).is_err());
        assert!(check(live(0, 1)).is_ok() && check(live(180, 2)).is_ok());
        assert!(check(Clock::Correspondence { days: 15 }).is_err());
    }
}
