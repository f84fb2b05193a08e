//! Measurements of games and their reports. Not here: how they are carried out, with jobs in the queue.

use super::row::from_row;
use super::{Store, StoreError, read_json, write_json};
use lozenge_game::time::DAY_MS;
use lozenge_lab::report::{GameReport, Plan};

/// Measurements that a user may ask for in a day, and those that may be open in all.
const MAX_A_DAY: i64 = 5;
const MAX_OPEN: i64 = 100;
/// Days after which a measurement is deleted that has no report, or is older than a report on the same rules.
const KEPT_DAYS: i64 = 30;

/// A measurement.
#[derive(Clone, Debug)]
pub struct LabRow {
    /// The measurement's id.
    pub id: String,
    /// The digest of the rules that are measured.
    pub digest: String,
    /// The id of the game.
    pub variant: String,
    /// The name of the game.
    pub name: String,
    /// As JSON.
    pub plan: String,
    /// The id of the user who requested it.
    pub asked_by: String,
    /// `open`, `finished`, `failed` or `cancelled`.
    pub state: String,
    /// Jobs that are done.
    pub done: i64,
    /// Jobs in all.
    pub total: i64,
    /// Why it failed.
    pub fault: Option<String>,
    /// When it was requested, in Unix milliseconds.
    pub at: i64,
    /// When it ended, in Unix milliseconds; `None` while it is open.
    pub ended_at: Option<i64>,
}

from_row!(LabRow { id, digest, variant, name, plan, asked_by, state, done, total, fault, at, ended_at });

impl LabRow {
    /// The plan that its JSON describes.
    ///
    /// # Errors
    /// [`StoreError::Content`] if the JSON is no plan.
    pub fn plan(&self) -> Result<Plan, StoreError> {
        read_json("the plan of a report", &self.plan)
    }

    /// Whether jobs of it remain.
    pub fn is_open(&self) -> bool {
        self.state == "open"
    }
}

/// The outcome of a request to measure a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabEnqueueOutcome {
    /// It is in the queue.
    Queued,
    /// The user has one in the queue already.
    OneOpen,
    /// The user has reached the limit of a day.
    TooManyToday,
    /// The queue is full.
    Full,
}

const COLUMNS: &str = "id, digest, variant, name, plan, asked_by, state, done, total, fault, at, ended_at";

impl Store {
    /// Puts a measurement into the queue. Its rules must be stored before.
    pub async fn enqueue_lab_job(&self, row: &LabRow) -> Result<LabEnqueueOutcome, StoreError> {
        let done = sqlx::query(
            "INSERT INTO lab_jobs (id, digest, variant, name, plan, asked_by, state, total, at) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
             CAST($6 AS TEXT), 'open', CAST($7 AS BIGINT), CAST($8 AS BIGINT) \
             WHERE NOT EXISTS (SELECT 1 FROM lab_jobs WHERE asked_by = $6 AND state = 'open') \
             AND (SELECT COUNT(*) FROM lab_jobs WHERE asked_by = $6 AND at > $9) < $10 \
             AND (SELECT COUNT(*) FROM lab_jobs WHERE state = 'open') < $11",
        )
        .bind(row.id.as_str())
        .bind(row.digest.as_str())
        .bind(row.variant.as_str())
        .bind(row.name.as_str())
        .bind(row.plan.as_str())
        .bind(row.asked_by.as_str())
        .bind(row.total)
        .bind(row.at)
        .bind(row.at - DAY_MS)
        .bind(MAX_A_DAY)
        .bind(MAX_OPEN)
        .execute(&mut *self.writer().await?)
        .await?;
        if done.rows_affected() == 1 {
            return Ok(LabEnqueueOutcome::Queued);
        }
        let (open, today): (i64, i64) = sqlx::query_as(
            "SELECT COUNT(CASE WHEN state = 'open' THEN 1 END), COUNT(CASE WHEN at > $2 THEN 1 END) \
             FROM lab_jobs WHERE asked_by = $1",
        )
        .bind(row.asked_by.as_str())
        .bind(row.at - DAY_MS)
        .fetch_one(&self.pool)
        .await?;
        Ok(match () {
            () if open > 0 => LabEnqueueOutcome::OneOpen,
            () if today >= MAX_A_DAY => LabEnqueueOutcome::TooManyToday,
            () => LabEnqueueOutcome::Full,
        })
    }

