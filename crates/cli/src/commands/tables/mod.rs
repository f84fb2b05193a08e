//! `lozenge tables`: makes, probes and verifies endgame tables.

#[cfg(feature = "nats")]
mod fleet;

use super::database::DATA_FOLDER;
use crate::error::{CliError, CommandError};
use crate::games::resolve;
use crate::numbers::whole;
use crate::output;
use clap::{Args, Subcommand};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{
    FileError, GenerateError, GenerateProgress, INSTALLED, MAX_PIECES, Material, Resources, SharedTables,
    Tables, VerifyError,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

/// The folder of tables in a data folder.
pub(super) const FOLDER: &str = "tables";

/// `tables …`.
#[derive(Subcommand, Debug)]
pub(crate) enum TablesCommand {
    /// Make the tables that every installation has, as far as they are missing: those of the built-in games with three pieces, and
    /// those of Diamond Chess with four. `lozenge serve` does the same in the background.
    Install(InstallArgs),
    /// Make the tables of a game, and those that they lead to; finished ones are kept, so that the work can be interrupted.
    Generate(GenerateArgs),
    /// Print the value of a position: `win N`, `loss N` or `draw`, N in half moves.
    Probe(ProbeArgs),
    /// Compare every position of tables with the positions after its moves.
    Verify(VerifyArgs),
}

/// The folder of all tables.
#[derive(Args, Debug)]
pub(super) struct FolderArgs {
    /// The folder of all tables; those of a game are in a folder of its id. By default `tables` in the data folder.
    #[arg(long, value_name = "DIR", env = "LOZENGE_TABLES")]
    tables: Option<PathBuf>,
    /// The data folder.
    #[arg(long, value_name = "DIR", default_value = DATA_FOLDER, env = "LOZENGE_DATA")]
    data: PathBuf,
}

impl FolderArgs {
    /// The tables of all games.
    pub(super) fn shared(&self) -> SharedTables {
        SharedTables::new(Some(self.path()))
    }

    fn path(&self) -> PathBuf {
        self.tables.clone().unwrap_or_else(|| self.data.join(FOLDER))
    }
}

/// The tables of a game.
#[derive(Args, Debug)]
pub(super) struct TablesArgs {
    /// Id of a game, or path of a variant file (`-`: standard input).
    variant: String,
    #[command(flatten)]
    folder: FolderArgs,
}

/// Limits of the resources for making tables.
#[derive(Args, Debug)]
struct ResourceArgs {
    /// Threads; all processors if left out.
    #[arg(long, value_parser = whole::<u16>(1..=512))]
    threads: Option<u16>,
    /// The most memory for the class being made, in MiB.
    #[arg(long, default_value_t = 2048, value_parser = whole::<usize>(1..=1 << 20))]
    memory: usize,
}

impl ResourceArgs {
    fn resources(&self) -> Resources {
        Resources { threads: threads(self.threads), memory: self.memory << 20 }
    }
}

fn threads(chosen: Option<u16>) -> usize {
    chosen.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
}

/// `tables install`.
#[derive(Args, Debug)]
pub(crate) struct InstallArgs {
    #[command(flatten)]
    folder: FolderArgs,
    #[command(flatten)]
    resources: ResourceArgs,
}

/// The classes that are meant.
#[derive(Args, Debug)]
struct ClassArgs {
    /// All classes of at most this number of pieces, Kings included.
    #[arg(long, default_value_t = 3, value_parser = whole::<usize>(2..=MAX_PIECES))]
    pieces: usize,
    /// Only this class, such as `KRvK`; may be repeated.
    #[arg(long = "class", value_name = "CLASS", conflicts_with = "pieces")]
    classes: Vec<String>,
}

/// `tables generate`.
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    tables: TablesArgs,
    #[command(flatten)]
    classes: ClassArgs,
    #[command(flatten)]
    resources: ResourceArgs,
    /// Have the tables made by the workers of NATS, such as `nats://127.0.0.1:4222`; each class by one thread of one of them
    #[cfg(feature = "nats")]
    #[arg(long, env = "LOZENGE_NATS", value_name = "URL", hide_env_values = true)]
    nats: Option<String>,
}

