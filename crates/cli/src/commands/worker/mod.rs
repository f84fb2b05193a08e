//! `lozenge worker`: does jobs of sites and matches on this machine. It dials out only. Here: from arguments to a worker, its
//! metrics, its end; `jobs` does the jobs.

mod jobs;

use super::serve::{log_to_stderr, stop_signal};
use super::tables::FolderArgs;
use crate::error::{CliError, CommandError};
use crate::numbers::whole;
use crate::output;
use axum::Router;
use axum::http::header;
use axum::routing::get;
use clap::Args;
use jobs::Jobs;
use lozenge_analysis::job::SearchJob;
use lozenge_analysis::review::ReviewJob;
use lozenge_engine::bench;
use lozenge_game::TrustedProxies;
use lozenge_lab::matches::PairsJob;
use lozenge_lab::report::ReportJob;
use lozenge_lab::tables::TableJob;
use lozenge_lab::tuning::fleet::DataJob;
use lozenge_queue::{
    Client, Drain, NatsError, QueueError, RemoteQueue, Worker, WorkerBeat, serve, serve_live,
};
use lozenge_server::connections::{self, Capacity, ConnectionLimiter};
use metrics_exporter_prometheus::PrometheusBuilder;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::net::TcpListener;

/// The kinds of jobs.
const KINDS: [&str; 6] =
    [SearchJob::KIND, ReviewJob::KIND, ReportJob::KIND, DataJob::KIND, PairsJob::KIND, TableJob::KIND];
/// The queue of the site.
pub(crate) const SITE_QUEUE: &str = "site";

/// How often a worker sends a heartbeat.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(2);
/// Stack of a thread, in bytes: recursion is as deep as the search.
const STACK: usize = 64 << 20;

/// `worker`.
#[derive(Args, Debug)]
#[command(
    after_help = "SIGTERM ends a worker when its jobs are done, or after --grace; it gives back the jobs that are not."
)]
pub(crate) struct WorkerArgs {
    /// NATS with JetStream, such as `nats://USER:PASSWORD@HOST:4222`; several servers separated by commas
    #[arg(long, env = "LOZENGE_NATS", value_name = "URL", hide_env_values = true)]
    nats: String,
    /// The kinds of jobs it does, separated by commas
    #[arg(long, env = "LOZENGE_WORKER_KINDS", value_name = "KINDS", value_delimiter = ',', default_values = KINDS,
        value_parser = KINDS)]
    kinds: Vec<String>,
    /// Jobs at once; by default one for each processor. One of them is kept for moves in games, if the worker does both
    #[arg(long, env = "LOZENGE_WORKER_THREADS", value_name = "N", value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Its name in records and logs, of letters, digits, `-` and `_`; by default that of this machine and the number of its process
    #[arg(long, env = "LOZENGE_WORKER_NAME", value_name = "NAME")]
    name: Option<String>,
    /// Hash table for each review and each move, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = whole::<u16>(1..=4096))]
    hash: u16,
    /// Seconds that running jobs have to end after SIGTERM
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = whole::<u32>(0..=86_400))]
    grace: u32,
    #[command(flatten)]
    tables: FolderArgs,
    /// Address and port for `/metrics` and `/healthz`, such as `127.0.0.1:9091`
    #[arg(long, env = "LOZENGE_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<SocketAddr>,
}

/// Why a worker does not work.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WorkerFailure {
    /// NATS cannot be used.
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// The name is invalid, or the worker was barred.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The address for metrics cannot be used.
    #[error("listening on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// The system refuses threads, sockets or files.
    #[error("starting the worker: {0}")]
    Start(#[from] io::Error),
}

impl CommandError for WorkerFailure {
    fn is_usage(&self) -> bool {
        matches!(self, Self::Queue(QueueError::Name(_)))
    }
}

/// Works until the process receives SIGINT or SIGTERM.
pub(crate) fn run(args: WorkerArgs) -> Result<(), CliError> {
    log_to_stderr();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .worker_threads(2)
        .thread_stack_size(STACK)
        .build()
        .map_err(WorkerFailure::from)?;
    let ended = runtime.block_on(work(args));
    // A search that does not stop has no result any more.
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(ended?)
}

