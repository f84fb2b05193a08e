//! The command line: what may be written, and its help.

use crate::commands::backup::{BackupArgs, RestoreArgs};
use crate::commands::matches::MatchArgs;
use crate::commands::reports::ReportsArgs;
use crate::commands::serve::ServeArgs;
use crate::commands::users::UsersArgs;
use crate::play::PlayArgs;
use crate::render::RenderArgs;
use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;

/// Chess on diamond boards: exact rules, engine and laboratory.
#[derive(Parser, Debug)]
#[command(
    name = "lozenge",
    version,
    after_help = "VARIANT is an id (`lozenge variants list`) or the path of a variant file. \
Without a command: `lozenge serve`."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The command that is meant when none is given.
#[derive(Parser, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) args: ServeArgs,
}

/// What there is to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Start the site: play in the browser (the command when none is given).
    Serve(ServeArgs),
    /// Copy the site's database, where that is an SQLite file, to another file, also while the site runs.
    Backup(BackupArgs),
    /// Check a backup and put it in the place of the site's SQLite database, while the site does not run.
    Restore(RestoreArgs),
    /// Show the lines of chat that players and spectators have reported, and close reports.
    Reports(ReportsArgs),
    /// Close, ban, mute and rename users, also while the site runs.
    Users(UsersArgs),
    /// List or delete the open seeks by correspondence.
    #[command(subcommand)]
    Seeks(crate::commands::seeks::SeeksCommand),
    /// Count the sequences of legal moves.
    Perft(PerftArgs),
    /// List the legal moves and say how the position stands.
    Moves(MovesArgs),
    /// The games known.
    #[command(subcommand)]
    Variants(VariantsCommand),
    /// Talk UCI or XBoard on standard input and output, for GUIs.
    Engine,
    /// Search fixed positions: a signature and a speed.
    Bench {
        /// Deepest iteration, in plies.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
        depth: Option<u32>,
    },
    /// Play a game against the engine in the terminal.
    Play(PlayArgs),
    /// Play engines against each other and say which is stronger.
    Match(Box<MatchArgs>),
    /// Draw a position as a picture.
    Render(RenderArgs),
    /// Learn about a game by playing it: data and tuning.
    #[command(subcommand)]
    Lab(crate::commands::lab::LabCommand),
}

/// A game and a position of it.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// Id of a game, or path of a variant file.
    pub(crate) variant: String,
    /// The position instead of the start.
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) fen: Option<String>,
}

/// `perft`.
#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Id of a game, or path of a variant file.
    pub(crate) variant: String,
    /// Length of the sequences, in plies.
    #[arg(value_parser = clap::value_parser!(u32).range(0..=i64::from(lozenge_protocol::perft::MAX_DEPTH)))]
    pub(crate) depth: u32,
    /// The position instead of the start.
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) fen: Option<String>,
    /// Also the count below each first move.
    #[arg(long)]
    pub(crate) divide: bool,
    /// Threads that share the first moves.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub(crate) threads: u16,
}

/// `moves`.
#[derive(Args, Debug)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    pub(crate) position: PositionArgs,
}

/// `variants …`.
#[derive(Subcommand, Debug)]
pub(crate) enum VariantsCommand {
    /// List the built-in games.
    List,
    /// Explain a game.
    Show {
        /// Id of a game, or path of a variant file.
        variant: String,
    },
    /// Judge a variant file: every fault with line and column.
    Check {
        /// The file.
        file: PathBuf,
    },
    /// Print a commented variant file to begin with.
    New {
        /// Id of the new game.
        #[arg(default_value = "mygame", value_parser = id)]
        id: String,
    },
}

fn id(text: &str) -> Result<String, &'static str> {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if (1..=40).contains(&text.len()) && text.chars().all(letters) {
        return Ok(text.into());
    }
    Err("expected 1 to 40 small letters, digits and `-`")
}
