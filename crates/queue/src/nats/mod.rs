//! The queue through NATS. JetStream carries the jobs to the workers; everything that changes a job is a request to the
//! [`Host`], which has the rows. So a message that NATS loses, repeats or delivers late changes nothing.
//!
//! | subject | message |
//! |---|---|
//! | `lz.job.CLASS.KIND.SIGNATURE.ID` | a waiting job, in the stream; the signature is `any` where every engine will do |
//! | `lz.file.DIGEST.PART` | a part of a file that does not fit into a message, in a stream of its own |
//! | `lz.bell` | there may be new jobs |
//! | `lz.queue.NAME` | requests to the host of a queue |
//! | `lz.worker` | announcements of workers |
//!
//! The stream of jobs is in memory: the rows are the record, and a restart of NATS leaves no old messages behind.

mod call;
mod client;
mod files;
mod host;
mod remote;

pub(crate) use call::message;
pub use client::{Client, FailureLog, NatsError, reconnect_delay, servers, without_password};
pub use files::file_digest;
pub use host::{Host, Texts, WorkerBeat, Workers};
pub use remote::RemoteQueue;

/// Sent when there may be new jobs.
const BELL: &str = "lz.bell";
/// Workers.
const WORKERS: &str = "lz.worker";
/// The signature in the subject of a job that every engine may do.
const ANY: &str = "any";

/// The requests to a queue.
fn requests(queue: &str) -> String {
    format!("lz.queue.{queue}")
}

/// The signature as it stands in subjects.
fn subject_signature(signature: &str) -> &str {
    if signature.is_empty() { ANY } else { signature }
}
