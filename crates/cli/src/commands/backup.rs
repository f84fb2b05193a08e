//! `lozenge backup` and `lozenge restore`: a copy of an SQLite database, and the way back.

use super::database::{self, Database};
use super::serve::ServeError;
use crate::CliError;
use crate::output;
use clap::Args;
use lozenge_server::Store;
use std::fs::File;
use std::io;
use std::path::PathBuf;

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
        let folder = tempfile::tempdir().map_err(ServeError::from)?;
        let file = folder.path().join("backup");
        database::wait(Store::backup(&database, &file))?;
        return output::copy(File::open(&file).map_err(ServeError::from)?);
    }
    database::wait(Store::backup(&database, &args.file))?;
    output::line(format!("{} is written", args.file.display()))
}

/// Checks a backup and puts it in the place of the database, which is kept under another name.
pub(crate) fn restore(args: &RestoreArgs) -> Result<(), CliError> {
    let database = args.database.to_be_made()?;
    let folder = tempfile::tempdir().map_err(ServeError::from)?;
    let standard = output::is_standard(&args.file);
    let file = if standard { folder.path().join("backup") } else { args.file.clone() };
    if standard {
        let copied = File::create(&file).and_then(|mut file| io::copy(&mut io::stdin().lock(), &mut file));
        copied.map_err(ServeError::from)?;
    }
    if let Some(kept) = database::wait(Store::restore(&database, &file))? {
        output::line(format!("The database that was there is kept as {}", kept.display()))?;
    }
    output::line(format!("{} is restored", args.file.display()))
}
