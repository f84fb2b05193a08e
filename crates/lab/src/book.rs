//! Books: games of the engine against itself at full strength, from openings as varied as good play allows, for the opening
//! explorer. In the first plies the engine plays one of its best moves at random, then always the best.
//!
//! Every game is a function of the seed and its number, so an interrupted run, or one on more threads, makes the same file.

use crate::openings::starts;
use crate::rng::Rng;
use lozenge_engine::{Engine, Limits, Score, SearchReport, Signals};
use lozenge_rules::notation::book::{Book, BookError, encode, heading};
use lozenge_rules::position::{Color, Game, Move, Outcome};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// Which games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookSettings {
    /// Games in the book when it is done.
    pub games: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Plies in which good moves are chosen at random.
    pub plies: usize,
    /// Random seed.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
}

/// Why a book cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MakeBookError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There is a file already.
    #[error("{}: expected no file, or --resume to go on with it", .0.display())]
    Exists(PathBuf),
    /// The file is another book, or none.
    #[error("{}: expected a book that begins with `{}`", path.display(), expected.trim_end())]
    OtherBook {
        /// Which.
        path: PathBuf,
        /// The first line that it should have.
        expected: String,
    },
    /// A game of the file is invalid by today's rules.
    #[error("{}: game {number}: {error}", path.display())]
    Game {
        /// Which file.
        path: PathBuf,
        /// Its number, from 0.
        number: usize,
        /// Why not.
        error: BookError,
    },
}

/// Lines among which a move of the opening is chosen.
const LINES: usize = 4;
/// A move of the opening costs less than this much of the expected score: a mistake would cost more. Centipawns cannot
/// serve: 40 of them are a blunder in one game and nothing in another, whose games were all alike.
const MAX_SCORE_LOSS: f64 = 0.1;
/// Plies after which a game counts as drawn.
const MAX_PLIES: usize = 300;
/// From this score on, in centipawns, a game counts as won if it stays so for [`ADJUDICATION_PLIES`].
const ADJUDICATION_SCORE: i32 = 1_500;
const ADJUDICATION_PLIES: u32 = 6;
/// Memory of the engine, in MiB: little, since it is cleared for each game.
const HASH_MIB: usize = 2;

/// Plays until the book has as many games as asked for; `progress` receives how many it has. After `stop` is set it ends
/// with the games that are being played.
///
/// # Errors
/// If the file cannot be written, is there and `resume` is not set, or is another book.
pub fn make(
    variant: &Arc<Variant>,
    settings: &BookSettings,
    path: &Path,
    resume: bool,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<(), MakeBookError> {
    let fault = |error| MakeBookError::File { path: path.into(), error };
    let (mut file, begun) = open(variant, settings, path, resume)?;
    let (next, mut written) = (AtomicU64::new(begun), begun);
    progress(written);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut engine = Engine::new(HASH_MIB);
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let done = number >= settings.games;
                    if done || sender.send((number, play(variant, settings, number, &mut engine))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Games end in any order; they are written in theirs.
        let mut waiting = BTreeMap::new();
        for (number, record) in receiver {
            waiting.insert(number, record);
            while let Some(record) = waiting.remove(&written) {
                file.write_all(&record).map_err(fault)?;
                written += 1;
                progress(written);
            }
        }
        Ok(())
    })
}

/// Opens the file behind its last whole game, or begins it; how many games it has.
fn open(
    variant: &Arc<Variant>,
    settings: &BookSettings,
    path: &Path,
    resume: bool,
) -> Result<(File, u64), MakeBookError> {
    let fault = |error| MakeBookError::File { path: path.into(), error };
    let BookSettings { nodes, plies, seed, .. } = settings;
    let expected = heading(variant, &format!("nodes={nodes} plies={plies} seed={seed}"));
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true);
    let mut file = match options.clone().create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && resume => {
            options.open(path).map_err(fault)?
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(MakeBookError::Exists(path.into()));
        }
        Err(error) => return Err(fault(error)),
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(fault)?;
    // A run that was cut off while it wrote the first line has written nothing else.
    if expected.as_bytes().starts_with(&bytes) && bytes.len() < expected.len() {
        file.write_all(&expected.as_bytes()[bytes.len()..]).map_err(fault)?;
        return Ok((file, 0));
    }
    let other = || MakeBookError::OtherBook { path: path.into(), expected: expected.clone() };
    if !bytes.starts_with(expected.as_bytes()) {
        return Err(other());
    }
    let (book, rest) = Book::parse_whole(&bytes).map_err(|_| other())?;
    verify(variant, &book).map_err(|(number, error)| MakeBookError::Game {
        path: path.into(),
        number,
        error,
    })?;
    let whole = (bytes.len() - rest) as u64;
    file.set_len(whole).map_err(fault)?;
    file.seek(SeekFrom::Start(whole)).map_err(fault)?;
    Ok((file, book.len() as u64))
}

/// Plays all games of a book again.
///
/// # Errors
/// The number of the first game that cannot be played, and why.
pub fn verify(variant: &Arc<Variant>, book: &Book<'_>) -> Result<(), (usize, BookError)> {
    (0..book.len()).try_for_each(|number| match book.game(variant, number) {
        Some(Err(error)) => Err((number, error)),
        Some(Ok(_)) | None => Ok(()),
    })
}

