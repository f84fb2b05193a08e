//! Standard output: the only place that writes there for commands that print and end.

use crate::CliError;
use std::fmt;
use std::io::{self, Write};

/// Writes a text and a newline. A reader that has gone (`| head -1`) gives
/// [`CliError::OutputClosed`], which ends the program quietly.
pub(crate) fn line(text: impl fmt::Display) -> Result<(), CliError> {
    let mut stdout = io::stdout().lock();
    writeln!(stdout, "{text}").and_then(|()| stdout.flush()).map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => CliError::OutputClosed,
        _ => CliError::Write { what: "standard output".into(), error },
    })
}
