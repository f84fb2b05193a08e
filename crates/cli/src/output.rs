//! Output of commands: standard output, files, tables and progress.

use crate::CliError;
use indicatif::{FormattedDuration, ProgressBar, ProgressStyle};
use jiff::Timestamp;
use lozenge_explain::Language;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Writes a text and a newline. If the reader has gone (`| head -1`), returns
/// [`CliError::OutputClosed`], which ends the program quietly.
pub(crate) fn line(text: impl fmt::Display) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush()).map_err(fault)
}

/// Copies a file to standard output.
pub(crate) fn copy(mut source: impl io::Read) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    io::copy(&mut source, &mut stdout).and_then(|_| stdout.flush()).map_err(fault)
}

/// Writes a value as JSON on several lines.
pub(crate) fn json(value: &serde_json::Value) -> Result<(), CliError> {
    line(format_args!("{value:#}"))
}

/// Whether this path stands for standard input or output.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The error of a write to standard output.
pub(crate) fn fault(error: io::Error) -> CliError {
    match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::OutputClosed,
        _ => CliError::Write { what: "standard output".into(), error },
    }
}

/// Fails where [`file`] would: before long work whose result is written there.
pub(crate) fn check_file(path: &Path) -> Result<(), CliError> {
    if is_standard(path) {
        return Ok(());
    }
    let fault = |error| CliError::Write { what: path.display().to_string(), error };
    match std::fs::OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(_) => std::fs::remove_file(path).map_err(fault),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            std::fs::OpenOptions::new().append(true).open(path).map(drop).map_err(fault)
        }
        Err(error) => Err(fault(error)),
    }
}

/// Writes a file atomically: to a temporary file, which is renamed. `-` is standard output.
pub(crate) fn file(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    if is_standard(path) {
        let mut stdout = io::stdout().lock();
        return stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(fault);
    }
    let fault = |what: &Path| {
        let what = what.display().to_string();
        |error| CliError::Write { what, error }
    };
    // Write to a device or a pipe; renaming would replace it by a file.
    if std::fs::metadata(path).is_ok_and(|about| !about.is_file()) {
        let written =
            std::fs::OpenOptions::new().write(true).open(path).and_then(|mut file| file.write_all(bytes));
        return written.map_err(fault(path));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::metadata(folder).map_err(fault(folder))?;
    let whole = || -> io::Result<()> {
        // These errors name the temporary file, which the user does not know: keep only their kind.
        let mut file =
            tempfile::NamedTempFile::new_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        file.as_file_mut().write_all(bytes)?;
        make_readable(file.path())?;
        file.persist(path)?;
        Ok(())
    };
    whole().map_err(fault(path))
}

/// Temporary files are private. Give the result the usual permissions.
#[cfg(unix)]
fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A day in milliseconds.
pub(crate) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The lines of a table with a row of titles, its columns aligned.
pub(crate) fn table<const N: usize>(
    titles: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<String> {
    let rows: Vec<[String; N]> = std::iter::once(titles.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N - 1).map(width).collect();
    let line = |row: &[String; N]| {
        let cells: String =
            row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}  ")).collect();
        cells + &row[N - 1]
    };
    rows.iter().map(line).collect()
}

/// The language of output, for `value_parser`.
pub(crate) fn language(code: &str) -> Result<Language, String> {
    let codes = || Language::ALL.map(|language| format!("`{}`", language.code())).join(" or ");
    Language::from_code(code).ok_or_else(|| format!("expected {}, found `{code}`", codes()))
}

/// A time in UTC, to the minute.
pub(crate) fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms)
        .map(|at| at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_default()
}

/// Interval of progress lines without a terminal.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(30);

/// Progress of long work: a bar on a terminal, otherwise a line now and then on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    last_line: Instant,
    /// When the first steps were shown, and how many.
    begun: Option<(Instant, u64)>,
}

impl Progress {
    /// Progress towards a number of steps.
    pub(crate) fn new(steps: u64) -> Self {
        let bar = ProgressBar::new(steps);
        let template = "{wide_bar} {pos}/{len} {elapsed} (left {eta})\n{msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, last_line: Instant::now(), begun: None }
    }

    /// Shows the number of steps done.
    pub(crate) fn show(&mut self, done: u64, message: impl FnOnce() -> String) {
        let message = message();
        self.bar.set_position(done);
        let (begun, first) = *self.begun.get_or_insert_with(|| (Instant::now(), done));
        if self.bar.is_hidden() && self.last_line.elapsed() >= PROGRESS_INTERVAL {
            self.last_line = Instant::now();
            let steps = self.bar.length().unwrap_or(done);
            let left = time_left(begun.elapsed(), done.saturating_sub(first), steps.saturating_sub(done));
            // The work goes on without standard error.
            let _ = writeln!(io::stderr(), "{done}/{steps}{left}  {message}");
        }
        self.bar.set_message(message);
    }

    /// Writes a line to standard output while the bar is away.
    pub(crate) fn line(&self, text: impl fmt::Display) -> Result<(), CliError> {
        self.bar.suspend(|| line(text))
    }

    /// Removes the bar.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// The time left at the pace so far; nothing before the first step.
fn time_left(elapsed: Duration, done: u64, left: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let seconds = elapsed.as_secs_f64() / done as f64 * left as f64;
    format!(" (left {})", FormattedDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_at_the_pace_so_far() {
        assert_eq!(time_left(Duration::from_secs(30), 10, 40), " (left 00:02:00)");
        assert_eq!(time_left(Duration::from_secs(30), 0, 40), "");
    }
}
