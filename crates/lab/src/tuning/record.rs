//! The file of games for training: a line of text that says what they are, then game by game the position it began with, the moves and
//! the scores, about three bytes a position. An interrupted run can be resumed.
//!
//! ```text
//! # lozenge games game=diamond rules=8c1f3a… nodes=2000 plies=8 seed=1
//! ```
//!
//! Each game is its length in bytes (32 bits, the lowest first) and a [`PlayedGame`] in the format of
//! [postcard](https://postcard.jamesmunns.com/wire-format). `lozenge lab show` writes a file as text.

use super::TuningError;
use lozenge_engine::Score;
use lozenge_rules::position::{AnyPosition, Color, Move};
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number in the run.
    pub number: u64,
    /// 0 Black won, 1 drawn, 2 White won; `None` for a game that was not played out.
    pub result: Option<u8>,
    /// The FEN of the first position that was searched.
    pub start: String,
    /// The moves from there on.
    pub plies: Vec<Ply>,
}

/// A move of the engine, and what it thought of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ply {
    /// The place of the move among the legal moves in their order.
    pub place: u16,
    /// The score of the search from White's side, in centipawns; see [`Ply::score`].
    score: i32,
}

/// A won game is stored as this, less the moves to the mate or goal.
const WON: i32 = 30_000;
/// The largest score in centipawns that is stored.
const MOST: i32 = 20_000;

impl Ply {
    /// A legal move of a position with the score for the side to move; `None` if it is not legal.
    #[must_use]
    pub fn new(position: &AnyPosition, played: Move, score: Score) -> Option<Self> {
        let place = ordered_moves(position).iter().position(|&legal| legal == played)?;
        let own = match score {
            Score::Centipawns(score) => score.clamp(-MOST, MOST),
            Score::Wins(moves) => WON - (moves as i32).min(WON - MOST - 1),
            Score::Loses(moves) => (moves as i32).min(WON - MOST - 1) - WON,
        };
        let score = if position.turn() == Color::White { own } else { -own };
        Some(Self { place: u16::try_from(place).ok()?, score })
    }

    /// The score from White's side.
    #[must_use]
    pub const fn score(self) -> Score {
        match self.score {
            won if won > MOST => Score::Wins((WON - won) as u32),
            lost if lost < -MOST => Score::Loses((WON + lost) as u32),
            score => Score::Centipawns(score),
        }
    }
}

/// The legal moves in an order that is the same in every version.
fn ordered_moves(position: &AnyPosition) -> Vec<Move> {
    let mut moves = position.legal_moves();
    // The order of generated moves is not part of the rules' interface.
    moves.sort();
    moves
}

/// A position of a game.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The position.
    pub position: AnyPosition,
    /// The move that was played, the best one of the search.
    pub played: Move,
    /// The score of the search from White's side.
    pub score: Score,
}

impl Sample {
    /// Whether nothing is going on: no check, and the best move takes nothing and promotes nothing.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        let Self { position, played, .. } = self;
        !played.is_promotion() && !position.is_capture(*played) && !position.is_check()
    }
}

impl PlayedGame {
    /// A game that is not used.
    #[must_use]
    pub const fn void(number: u64) -> Self {
        Self { number, result: None, start: String::new(), plies: Vec::new() }
    }

    /// Its positions, each before the move that was played; `None` if a move is not legal.
    #[must_use]
    pub fn samples(&self, variant: &Arc<Variant>) -> Option<Vec<Sample>> {
        let Some(_) = self.plies.first() else { return Some(Vec::new()) };
        let mut position = AnyPosition::from_fen(variant, &self.start).ok()?;
        let mut samples = Vec::with_capacity(self.plies.len());
        for &ply in &self.plies {
            let played = *ordered_moves(&position).get(usize::from(ply.place))?;
            let after = position.play_unchecked(played);
            samples.push(Sample { position, played, score: ply.score() });
            position = after;
        }
        Some(samples)
    }
}

/// A file that grows by whole games.
#[derive(Debug)]
pub struct RecordWriter {
    name: String,
    file: File,
    games: u64,
}

