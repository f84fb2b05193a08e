//! Fairy-Stockfish's `variants.ini`: `lozenge variants import` and `export`, and the games that the engine loads.

use crate::error::{CliError, CommandError};
use crate::{games, output};
use lozenge_ini::{Imported, IniError, Untranslated};
use lozenge_protocol::games::{LoadError, Loaded};
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::variant::Variant;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::Arc;

/// Sections of a file that the engine loads: each compiles a game.
const MAX_SECTIONS: usize = 256;

/// Why a file is not imported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ImportError {
    /// The text is not a `variants.ini`, or has no game that can be imported.
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

/// Prints the variant file of a section; standard error names each line that it does not translate.
pub(crate) fn import(file: &Path, name: Option<&str>) -> Result<(), CliError> {
    let path = if output::is_standard(file) { "<stdin>".to_owned() } else { file.display().to_string() };
    let text = read(file).map_err(|error| CliError::Read { what: path.clone(), error })?;
    let imported =
        lozenge_ini::import(&text, name).map_err(|error| ImportError::Ini { file: path.clone(), error })?;
    print_untranslated(&path, &imported.untranslated);
    if let Some(renamed) = renamed(&imported) {
        // A closed standard error is no reason to stop.
        let _ = writeln!(io::stderr(), "{path}: {renamed}");
    }
    compile(&imported).map_err(|fault| ImportError::NoGame { file: path, fault })?;
    output::line(imported.text.trim_end())
}

/// Where the id differs from the name of the section, both.
fn renamed(imported: &Imported) -> Option<String> {
    let (id, name) = (&imported.id, &imported.name);
    let reason = if library::game(name).is_some() { "is a built-in game" } else { "is no id" };
    (id != name).then(|| format!("`{name}` {reason}; this one gets the id `{id}`"))
}

/// The game of an imported section; the error is its first fault.
fn compile(imported: &Imported) -> Result<Arc<Variant>, String> {
    Variant::parse(&imported.id, &imported.text, &|_| None)
        .map_err(|error| error.faults.first().map_or_else(String::new, |fault| fault.kind.to_string()))
}

/// The games of all sections of a file that can be imported, and a line for each section that loses something.
pub(crate) fn games(path: &str) -> Result<Loaded, LoadError> {
    let refuse = |error: &dyn std::fmt::Display| LoadError::File(format!("{path}: {error}"));
    let text = read(Path::new(path)).map_err(|error| refuse(&error))?;
    let sections = lozenge_ini::sections(&text).map_err(|error| refuse(&error))?;
    if sections.len() > MAX_SECTIONS {
        return Err(refuse(&format_args!(
            "expected at most {MAX_SECTIONS} sections, found {}",
            sections.len()
        )));
    }
    let mut loaded = Loaded::default();
    for section in &sections {
        let name = &section.name;
        let mut remark = |text: String| loaded.remarks.push(format!("{path}: [{name}]: {text}"));
        let imported = match lozenge_ini::import_section(&sections, Some(name)) {
            Ok(imported) => imported,
            Err(error) => {
                remark(error.to_string());
                continue;
            }
        };
        if loaded.games.iter().any(|game| game.id() == imported.id) {
            remark(format!("left out: a section above has the id `{}`", imported.id));
            continue;
        }
        if let Some(renamed) = renamed(&imported) {
            remark(renamed);
        }
        if !imported.untranslated.is_empty() {
            let missing: Vec<String> = imported.untranslated.iter().map(ToString::to_string).collect();
            remark(format!("not translated: {}", missing.join("; ")));
        }
        match compile(&imported) {
            Ok(game) => loaded.games.push(AnyGame::Two(game)),
            Err(fault) => remark(format!("what Lozenge can say of it is no game: {fault}")),
        }
    }
    Ok(loaded)
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
    // One byte more than `lozenge_ini` takes, so that it reports what is wrong.
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
