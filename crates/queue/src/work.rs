//! The loop of a worker: leases jobs, keeps the leases while it works, delivers the results, and drains when it is to end.

use crate::job::{JobQueue, Lease, LeaseStatus, QueueError, Worker};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

/// Longest time without a look for jobs.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Longest time between two reports of progress; a cancelled job is noticed by its next one.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);
/// The pause after the queue could not be reached; it doubles up to the longest.
const RETRY_DELAY: Duration = Duration::from_millis(500);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(10);

/// Does jobs.
#[async_trait]
pub trait Work: Send + Sync {
    /// Does a job and returns its result. It should look often whether `activity` has been stopped.
    ///
    /// # Errors
    /// If the job failed or was stopped.
    async fn run(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError>;

    /// Whether it accepts jobs at the moment.
    fn is_free(&self) -> bool {
        true
    }
}

/// Why a job has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkError {
    /// It was stopped by its [`Activity`].
    #[error("the job was stopped")]
    Stopped,
    /// It failed.
    #[error("{0}")]
    Failed(String),
}

/// The running of one job: how far it is, and whether it should stop. Clones share it.
#[derive(Clone, Debug)]
pub struct Activity {
    progress: Arc<watch::Sender<String>>,
    stopped: Arc<watch::Sender<bool>>,
}

impl Default for Activity {
    fn default() -> Self {
        Self { progress: Arc::new(watch::Sender::default()), stopped: Arc::new(watch::Sender::new(false)) }
    }
}

impl Activity {
    /// Reports how far the work is.
    pub fn report(&self, text: String) {
        self.progress.send_replace(text);
    }

    /// Whether the work should stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    /// Waits until the work should stop.
    pub async fn stopped(&self) {
        // The sender is a field of this value, so it is not closed.
        let _ = self.stopped.subscribe().wait_for(|stopped| *stopped).await;
    }

    pub(crate) fn stop(&self) {
        self.stopped.send_replace(true);
    }
}

/// The end of a worker. Clones share it.
#[derive(Clone, Debug)]
pub struct Drain(Arc<watch::Sender<Phase>>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Phase {
    Open,
    Draining,
    Stopping,
}

impl Default for Drain {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Phase::Open)))
    }
}

impl Drain {
    /// Lets the running jobs end and takes no more.
    pub fn begin(&self) {
        self.0.send_if_modified(|phase| std::mem::replace(phase, Phase::Draining) < Phase::Draining);
    }

    /// Gives the running jobs back.
    pub fn stop(&self) {
        self.0.send_replace(Phase::Stopping);
    }

    /// Waits until no more jobs are taken.
    pub async fn begun(&self) {
        self.reached(Phase::Draining).await;
    }

    /// Whether no more jobs are taken.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        *self.0.borrow() >= Phase::Draining
    }

    pub(crate) async fn reached(&self, phase: Phase) {
        // The sender is a field of this value, so it is not closed.
        let _ = self.0.subscribe().wait_for(|current| *current >= phase).await;
    }
}

/// Takes jobs from a queue and does them, a limited number at a time, until it has drained.
///
/// # Errors
/// If the worker is barred.
pub async fn serve(
    queue: Arc<dyn JobQueue>,
    worker: Worker,
    jobs_at_once: usize,
    work: Arc<dyn Work>,
    drain: Drain,
) -> Result<(), QueueError> {
    register(&worker.kinds);
    let lane = Lane { queue, worker, work, drain };
    let mut lanes = JoinSet::new();
    for _ in 0..jobs_at_once {
        lanes.spawn(lane.clone().run());
    }
    let mut outcome = Ok(());
    while let Some(ended) = lanes.join_next().await {
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                lane.drain.stop();
                outcome = Err(error);
            }
            Err(error) => {
                tracing::error!(%error, "a worker's loop ended by itself");
                lanes.spawn(lane.clone().run());
            }
        }
    }
    outcome
}

/// One of the loops of a worker, which does one job at a time.
#[derive(Clone)]
struct Lane {
    queue: Arc<dyn JobQueue>,
    worker: Worker,
    work: Arc<dyn Work>,
    drain: Drain,
}

impl Lane {
    async fn run(self) -> Result<(), QueueError> {
        let mut pause = RETRY_DELAY;
        while !self.drain.has_begun() {
            let next = if self.work.is_free() { self.queue.lease(&self.worker).await } else { Ok(None) };
            match next {
                Ok(Some(lease)) => {
                    pause = RETRY_DELAY;
                    self.perform(&lease).await;
                }
                Ok(None) => {
                    pause = RETRY_DELAY;
                    tokio::select! {
                        () = self.queue.wait(&self.worker, POLL_INTERVAL) => {}
                        () = self.drain.reached(Phase::Draining) => {}
                    }
                }
                Err(error @ QueueError::Barred(_)) => return Err(error),
                Err(error) => {
                    tracing::warn!(%error, "no job could be leased");
                    tokio::select! {
                        () = sleep(pause) => {}
                        () = self.drain.reached(Phase::Draining) => {}
                    }
                    pause = (pause * 2).min(MAX_RETRY_DELAY);
                }
            }
        }
        Ok(())
    }

