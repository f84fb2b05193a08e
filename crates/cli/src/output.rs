//! Standard output and files: the only place that writes them for commands that print and end.

use crate::CliError;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// Writes a text and a newline. A reader that has gone (`| head -1`) gives
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

/// Writes a file whole or not at all: beside it and then renamed, so that a failure never leaves half a file. `-` is
/// standard output.
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
        // Its errors name the temporary file, which means nothing to the user: keep only their kind.
        let mut file =
            tempfile::NamedTempFile::new_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        file.as_file_mut().write_all(bytes)?;
        make_readable(file.path())?;
        file.persist(path)?;
        Ok(())
    };
    whole().map_err(fault(path))
}

/// Temporary files are private; what we write is for everybody who may read its folder.
#[cfg(unix)]
fn make_readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &Path) -> io::Result<()> {
    Ok(())
}
