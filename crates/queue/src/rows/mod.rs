//! The queue as rows of SQLite or PostgreSQL. Each change is one statement, or one transaction, that checks the token of the
//! lease; so a worker that was too slow changes nothing.

#[cfg(feature = "nats")]
mod published;
mod upkeep;

use crate::job::{
    Class, DeadJob, Job, JobQueue, JobReport, JobState, Lease, LeaseStatus, QueueError, Worker, check_size,
};
use async_trait::async_trait;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions};
use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection as _, Executor as _};
use std::ops::{Deref, DerefMut};
use std::str::FromStr as _;
use std::sync::{Arc, Once};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::sync::watch;

/// The tables, for SQLite and PostgreSQL alike.
pub const SCHEMA: &str = include_str!("../schema.sql");

/// Most dead jobs in a list.
const MAX_LISTED: i64 = 100;
/// Longest reason for a failed try, in characters.
const MAX_REASON: usize = 1_000;

/// Installs the drivers of SQLite and PostgreSQL. `install_default_drivers` would install none, because sqlx is compiled
/// without its features for them.
pub fn install_drivers() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        sqlx::any::install_drivers(&[sqlx_sqlite::any::DRIVER, sqlx_postgres::any::DRIVER])
            .expect("no other code installs drivers");
    });
}

/// The times of a queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueSettings {
    /// How long a lease is valid without progress.
    pub lease: Duration,
    /// Tries without a result after which a job is set aside.
    pub tries: i64,
    /// The wait after the first failed try; it doubles with each.
    pub retry: Duration,
    /// How long a job may wait in NATS before it is sent again.
    pub republish: Duration,
}

impl Default for QueueSettings {
    /// A minute, five tries, a second, two minutes.
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(60),
            tries: 5,
            retry: Duration::from_secs(1),
            republish: Duration::from_secs(120),
        }
    }
}

/// Turns at writing to a database that has one writer at a time. A turn ends when its value is dropped.
#[async_trait]
pub trait WriteTurns: Send + Sync + std::fmt::Debug {
    /// Waits for a turn.
    async fn turn(&self) -> Box<dyn Send>;
}

/// A queue in a database. Clones share it.
#[derive(Clone, Debug)]
pub struct Rows {
    pool: AnyPool,
    postgres: bool,
    turns: Option<Arc<dyn WriteTurns>>,
    settings: QueueSettings,
    changes: Arc<watch::Sender<u64>>,
}

/// A connection that may write, until it is dropped.
struct Writer {
    connection: PoolConnection<Any>,
    _turn: Option<Box<dyn Send>>,
}

impl Deref for Writer {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.connection
    }
}

impl DerefMut for Writer {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.connection
    }
}

/// How a lease ends without a result.
struct End<'r> {
    state: JobState,
    /// Whether the try counts.
    counts: bool,
    not_before: i64,
    finished_at: i64,
    /// Empty to keep the last one.
    reason: &'r str,
}

type LeaseRow = (String, i64, String, String, i64, i64);

impl Rows {
    /// The queue in a database that has the tables of [`SCHEMA`]. `turns` are those of a database with one writer.
    #[must_use]
    pub fn new(
        pool: AnyPool,
        postgres: bool,
        turns: Option<Arc<dyn WriteTurns>>,
        settings: QueueSettings,
    ) -> Self {
        Self { pool, postgres, turns, settings, changes: Arc::new(watch::Sender::new(0)) }
    }

    /// A queue of its own in memory, which ends with the process.
    ///
    /// # Errors
    /// If SQLite fails.
    pub async fn in_memory(settings: QueueSettings) -> Result<Self, QueueError> {
        install_drivers();
        let options = AnyConnectOptions::from_str("sqlite::memory:")?;
        // The database is that of its one connection, which must stay.
        let pool = AnyPoolOptions::new()
            .max_connections(1)
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .test_before_acquire(false)
            .connect_with(options)
            .await?;
        pool.execute(SCHEMA).await?;
        Ok(Self::new(pool, false, None, settings))
    }

    /// The times of this queue.
    #[must_use]
    pub fn settings(&self) -> QueueSettings {
        self.settings
    }

