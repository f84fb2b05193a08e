//! Work of this program that the workers of NATS do: matches, self-play for data, reports on games. Here: the jobs in the queue, the
//! checks of workers, and the loop. [`Shared`] defines the work and takes its games.
//!
//! One job in a hundred, and the first of every worker, is done twice on different machines and compared. If the results differ,
//! this machine does it, too, and the worker that was wrong is barred: its work since its last good job is done again.

use lozenge_engine::bench;
use lozenge_game::convert::digest_of;
use lozenge_lab::ledger::{GamesResult, fingerprint_of};
use lozenge_queue::{
    Class, Client, Host, Job, JobQueue as _, JobState, NatsError, QueueError, Rows, Texts, Worker, WorkerBeat,
};
use lozenge_rules::variant::Variant;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write as _};
use std::sync::Arc;
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

/// Work that many machines share.
pub(super) trait Shared {
    /// The data of a job: all that a worker needs to play some games.
    type Job: Clone + Serialize + Send + 'static;
    /// A game of its result.
    type Record: Serialize + DeserializeOwned + Send + 'static;
    /// Why the work fails.
    type Failure: From<FleetFailure> + Send + 'static;
    /// The kind of the jobs.
    const KIND: &'static str;
    /// Most units in a job.
    const MAX_UNITS: usize = 1_000;

    /// The next job, of at most `most` units, with its number. `None` while no job is open.
    fn next_job(&mut self, most: usize) -> Option<(usize, Self::Job)>;
    /// The units of a job: games, or pairs of games.
    fn units(job: &Self::Job) -> usize;
    /// Whether a job has the same result on every machine.
    fn is_reproducible(_: &Self::Job) -> bool {
        true
    }
    /// The fingerprint of the games of a job; it must be equal on two machines.
    fn fingerprint(games: &[Self::Record]) -> String {
        fingerprint_of(games)
    }
    /// Takes the games of a job. `false` if they are not those of the job; then the missing ones are queued again.
    fn accept(&mut self, job: usize, worker: &str, games: Vec<Self::Record>) -> Result<bool, Self::Failure>;
    /// Queues the games of a job again that has no result.
    fn reopen(&mut self, job: usize);
    /// Queues all games again that a worker has played since its last checked job; returns their number.
    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, Self::Failure>;
    /// Records the new results and shows the progress; `workers` describes the workers.
    fn advance(&mut self, workers: &str) -> Result<(), Self::Failure>;
    /// Whether the work is done.
    fn is_over(&self) -> bool;
    /// Whether the user has interrupted it.
    fn is_interrupted(&self) -> bool;
    /// Plays a job on this machine; `None` if that was interrupted.
    fn player(&self, job: &Self::Job) -> Player<Self::Record, Self::Failure>;
}

/// Plays a job on this machine.
pub(super) type Player<G, F> = Box<dyn FnOnce() -> Result<Option<Vec<G>>, F> + Send>;

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

/// The texts of the games.
struct GameTexts(HashMap<String, Vec<String>>);

#[async_trait::async_trait]
impl Texts for GameTexts {
    async fn texts(&self, digest: &str) -> Option<Vec<String>> {
        self.0.get(digest).cloned()
    }
}