/// Plays one game: its record.
fn play(variant: &Arc<Variant>, settings: &BookSettings, number: u64, engine: &mut Engine) -> Vec<u8> {
    // Games of one seed, and of neighboring seeds, get different random numbers.
    let mut rng = Rng::new(settings.seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ number);
    let starts = starts(variant);
    let start = rng.below(starts.len());
    let mut game = Game::from_position(starts[start].clone());
    engine.clear();
    let mut decisive_plies = 0;
    let winner = loop {
        if let Some(outcome) = game.outcome() {
            break match outcome {
                Outcome::Win { winner, .. } => Some(winner),
                Outcome::Draw(_) => None,
            };
        }
        if game.claimable_draw().is_some() || game.moves().len() >= MAX_PLIES {
            break None;
        }
        let lines = if game.moves().len() < settings.plies { LINES } else { 1 };
        let (report, choices) = search(engine, &game, settings.nodes, lines);
        let white = score_of_white(&report, game.position().turn());
        decisive_plies = if white.abs() >= ADJUDICATION_SCORE { decisive_plies + 1 } else { 0 };
        if decisive_plies >= ADJUDICATION_PLIES {
            break Some(if white > 0 { Color::White } else { Color::Black });
        }
        let Some(played) = rng.one_of(&choices).copied().or(report.best) else { break None };
        game.play_unchecked(played);
    };
    // At most 300 moves of three bytes, and the start's number is below that of all starts of a game.
    u8::try_from(start).ok().and_then(|start| encode(&game, start, winner)).unwrap_or_default()
}

/// The result of a search, and the best moves that are nearly as good as the first.
fn search(engine: &mut Engine, game: &Game, nodes: u64, lines: usize) -> (SearchReport, Vec<Move>) {
    // Each line costs as much as one move: with fewer nodes the others are not even begun in games of many moves.
    let limits = Limits { nodes: Some(nodes * lines as u64), multipv: lines, ..Limits::default() };
    let mut best: Vec<Option<(Move, Score)>> = vec![None; lines];
    let report = engine.search(game, &limits, &Signals::default(), &mut |info| {
        let first = info.pv.first().copied();
        if let (Some(line), Some(first)) = (best.get_mut(info.multipv.max(1) - 1), first) {
            *line = Some((first, info.score));
        }
    });
    if !matches!(report.score, Score::Centipawns(_)) {
        return (report, Vec::new());
    }
    let model = engine.chances(game.position());
    let least = model.expected_score(report.score) - MAX_SCORE_LOSS;
    let good = |(played, score)| (model.expected_score(score) > least).then_some(played);
    let mut moves: Vec<Move> = best.into_iter().flatten().filter_map(good).collect();
    // Lines of two iterations may begin alike.
    moves.sort_unstable();
    moves.dedup();
    (report, moves)
}

fn score_of_white(report: &SearchReport, turn: Color) -> i32 {
    let score = match report.score {
        Score::Centipawns(score) => score,
        Score::Wins(_) => i32::from(i16::MAX),
        Score::Loses(_) => -i32::from(i16::MAX),
    };
    if turn == Color::White { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    const FEW: BookSettings = BookSettings { games: 4, nodes: 60, plies: 6, seed: 7, threads: 1 };

    fn run(settings: BookSettings, path: &Path, resume: bool) -> Result<Vec<u8>, MakeBookError> {
        let diamond = library::game("diamond").unwrap();
        make(&diamond, &settings, path, resume, &AtomicBool::new(false), &mut |_| {})?;
        Ok(std::fs::read(path).unwrap())
    }

    #[test]
    fn book_does_not_depend_on_interruptions_or_threads() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let whole = run(FEW, &path("whole"), false).unwrap();
        assert_eq!(whole, run(BookSettings { threads: 2, ..FEW }, &path("threads"), false).unwrap());
        for cut in [0, 5, whole.len() / 3, whole.len() * 2 / 3, whole.len()] {
            std::fs::write(path("cut"), &whole[..cut]).unwrap();
            assert_eq!(whole, run(FEW, &path("cut"), true).unwrap(), "{cut}");
        }
        let book = Book::parse(&whole).unwrap();
        assert_eq!((book.len(), verify(&library::game("diamond").unwrap(), &book)), (4, Ok(())));
    }

    /// Where a fixed number of centipawns was too little, all games of a seed were one.
    #[test]
    fn diamond_ring_games_begin_differently() {
        let ring = library::game("diamondring").unwrap();
        let settings = BookSettings { nodes: 100, plies: 8, ..FEW };
        let play = |number| {
            let record = super::play(&ring, &settings, number, &mut Engine::new(1));
            let text = [heading(&ring, "").as_bytes(), &record].concat();
            let played = Book::parse(&text).unwrap().game(&ring, 0).unwrap().unwrap();
            played.game.moves()[..8].to_vec()
        };
        let mut openings: Vec<Vec<Move>> = (0..8).map(play).collect();
        openings.sort();
        openings.dedup();
        assert!(openings.len() >= 7, "{} of 8 openings", openings.len());
    }

    #[test]
    fn other_or_damaged_book_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let before = run(BookSettings { games: 1, ..FEW }, &path, false).unwrap();
        assert!(matches!(run(FEW, &path, false), Err(MakeBookError::Exists(_))));
        let other = run(BookSettings { seed: 8, ..FEW }, &path, true);
        assert!(matches!(other, Err(MakeBookError::OtherBook { .. })));
        let mut damaged = before.clone();
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        assert!(matches!(run(FEW, &path, true), Err(MakeBookError::Game { number: 0, .. })));
        assert_eq!(std::fs::read(&path).unwrap(), damaged);
    }
}
