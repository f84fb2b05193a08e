//! The messages between workers and hosts, as JSON. A field that is added later has a default, so that neighboring versions
//! understand each other.

use crate::job::{DeadJob, Job, JobQueue, JobReport, Lease, LeaseStatus, QueueError, Worker};
use serde::{Deserialize, Serialize};

/// A job in the stream.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Envelope {
    /// The queue that has its row.
    pub(super) queue: String,
    pub(super) id: String,
}

/// A request to the host of a queue.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Call {
    Push(Vec<Job>),
    Take { worker: Worker, id: String },
    Progress { lease: Lease, text: String },
    Acknowledge { lease: Lease, result: String },
    GiveBack(Lease),
    Reject { lease: Lease, reason: String },
    Cancel(String),
    Report(String),
    Dead,
    Texts(String),
}

/// Its answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Reply {
    Count(u64),
    Lease(Option<Box<Lease>>),
    /// The job waits for another worker.
    NotForYou,
    Standing(LeaseStatus),
    Cancelled(bool),
    Report(Option<JobReport>),
    Dead(Vec<DeadJob>),
    Texts(Option<Vec<String>>),
    Barred(String),
    Failed(String),
}

/// Performs a call on the queue itself; `None` for the calls that only the host can answer.
pub(super) async fn perform(queue: &dyn JobQueue, call: &Call) -> Option<Result<Reply, QueueError>> {
    Some(match call {
        Call::Push(jobs) => queue.push(jobs).await.map(Reply::Count),
        Call::Progress { lease, text } => queue.progress(lease, text).await.map(Reply::Standing),
        Call::Acknowledge { lease, result } => queue.acknowledge(lease, result).await.map(Reply::Standing),
        Call::GiveBack(lease) => queue.give_back(lease).await.map(Reply::Standing),
        Call::Reject { lease, reason } => queue.reject(lease, reason).await.map(Reply::Standing),
        Call::Cancel(id) => queue.cancel(id).await.map(Reply::Cancelled),
        Call::Report(id) => queue.report(id).await.map(Reply::Report),
        Call::Dead => queue.dead().await.map(Reply::Dead),
        Call::Take { .. } | Call::Texts(_) => return None,
    })
}

/// A value as a message. The types of this crate have no case that could fail.
pub(crate) fn message<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
