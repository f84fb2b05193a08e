//! An amount that each key may spend at once and that comes back with time. Not here: what is spent, and by whom.

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

/// A limit is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("too many requests; try again in {seconds} s")]
pub(crate) struct TooFast {
    /// When there is enough again.
    pub(crate) seconds: u64,
}

/// The balance of each key.
#[derive(Debug)]
pub(crate) struct KeyedLimiter<K: Clone + Eq + Hash + Debug> {
    limiter: DefaultKeyedRateLimiter<K>,
    clock: DefaultClock,
    burst: u32,
}

impl<K: Clone + Eq + Hash + Debug> KeyedLimiter<K> {
    /// A limiter where a key may spend `burst` times `factor` at once. One comes back after each period over `factor`.
    pub(crate) fn new(burst: u32, period: Duration, factor: u32) -> Self {
        let burst = burst.saturating_mul(factor);
        let quota = Quota::with_period(period / factor.max(1)).unwrap_or(Quota::per_second(NonZeroU32::MIN));
        let quota = quota.allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN));
        Self { limiter: RateLimiter::keyed(quota), clock: DefaultClock::default(), burst }
    }

    /// Spends an amount. An amount above the burst takes the whole burst.
    ///
    /// # Errors
    /// If not enough is left.
    pub(crate) fn spend(&self, key: &K, amount: u32) -> Result<(), TooFast> {
        let Some(amount) = NonZeroU32::new(amount.min(self.burst)) else { return Ok(()) };
        match self.limiter.check_key_n(key, amount) {
            Ok(Err(until)) => Err(TooFast { seconds: until.wait_time_from(self.clock.now()).as_secs() + 1 }),
            Ok(Ok(())) | Err(_) => Ok(()),
        }
    }

    /// Removes keys that have the whole burst.
    pub(crate) fn drop_idle(&self) {
        self.limiter.retain_recent();
        self.limiter.shrink_to_fit();
    }
}
