//! A queue of jobs for the engine, on one machine or on many.
//!
//! Rows in SQLite or PostgreSQL are the record of every job and its result ([`Rows`]). A worker in the same process leases jobs
//! from the rows. Workers on other machines are reached through NATS (the feature `nats`): JetStream carries the jobs to them,
//! and each lease, sign of progress and result is a request that changes the rows. So nothing is lost when NATS loses its messages,
//! and both ways behave the same. [`serve`] is the loop of a worker, whichever way its jobs come. Live work, which is worth something
//! for seconds only, goes past the rows ([`Client::call_live`]).
//!
//! Not here: the purpose of a job, and the engine.

mod job;
#[cfg(feature = "nats")]
mod live;
#[cfg(feature = "nats")]
mod nats;
mod rows;
mod work;

pub use job::{
    Class, DeadJob, Job, JobQueue, JobReport, JobState, Lease, LeaseStatus, MAX_BYTES, QueueError, Worker,
};
#[cfg(feature = "nats")]
pub use live::{LiveCall, LiveError, serve_live};
#[cfg(feature = "nats")]
pub use nats::{
    Client, FailureLog, Host, NatsError, RemoteQueue, Texts, WorkerBeat, Workers, file_digest,
    reconnect_delay, servers, without_password,
};
pub use rows::{QueueSettings, Rows, SCHEMA, WriteTurns, install_drivers};
pub use work::{Activity, Drain, Work, WorkError, serve};
