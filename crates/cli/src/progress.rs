//! Progress of long work: a bar on a terminal, elsewhere a line now and then on standard error.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(30);

/// How far the work is.
pub(crate) struct Progress {
    bar: ProgressBar,
    shown: Instant,
}

impl Progress {
    /// Progress towards so many steps.
    pub(crate) fn new(steps: u64) -> Self {
        let bar = ProgressBar::new(steps);
        let template = "{wide_bar} {pos}/{len} {elapsed} (left {eta})\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, shown: Instant::now() }
    }

    /// Shows that so many steps are done.
    pub(crate) fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        let message = message();
        self.bar.set_position(done);
        if self.bar.is_hidden() && self.shown.elapsed() >= PAUSE {
            self.shown = Instant::now();
            let steps = self.bar.length().unwrap_or(done);
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "{done}/{steps}  {message}");
        }
        self.bar.set_message(message);
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
