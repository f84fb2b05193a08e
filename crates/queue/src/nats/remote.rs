//! The queue as a worker on another machine sees it.

use super::call::{Call, Envelope, Reply, message};
use super::host::WorkerBeat;
use super::{ANY, BELL, Client, NatsError, WORKERS};
use crate::job::{Class, DeadJob, Job, JobQueue, JobReport, Lease, LeaseStatus, QueueError, Worker};
use async_nats::jetstream::consumer::PullConsumer;
use async_trait::async_trait;
use futures_util::StreamExt as _;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// How long NATS may take to answer that it has no job.
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a worker leaves jobs of a kind alone if there are only such that it may not do, so that others get them.
const REFUSED_DELAY: Duration = Duration::from_millis(2_500);

/// Class, kind and signature of the jobs of a consumer in the stream.
type ConsumerKey = (Class, String, String);

/// The queues that are served through NATS. A worker takes jobs of all of them; pushing and reports are those of one.
#[derive(Debug)]
pub struct RemoteQueue {
    client: Client,
    home: String,
    consumers: Mutex<HashMap<ConsumerKey, PullConsumer>>,
    /// The consumers in backoff by worker, and until when.
    backoffs: Mutex<HashMap<(String, ConsumerKey), Instant>>,
    bell: Arc<watch::Sender<u64>>,
    _tasks: JoinSet<()>,
}

impl RemoteQueue {
    /// The queues behind a connection. `home` is the name of the one that jobs are pushed to.
    ///
    /// # Errors
    /// If NATS refuses the subscription.
    pub async fn new(client: Client, home: &str) -> Result<Self, NatsError> {
        let subscribed = client.nats.subscribe(BELL).await;
        let mut rings = subscribed.map_err(|error| NatsError::Subscribe(error.to_string()))?;
        let bell = Arc::new(watch::Sender::new(0));
        let ring = Arc::clone(&bell);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move {
            while rings.next().await.is_some() {
                ring.send_modify(|count| *count += 1);
            }
        });
        let (consumers, backoffs) = (Mutex::default(), Mutex::default());
        Ok(Self { client, home: home.to_owned(), consumers, backoffs, bell, _tasks: tasks })
    }

    /// Sends a heartbeat of a worker. One without threads and live calls removes the worker.
    pub async fn beat(&self, beat: &WorkerBeat) {
        self.client.publish(WORKERS, message(beat)).await;
    }

    /// Waits until everything that was sent is on its way.
    pub async fn flush(&self) {
        if let Err(error) = self.client.nats.flush().await {
            tracing::debug!(%error, "the last messages were not sent");
        }
    }

    /// The texts of the rules with a digest, from the queue that a job is of.
    ///
    /// # Errors
    /// If the queue cannot be reached.
    pub async fn texts(&self, queue: &str, digest: &str) -> Result<Option<Vec<String>>, QueueError> {
        match self.client.request(queue, &Call::Texts(digest.to_owned())).await? {
            Reply::Texts(texts) => Ok(texts),
            _ => Err(unexpected()),
        }
    }

    async fn lease_status(&self, lease: &Lease, call: &Call) -> Result<LeaseStatus, QueueError> {
        match self.client.request(&lease.queue, call).await? {
            Reply::Standing(status) => Ok(status),
            _ => Err(unexpected()),
        }
    }

    async fn consumer(&self, key: &ConsumerKey) -> Result<PullConsumer, QueueError> {
        let mut consumers = self.consumers.lock().await;
        if let Some(consumer) = consumers.get(key) {
            return Ok(consumer.clone());
        }
        let (class, kind, signature) = key;
        let created = self.client.consumer(*class, kind, signature).await.map_err(unreachable)?;
        consumers.insert(key.clone(), created.clone());
        Ok(created)
    }

    /// Whether a consumer is in backoff for a worker.
    async fn is_in_backoff(&self, worker: &Worker, key: &ConsumerKey) -> bool {
        let mut backoffs = self.backoffs.lock().await;
        backoffs.retain(|_, until| *until > Instant::now());
        !backoffs.is_empty() && backoffs.contains_key(&(worker.name.clone(), key.clone()))
    }

    /// Puts a consumer in backoff for a worker.
    async fn back_off(&self, worker: &Worker, key: ConsumerKey) {
        self.backoffs.lock().await.insert((worker.name.clone(), key), Instant::now() + REFUSED_DELAY);
    }

    /// The next message of a consumer, if there is one.
    async fn fetch(&self, key: &ConsumerKey) -> Result<Option<async_nats::jetstream::Message>, QueueError> {
        let consumer = self.consumer(key).await?;
        let next = async {
            let mut batch = consumer.fetch().max_messages(1).messages().await.map_err(unreachable)?;
            batch.next().await.transpose().map_err(unreachable)
        };
        let found = match timeout(FETCH_TIMEOUT, next).await {
            Ok(found) => found,
            Err(_) => Err(QueueError::Unreachable("NATS did not answer in time".into())),
        };
        if found.is_err() {
            // If NATS has lost one, it has lost all: they are created again.
            self.consumers.lock().await.clear();
        }
        found
    }
}

