//! The game and the position that arguments name. VARIANT is an id, the path of a variant file, or `-` for a file on
//! standard input. Only this module reads variant files.

use crate::CliError;
use crate::numbers::whole;
use clap::Args;
use lozenge_protocol::games::{self, LoadError};
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::position::{AnyMultiPosition, AnyPosition, GamePosition};
use lozenge_rules::variant::{
    Fault, FaultKind, FileLocation, MAX_FILE_BYTES, MultiVariant, Variant, VariantError,
};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

/// The name of standard input in errors.
const STANDARD_INPUT: &str = "<stdin>";

/// A game and a position of it.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Id of a game, or path of a variant file (`-`: standard input).
    variant: String,
    #[command(flatten)]
    start: StartArgs,
}

impl PositionArgs {
    /// The position, in a game of any number of players.
    pub(crate) fn any_position(&self) -> Result<GamePosition, CliError> {
        self.start.any_position(&self.variant)
    }
}

/// A position of a game: the usual start unless a FEN or another start is given.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StartArgs {
    /// FEN of the position; the usual start if left out.
    #[arg(long, allow_hyphen_values = true, conflicts_with = "start")]
    pub(crate) fen: Option<String>,
    /// Number of the starting position, from 0, in games with several.
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=usize::MAX))]
    pub(crate) start: Option<usize>,
}

impl StartArgs {
    /// The position of the game meant by VARIANT, of any number of players.
    pub(crate) fn any_position(&self, variant: &str) -> Result<GamePosition, CliError> {
        match resolve_any(variant)? {
            AnyGame::Two(game) => self.position(&game).map(GamePosition::Two),
            AnyGame::Four(game) => self.multi_position(&game).map(GamePosition::Four),
        }
    }

    /// The position of a game of four, which has one starting position.
    pub(crate) fn multi_position(&self, game: &Arc<MultiVariant>) -> Result<AnyMultiPosition, CliError> {
        if let Some(fen) = &self.fen {
            return Ok(AnyMultiPosition::from_fen(game, fen)?);
        }
        match self.start {
            Some(found @ 1..) => Err(CliError::Start { last: 0, found }),
            _ => Ok(AnyMultiPosition::start(game)),
        }
    }

    /// The position of this game.
    pub(crate) fn position(&self, variant: &Arc<Variant>) -> Result<AnyPosition, CliError> {
        if let Some(fen) = &self.fen {
            return Ok(AnyPosition::from_fen(variant, fen)?);
        }
        let found = self.start.unwrap_or_else(|| variant.usual_start());
        let last = variant.starts().len().saturating_sub(1);
        AnyPosition::start_number(variant, found).ok_or(CliError::Start { last, found })
    }
}

/// The game meant by VARIANT: `-`, or a built-in one by its id, otherwise a file if it looks like a path
/// (has a `/` or a `.`) or exists, otherwise a built-in one by its name or an alias.
pub(crate) fn resolve(variant: &str) -> Result<Arc<Variant>, CliError> {
    if variant == "-" {
        let (name, text) = source(variant)?;
        return Ok(parse(&name, &text, folder(variant))?);
    }
    if let Some(game) = library::game(variant) {
        return Ok(game);
    }
    if variant.contains(['/', '.', std::path::MAIN_SEPARATOR]) || Path::new(variant).exists() {
        return Ok(load(variant)?);
    }
    if let Some(game) = library::named(variant) {
        return Ok(game);
    }
    Err(unknown(variant, library::ids()))
}

/// The error for an unknown game, with the ids that are known.
fn unknown(variant: &str, ids: impl Iterator<Item = &'static str>) -> CliError {
    let ids: Vec<String> = ids.map(str::to_owned).collect();
    CliError::UnknownVariant(games::unknown(variant, &ids))
}

/// As [`resolve`], for a game of any number of players.
pub(crate) fn resolve_any(variant: &str) -> Result<AnyGame, CliError> {
    if let Some(game) = library::multi_game(variant) {
        return Ok(AnyGame::Four(game));
    }
    let is_path = variant.contains(['/', '.', std::path::MAIN_SEPARATOR]) || Path::new(variant).exists();
    if variant == "-" || (library::game(variant).is_none() && is_path) {
        return Ok(load_any(variant)?);
    }
    resolve(variant).map(AnyGame::Two).map_err(|error| match error {
        CliError::UnknownVariant(_) => unknown(variant, library::ids().chain(library::multi_ids())),
        error => error,
    })
}

/// The game of a variant file for any number of players, or of standard input (`-`).
pub(crate) fn load_any(path: &str) -> Result<AnyGame, LoadError> {
    let (name, text) = source(path)?;
    Ok(AnyGame::parse(&name, &text, &|extended| lookup(folder(path), extended))?)
}

