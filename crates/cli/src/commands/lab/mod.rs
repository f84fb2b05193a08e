//! `lozenge lab …`: data from games of the engine against itself, the tuning of the evaluation, and reports on
//! games (`report`).

pub(crate) mod report;
mod show;
mod spsa;

#[cfg(feature = "nats")]
use super::fleet::{self, FleetFailure};
use super::puzzles::{self, CheckPuzzlesArgs, EndingsArgs, PuzzlesArgs};
#[cfg(feature = "nats")]
use crate::interrupt::end_by_interrupt;
use crate::numbers::whole;
use crate::output::Progress;
use crate::{CliError, games, output};
use clap::{Args, Subcommand};
#[cfg(feature = "nats")]
use lozenge_game::convert::digest_of;
use lozenge_lab::book;
use lozenge_lab::tuning::data::{self, DataSettings};
#[cfg(feature = "nats")]
use lozenge_lab::tuning::fleet::DataFleet;
use lozenge_lab::tuning::reliability::{self, BANDS, PHASES};
use lozenge_lab::tuning::{fit, wdl, weights};
use lozenge_rules::library;
#[cfg(feature = "nats")]
use lozenge_rules::variant::Variant;
#[cfg(feature = "nats")]
use std::path::Path;
use std::path::PathBuf;
#[cfg(feature = "nats")]
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A task of the laboratory.
#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// Play the engine against itself and keep the games, with all scores, in a file. A run that was interrupted goes on
    /// where it stopped.
    Data(DataArgs),
    /// Show what such a file holds, or its quiet positions as text.
    Show(show::ShowArgs),
    /// Fit the weights of the evaluation to the quiet positions of such games. The weights are written as the data that the
    /// engine reads for its built-in games (variants/tuned/).
    Tune(TuneArgs),
    /// Tune the numbers of the search by games of the engine against itself. A run that was interrupted goes on where it stopped.
    Spsa(spsa::SpsaArgs),
    /// Fit how often a score is won, drawn and lost to the records of matches of the engine against itself
    /// (variants/tuned/wdl.toml).
    Wdl(WdlArgs),
    /// Compare the scores that the engine expected in such records with those of the games, by phase of the game.
    Reliability(ReliabilityArgs),
    /// Play a game against itself and report how balanced it is: White's score, draws, values of the pieces and more.
    Report(report::ReportArgs),
    /// Play the engine against itself at full strength, from varied openings, and keep the games for the opening explorer.
    Book(BookArgs),
    /// Find puzzles in games: positions in which one continuation is clearly best.
    Puzzles(PuzzlesArgs),
    /// Check that the solutions of puzzles hold.
    CheckPuzzles(CheckPuzzlesArgs),
    /// Make puzzles from endgame tables: positions in which one move keeps the win or the draw.
    Endings(EndingsArgs),
}

/// How games of the engine against itself are played.
#[derive(Args, Clone, Copy, Debug)]
struct PlayArgs {
    /// Another number, other games.
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Games at a time.
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
}

/// `lab data`.
#[derive(Args, Debug)]
pub(crate) struct DataArgs {
    /// Id of a game, or path of a variant file.
    #[arg(long)]
    game: String,
    /// Games in the file when it is done.
    #[arg(long, default_value_t = 1_000, value_parser = whole::<u64>(0..=u64::MAX))]
    games: u64,
    /// Nodes for each move.
    #[arg(long, default_value_t = 2_000, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Random plies before the engine takes over; every other game one more.
    #[arg(long, default_value_t = 8, value_parser = whole::<u32>(0..=100))]
    plies: u32,
    #[command(flatten)]
    play: PlayArgs,
    /// Play on the workers of this NATS (`lozenge worker`).
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "URL", env = "LOZENGE_NATS", hide_env_values = true)]
    nats: Option<String>,
    /// The file; games are added to what it has.
    #[arg(long)]
    output: PathBuf,
}

/// `lab tune`.
#[derive(Args, Debug)]
pub(crate) struct TuneArgs {
    /// Id of a game, or path of a variant file.
    #[arg(long)]
    game: String,
    /// A file made by `lozenge lab data`; may be repeated.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// How often every position is looked at.
    #[arg(long, default_value_t = 40, value_parser = whole::<u32>(1..=10_000))]
    epochs: u32,
    /// How much of the label is the search's score, in hundredths; the rest is the game's result.
    #[arg(long, default_value_t = 50, value_parser = whole::<u8>(0..=100))]
    score_share: u8,
    /// Of this number of games, one is held out for validation.
    #[arg(long, default_value_t = 10, value_parser = whole::<u64>(2..=u64::MAX))]
    validation: u64,
    /// A command that made the data, to be written down with the weights; may be repeated.
    #[arg(long)]
    made_by: Vec<String>,
    /// The output file of the weights.
    #[arg(long)]
    output: PathBuf,
}