    async fn perform(&self, lease: &Lease) {
        let (activity, begun) = (Activity::default(), Instant::now());
        tracing::info!(job = lease.id, kind = lease.kind, attempt = lease.attempt, "a job begins");
        let outcome = self.run_while_leased(lease, &activity).await;
        let seconds = begun.elapsed().as_secs_f64();
        let (word, status) = match outcome {
            None => ("lost", LeaseStatus::Lost),
            Some(Ok(result)) => ("done", self.deliver(lease, &result).await),
            Some(Err(WorkError::Stopped)) => {
                ("given back", status_or_lost(self.queue.give_back(lease).await))
            }
            Some(Err(WorkError::Failed(reason))) => {
                tracing::warn!(job = lease.id, reason, "a job failed");
                ("failed", status_or_lost(self.queue.reject(lease, &reason).await))
            }
        };
        record(&lease.kind, word, seconds);
        tracing::info!(job = lease.id, kind = lease.kind, seconds, outcome = word, standing = ?status, "a job ends");
    }

    /// Works on a job while its lease holds; `None` when the lease is lost.
    async fn run_while_leased(
        &self,
        lease: &Lease,
        activity: &Activity,
    ) -> Option<Result<String, WorkError>> {
        let mut run = std::pin::pin!(self.work.run(lease, activity));
        let every = PROGRESS_INTERVAL.min(lease.duration / 3);
        let mut valid_until = Instant::now() + lease.duration;
        let mut stopping = false;
        loop {
            tokio::select! {
                outcome = &mut run => return Some(outcome),
                () = sleep(every) => {}
                () = self.drain.reached(Phase::Stopping), if !stopping => {
                    stopping = true;
                    activity.stop();
                    continue;
                }
            }
            let sent = Instant::now();
            let text = activity.progress.borrow().clone();
            let status = timeout(lease.duration, self.queue.progress(lease, &text)).await;
            match status {
                Ok(Ok(LeaseStatus::Held)) => valid_until = sent + lease.duration,
                Ok(Ok(LeaseStatus::Lost | LeaseStatus::Cancelled)) => {
                    activity.stop();
                    let _ = run.await;
                    return None;
                }
                Ok(Err(error)) => tracing::warn!(%error, job = lease.id, "a lease could not be prolonged"),
                Err(_) => tracing::warn!(job = lease.id, "a lease could not be prolonged in time"),
            }
            if Instant::now() >= valid_until {
                activity.stop();
                let _ = run.await;
                return None;
            }
        }
    }

    /// Delivers a result; tries again while another worker is unlikely to have done the job.
    async fn deliver(&self, lease: &Lease, result: &str) -> LeaseStatus {
        let end = Instant::now() + 2 * lease.duration;
        loop {
            match self.queue.acknowledge(lease, result).await {
                Ok(status) => return status,
                Err(QueueError::TooLarge(bytes)) => {
                    let reason = QueueError::TooLarge(bytes).to_string();
                    return status_or_lost(self.queue.reject(lease, &reason).await);
                }
                Err(error) if Instant::now() < end => {
                    tracing::warn!(%error, job = lease.id, "a result could not be delivered");
                    sleep(RETRY_DELAY).await;
                }
                Err(_) => return LeaseStatus::Lost,
            }
        }
    }
}

/// Registers the counters of the jobs of some kinds from zero: an alert on a counter that begins with its first job is silent.
pub(crate) fn register(kinds: &[String]) {
    metrics::describe_counter!("lozenge_worker_jobs_total", "Jobs by kind and outcome.");
    metrics::describe_histogram!(
        "lozenge_worker_job_seconds",
        metrics::Unit::Seconds,
        "Time of jobs by kind."
    );
    for kind in kinds {
        for outcome in ["done", "failed", "given back", "lost"] {
            metrics::counter!("lozenge_worker_jobs_total", "kind" => kind.clone(), "outcome" => outcome)
                .absolute(0);
        }
    }
}

/// Counts a job in the metrics.
pub(crate) fn record(kind: &str, outcome: &'static str, seconds: f64) {
    let kind = kind.to_owned();
    metrics::counter!("lozenge_worker_jobs_total", "kind" => kind.clone(), "outcome" => outcome).increment(1);
    metrics::histogram!("lozenge_worker_job_seconds", "kind" => kind).record(seconds);
}

/// A queue that cannot be reached ends the lease by itself after a while.
fn status_or_lost(status: Result<LeaseStatus, QueueError>) -> LeaseStatus {
    status.unwrap_or_else(|error| {
        tracing::warn!(%error, "the end of a job could not be reported");
        LeaseStatus::Lost
    })
}
