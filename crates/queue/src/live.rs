//! Live work through NATS: a move that a player waits for. One worker gets the request, and begins at once or refuses. If no
//! answer comes in time, the caller does the work itself.
//!
//! Live work has no row and no stored message. Its result is worth something for seconds only and can be computed again at any
//! time. So losing it costs time, never a game, and writing it down would cost more than it is worth.
//!
//! | subject | message |
//! |---|---|
//! | `lz.live.WORKER` | a call, or the cancellation of one |

use crate::job::{Class, Lease, Worker};
use crate::nats::{Client, NatsError, message};
use crate::work::{Activity, Drain, Phase, Work, WorkError, record, register};
use async_nats::connection::State;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// How long a worker may take to begin. A paused one is noticed after this.
const BEGIN_TIMEOUT: Duration = Duration::from_millis(300);
/// How much longer than the work itself its answer may take.
const ANSWER_MARGIN: Duration = Duration::from_millis(500);

/// Work that is wanted at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveCall {
    /// The queue that has the texts of the rules.
    pub queue: String,
    /// The kind of work, as a word such as `move`.
    pub kind: String,
    /// The input of the work, as text in the format of its kind.
    pub spec: String,
    /// How long it may take.
    pub patience: Duration,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LiveMessage {
    Do(LiveCall),
    /// The address of the answer names the call.
    Stop(String),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LiveReply {
    Begun,
    Busy,
    Done(String),
    Failed(String),
}

/// Why a live call has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LiveError {
    /// The worker is not there any more.
    #[error("the worker is not there")]
    Gone,
    /// It does not answer in time.
    #[error("the worker does not answer in time")]
    TimedOut,
    /// It has no free slot.
    #[error("the worker is busy")]
    Busy,
    /// It failed.
    #[error("{0}")]
    Failed(String),
    /// NATS cannot be reached.
    #[error("NATS cannot be reached: {0}")]
    Unreachable(String),
}

fn subject(worker: &str) -> String {
    format!("lz.live.{worker}")
}

/// Cancels the call at its worker when the caller no longer waits for the answer.
struct StopOnDrop {
    client: async_nats::Client,
    subject: String,
    /// Empty once there is an answer.
    reply_to: String,
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if self.reply_to.is_empty() {
            return;
        }
        let stop = message(&LiveMessage::Stop(std::mem::take(&mut self.reply_to)));
        let (client, subject) = (self.client.clone(), std::mem::take(&mut self.subject));
        runtime.spawn(async move {
            // It may be lost: the worker stops by itself when its time is over.
            let _ = client.publish(subject, stop.into()).await;
        });
    }
}

impl Client {
    /// Has a worker do something at once. A call that is dropped ends the work.
    ///
    /// # Errors
    /// If the worker does not begin at once, or has no result in time.
    pub async fn call_live(&self, worker: &str, call: LiveCall) -> Result<String, LiveError> {
        let nats = self.nats();
        if nats.connection_state() != State::Connected {
            return Err(LiveError::Unreachable("the connection is lost".into()));
        }
        let unreachable = |error: &dyn std::fmt::Display| LiveError::Unreachable(error.to_string());
        let reply_to = nats.new_inbox();
        let mut replies = nats.subscribe(reply_to.clone()).await.map_err(|error| unreachable(&error))?;
        let patience = call.patience;
        let mut stop =
            StopOnDrop { client: nats.clone(), subject: subject(worker), reply_to: reply_to.clone() };
        nats.publish_with_reply(subject(worker), reply_to, message(&LiveMessage::Do(call)).into())
            .await
            .map_err(|error| unreachable(&error))?;
        for wait in [BEGIN_TIMEOUT, patience + ANSWER_MARGIN] {
            let Ok(reply_message) = timeout(wait, replies.next()).await else {
                return Err(LiveError::TimedOut);
            };
            let reply_message = reply_message.ok_or_else(|| unreachable(&"the connection was closed"))?;
            if reply_message.status.is_some_and(|status| status == async_nats::StatusCode::NO_RESPONDERS) {
                stop.reply_to.clear();
                return Err(LiveError::Gone);
            }
            let reply = serde_json::from_slice(&reply_message.payload);
            let outcome = match reply {
                Ok(LiveReply::Begun) => continue,
                Ok(LiveReply::Busy) => Err(LiveError::Busy),
                Ok(LiveReply::Done(result)) => Ok(result),
                Ok(LiveReply::Failed(reason)) => Err(LiveError::Failed(reason)),
                Err(error) => Err(LiveError::Failed(format!("expected an answer of this version ({error})"))),
            };
            stop.reply_to.clear();
            return outcome;
        }
        Err(LiveError::TimedOut)
    }
}

