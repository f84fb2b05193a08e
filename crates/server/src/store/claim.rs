//! One server at a time on one database: games are in the server's memory, and a second would not hear what happens
//! in the first. A file is locked beside it; in PostgreSQL a connection of its own holds an advisory lock.

use super::{Kind, StoreError, kind};
use sqlx::{AnyConnection, Connection as _, Executor as _};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

/// That this server, and no other, works on a database. It ends when this is dropped, and with the process.
#[derive(Debug)]
pub(crate) struct Claim {
    held: Held,
}

/// What keeps other servers away.
#[derive(Debug)]
enum Held {
    /// Nobody else can reach the database.
    Alone,
    /// A locked file.
    File { _locked: File },
    /// A connection, kept by a task that says when another server has taken the database.
    Connection { keeper: AbortHandle, lost: watch::Receiver<bool> },
}

/// The number of the advisory lock: "Lozenge" in ASCII, which no other program on the database is likely to choose.
const LOCK: i64 = 0x004c_6f7a_656e_6765;
/// How often the connection that holds the lock shows that it is there.
const BEAT: Duration = Duration::from_secs(2);
/// How long it may say nothing before PostgreSQL (14 and later) takes the lock from it: a machine that has gone says nothing.
const SILENCE: &str = "SET idle_session_timeout = '15s'";
/// How long a lock is tried by a server that starts: that another was killed is noticed a little later.
const START: Duration = Duration::from_secs(3);
/// How long by one that has lost it: its own connection may still hold it until it has been silent for too long.
const AGAIN: Duration = Duration::from_secs(20);
/// How long PostgreSQL may take to answer beside that.
const ANSWER: Duration = Duration::from_secs(10);
/// The time between two tries.
const PAUSE: Duration = Duration::from_millis(250);

impl Claim {
    /// Claims a database.
    ///
    /// # Errors
    /// If another server works on it, its lock file, which lies beside the database, cannot be made, or PostgreSQL
    /// cannot be reached.
    pub(crate) async fn of(url: &str) -> Result<Self, StoreError> {
        if kind(url)? == Kind::Postgres {
            return Self::of_postgres(url).await;
        }
        let Some(path) = lock_path(url)? else { return Ok(Self { held: Held::Alone }) };
        let unusable = |error| StoreError::Lock { path: path.clone(), error };
        let file = File::options().create(true).append(true).open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { held: Held::File { _locked: file } }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path)),
            Err(TryLockError::Error(error)) => Err(unusable(error)),
        }
    }

    async fn of_postgres(url: &str) -> Result<Self, StoreError> {
        sqlx::any::install_default_drivers();
        let connection = locked(url, START).await?.ok_or(StoreError::Taken)?;
        let (told, lost) = watch::channel(false);
        let keeper = tokio::spawn(keep(url.to_owned(), connection, told)).abort_handle();
        Ok(Self { held: Held::Connection { keeper, lost } })
    }

    /// Until another server has taken the database, which it can when this one's connection was lost.
    pub(crate) fn lost(&self) -> impl Future<Output = ()> + Send + use<> {
        let lost = match &self.held {
            Held::Connection { lost, .. } => Some(lost.clone()),
            Held::Alone | Held::File { .. } => None,
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

impl Drop for Claim {
    fn drop(&mut self) {
        if let Held::Connection { keeper, .. } = &self.held {
            keeper.abort();
        }
    }
}

/// A new connection that holds the lock; none if another does for all this time. A server that says nothing is a fault.
async fn locked(url: &str, time: Duration) -> Result<Option<AnyConnection>, sqlx::Error> {
    let silent = |_| Err(sqlx::Error::Io(ErrorKind::TimedOut.into()));
    timeout(time + ANSWER, tried(url, time)).await.unwrap_or_else(silent)
}

/// The same, however long the answers take.
async fn tried(url: &str, time: Duration) -> Result<Option<AnyConnection>, sqlx::Error> {
    let end = Instant::now() + time;
    let mut connection = AnyConnection::connect(url).await?;
    if let Err(error) = connection.execute(SILENCE).await {
        tracing::debug!(%error, "PostgreSQL before 14 does not take a lock from whoever is silent");
    }
    while !lock(&mut connection).await? {
        if Instant::now() >= end {
            return Ok(None);
        }
        sleep(PAUSE).await;
    }
    Ok(Some(connection))
}

/// Takes the lock for a connection, if nobody has it.
async fn lock(connection: &mut AnyConnection) -> Result<bool, sqlx::Error> {
    let (free,): (i64,) =
        sqlx::query_as("SELECT CAST(CASE WHEN pg_try_advisory_lock($1) THEN 1 ELSE 0 END AS BIGINT)")
            .bind(LOCK)
            .fetch_one(connection)
            .await?;
    Ok(free == 1)
}

/// Keeps the lock, and takes it again after its connection was lost, until another server has it.
async fn keep(url: String, mut connection: AnyConnection, lost: watch::Sender<bool>) {
    loop {
        sleep(BEAT).await;
        if matches!(timeout(BEAT, connection.ping()).await, Ok(Ok(()))) {
            continue;
        }
        tracing::warn!("the connection that holds the database for this server was lost");
        connection = loop {
            match locked(&url, AGAIN).await {
                Ok(Some(connection)) => break connection,
                Ok(None) => {
                    lost.send_replace(true);
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, "the database cannot be held yet");
                    sleep(BEAT).await;
                }
            }
        };
    }
}

/// Where the lock of a database lies; `None` where there is no file.
fn lock_path(url: &str) -> Result<Option<PathBuf>, StoreError> {
    let is_file = kind(url)? == Kind::Sqlite && !url.contains(":memory:") && !url.contains("mode=memory");
    let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    Ok(is_file.then(|| PathBuf::from(format!("{path}.lock"))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    #[test]
    fn the_lock_lies_beside_the_database() {
        let path = |url| lock_path(url).unwrap().map(|path| path.display().to_string());
        assert_eq!(path("sqlite:a/b.sqlite").as_deref(), Some("a/b.sqlite.lock"));
        assert_eq!(path("sqlite:///a/b?mode=rwc").as_deref(), Some("/a/b.lock"));
        assert_eq!(path("sqlite::memory:"), None);
        assert_eq!(path("postgres://a/b"), None);
    }

    #[tokio::test]
    async fn a_file_is_claimed_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a").display());
        let first = Claim::of(&url).await.unwrap();
        assert!(matches!(Claim::of(&url).await, Err(StoreError::InUse(_))));
        drop(first);
        assert!(Claim::of(&url).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_server_that_says_nothing_is_not_waited_for_for_ever() {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("postgres://lozenge@{}/lozenge", silent.local_addr().unwrap());
        assert!(matches!(Claim::of(&url).await, Err(StoreError::Database(sqlx::Error::Io(_)))));
    }
}
