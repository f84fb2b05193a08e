//! The jobs that are handed to NATS. A job that waits there for too long is handed over again.

use super::{Rows, milliseconds, now_ms};
use crate::job::{Class, QueueError};

/// A job that is to be handed to NATS.
pub(crate) struct Outgoing {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) signature: String,
}

impl Rows {
    /// The next jobs to hand to NATS, of one class, marked as handed over. `window` is how many may be there at a time.
    pub(crate) async fn publish(&self, class: Class, window: i64) -> Result<Vec<Outgoing>, QueueError> {
        let now = now_ms();
        let since = now - milliseconds(self.settings.republish);
        let (published, waiting): (i64, i64) = sqlx::query_as(
            "SELECT COALESCE(SUM(CASE WHEN published_at > $2 THEN 1 ELSE 0 END), 0), COUNT(*) \
             FROM jobs WHERE state = 'waiting' AND class = $1",
        )
        .bind(class.number())
        .bind(since)
        .fetch_one(&self.pool)
        .await?;
        if published >= window || waiting == published {
            return Ok(Vec::new());
        }
        let mut rows: Vec<(i64, i64, String, String, String)> = sqlx::query_as(
            "UPDATE jobs SET published_at = $3 WHERE state = 'waiting' AND id IN (SELECT id FROM jobs \
             WHERE state = 'waiting' AND class = $1 AND not_before <= $3 AND published_at <= $2 \
             ORDER BY turn, created_at, id LIMIT $4) RETURNING turn, created_at, id, kind, signature",
        )
        .bind(class.number())
        .bind(since)
        .bind(now)
        .bind(window - published)
        .fetch_all(&mut *self.writer().await?)
        .await?;
        // They are returned in any order.
        rows.sort();
        Ok(rows.into_iter().map(|(.., id, kind, signature)| Outgoing { id, kind, signature }).collect())
    }

    /// Marks all jobs as not handed to NATS, as after it has lost them.
    pub(crate) async fn forget_published(&self) -> Result<(), QueueError> {
        sqlx::query("UPDATE jobs SET published_at = 0 WHERE state = 'waiting' AND published_at > 0")
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Has a waiting job handed to NATS again, a moment later: the worker that fetched it may not do it. Whether it waits.
    pub(crate) async fn publish_later(&self, id: &str) -> Result<bool, QueueError> {
        let done = sqlx::query(
            "UPDATE jobs SET published_at = 0, not_before = $2 WHERE id = $1 AND state = 'waiting'",
        )
        .bind(id)
        .bind(now_ms() + milliseconds(self.settings.retry))
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }
}
