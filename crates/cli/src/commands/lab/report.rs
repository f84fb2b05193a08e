//! `lozenge lab report`: the balance report of a game of two or of four. Here: arguments, threads, the files. The measurements and the
//! page are in `lozenge-lab`.

#[cfg(feature = "nats")]
use crate::commands::fleet;
use crate::error::{CliError, CommandError};
use crate::numbers::whole;
use crate::output::Progress;
use crate::{games, output};
use clap::Args;
use lozenge_engine::skill::FULL_LEVEL;
use lozenge_explain::Language;
#[cfg(feature = "nats")]
use lozenge_game::convert::digest_of;
use lozenge_lab::matches::MatchError;
use lozenge_lab::multi::{self, MultiPlan};
#[cfg(feature = "nats")]
use lozenge_lab::report::ReportFleet;
use lozenge_lab::report::{self, GameReport, Journal, KnownGames, Plan, ReportError, Work};
use lozenge_picture::Drawings;
use lozenge_rules::library::AnyGame;
use lozenge_rules::variant::{MultiVariant, NotForTwo, Variant};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The weaker level where none is given.
const LEVEL: u8 = 5;
/// Random plies before a game of four: two for each player.
const PLIES_OF_FOUR: u32 = 8;

/// `lab report`.
#[derive(Args, Debug)]
#[command(
    after_help = "With --output the games are kept beside it while they are played, so that --resume goes on after an interruption."
)]
pub(crate) struct ReportArgs {
    /// Id of a game, or path of a variant file (`-`: standard input)
    variant: String,
    /// Different games at full strength; as many are played at the weaker level, and half as many each with two and four times the nodes
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole::<u32>(1..=1_000_000))]
    games: u32,
    /// Nodes for each move at full strength
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = whole::<u64>(1..=1_000_000_000_000))]
    nodes: u64,
    /// The weaker level, 0 the weakest [default: 5]
    #[arg(long, value_name = "LEVEL", value_parser = whole::<u8>(0..=FULL_LEVEL - 1))]
    level: Option<u8>,
    /// Random seed: another number, other games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Games at once; by default one for each processor
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=512))]
    threads: Option<u16>,
    /// Play on the workers of this NATS (`lozenge worker`)
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "URL", env = "LOZENGE_NATS", hide_env_values = true)]
    nats: Option<String>,
    /// Write the report to this file: .html (a page) or .json; may be repeated
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// Language of the page and of what is printed; JSON is in English
    #[arg(long, value_name = "LANGUAGE", value_parser = output::language, default_value = "en")]
    language: Language,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Go on with the games of an interrupted report
    #[arg(long, requires = "output")]
    resume: bool,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReportFailure {
    /// The ending of the output names no format.
    #[error("--output: expected a file that ends in `.html` or `.json`, found `{0}`")]
    Output(String),
    /// A game of three or four has no page.
    #[error("--output: expected a file that ends in `.json` for a game of {1} players, found `{0}`")]
    PageOfFour(String, u8),
    /// An option has no meaning in games of three and four.
    #[error("{0}: {1}")]
    OnlyForTwo(&'static str, NotForTwo),
    /// The laboratory failed.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// It failed in a game of four.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The workers cannot be used.
    #[cfg(feature = "nats")]
    #[error(transparent)]
    Fleet(#[from] crate::commands::fleet::FleetFailure),
    /// The work was interrupted; how it goes on.
    #[error("interrupted after {games} games{hint}")]
    Interrupted {
        /// Games played.
        games: u64,
        /// How to go on.
        hint: &'static str,
    },
}

impl CommandError for ReportFailure {
    fn is_usage(&self) -> bool {
        matches!(self, Self::Output(_) | Self::PageOfFour(..) | Self::OnlyForTwo(..))
    }
}

/// Plays the games and writes the report.
pub(crate) fn run(args: &ReportArgs) -> Result<(), CliError> {
    let pages: Vec<bool> = args.output.iter().map(|path| is_page(path)).collect::<Result<_, _>>()?;
    let output = args.output.iter().find(|path| !output::is_standard(path));
    let variant = match games::resolve_any(&args.variant)? {
        AnyGame::Two(variant) => variant,
        AnyGame::Four(variant) => return run_multi(args, &variant),
    };
    args.output.iter().try_for_each(|path| output::check_file(path))?;
    let plan =
        Plan { games: args.games, nodes: args.nodes, level: args.level.unwrap_or(LEVEL), seed: args.seed };
    let path = output.map(|path| partial(path));
    let opened = path
        .as_ref()
        .map(|path| Journal::open(path, &variant, &plan, args.resume))
        .transpose()
        .map_err(ReportFailure::from)?;
    let (journal, known) = opened.map_or_else(Default::default, |(file, known)| (Some(file), known));
    let mut bar = Progress::new(plan.total());
    let found = play(args, &variant, &plan, journal, known, &mut bar);
    bar.end();
    let found = found?;
    // Numbers, texts and lists can always be written.
    let json = || serde_json::to_string_pretty(&found).unwrap_or_default() + "\n";
    for (path, page) in args.output.iter().zip(pages) {
        let html = || report::html(&variant, &found, &Drawings::default(), args.language);
        output::file(path, if page { html() } else { json() }.as_bytes())?;
    }
    if let Some(path) = path
        && let Err(error) = std::fs::remove_file(&path)
    {
        let _ = writeln!(io::stderr(), "warning: {}: {error}", path.display());
    }
    if args.json {
        output::line(json().trim_end())
    } else if args.output.iter().any(|path| output::is_standard(path)) {
        Ok(())
    } else {
        output::line(report::summary(&found, args.language))
    }
}

/// Plays a game of four against itself, and writes the report.
fn run_multi(args: &ReportArgs, variant: &Arc<MultiVariant>) -> Result<(), CliError> {
    #[cfg(feature = "nats")]
    let is_remote = args.nats.as_deref().is_some_and(|nats| !nats.is_empty());
    #[cfg(not(feature = "nats"))]
    let is_remote = false;
    let players = variant.seats().len() as u8;
    let given = [("--level", args.level.is_some()), ("--resume", args.resume), ("--nats", is_remote)];
    if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
        return Err(ReportFailure::OnlyForTwo(option, NotForTwo(players)).into());
    }
    for path in args.output.iter().filter(|path| !output::is_standard(path)) {
        if is_page(path)? {
            return Err(ReportFailure::PageOfFour(path.display().to_string(), players).into());
        }
        output::check_file(path)?;
    }
    let plan = MultiPlan { games: args.games, nodes: args.nodes, plies: PLIES_OF_FOUR, seed: args.seed };
    let stop = crate::interrupt::end_by_interrupt();
    let interrupted = || stop.load(Ordering::Relaxed);
    let mut bar = Progress::new(u64::from(plan.games));
    let mut progress = |games: u32| bar.show(u64::from(games), String::new);
    let found = multi::report(variant, plan, threads(args), &mut progress, &interrupted);
    bar.end();
    let found = found.map_err(ReportFailure::from)?;
    if interrupted() {
        let games = u64::from(found.plan.games);
        return Err(ReportFailure::Interrupted { games, hint: "" }.into());
    }
    let json = serde_json::to_string_pretty(&found).unwrap_or_default() + "\n";
    args.output.iter().try_for_each(|path| output::file(path, json.as_bytes()))?;
    match args.json {
        true => output::line(json.trim_end()),
        false if args.output.iter().any(|path| output::is_standard(path)) => Ok(()),
        false => output::line(found.summary(args.language)),
    }
}

/// Games at once.
fn threads(args: &ReportArgs) -> usize {
    args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Plays the games here, or on the workers of NATS, and measures them.
fn play(
    args: &ReportArgs,
    variant: &Arc<Variant>,
    plan: &Plan,
    mut journal: Option<Journal>,
    known: KnownGames,
    bar: &mut Progress,
) -> Result<GameReport, ReportFailure> {
    let interrupted = crate::interrupt::end_by_interrupt();
    let hint = if journal.is_some() { "; --resume goes on" } else { "" };
    #[cfg(feature = "nats")]
    if let Some(nats) = args.nats.as_deref().filter(|nats| !nats.is_empty()) {
        let fleet = ReportFleet::new(variant, digest_of(variant.texts()), plan, known, None);
        let mut fleet = fleet.with_journal(journal);
        let mut show = |fleet: &ReportFleet, workers: &str| {
            let selection = fleet.selection();
            bar.show(selection.done(), || format!("{}  {workers}", selection.part().name()));
        };
        let done = fleet::run::<_, ReportFailure>(
            nats,
            std::slice::from_ref(variant),
            &mut fleet,
            interrupted,
            &mut show,
        )?;
        let selection = fleet.selection();
        if !done {
            return Err(ReportFailure::Interrupted { games: selection.done(), hint });
        }
        return Ok(report::measure(variant, plan, selection)?);
    }
    let work = Work {
        threads: threads(args),
        stop: interrupted,
        known,
        keep: &mut |record| journal.as_mut().map_or(Ok(()), |file| file.add(record)),
        progress: &mut |part, games| bar.show(games, || part.name().to_owned()),
    };
    report::run(variant, plan, work).map_err(|error| match error {
        ReportError::Interrupted(games) => ReportFailure::Interrupted { games, hint },
        error => error.into(),
    })
}

/// Whether the output is a page; the other form is JSON. Standard output gets the page.
fn is_page(path: &Path) -> Result<bool, ReportFailure> {
    if output::is_standard(path) {
        return Ok(true);
    }
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => Ok(true),
        Some("json") => Ok(false),
        _ => Err(ReportFailure::Output(path.display().to_string())),
    }
}

/// The file beside the output that keeps the games.
fn partial(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}
