//! The host of a queue: has the rows, hands waiting jobs to NATS, and answers the workers.

use super::call::{Call, Envelope, Reply, message, perform};
use super::{BELL, Client, NatsError, WORKERS, requests, subject_signature};
use crate::job::{Class, QueueError, Worker};
use crate::rows::Rows;
use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, timeout};

/// How often expired leases are looked for.
const SWEEP_INTERVAL: Duration = Duration::from_millis(500);
/// Longest time between two searches for jobs to hand over.
const DISPATCH_INTERVAL: Duration = Duration::from_millis(500);
/// The time without a heartbeat after which a worker counts as gone.
const WORKER_TIMEOUT: Duration = Duration::from_secs(10);
/// The group of those that serve a queue.
const HOST_GROUP: &str = "hosts";
/// Requests that are answered at the same time.
const MAX_CONCURRENT_REQUESTS: usize = 32;
/// Most workers that are remembered.
const MAX_WORKERS: usize = 10_000;

/// The texts of variant files, for the workers.
#[async_trait]
pub trait Texts: Send + Sync {
    /// The texts of the rules with a digest, their own first; `None` if they are unknown.
    async fn texts(&self, digest: &str) -> Option<Vec<String>>;
}

/// A worker's heartbeat, in which it describes itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerBeat {
    /// Its name, kinds of jobs and engine.
    pub worker: Worker,
    /// Jobs that it can do at a time.
    pub threads: usize,
    /// Live calls that it can do at a time.
    #[serde(default)]
    pub live: usize,
    /// Jobs that it is doing.
    pub busy: usize,
}

/// The workers with a recent heartbeat. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Workers(Arc<Mutex<HashMap<String, (Instant, WorkerBeat)>>>);

impl Workers {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Instant, WorkerBeat)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record_beat(&self, beat: WorkerBeat) {
        let mut workers = self.lock();
        workers.retain(|_, (at, _)| at.elapsed() < WORKER_TIMEOUT);
        if beat.threads + beat.live == 0 {
            workers.remove(&beat.worker.name);
        } else if workers.len() < MAX_WORKERS {
            workers.insert(beat.worker.name.clone(), (Instant::now(), beat));
        }
    }

    /// The workers that are there.
    #[must_use]
    pub fn present(&self) -> Vec<WorkerBeat> {
        let workers = self.lock();
        workers
            .values()
            .filter(|(at, _)| at.elapsed() < WORKER_TIMEOUT)
            .map(|(_, beat)| beat.clone())
            .collect()
    }

    fn threads(&self) -> usize {
        self.present().iter().map(|beat| beat.threads).sum()
    }
}

/// A queue that is served through NATS, until this is dropped.
#[derive(Debug)]
pub struct Host {
    workers: Workers,
    _tasks: JoinSet<()>,
}

impl Host {
    /// Serves the queue of these rows under a name.
    ///
    /// # Errors
    /// If NATS refuses the subscriptions.
    pub fn start<'a>(
        client: Client,
        name: &'a str,
        rows: Rows,
        texts: Arc<dyn Texts>,
    ) -> BoxFuture<'a, Result<Self, NatsError>> {
        // Boxed, so that its code is compiled here and not in each crate that waits for it.
        Box::pin(Self::start_now(client, name, rows, texts))
    }

    async fn start_now(
        client: Client,
        name: &str,
        rows: Rows,
        texts: Arc<dyn Texts>,
    ) -> Result<Self, NatsError> {
        let fault = |error: async_nats::SubscribeError| NatsError::Subscribe(error.to_string());
        // Several servers may serve one queue, whose rows they share: one of them answers.
        let calls = client.nats.queue_subscribe(requests(name), HOST_GROUP.into()).await.map_err(fault)?;
        let beats = client.nats.subscribe(WORKERS).await.map_err(fault)?;
        // A restart of NATS may have lost jobs that an earlier host handed over.
        if let Err(error) = rows.forget_published().await {
            tracing::warn!(%error, "the queue could not be read");
        }
        let workers = Workers::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(answer_all(client.clone(), rows.clone(), texts, calls));
        tasks.spawn(record_heartbeats(workers.clone(), beats));
        tasks.spawn(sweep(rows.clone()));
        tasks.spawn(dispatch(client, name.to_owned(), rows, workers.clone()));
        Ok(Self { workers, _tasks: tasks })
    }

    /// The workers that are there.
    #[must_use]
    pub fn workers(&self) -> &Workers {
        &self.workers
    }
}

