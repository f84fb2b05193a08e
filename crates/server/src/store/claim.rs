//! One server at a time on one SQLite file: games are in the server's memory, and a second would not hear what happens
//! in the first.

use super::{Kind, StoreError, kind};
use std::fs::{File, TryLockError};
use std::path::PathBuf;

/// That this server, and no other, works on a database. It ends when this is dropped, and with the process.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Locked; `None` for a database that is no file.
    _held: Option<File>,
}

impl Claim {
    /// Claims a database. PostgreSQL is not claimed.
    ///
    /// # Errors
    /// If another server works on it, or its lock file, which lies beside the database, cannot be made.
    pub(crate) fn of(url: &str) -> Result<Self, StoreError> {
        let Some(path) = lock_path(url)? else { return Ok(Self { _held: None }) };
        let unusable = |error| StoreError::Lock { path: path.clone(), error };
        let file = File::options().create(true).append(true).open(&path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _held: Some(file) }),
            Err(TryLockError::WouldBlock) => Err(StoreError::InUse(path)),
            Err(TryLockError::Error(error)) => Err(unusable(error)),
        }
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

    #[test]
    fn a_database_is_claimed_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("a").display());
        let first = Claim::of(&url).unwrap();
        assert!(matches!(Claim::of(&url), Err(StoreError::InUse(_))));
        drop(first);
        assert!(Claim::of(&url).is_ok());
    }
}
