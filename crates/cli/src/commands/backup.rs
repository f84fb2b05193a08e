//! `lozenge backup` and `lozenge restore`: a copy of an SQLite database, and the way back.

use super::database::{self, Database};
use crate::CliError;
use crate::output;
use clap::Args;
use lozenge_server::Store;
use std::path::PathBuf;

/// `backup`.
#[derive(Args, Debug)]
pub(crate) struct BackupArgs {
    /// The file to write; it must not be there yet.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

/// `restore`.
#[derive(Args, Debug)]
pub(crate) struct RestoreArgs {
    /// The backup: a file that `lozenge backup` has written.
    file: PathBuf,
    #[command(flatten)]
    database: Database,
}

/// Copies the database to a new file.
pub(crate) fn backup(args: &BackupArgs) -> Result<(), CliError> {
    let database = args.database.existing()?;
    database::wait(Store::backup(&database, &args.file))?;
    output::line(format!("{} is written", args.file.display()))
}

/// Checks a backup and puts it in the place of the database, which is kept under another name.
pub(crate) fn restore(args: &RestoreArgs) -> Result<(), CliError> {
    let database = args.database.to_be_made()?;
    if let Some(kept) = database::wait(Store::restore(&database, &args.file))? {
        output::line(format!("The database that was there is kept as {}", kept.display()))?;
    }
    output::line(format!("{} is restored", args.file.display()))
}
