//! Jobs, workers and leases, and what a queue can do with them.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Most bytes of the text of a job or of a result: a message of NATS holds 1 MiB by default, in which quotes are escaped.
pub const MAX_BYTES: usize = 400_000;
/// Longest id of a job, and longest name of a kind or worker, in bytes.
const MAX_NAME: usize = 80;

/// How urgent a job is. Jobs of an earlier class come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// A player waits for it at the board.
    Live,
    /// A user waits for it.
    User,
    /// Work of the laboratory.
    Batch,
}

impl Class {
    /// All classes, the most urgent first.
    pub const ALL: [Self; 3] = [Self::Live, Self::User, Self::Batch];

    /// The class as a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::User => "user",
            Self::Batch => "batch",
        }
    }

    pub(crate) const fn number(self) -> i64 {
        self as i64
    }

    pub(crate) fn of_number(number: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.number() == number)
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// Its identity, of letters, digits, `-` and `_`. A job that is pushed twice is done once.
    pub id: String,
    /// How urgent it is.
    pub class: Class,
    /// The kind of work, as a word such as `review`.
    pub kind: String,
    /// The asker. Askers of a class take turns.
    pub asker: String,
    /// The input of the work, as text in the format of its kind.
    pub spec: String,
    /// The engine that has to do it, where the result must be reproducible.
    pub signature: Option<String>,
    /// Workers that may not do it.
    pub excluded: Vec<String>,
    /// The time after which the result is useless, in milliseconds since 1970.
    pub deadline: Option<i64>,
}

impl Job {
    /// A job that any worker of its kind may do, without a deadline.
    #[must_use]
    pub fn new(
        id: impl Into<String>,
        class: Class,
        kind: impl Into<String>,
        spec: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            class,
            kind: kind.into(),
            asker: String::new(),
            spec: spec.into(),
            signature: None,
            excluded: Vec::new(),
            deadline: None,
        }
    }

    /// Fails where a name does not fit into a subject of NATS, or the job into a message.
    pub(crate) fn check(&self) -> Result<(), QueueError> {
        let names = [&self.id, &self.kind].into_iter().chain(&self.signature).chain(&self.excluded);
        for name in names {
            check_name(name)?;
        }
        check_size(&self.spec)?;
        check_size(&self.asker)
    }
}

fn check_name(name: &str) -> Result<(), QueueError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(fits) {
        return Err(QueueError::Name(name.chars().take(MAX_NAME).collect()));
    }
    Ok(())
}

pub(crate) fn check_size(text: &str) -> Result<(), QueueError> {
    if text.len() > MAX_BYTES { Err(QueueError::TooLarge(text.len())) } else { Ok(()) }
}

/// A worker, as it asks for jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Worker {
    /// Its name, of letters, digits, `-` and `_`, different from that of every other worker.
    pub name: String,
    /// The kinds of jobs that it can do.
    pub kinds: Vec<String>,
    /// The signature of its engine.
    pub signature: String,
}

impl Worker {
    /// A worker of this name that does jobs of these kinds.
    ///
    /// # Errors
    /// If the name, a kind or the signature has other characters than letters, digits, `-` and `_`.
    pub fn new(name: &str, kinds: &[&str], signature: &str) -> Result<Self, QueueError> {
        for name in [name, signature].iter().chain(kinds) {
            check_name(name)?;
        }
        let kinds = kinds.iter().map(|&kind| kind.to_owned()).collect();
        Ok(Self { name: name.to_owned(), kinds, signature: signature.to_owned() })
    }
}

/// The right to do a job for some time. Each progress prolongs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lease {
    /// The queue that the job is of; empty for the queue in this process.
    pub queue: String,
    /// The job's id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// Its class.
    pub class: Class,
    /// The input of the work, as in [`Job`].
    pub spec: String,
    /// The number of this lease, which a later lease of the same job exceeds.
    pub token: i64,
    /// The number of this try, from 1.
    pub attempt: i64,
    /// How long the lease is valid after each progress.
    pub duration: Duration,
    /// The worker that has it.
    pub worker: String,
}

/// Whether a worker still has its lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeaseStatus {
    /// It does; the change was made.
    Held,
    /// The job was cancelled.
    Cancelled,
    /// The lease has ended: the job is done, late, or another worker's. Nothing was changed.
    Lost,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It waits for a worker.
    Waiting,
    /// A worker has it.
    Leased,
    /// It has a result.
    Done,
    /// It failed too often and was set aside.
    Dead,
    /// It was cancelled.
    Cancelled,
    /// Its deadline passed before it was done.
    Late,
}

