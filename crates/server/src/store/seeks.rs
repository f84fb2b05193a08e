//! Wishes for games that outlast the server: those by correspondence.

use super::{Store, StoreError, UserRow, read_json, write_json};
use crate::lobby::Open;

impl Store {
    /// Keeps a wish.
    pub(crate) async fn keep_seek(&self, wish: &Open) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO seeks (id, owner, wish, created_at) VALUES ($1, $2, $3, $4)")
            .bind(wish.seek.id.as_str())
            .bind(wish.seek.player.id.as_str())
            .bind(write_json(wish))
            .bind(wish.seek.created_at)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Forgets a wish. Whether it was there: of several who want it only one is told so.
    pub(crate) async fn drop_seek(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM seeks WHERE id = $1").bind(id).execute(&self.pool).await?;
        Ok(done.rows_affected() == 1)
    }

    /// Forgets the wishes made before a moment.
    pub(crate) async fn drop_old_seeks(&self, before: i64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM seeks WHERE created_at <= $1").bind(before).execute(&self.pool).await?;
        Ok(())
    }

    /// All wishes with their owners, oldest first.
    pub(crate) async fn seeks(&self) -> Result<Vec<(Open, UserRow)>, StoreError> {
        let rows: Vec<(String, String)> =
            sqlx::query_as("SELECT wish, owner FROM seeks ORDER BY created_at, id")
                .fetch_all(&self.pool)
                .await?;
        let mut seeks = Vec::with_capacity(rows.len());
        for (wish, owner) in rows {
            let Some(owner) = self.user(&owner).await? else { continue };
            match read_json("a wish for a game", &wish) {
                Ok(wish) => seeks.push((wish, owner)),
                // One that an older program has written otherwise keeps nobody from playing.
                Err(error) => tracing::error!(%error, "a wish for a game was left out"),
            }
        }
        Ok(seeks)
    }
}
