//! The server's clock: Unix milliseconds that never jump while the process lives.
//!
//! The system's time is read once, at the first call; from then on the monotonic clock counts. A step of the system's
//! clock, by hand or by NTP, therefore neither flags a running game nor freezes one. A server lets the
//! clock follow the system's time again when no live game runs; a restart does so in any case.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

/// A day, in milliseconds.
pub const DAY_MS: i64 = 24 * 60 * 60_000;

/// The clock of this process.
pub static CLOCK: LazyLock<ServerClock> = LazyLock::new(|| ServerClock::new(system_ms));

/// Now, in Unix milliseconds.
pub fn now_ms() -> i64 {
    CLOCK.now_ms()
}

/// The system's time in Unix milliseconds, which may jump.
fn system_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Unix milliseconds, counted by the monotonic clock from an anchor.
#[derive(Debug)]
pub struct ServerClock {
    started: Instant,
    /// Unix milliseconds at `started`.
    anchor: AtomicI64,
    /// How far the time that this clock follows is ahead of the system's, in milliseconds: where there are several servers,
    /// all follow the database's.
    ahead: AtomicI64,
    system_ms: fn() -> i64,
}

impl ServerClock {
    /// A clock that begins at the time of `system_ms`, a function that reads the system's time in Unix
    /// milliseconds.
    pub fn new(system_ms: fn() -> i64) -> Self {
        Self {
            started: Instant::now(),
            anchor: AtomicI64::new(system_ms()),
            ahead: AtomicI64::new(0),
            system_ms,
        }
    }

    /// Now, in Unix milliseconds.
    pub fn now_ms(&self) -> i64 {
        self.anchor.load(Ordering::Relaxed) + self.started.elapsed().as_millis() as i64
    }

    /// How far the system's time, or that of the database if it is followed, is ahead of this clock, in milliseconds.
    pub fn offset_ms(&self) -> i64 {
        (self.system_ms)() + self.ahead.load(Ordering::Relaxed) - self.now_ms()
    }

    /// The time to follow from now on is this, in Unix milliseconds: that of the database.
    pub fn set_reference(&self, now: i64) {
        self.ahead.store(now - (self.system_ms)(), Ordering::Relaxed);
    }

    /// Follows the system's time from now on. Only while nothing is timed: this is a jump.
    pub fn follow_system(&self) {
        self.anchor.fetch_add(self.offset_ms(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{AtomicI64, Ordering, ServerClock};

    static SYSTEM: AtomicI64 = AtomicI64::new(1_700_000_000_000);

    #[test]
    fn system_clock_step_does_not_move_the_server_clock() {
        let clock = ServerClock::new(|| SYSTEM.load(Ordering::SeqCst));
        let start = clock.now_ms();
        assert!((0..60_000).contains(&(start - 1_700_000_000_000)));
        for step in [600_000, -1_200_000] {
            SYSTEM.fetch_add(step, Ordering::SeqCst);
            assert!((0..60_000).contains(&(clock.now_ms() - start)), "after a step of {step} ms");
        }
        assert!((-660_000..=-600_000).contains(&clock.offset_ms()));
        clock.follow_system();
        assert!((-600_000..-540_000).contains(&(clock.now_ms() - start)));
        // The time of a database is followed like the system's.
        clock.set_reference(SYSTEM.load(Ordering::SeqCst) + 900_000);
        assert!((840_000..=900_000).contains(&clock.offset_ms()));
        clock.follow_system();
        assert!((300_000..360_000).contains(&(clock.now_ms() - start)));
    }
}
