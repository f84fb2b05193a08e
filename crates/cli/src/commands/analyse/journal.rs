//! Reviews that are done, in a file beside the output, so that an interrupted command goes on where it stopped. The
//! first line has the settings of the reviews; then comes one line of JSON for each game.

use super::AnalyseError;
use lozenge_rules::notation::uci;
use lozenge_rules::position::Game;
use lozenge_wire::review::GameReview;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// How the reviews of a journal were made.
#[derive(PartialEq, Eq, Serialize, Deserialize)]
struct JournalHeader {
    lozenge_review: u32,
    program: String,
    nodes: u64,
    hash: u16,
}

#[derive(Serialize, Deserialize)]
struct JournalEntry {
    /// Digest of the game's rules, start and moves.
    game: String,
    review: GameReview,
}

/// An open journal.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    known: HashMap<String, GameReview>,
}

impl Journal {
    /// The journal of the review that goes to this output, begun if there is none.
    pub(super) fn open(output: &Path, nodes: u64, hash: u16) -> Result<Self, AnalyseError> {
        let mut name = output.as_os_str().to_owned();
        name.push(".partial");
        let path = PathBuf::from(name);
        let fault = |error| AnalyseError::Journal { path: path.display().to_string(), error };
        let mut file = File::options().read(true).append(true).create(true).open(&path).map_err(fault)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(fault)?;
        let head =
            JournalHeader { lozenge_review: 1, program: env!("CARGO_PKG_VERSION").into(), nodes, hash };
        // The last line may be incomplete.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let mut known = HashMap::new();
        match lines.next() {
            None => {
                file.set_len(0).map_err(fault)?;
                write_line(&mut file, &head).map_err(fault)?;
            }
            Some(first) => {
                let other = || AnalyseError::OtherJournal(path.display().to_string());
                let found: JournalHeader = serde_json::from_str(first).map_err(|_| other())?;
                if found != head {
                    return Err(other());
                }
                for line in lines {
                    let JournalEntry { game, review } = serde_json::from_str(line).map_err(|_| other())?;
                    known.insert(game, review);
                }
                file.set_len(whole as u64).map_err(fault)?;
                file.seek(SeekFrom::End(0)).map_err(fault)?;
            }
        }
        Ok(Self { path, file, known })
    }

    /// The review of a game, if it is done.
    pub(super) fn get(&self, game: &Game) -> Option<GameReview> {
        self.known.get(&digest(game)).cloned()
    }

    /// Adds a review.
    pub(super) fn add(&mut self, game: &Game, review: &GameReview) -> Result<(), AnalyseError> {
        let entry = JournalEntry { game: digest(game), review: review.clone() };
        let written = write_line(&mut self.file, &entry);
        written.map_err(|error| AnalyseError::Journal { path: self.path.display().to_string(), error })
    }

    /// Deletes the journal: the output has everything.
    pub(super) fn remove(self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            super::warn(format_args!("{}: {error}", self.path.display()));
        }
    }
}

fn write_line(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_string(value)?;
    line.push('\n');
    // One call, so that a line is never torn by another writer.
    file.write_all(line.as_bytes())
}

/// Sixteen hexadecimal digits for the rules, the start and the moves of a game.
fn digest(game: &Game) -> String {
    let mut sum = Sha256::new();
    sum.update(lozenge_engine::fingerprint(game.variant()).to_le_bytes());
    sum.update(game.start().fen());
    for &played in game.moves() {
        sum.update(" ");
        sum.update(uci::write(game.variant(), played));
    }
    sum.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