/// The calls that a worker is doing, by the addresses of their answers.
type Running = Arc<Mutex<HashMap<String, Activity>>>;

fn lock(running: &Running) -> MutexGuard<'_, HashMap<String, Activity>> {
    running.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Serves the live calls to a worker, a limited number at a time, until it has drained.
///
/// # Errors
/// If NATS refuses the subscription.
pub async fn serve_live(
    client: Client,
    worker: Worker,
    calls_at_once: usize,
    work: Arc<dyn Work>,
    drain: Drain,
) -> Result<(), NatsError> {
    register(&worker.kinds);
    let subscribed = client.nats().subscribe(subject(&worker.name)).await;
    let mut calls = subscribed.map_err(|error| NatsError::Subscribe(error.to_string()))?;
    let (running, mut tasks) = (Running::default(), JoinSet::new());
    loop {
        let sent = tokio::select! {
            sent = calls.next() => sent,
            Some(_) = tasks.join_next() => continue,
            () = drain.reached(Phase::Draining) => None,
        };
        let Some(sent) = sent else { break };
        match (serde_json::from_slice(&sent.payload), sent.reply) {
            (Ok(LiveMessage::Stop(call)), _) => {
                if let Some(activity) = lock(&running).get(&call) {
                    activity.stop();
                }
            }
            (Ok(LiveMessage::Do(call)), Some(reply_to)) => {
                let caller = Caller { nats: client.nats().clone(), reply_to: reply_to.to_string() };
                if lock(&running).len() >= calls_at_once {
                    caller.reply(&LiveReply::Busy).await;
                    continue;
                }
                let activity = Activity::default();
                lock(&running).insert(caller.reply_to.clone(), activity.clone());
                tasks.spawn(perform(
                    call,
                    caller,
                    worker.name.clone(),
                    Arc::clone(&work),
                    activity,
                    running.clone(),
                ));
            }
            (Ok(LiveMessage::Do(_)), None) => {}
            (Err(error), _) => tracing::debug!(%error, "a live call of another version"),
        }
    }
    tokio::select! {
        () = async { while tasks.join_next().await.is_some() {} } => {}
        () = drain.reached(Phase::Stopping) => lock(&running).values().for_each(Activity::stop),
    }
    Ok(())
}

/// The caller, who gets the replies.
struct Caller {
    nats: async_nats::Client,
    reply_to: String,
}

impl Caller {
    async fn reply(&self, reply: &LiveReply) {
        if let Err(error) = self.nats.publish(self.reply_to.clone(), message(reply).into()).await {
            tracing::debug!(%error, "an answer was not sent");
        }
    }
}

async fn perform(
    call: LiveCall,
    caller: Caller,
    worker: String,
    work: Arc<dyn Work>,
    activity: Activity,
    running: Running,
) {
    caller.reply(&LiveReply::Begun).await;
    let begun = Instant::now();
    let LiveCall { queue, kind, spec, patience } = call;
    let id = caller.reply_to.rsplit('.').next().unwrap_or_default().to_owned();
    let class = Class::Live;
    let lease = Lease { queue, id, kind, class, spec, token: 0, attempt: 1, duration: patience, worker };
    let mut run = std::pin::pin!(work.run(&lease, &activity));
    let outcome = match timeout(patience + ANSWER_MARGIN, &mut run).await {
        Ok(outcome) => outcome,
        Err(_) => {
            activity.stop();
            run.await
        }
    };
    lock(&running).remove(&caller.reply_to);
    let (word, reply) = match outcome {
        Ok(result) => ("done", LiveReply::Done(result)),
        Err(WorkError::Stopped) => ("given back", LiveReply::Failed("it was stopped".into())),
        Err(WorkError::Failed(reason)) => {
            tracing::warn!(kind = lease.kind, reason, "a live call failed");
            ("failed", LiveReply::Failed(reason))
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    tracing::debug!(kind = lease.kind, seconds, outcome = word, "a live call ends");
    record(&lease.kind, word, seconds);
    caller.reply(&reply).await;
}
