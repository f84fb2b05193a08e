//! Sessions of browsers, for `tower-sessions`. Only the digest of a session's id, which is all that a browser sends, is
//! stored, so a leaked database grants no access.

use super::{Store, secret_digest, write_json};
use async_trait::async_trait;
use tower_sessions::session::{Id, Record};
use tower_sessions::session_store::{Error, Result};
use tower_sessions::{ExpiredDeletion, SessionStore};

fn backend(error: impl core::fmt::Display) -> Error {
    Error::Backend(error.to_string())
}

/// The key of a session.
fn key(id: Id) -> String {
    secret_digest(&id.to_string())
}

/// A session as it is stored.
fn kept(record: &Record) -> String {
    write_json(&Record { id: Id(0), ..record.clone() })
}

#[async_trait]
impl SessionStore for Store {
    async fn create(&self, record: &mut Record) -> Result<()> {
        // 128 random bits: a second record with the same id is refused by the primary key and drawn again.
        loop {
            let added = sqlx::query(
                "INSERT INTO sessions (id, data, expires_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING",
            )
            .bind(key(record.id))
            .bind(kept(record))
            .bind(record.expiry_date.unix_timestamp() * 1000)
            .execute(&mut *self.writer().await.map_err(backend)?)
            .await
            .map_err(backend)?;
            if added.rows_affected() == 1 {
                return Ok(());
            }
            record.id = Id::default();
        }
    }

    /// Only a session that is still there: one that was ended meanwhile by another request stays ended.
    async fn save(&self, record: &Record) -> Result<()> {
        sqlx::query("UPDATE sessions SET data = $1, expires_at = $2 WHERE id = $3")
            .bind(kept(record))
            .bind(record.expiry_date.unix_timestamp() * 1000)
            .bind(key(record.id))
            .execute(&mut *self.writer().await.map_err(backend)?)
            .await
            .map_err(backend)?;
        Ok(())
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let row: Option<(String,)> =
            sqlx::query_as("SELECT data FROM sessions WHERE id = $1 AND expires_at > $2")
                .bind(key(*id))
                .bind(lozenge_game::time::now_ms())
                .fetch_optional(&self.pool)
                .await
                .map_err(backend)?;
        let read = |(data,): (String,)| match serde_json::from_str::<Record>(&data) {
            Ok(record) => Ok(Record { id: *id, ..record }),
            Err(error) => Err(Error::Decode(error.to_string())),
        };
        row.map(read).transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        sqlx::query("DELETE FROM sessions WHERE id = $1")
            .bind(key(*id))
            .execute(&mut *self.writer().await.map_err(backend)?)
            .await
            .map_err(backend)?;
        Ok(())
    }
}

#[async_trait]
impl ExpiredDeletion for Store {
    async fn delete_expired(&self) -> Result<()> {
        sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
            .bind(lozenge_game::time::now_ms())
            .execute(&mut *self.writer().await.map_err(backend)?)
            .await
            .map_err(backend)?;
        Ok(())
    }
}
