//! `lozenge analyse`: reviews of games in PGN. Here: the games, the threads that search them, the progress.
//! `lozenge-analysis` defines a review; `journal` keeps the finished ones, `annotate` and `report` write them.

mod annotate;
mod journal;
mod report;

use super::pgn;
use super::tables::FolderArgs;
use crate::error::{CliError, CommandError};
use crate::numbers::whole;
use crate::output::Progress;
use crate::{games, output};
use clap::Args;
use journal::Journal;
use lozenge_analysis::review::{evaluate, review};
use lozenge_engine::{Engine, Signals};
use lozenge_protocol::games::named;
use lozenge_rules::notation::pgn::ResultTag;
use lozenge_rules::notation::record::Record;
use lozenge_rules::variant::Variant;
use lozenge_wire::GameResult;
use lozenge_wire::review::{GameReview, Judgment, Review};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

/// Review games: evaluation graph, best moves, mistakes.
#[derive(Args, Debug)]
#[command(
    after_help = "With --output an interrupted review goes on where it stopped when the same command is given again."
)]
pub(crate) struct AnalyseArgs {
    /// Games in PGN, or a book made by `lozenge lab book`; `-` is standard input
    file: PathBuf,
    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Games at once; by default one for each processor
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=512))]
    threads: Option<u16>,
    /// Hash table for each thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = whole::<u16>(1..=4096))]
    hash: u16,
    /// A variant file whose games may occur, besides the built-in ones; may be repeated
    #[arg(long = "game", value_name = "VARIANT")]
    variants: Vec<String>,
    /// Write the review to this file: .html (a page with board and graph), .json or .pgn (with comments and variations)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print the review as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    tables: FolderArgs,
}

/// The format of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    Html,
    Json,
    Pgn,
}

impl Format {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "html" | "htm" => Some(Self::Html),
            "json" => Some(Self::Json),
            "pgn" => Some(Self::Pgn),
            _ => None,
        }
    }
}

/// Why games were not reviewed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnalyseError {
    /// The ending of the output names no format.
    #[error("--output: expected a file that ends in `.html`, `.json` or `.pgn`, found `{0}`")]
    Output(String),
    /// The journal cannot be read or written.
    #[error("{path}: {error}")]
    Journal {
        /// Its file.
        path: String,
        /// The system's error.
        error: io::Error,
    },
    /// There is a journal of another review.
    #[error(
        "{0}: expected the journal of this review (same nodes, hash and program), found another; delete it to begin anew"
    )]
    OtherJournal(String),
    /// Ctrl-C.
    #[error("interrupted{0}")]
    Interrupted(&'static str),
}

impl CommandError for AnalyseError {
    fn is_usage(&self) -> bool {
        matches!(self, Self::Output(_))
    }
}

/// A game with its review.
struct Reviewed {
    record: Record,
    review: GameReview,
}

/// Reviews the games.
pub(crate) fn run(args: &AnalyseArgs) -> Result<(), CliError> {
    let format = match &args.output {
        Some(path) if output::is_standard(path) => Some(Format::Json),
        Some(path) => {
            let unknown = || AnalyseError::Output(path.display().to_string());
            Some(Format::of(path).ok_or_else(unknown)?)
        }
        None => None,
    };
    let variants: Vec<Arc<Variant>> =
        args.variants.iter().map(|variant| games::resolve(variant)).collect::<Result<_, _>>()?;
    let (records, bad) = read(args, &variants)?;
    let file = args.output.as_deref().filter(|path| !output::is_standard(path));
    let mut journal = file.map(|path| Journal::open(path, args.nodes, args.hash)).transpose()?;
    let reviews = review_all(args, &records, journal.as_mut())?;
    let count = records.len() as u64 + bad;
    let reviewed: Vec<Reviewed> =
        records.into_iter().zip(reviews).map(|(record, review)| Reviewed { record, review }).collect();
    if let (Some(format), Some(path)) = (format, &args.output) {
        output::file(path, text(format, &reviewed).as_bytes())?;
    }
    if let Some(journal) = journal {
        journal.remove();
    }
    if args.json {
        output::line(json(&reviewed))?;
    } else if args.output.is_none() {
        reviewed.iter().try_for_each(|game| output::line(summary(game)))?;
    }
    if bad == 0 { Ok(()) } else { Err(CliError::BadGames { bad, games: count }) }
}

/// The valid games of the file, and how many are not valid; those are reported.
fn read(args: &AnalyseArgs, variants: &[Arc<Variant>]) -> Result<(Vec<Record>, u64), CliError> {
    let name = args.file.display().to_string();
    let find = |text: &str| named(text, variants);
    let games = pgn::open(&args.file).and_then(|input| pgn::records(input, &find));
    let (mut records, mut bad, mut listing) = (Vec::new(), 0, pgn::Listing::default());
    for game in games.map_err(|error| CliError::Read { what: name.clone(), error })? {
        match game {
            Ok(record) => records.push(record),
            Err(faults) => {
                bad += 1;
                listing.list(&name, &faults);
            }
        }
    }
    listing.finish();
    Ok((records, bad))
}

