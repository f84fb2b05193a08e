//! Seeks that outlast the server: those by correspondence.

use super::{Store, StoreError, UserRow, install_drivers, read_json, write_json};
use lozenge_wire::Seek;
use serde::{Deserialize, Serialize};
use sqlx::Connection as _;
use std::collections::HashSet;

/// A seek as it is stored.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredSeek {
    seek: Seek,
    // The format of earlier versions.
    #[serde(default, skip_serializing)]
    rating_min: Option<i32>,
    #[serde(default, skip_serializing)]
    rating_max: Option<i32>,
}

impl From<&Seek> for StoredSeek {
    fn from(seek: &Seek) -> Self {
        Self { seek: seek.clone(), rating_min: None, rating_max: None }
    }
}

impl StoredSeek {
    /// The seek in today's format.
    pub(super) fn into_seek(self) -> Seek {
        let Self { mut seek, rating_min, rating_max } = self;
        seek.rating_min = seek.rating_min.or(rating_min);
        seek.rating_max = seek.rating_max.or(rating_max);
        seek
    }
}

/// A seek by correspondence, as the host's command lists it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeekEntry {
    /// Its id.
    pub id: String,
    /// Id of the player who made it.
    pub owner: String,
    /// Name of the player; none of a guest.
    pub name: Option<String>,
    /// Id of the rules.
    pub variant: String,
    /// Days for each move.
    pub days: u32,
    /// Whether the game counts for ratings.
    pub rated: bool,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
}

/// Which seeks the host deletes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeekFilter {
    /// All.
    All,
    /// Those of guests.
    Guests,
    /// Those of a player, by name or id.
    Player(String),
    /// One, by id.
    Id(String),
}

impl Store {
    /// Keeps a seek.
    pub async fn keep_seek(&self, seek: &Seek) -> Result<(), StoreError> {
        let kept = StoredSeek::from(seek);
        sqlx::query("INSERT INTO seeks (id, owner, wish, created_at) VALUES ($1, $2, $3, $4)")
            .bind(seek.id.as_str())
            .bind(seek.player.id.as_str())
            .bind(write_json(&kept))
            .bind(seek.created_at)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Deletes a seek, and returns whether it was there: of several players who accept it only one succeeds.
    pub async fn drop_seek(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM seeks WHERE id = $1")
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Deletes the seeks made before a moment, and those of guests and of accounts last seen before theirs.
    pub async fn drop_old_seeks(
        &self,
        created_at: i64,
        guests_seen: i64,
        accounts_seen: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "DELETE FROM seeks WHERE created_at <= $1 OR owner IN (SELECT id FROM users \
             WHERE (name IS NULL AND seen_at <= $2) OR (name IS NOT NULL AND seen_at <= $3))",
        )
        .bind(created_at)
        .bind(guests_seen)
        .bind(accounts_seen)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// Ids of all seeks.
    pub async fn seek_ids(&self) -> Result<HashSet<String>, StoreError> {
        let rows: Vec<(String,)> = sqlx::query_as("SELECT id FROM seeks").fetch_all(&self.pool).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// All seeks with their owners, oldest first.
    pub async fn seeks(&self) -> Result<Vec<(Seek, UserRow)>, StoreError> {
        let rows: Vec<(String, String)> =
            sqlx::query_as("SELECT wish, owner FROM seeks ORDER BY created_at, id")
                .fetch_all(&self.pool)
                .await?;
        let mut seeks = Vec::with_capacity(rows.len());
        for (text, owner) in rows {
            let Some(owner) = self.user(&owner).await? else { continue };
            match read_json::<StoredSeek>("a seek", &text) {
                Ok(kept) => seeks.push((kept.into_seek(), owner)),
                // Skip a seek in the format of an earlier version.
                Err(error) => tracing::error!(%error, "a seek was left out"),
            }
        }
        Ok(seeks)
    }

    /// The seeks by correspondence in a database, newest first, also while a server works on it.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn list_seeks(url: &str) -> Result<Vec<SeekEntry>, StoreError> {
        super::kind(url)?;
        install_drivers();
        let mut connection = sqlx::AnyConnection::connect(url).await?;
        let rows: Vec<(String, Option<String>)> = sqlx::query_as(
            "SELECT seeks.wish, users.name FROM seeks JOIN users ON users.id = seeks.owner \
             ORDER BY seeks.created_at DESC, seeks.id",
        )
        .fetch_all(&mut connection)
        .await?;
        connection.close().await?;
        rows.into_iter()
            .map(|(text, name)| {
                let StoredSeek { seek, .. } = read_json("a seek", &text)?;
                let days = match seek.clock {
                    Some(lozenge_wire::Clock::Correspondence { days }) => days,
                    _ => 0,
                };
                Ok(SeekEntry {
                    id: seek.id,
                    owner: seek.player.id,
                    name,
                    variant: seek.variant,
                    days,
                    rated: seek.rated,
                    created_at: seek.created_at,
                })
            })
            .collect()
    }

    /// Deletes seeks by correspondence from a database, and returns how many. A server that works on it notices within
    /// seconds.
    ///
    /// # Errors
    /// If the database returns an error.
    pub async fn clear_seeks(url: &str, filter: &SeekFilter) -> Result<u64, StoreError> {
        super::kind(url)?;
        install_drivers();
        let mut connection = sqlx::AnyConnection::connect(url).await?;
        let query = match filter {
            SeekFilter::All => sqlx::query("DELETE FROM seeks"),
            SeekFilter::Guests => {
                sqlx::query("DELETE FROM seeks WHERE owner IN (SELECT id FROM users WHERE name IS NULL)")
            }
            SeekFilter::Player(player) => sqlx::query(
                "DELETE FROM seeks WHERE owner IN (SELECT id FROM users WHERE id = $1 OR name_key = $2)",
            )
            .bind(player.clone())
            .bind(player.to_lowercase()),
            SeekFilter::Id(id) => sqlx::query("DELETE FROM seeks WHERE id = $1").bind(id.clone()),
        };
        let done = query.execute(&mut connection).await?;
        connection.close().await?;
        Ok(done.rows_affected())
    }
}