impl RecordWriter {
    /// Opens the file, or begins it with `heading`. Cuts off an unfinished game that an
    /// interrupted run left.
    ///
    /// # Errors
    /// When the file cannot be read or written, or was begun with another heading.
    pub fn open(path: &Path, heading: &str) -> Result<Self, TuningError> {
        let name = path.display().to_string();
        let fault = |error| TuningError::File { what: name.clone(), error };
        let mut options = std::fs::OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(fault)?;
        let mut writer = Self { name, file, games: 0 };
        if writer.file.metadata().map_err(|error| writer.fault(error))?.len() == 0 {
            let line = format!("{heading}\n");
            writer.file.write_all(line.as_bytes()).map_err(|error| writer.fault(error))?;
            return Ok(writer);
        }
        let mut games = Games::open(path)?;
        if games.heading != heading {
            let (expected, found) = (heading.into(), games.heading);
            return Err(TuningError::OtherData { what: writer.name, expected, found });
        }
        let mut kept = games.at;
        while let Some(Ok(_)) = games.next() {
            (kept, writer.games) = (games.at, writer.games + 1);
        }
        writer.cut(kept)?;
        Ok(writer)
    }

    fn fault(&self, error: std::io::Error) -> TuningError {
        TuningError::File { what: self.name.clone(), error }
    }

    /// Cuts the file off at this length.
    fn cut(&mut self, length: u64) -> Result<(), TuningError> {
        self.file.set_len(length).map_err(|error| self.fault(error))?;
        self.file.seek(SeekFrom::Start(length)).map(|_| ()).map_err(|error| self.fault(error))
    }

    /// How many games the file has: the number of the next one.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Takes the games from this number on off the file, in their order.
    ///
    /// # Errors
    /// When the file cannot be read or written, or has a game that this program does not write.
    pub fn take_back(&mut self, first: u64) -> Result<Vec<PlayedGame>, TuningError> {
        self.file.rewind().map_err(|error| self.fault(error))?;
        let file = self.file.try_clone().map_err(|error| self.fault(error))?;
        let mut games = Games::read(file, self.name.clone())?;
        let (mut kept, mut taken) = (games.at, Vec::new());
        while let Some(game) = games.next() {
            let game = game?;
            if game.number < first {
                kept = games.at;
            } else {
                taken.push(game);
            }
        }
        self.cut(kept)?;
        self.games = self.games.min(first);
        Ok(taken)
    }

    /// Appends a game, the one whose turn it is.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &PlayedGame) -> Result<(), TuningError> {
        let body = postcard::to_stdvec(game).map_err(|error| self.fault(std::io::Error::other(error)))?;
        let length = u32::try_from(body.len()).map_err(|error| self.fault(std::io::Error::other(error)))?;
        let whole = [&length.to_le_bytes()[..], &body].concat();
        self.file.write_all(&whole).map_err(|error| self.fault(error))?;
        self.games += 1;
        Ok(())
    }
}

/// The games of a file, one after the other.
#[derive(Debug)]
pub struct Games {
    name: String,
    heading: String,
    reader: BufReader<File>,
    /// Where the next game begins, in bytes.
    at: u64,
    count: u64,
}

/// Most bytes of a game; a longer one is damage.
const MAX_LENGTH: u32 = 1 << 20;

impl Games {
    /// Opens a file.
    ///
    /// # Errors
    /// When the file cannot be read, or is not one of games.
    pub fn open(path: &Path) -> Result<Self, TuningError> {
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| TuningError::File { what: name.clone(), error })?;
        Self::read(file, name)
    }

    fn read(file: File, name: String) -> Result<Self, TuningError> {
        let mut reader = BufReader::new(file);
        let mut line = Vec::new();
        let read = (&mut reader).take(1_000).read_until(b'\n', &mut line);
        let at = read.map_err(|error| TuningError::File { what: name.clone(), error })? as u64;
        let heading = String::from_utf8_lossy(&line).trim_end().to_owned();
        if line.last() != Some(&b'\n') || !heading.starts_with(HEADING) {
            let found = heading.chars().take(80).collect();
            return Err(TuningError::OtherData { what: name, expected: format!("{HEADING}…"), found });
        }
        Ok(Self { name, heading, reader, at, count: 0 })
    }

    /// The first line.
    #[must_use]
    pub fn heading(&self) -> &str {
        &self.heading
    }

    /// Bytes that were read.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        self.at
    }

    /// Checks how the first line begins.
    ///
    /// # Errors
    /// When it is that of another game.
    pub fn expect(&self, begins: &str) -> Result<(), TuningError> {
        if self.heading.starts_with(begins) {
            return Ok(());
        }
        let (what, found) = (self.name.clone(), self.heading.clone());
        Err(TuningError::OtherData { what, expected: begins.into(), found })
    }

    /// The error of a game that cannot be.
    #[must_use]
    pub fn damaged(&self, expected: &'static str) -> TuningError {
        TuningError::Game { what: self.name.clone(), number: self.count, expected }
    }

    fn next_game(&mut self) -> Result<Option<PlayedGame>, TuningError> {
        let fault = |name: &String, error| TuningError::File { what: name.clone(), error };
        let mut length = [0; 4];
        if self.reader.fill_buf().map_err(|error| fault(&self.name, error))?.is_empty() {
            return Ok(None);
        }
        self.count += 1;
        self.fill(&mut length)?;
        let length = u32::from_le_bytes(length);
        if length > MAX_LENGTH {
            return Err(self.damaged("its length"));
        }
        let mut body = vec![0; length as usize];
        self.fill(&mut body)?;
        let game = match postcard::take_from_bytes(&body) {
            Ok((game, [])) => game,
            _ => return Err(self.damaged("number, result, start and moves")),
        };
        self.at += 4 + u64::from(length);
        Ok(Some(game))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), TuningError> {
        self.reader.read_exact(bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.damaged("a whole game"),
            _ => TuningError::File { what: self.name.clone(), error },
        })
    }
}