/// The review of every game, in their order: from the journal, or searched on many threads.
fn review_all(
    args: &AnalyseArgs,
    records: &[Record],
    mut journal: Option<&mut Journal>,
) -> Result<Vec<GameReview>, CliError> {
    let known = |record: &Record| {
        let mut found = journal.as_ref()?.get(&record.game)?;
        // Others may have played the same moves.
        label(&mut found, record);
        Some(found)
    };
    let mut reviews: Vec<Option<GameReview>> = records.iter().map(known).collect();
    let todo: Vec<usize> = (0..records.len()).filter(|&number| reviews[number].is_none()).collect();
    let tables = args.tables.shared();
    let signals = Signals::default();
    let stop = signals.clone();
    // Without a handler Ctrl-C ends the program at once, which loses no more than the games being searched.
    let _ = ctrlc::set_handler(move || {
        if stop.is_stopped() {
            std::process::exit(130);
        }
        stop.stop();
    });
    let threads =
        args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let mut progress = Progress::new(records.len() as u64);
    let mut done = records.len() - todo.len();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let failed = std::thread::scope(|scope| {
        for _ in 0..threads.min(todo.len()) {
            let (sender, next, signals, todo) = (sender.clone(), &next, &signals, &todo);
            let tables = tables.clone();
            scope.spawn(move || {
                let mut engine = Engine::new(usize::from(args.hash));
                engine.set_shared_tables(tables);
                while let Some(&number) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let record = &records[number];
                    let Some(evaluations) = evaluate(&mut engine, &record.game, args.nodes, signals) else {
                        return;
                    };
                    let mut found = review(&record.game, &evaluations);
                    label(&mut found, record);
                    if sender.send((number, found)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for (number, found) in receiver {
            if let Some(journal) = journal.as_deref_mut()
                && let Err(error) = journal.add(&records[number].game, &found)
            {
                signals.stop();
                return Some(error);
            }
            reviews[number] = Some(found);
            done += 1;
            progress.show(done as u64, || format!("{done} games reviewed"));
        }
        None
    });
    progress.end();
    if let Some(error) = failed {
        return Err(error.into());
    }
    let kept = if args.output.is_some() { "; the same command goes on" } else { "" };
    let all: Option<Vec<GameReview>> = reviews.into_iter().collect();
    Ok(all.ok_or(AnalyseError::Interrupted(kept))?)
}

/// Copies names and result from the tags.
fn label(review: &mut GameReview, record: &Record) {
    let tag = |name| record.tree.tags.get(name).unwrap_or("?").to_owned();
    review.white = tag("White");
    review.black = tag("Black");
    match record.tree.result {
        ResultTag::WhiteWins => review.result = GameResult::WhiteWins,
        ResultTag::BlackWins => review.result = GameResult::BlackWins,
        ResultTag::Draw => review.result = GameResult::Draw,
        ResultTag::Places(_) | ResultTag::Unknown => {}
    }
}

fn text(format: Format, games: &[Reviewed]) -> String {
    match format {
        Format::Html => report::html(games),
        Format::Json => json(games) + "\n",
        Format::Pgn => games.iter().map(annotate::pgn).collect(),
    }
}

fn json(games: &[Reviewed]) -> String {
    let review = Review { games: games.iter().map(|game| game.review.clone()).collect() };
    // Numbers, texts and lists can always be written.
    serde_json::to_string_pretty(&review).unwrap_or_default()
}

/// How many of White's or Black's moves got this judgment.
fn count(review: &GameReview, white: bool, judgment: Judgment) -> usize {
    let starts_white = review.fen.split_whitespace().nth(1) != Some("b");
    let is_white = |ply: usize| (ply % 2 == 1) == starts_white;
    review
        .moves
        .iter()
        .filter(|played| is_white(played.ply) == white && played.judgment == Some(judgment))
        .count()
}

/// A game in three lines.
fn summary(game: &Reviewed) -> String {
    let review = &game.review;
    let side = |name: &str, white: bool| {
        let accuracy = if white { review.accuracy.white } else { review.accuracy.black };
        let accuracy = accuracy.map_or_else(|| "-".to_owned(), |accuracy| format!("{accuracy:.1}%"));
        let [inaccuracies, mistakes, blunders] = [Judgment::Inaccuracy, Judgment::Mistake, Judgment::Blunder]
            .map(|judgment| count(review, white, judgment));
        format!(
            "  {name}: accuracy {accuracy}, inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}"
        )
    };
    let players = format!("{} - {} {} ({})", review.white, review.black, review.result, review.variant);
    let text = format!("{players}\n{}\n{}", side("White", true), side("Black", false));
    // Names come from outside.
    text.lines()
        .map(|line| lozenge_rules::notation::one_line::OneLine(line).to_string() + "\n")
        .collect::<String>()
        .trim_end()
        .to_owned()
}

/// A line on standard error about a journal that cannot be removed.
fn warn(message: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "warning: {message}");
}
