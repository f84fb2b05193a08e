//! The engine's work for the site, as jobs in the queue: done by workers on other machines, or by this server after the moves
//! and hints that players wait for. Moves and hints have no jobs: `live` has workers search them at once, and this server does
//! it where none can. Not here: which work there is (`reviews`, `laboratory`).

#[cfg(feature = "nats")]
mod live;
mod local;
#[cfg(feature = "nats")]
mod remote;

use crate::games::{LiveGames, Variants};
use local::LocalWork;
pub use local::{at_low_priority, at_lowest_priority};
use lozenge_analysis::review::ReviewJob;
use lozenge_game::time::now_ms;
use lozenge_lab::report::ReportJob;
use lozenge_queue::{Drain, JobState, QueueError, Rows, Worker, serve};
use lozenge_store::{Store, StoreError};
#[cfg(feature = "nats")]
use remote::Remote;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, OnceCell};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

/// The name of the site's queue.
#[cfg(feature = "nats")]
const QUEUE: &str = "site";
/// How often this server searches for expired leases.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);
/// Sweeps between two counts of the jobs.
const COUNT_EVERY: u64 = 15;
/// How long running jobs may take to stop when the server does.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// The jobs of the site. Clones share them.
#[derive(Clone)]
pub struct Jobs {
    rows: Rows,
    name: Arc<str>,
    work: LocalWork,
    drain: Drain,
    /// The loops of this server as a worker.
    workers: Arc<Mutex<JoinSet<()>>>,
    tasks: Arc<Mutex<JoinSet<()>>>,
    /// The signature of the engine, once it is needed.
    signature: Arc<OnceCell<String>>,
}

impl std::fmt::Debug for Jobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Jobs").finish_non_exhaustive()
    }
}

impl Jobs {
    /// Starts doing the jobs in the queue: at most `reviews` reviews at a time on this server. `nats` are workers on other
    /// machines, which come first. `name` is that of this server among the workers.
    pub async fn start(
        store: Store,
        games: LiveGames,
        variants: Variants,
        at_once: usize,
        nats: Option<&str>,
        name: &str,
    ) -> Result<Self, StoreError> {
        let rows = store.queue().clone();
        // Those that this server was doing when it stopped.
        rows.release(name).await?;
        let mut tasks = JoinSet::new();
        tasks.spawn(sweep(rows.clone()));
        #[cfg(feature = "nats")]
        let remote = nats.map(|nats| {
            let remote = Remote::default();
            let (rows, store, variants) = (rows.clone(), store.clone(), variants.clone());
            let searches = (games.engines().remote_searches(), variants.clone());
            tasks.spawn(remote.clone().run(nats.to_owned(), rows, store, variants, searches));
            remote
        });
        #[cfg(not(feature = "nats"))]
        let _ = nats;
        let work = LocalWork {
            kind: ReviewJob::KIND,
            signature: None,
            store,
            games,
            variants,
            #[cfg(feature = "nats")]
            remote,
        };
        let (workers, tasks) = (Arc::default(), Arc::new(Mutex::new(tasks)));
        let jobs = Self {
            rows,
            name: name.into(),
            work,
            drain: Drain::default(),
            workers,
            tasks,
            signature: Arc::default(),
        };
        jobs.do_jobs(ReviewJob::KIND, None, at_once).await?;
        Ok(jobs)
    }

    /// Does jobs of a kind on this server, a limited number at a time.
    async fn do_jobs(
        &self,
        kind: &'static str,
        signature: Option<String>,
        at_once: usize,
    ) -> Result<(), QueueError> {
        let worker = Worker::new(&self.name, &[kind], signature.as_deref().unwrap_or("site"))?;
        let work = LocalWork { kind, signature, ..self.work.clone() };
        let serving = serve(Arc::new(self.rows.clone()), worker, at_once, Arc::new(work), self.drain.clone());
        self.workers.lock().await.spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(%error, kind, "this server does no more jobs");
            }
        });
        Ok(())
    }

    /// Does games of measurements from now on, one job at a time, and returns the signature of the engine that plays them: all
    /// games of a measurement are those of one engine.
    pub(crate) async fn do_reports(&self) -> Result<&str, StoreError> {
        let begin = async {
            let signature = tokio::task::spawn_blocking(lozenge_worker::signature).await;
            let unknown = |error: tokio::task::JoinError| StoreError::Content {
                expected: "the signature of the engine",
                found: error.to_string(),
            };
            let signature = signature.map_err(unknown)?;
            self.do_jobs(ReportJob::KIND, Some(signature.clone()), 1).await?;
            Ok(signature)
        };
        self.signature.get_or_try_init(|| begin).await.map(String::as_str)
    }

    /// The queue.
    pub(crate) fn rows(&self) -> &Rows {
        &self.rows
    }

    /// How many jobs of a kind can be done at a time: by workers on other machines, or by this server alone.
    pub(crate) fn places(&self, kind: &str) -> usize {
        #[cfg(feature = "nats")]
        if let Some(remote) = &self.work.remote {
            return remote.places(kind, self.signature.get().map(String::as_str)).max(1);
        }
        let _ = kind;
        1
    }

    /// Runs a task until the site is closed.
    pub async fn adopt(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.tasks.lock().await.spawn(task);
    }

    /// Stops; jobs that are not finished go on at the next start.
    pub async fn close(&self) {
        self.drain.stop();
        let mut workers = self.workers.lock().await;
        // They end by themselves when their jobs are given back; the other tasks do not.
        let _ = timeout(STOP_TIMEOUT, async { while workers.join_next().await.is_some() {} }).await;
        workers.shutdown().await;
        self.tasks.lock().await.shutdown().await;
    }
}

/// Ends the leases of workers that have gone, and counts the jobs for the metrics.
async fn sweep(rows: Rows) {
    let mut ticks = interval(SWEEP_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for count in 0u64.. {
        ticks.tick().await;
        if let Err(error) = rows.sweep().await {
            tracing::warn!(%error, "expired jobs could not be looked for");
        }
        if count.is_multiple_of(COUNT_EVERY)
            && let Err(error) = count_jobs(&rows).await
        {
            tracing::warn!(%error, "jobs could not be counted");
        }
    }
}

async fn count_jobs(rows: &Rows) -> Result<(), QueueError> {
    let counts = rows.counts().await?;
    for state in [JobState::Waiting, JobState::Leased, JobState::Dead] {
        let count: i64 = counts.iter().filter(|(of, ..)| *of == state).map(|(.., count)| count).sum();
        metrics::gauge!("lozenge_jobs", "state" => state.word()).set(count as f64);
    }
    let age_ms = rows.oldest().await?.map_or(0, |oldest| (now_ms() - oldest).max(0));
    metrics::gauge!("lozenge_oldest_job_seconds").set(age_ms as f64 / 1000.0);
    Ok(())
}