impl Iterator for Games {
    type Item = Result<PlayedGame, TuningError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_game().transpose()
    }
}

/// The beginning of each file.
pub(super) const HEADING: &str = "# lozenge games ";

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn game(number: u64) -> PlayedGame {
        let chess = library::game("chess").unwrap();
        let mut position = AnyPosition::start(&chess);
        let mut game = PlayedGame { number, result: Some(2), start: position.fen(), plies: Vec::new() };
        let scores = [Score::Centipawns(-35), Score::Wins(3), Score::Loses(2), Score::Centipawns(90_000)];
        for score in scores.into_iter().take(number as usize % 5) {
            let played = position.legal_moves()[number as usize % 7];
            game.plies.push(Ply::new(&position, played, score).unwrap());
            position = position.play(played).unwrap();
        }
        if number == 1 { PlayedGame::void(1) } else { game }
    }

    #[test]
    fn games_are_replayed_with_their_scores() {
        let chess = library::game("chess").unwrap();
        let samples = game(4).samples(&chess).unwrap();
        let scores: Vec<Score> = samples.iter().map(|sample| sample.score).collect();
        let expected = [Score::Centipawns(-35), Score::Loses(3), Score::Loses(2), Score::Centipawns(-20_000)];
        assert_eq!(scores, expected, "from White's side");
        assert!(samples.iter().all(|sample| sample.position.is_legal(sample.played)));
        assert!(samples[0].is_quiet());
        let mut broken = game(4);
        broken.plies[1].place = 500;
        assert!(broken.samples(&chess).is_none());
        assert_eq!(PlayedGame::void(3).samples(&chess).unwrap().len(), 0);
        let bytes = postcard::to_stdvec(&game(4)).unwrap().len() - game(4).start.len();
        assert!(bytes < 4 + 4 * 5, "{bytes} bytes");
    }

    #[test]
    fn an_unfinished_game_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut writer = RecordWriter::open(&path, "# lozenge games x").unwrap();
        (0..4).for_each(|number| writer.append(&game(number)).unwrap());
        let whole = std::fs::read(&path).unwrap();
        writer.append(&game(4)).unwrap();
        let longer = std::fs::read(&path).unwrap();
        for length in whole.len()..longer.len() {
            std::fs::write(&path, &longer[..length]).unwrap();
            assert_eq!(RecordWriter::open(&path, "# lozenge games x").unwrap().games(), 4, "{length}");
            assert_eq!(std::fs::read(&path).unwrap(), whole, "{length}");
        }
        let games: Result<Vec<PlayedGame>, TuningError> = Games::open(&path).unwrap().collect();
        assert_eq!(games.unwrap(), (0..4).map(game).collect::<Vec<_>>());
        std::fs::write(&path, &longer[..longer.len() - 1]).unwrap();
        let error = Games::open(&path).unwrap().last().unwrap().unwrap_err().to_string();
        assert!(error.contains("game 5 ") && error.contains("a whole game"), "{error}");
        for other in ["", "8/8 w - - 0 1;3;1\n", "# lozenge games x"] {
            std::fs::write(&path, other).unwrap();
            assert!(Games::open(&path).is_err(), "{other}");
        }
    }

    #[test]
    fn games_can_be_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut writer = RecordWriter::open(&path, "# lozenge games x").unwrap();
        (0..4).for_each(|number| writer.append(&game(number)).unwrap());
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(writer.take_back(4).unwrap(), []);
        let games = writer.take_back(1).unwrap();
        assert_eq!((writer.games(), &games), (1, &(1..4).map(game).collect()));
        games.iter().for_each(|game| writer.append(game).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
}