    /// Changes whenever this process has changed the queue.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    async fn writer(&self) -> Result<Writer, QueueError> {
        let turn = match &self.turns {
            Some(turns) => Some(turns.turn().await),
            None => None,
        };
        Ok(Writer { connection: self.pool.acquire().await?, _turn: turn })
    }

    fn notify(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Leases a job: the next one, or a certain one.
    pub(crate) async fn take(
        &self,
        worker: &Worker,
        job_id: Option<&str>,
    ) -> Result<Option<Lease>, QueueError> {
        if worker.kinds.is_empty() {
            return Ok(None);
        }
        if let Some(reason) = self.barred(&worker.name).await? {
            return Err(QueueError::Barred(reason));
        }
        let now = now_ms();
        let (candidate, kinds) = candidate(worker, job_id.is_some(), self.postgres);
        // Idle workers look often, and SQLite has one writer at a time: look before writing.
        let found: Option<(String,)> =
            bind(sqlx::query_as(AssertSqlSafe(candidate.clone())), now, worker, job_id)
                .fetch_optional(&self.pool)
                .await?;
        if found.is_none() {
            return Ok(None);
        }
        let lock = if self.postgres { " FOR UPDATE SKIP LOCKED" } else { "" };
        let until = kinds + 4 + usize::from(job_id.is_some());
        let sql = format!(
            "UPDATE jobs SET state = 'leased', attempts = attempts + 1, token = token + 1, worker = $3, \
             lease_until = ${until}, progress = '' WHERE state = 'waiting' AND id = ({candidate}{lock}) \
             RETURNING id, class, kind, spec, token, attempts"
        );
        let row: Option<LeaseRow> = bind(sqlx::query_as(AssertSqlSafe(sql)), now, worker, job_id)
            .bind(now + milliseconds(self.settings.lease))
            .fetch_optional(&mut *self.writer().await?)
            .await?;
        let Some((id, class, kind, spec, token, attempt)) = row else { return Ok(None) };
        self.notify();
        let (class, duration) = (read_class(class)?, self.settings.lease);
        let (queue, worker) = (String::new(), worker.name.clone());
        Ok(Some(Lease { queue, id, kind, class, spec, token, attempt, duration, worker }))
    }

    /// Ends a lease without a result.
    async fn end(&self, lease: &Lease, end: &End<'_>) -> Result<LeaseStatus, QueueError> {
        let done = sqlx::query(
            "UPDATE jobs SET state = $3, attempts = attempts - $4, not_before = $5, finished_at = $6, \
             reason = CASE WHEN $7 = '' THEN reason ELSE $7 END, published_at = 0, token = token + 1 \
             WHERE id = $1 AND token = $2 AND state = 'leased'",
        )
        .bind(lease.id.as_str())
        .bind(lease.token)
        .bind(end.state.word())
        .bind(i64::from(!end.counts))
        .bind(end.not_before)
        .bind(end.finished_at)
        .bind(end.reason)
        .execute(&mut *self.writer().await?)
        .await?;
        self.notify();
        if done.rows_affected() == 1 { Ok(LeaseStatus::Held) } else { self.lease_status(lease).await }
    }

    /// Why a lease is no longer valid.
    async fn lease_status(&self, lease: &Lease) -> Result<LeaseStatus, QueueError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT state FROM jobs WHERE id = $1")
            .bind(lease.id.as_str())
            .fetch_optional(&self.pool)
            .await?;
        let cancelled = row.is_some_and(|(state,)| state == JobState::Cancelled.word());
        Ok(if cancelled { LeaseStatus::Cancelled } else { LeaseStatus::Lost })
    }

    async fn barred(&self, worker: &str) -> Result<Option<String>, QueueError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT reason FROM barred_workers WHERE worker = $1")
            .bind(worker)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|(reason,)| reason))
    }
}

type Query<'q, O> = sqlx::query::QueryAs<'q, Any, O, sqlx::any::AnyArguments>;