fn unreachable(error: impl std::fmt::Display) -> QueueError {
    QueueError::Unreachable(error.to_string())
}

fn unexpected() -> QueueError {
    QueueError::Remote("expected the answer to another request".into())
}

#[async_trait]
impl JobQueue for RemoteQueue {
    async fn push(&self, jobs: &[Job]) -> Result<u64, QueueError> {
        for job in jobs {
            job.check()?;
        }
        match self.client.request(&self.home, &Call::Push(jobs.to_vec())).await? {
            Reply::Count(count) => Ok(count),
            _ => Err(unexpected()),
        }
    }

    async fn lease(&self, worker: &Worker) -> Result<Option<Lease>, QueueError> {
        for class in Class::ALL {
            for kind in &worker.kinds {
                for signature in [worker.signature.as_str(), ANY] {
                    let key = (class, kind.clone(), signature.to_owned());
                    if self.is_in_backoff(worker, &key).await {
                        continue;
                    }
                    let mut refused = HashSet::new();
                    while let Some(sent) = self.fetch(&key).await? {
                        let Ok(Envelope { queue, id }) = serde_json::from_slice(&sent.payload) else {
                            sent.ack().await.map_err(unreachable)?;
                            continue;
                        };
                        let call = Call::Take { worker: worker.clone(), id: id.clone() };
                        let answer = self.client.request(&queue, &call).await;
                        // The rows have the answer in any case, and send the job again if it still waits.
                        sent.ack().await.map_err(unreachable)?;
                        match answer {
                            Ok(Reply::Lease(Some(lease))) => return Ok(Some(Lease { queue, ..*lease })),
                            Ok(Reply::Lease(None)) => {}
                            // Another job may be for this worker, even the last one that is for no other.
                            Ok(Reply::NotForYou) => {
                                if !refused.insert((queue, id)) {
                                    break;
                                }
                            }
                            Ok(_) => return Err(unexpected()),
                            Err(error @ QueueError::Barred(_)) => return Err(error),
                            Err(error) => tracing::debug!(%error, queue, "a job could not be leased"),
                        }
                    }
                    if !refused.is_empty() {
                        self.back_off(worker, key).await;
                    }
                }
            }
        }
        Ok(None)
    }

    async fn progress(&self, lease: &Lease, text: &str) -> Result<LeaseStatus, QueueError> {
        let call = Call::Progress { lease: bare(lease), text: text.to_owned() };
        self.lease_status(lease, &call).await
    }

    async fn acknowledge(&self, lease: &Lease, result: &str) -> Result<LeaseStatus, QueueError> {
        crate::job::check_size(result)?;
        let call = Call::Acknowledge { lease: bare(lease), result: result.to_owned() };
        self.lease_status(lease, &call).await
    }

    async fn give_back(&self, lease: &Lease) -> Result<LeaseStatus, QueueError> {
        self.lease_status(lease, &Call::GiveBack(bare(lease))).await
    }

    async fn reject(&self, lease: &Lease, reason: &str) -> Result<LeaseStatus, QueueError> {
        let call = Call::Reject { lease: bare(lease), reason: reason.to_owned() };
        self.lease_status(lease, &call).await
    }

    async fn cancel(&self, id: &str) -> Result<bool, QueueError> {
        match self.client.request(&self.home, &Call::Cancel(id.to_owned())).await? {
            Reply::Cancelled(cancelled) => Ok(cancelled),
            _ => Err(unexpected()),
        }
    }

    async fn report(&self, id: &str) -> Result<Option<JobReport>, QueueError> {
        match self.client.request(&self.home, &Call::Report(id.to_owned())).await? {
            Reply::Report(report) => Ok(report),
            _ => Err(unexpected()),
        }
    }

    async fn dead(&self) -> Result<Vec<DeadJob>, QueueError> {
        match self.client.request(&self.home, &Call::Dead).await? {
            Reply::Dead(dead) => Ok(dead),
            _ => Err(unexpected()),
        }
    }

    async fn wait(&self, _: &Worker, longest: Duration) {
        // A ring may be lost with the connection.
        let _ = timeout(longest, self.bell.subscribe().changed()).await;
    }
}

/// A lease as the worker sends it back: without the input, which its host has.
fn bare(lease: &Lease) -> Lease {
    Lease { spec: String::new(), ..lease.clone() }
}
