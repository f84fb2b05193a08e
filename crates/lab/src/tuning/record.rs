//! The file of positions: plain text, one position on a line, game by game. Ordinary tools can read, join and cut it, and
//! an interrupted run can be resumed.
//!
//! ```text
//! # lozenge data game=diamond rules=8c1f3a… nodes=2000 plies=8 seed=1
//! # game 0 1-0 27
//! ****k****/***1nv***/… w - - 0 7;35;1
//! ```
//!
//! The last number in a game's line is the number of positions that follow. A position is its FEN, the score of the
//! search in centipawns and the result of the game in half points, both from White's side.

use super::TuningError;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// A position with score and result, from White's side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The number of its game in its file.
    pub game: u64,
    /// The position.
    pub fen: String,
    /// The score of the search, in centipawns.
    pub score: i32,
    /// 0 lost, 1 drawn, 2 won.
    pub result: u8,
}

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number in the run.
    pub number: u64,
    /// 0 Black won, 1 drawn, 2 White won; `None` for a game that was not played out.
    pub result: Option<u8>,
    /// Its quiet positions.
    pub samples: Vec<(String, i32)>,
}

impl PlayedGame {
    /// The lines of the game.
    fn text(&self) -> String {
        let name = match self.result {
            Some(0) => "0-1",
            Some(1) => "1/2-1/2",
            Some(_) => "1-0",
            None => "*",
        };
        let mut text = format!("# game {} {name} {}\n", self.number, self.samples.len());
        for (fen, score) in &self.samples {
            text.push_str(&format!("{fen};{score};{}\n", self.result.unwrap_or(1)));
        }
        text
    }
}

/// A file that grows by whole games.
#[derive(Debug)]
pub struct Writer {
    name: String,
    file: File,
    games: u64,
}

impl Writer {
    /// Opens the file, or begins it with `heading`. Cuts off an unfinished game that an
    /// interrupted run left.
    ///
    /// # Errors
    /// When the file cannot be read or written, or was begun with another heading.
    pub fn open(path: &Path, heading: &str) -> Result<Self, TuningError> {
        let name = path.display().to_string();
        let fault = |error| TuningError::File { what: name.clone(), error };
        let mut options = std::fs::OpenOptions::new();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(path).map_err(fault)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fault)?;
        let (kept, games) = if text.is_empty() {
            let line = format!("{heading}\n");
            file.write_all(line.as_bytes()).map_err(fault)?;
            (line.len() as u64, 0)
        } else {
            let found = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
            if found != heading.as_bytes() {
                return Err(TuningError::OtherData {
                    what: name,
                    expected: heading.into(),
                    found: String::from_utf8_lossy(found).into(),
                });
            }
            whole_games(&text)
        };
        file.set_len(kept).map_err(fault)?;
        file.seek(SeekFrom::Start(kept)).map_err(fault)?;
        Ok(Self { name, file, games })
    }

    /// How many games the file has: the number of the next one.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Takes the games from this number on off the file, in their order.
    ///
    /// # Errors
    /// When the file cannot be read or written, or has a line that this program does not write.
    pub fn take_back(&mut self, first: u64) -> Result<Vec<PlayedGame>, TuningError> {
        let fault = |error| TuningError::File { what: self.name.clone(), error };
        self.file.rewind().map_err(fault)?;
        let (mut at, mut kept, mut games) = (0, None, Vec::<PlayedGame>::new());
        let mut reader = BufReader::new(&self.file);
        let mut line = String::new();
        for number in 1.. {
            line.clear();
            if reader.read_line(&mut line).map_err(fault)? == 0 {
                break;
            }
            let unexpected = |expected| TuningError::Line {
                what: self.name.clone(),
                line: number,
                expected,
                found: line.trim_end().to_owned(),
            };
            if let Some(about) = line.strip_prefix("# game ") {
                let game = played_game(about).ok_or_else(|| unexpected("`# game NUMBER RESULT COUNT`"))?;
                if game.number >= first {
                    kept.get_or_insert(at);
                    games.push(game);
                }
            } else if let (Some(_), Some(game)) = (kept, games.last_mut()) {
                let read =
                    sample(line.trim_end(), game.number).ok_or_else(|| unexpected("`FEN;score;result`"));
                let Sample { fen, score, .. } = read?;
                game.samples.push((fen, score));
            }
            at += line.len() as u64;
        }
        if let Some(kept) = kept {
            self.file.set_len(kept).map_err(fault)?;
            self.games = first;
        }
        self.file.seek(SeekFrom::End(0)).map_err(fault)?;
        Ok(games)
    }

    /// Appends a game, the one whose turn it is.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &PlayedGame) -> Result<(), TuningError> {
        self.file
            .write_all(game.text().as_bytes())
            .map_err(|error| TuningError::File { what: self.name.clone(), error })?;
        self.games += 1;
        Ok(())
    }
}

