//! `lozenge variants import` and `export`: Fairy-Stockfish's `variants.ini` in and out.

use crate::error::{CliError, CommandError};
use crate::{games, output};
use lozenge_ini::{IniError, Untranslated};
use lozenge_rules::variant::Variant;
use std::io::{self, Read, Write as _};
use std::path::Path;

/// Why a file is not imported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    /// The text is no `variants.ini`, or has no game of ours.
    #[error("{file}: {error}")]
    Ini {
        /// The file.
        file: String,
        /// Why.
        error: IniError,
    },
    /// The translated part is not a valid game.
    #[error("{file}: what Lozenge can say of it is no game: {fault}")]
    NoGame {
        /// The file.
        file: String,
        /// The first fault of the variant file.
        fault: String,
    },
}

impl CommandError for ImportError {}

/// Prints the variant file of a section; standard error names each line that it does not say.
pub(crate) fn import(file: &Path, name: Option<&str>) -> Result<(), CliError> {
    let path = if output::is_standard(file) { "<stdin>".to_owned() } else { file.display().to_string() };
    let text = read(file).map_err(|error| CliError::Read { what: path.clone(), error })?;
    let imported =
        lozenge_ini::import(&text, name).map_err(|error| ImportError::Ini { file: path.clone(), error })?;
    print_untranslated(&path, &imported.untranslated);
    if let Some(taken) = &imported.taken {
        let id = &imported.id;
        let _ = writeln!(io::stderr(), "{path}: `{taken}` is a built-in game; this one gets the id `{id}`");
    }
    Variant::parse(&imported.id, &imported.text, &|_| None).map_err(|error| ImportError::NoGame {
        file: path,
        fault: error.faults.first().map_or_else(String::new, |fault| fault.kind.to_string()),
    })?;
    output::line(imported.text.trim_end())
}

/// Prints a game as a section; standard error names the parts that it leaves out.
pub(crate) fn export(variant: &str) -> Result<(), CliError> {
    let game = games::resolve(variant)?;
    let exported = lozenge_ini::export(&game);
    print_untranslated(game.id(), &exported.untranslated);
    output::line(exported.text.trim_end())
}

fn read(file: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    // One byte more than `lozenge_ini` takes, so that it says what is wrong.
    const MAX_READ: u64 = (1 << 20) + 1;
    if output::is_standard(file) {
        io::stdin().lock().take(MAX_READ).read_to_end(&mut bytes)?;
    } else {
        std::fs::File::open(file)?.take(MAX_READ).read_to_end(&mut bytes)?;
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        io::Error::new(
            io::ErrorKind::InvalidData,
            format!("expected UTF-8 text, found something else at byte {at}"),
        )
    })
}

/// A closed standard error is no reason to stop.
fn print_untranslated(path: &str, untranslated: &[Untranslated]) {
    for missing in untranslated {
        let _ = writeln!(io::stderr(), "{path}: not translated: {missing}");
    }
}
