//! Seeks that several servers share, on PostgreSQL: live ones are rows, too, which end unless a server renews them for the
//! makers that listen to it. One server at a time searches for a match.

use super::seeks::StoredSeek;
use super::{Store, StoreError, UserRow, read_json, write_json};
use lozenge_wire::Seek;
use sqlx::{Any, Transaction};
use std::collections::HashMap;

/// The number of the advisory lock of servers that search for a match: "seeks" in ASCII.
const SEEKS_LOCK: i64 = 0x73_6565_6b73;

/// A server's turn to search for a match, until it is ended.
#[derive(Debug)]
pub struct LobbyTurn(Transaction<'static, Any>);

impl Store {
    /// Waits for the turn to search for a match.
    pub async fn lobby_turn(&self) -> Result<LobbyTurn, StoreError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query("SELECT CAST(pg_advisory_xact_lock($1) AS TEXT)")
            .bind(SEEKS_LOCK)
            .execute(&mut *transaction)
            .await?;
        Ok(LobbyTurn(transaction))
    }

    /// All seeks of all servers with their owners, oldest first; those that are live and have ended are left out.
    pub async fn shared_seeks(&self, now: i64) -> Result<Vec<(Seek, UserRow)>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as(
            "SELECT wish, owner FROM seeks WHERE live_until IS NULL OR live_until > $1 ORDER BY created_at, id",
        )
        .bind(now)
        .fetch_all(&self.pool)
        .await?;
        let users: HashMap<String, UserRow> =
            self.seekers().await?.into_iter().map(|user| (user.id.clone(), user)).collect();
        let mut seeks = Vec::with_capacity(rows.len());
        for (text, owner) in rows {
            let Some(owner) = users.get(&owner).cloned() else { continue };
            match read_json::<StoredSeek>("a seek", &text) {
                Ok(kept) => seeks.push((kept.into_seek(), owner)),
                Err(error) => tracing::error!(%error, "a seek was left out"),
            }
        }
        Ok(seeks)
    }

    /// Renews the live seeks of players who listen to this server, and deletes those that have ended or are too old.
    pub async fn renew_live_seeks(
        &self,
        listening: &[String],
        until: i64,
        now: i64,
        oldest: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE seeks SET live_until = $1 WHERE live_until < $1 AND owner IN \
             (SELECT jsonb_array_elements_text(CAST($2 AS JSONB)))",
        )
        .bind(until)
        .bind(write_json(&listening))
        .execute(&self.pool)
        .await?;
        sqlx::query(
            "DELETE FROM seeks WHERE live_until IS NOT NULL AND (live_until <= $1 OR created_at <= $2)",
        )
        .bind(now)
        .bind(oldest)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Lets the live seeks of a player end by then.
    pub async fn shorten_live_seeks(&self, player: &str, until: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE seeks SET live_until = $1 WHERE live_until > $1 AND owner = $2")
            .bind(until)
            .bind(player)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Keeps a live seek again.
    pub async fn keep_live_seek(&self, seek: &Seek, live_until: i64) -> Result<(), StoreError> {
        let mut turn = self.lobby_turn().await?;
        turn.keep(seek, live_until).await?;
        turn.end().await
    }

    /// Deletes the seeks of a player; with `live` only the live ones. Returns whether there were any.
    pub async fn drop_seeks_of(&self, player: &str, live: bool) -> Result<bool, StoreError> {
        let statement = if live {
            "DELETE FROM seeks WHERE owner = $1 AND live_until IS NOT NULL"
        } else {
            "DELETE FROM seeks WHERE owner = $1"
        };
        let deleted = sqlx::query(statement).bind(player).execute(&self.pool).await?;
        Ok(deleted.rows_affected() > 0)
    }
}

impl LobbyTurn {
    /// Keeps a live seek.
    pub async fn keep(&mut self, seek: &Seek, live_until: i64) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO seeks (id, owner, wish, created_at, live_until) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (id) DO NOTHING",
        )
        .bind(seek.id.as_str())
        .bind(seek.player.id.as_str())
        .bind(write_json(&StoredSeek::from(seek)))
        .bind(seek.created_at)
        .bind(live_until)
        .execute(&mut *self.0)
        .await?;
        Ok(())
    }

    /// Deletes a seek, and returns whether it was there.
    pub async fn take(&mut self, id: &str) -> Result<bool, StoreError> {
        let deleted = sqlx::query("DELETE FROM seeks WHERE id = $1").bind(id).execute(&mut *self.0).await?;
        Ok(deleted.rows_affected() == 1)
    }

    /// Ends the turn, and writes what was changed in it.
    pub async fn end(self) -> Result<(), StoreError> {
        Ok(self.0.commit().await?)
    }
}
