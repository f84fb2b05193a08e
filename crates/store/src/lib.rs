//! The database: users, games and their events, in SQLite or PostgreSQL. One SQL text for both; the
//! migrations are compiled in. Not here: what any of it means.

mod backup;
mod challenges;
mod chat;
mod content;
mod erasure;
mod explorer;
mod games;
mod jobs;
mod journal;
mod lab;
mod lessons;
mod lobby;
mod lock;
mod migrations;
mod moderation;
mod networks;
mod nodes;
mod piece_pictures;
mod publish;
mod push;
mod puzzle_votes;
mod puzzles;
mod ratings;
mod refusals;
mod reports;
mod reviews;
mod row;
mod secret;
mod security;
mod seeks;
mod sessions;
mod studies;
mod tokens;
mod users;
mod variants;
mod write;

pub use challenges::ChallengeRow;
pub use chat::ChatRow;
pub use content::{ContentDetails, ContentEntry, ContentKind, ContentReport, ReportSubject};
pub use explorer::ExploredGame;
pub use games::{GameOrigin, GameRow, Listing, NewGameRow, PlayedRow, PlayerResult, RulesRow};
pub use journal::{Append, CancelFlag, WriteError};
pub use lab::{LabEnqueueOutcome, LabRow};
pub use lessons::CourseRow;
pub use lock::DatabaseLock;
pub use moderation::Order;
pub use moderation::{ListingSanction, ModerationError, Moderator, Sanction, UserRecord};
pub use nodes::{GameHead, NodeRow};
pub use piece_pictures::PictureRow;
pub use publish::{PublishOutcome, PublishRow};
pub use push::PushRow;
pub use puzzles::{PuzzleChoice, PuzzleEnd, PuzzleRoundRow, PuzzleRow};
pub use ratings::LeaderFilter;
pub use reports::ChatReport;
pub use reviews::{ImportRow, ReviewRow};
pub use secret::secret_digest;
pub use security::Purpose;
pub use seeks::{SeekEntry, SeekFilter};
pub use studies::{
    ChapterRow, EditRow, MAX_CHAPTERS, MemberRow, NewChapterRow, NewStudyRow, StudiesOf, StudyListing,
    StudyOutline, StudyRow,
};
pub use tokens::TokenOutcome;
pub use users::UserRow;
pub use variants::{CommentRow, DraftRow, Sort, VariantListing, VariantRow};

use futures_util::future::BoxFuture;
use journal::Journal;
use lozenge_game::convert::word;
use lozenge_queue::{QueueSettings, Rows};
use migrations::{MIGRATIONS, MIGRATIONS_AMONG_OTHERS};
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::{AnyPool, Connection as _, Executor as _};
use sqlx_sqlite::SqliteConnectOptions;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout};
use write::WriteTurns;

/// Longest wait for connections that are to be closed.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Why the store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Unsupported database URL: how it begins. The rest may be a secret.
    #[error("expected a database as sqlite:PATH or postgres://…, found one that begins with `{0}`")]
    Url(String),
    /// Only a file can be copied.
    #[error("expected an SQLite database, which can be copied, found PostgreSQL, which has pg_dump for that")]
    NoFile,
    /// The database failed.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The database could not be brought up to date.
    #[error("bringing the database up to date: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The database has a value that this program does not write.
    #[error("expected {expected} in the database, found `{found}`")]
    Content {
        /// The expected value.
        expected: &'static str,
        /// The actual value.
        found: String,
    },
    /// Another server works on the same file.
    #[error("expected a database that no server has open, found another server at work on {}", .0.display())]
    InUse(PathBuf),
    /// Another server works on the same database of PostgreSQL.
    #[error("expected a database that no server has open, found another server at work on it")]
    Taken,
    /// A file of the database cannot be opened, locked, copied or renamed.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// The file is no sound database of this program.
    #[error("{} is damaged: {}", path.display(), faults.join("; "))]
    Damaged {
        /// Which.
        path: PathBuf,
        /// The message of SQLite's check.
        faults: Vec<String>,
    },
    /// The file is a sound database, but none of this program's.
    #[error("expected a database of Lozenge, found another SQLite database: {}", .0.display())]
    Foreign(PathBuf),
    /// A file stands where one is to be written.
    #[error("expected the name of a new file, found {}, which is there already", .0.display())]
    Occupied(PathBuf),
    /// The seek or challenge that was to become a game is not open any more.
    #[error("expected an open seek or challenge, found one that is closed")]
    OriginGone,
    /// The lease of this server ended while it waited for the database.
    #[error("expected an answer while this server has its lease, found none")]
    LeaseOver,
    /// Another server has edited the study meanwhile.
    #[error("expected the study as it was read, found later edits in it")]
    Overtaken,
    /// NATS, which several servers on one database need, cannot be used.
    #[error("{0}")]
    Nats(String),
    /// Another server of this name is at work on the database.
    #[error(
        "expected the name of no server that is at work on the database (--node-id), found `{0}`, which is"
    )]
    NameTaken(String),
    /// The server is closing.
    #[error("the store is closed")]
    Closed,
}

