//! The engine against itself: games with the scores of its searches.
//!
//! Every game is a function of the seed and its number alone. So any run, on any number of threads
//! and with any interruptions, gives the same file as long as the engine stays the same.

use super::record::{HEADING, PlayedGame, Ply, RecordWriter};
use super::{TuningError, fingerprint};
use crate::openings::{random_opening, starts};
use crate::rng::Rng;
use lozenge_engine::{Bound, Engine, Limits, Score, Signals};
use lozenge_rules::position::{Color, Outcome};
use lozenge_rules::variant::Variant;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// The settings of self-play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DataSettings {
    /// Games in the file when it is done.
    pub games: u64,
    /// Nodes for each move.
    pub nodes: u64,
    /// Random plies before the engine takes over; every other game one more.
    pub plies: u32,
    /// Random seed.
    pub seed: u64,
    /// Games at a time.
    pub threads: usize,
}

/// Plies after which a game counts as drawn: so many that hardly a won one is among those. In Diamond Ring Chess half of the games take
/// more than 300.
const MAX_PLIES: usize = 1_000;
/// Plies in which a forced win must have been announced before the game counts as won. A mere lead is played out: the fit
/// learns from these positions how to mate.
const ADJUDICATION_PLIES: u32 = 6;
/// Openings that are worse than this for one side are not played out.
const UNBALANCED: i32 = 350;
/// Memory of the engine, in MiB: little, since it is cleared for each game.
const HASH_MIB: usize = 1;

/// How the first line of a file of this game begins.
#[must_use]
pub fn heading_begins(variant: &Variant) -> String {
    format!("{HEADING}game={} rules={:016x} ", variant.id(), fingerprint(variant))
}

/// Plays until the file has the number of games in the settings; `progress` receives the current number. Stops after
/// the games that are being played when `stop` is set.
///
/// # Errors
/// When the file cannot be written or was made with other settings.
pub fn generate(
    variant: &Arc<Variant>,
    settings: &DataSettings,
    path: &Path,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(u64),
) -> Result<(), TuningError> {
    let DataSettings { games, threads, .. } = *settings;
    let mut writer = open(variant, settings, path)?;
    let next = AtomicU64::new(writer.games());
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let mut engine = engine();
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= games || sender.send(play(variant, settings, number, &mut engine)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        // Games end in any order; they are written in theirs.
        let mut waiting = BTreeMap::new();
        for game in receiver {
            waiting.insert(game.number, game);
            while let Some(game) = waiting.remove(&writer.games()) {
                writer.append(&game)?;
                progress(writer.games());
            }
        }
        Ok(())
    })
}

/// The engine that plays.
#[must_use]
pub fn engine() -> Engine {
    Engine::new(HASH_MIB)
}

/// Opens the file of these settings, or begins it.
pub(super) fn open(
    variant: &Variant,
    settings: &DataSettings,
    path: &Path,
) -> Result<RecordWriter, TuningError> {
    let DataSettings { nodes, plies, seed, .. } = settings;
    RecordWriter::open(path, &format!("{}nodes={nodes} plies={plies} seed={seed}", heading_begins(variant)))
}

/// Plays one game.
pub(super) fn play(
    variant: &Arc<Variant>,
    settings: &DataSettings,
    number: u64,
    engine: &mut Engine,
) -> PlayedGame {
    let void = PlayedGame::void(number);
    // Games of one seed, and of neighboring seeds, get different random numbers.
    let mut rng = Rng::new(settings.seed.wrapping_mul(0xD134_2543_DE82_EF95) ^ number);
    let plies = settings.plies + (number & 1) as u32;
    let Some(mut game) = random_opening(&starts(variant), plies, &mut rng) else { return void };
    engine.clear();
    let limits = Limits { nodes: Some(settings.nodes), ..Limits::default() };
    let (start, mut plies) = (game.position().fen(), Vec::new());
    let mut decisive_plies = 0;
    let result = loop {
        if let Some(outcome) = game.outcome() {
            break half_points(outcome);
        }
        if game.claimable_draw().is_some() || game.moves().len() >= MAX_PLIES {
            break 1;
        }
        // The last score that is exact: a search that ends within an iteration may end with a bound.
        let mut score = None;
        let report = engine.search(&game, &limits, &Signals::default(), &mut |info| {
            if info.bound == Bound::Exact {
                score = Some(info.score);
            }
        });
        let Some(best) = report.best else { break 1 };
        let score = score.unwrap_or(report.score);
        let Some(ply) = Ply::new(game.position(), best, score) else { return void };
        let is_balanced = matches!(score, Score::Centipawns(score) if score.abs() <= UNBALANCED);
        if plies.is_empty() && !is_balanced {
            return void;
        }
        plies.push(ply);
        let white = ply.score();
        let is_announced = matches!(white, Score::Wins(_) | Score::Loses(_));
        decisive_plies = if is_announced { decisive_plies + 1 } else { 0 };
        if decisive_plies >= ADJUDICATION_PLIES {
            break if matches!(white, Score::Wins(_)) { 2 } else { 0 };
        }
        if game.play(best).is_err() {
            return void;
        }
    };
    PlayedGame { number, result: Some(result), start, plies }
}

fn half_points(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Win { winner: Color::White, .. } => 2,
        Outcome::Win { .. } => 0,
        Outcome::Draw(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Games;
    use super::*;
    use lozenge_rules::library;

    const FEW: DataSettings = DataSettings { games: 4, nodes: 60, plies: 6, seed: 7, threads: 1 };

    #[test]
    fn data_do_not_depend_on_interruptions_or_threads() {
        let diamond = library::game("diamond").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let run = |settings: DataSettings, name: &str| {
            generate(&diamond, &settings, &path(name), &AtomicBool::new(false), &mut |_| {}).unwrap();
            std::fs::read(path(name)).unwrap()
        };
        let whole = run(FEW, "whole");
        assert_eq!(whole, run(DataSettings { threads: 2, ..FEW }, "threads"));
        let cut = whole.len() * 2 / 3;
        std::fs::write(path("cut"), &whole[..cut]).unwrap();
        assert_eq!(whole, run(FEW, "cut"));
        let games = Games::open(&path("whole")).unwrap();
        games.expect(&heading_begins(&diamond)).unwrap();
        let samples: Vec<_> = games.flat_map(|game| game.unwrap().samples(&diamond).unwrap()).collect();
        assert!(samples.len() > 40 && samples.iter().filter(|sample| sample.is_quiet()).count() > 20);
    }

    #[test]
    fn file_of_other_settings_is_not_overwritten() {
        let diamond = library::game("diamond").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data");
        generate(&diamond, &DataSettings { games: 1, ..FEW }, &path, &AtomicBool::new(false), &mut |_| {})
            .unwrap();
        let before = std::fs::read(&path).unwrap();
        let other = DataSettings { seed: 8, ..FEW };
        let error = generate(&diamond, &other, &path, &AtomicBool::new(false), &mut |_| {}).unwrap_err();
        assert!(matches!(error, TuningError::OtherData { .. }));
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}