async fn record_heartbeats(workers: Workers, mut beats: async_nats::Subscriber) {
    while let Some(heartbeat) = beats.next().await {
        match serde_json::from_slice(&heartbeat.payload) {
            Ok(beat) => workers.record_beat(beat),
            Err(error) => tracing::debug!(%error, "a worker of another version"),
        }
    }
}

async fn sweep(rows: Rows) {
    let mut ticks = interval(SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = rows.sweep().await {
            tracing::warn!(%error, "expired jobs could not be looked for");
        }
    }
}

/// Answers requests, some at a time.
async fn answer_all(client: Client, rows: Rows, texts: Arc<dyn Texts>, mut calls: async_nats::Subscriber) {
    let slots = Arc::new(Semaphore::new(MAX_CONCURRENT_REQUESTS));
    while let Some(request) = calls.next().await {
        let Some(reply_to) = request.reply else { continue };
        let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
        let (client, rows, texts) = (client.clone(), rows.clone(), Arc::clone(&texts));
        tokio::spawn(async move {
            let _slot = slot;
            let reply = match serde_json::from_slice(&request.payload) {
                Ok(call) => answer(&rows, &*texts, call).await,
                Err(error) => Reply::Failed(format!("expected a request of this version ({error})")),
            };
            if let Err(error) = client.nats.publish(reply_to, message(&reply).into()).await {
                tracing::warn!(%error, "an answer was not sent");
            }
        });
    }
}

async fn answer(rows: &Rows, texts: &dyn Texts, call: Call) -> Reply {
    if let Some(answer) = perform(rows, &call).await {
        return answer.unwrap_or_else(|error| Reply::Failed(error.to_string()));
    }
    match call {
        Call::Texts(digest) => Reply::Texts(texts.texts(&digest).await),
        Call::Take { worker, id } => take(rows, &worker, &id).await.unwrap_or_else(|error| match error {
            QueueError::Barred(reason) => Reply::Barred(reason),
            error => Reply::Failed(error.to_string()),
        }),
        _ => Reply::Failed("expected a request of this version".into()),
    }
}

/// Leases a job to the worker that has its message. One that this worker may not do is handed over again.
async fn take(rows: &Rows, worker: &Worker, id: &str) -> Result<Reply, QueueError> {
    let lease = rows.take(worker, Some(id)).await;
    let refused = matches!(lease, Ok(None) | Err(QueueError::Barred(_)));
    let waits = refused && rows.publish_later(id).await?;
    let lease = lease?;
    Ok(if waits { Reply::NotForYou } else { Reply::Lease(lease.map(Box::new)) })
}

/// Hands waiting jobs to NATS, twice as many as can be done at a time, so that a more urgent job or another asker waits for
/// few of them.
async fn dispatch(client: Client, name: String, rows: Rows, workers: Workers) {
    let mut changes = rows.changes();
    loop {
        if timeout(DISPATCH_INTERVAL, changes.changed()).await.is_ok_and(|changed| changed.is_err()) {
            return;
        }
        changes.mark_unchanged();
        let window = i64::try_from(2 * workers.threads()).unwrap_or(i64::MAX);
        if window == 0 {
            continue;
        }
        if let Err(error) = hand_over(&client, &name, &rows, window).await {
            tracing::warn!(%error, "jobs could not be handed over");
            // The stream may be gone, with the jobs that were in it.
            let recovered = async {
                client.stream().await?;
                rows.forget_published().await.map_err(|error| NatsError::Stream(error.to_string()))
            };
            if let Err(error) = recovered.await {
                tracing::debug!(%error, "NATS is not there yet");
            }
            sleep(DISPATCH_INTERVAL).await;
        }
    }
}

async fn hand_over(client: &Client, name: &str, rows: &Rows, window: i64) -> Result<(), NatsError> {
    let mut sent = 0;
    for class in Class::ALL {
        let fault = |error: QueueError| NatsError::Stream(error.to_string());
        for job in rows.publish(class, window).await.map_err(fault)? {
            let signature = subject_signature(&job.signature);
            let subject = format!("lz.job.{}.{}.{signature}.{}", class.word(), job.kind, job.id);
            let envelope = Envelope { queue: name.to_owned(), id: job.id };
            client.publish_job(subject, message(&envelope)).await?;
            sent += 1;
        }
    }
    if sent > 0 {
        client.publish(BELL, Vec::new()).await;
    }
    Ok(())
}
