//! Which database a command works on, and how commands that only ask it something wait for the answer.

use super::serve::ServeError;
use clap::Args;
use lozenge_server::Store;
use std::path::PathBuf;

/// The database.
#[derive(Args, Debug)]
pub(crate) struct Database {
    /// The database: `sqlite:PATH` or `postgres://…`; a file in the data folder if left out.
    #[arg(long, global = true, env = "LOZENGE_DATABASE", hide_env_values = true)]
    database: Option<String>,
    /// The data folder.
    #[arg(long, global = true, default_value = "lozenge-data", env = "LOZENGE_DATA")]
    data: PathBuf,
}

impl Database {
    fn address(&self) -> String {
        self.database.clone().unwrap_or_else(|| Store::sqlite_url(&self.data))
    }

    /// The address of a database that may come to be: where it is a file in the data folder, the folder is made.
    pub(super) fn to_be_made(&self) -> Result<String, ServeError> {
        if self.database.is_none() {
            let folder = self.data.clone();
            std::fs::create_dir_all(&folder).map_err(|error| ServeError::Folder { folder, error })?;
        }
        Ok(self.address())
    }

    /// The address of a database that has to be there: opening an SQLite file that is not would make it.
    pub(super) fn existing(&self) -> Result<String, ServeError> {
        let address = self.address();
        match Store::file(&address)? {
            Some(file) if !file.exists() => Err(ServeError::NoDatabase(file)),
            _ => Ok(address),
        }
    }
}

/// Waits for the answer of a database.
pub(super) fn wait<T, E>(answer: impl Future<Output = Result<T, E>>) -> Result<T, ServeError>
where
    ServeError: From<E>,
{
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(answer)?)
}
