//! Upkeep of a queue: expired leases, barred workers, repeated jobs, old jobs.

use super::{Rows, now_ms, read_class, read_state};
use crate::job::{Class, JobQueue as _, JobReport, JobState, QueueError};
use sqlx::{AssertSqlSafe, Connection as _};

impl Rows {
    /// Ends leases that have expired, and sets aside jobs that were tried too often or are late. Returns how many jobs
    /// changed. Call it about once a second.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn sweep(&self) -> Result<u64, QueueError> {
        let now = now_ms();
        let expired = "state = 'leased' AND lease_until <= $1";
        let late = "state IN ('waiting', 'leased') AND deadline > 0 AND deadline <= $1";
        let find = format!(
            "SELECT COUNT(*) FROM (SELECT id FROM jobs WHERE ({expired}) OR ({late}) LIMIT 1) AS found"
        );
        let (found,): (i64,) = sqlx::query_as(AssertSqlSafe(find)).bind(now).fetch_one(&self.pool).await?;
        if found == 0 {
            return Ok(0);
        }
        let mut writer = self.writer().await?;
        let sql = format!("UPDATE jobs SET state = 'late', finished_at = $1 WHERE {late}");
        let mut changed =
            sqlx::query(AssertSqlSafe(sql)).bind(now).execute(&mut *writer).await?.rows_affected();
        let sql = format!(
            "UPDATE jobs SET state = CASE WHEN attempts >= $2 THEN 'dead' ELSE 'waiting' END, \
             finished_at = CASE WHEN attempts >= $2 THEN $1 ELSE 0 END, published_at = 0, \
             reason = 'the worker did not report in time' WHERE {expired}"
        );
        changed += sqlx::query(AssertSqlSafe(sql))
            .bind(now)
            .bind(self.settings.tries)
            .execute(&mut *writer)
            .await?
            .rows_affected();
        drop(writer);
        self.notify();
        Ok(changed)
    }

    /// Ends all leases of a worker at once, as of one that is known to have ended. The tries do not count.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn release(&self, worker: &str) -> Result<u64, QueueError> {
        let released = sqlx::query(
            "UPDATE jobs SET state = 'waiting', attempts = attempts - 1, token = token + 1, published_at = 0 \
             WHERE state = 'leased' AND worker = $1",
        )
        .bind(worker)
        .execute(&mut *self.writer().await?)
        .await?
        .rows_affected();
        self.notify();
        Ok(released)
    }

    /// Gives a worker no more jobs, and the jobs that it has to others. The results that it has delivered stay; see
    /// [`redo`](Self::redo).
    ///
    /// # Errors
    /// If the database fails.
    pub async fn bar(&self, worker: &str, reason: &str) -> Result<(), QueueError> {
        sqlx::query("INSERT INTO barred_workers (worker, reason, at) VALUES ($1, $2, $3) ON CONFLICT (worker) DO NOTHING")
            .bind(worker)
            .bind(reason)
            .bind(now_ms())
            .execute(&mut *self.writer().await?)
            .await?;
        self.release(worker).await?;
        Ok(())
    }

    /// Has a finished job done again, by a worker that may do it.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn redo(&self, id: &str) -> Result<bool, QueueError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let changed = sqlx::query(
            "UPDATE jobs SET state = 'waiting', attempts = 0, token = token + 1, published_at = 0, not_before = 0, \
             finished_at = 0 WHERE id = $1 AND state = 'done'",
        )
        .bind(id)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        sqlx::query("DELETE FROM results WHERE job_id = $1 AND $2 = 1")
            .bind(id)
            .bind(changed as i64)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        drop(writer);
        self.notify();
        Ok(changed == 1)
    }

    /// The jobs whose ids begin with a text.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn beginning_with(&self, prefix: &str) -> Result<Vec<(String, JobReport)>, QueueError> {
        let ids: Vec<(String,)> = sqlx::query_as(
            "SELECT id FROM jobs WHERE substr(id, 1, CAST($2 AS INTEGER)) = $1 ORDER BY created_at, id",
        )
        .bind(prefix)
        .bind(prefix.len() as i64)
        .fetch_all(&self.pool)
        .await?;
        let mut found = Vec::with_capacity(ids.len());
        for (id,) in ids {
            if let Some(report) = self.report(&id).await? {
                found.push((id, report));
            }
        }
        Ok(found)
    }

    /// Deletes the jobs whose ids begin with a text, with their results.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn forget(&self, prefix: &str) -> Result<u64, QueueError> {
        let done = sqlx::query("DELETE FROM jobs WHERE substr(id, 1, CAST($2 AS INTEGER)) = $1")
            .bind(prefix)
            .bind(prefix.len() as i64)
            .execute(&mut *self.writer().await?)
            .await?;
        self.notify();
        Ok(done.rows_affected())
    }

    /// Deletes jobs that ended before a time, in milliseconds since 1970, with their results.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn prune(&self, before: i64) -> Result<u64, QueueError> {
        let sql = "DELETE FROM jobs WHERE state NOT IN ('waiting', 'leased') AND finished_at < $1";
        let done = sqlx::query(sql).bind(before).execute(&mut *self.writer().await?).await?;
        Ok(done.rows_affected())
    }

    /// When the oldest job that waits or is being done was pushed, in Unix milliseconds.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn oldest(&self) -> Result<Option<i64>, QueueError> {
        let query = "SELECT MIN(created_at) FROM jobs WHERE state IN ('waiting', 'leased')";
        let (oldest,): (Option<i64>,) = sqlx::query_as(query).fetch_one(&self.pool).await?;
        Ok(oldest)
    }

    /// How many jobs are in each state, by class.
    ///
    /// # Errors
    /// If the database fails.
    pub async fn counts(&self) -> Result<Vec<(JobState, Class, i64)>, QueueError> {
        let rows: Vec<(String, i64, i64)> = sqlx::query_as(
            "SELECT state, class, COUNT(*) FROM jobs GROUP BY state, class ORDER BY state, class",
        )
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|(state, class, count)| Ok((read_state(&state)?, read_class(class)?, count)))
            .collect()
    }
}
