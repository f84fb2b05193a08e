//! `lozenge match --nats`: the match on the workers of NATS. Here: the jobs in the queue, the checks of workers, and the
//! progress; `lozenge_lab::matches::Fleet` knows which games are in.

use super::{MatchFailure, files};
use crate::commands::worker::{PAIRS, PairsResult};
use crate::output::Progress;
use lozenge_engine::bench;
use lozenge_lab::matches::{
    Fleet, GameRecord, Journal, Kind, MatchEnd, MatchError, OwnEngine, PairsFault, PairsJob, Settings, Table,
    fingerprint,
};
use lozenge_protocol::client::Program;
use lozenge_queue::{
    Class, Client, Host, Job, JobQueue as _, QueueError, Rows, State, Texts, Worker, WorkerBeat, digest_of,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::task::JoinSet;

/// How long a worker may be silent.
const LEASE: Duration = Duration::from_secs(30);
/// How long a job should take, in seconds.
const JOB_SECONDS: f64 = 20.0;
/// Most pairs of a job.
const MOST_PAIRS: f64 = 64.0;
/// Most bytes that the result of a job should have.
const JOB_BYTES: f64 = 150_000.0;
/// One job in so many is checked.
const CHECKED: usize = 100;
/// Longest time between two looks at the queue.
const LOOK: Duration = Duration::from_millis(500);

/// The texts of the match's games.
struct GameTexts(HashMap<String, Vec<String>>);

#[async_trait::async_trait]
impl Texts for GameTexts {
    async fn texts(&self, digest: &str) -> Option<Vec<String>> {
        self.0.get(digest).cloned()
    }
}

/// A job in the queue.
struct Sent {
    number: usize,
    job: PairsJob,
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

/// A job that this machine has played itself: its fingerprint, or why there is none.
type Referee = (Sent, Vec<(String, String)>, Result<Vec<GameRecord>, PairsFault>);

/// What else the match needs while it is played.
pub(super) struct Outputs<'o> {
    pub(super) journal: Option<&'o mut Journal>,
    pub(super) pgn: Option<&'o mut files::Pgn>,
    pub(super) bar: &'o mut Progress,
    pub(super) interrupted: &'o (dyn Fn() -> bool + Sync),
}

/// Plays a match on the workers of NATS.
pub(super) fn play(
    nats: &str,
    settings: &Settings,
    known: &[GameRecord],
    outputs: Outputs<'_>,
) -> Result<(Table, MatchEnd), MatchFailure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(MatchError::Report)?;
    runtime.block_on(async {
        let mut conductor = Conductor::new(nats, settings, known, outputs).await?;
        conductor.run().await
    })
}

/// Plays the match.
struct Conductor<'m> {
    settings: &'m Settings,
    known: &'m [GameRecord],
    outputs: Outputs<'m>,
    fleet: Fleet<'m>,
    rows: Rows,
    host: Host,
    signature: String,
    own: OwnEngine,
    /// The jobs in the queue, by id.
    sent: BTreeMap<String, Sent>,
    /// Jobs that this machine plays itself.
    referee: JoinSet<Referee>,
    /// The workers that have delivered games, with the last job of each that was checked and right.
    checked: HashMap<String, Option<usize>>,
    barred: BTreeSet<String>,
    seconds_of_pair: Option<f64>,
    bytes_of_pair: f64,
    said_alone: bool,
}