    /// A measurement by its id.
    pub async fn lab_job(&self, id: &str) -> Result<Option<LabRow>, StoreError> {
        self.lab_where("id = $1", id).await
    }

    /// The measurement of rules that is open, or else the latest.
    pub async fn lab_job_of(&self, digest: &str) -> Result<Option<LabRow>, StoreError> {
        self.lab_where(
            "digest = $1 ORDER BY CASE WHEN state = 'open' THEN 0 ELSE 1 END, at DESC, id LIMIT 1",
            digest,
        )
        .await
    }

    /// The measurement that is next.
    pub async fn next_lab_job(&self) -> Result<Option<LabRow>, StoreError> {
        self.lab_where("state = $1 ORDER BY at, id LIMIT 1", "open").await
    }

    async fn lab_where(&self, condition: &str, value: &str) -> Result<Option<LabRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM lab_jobs WHERE {condition}");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(value).fetch_optional(&self.pool).await?)
    }

    /// How many open measurements come before one.
    pub async fn lab_jobs_before(&self, row: &LabRow) -> Result<i64, StoreError> {
        let sql = "SELECT COUNT(*) FROM lab_jobs WHERE state = 'open' AND (at < $1 OR (at = $1 AND id < $2))";
        let (count,): (i64,) =
            sqlx::query_as(sql).bind(row.at).bind(row.id.as_str()).fetch_one(&self.pool).await?;
        Ok(count)
    }

    /// Stores how many games of a measurement are done. Returns whether it is still open.
    pub async fn keep_lab_progress(&self, job: &str, done: i64) -> Result<bool, StoreError> {
        let open = sqlx::query("UPDATE lab_jobs SET done = $1 WHERE id = $2 AND state = 'open'")
            .bind(done)
            .bind(job)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(open.rows_affected() == 1)
    }

    /// Ends an open measurement with its report, or with a word for what went wrong.
    pub async fn finish_lab_job(
        &self,
        job: &str,
        result: Result<&GameReport, &str>,
        now: i64,
    ) -> Result<(), StoreError> {
        let state = if result.is_ok() { "finished" } else { "failed" };
        sqlx::query(
            "UPDATE lab_jobs SET state = $1, fault = $2, report = $3, ended_at = $4, \
             done = CASE WHEN $1 = 'finished' THEN total ELSE done END WHERE id = $5 AND state = 'open'",
        )
        .bind(state)
        .bind(result.err())
        .bind(result.ok().map(write_json))
        .bind(now)
        .bind(job)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// Cancels an open measurement of a user, and returns whether there was one.
    pub async fn cancel_lab_job(&self, job: &str, user: &str, now: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE lab_jobs SET state = 'cancelled', ended_at = $1 WHERE id = $2 AND asked_by = $3 AND state = 'open'",
        )
        .bind(now)
        .bind(job)
        .bind(user)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The latest report on rules, with the id of its measurement.
    pub async fn lab_report(&self, digest: &str) -> Result<Option<(String, GameReport)>, StoreError> {
        let row: Option<(String, String)> = sqlx::query_as(
            "SELECT id, report FROM lab_jobs WHERE digest = $1 AND state = 'finished' ORDER BY at DESC, id LIMIT 1",
        )
        .bind(digest)
        .fetch_optional(&self.pool)
        .await?;
        row.map(|(id, report)| Ok((id, read_json("a report", &report)?))).transpose()
    }

    /// Whether there is a report on rules.
    pub async fn has_lab_report(&self, digest: &str) -> Result<bool, StoreError> {
        let row: Option<(String,)> =
            sqlx::query_as("SELECT id FROM lab_jobs WHERE digest = $1 AND state = 'finished' LIMIT 1")
                .bind(digest)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// Deletes old measurements without a report, and those older than a report on the same rules.
    pub async fn drop_old_lab_jobs(&self, now: i64) -> Result<(), StoreError> {
        sqlx::query(
            "DELETE FROM lab_jobs WHERE state <> 'open' AND at < $1 AND (state <> 'finished' OR EXISTS \
             (SELECT 1 FROM lab_jobs AS later WHERE later.digest = lab_jobs.digest AND later.state = 'finished' \
             AND later.at > lab_jobs.at))",
        )
        .bind(now - KEPT_DAYS * DAY_MS)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }
}
