//! One server at a time on one database, or on PostgreSQL several that share it by NATS. Games are in a server's memory, so
//! unknown servers would miss their changes. SQLite's file itself is locked; in PostgreSQL a
//! connection of its own holds an advisory lock, which servers that know each other share.

use super::{DatabaseKind, StoreError, install_drivers, kind, sqlite_file};
use sqlx::{AnyConnection, Connection as _, Executor as _};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::Path;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

/// The right of this server, and no other, to work on a database. It ends when this is dropped, and with the process.
#[derive(Debug)]
pub struct DatabaseLock {
    held: HeldLock,
}

/// The lock of a database.
#[derive(Debug)]
enum HeldLock {
    /// The database is in memory: no other process can reach it.
    InMemory,
    /// The database's file, locked.
    File { _locked: File },
    /// A connection, kept by a task that reports when another server has taken the database.
    Connection { keeper: AbortHandle, lost: watch::Receiver<bool> },
}

/// The number of the advisory lock: "Lozenge" in ASCII, which no other program on the database is likely to choose.
const ADVISORY_LOCK: i64 = 0x004c_6f7a_656e_6765;
/// How it is taken, alone and with others.
const TRY_EXCLUSIVE: &str = "SELECT CAST(CASE WHEN pg_try_advisory_lock($1) THEN 1 ELSE 0 END AS BIGINT)";
const TRY_SHARED: &str = "SELECT CAST(CASE WHEN pg_try_advisory_lock_shared($1) THEN 1 ELSE 0 END AS BIGINT)";
/// How often the connection that holds the lock shows that it is there.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// How long it may be silent before PostgreSQL (14 and later) releases the lock: a crashed machine is silent.
const SET_IDLE_TIMEOUT: &str = "SET idle_session_timeout = '15s'";
/// How long a lock is tried by a server that starts: that another was killed is noticed a little later.
const START_TIMEOUT: Duration = Duration::from_secs(3);
/// How long by one that has lost it: its own connection may still hold it until it has been silent for too long.
const RECLAIM_TIMEOUT: Duration = Duration::from_secs(20);
/// How long PostgreSQL may take to answer beside that.
const QUERY_TIMEOUT: Duration = Duration::from_secs(10);
/// The time between two tries.
const RETRY_DELAY: Duration = Duration::from_millis(250);

impl DatabaseLock {
    /// Locks a database. SQLite's file is made if it is not there. On PostgreSQL servers that `share` it keep out those
    /// that do not, and the other way round.
    ///
    /// # Errors
    /// If another server works on it, its file cannot be opened, or PostgreSQL cannot be reached.
    pub async fn of(url: &str, share: bool) -> Result<Self, StoreError> {
        if kind(url)? == DatabaseKind::Postgres {
            return Self::of_postgres(url, if share { TRY_SHARED } else { TRY_EXCLUSIVE }).await;
        }
        let Some(path) = sqlite_file(url)? else { return Ok(Self { held: HeldLock::InMemory }) };
        Ok(Self { held: HeldLock::File { _locked: lock_file(&path)? } })
    }

    async fn of_postgres(url: &str, statement: &'static str) -> Result<Self, StoreError> {
        install_drivers();
        let connection = locked(url, statement, START_TIMEOUT).await?.ok_or(StoreError::Taken)?;
        let (lost_sender, lost) = watch::channel(false);
        let keeper =
            tokio::spawn(keep_lock(url.to_owned(), statement, connection, lost_sender)).abort_handle();
        Ok(Self { held: HeldLock::Connection { keeper, lost } })
    }

    /// Until another server has taken the database, which it can when this one's connection was lost.
    pub fn lost(&self) -> impl Future<Output = ()> + Send + use<> {
        let lost = match &self.held {
            HeldLock::Connection { lost, .. } => Some(lost.clone()),
            HeldLock::InMemory | HeldLock::File { .. } => None,
        };
        async move {
            if let Some(mut lost) = lost
                && lost.wait_for(|lost| *lost).await.is_ok()
            {
                return;
            }
            std::future::pending().await
        }
    }
}

impl Drop for DatabaseLock {
    fn drop(&mut self) {
        if let HeldLock::Connection { keeper, .. } = &self.held {
            keeper.abort();
        }
    }
}

/// Makes an empty file that only its owner can read, unless there is one. SQLite gives its log the same rights.
pub(super) fn create_private(path: &Path) -> Result<File, StoreError> {
    let mut options = File::options();
    options.create(true).read(true).append(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|error| StoreError::File { path: path.to_owned(), error })
}