/// `tables probe`.
#[derive(Args, Debug)]
pub(crate) struct ProbeArgs {
    #[command(flatten)]
    tables: TablesArgs,
    /// FEN of the position.
    #[arg(required = true)]
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
    /// Threads; all processors if left out.
    #[arg(long, value_parser = whole::<u16>(1..=512))]
    threads: Option<u16>,
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
    /// A worker cannot make a table, or this machine cannot.
    #[cfg(feature = "nats")]
    #[error(transparent)]
    Job(#[from] lozenge_lab::tables::TableFault),
    /// A worker has sent a wrong table.
    #[cfg(feature = "nats")]
    #[error("the worker {worker} made a wrong table: {error}; stop it, and the same command goes on")]
    Worker {
        /// Its name.
        worker: String,
        /// The error.
        error: String,
    },
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
        Ok(Tables::open(&resolve(&self.variant)?, &self.folder.path()).map_err(TablesError::from)?)
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
}

/// Runs the command.
pub(crate) fn run(command: &TablesCommand) -> Result<(), CliError> {
    match command {
        TablesCommand::Install(args) => install(args),
        TablesCommand::Generate(args) => generate(args),
        TablesCommand::Probe(args) => probe(args),
        TablesCommand::Verify(args) => verify(args),
    }
}

fn install(args: &InstallArgs) -> Result<(), CliError> {
    let (folder, resources) = (args.folder.path(), args.resources.resources());
    let (mut files, mut bytes) = (0, 0);
    for (at, (id, pieces)) in INSTALLED.into_iter().enumerate() {
        let mut tables = open_whole(&resolve(id)?, &folder)?;
        let classes = tables.classes(pieces).map_err(TablesError::from)?;
        make(&mut tables, &classes, &folder, resources)?;
        // A later entry of the same game has its files, too.
        if INSTALLED[at + 1..].iter().all(|(later, _)| *later != id) {
            let list = tables.list();
            files += list.len();
            bytes += list.iter().filter_map(|info| info.bytes).sum::<u64>();
        }
    }
    output::line(format_args!("{files} tables, {bytes} bytes in {}", folder.display()))
}

fn generate(args: &GenerateArgs) -> Result<(), CliError> {
    let folder = args.tables.folder.path();
    let mut tables = open_whole(&resolve(&args.tables.variant)?, &folder)?;
    let classes = args.classes.of(&tables)?;
    #[cfg(feature = "nats")]
    let tables = match &args.nats {
        Some(nats) => fleet::make(nats, tables, &classes, &folder, args.resources.resources().memory)?,
        None => {
            make(&mut tables, &classes, &folder, args.resources.resources())?;
            tables
        }
    };
    #[cfg(not(feature = "nats"))]
    make(&mut tables, &classes, &folder, args.resources.resources())?;
    let list = tables.list();
    let bytes: u64 = list.iter().filter_map(|info| info.bytes).sum();
    output::line(format_args!("{} tables, {bytes} bytes", list.len()))
}

/// The tables of a game, with a line for each file that is left out.
fn open_whole(variant: &Arc<Variant>, folder: &Path) -> Result<Tables, CliError> {
    let (tables, refused) = Tables::open_whole(variant, folder).map_err(TablesError::from)?;
    for error in refused {
        output::line(format_args!("left out: {error}"))?;
    }
    Ok(tables)
}

/// Makes the tables of these classes, with a line for each that is new.
fn make(
    tables: &mut Tables,
    classes: &[Material],
    folder: &Path,
    resources: Resources,
) -> Result<(), CliError> {
    let variant = Arc::clone(tables.variant());
    let mut bar = output::Progress::new(classes.len() as u64);
    for (done, material) in (0..).zip(classes) {
        let before = tables.list().len();
        let begun = Instant::now();
        let mut show = |progress: GenerateProgress<'_>| {
            let name = progress.material.name(&variant);
            bar.show(done, || format!("{name}: {} half moves", progress.distance));
            true
        };
        if let Err(error) = tables.generate(material, Some(folder), resources, &mut show) {
            bar.end();
            return Err(TablesError::from(error).into());
        }
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
    bar.end();
    Ok(())
}

fn probe(args: &ProbeArgs) -> Result<(), CliError> {
    let mut tables = args.tables.open()?;
    let position = AnyPosition::from_fen(tables.variant(), &args.fen.join(" "))?;
    tables
        .complete(&position, Resources { threads: threads(None), memory: 1 << 30 })
        .map_err(TablesError::from)?;
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
        let census = tables.verify(&material, threads(args.threads)).map_err(TablesError::from)?;
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
