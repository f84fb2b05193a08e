//! `lozenge match`: engines against each other. Here: from arguments to a match, its files, its progress.
//! `lozenge-lab` defines and plays matches.

mod args;
mod engine;
mod files;
mod multi;
mod report;

pub(crate) use args::MatchArgs;

use crate::error::{CliError, CommandError};
use crate::interrupt::{end_by_interrupt, is_interrupted};
use crate::{games, output};
#[cfg(feature = "nats")]
use lozenge_game::convert::digest_of;
#[cfg(feature = "nats")]
use lozenge_lab::matches::Fleet;
use lozenge_lab::matches::{
    self, Adjudication, GameRecord, Journal, MatchEnd, MatchError, MatchProgress, MatchSettings,
    OpeningSource, Table,
};
use lozenge_lab::openings::Plan;
use lozenge_lab::players::Limit;
use lozenge_lab::stats::{Sprt, SprtError};
#[cfg(feature = "nats")]
use lozenge_protocol::client::Program;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::variant::{NotForTwo, Variant};
use lozenge_tablebase::{FileError, Tables};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Why a match was not played or has failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MatchFailure {
    /// An engine's description is invalid.
    #[error("engine `{engine}`: {what}")]
    Engine {
        /// The description.
        engine: String,
        /// The reason.
        what: String,
    },
    /// No limit is set.
    #[error("expected a limit: --nodes, --movetime, --tc or --depth")]
    NoLimit,
    /// An option has no meaning yet in games of three and four.
    #[error("{0}: {1}")]
    OnlyForTwo(&'static str, NotForTwo),
    /// A game of more than two players takes two engines, or one for each seat.
    #[error("expected two engines or {seats} in a game of {seats} players, found {found}")]
    EnginesOfFour {
        /// How many seats the game has.
        seats: u32,
        /// How many engines there are.
        found: usize,
    },
    /// A game of two players takes two engines.
    #[error("expected two engines in games of two players, found {0}")]
    EnginesOfTwo(usize),
    /// In games of two players, each opening is played twice.
    #[error("--games: expected an even number, two games from every opening, found {0}")]
    OddGames(u32),
    /// Games of three and four are played one at a time.
    #[error("expected one game in a match of more than two players, found {0}")]
    GamesOfFour(usize),
    /// A game is to be played twice.
    #[error("expected each game once, found {0} twice")]
    Twice(String),
    /// The bounds of the test are wrong.
    #[error("--sprt: {0}")]
    Sprt(#[from] SprtError),
    /// It cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// A file cannot be read or written, or is not what it should be.
    #[error("{path}: {what}")]
    File {
        /// Which.
        path: String,
        /// The reason.
        what: String,
    },
    /// A file of endgame tables is damaged.
    #[error(transparent)]
    Tables(#[from] FileError),
    /// An engine failed, where none may.
    #[error("{0} games ended by a fault of an engine")]
    Faults(u64),
    /// An engine is not one that every machine has.
    #[error("--nats: {0}")]
    NotPortable(#[from] lozenge_lab::matches::NotPortable),
    /// Workers have no endgame tables.
    #[cfg(feature = "nats")]
    #[error("--tables: expected a match on this machine, found --nats")]
    TablesOfWorkers,
    /// The workers cannot be used.
    #[cfg(feature = "nats")]
    #[error(transparent)]
    Fleet(#[from] crate::commands::fleet::FleetFailure),
    /// Ctrl-C.
    #[error("interrupted{0}")]
    Interrupted(String),
}

impl CommandError for MatchFailure {
    fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Engine { .. }
                | Self::NoLimit
                | Self::OnlyForTwo(..)
                | Self::EnginesOfFour { .. }
                | Self::EnginesOfTwo(_)
                | Self::OddGames(_)
                | Self::GamesOfFour(_)
                | Self::Twice(_)
                | Self::Sprt(_)
                | Self::NotPortable(_)
        )
    }
}

/// Plays the match and prints its results.
pub(crate) fn run(args: &MatchArgs) -> Result<(), CliError> {
    refuse_standard(args)?;
    end_by_interrupt();
    for game in &args.game {
        if let AnyGame::Four(variant) = games::resolve_any(game)? {
            if args.game.len() > 1 {
                return Err(MatchFailure::GamesOfFour(args.game.len()).into());
            }
            return multi::run(args, variant);
        }
    }
    if !args.others.is_empty() {
        return Err(MatchFailure::EnginesOfTwo(2 + args.others.len()).into());
    }
    let mut settings = settings(args)?;
    if settings.is_self_play() {
        // A closed standard error is no reason not to play.
        let _ = writeln!(
            io::stderr(),
            "note: a deterministic engine plays itself, so each game has an opening of its own"
        );
    }
    if let Some(path) = &args.write_openings {
        files::write_openings(path, &mut settings)?;
    }
    let (mut journal, known) = match &args.record {
        None => (None, Vec::new()),
        Some(path) => {
            let (journal, known) = Journal::open(path, &settings).map_err(|error| MatchFailure::File {
                path: path.display().to_string(),
                what: error.to_string(),
            })?;
            (Some(journal), known)
        }
    };
    let mut pgn = files::Pgn::open(args, &settings, &known)?;
    let games = u64::from(settings.pairs) * 2 * settings.variants.len() as u64;
    let mut bar = crate::output::Progress::new(games);
    let (table, end) = play(args, &settings, &known, journal.as_mut(), pgn.as_mut(), &mut bar)?;
    bar.end();
    let report = report::report(&settings, &table);
    if [&args.json, &args.pgn, &args.write_openings]
        .into_iter()
        .flatten()
        .any(|path| output::is_standard(path))
    {
        let _ = writeln!(io::stderr(), "{report}");
    } else {
        output::line(report)?;
    }
    if let Some(path) = &args.json {
        let text = format!("{:#}\n", matches::summary(&settings, &table, end));
        output::file(path, text.as_bytes())?;
    }
    if end == MatchEnd::Interrupted {
        let kept = args
            .record
            .as_ref()
            .map_or_else(String::new, |path| format!("; the same command goes on from {}", path.display()));
        return Err(MatchFailure::Interrupted(kept).into());
    }
    let faults: u64 = table.total.faults.iter().map(|faults| faults.total()).sum();
    if args.strict && faults > 0 {
        return Err(MatchFailure::Faults(faults).into());
    }
    Ok(())
}

/// Plays the match here, or on the workers of NATS.
fn play(
    args: &MatchArgs,
    settings: &MatchSettings,
    known: &[GameRecord],
    mut journal: Option<&mut Journal>,
    mut pgn: Option<&mut files::Pgn>,
    bar: &mut crate::output::Progress,
) -> Result<(Table, MatchEnd), MatchFailure> {
    #[cfg(feature = "nats")]
    if let Some(nats) = args.nats.as_deref().filter(|nats| !nats.is_empty()) {
        if args.tables.is_some() {
            return Err(MatchFailure::TablesOfWorkers);
        }
        return play_on_workers(nats, settings, known, journal, pgn, bar);
    }
    #[cfg(not(feature = "nats"))]
    let _ = args;
    let mut report = |progress: MatchProgress<'_>| {
        let MatchProgress::Finished { record, table } = progress;
        if let Some(journal) = &mut journal {
            journal.add(record)?;
        }
        if let Some(pgn) = &mut pgn {
            pgn.add(settings, record)?;
        }
        bar.show(table.total.score.games(), || report::short(settings, table));
        Ok(())
    };
    Ok(matches::run(settings, known, &mut report, &is_interrupted)?)
}

/// Plays the match on the workers of NATS.
#[cfg(feature = "nats")]
fn play_on_workers(
    nats: &str,
    settings: &MatchSettings,
    known: &[GameRecord],
    journal: Option<&mut Journal>,
    pgn: Option<&mut files::Pgn>,
    bar: &mut crate::output::Progress,
) -> Result<(Table, MatchEnd), MatchFailure> {
    let path = std::env::current_exe().map_err(MatchError::Report)?;
    let program = Program { path, arguments: vec!["engine".into()] };
    let digests = settings.variants.iter().map(|variant| digest_of(variant.texts())).collect();
    let mut fleet = Fleet::new(settings, digests, known, program, journal)?;
    let mut show = |fleet: &Fleet<'_>, workers: &str| {
        bar.show(fleet.games_in(), || format!("{}  {workers}", report::short(settings, fleet.table())));
    };
    let is_over = super::fleet::run::<_, MatchFailure>(
        nats,
        &settings.variants,
        &mut fleet,
        end_by_interrupt(),
        &mut show,
    )?;
    if !is_over {
        return Ok((fleet.table().clone(), MatchEnd::Interrupted));
    }
    if let Some(pgn) = pgn {
        let played = fleet.games().skip(known.len());
        played.into_iter().try_for_each(|record| pgn.add(settings, record)).map_err(MatchError::Report)?;
    }
    let end = fleet.verdict().map_or(MatchEnd::Complete, MatchEnd::Decided);
    Ok((fleet.table().clone(), end))
}

fn settings(args: &MatchArgs) -> Result<MatchSettings, CliError> {
    if !args.games.is_multiple_of(2) {
        return Err(MatchFailure::OddGames(args.games).into());
    }
    let limit = Limit { nodes: args.nodes, depth: args.depth, movetime: args.movetime, clock: args.tc };
    let files: Vec<String> = args.game.iter().filter(|game| library::game(game).is_none()).cloned().collect();
    let timeout = Duration::from_secs(u64::from(args.patience));
    let engine = |text: &str| engine::read(text, &limit, args.seed, &files, timeout);
    let mut engines = [engine(&args.first)?, engine(&args.second)?];
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
    for (number, variant) in variants.iter().enumerate() {
        if variants[..number].iter().any(|other| other.id() == variant.id()) {
            return Err(MatchFailure::Twice(variant.id().to_owned()).into());
        }
    }
    let mut tables = Vec::new();
    if let Some(folder) = &args.tables {
        for variant in &variants {
            tables.push(Arc::new(Tables::open(variant, folder).map_err(MatchFailure::from)?));
        }
    }
    let sprt = match args.sprt.as_deref() {
        Some(&[elo0, elo1]) => {
            let sprt = Sprt::new(elo0, elo1, args.alpha, args.beta, args.sprt_model);
            Some(sprt.map_err(MatchFailure::from)?)
        }
        _ => None,
    };
    let plan = Plan { seed: args.seed, plies: args.plies, ..Plan::default() };
    let openings = match &args.openings {
        None => OpeningSource::Random(plan),
        Some(path) => files::read_openings(path, &variants, args.plies)?,
    };
    Ok(MatchSettings {
        engines,
        variants,
        pairs: args.games / 2,
        openings,
        adjudication: Adjudication { win: args.win, draw: args.draw, max_plies: args.max_plies },
        tables,
        margin: args.margin,
        move_timeout: timeout,
        concurrency: usize::from(args.concurrency),
        sprt,
    })
}

/// Standard input and output cannot be read twice, or read and written.
fn refuse_standard(args: &MatchArgs) -> Result<(), CliError> {
    let games = args.game.iter().map(|game| ("--game", Path::new(game)));
    let record = args.record.iter().map(|path| ("--record", path.as_path()));
    let mut paths = games.chain(record);
    match paths.find(|(_, path)| output::is_standard(path)) {
        Some((option, _)) => Err(CliError::Standard(option)),
        None => Ok(()),
    }
}