async fn work(args: WorkerArgs) -> Result<(), WorkerFailure> {
    let drain = Drain::default();
    tokio::spawn(end(drain.clone(), Duration::from_secs(u64::from(args.grace))));
    let name = args.name.unwrap_or_else(default_name);
    let kinds: Vec<&str> = args.kinds.iter().map(String::as_str).collect();
    let worker = Worker::new(&name, &kinds, &bench::signature())?;
    let threads = args.threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
    if let Some(address) = args.metrics_listen {
        serve_metrics(address).await?;
    }
    let client = Client::connect(&args.nats).await?;
    let queue = Arc::new(RemoteQueue::new(client.clone(), SITE_QUEUE).await?);
    let jobs = Arc::new(Jobs::new(
        client.clone(),
        Arc::clone(&queue),
        usize::from(args.hash),
        args.tables.shared(),
    )?);
    let others: Vec<&str> = kinds.iter().copied().filter(|&kind| kind != SearchJob::KIND).collect();
    let (live, threads) = shares(others.len() < kinds.len(), !others.is_empty(), threads);
    let beat =
        |threads: usize, live: usize, busy: usize| WorkerBeat { worker: worker.clone(), threads, live, busy };
    let beats = async {
        loop {
            let running = jobs.running();
            metrics::gauge!("lozenge_worker_busy").set(running as f64);
            // A worker that drains does what it has.
            let live = if drain.has_begun() { 0 } else { live };
            queue.beat(&beat(threads, live, running)).await;
            tokio::select! {
                () = tokio::time::sleep(HEARTBEAT_INTERVAL) => {}
                () = drain.begun(), if live > 0 => {}
            }
        }
    };
    tracing::info!(
        name,
        kinds = kinds.join(","),
        threads,
        live,
        engine = worker.signature,
        "the worker is there"
    );
    let taker = Worker::new(&name, &others, &worker.signature)?;
    let taking = serve(Arc::clone(&queue) as _, taker, threads, Arc::clone(&jobs) as _, drain.clone());
    let answering = async {
        if live > 0 {
            serve_live(client, worker.clone(), live, Arc::clone(&jobs) as _, drain.clone()).await?;
        }
        Ok::<_, WorkerFailure>(())
    };
    let both = async {
        let (taken, answered) = tokio::join!(taking, answering);
        answered.and(taken.map_err(WorkerFailure::from))
    };
    let ended = tokio::select! {
        ended = both => ended,
        () = beats => Ok(()),
    };
    queue.beat(&beat(0, 0, 0)).await;
    queue.flush().await;
    tracing::info!(name, "the worker has ended");
    ended
}

/// Drains at the first signal, and gives the jobs back after a while or at the second.
async fn end(drain: Drain, grace: Duration) {
    stop_signal().await;
    tracing::info!("no more jobs are taken");
    drain.begin();
    tokio::select! {
        () = tokio::time::sleep(grace) => {}
        () = stop_signal() => {}
    }
    drain.stop();
}

/// How many of the threads are for moves in games, and how many for other jobs. A worker of both kinds keeps one thread for
/// moves; with a single thread it does a move beside the job that it has.
fn shares(moves: bool, others: bool, threads: usize) -> (usize, usize) {
    match (moves, others) {
        (true, true) => (1, (threads - 1).max(1)),
        (true, false) => (threads, 0),
        (false, _) => (0, threads),
    }
}

async fn serve_metrics(address: SocketAddr) -> Result<(), WorkerFailure> {
    let bound = TcpListener::bind(address).await;
    let listener = bound.map_err(|error| WorkerFailure::Listen { address, error })?;
    let address = listener.local_addr()?;
    let recorder = PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    // Another recorder would have been installed by this process alone.
    let _ = metrics::set_global_recorder(recorder);
    let text = move || {
        let text = handle.render();
        async move { ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text) }
    };
    let router = Router::new().route("/metrics", get(text)).route("/healthz", get(|| async { "working\n" }));
    let limiter = ConnectionLimiter::new(
        Capacity { total: 32, reserve: 0, per_network: 32 },
        TrustedProxies::default(),
    );
    let served =
        connections::serve(listener, router, limiter, std::future::pending(), Duration::from_secs(1));
    tokio::spawn(served);
    // Standard output may be closed; the worker does not need it.
    let _ = output::line(format!("Metrics are at http://{address}/metrics"));
    Ok(())
}

/// The name of this machine, with the number of this process: two workers on one machine are two.
fn default_name() -> String {
    let host = hostname::get().unwrap_or_default();
    let fits = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let host: String = host.to_string_lossy().chars().map(fits).take(60).collect();
    format!("{host}-{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_is_kept_for_moves() {
        assert_eq!(shares(true, true, 8), (1, 7));
        assert_eq!(shares(true, true, 1), (1, 1));
        assert_eq!(shares(true, false, 8), (8, 0));
        assert_eq!(shares(false, true, 8), (0, 8));
    }
}
