//! `lozenge lab …`: data from games of the engine against itself, and the tuning of the evaluation.

use crate::{CliError, games, output};
use clap::{Args, Subcommand};
use lozenge_lab::tuning::data::{self, Settings};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What the laboratory does.
#[derive(Subcommand, Debug)]
pub(crate) enum LabCommand {
    /// Play the engine against itself and keep the quiet positions, with score and result, in a file.
    /// A run that was interrupted goes on where it stopped.
    Data(DataArgs),
}

/// `lab data`.
#[derive(Args, Debug)]
pub(crate) struct DataArgs {
    /// Id of a game, or path of a variant file.
    #[arg(long)]
    game: String,
    /// Games in the file when it is done.
    #[arg(long, default_value_t = 1_000)]
    games: u64,
    /// Nodes for each move.
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Random plies before the engine takes over; every other game one more.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100))]
    plies: u32,
    /// Another number, other games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    threads: u16,
    /// The file; games are added to what it has.
    #[arg(long)]
    output: PathBuf,
}

/// Does it.
pub(crate) fn run(command: LabCommand) -> Result<(), CliError> {
    match command {
        LabCommand::Data(args) => data(&args),
    }
}

fn data(args: &DataArgs) -> Result<(), CliError> {
    let variant = games::resolve(&args.game)?;
    let settings = Settings {
        games: args.games,
        nodes: args.nodes,
        plies: args.plies,
        seed: args.seed,
        threads: usize::from(args.threads),
    };
    let mut told = Instant::now();
    let mut printed = Ok(());
    data::generate(&variant, &settings, &args.output, &AtomicBool::new(false), &mut |games| {
        if (told.elapsed() > Duration::from_secs(10) || games == settings.games) && printed.is_ok() {
            told = Instant::now();
            printed = output::line(format_args!("{games} of {} games", settings.games));
        }
    })?;
    printed
}
