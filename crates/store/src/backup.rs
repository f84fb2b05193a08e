//! Copies of an SQLite database: made while a server writes, checked, and put back in its place. And the check of a
//! database's integrity when it is opened.

use super::{Store, StoreError, install_drivers, lock, sqlite_file};
use sqlx::{AnyConnection, AnyPool, Connection as _, Executor as _};
use std::fs::File;
use std::path::{Path, PathBuf};

/// Faults that are named of a damaged database.
const MAX_FAULTS: usize = 10;

/// The largest database that is checked before it is used: half a gigabyte takes about a second. Larger ones are checked
/// while they are used.
const CHECKED_FIRST: u64 = 512 << 20;

impl Store {
    /// Writes a complete copy of an SQLite database to a new file, also while a server writes to it. The copy can be read
    /// by its owner alone, and has its name only when all of it is on the disk.
    ///
    /// # Errors
    /// If the database is PostgreSQL's, the file is there already, or the copy cannot be written.
    pub async fn backup(url: &str, target: &Path) -> Result<(), StoreError> {
        let Some(source) = sqlite_file(url)? else { return Err(StoreError::NoFile) };
        if target.exists() {
            return Err(StoreError::Occupied(target.to_owned()));
        }
        let unfinished = beside(target, ".unfinished");
        let _ = std::fs::remove_file(&unfinished);
        copy(&source, &unfinished).await?;
        // Never over a file that has come meanwhile.
        std::fs::hard_link(&unfinished, target).map_err(at(target))?;
        std::fs::remove_file(&unfinished).map_err(at(&unfinished))?;
        sync_folder(target)
    }

    /// Replaces an SQLite database that no server has open by a backup. The backup is checked first; the database
    /// that was there stays beside the new one, and its path is returned.
    ///
    /// # Errors
    /// If the backup is damaged or not a database of this program, a server works on the database, or a file cannot be
    /// written. The database is then as it was.
    pub async fn restore(url: &str, backup: &Path) -> Result<Option<PathBuf>, StoreError> {
        let Some(target) = sqlite_file(url)? else { return Err(StoreError::NoFile) };
        check_backup(backup).await?;
        let there = target.exists();
        // Held until the end; no server starts meanwhile.
        let _lock = if there { Some(lock::lock_file(&target)?) } else { None };
        let unfinished = beside(&target, ".unfinished");
        let _ = std::fs::remove_file(&unfinished);
        copy(backup, &unfinished).await?;
        keep_owner(&unfinished, &target)?;
        let kept = if there { Some(keep(&target)?) } else { None };
        // The log belongs to the old file: over the new one it would be garbage.
        for ending in ["-wal", "-shm"] {
            match std::fs::remove_file(beside(&target, ending)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(at(&target)(error)),
                _ => {}
            }
        }
        std::fs::rename(&unfinished, &target).map_err(at(&target))?;
        sync_folder(&target)?;
        Ok(kept)
    }
}

