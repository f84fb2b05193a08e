//! What is kept: users, games and what happened in them, in SQLite or PostgreSQL. One SQL text for both; the
//! migrations are compiled in. Not here: what any of it means.

mod chat;
mod claim;
mod erasure;
mod games;
mod journal;
mod moderation;
mod networks;
mod ratings;
mod reports;
mod security;
mod seeks;
mod sessions;
mod tokens;
mod users;

pub(crate) use chat::ChatRow;
pub(crate) use claim::Claim;
pub(crate) use games::{GameRow, Listing, NewGameRow, PlayedRow, RulesRow};
pub(crate) use journal::{Append, People, Summary};
pub(crate) use moderation::Order;
pub use moderation::{ModerationError, Moderator, Sanction, UserRecord};
pub use reports::Report;
pub(crate) use security::Purpose;
pub(crate) use tokens::{Kept, secret_digest};
pub(crate) use users::UserRow;

use journal::Journal;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyPool, Connection as _, Executor as _};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::time::Duration;

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The address of the database is none that is understood: how it begins. The rest may be a secret.
    #[error("expected a database as sqlite:PATH or postgres://…, found one that begins with `{0}`")]
    Url(String),
    /// Only a file can be copied.
    #[error("expected an SQLite database, which can be copied, found PostgreSQL, which has pg_dump for that")]
    NoFile,
    /// The database said no.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The database could not be brought up to date.
    #[error("bringing the database up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// What is in the database is not what this program writes.
    #[error("expected {expected} in the database, found `{found}`")]
    Content {
        /// What should have been there.
        expected: &'static str,
        /// What was.
        found: String,
    },
    /// Another server works on the same file.
    #[error("expected a database that no server has open, found another server at work on it (it holds {})", .0.display())]
    InUse(PathBuf),
    /// Another server works on the same database of PostgreSQL.
    #[error("expected a database that no server has open, found another server at work on it")]
    Taken,
    /// That no other server works on the file cannot be made sure.
    #[error("locking {}: {error}", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The server is closing.
    #[error("the store is closed")]
    Closed,
}

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sqlite,
    Postgres,
}

/// The database. Clones share it.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    journal: Journal,
}

/// What every connection to SQLite is told: a log written ahead, each commit forced to the disk.
const SQLITE: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 10000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000;";

impl Store {
    /// Opens a database and brings it up to date. SQLite's file is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be reached, or belongs to a later program.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let kind = kind(url)?;
        let mut url = url.to_owned();
        if kind == Kind::Sqlite && !url.contains("mode=") {
            url.push_str(if url.contains('?') { "&mode=rwc" } else { "?mode=rwc" });
        }
        let options = AnyConnectOptions::from_str(&url).map_err(|_| unknown(&url))?;
        let pool = AnyPoolOptions::new()
            .max_connections(if kind == Kind::Sqlite { 4 } else { 16 })
            .acquire_timeout(Duration::from_secs(10))
            // A file does not go away between two questions.
            .test_before_acquire(kind != Kind::Sqlite)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if kind == Kind::Sqlite {
                        connection.execute(SQLITE).await?;
                    }
                    Ok(())
                })
            })
            .connect_with(options)
            .await?;
        sqlx::migrate!("./migrations").run(&pool).await?;
        let journal = Journal::start(pool.clone(), kind);
        Ok(Self { pool, journal })
    }

    /// The address of the SQLite file in a folder.
    #[must_use]
    pub fn sqlite_url(folder: &Path) -> String {
        format!("sqlite:{}", folder.join("lozenge.sqlite").display())
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// If it does not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.pool.acquire().await?.ping().await?;
        Ok(())
    }

    /// Writes a complete copy of an SQLite database to a new file, also while a server writes to it.
    ///
    /// # Errors
    /// If the database is none of SQLite's, or the copy cannot be written.
    pub async fn backup(url: &str, target: &Path) -> Result<(), StoreError> {
        if kind(url)? != Kind::Sqlite {
            return Err(StoreError::NoFile);
        }
        sqlx::any::install_default_drivers();
        let mut connection = sqlx::AnyConnection::connect(url).await?;
        sqlx::query("VACUUM INTO $1").bind(target.display().to_string()).execute(&mut connection).await?;
        Ok(())
    }

    /// Waits until everything is written, and closes.
    pub async fn close(&self) {
        self.journal.close().await;
        self.pool.close().await;
    }

    /// Remembers that the server runs now.
    ///
    /// # Errors
    /// If the database says no.
    pub async fn beat(&self, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at",
        )
        .bind(now)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// When the server last ran.
    ///
    /// # Errors
    /// If the database says no.
    pub async fn last_beat(&self) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> =
            sqlx::query_as("SELECT at FROM heartbeat WHERE one = 1").fetch_optional(&self.pool).await?;
        Ok(row.map(|(at,)| at))
    }
}

fn kind(url: &str) -> Result<Kind, StoreError> {
    match url.split_once(':') {
        Some(("sqlite", _)) => Ok(Kind::Sqlite),
        Some(("postgres" | "postgresql", _)) => Ok(Kind::Postgres),
        _ => Err(unknown(url)),
    }
}

/// The fault of an address, of which no more is said than its scheme.
fn unknown(url: &str) -> StoreError {
    StoreError::Url(url.split_once(':').map_or("", |(scheme, _)| scheme).to_owned())
}

/// JSON that this program itself has written.
fn read_json<T: serde::de::DeserializeOwned>(expected: &'static str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Content { expected, found: text.into() })
}

/// A value as JSON text. The types that are kept have no case that could fail.
fn write_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

/// The value that [`word`] has written.
pub(crate) fn read_word<T: serde::de::DeserializeOwned>(
    expected: &'static str,
    word: &str,
) -> Result<T, StoreError> {
    let value = serde_json::Value::String(word.to_owned());
    serde_json::from_value(value).map_err(|_| StoreError::Content { expected, found: word.into() })
}

/// The wire's own word for a value without data, such as a speed.
pub(crate) fn word<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