/// Which database it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// The database. Clones share it. A method that returns a [`StoreError`] does so if the database fails or has a value that this
/// program does not write; others are named where they occur. Times are Unix milliseconds.
#[derive(Clone, Debug)]
pub struct Store {
    pool: AnyPool,
    /// The path of an SQLite file.
    turns: Option<Arc<WriteTurns>>,
    journal: Journal,
    queue: Rows,
    checked: Arc<Mutex<Option<WriteCheck>>>,
}

/// When the database was last checked for taking writes, and the result.
type WriteCheck = (Instant, Result<(), String>);

/// How long the answer of a readiness check stands: probes cost one write a second at most.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// The options of every connection to SQLite: a write-ahead log, a sync with each commit, and zeros over what is deleted:
/// nothing of a deleted account stays in free pages.
const SQLITE: &str = "PRAGMA secure_delete = ON; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 10000; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 8000;";

/// Those of a connection to PostgreSQL: the locks of a server that stands still are released soon.
const POSTGRES: &str = "SET idle_in_transaction_session_timeout = '2s'";

pub use lozenge_queue::install_drivers;

impl Store {
    /// Opens a database and brings it up to date. SQLite's file is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be reached, or belongs to a later program.
    pub fn open(url: &str) -> BoxFuture<'_, Result<Self, StoreError>> {
        // Boxed, so that its code is compiled here and not in each crate that waits for it.
        Box::pin(Self::open_now(url))
    }

    async fn open_now(url: &str) -> Result<Self, StoreError> {
        install_drivers();
        let kind = kind(url)?;
        let mut url = url.to_owned();
        if kind == DatabaseKind::Sqlite && !url.contains("mode=") {
            url.push_str(if url.contains('?') { "&mode=rwc" } else { "?mode=rwc" });
        }
        if let Some(file) = sqlite_file(&url)? {
            lock::create_private(&file)?;
        }
        backup::check_schema(&url).await?;
        let options = AnyConnectOptions::from_str(&url).map_err(|_| unknown(&url))?;
        let pool = AnyPoolOptions::new()
            .max_connections(if kind == DatabaseKind::Sqlite { 4 } else { 16 })
            .acquire_timeout(Duration::from_secs(10))
            // A file does not go away between two questions.
            .test_before_acquire(kind != DatabaseKind::Sqlite)
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    connection.execute(if kind == DatabaseKind::Sqlite { SQLITE } else { POSTGRES }).await?;
                    Ok(())
                })
            })
            // A connection that is still in a transaction, or believes so, is closed. After a failed COMMIT SQLite may
            // have rolled back by itself, and each later write would vanish in a transaction that never ends.
            .after_release(move |connection, _| {
                Box::pin(async move {
                    if kind == DatabaseKind::Sqlite {
                        connection.execute("BEGIN; COMMIT").await?;
                    }
                    Ok(!connection.is_in_transaction())
                })
            })
            .connect_with(options)
            .await?;
        backup::check_integrity(&pool, &url).await?;
        match kind {
            DatabaseKind::Sqlite => MIGRATIONS.run(&pool).await?,
            DatabaseKind::Postgres => MIGRATIONS_AMONG_OTHERS.run(&pool).await?,
        }
        check_floor(&pool).await?;
        let turns = (kind == DatabaseKind::Sqlite).then(Arc::<WriteTurns>::default);
        let journal = Journal::start(pool.clone(), kind, turns.clone());
        let others = turns.clone().map(|turns| turns as Arc<dyn lozenge_queue::WriteTurns>);
        let queue = Rows::new(pool.clone(), kind == DatabaseKind::Postgres, others, QueueSettings::default());
        Ok(Self { pool, turns, journal, queue, checked: Arc::default() })
    }

    /// Whether several servers can share a database: one of PostgreSQL.
    ///
    /// # Errors
    /// If the address is not understood.
    pub fn is_shared(url: &str) -> Result<bool, StoreError> {
        Ok(kind(url)? == DatabaseKind::Postgres)
    }

    /// The queue of jobs for the engine.
    pub fn queue(&self) -> &Rows {
        &self.queue
    }

    /// The address of the SQLite file in a folder.
    #[must_use]
    pub fn sqlite_url(folder: &Path) -> String {
        format!("sqlite:{}", escaped(&folder.join("lozenge.sqlite")))
    }

    /// The file of an SQLite database as SQLite opens it; `None` where the database is not a file.
    ///
    /// # Errors
    /// If the address is not understood.
    pub fn file(url: &str) -> Result<Option<PathBuf>, StoreError> {
        sqlite_file(url)
    }

    /// Whether the database takes writes, by the connection that moves are written by. Asked often, it answers from
    /// what it found within the last second.
    ///
    /// # Errors
    /// Why it does not.
    pub async fn check_writable(&self, now: i64) -> Result<(), String> {
        let mut checked = self.checked.lock().await;
        if let Some((at, found)) = &*checked
            && at.elapsed() < CHECK_EVERY
        {
            return found.clone();
        }
        let found = self.beat(now).await.map_err(|error| error.to_string());
        *checked = Some((Instant::now(), found.clone()));
        found
    }

    /// Waits until everything is written, and closes. A connection that does not answer any more is not waited for.
    pub async fn close(&self) {
        self.journal.close().await;
        if timeout(CLOSE_TIMEOUT, self.pool.close()).await.is_err() {
            tracing::warn!("a connection to the database does not answer");
        }
    }

    /// Remembers that the server runs now.
    ///
    /// # Errors
    /// If the database returns an error.
    pub async fn beat(&self, now: i64) -> Result<(), StoreError> {
        self.journal.heartbeat(now).await
    }

    /// When the server last ran.
    ///
    /// # Errors
    /// If the database returns an error.
    pub async fn last_beat(&self) -> Result<Option<i64>, StoreError> {
        let row: Option<(i64,)> =
            sqlx::query_as("SELECT at FROM heartbeat WHERE one = 1").fetch_optional(&self.pool).await?;
        Ok(row.map(|(at,)| at))
    }
}