/// `lab wdl`.
#[derive(Args, Debug)]
pub(crate) struct WdlArgs {
    /// A file made by `lozenge match --record`; may be repeated.
    #[arg(long, required = true)]
    record: Vec<PathBuf>,
    /// A command that made the records, to be written down with the numbers; may be repeated.
    #[arg(long)]
    made_by: Vec<String>,
    /// The output file of the model.
    #[arg(long)]
    output: PathBuf,
}

/// `lab reliability`.
#[derive(Args, Debug)]
pub(crate) struct ReliabilityArgs {
    /// A file made by `lozenge match --record`; may be repeated.
    #[arg(long, required = true)]
    record: Vec<PathBuf>,
}

/// `lab book`.
#[derive(Args, Debug)]
pub(crate) struct BookArgs {
    /// Id of a game, or path of a variant file.
    #[arg(long)]
    game: String,
    /// Games in the book when it is done.
    #[arg(long, default_value_t = 1_000, value_parser = whole::<u64>(1..=u64::MAX))]
    games: u64,
    /// Nodes for each move.
    #[arg(long, default_value_t = 10_000, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// Plies in which the engine chooses at random among its best moves.
    #[arg(long, default_value_t = 12, value_parser = whole::<u16>(0..=300))]
    plies: u16,
    #[command(flatten)]
    play: PlayArgs,
    /// The book.
    #[arg(short, long)]
    output: PathBuf,
    /// Go on with a book that was begun with the same settings.
    #[arg(long)]
    resume: bool,
}

/// Runs the task.
pub(crate) fn run(command: LabCommand) -> Result<(), CliError> {
    match command {
        LabCommand::Data(args) => data(&args),
        LabCommand::Show(args) => show::run(&args),
        LabCommand::Tune(args) => tune(&args),
        LabCommand::Spsa(args) => spsa::run(&args),
        LabCommand::Wdl(args) => wdl(&args),
        LabCommand::Reliability(args) => reliability(&args),
        LabCommand::Report(args) => report::run(&args),
        LabCommand::Book(args) => book(&args),
        LabCommand::Puzzles(args) => puzzles::make(&args),
        LabCommand::Endings(args) => puzzles::endings(&args),
        LabCommand::CheckPuzzles(args) => puzzles::check(&args),
    }
}

fn tune(args: &TuneArgs) -> Result<(), CliError> {
    let variant = games::resolve(&args.game)?;
    let settings = fit::FitSettings {
        epochs: args.epochs,
        score_share: f32::from(args.score_share) / 100.0,
        validation: args.validation,
        ..fit::FitSettings::default()
    };
    let mut printed = Ok(());
    let fitted = fit::fit(&variant, &args.data, &settings, &mut |epoch, [training, validation]| {
        if printed.is_ok() && (epoch % 10 == 0 || epoch == settings.epochs) {
            printed =
                output::line(format_args!("epoch {epoch}: loss {training:.5}, kept aside {validation:.5}"));
        }
    })?;
    printed?;
    let values = lozenge_engine::Values::derived(&variant);
    let mut commands = args.made_by.clone();
    commands.push(format!(
        "lozenge lab tune --game {} --epochs {} --score-share {} --validation {}",
        args.game, args.epochs, args.score_share, args.validation
    ));
    let text = weights::text(&variant, &values, &fitted, &commands);
    output::file(&args.output, text.as_bytes())?;
    output::line(format_args!(
        "{} positions, {} kept aside, {:.0} centipawns a unit\n\
         loss before: {:.5}, kept aside {:.5}\nloss after:  {:.5}, kept aside {:.5}",
        fitted.positions[0],
        fitted.positions[1],
        fitted.scale,
        fitted.before[0],
        fitted.before[1],
        fitted.after[0],
        fitted.after[1]
    ))
}

