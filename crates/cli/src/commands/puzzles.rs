//! `lozenge lab puzzles`, `endings` and `check-puzzles`: puzzles from games in PGN and from books, puzzles from endgame tables, and
//! whether they hold.

use super::pgn;
use super::tables::{TablesArgs, TablesError};
use crate::numbers::whole;
use crate::output::Progress;
use crate::{CliError, games, output};
use clap::Args;
use lozenge_engine::Engine;
use lozenge_lab::puzzles::{Duplicates, Effort, Puzzle, ending, find, themes_of, verify};
use lozenge_lab::rng::Rng;
use lozenge_protocol::games::named;
use lozenge_rules::position::Game;
use lozenge_tablebase::Material;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

/// `lab puzzles`.
#[derive(Args, Debug)]
pub(crate) struct PuzzlesArgs {
    /// Games in PGN, or books made by `lozenge lab book`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Where the puzzles go, as JSON
    #[arg(short, long)]
    output: PathBuf,
    /// Other moves to try as mistakes in each position of a game
    #[arg(long, default_value_t = 0, value_parser = whole::<u8>(0..=255))]
    mistakes: u8,
    /// Only puzzles without a forced win, also those in which one move answers a good move of the game
    #[arg(long)]
    quiet: bool,
    /// Nodes for each position of a game
    #[arg(long, default_value_t = 50_000, value_parser = whole::<u64>(1..=u64::MAX))]
    screen: u64,
    /// Nodes for each move of a solution
    #[arg(long, default_value_t = 2_000_000, value_parser = whole::<u64>(1..=u64::MAX))]
    confirm: u64,
    /// Nodes for each move of a solution when it is checked again
    #[arg(long, default_value_t = 10_000_000, value_parser = whole::<u64>(1..=u64::MAX))]
    verify: u64,
    /// Memory of each engine, in MiB
    #[arg(long, default_value_t = 64, value_parser = whole::<u16>(1..=4096))]
    hash: u16,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
}

/// `lab endings`.
#[derive(Args, Debug)]
pub(crate) struct EndingsArgs {
    #[command(flatten)]
    tables: TablesArgs,
    /// A class of endings, such as `KPvK`; may be repeated
    #[arg(long = "class", value_name = "CLASS", required = true)]
    classes: Vec<String>,
    /// Puzzles of each class
    #[arg(long, default_value_t = 10, value_parser = whole::<u32>(1..=u32::MAX))]
    count: u32,
    /// Random positions of each class that are looked at
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<u32>(1..=u32::MAX))]
    tries: u32,
    /// Nodes for each move of a solution, with which the search has to find it, too
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<u64>(1..=u64::MAX))]
    verify: u64,
    /// Random seed of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the puzzles go, as JSON
    #[arg(short, long)]
    output: PathBuf,
}

/// `lab check-puzzles`.
#[derive(Args, Debug)]
#[command(after_help = "Status 1 if a puzzle does not hold.")]
pub(crate) struct CheckPuzzlesArgs {
    /// Files made by `lozenge lab puzzles`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Check only this number of puzzles of each file, spread over it
    #[arg(long, value_parser = whole::<u32>(1..=u32::MAX))]
    sample: Option<u32>,
    /// Nodes for each move of a solution
    #[arg(long, default_value_t = 10_000_000, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Memory of the engine, in MiB
    #[arg(long, default_value_t = 32, value_parser = whole::<u16>(1..=4096))]
    hash: u16,
    /// Do not check, but write the themes into the files as they are assigned now
    #[arg(long, conflicts_with = "sample")]
    themes: bool,
}

