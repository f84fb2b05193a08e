//! The output: one sink shared by the session and its task, which write whole lines.

use lozenge_rules::notation::one_line::OneLine;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Longest comment, in characters: text quoted from the input may be long.
const MAX_COMMENT: usize = 1000;
/// Most characters of the input quoted in an answer.
const MAX_QUOTED: usize = 60;

/// A part of the input in backquotes, cut to a bounded length.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted: String = text.chars().take(MAX_QUOTED).collect();
    if quoted.len() < text.len() {
        quoted.push('…');
    }
    format!("`{quoted}`")
}

/// A comment as one line of bounded length: control characters are escaped, long texts cut.
pub(crate) fn one_line(text: impl fmt::Display) -> String {
    let text = text.to_string();
    match text.char_indices().nth(MAX_COMMENT) {
        Some((end, _)) => format!("{}…", OneLine(&text[..end])),
        None => OneLine(text).to_string(),
    }
}

/// A shared sink of lines. It closes at the first write error and then discards all lines.
#[derive(Clone)]
pub struct Output {
    sink: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
}

impl Output {
    /// Writes to `sink` and flushes it after each call.
    pub fn new(sink: impl Write + Send + 'static) -> Self {
        Self { sink: Arc::new(Mutex::new(Some(Box::new(sink)))) }
    }

    /// Writes one line, or several with newlines between. Returns `false` if the output is closed.
    pub fn line(&self, text: impl fmt::Display) -> bool {
        let line = format!("{text}\n");
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        let written = match sink.as_mut() {
            Some(sink) => sink.write_all(line.as_bytes()).and_then(|()| sink.flush()).is_ok(),
            None => false,
        };
        if !written {
            *sink = None;
        }
        written
    }

    /// Writes one `info string` line.
    pub fn info(&self, text: impl fmt::Display) -> bool {
        self.line(format_args!("info string {}", one_line(text)))
    }

    /// Whether a write has failed.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.sink.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}