/// The statement that finds the next job for a worker, or reads a certain one, and the number of kinds in it.
fn candidate(worker: &Worker, job_id: bool, postgres: bool) -> (String, usize) {
    let position = if postgres { "strpos" } else { "instr" };
    let kinds = worker.kinds.len();
    let places: Vec<String> = (4..4 + kinds).map(|place| format!("${place}")).collect();
    let job_id = if job_id { format!(" AND id = ${}", 4 + kinds) } else { String::new() };
    let sql = format!(
        "SELECT id FROM jobs WHERE state = 'waiting' AND not_before <= $1 AND (deadline = 0 OR deadline > $1) \
         AND (signature = '' OR signature = $2) AND {position}(excluded, '|' || $3 || '|') = 0 AND kind IN ({}){job_id} \
         ORDER BY class, turn, created_at, id LIMIT 1",
        places.join(", ")
    );
    (sql, kinds)
}

/// Binds the arguments of [`candidate`].
fn bind<'q, O>(query: Query<'q, O>, now: i64, worker: &'q Worker, job_id: Option<&'q str>) -> Query<'q, O> {
    let mut query = query.bind(now).bind(worker.signature.as_str()).bind(worker.name.as_str());
    for kind in &worker.kinds {
        query = query.bind(kind.as_str());
    }
    if let Some(job_id) = job_id { query.bind(job_id) } else { query }
}

#[async_trait]
impl JobQueue for Rows {
    async fn push(&self, jobs: &[Job]) -> Result<u64, QueueError> {
        for job in jobs {
            job.check()?;
        }
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let mut new = 0;
        for job in jobs {
            new += insert(&mut transaction, job).await?;
        }
        transaction.commit().await?;
        drop(writer);
        self.notify();
        Ok(new)
    }

    async fn lease(&self, worker: &Worker) -> Result<Option<Lease>, QueueError> {
        self.take(worker, None).await
    }

    async fn progress(&self, lease: &Lease, text: &str) -> Result<LeaseStatus, QueueError> {
        check_size(text)?;
        let now = now_ms();
        let done = sqlx::query(
            "UPDATE jobs SET lease_until = $3, progress = $4 \
             WHERE id = $1 AND token = $2 AND state = 'leased' AND (deadline = 0 OR deadline > $5)",
        )
        .bind(lease.id.as_str())
        .bind(lease.token)
        .bind(now + milliseconds(self.settings.lease))
        .bind(text)
        .bind(now)
        .execute(&mut *self.writer().await?)
        .await?;
        if done.rows_affected() == 1 { Ok(LeaseStatus::Held) } else { self.lease_status(lease).await }
    }

    async fn acknowledge(&self, lease: &Lease, result: &str) -> Result<LeaseStatus, QueueError> {
        check_size(result)?;
        let now = now_ms();
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        // A lease that has expired still holds the job as long as no other worker has taken it: the work is not lost.
        let changed = sqlx::query(
            "UPDATE jobs SET state = 'done', finished_at = $3 WHERE id = $1 AND token = $2 \
             AND state IN ('waiting', 'leased') AND (deadline = 0 OR deadline > $3)",
        )
        .bind(lease.id.as_str())
        .bind(lease.token)
        .bind(now)
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        if changed == 1 {
            sqlx::query(
                "INSERT INTO results (job_id, result, worker, at) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (job_id) DO NOTHING",
            )
            .bind(lease.id.as_str())
            .bind(result)
            .bind(lease.worker.as_str())
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        drop(writer);
        if changed == 1 {
            self.notify();
            return Ok(LeaseStatus::Held);
        }
        let row: Option<(String,)> =
            sqlx::query_as("SELECT state FROM jobs WHERE id = $1 AND token = $2 AND state = 'done'")
                .bind(lease.id.as_str())
                .bind(lease.token)
                .fetch_optional(&self.pool)
                .await?;
        if row.is_some() { Ok(LeaseStatus::Held) } else { self.lease_status(lease).await }
    }

    async fn give_back(&self, lease: &Lease) -> Result<LeaseStatus, QueueError> {
        let end = End { state: JobState::Waiting, counts: false, not_before: 0, finished_at: 0, reason: "" };
        self.end(lease, &end).await
    }

    async fn reject(&self, lease: &Lease, reason: &str) -> Result<LeaseStatus, QueueError> {
        let reason: String = reason.chars().take(MAX_REASON).collect();
        let (now, reason) = (now_ms(), reason.as_str());
        let end = if lease.attempt >= self.settings.tries {
            End { state: JobState::Dead, counts: true, not_before: 0, finished_at: now, reason }
        } else {
            let pause = milliseconds(self.settings.retry) << (lease.attempt - 1).clamp(0, 10);
            End { state: JobState::Waiting, counts: true, not_before: now + pause, finished_at: 0, reason }
        };
        self.end(lease, &end).await
    }

    async fn cancel(&self, id: &str) -> Result<bool, QueueError> {
        let done = sqlx::query(
            "UPDATE jobs SET state = 'cancelled', finished_at = $2 WHERE id = $1 AND state IN ('waiting', 'leased')",
        )
        .bind(id)
        .bind(now_ms())
        .execute(&mut *self.writer().await?)
        .await?;
        self.notify();
        Ok(done.rows_affected() == 1)
    }

    async fn report(&self, id: &str) -> Result<Option<JobReport>, QueueError> {
        type Row = (String, i64, String, String, String, Option<String>);
        let row: Option<Row> = sqlx::query_as(
            "SELECT state, attempts, jobs.worker, progress, reason, result \
             FROM jobs LEFT JOIN results ON job_id = id WHERE id = $1",
        )
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        let Some((state, attempts, worker, progress, reason, result)) = row else { return Ok(None) };
        let state = read_state(&state)?;
        Ok(Some(JobReport { state, attempts, worker, progress, reason, result }))
    }

    async fn dead(&self) -> Result<Vec<DeadJob>, QueueError> {
        type Row = (String, String, String, String, i64);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT id, kind, worker, reason, finished_at FROM jobs WHERE state = 'dead' \
             ORDER BY finished_at DESC, id LIMIT $1",
        )
        .bind(MAX_LISTED)
        .fetch_all(&self.pool)
        .await?;
        let dead = |(id, kind, worker, reason, at)| DeadJob { id, kind, worker, reason, at };
        Ok(rows.into_iter().map(dead).collect())
    }

