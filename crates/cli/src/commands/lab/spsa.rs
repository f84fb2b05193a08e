//! `lozenge lab spsa`.

use super::PlayArgs;
use crate::interrupt::end_by_interrupt;
use crate::numbers::whole;
use crate::{CliError, games, output};
use clap::Args;
use lozenge_engine::Tunables;
use lozenge_lab::tuning::spsa::{SpsaSettings, State};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// `lab spsa`.
#[derive(Args, Debug)]
pub(crate) struct SpsaArgs {
    /// Id of a game, or path of a variant file; may be repeated, then the games take turns.
    #[arg(long, required = true)]
    game: Vec<String>,
    /// A number of the search to tune; may be repeated. Without it all are tuned.
    #[arg(long, value_name = "NAME")]
    tunable: Vec<String>,
    /// Pairs of games.
    #[arg(long, default_value_t = 5_000, value_parser = whole::<u64>(1..=100_000_000))]
    iterations: u64,
    /// Nodes for each move.
    #[arg(long, default_value_t = 2_500, value_parser = whole::<u64>(1..=u64::MAX))]
    nodes: u64,
    /// How far a number moves for a game won at the end, in thousandths of its step.
    #[arg(long, default_value_t = 10, value_parser = whole::<u16>(1..=1_000))]
    rate: u16,
    #[command(flatten)]
    play: PlayArgs,
    /// The file of the run: settings and values, as JSON.
    #[arg(short, long)]
    output: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &SpsaArgs) -> Result<(), CliError> {
    if output::is_standard(&args.output) {
        return Err(CliError::Standard("--output"));
    }
    let variants = args.game.iter().map(|game| games::resolve(game)).collect::<Result<Vec<_>, _>>()?;
    let all = Tunables::TABLE.iter().map(|tunable| tunable.name.to_owned());
    let settings = SpsaSettings {
        tunables: if args.tunable.is_empty() { all.collect() } else { args.tunable.clone() },
        iterations: args.iterations,
        nodes: args.nodes,
        seed: args.play.seed,
        rate: f64::from(args.rate) / 1_000.0,
    };
    let mut state = State::open(&args.output, &variants, settings)?;
    let mut reported = Instant::now();
    let mut printed = Ok(());
    state.run(&variants, usize::from(args.play.threads), end_by_interrupt(), &mut |state| {
        if reported.elapsed() > Duration::from_secs(10) && printed.is_ok() {
            reported = Instant::now();
            printed = output::line(format_args!("{} of {} pairs", state.iteration, args.iterations));
        }
        state.save(&args.output)
    })?;
    printed?;
    table(&state)
}

/// The numbers that changed, and the options that set them.
fn table(state: &State) -> Result<(), CliError> {
    let defaults = Tunables::default();
    output::line("| tunable | default | found | exact |\n|---|---|---|---|")?;
    let mut options = String::new();
    for ((name, found), exact) in state.found().into_iter().zip(&state.values) {
        let default = defaults.get(name).unwrap_or_default();
        output::line(format_args!("| {name} | {default} | {found} | {exact:.2} |"))?;
        if found != default {
            options.push_str(&format!(" option.{name}={found}"));
        }
    }
    let [changed, other] = state.points;
    output::line(format_args!("\n{} pairs, points {changed} to {other}", state.iteration))?;
    if options.is_empty() {
        return Ok(());
    }
    output::line(format_args!(
        "To try them, in a build with `--features tunables`: lozenge match 'this{options}' this"
    ))
}