/// Runs the work on workers. `false` if it was interrupted.
pub(super) fn run<S: Shared>(
    nats: &str,
    variants: &[Arc<Variant>],
    shared: &mut S,
) -> Result<bool, S::Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(FleetFailure::from)?;
    runtime.block_on(async {
        let mut coordinator = Coordinator::new(nats, variants, shared).await?;
        coordinator.run().await
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
type LocalRun<S> = (
    QueuedJob<<S as Shared>::Job>,
    Vec<(String, String)>,
    Result<Option<Vec<<S as Shared>::Record>>, <S as Shared>::Failure>,
);

struct Coordinator<'s, S: Shared> {
    shared: &'s mut S,
    rows: Rows,
    host: Host,
    signature: String,
    /// The jobs in the queue, by id.
    queued: BTreeMap<String, QueuedJob<S::Job>>,
    /// Jobs that this machine plays itself.
    local_runs: JoinSet<LocalRun<S>>,
    /// The workers that have delivered games, with the last job of each that was checked and correct.
    checked: HashMap<String, Option<usize>>,
    barred: BTreeSet<String>,
    seconds_of_unit: Option<f64>,
    bytes_of_unit: f64,
    no_workers_noted: bool,
}

impl<'s, S: Shared> Coordinator<'s, S> {
    async fn new(nats: &str, variants: &[Arc<Variant>], shared: &'s mut S) -> Result<Self, FleetFailure> {
        let texts = variants.iter().map(|variant| (digest_of(variant.texts()), variant.texts().to_vec()));
        let texts = GameTexts(texts.collect());
        let client = Client::connect(nats).await?;
        let times = lozenge_queue::Settings { lease: LEASE, ..lozenge_queue::Settings::default() };
        let rows = Rows::in_memory(times).await?;
        let host = Host::start(client, &queue_name(S::KIND), rows.clone(), Arc::new(texts)).await?;
        Ok(Self {
            shared,
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

    async fn run(&mut self) -> Result<bool, S::Failure> {
        let mut changes = self.rows.changes();
        while !(self.shared.is_over() && self.local_runs.is_empty() && self.is_checked()) {
            if self.shared.is_interrupted() {
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
            self.shared.advance(&format!("workers {} ({threads} threads)", workers.len()))?;
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
            kinds.iter().any(|kind| kind == S::KIND)
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
            let Some((number, job)) = self.shared.next_job(self.units_of_job()) else { return Ok(()) };
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
                format!(" ({others} others have another engine or do no jobs of the kind {})", S::KIND)
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
        by_time.min(JOB_BYTES / self.bytes_of_unit.max(1.0)).clamp(1.0, S::MAX_UNITS as f64) as usize
    }

    async fn push(&mut self, queued: QueuedJob<S::Job>) -> Result<(), FleetFailure> {
        let spec = serde_json::to_string(&queued.job).map_err(io::Error::from)?;
        let word = if queued.check.is_some() { "check" } else { S::KIND };
        let id = format!("{word}-{}-{}", queued.number, &digest_of(std::slice::from_ref(&spec))[..32]);
        let excluded = queued.check.iter().map(|check| check.worker.clone()).collect();
        let signature = Some(self.signature.clone());
        let job = Job { signature, excluded, ..Job::new(id.clone(), Class::Batch, S::KIND, spec) };
        self.rows.push(&[job]).await?;
        self.queued.insert(id, queued);
        Ok(())
    }

    /// Takes the results that have come.
    async fn collect(&mut self) -> Result<(), S::Failure> {
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
        queued: QueuedJob<S::Job>,
        worker: &str,
        result: GamesResult<S::Record>,
        bytes: usize,
    ) -> Result<(), S::Failure> {
        if self.barred.contains(worker) {
            self.redo(queued);
            return Ok(());
        }
        let found = S::fingerprint(&result.games);
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
        let units = S::units(&queued.job).max(1) as f64;
        let smooth = |old: f64, new: f64| 0.8 * old + 0.2 * new;
        let seconds = result.seconds / units;
        self.seconds_of_unit = Some(self.seconds_of_unit.map_or(seconds, |old| smooth(old, seconds)));
        self.bytes_of_unit = smooth(self.bytes_of_unit, bytes as f64 / units);
        if !self.shared.accept(queued.number, worker, result.games)? {
            return Ok(());
        }
        let first = !self.checked.contains_key(worker);
        if S::is_reproducible(&queued.job) && (first || queued.number.is_multiple_of(CHECK_EVERY)) {
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
    fn redo(&mut self, queued: QueuedJob<S::Job>) {
        match queued.check {
            None => self.shared.reopen(queued.number),
            Some(_) => self.run_locally(queued, Vec::new()),
        }
    }

    /// Plays a job on this machine, whose result is authoritative: it is the work on one machine. `runs` are compared with it.
    fn run_locally(&mut self, queued: QueuedJob<S::Job>, runs: Vec<(String, String)>) {
        let player = self.shared.player(&queued.job);
        let runs = match &queued.check {
            Some(check) if runs.is_empty() => vec![(check.worker.clone(), check.fingerprint.clone())],
            _ => runs,
        };
        self.local_runs.spawn_blocking(move || (queued, runs, player()));
    }

    /// Compares the runs of a job with the games that this machine has played.
    async fn compare_runs(
        &mut self,
        queued: QueuedJob<S::Job>,
        runs: Vec<(String, String)>,
        games: Result<Option<Vec<S::Record>>, S::Failure>,
    ) -> Result<(), S::Failure> {
        let Some(games) = games? else { return Ok(()) };
        let right = S::fingerprint(&games);
        if queued.check.is_none() {
            self.shared.accept(queued.number, "this machine", games)?;
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
    async fn bar(&mut self, worker: &str) -> Result<(), S::Failure> {
        if !self.barred.insert(worker.to_owned()) {
            return Ok(());
        }
        let reason = "its games differ from those of other machines";
        self.rows.bar(worker, reason).await.map_err(FleetFailure::from)?;
        let last = self.checked.get(worker).copied().flatten();
        let games = self.shared.revoke(worker, last)?;
        let units = if S::KIND == "pairs" { "pairs" } else { "games" };
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