/// Refuses a database whose schema lacks something that this program needs: a later migration has declared it.
async fn check_floor(pool: &AnyPool) -> Result<(), StoreError> {
    let (oldest,): (i64,) =
        sqlx::query_as("SELECT oldest FROM schema_floor WHERE one = 1").fetch_one(pool).await?;
    if oldest > Store::schema() {
        return Err(sqlx::migrate::MigrateError::VersionMissing(oldest).into());
    }
    Ok(())
}

fn kind(url: &str) -> Result<DatabaseKind, StoreError> {
    match url.split_once(':') {
        Some(("sqlite", _)) => Ok(DatabaseKind::Sqlite),
        Some(("postgres" | "postgresql", _)) => Ok(DatabaseKind::Postgres),
        _ => Err(unknown(url)),
    }
}

/// A path as it stands in an address, where some letters begin an escape or the parameters.
fn escaped(path: &Path) -> String {
    path.display().to_string().replace('%', "%25").replace('?', "%3F").replace('#', "%23")
}

/// The file of an SQLite database as SQLite opens it, with `%2E` and parameters resolved; `None` where there is no file.
fn sqlite_file(url: &str) -> Result<Option<PathBuf>, StoreError> {
    if kind(url)? != DatabaseKind::Sqlite || url.contains(":memory:") || url.contains("mode=memory") {
        return Ok(None);
    }
    let options = SqliteConnectOptions::from_str(url).map_err(|_| unknown(url))?;
    Ok(Some(options.get_filename().to_owned()))
}

/// The fault of an address, of which only the scheme is shown.
fn unknown(url: &str) -> StoreError {
    StoreError::Url(url.split_once(':').map_or("", |(scheme, _)| scheme).to_owned())
}

/// JSON that this program itself has written.
pub fn read_json<T: serde::de::DeserializeOwned>(
    expected: &'static str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Content { expected, found: text.into() })
}

/// A value as JSON text. The types that are stored have no case that could fail.
pub fn write_json<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".into())
}

/// The value that [`word`] has written.
pub fn read_word<T: serde::de::DeserializeOwned>(
    expected: &'static str,
    word: &str,
) -> Result<T, StoreError> {
    let value = serde_json::Value::String(word.to_owned());
    serde_json::from_value(value).map_err(|_| StoreError::Content { expected, found: word.into() })
}

#[cfg(test)]
mod tests {
    /// The tables of the queue are those that its own tests use; a later change of them needs a migration.
    #[test]
    fn queue_schema_matches_the_migrations() {
        assert_eq!(include_str!("../migrations/0045_jobs.sql"), lozenge_queue::SCHEMA);
    }
}
