//! The one clock: Unix milliseconds.

/// Now, in Unix milliseconds.
pub(crate) fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