/// The name in errors of a variant file, or of standard input (`-`), and its text.
fn source(path: &str) -> Result<(String, String), LoadError> {
    if path != "-" {
        return file_source(path);
    }
    let text = read_text(io::stdin().lock());
    let text = text.map_err(|reason| LoadError::File(format!("{STANDARD_INPUT}: {reason}")))?;
    Ok((STANDARD_INPUT.to_owned(), text))
}

/// The same of a file.
fn file_source(path: &str) -> Result<(String, String), LoadError> {
    let text = read(Path::new(path)).map_err(|reason| LoadError::File(format!("{path}: {reason}")))?;
    Ok((path.to_owned(), text))
}

/// The game of a variant file. A game after `extends` is a built-in one, or that of a file
/// `<name>.toml` in the same folder.
pub(crate) fn load(path: &str) -> Result<Arc<Variant>, LoadError> {
    let (name, text) = file_source(path)?;
    parse(&name, &text, folder(path))
}

/// The folder of a variant file. The neighbors of standard input are in the current one.
fn folder(path: &str) -> &Path {
    Path::new(path).parent().unwrap_or(Path::new(""))
}

fn parse(name: &str, text: &str, folder: &Path) -> Result<Arc<Variant>, LoadError> {
    Ok(Variant::parse(name, text, &|extended| lookup(folder, extended))?)
}

/// The text of a game that is extended.
fn lookup(folder: &Path, extended: &str) -> Option<String> {
    library::text(extended).or_else(|| sibling(folder, extended))
}

/// Loads the game of a file, or of standard input (`-`), and refuses an id that a built-in game has, as the engine does.
pub(crate) fn check(path: &str) -> Result<AnyGame, LoadError> {
    let game = load_any(path)?;
    let (id, texts) = (game.id(), game.texts());
    let known = library::any_game(id);
    let name = if path == "-" { STANDARD_INPUT } else { path };
    match known {
        Some(known) if known.texts() != texts => Err(taken_fault(name, id, texts).into()),
        _ => Ok(game),
    }
}

/// The games of all variant files of a folder, in the order of their names.
pub(crate) fn load_folder(folder: &Path) -> Result<Vec<AnyGame>, LoadError> {
    let unreadable = |error: io::Error| LoadError::File(format!("{}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    files.sort();
    let mut loaded: Vec<AnyGame> = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let game = load_any(&name)?;
        if library::text(game.id()).is_some() || loaded.iter().any(|other| other.id() == game.id()) {
            return Err(LoadError::File(format!("{name}: {}", taken(game.id()))));
        }
        loaded.push(game);
    }
    Ok(loaded)
}

/// The message about an id that a built-in game has.
pub(crate) fn taken(id: &str) -> String {
    format!("expected an id of its own, found `{id}`, which is a built-in game")
}

/// The fault of a game with the id of another one, at the line of the file with the id.
fn taken_fault(name: &str, id: &str, texts: &[String]) -> VariantError {
    let is_id = |line: &str| {
        line.trim_start().strip_prefix("id").is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    // The first text is the file's own; the others are those that it extends.
    let text = texts.first().map_or("", String::as_str);
    let at = (1..).zip(text.lines()).find(|(_, line)| is_id(line));
    let (line, column) = at.map_or((1, 1), |(number, line)| {
        let before = line.find('=').map_or("", |at| &line[..=at]);
        let spaces = line[before.len()..].chars().take_while(|letter| letter.is_whitespace()).count();
        (number, before.chars().count() + spaces + 1)
    });
    let location =
        FileLocation { source: name.to_owned(), line, column: u32::try_from(column).unwrap_or(u32::MAX) };
    let found = format!("`{id}`, which is a built-in game");
    let kind = FaultKind::Value { expected: "an id of its own".into(), found };
    VariantError { faults: vec![Fault { location, inherited: None, kind }] }
}

fn sibling(folder: &Path, id: &str) -> Option<String> {
    // Only an id, so that no other folder can be reached.
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let is_id = !id.is_empty() && id.len() <= 40 && id.chars().all(letters);
    if is_id { read(&folder.join(format!("{id}.toml"))).ok() } else { None }
}

/// Why a file cannot be read.
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
    // Check before opening: opening a named pipe blocks until another process writes to it.
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
    read_text(File::open(path)?)
}

/// A text of a size that a variant file may have; the source may be longer, or endless.
fn read_text(source: impl Read) -> Result<String, Unreadable> {
    let mut bytes = Vec::new();
    source.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(Unreadable::TooLarge(bytes.len() as u64));
    }
    String::from_utf8(bytes).map_err(|error| Unreadable::NotText(error.utf8_error().valid_up_to() + 1))
}