/// Makes puzzles.
pub(crate) fn make(args: &PuzzlesArgs) -> Result<(), CliError> {
    let mut sources = Vec::new();
    for file in &args.files {
        read(file, &mut sources)?;
    }
    let effort = Effort {
        mistakes: usize::from(args.mistakes),
        quiet: args.quiet,
        screen: args.screen,
        confirm: args.confirm,
        verify: args.verify,
    };
    let mut progress = Progress::new(sources.len() as u64);
    let (next, mut done, mut count) = (AtomicUsize::new(0), BTreeMap::new(), 0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..args.threads {
            let (sender, next, sources) = (sender.clone(), &next, &sources);
            scope.spawn(move || {
                let mut engine = Engine::new(usize::from(args.hash));
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((name, game)) = sources.get(number) else { return };
                    if sender.send((number, find(&mut engine, game, name, effort))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (number, found) in receiver {
            count += found.len();
            done.insert(number, found);
            progress.show(done.len() as u64, || format!("{count} puzzles"));
        }
    });
    progress.end();
    let mut known = Duplicates::default();
    let puzzles: Vec<Puzzle> = done.into_values().flatten().filter(|puzzle| known.admit(puzzle)).collect();
    write(&args.output, &puzzles)?;
    if output::is_standard(&args.output) {
        return Ok(());
    }
    output::line(format_args!("{} puzzles from {} games", puzzles.len(), sources.len()))
}

/// Makes puzzles from endgame tables.
pub(crate) fn endings(args: &EndingsArgs) -> Result<(), CliError> {
    let tables = args.tables.open()?;
    let (mut engine, mut rng) = (Engine::new(64), Rng::new(args.seed));
    let (mut known, mut puzzles) = (Duplicates::default(), Vec::new());
    let mut progress = Progress::new(args.classes.len() as u64 * u64::from(args.count));
    for class in &args.classes {
        let material =
            Material::parse(tables.variant(), class).ok_or_else(|| TablesError::Class(class.clone()))?;
        if !tables.has(&material) {
            return Err(TablesError::NotCovered(class.clone()).into());
        }
        let mut found = 0;
        for _ in 0..args.tries {
            let puzzle = ending(&mut engine, &tables, &material, &mut rng, args.verify);
            let Some(puzzle) = puzzle.map_err(TablesError::from)? else { continue };
            if known.admit(&puzzle) {
                puzzles.push(puzzle);
                found += 1;
                progress.show(puzzles.len() as u64, || class.clone());
            }
            if found == args.count {
                break;
            }
        }
    }
    progress.end();
    write(&args.output, &puzzles)
}

/// Writes puzzles, a line each, so that two files can be compared.
fn write(file: &Path, puzzles: &[Puzzle]) -> Result<(), CliError> {
    let lines: Vec<String> = puzzles.iter().filter_map(|puzzle| serde_json::to_string(puzzle).ok()).collect();
    output::file(file, format!("[\n{}\n]\n", lines.join(",\n")).as_bytes())
}

/// The puzzles of a file.
fn puzzles_of(file: &Path) -> Result<Vec<Puzzle>, CliError> {
    let what = || file.display().to_string();
    let text = std::fs::read(file).map_err(|error| CliError::Read { what: what(), error })?;
    serde_json::from_slice(&text).map_err(|error| CliError::Read { what: what(), error: error.into() })
}

/// Assigns the themes of puzzles again.
fn renew_themes(args: &CheckPuzzlesArgs) -> Result<(), CliError> {
    let mut engine = Engine::new(usize::from(args.hash));
    for file in &args.files {
        let what = file.display();
        let mut puzzles = puzzles_of(file)?;
        let mut changed = 0;
        for (number, puzzle) in (1..).zip(&mut puzzles) {
            let variant = games::resolve(&puzzle.variant)?;
            match themes_of(&mut engine, &variant, puzzle) {
                Ok(themes) => {
                    changed += usize::from(puzzle.themes != themes);
                    puzzle.themes = themes;
                }
                Err(fault) => pgn::print_error(format_args!("error: {what}: puzzle {number}: {fault}")),
            }
        }
        if changed > 0 {
            write(file, &puzzles)?;
        }
        output::line(format_args!("{what}: {changed} of {} puzzles have other themes", puzzles.len()))?;
    }
    Ok(())
}

/// Checks puzzles.
pub(crate) fn check(args: &CheckPuzzlesArgs) -> Result<(), CliError> {
    if args.themes {
        return renew_themes(args);
    }
    let mut chosen = Vec::new();
    let mut known = Duplicates::default();
    let mut bad = 0;
    for file in &args.files {
        let what = file.display().to_string();
        let mut new = Vec::new();
        for (number, puzzle) in (1usize..).zip(puzzles_of(file)?) {
            if known.admit(&puzzle) {
                new.push((what.clone(), number, puzzle));
            } else {
                bad += 1;
                pgn::print_error(format_args!(
                    "error: {what}: puzzle {number}: expected another puzzle, found most of an earlier one"
                ));
            }
        }
        let step = args.sample.map_or(1, |most| new.len().div_ceil(most as usize).max(1));
        chosen.extend(new.into_iter().step_by(step));
    }
    let puzzles = chosen.len() as u64 + bad;
    let mut engine = Engine::new(usize::from(args.hash));
    let mut progress = Progress::new(chosen.len() as u64);
    for (done, (what, number, puzzle)) in (1..).zip(&chosen) {
        let variant = games::resolve(&puzzle.variant)?;
        if let Err(fault) = verify(&mut engine, &variant, puzzle, args.nodes) {
            bad += 1;
            pgn::print_error(format_args!("error: {what}: puzzle {number}: {fault}"));
        }
        progress.show(done, || format!("{bad} faults"));
    }
    progress.end();
    output::line(format_args!("{puzzles} puzzles, {bad} faults"))?;
    if bad == 0 { Ok(()) } else { Err(CliError::BadPuzzles { bad, puzzles }) }
}

/// The games of a file, with their names. Games that cannot be read are reported and left out.
fn read(file: &Path, sources: &mut Vec<(String, Game)>) -> Result<(), CliError> {
    let what = file.display().to_string();
    let name = file.file_name().map_or_else(|| what.clone(), |name| name.to_string_lossy().into_owned());
    let find = |text: &str| named(text, &[]);
    let games = pgn::open(file).and_then(|input| pgn::records(input, &find));
    let games = games.map_err(|error| CliError::Read { what: what.clone(), error })?;
    let mut listing = pgn::Listing::default();
    for (number, game) in (1..).zip(games) {
        match game {
            Ok(record) => {
                let site =
                    record.tree.tags.get("Site").filter(|site| !site.contains('?') && !site.is_empty());
                let source = site.map_or_else(|| format!("{name} game {number}"), str::to_owned);
                sources.push((source, record.game));
            }
            Err(faults) => {
                listing.list(&what, &faults);
            }
        }
    }
    listing.finish();
    Ok(())
}