/// Gives a new file to the owner of the database that it replaces, or of the data folder. Root restores it for the user that
/// the server runs as, who could not open it otherwise.
#[cfg(unix)]
fn keep_owner(new: &Path, target: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::MetadataExt as _;
    let owned = if target.exists() { target } else { folder_of(target) };
    let expected = std::fs::metadata(owned).map_err(at(owned))?;
    if std::fs::metadata(new).map_err(at(new))?.uid() == expected.uid() {
        return Ok(());
    }
    std::os::unix::fs::chown(new, Some(expected.uid()), Some(expected.gid())).map_err(at(new))
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// Links the database and its log under names of their own, so that the old one can be put back whole.
fn keep(target: &Path) -> Result<PathBuf, StoreError> {
    let mut number = 1;
    let kept = loop {
        let kept = beside(target, &format!(".replaced-{number}"));
        match std::fs::hard_link(target, &kept) {
            Ok(()) => break kept,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(at(&kept)(error)),
        }
    };
    let log = beside(target, "-wal");
    if log.exists() {
        std::fs::hard_link(&log, beside(&kept, "-wal")).map_err(at(&log))?;
    }
    sync_folder(target)?;
    Ok(kept)
}

/// A compact copy of a database in a new file that only its owner can read, on the disk when this returns.
async fn copy(source: &Path, target: &Path) -> Result<(), StoreError> {
    install_drivers();
    // VACUUM writes into an empty file, and does not sync it.
    let file = lock::create_private(target)?;
    let mut connection = AnyConnection::connect(&address(source, "rw")).await?;
    sqlx::query("VACUUM INTO $1").bind(target.display().to_string()).execute(&mut connection).await?;
    connection.close().await?;
    file.sync_all().map_err(at(target))
}

/// Refuses a file that is no sound database of this program, or one of a later version.
async fn check_backup(backup: &Path) -> Result<(), StoreError> {
    install_drivers();
    // Asked first: opening it as a database would make it.
    File::open(backup).map_err(at(backup))?;
    let damaged =
        |error: sqlx::Error| StoreError::Damaged { path: backup.to_owned(), faults: vec![error.to_string()] };
    let mut connection = AnyConnection::connect(&address(backup, "rw")).await.map_err(damaged)?;
    let faults = faults(&mut connection, "PRAGMA integrity_check").await.map_err(damaged)?;
    if !faults.is_empty() {
        return Err(StoreError::Damaged { path: backup.to_owned(), faults });
    }
    let ours = "SELECT CAST(COUNT(*) AS BIGINT) FROM sqlite_master WHERE name IN ('games', 'facts', '_sqlx_migrations')";
    let (tables,): (i64,) = sqlx::query_as(ours).fetch_one(&mut connection).await?;
    if tables != 3 {
        return Err(StoreError::Foreign(backup.to_owned()));
    }
    let version = "SELECT CAST(COALESCE(MAX(version), 0) AS BIGINT) FROM _sqlx_migrations";
    let (version,): (i64,) = sqlx::query_as(version).fetch_one(&mut connection).await?;
    if !super::migrations::MIGRATIONS.version_exists(version) {
        return Err(sqlx::migrate::MigrateError::VersionMissing(version).into());
    }
    connection.close().await?;
    Ok(())
}

/// Refuses a database whose tables cannot be read. A pool tries again and again to open it, and does not report why.
pub(super) async fn check_schema(url: &str) -> Result<(), StoreError> {
    let Some(path) = sqlite_file(url)? else { return Ok(()) };
    let mut connection = AnyConnection::connect(url).await?;
    let read = connection.execute("SELECT COUNT(*) FROM sqlite_master").await;
    connection.close().await?;
    match read {
        Err(error) if is_damage(&error) => Err(StoreError::Damaged { path, faults: vec![error.to_string()] }),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(()),
    }
}

/// Whether SQLite answers `SQLITE_CORRUPT` or `SQLITE_NOTADB`; the upper bits of its codes are the extended code.
fn is_damage(error: &sqlx::Error) -> bool {
    let code =
        error.as_database_error().and_then(|error| error.code()).and_then(|code| code.parse::<u32>().ok());
    matches!(code.map(|code| code & 0xff), Some(11 | 26))
}

/// Returns damage in a database that is about to be used as an error; for a large one, logs it after a while.
pub(super) async fn check_integrity(pool: &AnyPool, url: &str) -> Result<(), StoreError> {
    let Some(path) = sqlite_file(url)? else { return Ok(()) };
    let size = std::fs::metadata(&path).map_err(at(&path))?.len();
    let pool = pool.clone();
    let check = async move {
        let mut connection = pool.acquire().await?;
        let found = faults(&mut connection, "PRAGMA quick_check").await;
        let faults = found.unwrap_or_else(|error| vec![error.to_string()]);
        if faults.is_empty() { Ok(()) } else { Err(StoreError::Damaged { path, faults }) }
    };
    if size <= CHECKED_FIRST {
        return check.await;
    }
    tracing::info!(bytes = size, "the integrity of the database is checked while it is used");
    tokio::spawn(async move {
        match check.await {
            Ok(()) => tracing::info!("the database is sound"),
            Err(error) => tracing::error!(%error, "restore a backup: docs/hosting.md"),
        }
    });
    Ok(())
}

/// The result of a check by SQLite.
async fn faults(connection: &mut AnyConnection, check: &'static str) -> Result<Vec<String>, sqlx::Error> {
    use sqlx::Row as _;
    let rows = connection.fetch_all(check).await?;
    let lines = rows.iter().map(|row| row.try_get::<String, _>(0));
    let lines: Vec<String> = lines.collect::<Result<_, _>>()?;
    let faults = lines.iter().flat_map(|text| text.lines()).filter(|line| *line != "ok");
    Ok(faults.take(MAX_FAULTS).map(str::to_owned).collect())
}

/// The URL of a file, with its name escaped.
fn address(path: &Path, mode: &str) -> String {
    format!("sqlite:{}?mode={mode}", super::escaped(path))
}

/// A file of the same name with an ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> StoreError {
    let path = path.to_owned();
    move |error| StoreError::File { path: path.clone(), error }
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a new name in a folder last.
fn sync_folder(file: &Path) -> Result<(), StoreError> {
    let folder = folder_of(file);
    // Only Unix can open a folder.
    if cfg!(unix) {
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(at(folder))
    } else {
        Ok(())
    }
}