/// A table for each game: expected and scored in percent, and the number of positions, by phase.
fn reliability(args: &ReliabilityArgs) -> Result<(), CliError> {
    for (id, found) in reliability::measure(&args.record, &library::game)? {
        output::line(format_args!("{id}, {} games:\n", found.games))?;
        output::line(format_args!("| expected, % | {} |\n|---|---|---|---|", PHASES.join(" | ")))?;
        for band in 0..BANDS {
            let cell = |phase: usize| {
                let bin = &found.bins[phase][band];
                let [expected, scored] = [bin.expected(), bin.scored()].map(|share| 100.0 * share);
                match bin.positions {
                    0 => String::new(),
                    positions => format!("{expected:.0}: {scored:.0} ({positions})"),
                }
            };
            let cells: Vec<String> = (0..PHASES.len()).map(cell).collect();
            let (from, to) = (band * 100 / BANDS, (band + 1) * 100 / BANDS);
            output::line(format_args!("| {from} to {to} | {} |", cells.join(" | ")))?;
        }
        let errors = [0, 1, 2].map(|phase| {
            found.error(phase).map_or_else(String::new, |error| format!("{:.1}", 100.0 * error))
        });
        output::line(format_args!("| mean error | {} |\n", errors.join(" | ")))?;
    }
    Ok(())
}

fn wdl(args: &WdlArgs) -> Result<(), CliError> {
    let found = wdl::fit(&args.record, &library::game)?;
    let mut commands = args.made_by.clone();
    commands.push("lozenge lab wdl".into());
    output::file(&args.output, wdl::text(&found, &commands).as_bytes())?;
    output::line(
        "| game | games | scores | slope | draw | loss without scores | with them |\n|---|---|---|---|---|---|---|",
    )?;
    let curves = found.games.iter().map(|(id, (_, fitted))| (id.as_str(), fitted));
    for (id, fitted) in curves.chain([("all", &found.all)]) {
        let ([full, bare], [draw, bare_draw]) = (fitted.curve.slope, fitted.curve.draw);
        output::line(format_args!(
            "| {id} | {} | {} | {full:.2}, {bare:.2} | {draw:.2}, {bare_draw:.2} | {:.3} | {:.3} |",
            fitted.games,
            fitted.scores.iter().sum::<usize>(),
            fitted.baseline_loss,
            fitted.loss
        ))?;
    }
    Ok(())
}

fn data(args: &DataArgs) -> Result<(), CliError> {
    if output::is_standard(&args.output) {
        return Err(CliError::Standard("--output"));
    }
    let variant = games::resolve(&args.game)?;
    let settings = DataSettings {
        games: args.games,
        nodes: args.nodes,
        plies: args.plies,
        seed: args.play.seed,
        threads: usize::from(args.play.threads),
    };
    #[cfg(feature = "nats")]
    if let Some(nats) = args.nats.as_deref().filter(|nats| !nats.is_empty()) {
        return data_of_workers(nats, &variant, &settings, &args.output);
    }
    let mut reported = Instant::now();
    let mut printed = Ok(());
    data::generate(&variant, &settings, &args.output, &AtomicBool::new(false), &mut |games| {
        if (reported.elapsed() > Duration::from_secs(10) || games == settings.games) && printed.is_ok() {
            reported = Instant::now();
            printed = output::line(format_args!("{games} of {} games", settings.games));
        }
    })?;
    printed
}

/// Plays the games of a file of data on the workers of NATS.
#[cfg(feature = "nats")]
fn data_of_workers(
    nats: &str,
    variant: &Arc<Variant>,
    settings: &DataSettings,
    path: &Path,
) -> Result<(), CliError> {
    let mut fleet = DataFleet::new(variant, digest_of(variant.texts()), settings, path)?;
    let mut bar = Progress::new(settings.games);
    let mut show = |fleet: &DataFleet, workers: &str| {
        bar.show(fleet.games_in(), || format!("games of {}  {workers}", variant.id()));
    };
    let (variants, stop) = (std::slice::from_ref(variant), end_by_interrupt());
    let is_over = fleet::run::<_, CliError>(nats, variants, &mut fleet, stop, &mut show)?;
    bar.end();
    output::line(format_args!("{} of {} games", fleet.games(), settings.games))?;
    if is_over { Ok(()) } else { Err(FleetFailure::Interrupted("; the same command goes on".into()).into()) }
}

fn book(args: &BookArgs) -> Result<(), CliError> {
    if output::is_standard(&args.output) {
        return Err(CliError::Standard("--output"));
    }
    let variant = games::resolve(&args.game)?;
    let settings = book::BookSettings {
        games: args.games,
        nodes: args.nodes,
        plies: usize::from(args.plies),
        seed: args.play.seed,
        threads: usize::from(args.play.threads),
    };
    let mut progress = Progress::new(args.games);
    let stop = AtomicBool::new(false);
    let made = book::make(&variant, &settings, &args.output, args.resume, &stop, &mut |games| {
        progress.show(games, || format!("games of {}", variant.id()));
    });
    progress.end();
    Ok(made?)
}
