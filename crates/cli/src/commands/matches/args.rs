//! The arguments of `lozenge match`.

use crate::numbers::{real, whole};
use clap::Args;
use lozenge_lab::matches::{DrawRule, WinRule};
use lozenge_lab::players::TimeControl;
use lozenge_lab::stats::Model;
use std::path::PathBuf;
use std::time::Duration;

/// The help about engines.
const ENGINES: &str = "\
ENGINE is `this` (this program's engine), `plain` (alpha-beta on material alone; only with two players),
`greedy` (takes the most valuable piece it can, else moves at random), `random`, or a program that
speaks UCI with its arguments and settings, quoted as one word of the shell:
'PATH ARGUMENT … KEY=VALUE …'. Keys:
  name=NAME           in tables and games
  arg=TEXT            an argument with a `=` in it
  option.NAME=VALUE   an option; 'option.Skill Level=3' where the name has spaces
  variant.ID=NAME     what the engine calls our game ID
  variants=FILE       a file of games for the engine (VariantPath)
  history=fen         each position as FEN, without the moves that led there
  nodes= depth= movetime= tc=   limits of its own";

/// Play engines against each other and say which is stronger.
#[derive(Args, Clone, Debug)]
#[command(after_help = ENGINES)]
pub(crate) struct MatchArgs {
    /// The engine to measure
    #[arg(value_name = "ENGINE")]
    pub(super) first: String,
    /// The opponent
    #[arg(value_name = "ENGINE")]
    pub(super) second: String,
    /// In a game of four, the engines of the other two seats. With two engines the first has one seat, or one team, and the second
    /// the others; seats rotate from game to game
    #[arg(value_name = "ENGINE", num_args = 1..=2)]
    pub(super) others: Vec<String>,
    /// A game: its id or the path of a variant file; may be repeated; the five games when left out
    #[arg(long = "game", value_name = "VARIANT")]
    pub(super) game: Vec<String>,
    /// Games of each variant; in games of two players an even number, two from every opening
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<u32>(1..=u32::MAX))]
    pub(super) games: u32,
    /// Nodes a move
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
    pub(super) nodes: Option<u64>,
    /// Plies a move
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=100))]
    pub(super) depth: Option<u32>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    pub(super) movetime: Option<Duration>,
    /// A clock: seconds and increment, such as `10+0.1` or `40/60`
    #[arg(long, value_name = "CLOCK")]
    pub(super) tc: Option<TimeControl>,
    /// Milliseconds by which an engine may exceed its time
    #[arg(long, value_name = "MS", default_value = "50", value_parser = milliseconds_or_none)]
    pub(super) margin: Duration,
    /// Seconds after which an engine counts as hung: while it starts, or searches without a time limit
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = whole::<u32>(1..=u32::MAX))]
    pub(super) patience: u32,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    pub(super) concurrency: u16,
    /// Play on the workers of this NATS (`lozenge worker`): engines that every machine has, with limits in nodes or plies
    #[cfg(feature = "nats")]
    #[arg(long, value_name = "URL", env = "LOZENGE_NATS", hide_env_values = true)]
    pub(super) nats: Option<String>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    pub(super) seed: u64,
    /// Random plies before a game; by the size of the board when left out. With openings from PGN: plies to play from it
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0..=100))]
    pub(super) plies: Option<u32>,
    /// Stop as soon as a sequential test (SPRT) accepts one of these differences in Elo
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true,
        value_parser = real)]
    pub(super) sprt: Option<Vec<f64>>,
    /// False-positive rate of the test (alpha)
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = real, requires = "sprt")]
    pub(super) alpha: f64,
    /// False-negative rate of the test (beta)
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = real, requires = "sprt")]
    pub(super) beta: f64,
    /// The unit of the bounds
    #[arg(long, value_name = "MODEL", default_value = "logistic", value_parser = model, requires = "sprt")]
    pub(super) sprt_model: Model,
    /// Adjudicate a win when both engines score it at least CP centipawns for MOVES moves each
    #[arg(long, value_name = "CP:MOVES", value_parser = win_rule)]
    pub(super) win: Option<WinRule>,
    /// Adjudicate a draw when, after move AFTER, both engines score at most CP centipawns for MOVES moves each
    #[arg(long, value_name = "AFTER:CP:MOVES", value_parser = draw_rule)]
    pub(super) draw: Option<DrawRule>,
    /// Adjudicate positions that the endgame tables in this folder cover, as `lozenge tables generate` makes them
    #[arg(long, value_name = "DIR")]
    pub(super) tables: Option<PathBuf>,
    /// Adjudicate a draw after N plies
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX))]
    pub(super) max_plies: Option<u32>,
    /// Openings from this file: FEN or EPD, one a line, or games as PGN, each up to --plies; for several games a folder
    /// with a file ID.epd each, or one file of PGN
    #[arg(long, value_name = "PATH", conflicts_with = "write_openings")]
    pub(super) openings: Option<PathBuf>,
    /// Write the openings of the match to this file, for --openings
    #[arg(long, value_name = "PATH")]
    pub(super) write_openings: Option<PathBuf>,
    /// Keep every finished game in this file; the same command resumes an interrupted match from it
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Write every game to this file: rewritten from a record, otherwise appended
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Results as JSON, to this file or, without one, to standard output instead of the tables
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub(super) json: Option<PathBuf>,
    /// Fail (status 1) if an engine crashes, hangs, loses on time or makes an illegal move
    #[arg(long)]
    pub(super) strict: bool,
}

pub(super) fn milliseconds(text: &str) -> Result<Duration, String> {
    milliseconds_or_none(text).and_then(|time| {
        if time.is_zero() { Err("expected at least 1 millisecond".into()) } else { Ok(time) }
    })
}

fn milliseconds_or_none(text: &str) -> Result<Duration, String> {
    let millis: u64 = text.parse().map_err(|_| "expected a whole number of milliseconds".to_owned())?;
    if millis > 1_000_000_000 {
        return Err("expected at most 1000000000 milliseconds".into());
    }
    Ok(Duration::from_millis(millis))
}

fn model(text: &str) -> Result<Model, String> {
    match text {
        "logistic" => Ok(Model::Logistic),
        "normalized" => Ok(Model::Normalized),
        _ => Err("expected `logistic` or `normalized`".into()),
    }
}

fn numbers<const N: usize>(text: &str, shape: &str) -> Result<[u32; N], String> {
    let parts: Option<Vec<u32>> = text.split(':').map(|part| part.parse().ok()).collect();
    parts.and_then(|parts| parts.try_into().ok()).ok_or_else(|| format!("expected {shape}"))
}

fn win_rule(text: &str) -> Result<WinRule, String> {
    let [centipawns, moves] = numbers(text, "CP:MOVES, such as 800:4")?;
    if centipawns == 0 || moves == 0 {
        return Err("expected numbers above 0".into());
    }
    Ok(WinRule { centipawns, moves })
}

fn draw_rule(text: &str) -> Result<DrawRule, String> {
    let [after, centipawns, moves] = numbers(text, "AFTER:CP:MOVES, such as 40:10:8")?;
    if moves == 0 {
        return Err("expected at least one move".into());
    }
    Ok(DrawRule { after, moves, centipawns })
}
