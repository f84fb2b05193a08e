//! The one clock: Unix milliseconds.

/// A day, in milliseconds.
pub(crate) const DAY_MS: i64 = 24 * 60 * 60_000;

/// Now, in Unix milliseconds.
pub(crate) fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
