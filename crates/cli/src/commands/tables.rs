//! `lozenge tables`: makes, probes and verifies endgame tables.

use crate::error::{CliError, CommandError};
use crate::games::resolve;
use crate::numbers::whole;
use crate::output;
use clap::{Args, Subcommand};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{
    FileError, GenerateError, MAX_PIECES, Material, Progress, Resources, Tables, VerifyError,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

/// The folder of tables where none is named.
pub(super) const FOLDER: &str = "lozenge-data/tables";

/// `tables …`.
#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    /// Make the tables of a game, and those that they lead to; finished ones are kept, so that the work can be interrupted.
    Generate(GenerateArgs),
    /// Print the value of a position: `win N`, `loss N` or `draw`, N in half moves.
    Probe(ProbeArgs),
    /// Compare every position of tables with the positions after its moves.
    Verify(VerifyArgs),
}

/// The tables of a game.
#[derive(Args, Debug)]
pub(super) struct TablesArgs {
    /// Id of a game, or path of a variant file (`-`: standard input).
    variant: String,
    /// The folder of all tables; those of a game are in a folder of its id.
    #[arg(long, value_name = "DIR", default_value = FOLDER, env = "LOZENGE_TABLES")]
    tables: PathBuf,
}

/// The classes that are meant.
#[derive(Args, Debug)]
struct ClassArgs {
    /// All classes of at most so many pieces, Kings included.
    #[arg(long, default_value_t = 3, value_parser = whole::<usize>(2..=MAX_PIECES))]
    pieces: usize,
    /// Only this class, such as `KRvK`; may be repeated.
    #[arg(long = "class", value_name = "CLASS", conflicts_with = "pieces")]
    classes: Vec<String>,
    /// Threads; all processors if left out.
    #[arg(long, value_parser = whole::<u16>(1..=512))]
    threads: Option<u16>,
}

/// `tables generate`.
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    classes: ClassArgs,
    /// The most memory for the class being made, in MiB.
    #[arg(long, default_value_t = 2048, value_parser = whole::<usize>(1..=1 << 20))]
    memory: usize,
}

/// `tables probe`.
#[derive(Args, Debug)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    tables: TablesArgs,
    /// FEN of the position.
    #[arg(required = true, allow_hyphen_values = true)]
    fen: Vec<String>,
    /// Also print every move with its value, the best first.
    #[arg(long)]
    moves: bool,
}

/// `tables verify`.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    classes: ClassArgs,
}

/// Why a command on tables failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum TablesError {
    /// A file is missing something or damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// A table is wrong.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// No class has this name.
    #[error("expected a class of the game such as `KRvK`, found `{0}`")]
    Class(String),
    /// No table covers the position.
    #[error(
        "expected a position that a table covers, found one of {0}: make it with `lozenge tables generate`"
    )]
    NotCovered(String),
    /// Positions with castling rights have no values.
    #[error("expected a position without castling rights, found one with them")]
    CastlingRights,
}

impl CommandError for TablesError {}

impl TablesArgs {
    pub(super) fn open(&self) -> Result<Tables, CliError> {
        Ok(Tables::open(&resolve(&self.variant)?, &self.tables).map_err(TablesError::from)?)
    }
}

impl ClassArgs {
    fn of(&self, tables: &Tables) -> Result<Vec<Material>, TablesError> {
        if self.classes.is_empty() {
            return Ok(tables.classes(self.pieces)?);
        }
        let parse = |name: &String| {
            Material::parse(tables.variant(), name).ok_or_else(|| TablesError::Class(name.clone()))
        };
        self.classes.iter().map(parse).collect()
    }

    fn threads(&self) -> usize {
        self.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
    }
}

/// Runs the command.
pub(crate) fn run(command: &TablesCommand) -> Result<(), CliError> {
    match command {
        TablesCommand::Generate(args) => generate(args),
        TablesCommand::Probe(args) => probe(args),
        TablesCommand::Verify(args) => verify(args),
    }
}

fn generate(args: &GenerateArgs) -> Result<(), CliError> {
    let variant = resolve(&args.tables.variant)?;
    let (mut tables, refused) =
        Tables::open_whole(&variant, &args.tables.tables).map_err(TablesError::from)?;
    for error in refused {
        output::line(format_args!("left out: {error}"))?;
    }
    let classes = args.classes.of(&tables)?;
    let mut bar = output::Progress::new(classes.len() as u64);
    let made = make(args, &mut tables, &classes, &mut bar);
    bar.end();
    made?;
    let list = tables.list();
    let bytes: u64 = list.iter().filter_map(|info| info.bytes).sum();
    output::line(format_args!("{} tables, {bytes} bytes", list.len()))
}

/// Makes the tables of these classes, with a line for each that is new.
fn make(
    args: &GenerateArgs,
    tables: &mut Tables,
    classes: &[Material],
    bar: &mut output::Progress,
) -> Result<(), CliError> {
    let variant = Arc::clone(tables.variant());
    let resources = Resources { threads: args.classes.threads(), memory: args.memory << 20 };
    for (done, material) in (0..).zip(classes) {
        let before = tables.list().len();
        let begun = Instant::now();
        let mut show = |progress: Progress<'_>| {
            let name = progress.material.name(&variant);
            bar.show(done, || format!("{name}: {} half moves", progress.distance));
            true
        };
        tables
            .generate(material, Some(&args.tables.tables), resources, &mut show)
            .map_err(TablesError::from)?;
        let list = tables.list();
        let made = list.iter().find(|info| info.material == tables.class_of(material));
        if let Some(info) = made.filter(|_| list.len() > before) {
            bar.line(format_args!(
                "{}: at most {} half moves, {} bytes, {:.1} s",
                info.material.name(&variant),
                info.longest,
                info.bytes.unwrap_or(0),
                begun.elapsed().as_secs_f64()
            ))?;
        }
    }
    Ok(())
}

fn probe(args: &ProbeArgs) -> Result<(), CliError> {
    let mut tables = args.tables.open()?;
    let position = AnyPosition::from_fen(tables.variant(), &args.fen.join(" "))?;
    let threads = available_parallelism().map_or(1, usize::from);
    tables.complete(&position, Resources { threads, memory: 1 << 30 }).map_err(TablesError::from)?;
    let value = tables.probe(&position).map_err(TablesError::from)?;
    let Some(value) = value else {
        let setup = position.setup();
        return Err(if setup.rights != 0 {
            TablesError::CastlingRights
        } else {
            TablesError::NotCovered(Material::of_position(&position).name(tables.variant()))
        }
        .into());
    };
    let mut lines = vec![value.to_string()];
    if args.moves {
        let moves = tables.moves(&position).map_err(TablesError::from)?.unwrap_or_default();
        let text = |variant: &Arc<Variant>, legal| lozenge_rules::notation::uci::write(variant, legal);
        lines.extend(
            moves.into_iter().map(|(legal, value)| format!("{} {value}", text(tables.variant(), legal))),
        );
    }
    output::line(lines.join("\n"))
}

fn verify(args: &VerifyArgs) -> Result<(), CliError> {
    let tables = args.tables.open()?;
    for material in args.classes.of(&tables)? {
        let census = tables.verify(&material, args.classes.threads()).map_err(TablesError::from)?;
        output::line(format_args!(
            "{}: {} wins, {} losses, {} draws",
            material.name(tables.variant()),
            census.wins,
            census.losses,
            census.draws
        ))?;
    }
    Ok(())
}
