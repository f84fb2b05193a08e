//! Why a task stopped: a text for the person who started it.

use std::fmt;

/// What went wrong, in one line or a list of lines.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// What a step gives: nothing, or why it failed.
pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Fails with all faults, one a line, if there are any.
pub(crate) fn none_of(what: &str, faults: &[String]) -> Outcome {
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{what}\n  {}", faults.join("\n  "))))
}