/// A game without its positions, of its line after `# game `.
fn played_game(about: &str) -> Option<PlayedGame> {
    let mut words = about.split_whitespace();
    let number = words.next()?.parse().ok()?;
    let result = match words.next()? {
        "0-1" => Some(0),
        "1/2-1/2" => Some(1),
        "1-0" => Some(2),
        "*" => None,
        _ => return None,
    };
    Some(PlayedGame { number, result, samples: Vec::new() })
}

/// The length of the text up to the last whole game, and how many games that is.
fn whole_games(text: &[u8]) -> (u64, u64) {
    let (mut kept, mut games, mut at, mut left) = (0, 0, 0, None::<usize>);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if !line.ends_with(b"\n") {
            break;
        }
        at += line.len() as u64;
        let line = String::from_utf8_lossy(line);
        if let Some(about) = line.strip_prefix("# game ") {
            left = about.split_whitespace().last().and_then(|count| count.parse().ok());
        } else if line.starts_with('#') {
            kept = at;
        } else {
            left = left.map(|left| left.saturating_sub(1));
        }
        if left == Some(0) {
            (kept, games, left) = (at, games + 1, None);
        }
    }
    (kept, games)
}

/// Reads all positions of a file. Its first line must begin with `heading_begins`.
///
/// # Errors
/// When the file cannot be read, is for another game, or has a line that is no position.
pub fn read(path: &Path, heading_begins: &str) -> Result<Vec<Sample>, TuningError> {
    let name = path.display().to_string();
    let fault = |error| TuningError::File { what: name.clone(), error };
    let mut samples = Vec::new();
    let mut game = 0;
    for (number, line) in BufReader::new(File::open(path).map_err(fault)?).lines().enumerate() {
        let line = line.map_err(fault)?;
        if number == 0 && !line.starts_with(heading_begins) {
            return Err(TuningError::OtherData { what: name, expected: heading_begins.into(), found: line });
        }
        if let Some(about) = line.strip_prefix("# game ") {
            game = about.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(game + 1);
        }
        if line.starts_with('#') || line.is_empty() {
            continue;
        }
        let Some(sample) = sample(&line, game) else {
            let expected = "`FEN;score;result`";
            return Err(TuningError::Line { what: name, line: number + 1, expected, found: line });
        };
        samples.push(sample);
    }
    Ok(samples)
}

fn sample(line: &str, game: u64) -> Option<Sample> {
    let mut parts = line.rsplitn(3, ';');
    let result = parts.next()?.parse().ok().filter(|&result| result <= 2)?;
    let score = parts.next()?.parse().ok()?;
    Some(Sample { game, fen: parts.next()?.into(), score, result })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_game_is_cut_off() {
        let whole = "# lozenge data\n# game 0 1-0 2\na;1;2\nb;-3;2\n# game 1 * 0\n";
        for rest in ["", "# game 2 0-1 3\nc;1;0\n", "# ga", "# game 2 0-1 1\nc;1"] {
            let text = format!("{whole}{rest}");
            assert_eq!(whole_games(text.as_bytes()), (whole.len() as u64, 2), "{rest:?}");
        }
        assert_eq!(whole_games(b"# lozenge data\n"), (15, 0));
    }

    #[test]
    fn games_can_be_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        let game = |number: u64| PlayedGame {
            number,
            result: [Some(0), None, Some(1), Some(2)][number as usize],
            samples: (0..number % 3).map(|at| (format!("8/8 w - - 0 {at}"), -7)).collect(),
        };
        let mut writer = Writer::open(&path, "# lozenge data").unwrap();
        (0..4).for_each(|number| writer.append(&game(number)).unwrap());
        let whole = std::fs::read_to_string(&path).unwrap();
        assert_eq!(writer.take_back(4).unwrap(), []);
        let games = writer.take_back(1).unwrap();
        assert_eq!((writer.games(), &games), (1, &(1..4).map(game).collect()));
        games.iter().for_each(|game| writer.append(game).unwrap());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    }

    #[test]
    fn lines_are_parsed_or_reported() {
        let good = sample("8/8 w - - 0 1;-35;1", 7);
        assert_eq!(good, Some(Sample { game: 7, fen: "8/8 w - - 0 1".into(), score: -35, result: 1 }));
        for bad in ["", "8/8 w", "8/8;x;1", "8/8;1;3", "8/8;1"] {
            assert_eq!(sample(bad, 0), None, "{bad}");
        }
    }
}
