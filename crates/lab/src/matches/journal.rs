//! The record of a match on disk: a first line that identifies the match, then one line of JSON for each
//! finished game, only ever appended to. A match that was interrupted goes on from it.

use super::identity::{difference, digest, identity};
use super::record::GameRecord;
use super::settings::MatchSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The version of the format.
const VERSION: u32 = 1;

/// An open record.
#[derive(Debug)]
pub struct Journal {
    file: File,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct JournalHeader {
    lozenge_match: u32,
    id: String,
    settings: Value,
}

/// Why a file cannot be the record of a match.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It is something else.
    #[error("expected the record of a match, found something else on line {0}")]
    Foreign(usize),
    /// It is the record of another match.
    #[error("expected the record of this match, found one that differs in {0}")]
    Other(String),
}

impl Journal {
    /// Opens the record of a match, or begins one; the games in it come with it. A last line that was only
    /// half written is removed.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not the record of this match.
    pub fn open(path: &Path, settings: &MatchSettings) -> Result<(Self, Vec<GameRecord>), JournalError> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| JournalError::Foreign(1))?;
        let mut lines = text.lines();
        let identity = identity(settings);
        let Some(first) = lines.next() else {
            // An empty file, or an incomplete first line: replace it only if it begins like ours.
            if !bytes.is_empty() && !bytes.starts_with(b"{\"lozenge_match\"") {
                return Err(JournalError::Foreign(1));
            }
            file.set_len(0)?;
            let id = digest(identity.to_string().as_bytes());
            let head = JournalHeader { lozenge_match: VERSION, id, settings: identity };
            let mut journal = Self { file };
            journal.line(&head)?;
            return Ok((journal, Vec::new()));
        };
        let head: JournalHeader = serde_json::from_str(first).map_err(|_| JournalError::Foreign(1))?;
        if head.lozenge_match != VERSION {
            return Err(JournalError::Other("the form of the file".into()));
        }
        if let Some(difference) = difference(&head.settings, &identity) {
            return Err(JournalError::Other(difference));
        }
        let games = games(lines)?;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((Self { file }, games))
    }

    /// The games of a record, whichever match it is of. A last line that was only half written is
    /// ignored.
    ///
    /// # Errors
    /// When the file cannot be read, or is not the record of a match.
    pub fn read(path: &Path) -> Result<Vec<GameRecord>, JournalError> {
        let text = std::fs::read_to_string(path)?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        let head: Option<JournalHeader> = lines.next().and_then(|first| serde_json::from_str(first).ok());
        match head {
            Some(head) if head.lozenge_match == VERSION => games(lines),
            _ => Err(JournalError::Foreign(1)),
        }
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.line(record)
    }

    /// Replaces all games by these.
    ///
    /// # Errors
    /// When it cannot be written; then the file may have lost its last games.
    pub fn replace<'g>(&mut self, games: impl Iterator<Item = &'g GameRecord>) -> io::Result<()> {
        self.file.rewind()?;
        let mut text = String::new();
        self.file.read_to_string(&mut text)?;
        let head = text.find('\n').map_or(text.len(), |end| end + 1);
        self.file.set_len(head as u64)?;
        games.into_iter().try_for_each(|record| self.line(record))
    }

    fn line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_string(value)?;
        line.push('\n');
        // One call, so that a line is never mixed with another.
        self.file.write_all(line.as_bytes())
    }
}

/// The games on the lines after the first one, each only once.
fn games<'l>(lines: impl Iterator<Item = &'l str>) -> Result<Vec<GameRecord>, JournalError> {
    let mut games: Vec<GameRecord> = Vec::new();
    let mut seen = HashSet::new();
    for (number, line) in (2..).zip(lines) {
        let game: GameRecord = serde_json::from_str(line).map_err(|_| JournalError::Foreign(number))?;
        if seen.insert((game.game.clone(), game.pair, game.swapped)) {
            games.push(game);
        }
    }
    Ok(games)
}