impl<'m> Conductor<'m> {
    async fn new(
        nats: &str,
        settings: &'m Settings,
        known: &'m [GameRecord],
        outputs: Outputs<'m>,
    ) -> Result<Self, MatchFailure> {
        let program = std::env::current_exe().map_err(MatchError::Report)?;
        let digests: Vec<String> =
            settings.variants.iter().map(|variant| digest_of(variant.texts())).collect();
        let texts = settings.variants.iter().map(|variant| variant.texts().to_vec());
        let texts = GameTexts(digests.iter().cloned().zip(texts).collect());
        let fleet = Fleet::new(settings, digests, known, &program)?;
        let variant_file = settings.engines.iter().find_map(|engine| match &engine.kind {
            Kind::Uci(uci) => uci.variant_path.clone(),
            Kind::Random(_) | Kind::Plain => None,
        });
        let own =
            OwnEngine { program: Program { path: program, arguments: vec!["engine".into()] }, variant_file };
        let client = Client::connect(nats).await?;
        let times = lozenge_queue::Settings { lease: LEASE, ..lozenge_queue::Settings::default() };
        let rows = Rows::in_memory(times).await?;
        let host = Host::start(client, &queue_name(), rows.clone(), Arc::new(texts)).await?;
        Ok(Self {
            settings,
            known,
            outputs,
            fleet,
            rows,
            host,
            signature: bench::signature(),
            own,
            sent: BTreeMap::new(),
            referee: JoinSet::new(),
            checked: HashMap::new(),
            barred: BTreeSet::new(),
            seconds_of_pair: None,
            bytes_of_pair: 10_000.0,
            said_alone: false,
        })
    }

    async fn run(&mut self) -> Result<(Table, MatchEnd), MatchFailure> {
        let mut news = self.rows.news();
        while !(self.fleet.is_over() && self.referee.is_empty() && self.is_checked()) {
            if (self.outputs.interrupted)() {
                return Ok((self.fleet.table().clone(), MatchEnd::Interrupted));
            }
            self.send().await?;
            tokio::select! {
                _ = tokio::time::timeout(LOOK, news.changed()) => {}
                Some(played) = self.referee.join_next() => {
                    let (sent, runs, games) = played.map_err(|_| MatchError::Worker)?;
                    self.decide(sent, runs, games).await?;
                }
            }
            news.mark_unchanged();
            self.collect().await?;
            self.count()?;
        }
        for record in self.fleet.games().skip(self.known.len()) {
            if let Some(pgn) = &mut self.outputs.pgn {
                pgn.add(self.settings, record).map_err(MatchError::Report)?;
            }
        }
        let end = self.fleet.verdict().map_or(MatchEnd::Complete, MatchEnd::Decided);
        Ok((self.fleet.table().clone(), end))
    }

    /// Whether no job of a worker is still to be compared.
    fn is_checked(&self) -> bool {
        self.sent.values().all(|sent| sent.check.is_none())
    }

    /// The workers that can play this match.
    fn workers(&self) -> Vec<WorkerBeat> {
        let mut workers = self.host.workers().present();
        workers.retain(|beat| {
            let Worker { name, kinds, signature } = &beat.worker;
            kinds.iter().any(|kind| kind == PAIRS)
                && *signature == self.signature
                && !self.barred.contains(name)
        });
        workers
    }

    /// Keeps twice as many jobs in the queue as the workers can do at a time.
    async fn send(&mut self) -> Result<(), MatchFailure> {
        let workers = self.workers();
        let threads: usize = workers.iter().map(|beat| beat.threads).sum();
        if threads == 0 {
            self.say_alone();
        }
        while self.sent.len() < 2 * threads {
            let Some((number, job)) = self.fleet.next_job(self.pairs_of_job()) else { return Ok(()) };
            self.push(Sent { number, job, check: None }).await?;
        }
        Ok(())
    }

    fn say_alone(&mut self) {
        if !self.said_alone {
            self.said_alone = true;
            let others = self.host.workers().present().len();
            let others = if others == 0 {
                String::new()
            } else {
                format!(" ({others} others have another engine or do no pairs)")
            };
            // A closed standard error is no reason not to play.
            let _ = writeln!(
                std::io::stderr(),
                "note: no worker plays yet; start `lozenge worker` somewhere{others}"
            );
        }
    }

    /// So many pairs that a job takes about as long as it should and its result fits into a message.
    fn pairs_of_job(&self) -> usize {
        let Some(seconds) = self.seconds_of_pair else { return 1 };
        let by_time = JOB_SECONDS / seconds.max(0.001);
        by_time.min(JOB_BYTES / self.bytes_of_pair).clamp(1.0, MOST_PAIRS) as usize
    }

