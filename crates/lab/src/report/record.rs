//! The games of a report on disk: a first line that describes the measurement, then one line of JSON for each game. The
//! file is only ever appended to. An interrupted report goes on from it.

use super::ReportError;
use super::plan::{Part, Plan};
use crate::matches::Ending;
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The version of the format.
const VERSION: u32 = 1;

/// A game of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Of which part.
    pub part: Part,
    /// Its number there, from 0.
    pub number: u32,
    /// Which of the starting positions.
    pub start: usize,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves after it.
    pub moves: Vec<String>,
    /// The score before each of these moves, as White sees it, in centipawns.
    pub scores: Vec<i32>,
    /// Of some of these moves: their number, the best score and the second best, as the mover sees them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<(usize, i32, i32)>,
    /// How it ended; `None`: no opening was found.
    pub ending: Option<Ending>,
    /// White's points, doubled.
    pub halves: u8,
}

impl GameRecord {
    /// A game for which no opening was found.
    pub(super) fn without_opening(part: Part, number: u32) -> Self {
        Self {
            part,
            number,
            start: 0,
            opening: Vec::new(),
            moves: Vec::new(),
            scores: Vec::new(),
            choices: Vec::new(),
            ending: None,
            halves: 1,
        }
    }
}

/// Games by part and number.
pub type KnownGames = HashMap<(Part, u32), GameRecord>;

/// The first line of a journal: the game and the plan of all its games.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct JournalHeader {
    lozenge_report: u32,
    program: String,
    game: String,
    rules: String,
    plan: Plan,
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
    name: String,
}

impl Journal {
    /// Opens the journal of a report, or begins one; the games in it come with it. An incomplete last line is dropped. Without
    /// `resume` there must not be any games.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not the journal of this report.
    pub fn open(
        path: &Path,
        variant: &Variant,
        plan: &Plan,
        resume: bool,
    ) -> Result<(Self, KnownGames), ReportError> {
        let name = path.display().to_string();
        let fault = |error| ReportError::File { what: name.clone(), error };
        let mut file = File::options().read(true).append(true).create(true).open(path).map_err(fault)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let head = JournalHeader {
            lozenge_report: VERSION,
            program: env!("CARGO_PKG_VERSION").into(),
            game: variant.id().into(),
            rules: format!("{:016x}", crate::tuning::fingerprint(variant)),
            plan: plan.clone(),
        };
        let foreign = |line: usize| ReportError::Foreign { what: name.clone(), line };
        let text = std::str::from_utf8(&bytes[..whole]).map_err(|_| foreign(1))?;
        let mut lines = (1..).zip(text.lines());
        let mut known = HashMap::new();
        let Some((_, first)) = lines.next() else {
            if !bytes.is_empty() && !bytes.starts_with(b"{\"lozenge_report\"") {
                return Err(foreign(1));
            }
            file.set_len(0).map_err(fault)?;
            let mut journal = Self { file, name: name.clone() };
            journal.line(&head)?;
            return Ok((journal, known));
        };
        let found: JournalHeader = serde_json::from_str(first).map_err(|_| foreign(1))?;
        if found != head {
            return Err(ReportError::OtherJournal(name));
        }
        for (number, line) in lines {
            let record: GameRecord = serde_json::from_str(line).map_err(|_| foreign(number))?;
            known.insert((record.part, record.number), record);
        }
        if !known.is_empty() && !resume {
            return Err(ReportError::Unfinished { what: name, games: known.len() });
        }
        file.set_len(whole as u64).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        Ok((Self { file, name }, known))
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), ReportError> {
        self.line(record)
    }

    /// Replaces all games by these.
    ///
    /// # Errors
    /// When it cannot be written; then the file may have lost its last games.
    pub fn replace<'g>(&mut self, games: impl Iterator<Item = &'g GameRecord>) -> Result<(), ReportError> {
        let fault = |error| ReportError::File { what: self.name.clone(), error };
        let mut text = String::new();
        self.file.rewind().and_then(|()| self.file.read_to_string(&mut text)).map_err(fault)?;
        let head = text.find('\n').map_or(text.len(), |end| end + 1);
        self.file.set_len(head as u64).map_err(fault)?;
        games.into_iter().try_for_each(|record| self.line(record))
    }

    fn line(&mut self, value: &impl Serialize) -> Result<(), ReportError> {
        let fault = |error| ReportError::File { what: self.name.clone(), error };
        let mut line = serde_json::to_string(value).map_err(io::Error::from).map_err(fault)?;
        line.push('\n');
        // One call, so that a line is never mixed with another.
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| ReportError::File { what: self.name.clone(), error })
    }
}