    async fn wait(&self, _: &Worker, longest: Duration) {
        // Another process may have pushed a job without notice to this one.
        let _ = tokio::time::timeout(longest, self.changes().changed()).await;
    }
}

/// Adds a job; 1 if it is new or starts over, otherwise 0. An asker without waiting jobs comes next; one with some comes
/// after its last, so that each round of the queue has one job of every asker.
async fn insert(connection: &mut AnyConnection, job: &Job) -> Result<u64, QueueError> {
    let done = sqlx::query(
        "INSERT INTO jobs (id, class, kind, asker, spec, signature, excluded, deadline, created_at, state, turn) \
         SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
         CAST($6 AS TEXT), CAST($7 AS TEXT), CAST($8 AS BIGINT), CAST($9 AS BIGINT), 'waiting', COALESCE( \
         (SELECT MAX(turn) + 1 FROM jobs WHERE state = 'waiting' AND class = $2 AND asker = $4), \
         (SELECT MIN(turn) FROM jobs WHERE state = 'waiting' AND class = $2), 0) WHERE true \
         ON CONFLICT (id) DO UPDATE SET state = 'waiting', spec = excluded.spec, signature = excluded.signature, \
         deadline = excluded.deadline, created_at = excluded.created_at, turn = excluded.turn, attempts = 0, \
         not_before = 0, token = jobs.token + 1, published_at = 0, finished_at = 0, reason = '', progress = '' \
         WHERE jobs.state IN ('cancelled', 'dead', 'late')",
    )
    .bind(job.id.as_str())
    .bind(job.class.number())
    .bind(job.kind.as_str())
    .bind(job.asker.as_str())
    .bind(job.spec.as_str())
    .bind(job.signature.as_deref().unwrap_or_default())
    .bind(if job.excluded.is_empty() { String::new() } else { format!("|{}|", job.excluded.join("|")) })
    .bind(job.deadline.unwrap_or(0))
    .bind(now_ms())
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

/// Milliseconds since 1970. Workers do not compare it with their own clocks: to them a lease is a duration.
pub(crate) fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    milliseconds(since)
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

fn read_class(number: i64) -> Result<Class, QueueError> {
    let unknown = || QueueError::Content { expected: "a class of jobs", found: number.to_string() };
    Class::of_number(number).ok_or_else(unknown)
}

fn read_state(word: &str) -> Result<JobState, QueueError> {
    let unknown = || QueueError::Content { expected: "the state of a job", found: word.to_owned() };
    JobState::of_word(word).ok_or_else(unknown)
}
