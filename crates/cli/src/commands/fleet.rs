//! Work of this program that the workers of NATS do: matches, self-play for data, reports on games. Here: the jobs in the queue, the
//! checks of workers, and the loop. [`FleetWork`] has the work and takes its games.
//!
//! One job in a hundred, and the first of every worker, is done twice on different machines and compared. If the results differ,
//! this machine does it, too, and the worker that was wrong is barred: its work since its last good job is done again.

use crate::error::CommandError;
use lozenge_engine::bench;
use lozenge_game::convert::digest_of;
use lozenge_lab::ledger::{FleetWork, GamesResult};
use lozenge_queue::{
    Class, Client, Host, Job, JobQueue as _, JobState, NatsError, QueueError, Rows, Texts, Worker, WorkerBeat,
};
use lozenge_rules::variant::Variant;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::JoinSet;

/// How long a worker may be silent.
const LEASE: Duration = Duration::from_secs(30);
/// How long a job should take, in seconds.
const JOB_SECONDS: f64 = 20.0;
/// Most bytes that the result of a job should have.
const JOB_BYTES: f64 = 150_000.0;
/// One job in this many is checked.
const CHECK_EVERY: usize = 100;
/// Longest time between two polls of the queue.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Why workers cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FleetFailure {
    /// NATS cannot be used.
    #[error(transparent)]
    Nats(#[from] NatsError),
    /// The queue failed.
    #[error(transparent)]
    Queue(#[from] QueueError),
    /// The system refuses threads, or a job cannot be written.
    #[error("starting the work: {0}")]
    Start(#[from] io::Error),
    /// Ctrl-C; how the work goes on.
    #[error("interrupted{0}")]
    Interrupted(String),
    /// A thread has panicked: a bug in this program.
    #[error("internal error: a job has failed")]
    Panicked,
}

impl CommandError for FleetFailure {}

/// The texts of the games.
struct GameTexts(HashMap<String, Vec<String>>);

#[async_trait::async_trait]
impl Texts for GameTexts {
    async fn texts(&self, digest: &str) -> Option<Vec<String>> {
        self.0.get(digest).cloned()
    }
}

/// Runs the work on workers until it is over or `stop` is set; `false` in the latter case. `show` receives the work after
/// new results, and a description of the workers.
pub(super) fn run<W: FleetWork, F>(
    nats: &str,
    variants: &[Arc<Variant>],
    work: &mut W,
    stop: &'static AtomicBool,
    show: &mut dyn FnMut(&W, &str),
) -> Result<bool, F>
where
    F: From<FleetFailure> + From<W::Error> + Send + 'static,
{
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(FleetFailure::from)?;
    runtime.block_on(async {
        let mut coordinator = Coordinator::new(nats, variants, work, stop).await?;
        coordinator.run(show).await
    })
}

/// A job in the queue.
struct QueuedJob<J> {
    number: usize,
    job: J,
    /// The second run of a job, by another worker than this one.
    check: Option<Check>,
}

/// A run that is to be compared with another.
#[derive(Clone)]
struct Check {
    /// The worker of the first run.
    worker: String,
    fingerprint: String,
}

/// A job that this machine has played itself, the runs to compare with it, and its games.
type LocalRun<W, F> = (
    QueuedJob<<W as FleetWork>::Job>,
    Vec<(String, String)>,
    Result<Option<Vec<<W as FleetWork>::Record>>, F>,
);

/// `F` is a failure of the work or its transport.
struct Coordinator<'w, W: FleetWork, F> {
    work: &'w mut W,
    stop: &'static AtomicBool,
    rows: Rows,
    host: Host,
    signature: String,
    /// The jobs in the queue, by id.
    queued: BTreeMap<String, QueuedJob<W::Job>>,
    /// Jobs that this machine plays itself.
    local_runs: JoinSet<LocalRun<W, F>>,
    /// The workers that have delivered games, with the last job of each that was checked and correct.
    checked: HashMap<String, Option<usize>>,
    barred: BTreeSet<String>,
    seconds_of_unit: Option<f64>,
    bytes_of_unit: f64,
    no_workers_noted: bool,
}

impl<'w, W: FleetWork, F> Coordinator<'w, W, F>
where
    F: From<FleetFailure> + From<W::Error> + Send + 'static,
{
    async fn new(
        nats: &str,
        variants: &[Arc<Variant>],
        work: &'w mut W,
        stop: &'static AtomicBool,
    ) -> Result<Self, FleetFailure> {
        let texts = variants.iter().map(|variant| (digest_of(variant.texts()), variant.texts().to_vec()));
        let texts = GameTexts(texts.collect());
        let client = Client::connect(nats).await?;
        let times = lozenge_queue::QueueSettings { lease: LEASE, ..lozenge_queue::QueueSettings::default() };
        let rows = Rows::in_memory(times).await?;
        let host = Host::start(client, &queue_name(W::KIND), rows.clone(), Arc::new(texts)).await?;
        Ok(Self {
            work,
            stop,
            rows,
            host,
            signature: bench::signature(),
            queued: BTreeMap::new(),
            local_runs: JoinSet::new(),
            checked: HashMap::new(),
            barred: BTreeSet::new(),
            seconds_of_unit: None,
            bytes_of_unit: 10_000.0,
            no_workers_noted: false,
        })
    }

    async fn run(&mut self, show: &mut dyn FnMut(&W, &str)) -> Result<bool, F> {
        let mut changes = self.rows.changes();
        while !(self.work.is_over() && self.local_runs.is_empty() && self.is_checked()) {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            self.send().await?;
            tokio::select! {
                _ = tokio::time::timeout(POLL_INTERVAL, changes.changed()) => {}
                Some(played) = self.local_runs.join_next() => {
                    let (queued, runs, games) = played.map_err(|_| FleetFailure::Panicked)?;
                    self.compare_runs(queued, runs, games).await?;
                }
            }
            changes.mark_unchanged();
            self.collect().await?;
            let workers = self.workers();
            let threads: usize = workers.iter().map(|beat| beat.threads).sum();
            self.work.advance()?;
            show(self.work, &format!("workers {} ({threads} threads)", workers.len()));
        }
        Ok(true)
    }

    /// Whether no job of a worker is still to be compared.
    fn is_checked(&self) -> bool {
        self.queued.values().all(|queued| queued.check.is_none())
    }

    /// The workers that can do this work.
    fn workers(&self) -> Vec<WorkerBeat> {
        let mut workers = self.host.workers().present();
        workers.retain(|beat| {
            let Worker { name, kinds, signature } = &beat.worker;
            kinds.iter().any(|kind| kind == W::KIND)
                && *signature == self.signature
                && !self.barred.contains(name)
        });
        workers
    }

    /// Keeps twice as many jobs in the queue as the workers can do at a time.
    async fn send(&mut self) -> Result<(), FleetFailure> {
        let workers = self.workers();
        let threads: usize = workers.iter().map(|beat| beat.threads).sum();
        if threads == 0 {
            self.note_no_workers();
        }
        while self.queued.len() < 2 * threads {
            let Some((number, job)) = self.work.next_job(self.units_of_job()) else { return Ok(()) };
            self.push(QueuedJob { number, job, check: None }).await?;
        }
        Ok(())
    }

    fn note_no_workers(&mut self) {
        if !self.no_workers_noted {
            self.no_workers_noted = true;
            let others = self.host.workers().present().len();
            let others = if others == 0 {
                String::new()
            } else {
                format!(" ({others} others have another engine or do no jobs of the kind {})", W::KIND)
            };
            // A closed standard error is no reason not to work.
            let _ =
                writeln!(io::stderr(), "note: no worker plays yet; start `lozenge worker` somewhere{others}");
        }
    }

    /// The units of a job that takes about as long as it should and whose result fits into a message.
    fn units_of_job(&self) -> usize {
        let Some(seconds) = self.seconds_of_unit else { return 1 };
        let by_time = JOB_SECONDS / seconds.max(0.001);
        by_time.min(JOB_BYTES / self.bytes_of_unit.max(1.0)).clamp(1.0, W::MAX_UNITS as f64) as usize
    }

    async fn push(&mut self, queued: QueuedJob<W::Job>) -> Result<(), FleetFailure> {
        let spec = serde_json::to_string(&queued.job).map_err(io::Error::from)?;
        let word = if queued.check.is_some() { "check" } else { W::KIND };
        let id = format!("{word}-{}-{}", queued.number, &digest_of(std::slice::from_ref(&spec))[..32]);
        let excluded = queued.check.iter().map(|check| check.worker.clone()).collect();
        let signature = Some(self.signature.clone());
        let job = Job { signature, excluded, ..Job::new(id.clone(), Class::Batch, W::KIND, spec) };
        self.rows.push(&[job]).await?;
        self.queued.insert(id, queued);
        Ok(())
    }

    /// Takes the results that have come.
    async fn collect(&mut self) -> Result<(), F> {
        let ids: Vec<String> = self.queued.keys().cloned().collect();
        for id in ids {
            let Some(report) = self.rows.report(&id).await.map_err(FleetFailure::from)? else { continue };
            match (report.state, report.result) {
                (JobState::Done, Some(result)) => {
                    let Some(queued) = self.queued.remove(&id) else { continue };
                    match serde_json::from_str(&result) {
                        Ok(found) => self.handle_result(queued, &report.worker, found, result.len()).await?,
                        // As if it had failed: it is played here.
                        Err(_) => self.run_locally(queued, Vec::new()),
                    }
                }
                (JobState::Dead | JobState::Late | JobState::Cancelled, _) => {
                    let Some(queued) = self.queued.remove(&id) else { continue };
                    tracing::warn!(id, reason = report.reason, "no worker could do a job");
                    self.run_locally(queued, Vec::new());
                }
                (JobState::Waiting, _) => self.run_orphaned_check(&id).await?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Plays a check here if there is no other worker that could.
    async fn run_orphaned_check(&mut self, id: &str) -> Result<(), FleetFailure> {
        let Some(QueuedJob { check: Some(check), .. }) = self.queued.get(id) else { return Ok(()) };
        if self.workers().iter().any(|beat| beat.worker.name != check.worker) {
            return Ok(());
        }
        self.rows.cancel(id).await?;
        if let Some(queued) = self.queued.remove(id) {
            self.run_locally(queued, Vec::new());
        }
        Ok(())
    }

    /// Takes the result of a job, or of a check.
    async fn handle_result(
        &mut self,
        queued: QueuedJob<W::Job>,
        worker: &str,
        result: GamesResult<W::Record>,
        bytes: usize,
    ) -> Result<(), F> {
        if self.barred.contains(worker) {
            self.redo(queued);
            return Ok(());
        }
        let found = W::fingerprint(&result.games);
        if let Some(check) = &queued.check {
            if found == check.fingerprint {
                for worker in [worker, &check.worker] {
                    self.mark_correct(worker, queued.number);
                }
                return Ok(());
            }
            let runs = vec![(check.worker.clone(), check.fingerprint.clone()), (worker.to_owned(), found)];
            self.run_locally(queued, runs);
            return Ok(());
        }
        let units = W::units(&queued.job).max(1) as f64;
        let smooth = |old: f64, new: f64| 0.8 * old + 0.2 * new;
        let seconds = result.seconds / units;
        self.seconds_of_unit = Some(self.seconds_of_unit.map_or(seconds, |old| smooth(old, seconds)));
        self.bytes_of_unit = smooth(self.bytes_of_unit, bytes as f64 / units);
        if !self.work.accept(queued.number, worker, result.games)? {
            return Ok(());
        }
        let first = !self.checked.contains_key(worker);
        if W::is_reproducible(&queued.job) && (first || queued.number.is_multiple_of(CHECK_EVERY)) {
            self.checked.entry(worker.to_owned()).or_default();
            let check = Check { worker: worker.to_owned(), fingerprint: found };
            self.push(QueuedJob { check: Some(check), ..queued }).await?;
        }
        Ok(())
    }

    fn mark_correct(&mut self, worker: &str, job: usize) {
        let last = self.checked.entry(worker.to_owned()).or_default();
        *last = (*last).max(Some(job));
    }

    /// Queues a job again that has no trusted result; plays it here if it was a check.
    fn redo(&mut self, queued: QueuedJob<W::Job>) {
        match queued.check {
            None => self.work.reopen(queued.number),
            Some(_) => self.run_locally(queued, Vec::new()),
        }
    }

    /// Plays a job on this machine, whose result is authoritative: it is the work on one machine. `runs` are compared with it.
    fn run_locally(&mut self, queued: QueuedJob<W::Job>, runs: Vec<(String, String)>) {
        let player = self.work.local_player(&queued.job, self.stop);
        let runs = match &queued.check {
            Some(check) if runs.is_empty() => vec![(check.worker.clone(), check.fingerprint.clone())],
            _ => runs,
        };
        self.local_runs.spawn_blocking(move || (queued, runs, player().map_err(F::from)));
    }

    /// Compares the runs of a job with the games that this machine has played.
    async fn compare_runs(
        &mut self,
        queued: QueuedJob<W::Job>,
        runs: Vec<(String, String)>,
        games: Result<Option<Vec<W::Record>>, F>,
    ) -> Result<(), F> {
        let Some(games) = games? else { return Ok(()) };
        let right = W::fingerprint(&games);
        if queued.check.is_none() {
            self.work.accept(queued.number, "this machine", games)?;
        }
        for (worker, found) in runs {
            if found == right {
                self.mark_correct(&worker, queued.number);
            } else {
                self.bar(&worker).await?;
            }
        }
        Ok(())
    }

    /// Gives a worker no more jobs, and queues its games since its last correct job again.
    async fn bar(&mut self, worker: &str) -> Result<(), F> {
        if !self.barred.insert(worker.to_owned()) {
            return Ok(());
        }
        let reason = "its games differ from those of other machines";
        self.rows.bar(worker, reason).await.map_err(FleetFailure::from)?;
        let last = self.checked.get(worker).copied().flatten();
        let games = self.work.revoke(worker, last)?;
        let units = if W::KIND == "pairs" { "pairs" } else { "games" };
        let _ = writeln!(
            io::stderr(),
            "warning: the worker {worker} was barred: {reason}; {games} {units} are played again"
        );
        Ok(())
    }
}

/// A name that no other queue has.
fn queue_name(kind: &str) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{kind}-{:x}-{:x}", std::process::id(), since.as_nanos())
}
