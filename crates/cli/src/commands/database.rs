//! The database of a command, and `lozenge backup` and `lozenge restore`.

use crate::error::{CliError, CommandError};
use crate::output;
use clap::Args;
use lozenge_store::{ModerationError, Store, StoreError};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// The data folder where none is named.
pub(super) const DATA_FOLDER: &str = "lozenge-data";

/// The database.
#[derive(Args, Debug)]
pub(crate) struct Database {
    /// The database: `sqlite:PATH` or `postgres://…`; a file in the data folder if left out.
    #[arg(long, global = true, env = "LOZENGE_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// The data folder.
    #[arg(long, global = true, default_value = DATA_FOLDER, env = "LOZENGE_DATA")]
    data: PathBuf,
}

/// Why a command's database cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DatabaseError {
    /// The data folder cannot be created.
    #[error("the data folder {}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The database cannot be opened, or a query failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A change of users or reports was refused.
    #[error(transparent)]
    Moderation(#[from] ModerationError),
    /// The database does not exist.
    #[error("expected a database at {}, found nothing", .0.display())]
    Missing(PathBuf),
    /// A file cannot be copied, or the system refuses a thread.
    #[error("database: {0}")]
    Io(#[from] io::Error),
}

impl CommandError for DatabaseError {}

impl Database {
    /// The data folder.
    pub(super) fn folder(&self) -> &Path {
        &self.data
    }

    fn url(&self) -> String {
        self.database.clone().unwrap_or_else(|| Store::sqlite_url(&self.data))
    }

    /// The URL of the database, which need not exist. Creates the data folder if the database is a file in it.
    pub(super) fn new_or_existing(&self) -> Result<String, DatabaseError> {
        if self.database.is_none() {
            let folder = self.data.clone();
            std::fs::create_dir_all(&folder).map_err(|error| DatabaseError::Folder { folder, error })?;
        }
        Ok(self.url())
    }

    /// The URL of a database that must exist. Without this check SQLite would create a missing file.
    pub(super) fn existing(&self) -> Result<String, DatabaseError> {
        let url = self.url();
        match Store::file(&url)? {
            Some(file) if !file.exists() => Err(DatabaseError::Missing(file)),
            _ => Ok(url),
        }
    }
}

/// Runs a query and waits for its result.
pub(super) fn wait<T, E>(answer: impl Future<Output = Result<T, E>>) -> Result<T, DatabaseError>
where
    DatabaseError: From<E>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(answer)?)
}

/// `backup`.
#[derive(Args, Debug)]
pub(crate) struct BackupArgs {
    /// The file to write, which must not exist yet; `-` is standard output.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

/// `restore`.
#[derive(Args, Debug)]
pub(crate) struct RestoreArgs {
    /// The backup: a file that `lozenge backup` has written; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

/// Copies the database to a new file.
pub(crate) fn backup(args: &BackupArgs) -> Result<(), CliError> {
    let database = args.database.existing()?;
    if output::is_standard(&args.file) {
        // SQLite writes only to files.
        let folder = tempfile::tempdir().map_err(DatabaseError::from)?;
        let file = folder.path().join("backup");
        wait(Store::backup(&database, &file))?;
        return output::copy(File::open(&file).map_err(DatabaseError::from)?);
    }
    wait(Store::backup(&database, &args.file))?;
    output::line(format!("{} is written", args.file.display()))
}

/// Checks a backup and replaces the database by it. The old database stays under another name.
pub(crate) fn restore(args: &RestoreArgs) -> Result<(), CliError> {
    let database = args.database.new_or_existing()?;
    let folder = tempfile::tempdir().map_err(DatabaseError::from)?;
    let standard = output::is_standard(&args.file);
    let file = if standard { folder.path().join("backup") } else { args.file.clone() };
    if standard {
        let copied = File::create(&file).and_then(|mut file| io::copy(&mut io::stdin().lock(), &mut file));
        copied.map_err(DatabaseError::from)?;
    }
    if let Some(kept) = wait(Store::restore(&database, &file))? {
        output::line(format!("The database that was there is kept as {}", kept.display()))?;
    }
    output::line(format!("{} is restored", args.file.display()))
}
