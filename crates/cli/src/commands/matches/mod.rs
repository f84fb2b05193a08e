//! `lozenge match`: engines against each other. Here: from arguments to a match, its files, its progress.
//! What a match is and how it is played is `lozenge-lab`'s.

mod args;
mod engine;
mod report;

pub(crate) use args::MatchArgs;

use crate::{CliError, games, output};
use indicatif::{ProgressBar, ProgressStyle};
use lozenge_lab::matches::{
    self, Adjudication, Course, GameRecord, MatchError, OpeningSource, PgnHeader, Progress, Settings,
};
use lozenge_lab::openings::Plan;
use lozenge_lab::players::Limit;
use lozenge_lab::stats::{Sprt, SprtError};
use lozenge_rules::notation::pgn::{self, MoveNumber};
use lozenge_rules::variant::{Variant, library};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why there is no match, or why it does not count as well done.
#[derive(Debug, thiserror::Error)]
pub enum MatchFailure {
    /// An engine is not written as one.
    #[error("engine `{engine}`: {what}")]
    Engine {
        /// As it was written.
        engine: String,
        /// What is wrong.
        what: String,
    },
    /// Nothing says how long an engine may think.
    #[error("expected a limit: --nodes, --movetime, --tc or --depth")]
    NoLimit,
    /// The bounds of the test are wrong.
    #[error("--sprt: {0}")]
    Sprt(#[from] SprtError),
    /// It cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A file cannot be written.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: String,
        /// Why not.
        error: io::Error,
    },
    /// An engine failed, where none may.
    #[error("{0} games ended by a fault of an engine")]
    Faults(u64),
    /// Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Plays the match and prints what it came to.
pub(crate) fn run(args: &MatchArgs) -> Result<(), CliError> {
    let settings = settings(args)?;
    // Without a handler Ctrl-C ends the program at once, which loses no more than the games that run.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    let mut pgn = args.pgn.as_deref().map(open).transpose()?;
    let header = header(&settings);
    let games = u64::from(settings.pairs) * 2 * settings.variants.len() as u64;
    let bar = progress_bar(games);
    let mut report = |progress: Progress<'_>| {
        let Progress::Finished { record, table } = progress;
        if let Some(file) = &mut pgn {
            file.write_all(game_text(&settings, &header, record).as_bytes())?;
        }
        bar.set_position(table.total.score.games());
        bar.set_message(report::short(&settings, table));
        Ok(())
    };
    let interrupted = || INTERRUPTED.load(Ordering::Relaxed);
    let (table, course) =
        matches::run(&settings, &[], &mut report, &interrupted).map_err(MatchFailure::from)?;
    bar.finish_and_clear();
    output::line(report::report(&settings, &table))?;
    if course == Course::Interrupted {
        return Err(MatchFailure::Interrupted.into());
    }
    let faults: u64 = table.total.faults.iter().map(|faults| faults.total()).sum();
    if args.strict && faults > 0 {
        return Err(MatchFailure::Faults(faults).into());
    }
    Ok(())
}

fn settings(args: &MatchArgs) -> Result<Settings, CliError> {
    let limit = Limit { nodes: args.nodes, depth: args.depth, movetime: args.movetime, clock: args.tc };
    let mut engines =
        [engine::read(&args.first, &limit, args.seed)?, engine::read(&args.second, &limit, args.seed)?];
    if engines[0].name == engines[1].name {
        for (number, engine) in (1..).zip(&mut engines) {
            engine.name = format!("{} {number}", engine.name);
        }
    }
    let variants: Vec<Arc<Variant>> = if args.game.is_empty() {
        library::ids().take(library::OWN_GAMES).filter_map(library::game).collect()
    } else {
        args.game.iter().map(|game| games::resolve(game)).collect::<Result<_, _>>()?
    };
    let sprt = match args.sprt.as_deref() {
        Some(&[elo0, elo1]) => {
            let sprt = Sprt::new(elo0, elo1, args.alpha, args.beta, args.sprt_model);
            Some(sprt.map_err(MatchFailure::from)?)
        }
        _ => None,
    };
    Ok(Settings {
        engines,
        variants,
        pairs: args.games / 2,
        openings: OpeningSource::Random(Plan { seed: args.seed, plies: args.plies, ..Plan::default() }),
        adjudication: Adjudication { win: args.win, draw: args.draw, max_plies: args.max_plies },
        margin: args.margin,
        patience: Duration::from_secs(u64::from(args.patience)),
        concurrency: usize::from(args.concurrency),
        sprt,
    })
}

fn header(settings: &Settings) -> PgnHeader {
    let [first, second] = &settings.engines;
    PgnHeader { event: format!("{} against {}", first.name, second.name), site: "?".into() }
}

fn open(path: &Path) -> Result<File, MatchFailure> {
    File::options()
        .append(true)
        .create(true)
        .open(path)
        .map_err(|error| MatchFailure::File { path: path.display().to_string(), error })
}

/// A game as PGN.
fn game_text(settings: &Settings, header: &PgnHeader, record: &GameRecord) -> String {
    let mut text = String::new();
    if let Some(tree) = matches::tree(settings, header, record) {
        // What was made here can be written.
        let _ = pgn::write_game(&mut text, &tree, MoveNumber::of_tags(&tree.tags));
    }
    text
}

fn progress_bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed} (left {eta})\n{msg}") {
        bar.set_style(style);
    }
    bar
}