impl JobState {
    const ALL: [Self; 6] = [Self::Waiting, Self::Leased, Self::Done, Self::Dead, Self::Cancelled, Self::Late];

    /// The state as a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Leased => "leased",
            Self::Done => "done",
            Self::Dead => "dead",
            Self::Cancelled => "cancelled",
            Self::Late => "late",
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.word() == word)
    }

    /// Whether the job is over: no worker has it or will get it.
    #[must_use]
    pub const fn is_final(self) -> bool {
        !matches!(self, Self::Waiting | Self::Leased)
    }
}

/// A report on a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobReport {
    /// Its state.
    pub state: JobState,
    /// How often it was leased.
    pub attempts: i64,
    /// The worker that has or had it; empty before the first lease.
    pub worker: String,
    /// The text of its last progress; empty before that.
    pub progress: String,
    /// Why the last try failed; empty if none has.
    pub reason: String,
    /// Its result.
    pub result: Option<String>,
}

/// A job that was set aside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadJob {
    /// Its id.
    pub id: String,
    /// Its kind.
    pub kind: String,
    /// The worker of the last try.
    pub worker: String,
    /// Why the last try failed.
    pub reason: String,
    /// When it was set aside, in milliseconds since 1970.
    pub at: i64,
}

/// Why a queue could not do something.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The database failed.
    #[error("the database of the queue: {0}")]
    Database(#[from] sqlx::Error),
    /// The database has a value that this program does not write.
    #[error("expected {expected} in the queue, found `{found}`")]
    Content {
        /// The expected value.
        expected: &'static str,
        /// The actual value.
        found: String,
    },
    /// A name that does not fit into a subject of NATS.
    #[error("expected a name of letters, digits, `-` and `_`, found `{0}`")]
    Name(String),
    /// A text that does not fit into a message.
    #[error("expected at most {MAX_BYTES} bytes for a job or its result, found {0}")]
    TooLarge(usize),
    /// The worker's results were wrong, so it gets no more jobs.
    #[error("this worker was barred: {0}")]
    Barred(String),
    /// The queue could not be reached.
    #[error("the queue cannot be reached: {0}")]
    Unreachable(String),
    /// The queue could be reached and failed.
    #[error("the queue answers: {0}")]
    Remote(String),
}

/// A queue of jobs.
///
/// A job is done at least once, and has one result. A lease that ends without a result is followed by another, and
/// only the holder of the current lease can change the job. After five tries without a result a job is set aside.
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Adds jobs, and returns how many are new. A job that is there already is left as it is, unless it was cancelled, late
    /// or set aside: then it starts over.
    ///
    /// # Errors
    /// If a job is invalid or the queue cannot be reached.
    async fn push(&self, jobs: &[Job]) -> Result<u64, QueueError>;

    /// The next job for a worker: the most urgent class first, in each class the askers in turn.
    ///
    /// # Errors
    /// If the worker is barred or the queue cannot be reached.
    async fn lease(&self, worker: &Worker) -> Result<Option<Lease>, QueueError>;

    /// Prolongs a lease, and records how far the work is.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    async fn progress(&self, lease: &Lease, text: &str) -> Result<LeaseStatus, QueueError>;

    /// Records the result and ends the lease. A repetition, as after a lost answer, changes nothing and is
    /// [`LeaseStatus::Held`].
    ///
    /// # Errors
    /// If the result is too large or the queue cannot be reached.
    async fn acknowledge(&self, lease: &Lease, result: &str) -> Result<LeaseStatus, QueueError>;

    /// Gives the job to another worker at once; the try does not count.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    async fn give_back(&self, lease: &Lease) -> Result<LeaseStatus, QueueError>;

    /// Records that this try has failed. The job is tried again a little later, or set aside after five tries.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    async fn reject(&self, lease: &Lease, reason: &str) -> Result<LeaseStatus, QueueError>;

    /// Cancels a job that has no result yet. Whether there was one.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    async fn cancel(&self, id: &str) -> Result<bool, QueueError>;

    /// The report on a job; `None` if there is no such job.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    async fn report(&self, id: &str) -> Result<Option<JobReport>, QueueError>;

    /// The jobs that were set aside last, at most a hundred.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    async fn dead(&self) -> Result<Vec<DeadJob>, QueueError>;

    /// Waits until there may be a job for a worker, at most this long.
    async fn wait(&self, worker: &Worker, longest: Duration);
}