/// Locks SQLite's file, independent of its path: the lock belongs to the file (`flock`), and does not touch those
/// that SQLite itself takes on ranges of it.
#[cfg(unix)]
pub(super) fn lock_file(path: &Path) -> Result<File, StoreError> {
    use std::os::unix::fs::MetadataExt as _;
    let unusable = |error| StoreError::File { path: path.to_owned(), error };
    loop {
        let file = create_private(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        // A restore may have replaced the file since it was opened.
        let (locked, current) = (file.metadata().map_err(unusable)?, std::fs::metadata(path));
        if current.is_ok_and(|current| (current.dev(), current.ino()) == (locked.dev(), locked.ino())) {
            return Ok(file);
        }
    }
}

/// Locks a file beside SQLite's: here a lock on the file itself would keep SQLite out, too.
#[cfg(not(unix))]
pub(super) fn lock_file(path: &Path) -> Result<File, StoreError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".lock");
    let file = create_private(Path::new(&name))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path.to_owned())),
        Err(TryLockError::Error(error)) => Err(StoreError::File { path: path.to_owned(), error }),
    }
}

/// A new connection that holds the lock. None if another server holds it all the time, an error if PostgreSQL does not answer.
async fn locked(
    url: &str,
    statement: &'static str,
    time: Duration,
) -> Result<Option<AnyConnection>, sqlx::Error> {
    let silent = |_| Err(sqlx::Error::Io(ErrorKind::TimedOut.into()));
    timeout(time + QUERY_TIMEOUT, try_locked(url, statement, time)).await.unwrap_or_else(silent)
}

/// The same, however long the answers take.
async fn try_locked(
    url: &str,
    statement: &'static str,
    time: Duration,
) -> Result<Option<AnyConnection>, sqlx::Error> {
    let end = Instant::now() + time;
    let mut connection = AnyConnection::connect(url).await?;
    if let Err(error) = connection.execute(SET_IDLE_TIMEOUT).await {
        tracing::debug!(%error, "PostgreSQL before 14 does not release the lock of a silent client");
    }
    while !lock(&mut connection, statement).await? {
        if Instant::now() >= end {
            return Ok(None);
        }
        sleep(RETRY_DELAY).await;
    }
    Ok(Some(connection))
}

/// Takes the lock for a connection, if it is free.
async fn lock(connection: &mut AnyConnection, statement: &'static str) -> Result<bool, sqlx::Error> {
    let (free,): (i64,) = sqlx::query_as(statement).bind(ADVISORY_LOCK).fetch_one(connection).await?;
    Ok(free == 1)
}

/// Keeps the lock, and takes it again after its connection was lost, until another server has it.
async fn keep_lock(
    url: String,
    statement: &'static str,
    mut connection: AnyConnection,
    lost: watch::Sender<bool>,
) {
    loop {
        sleep(HEARTBEAT_INTERVAL).await;
        if matches!(timeout(HEARTBEAT_INTERVAL, connection.ping()).await, Ok(Ok(()))) {
            continue;
        }
        tracing::warn!("the connection that holds the database for this server was lost");
        connection = loop {
            match locked(&url, statement, RECLAIM_TIMEOUT).await {
                Ok(Some(connection)) => break connection,
                Ok(None) => {
                    lost.send_replace(true);
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "the database cannot be held yet");
                    sleep(HEARTBEAT_INTERVAL).await;
                }
            }
        };
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    fn url(path: &Path) -> String {
        format!("sqlite:{}", path.display())
    }

    #[tokio::test]
    async fn database_lock_follows_the_file_not_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let first = DatabaseLock::of(&url(&path("a.sqlite")), false).await.unwrap();
        std::fs::hard_link(path("a.sqlite"), path("hard")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(path("a.sqlite"), path("soft")).unwrap();
        let mut names = vec![path("a.sqlite"), path("a%2Esqlite"), path("hard"), path("./a.sqlite")];
        if cfg!(unix) {
            names.push(path("soft"));
        }
        // A lock file of an earlier version may go.
        std::fs::write(path("a.sqlite.lock"), "").unwrap();
        std::fs::remove_file(path("a.sqlite.lock")).unwrap();
        for name in names {
            let second = DatabaseLock::of(&url(&name), false).await;
            assert!(matches!(second, Err(StoreError::InUse(_))), "{}", name.display());
        }
        drop(first);
        assert!(DatabaseLock::of(&url(&path("hard")), false).await.is_ok());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn new_database_is_readable_only_by_its_owner() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let _lock = DatabaseLock::of(&url(&path), false).await.unwrap();
        let store = crate::Store::open(&url(&path)).await.unwrap();
        store.beat(1).await.unwrap();
        for name in ["a.sqlite", "a.sqlite-wal", "a.sqlite-shm"] {
            let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
        store.close().await;
    }

    #[tokio::test(start_paused = true)]
    async fn silent_database_server_times_out() {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("postgres://lozenge@{}/lozenge", silent.local_addr().unwrap());
        assert!(matches!(DatabaseLock::of(&url, false).await, Err(StoreError::Database(sqlx::Error::Io(_)))));
    }
}
