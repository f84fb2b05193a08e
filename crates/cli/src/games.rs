//! From what was written as VARIANT to a game: an id, or the path of a variant file. The only place
//! that reads variant files.

use crate::CliError;
use lozenge_protocol::games::{self, LoadError};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::{MAX_FILE_BYTES, Variant, library};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The game meant by VARIANT: a built-in one by its id, otherwise a file if it looks like a path
/// (has a `/` or a `.`) or is there.
pub(crate) fn resolve(variant: &str) -> Result<Arc<Variant>, CliError> {
    if let Some(game) = library::game(variant) {
        return Ok(game);
    }
    if variant.contains(['/', '.', std::path::MAIN_SEPARATOR]) || Path::new(variant).exists() {
        return Ok(load(variant)?);
    }
    let ids: Vec<String> = library::ids().map(str::to_owned).collect();
    Err(CliError::UnknownVariant(games::unknown(variant, &ids)))
}

/// The position that is meant: of this FEN, or the start.
pub(crate) fn position(variant: &str, fen: Option<&str>) -> Result<AnyPosition, CliError> {
    let game = resolve(variant)?;
    Ok(match fen {
        None => AnyPosition::start(&game),
        Some(fen) => AnyPosition::from_fen(&game, fen)?,
    })
}

/// The game of a variant file. A game after `extends` is a built-in one, or that of a file
/// `<name>.toml` in the same folder.
pub(crate) fn load(path: &str) -> Result<Arc<Variant>, LoadError> {
    let path = Path::new(path);
    let name = path.display().to_string();
    let text = read(path).map_err(|reason| LoadError::File(format!("{name}: {reason}")))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok(Variant::parse(&name, &text, &|extended| {
        library::text(extended).or_else(|| sibling(folder, extended))
    })?)
}

fn sibling(folder: &Path, id: &str) -> Option<String> {
    // An id and nothing else, so that no other folder can be reached.
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = !id.is_empty() && id.len() <= 40 && id.chars().all(letters);
    if is_id { read(&folder.join(format!("{id}.toml"))).ok() } else { None }
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
enum Unreadable {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("expected a file, found {0}")]
    NoFile(&'static str),
    #[error("expected at most {MAX_FILE_BYTES} bytes, found {0}")]
    TooLarge(u64),
    #[error("expected UTF-8 text, found something else at byte {0}")]
    NotText(usize),
}

/// The text of a file of a size that a variant file may have.
fn read(path: &Path) -> Result<String, Unreadable> {
    // Looked at before it is opened: opening a named pipe would wait for somebody to write to it.
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(Unreadable::NoFile("a folder"));
    }
    if !about.is_file() {
        return Err(Unreadable::NoFile("a device or pipe"));
    }
    if about.len() > MAX_FILE_BYTES as u64 {
        return Err(Unreadable::TooLarge(about.len()));
    }
    let mut bytes = Vec::new();
    // It may have grown meanwhile.
    File::open(path)?.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(Unreadable::TooLarge(bytes.len() as u64));
    }
    String::from_utf8(bytes).map_err(|error| Unreadable::NotText(error.utf8_error().valid_up_to() + 1))
}