    async fn push(&mut self, sent: Sent) -> Result<(), MatchFailure> {
        let spec = serde_json::to_string(&sent.job).map_err(|error| MatchError::Report(error.into()))?;
        let word = if sent.check.is_some() { "check" } else { "pairs" };
        let id = format!("{word}-{}-{}", sent.number, &digest_of(std::slice::from_ref(&spec))[..32]);
        let excluded = sent.check.iter().map(|check| check.worker.clone()).collect();
        let signature = Some(self.signature.clone());
        let job = Job { signature, excluded, ..Job::new(id.clone(), Class::Batch, PAIRS, spec) };
        self.rows.push(&[job]).await?;
        self.sent.insert(id, sent);
        Ok(())
    }

    /// Takes the results that have come.
    async fn collect(&mut self) -> Result<(), MatchFailure> {
        let ids: Vec<String> = self.sent.keys().cloned().collect();
        for id in ids {
            let Some(report) = self.rows.report(&id).await? else { continue };
            match (report.state, report.result) {
                (State::Done, Some(result)) => {
                    let Some(sent) = self.sent.remove(&id) else { continue };
                    match serde_json::from_str(&result) {
                        Ok(result) => self.take(sent, &report.worker, result).await?,
                        // As if it had failed: it is played here.
                        Err(_) => self.play_here(sent, Vec::new()),
                    }
                }
                (State::Dead | State::Late | State::Cancelled, _) => {
                    let Some(sent) = self.sent.remove(&id) else { continue };
                    tracing::warn!(id, reason = report.reason, "no worker could play a job");
                    self.play_here(sent, Vec::new());
                }
                (State::Waiting, _) => self.check_alone(&id).await?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Plays a check here if there is no other worker that could.
    async fn check_alone(&mut self, id: &str) -> Result<(), MatchFailure> {
        let Some(Sent { check: Some(check), .. }) = self.sent.get(id) else { return Ok(()) };
        if self.workers().iter().any(|beat| beat.worker.name != check.worker) {
            return Ok(());
        }
        self.rows.cancel(id).await?;
        if let Some(sent) = self.sent.remove(id) {
            self.play_here(sent, Vec::new());
        }
        Ok(())
    }

    /// Takes the result of a job, or of a check.
    async fn take(&mut self, sent: Sent, worker: &str, result: PairsResult) -> Result<(), MatchFailure> {
        if self.barred.contains(worker) {
            return self.again(sent).await;
        }
        if let Some(check) = &sent.check {
            let found = fingerprint(&result.games);
            if found == check.fingerprint {
                for worker in [worker, &check.worker] {
                    self.good(worker, sent.number);
                }
                return Ok(());
            }
            let runs = vec![(check.worker.clone(), check.fingerprint.clone()), (worker.to_owned(), found)];
            self.play_here(sent, runs);
            return Ok(());
        }
        let pairs = sent.job.games.len().div_ceil(2) as f64;
        let bytes = serde_json::to_string(&result.games).map_or(0, |text| text.len());
        let smooth = |old: f64, new: f64| 0.8 * old + 0.2 * new;
        let seconds = result.seconds / pairs;
        self.seconds_of_pair = Some(self.seconds_of_pair.map_or(seconds, |old| smooth(old, seconds)));
        self.bytes_of_pair = smooth(self.bytes_of_pair, bytes as f64 / pairs);
        let found = fingerprint(&result.games);
        if !self.fleet.accept(sent.number, worker, result.games) {
            return Ok(());
        }
        let first = !self.checked.contains_key(worker);
        if sent.job.is_reproducible() && (first || sent.number.is_multiple_of(CHECKED)) {
            self.checked.entry(worker.to_owned()).or_default();
            let check = Check { worker: worker.to_owned(), fingerprint: found };
            self.push(Sent { check: Some(check), ..sent }).await?;
        }
        Ok(())
    }

    fn good(&mut self, worker: &str, job: usize) {
        let last = self.checked.entry(worker.to_owned()).or_default();
        *last = (*last).max(Some(job));
    }

    /// Plays a job again that has no result to be trusted.
    async fn again(&mut self, sent: Sent) -> Result<(), MatchFailure> {
        match sent.check {
            None => self.fleet.reopen(sent.number),
            Some(_) => self.play_here(sent, Vec::new()),
        }
        Ok(())
    }

    /// Plays a job on this machine, whose word counts: it is the match on one machine. `runs` are those to be judged.
    fn play_here(&mut self, sent: Sent, runs: Vec<(String, String)>) {
        let variant = self.settings.variants.iter().find(|variant| variant.id() == sent.job.variant);
        let (Some(variant), own) = (variant.cloned(), self.own.clone()) else { return };
        let runs = match &sent.check {
            Some(check) if runs.is_empty() => vec![(check.worker.clone(), check.fingerprint.clone())],
            _ => runs,
        };
        self.referee.spawn_blocking(move || {
            let games = sent.job.play(&variant, &own, &|| super::is_interrupted(), &|_| {});
            (sent, runs, games)
        });
    }

    /// Judges the runs of a job by the games that this machine has played.
    async fn decide(
        &mut self,
        sent: Sent,
        runs: Vec<(String, String)>,
        games: Result<Vec<GameRecord>, PairsFault>,
    ) -> Result<(), MatchFailure> {
        let games = match games {
            Ok(games) => games,
            Err(PairsFault::Stopped) => return Ok(()),
            Err(PairsFault::Engine { engine, what }) => {
                return Err(MatchError::Engine { engine, what }.into());
            }
            Err(fault) => return Err(MatchError::Report(std::io::Error::other(fault)).into()),
        };
        let right = fingerprint(&games);
        if sent.check.is_none() {
            self.fleet.accept(sent.number, "this machine", games);
        }
        for (worker, found) in runs {
            if found == right {
                self.good(&worker, sent.number);
            } else {
                self.bar(&worker).await?;
            }
        }
        Ok(())
    }

    /// Gives a worker no more jobs, and has its games played again since its last job that was right.
    async fn bar(&mut self, worker: &str) -> Result<(), MatchFailure> {
        if !self.barred.insert(worker.to_owned()) {
            return Ok(());
        }
        let reason = "its games differ from those of other machines";
        self.rows.bar(worker, reason).await?;
        let last = self.checked.get(worker).copied().flatten();
        let pairs = self.fleet.revoke(worker, last);
        let _ = writeln!(
            std::io::stderr(),
            "warning: the worker {worker} was barred: {reason}; {pairs} pairs are played again"
        );
        // The games are counted again from the beginning, without those of this worker.
        if let Some(journal) = &mut self.outputs.journal
            && pairs > 0
        {
            journal.replace(self.known.iter()).map_err(MatchError::Report)?;
        }
        Ok(())
    }

    /// Counts the games that are in, in the order of one machine.
    fn count(&mut self) -> Result<(), MatchFailure> {
        let journal = &mut self.outputs.journal;
        self.fleet
            .count(&mut |record, _| journal.as_mut().map_or(Ok(()), |journal| journal.add(record)))
            .map_err(MatchError::Report)?;
        let (workers, table) = (self.workers(), self.fleet.table());
        let threads: usize = workers.iter().map(|beat| beat.threads).sum();
        self.outputs.bar.show(self.fleet.games_in(), || {
            format!(
                "{}  workers {} ({threads} threads)",
                super::report::short(self.settings, table),
                workers.len()
            )
        });
        Ok(())
    }
}

/// A name that no other match has.
fn queue_name() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("match-{:x}-{:x}", std::process::id(), since.as_nanos())
}

impl From<QueueError> for MatchFailure {
    fn from(error: QueueError) -> Self {
        Self::Queue(error.to_string())
    }
}

impl From<lozenge_queue::NatsError> for MatchFailure {
    fn from(error: lozenge_queue::NatsError) -> Self {
        Self::Queue(error.to_string())
    }
}
