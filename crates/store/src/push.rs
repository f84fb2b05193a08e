//! Browsers that get push messages, and the server's key for them.

use super::row::from_row;
use super::{Store, StoreError};

/// A browser's subscription as it is stored.
#[derive(Clone, Debug)]
pub struct PushRow {
    /// The subscription's id.
    pub id: String,
    /// The id of the user.
    pub owner: String,
    /// The address at the push service that messages are sent to.
    pub endpoint: String,
    /// The browser's public key, in base 64 for URLs.
    pub p256dh: String,
    /// The browser's authentication secret, in base 64 for URLs.
    pub auth: String,
    /// Code of the language that messages are written in.
    pub language: String,
    /// The owner's when it was made: it ends with all sessions of the owner.
    pub epoch: i64,
    /// When it was made, in Unix milliseconds.
    pub created_at: i64,
}

from_row!(PushRow { id, owner, endpoint, p256dh, auth, language, epoch, created_at });

/// Most browsers of one player; the oldest makes room.
const MAX_BROWSERS: i64 = 10;
/// A subscription is deleted after this many failures in a row.
const MAX_FAILURES: i64 = 20;

impl Store {
    /// The server's key of a name; the first call stores `new`.
    pub async fn server_key(&self, name: &str, new: &str) -> Result<String, StoreError> {
        sqlx::query("INSERT INTO server_keys (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING")
            .bind(name)
            .bind(new)
            .execute(&mut *self.writer().await?)
            .await?;
        let (value,): (String,) = sqlx::query_as("SELECT value FROM server_keys WHERE name = $1")
            .bind(name)
            .fetch_one(&self.pool)
            .await?;
        Ok(value)
    }

    /// Stores a browser's subscription, instead of an older one of the same browser.
    pub async fn keep_push(&self, row: &PushRow) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO push_subscriptions (id, owner, endpoint, p256dh, auth, language, created_at, epoch) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET owner = excluded.owner, \
             p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, failures = 0, \
             epoch = excluded.epoch, created_at = excluded.created_at",
        )
        .bind(row.id.as_str())
        .bind(row.owner.as_str())
        .bind(row.endpoint.as_str())
        .bind(row.p256dh.as_str())
        .bind(row.auth.as_str())
        .bind(row.language.as_str())
        .bind(row.created_at)
        .bind(row.epoch)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "DELETE FROM push_subscriptions WHERE owner = $1 AND id NOT IN (SELECT id FROM push_subscriptions \
             WHERE owner = $1 ORDER BY created_at DESC, id LIMIT $2)",
        )
        .bind(row.owner.as_str())
        .bind(MAX_BROWSERS)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The subscriptions of a player, newest first.
    pub async fn push_of(&self, owner: &str) -> Result<Vec<PushRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT push.id, push.owner, push.endpoint, push.p256dh, push.auth, push.language, push.epoch, \
             push.created_at FROM push_subscriptions AS push JOIN users ON users.id = push.owner \
             AND users.epoch = push.epoch WHERE push.owner = $1 ORDER BY push.created_at DESC, push.id",
        )
        .bind(owner)
        .fetch_all(&self.pool)
        .await?)
    }

    /// Deletes a subscription of a player, and returns whether it was there: one that ended with its session is not.
    pub async fn drop_push(&self, owner: &str, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "DELETE FROM push_subscriptions WHERE owner = $1 AND id = $2 \
             AND epoch = (SELECT epoch FROM users WHERE id = $1)",
        )
        .bind(owner)
        .bind(id)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Counts a message that could not be delivered, or starts the count again; too many in a row end the subscription.
    pub async fn count_push(&self, id: &str, failed: bool) -> Result<(), StoreError> {
        let count = if failed { "failures + 1" } else { "0" };
        let sql = format!("UPDATE push_subscriptions SET failures = {count} WHERE id = $1");
        sqlx::query(sqlx::AssertSqlSafe(sql)).bind(id).execute(&mut *self.writer().await?).await?;
        if failed {
            sqlx::query("DELETE FROM push_subscriptions WHERE id = $1 AND failures >= $2")
                .bind(id)
                .bind(MAX_FAILURES)
                .execute(&mut *self.writer().await?)
                .await?;
        }
        Ok(())
    }

    /// Returns when the store is being closed.
    pub async fn closed(&self) {
        self.pool.close_event().await;
    }
}
