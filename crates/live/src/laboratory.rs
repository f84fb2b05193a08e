//! Measurements of games that users ask for: one after the other, each as jobs in the queue (`jobs`) of some games, within bounds on
//! games, nodes and minutes. The jobs and their results are in the database, so that a restart goes on with them. Not here: who
//! may ask (`lozenge_server`), what is measured (`lozenge_lab`).

use crate::games::{LiveGames, Variants};
use crate::jobs::{Jobs, at_low_priority};
use lozenge_game::convert::digest_of;
use lozenge_game::time::now_ms;
use lozenge_lab::ledger::{FleetWork as _, GamesResult};
use lozenge_lab::report::{self, GameRecord, GameReport, KnownGames, ReportError, ReportFleet, ReportJob};
use lozenge_queue::{Class, Job, JobQueue as _, JobState, QueueError, Rows};
use lozenge_store::{LabEnqueueOutcome, LabRow, Store, StoreError, read_json, write_json};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::timeout;

/// The fewest and the most games of a measurement.
pub const GAMES: std::ops::RangeInclusive<u32> = 20..=1_000;
/// The fewest and the most nodes that the engine searches for each move.
pub const NODES: std::ops::RangeInclusive<u32> = 100..=2_000;
/// The games of a measurement by default.
pub const USUAL_GAMES: u32 = 200;
/// The nodes for each move by default.
pub const USUAL_NODES: u32 = 1_000;
/// Longest work on the games of one measurement. Its parts then end with the games they have.
const MAX_WORK_TIME: Duration = Duration::from_secs(30 * 60);
/// Nodes of a job, so that little is lost with it, and the plies of a usual game.
const JOB_NODES: u64 = 3_000_000;
const USUAL_PLIES: u64 = 80;
/// Most games of a job: their moves fit into a message, however long they are.
const MAX_GAMES: u64 = 10;
/// Most jobs of a measurement in the queue.
const MAX_JOBS: usize = 32;
/// Longest time between two polls of the results, and the least pause.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const MIN_POLL_DELAY: Duration = Duration::from_millis(50);
/// The pause after the database has failed.
const RETRY_DELAY: Duration = Duration::from_secs(10);
/// How often it checks whether this server of several is the one that works, and searches for measurements asked for elsewhere.
const LEADER_CHECK_INTERVAL: Duration = Duration::from_secs(10);
const RECHECK_INTERVAL: Duration = Duration::from_secs(30);

/// The measurement that is being carried out.
#[derive(Clone, Debug)]
struct RunningMeasurement {
    id: String,
    stop: Arc<watch::Sender<bool>>,
    done: Arc<AtomicU64>,
}

impl RunningMeasurement {
    fn is_stopped(&self) -> bool {
        *self.stop.borrow()
    }
}

/// The queue of measurements. Clones share it.
#[derive(Clone)]
pub struct Laboratory {
    store: Store,
    variants: Variants,
    games: LiveGames,
    jobs: Jobs,
    running: Arc<Mutex<Option<RunningMeasurement>>>,
    wake: Arc<Notify>,
    closed: Arc<AtomicBool>,
}

impl std::fmt::Debug for Laboratory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Laboratory").finish_non_exhaustive()
    }
}

/// Why a measurement was not carried out.
#[derive(Debug, thiserror::Error)]
enum LabFault {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Report(#[from] ReportError),
    #[error("the thread could not be started: {0}")]
    Thread(std::io::Error),
    #[error("the measurement failed")]
    Panicked,
    #[error("games could not be played: {0}")]
    Games(String),
    /// It was cancelled, or the site is closed.
    #[error("the measurement was stopped")]
    Stopped,
}

impl From<QueueError> for LabFault {
    fn from(error: QueueError) -> Self {
        Self::Store(error.into())
    }
}

impl Laboratory {
    /// A queue of measurements, which stands still until [`run`](Self::run) is called.
    pub fn new(store: Store, variants: Variants, games: LiveGames, jobs: Jobs) -> Self {
        let (running, wake, closed) = (Arc::default(), Arc::default(), Arc::default());
        Self { store, variants, games, jobs, running, wake, closed }
    }

    fn lock(&self) -> MutexGuard<'_, Option<RunningMeasurement>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games played so far of the measurement that is being carried out, if it is this one.
    pub fn progress(&self, id: &str) -> Option<u64> {
        self.lock().as_ref().filter(|run| run.id == id).map(|run| run.done.load(Ordering::Relaxed))
    }

    /// Puts a measurement into the queue.
    pub async fn enqueue(&self, row: &LabRow) -> Result<LabEnqueueOutcome, StoreError> {
        let outcome = self.store.enqueue_lab_job(row).await?;
        self.wake.notify_one();
        Ok(outcome)
    }

    /// Cancels a user's measurement, and returns whether there was one.
    pub async fn cancel(&self, id: &str, user: &str) -> Result<bool, StoreError> {
        let cancelled = self.store.cancel_lab_job(id, user, now_ms()).await?;
        if cancelled && let Some(run) = self.lock().as_ref().filter(|run| run.id == id) {
            run.stop.send_replace(true);
        }
        Ok(cancelled)
    }

    /// Ends the work. Its jobs go on at the next start.
    pub fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        if let Some(run) = self.lock().as_ref() {
            run.stop.send_replace(true);
        }
        self.wake.notify_one();
    }

    fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Carries out one measurement after the other until the site is closed.
    pub async fn run(self) {
        while !self.is_closed() {
            if !self.games.is_leader().await {
                tokio::time::sleep(LEADER_CHECK_INTERVAL).await;
                continue;
            }
            match self.store.next_lab_job().await {
                Ok(Some(row)) => self.carry_out(&row).await,
                // Another server may have put one into the queue, where there are several.
                Ok(None) => drop(timeout(RECHECK_INTERVAL, self.wake.notified()).await),
                Err(StoreError::Closed) => return,
                Err(error) => {
                    tracing::warn!(%error, "could not look for measurements");
                    tokio::time::sleep(RETRY_DELAY).await;
                }
            }
        }
    }

    async fn carry_out(&self, row: &LabRow) {
        let done = Arc::new(AtomicU64::new(row.done as u64));
        let run = RunningMeasurement { id: row.id.clone(), stop: Arc::new(watch::Sender::new(false)), done };
        *self.lock() = Some(run.clone());
        let result = self.measure(row, &run).await;
        *self.lock() = None;
        // The row of a cancelled one shows that; after a restart the jobs go on.
        if self.is_closed() || matches!(result, Err(LabFault::Store(StoreError::Closed))) {
            return;
        }
        if let Err(error) = self.finish(row, result).await {
            tracing::error!(%error, job = row.id, "a report could not be written down");
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn finish(&self, row: &LabRow, result: Result<GameReport, LabFault>) -> Result<(), StoreError> {
        if !matches!(result, Err(LabFault::Stopped)) {
            let fault = result.as_ref().err().map(ToString::to_string);
            if let Some(fault) = &fault {
                tracing::warn!(fault, job = row.id, variant = row.variant, "a measurement failed");
            }
            let result = result.as_ref().map_err(|_| fault.as_deref().unwrap_or_default());
            self.store.finish_lab_job(&row.id, result, now_ms()).await?;
        }
        self.jobs.rows().forget(&prefix(&row.id)).await?;
        Ok(())
    }

    /// Plays the games as jobs, and makes the report.
    async fn measure(&self, row: &LabRow, run: &RunningMeasurement) -> Result<GameReport, LabFault> {
        let variant = self.variants.rules(&self.store, &row.variant, &row.digest).await?;
        let plan = row.plan()?;
        let signature = self.jobs.do_reports().await?.to_owned();
        let (known, spent) = self.known(&row.id).await?;
        let mut playing = Playing {
            rows: self.jobs.rows(),
            row,
            signature,
            fleet: ReportFleet::new(&variant, row.digest.clone(), &plan, known, Some(MAX_WORK_TIME)),
            most: (JOB_NODES / (plan.nodes * USUAL_PLIES).max(1)).clamp(1, MAX_GAMES) as usize,
            sent: BTreeMap::new(),
        };
        playing.fleet.spend(spent);
        let (mut changes, mut stopped) = (self.jobs.rows().changes(), run.stop.subscribe());
        while !playing.fleet.is_over() {
            playing.send((2 * self.jobs.places(ReportJob::KIND)).min(MAX_JOBS)).await?;
            tokio::select! {
                _ = timeout(POLL_INTERVAL, changes.changed()) => {}
                _ = stopped.wait_for(|stopped| *stopped) => {}
            }
            if run.is_stopped() {
                return Err(LabFault::Stopped);
            }
            changes.mark_unchanged();
            tokio::time::sleep(MIN_POLL_DELAY).await;
            let (is_new, done) = playing.collect().await?;
            let done = done.max(run.done.load(Ordering::Relaxed)).min(row.total as u64);
            run.done.store(done, Ordering::Relaxed);
            if is_new && !self.store.keep_lab_progress(&row.id, done as i64).await? {
                // Its user's account was deleted.
                return Err(LabFault::Stopped);
            }
        }
        let fleet = playing.fleet;
        let report = at_low_priority("report", move || report::measure(&variant, &plan, fleet.selection()))
            .map_err(LabFault::Thread)?;
        Ok(report.await.map_err(|_| LabFault::Panicked)??)
    }

    /// The games of jobs that were done before a restart, and the time they took. The other jobs are composed again.
    async fn known(&self, id: &str) -> Result<(KnownGames, Duration), LabFault> {
        let rows = self.jobs.rows();
        let (mut known, mut spent) = (KnownGames::new(), Duration::ZERO);
        for (id, found) in rows.beginning_with(&prefix(id)).await? {
            let Some(result) = found.result else {
                rows.cancel(&id).await?;
                continue;
            };
            let result: GamesResult<GameRecord> = read_json("games of a report", &result)?;
            spent += Duration::try_from_secs_f64(result.seconds).unwrap_or_default();
            known.extend(result.games.into_iter().map(|game| ((game.part, game.number), game)));
        }
        Ok((known, spent))
    }
}

/// Prefix of the job ids of a measurement.
fn prefix(id: &str) -> String {
    format!("lab-{id}-")
}

/// A measurement while its games are played.
struct Playing<'p> {
    rows: &'p Rows,
    row: &'p LabRow,
    signature: String,
    fleet: ReportFleet,
    /// Most games of a job.
    most: usize,
    /// The jobs in the queue: their numbers and how many games each has.
    sent: BTreeMap<String, (usize, usize)>,
}

impl Playing<'_> {
    /// Fills the queue up to `target` jobs.
    async fn send(&mut self, target: usize) -> Result<(), LabFault> {
        while self.sent.len() < target {
            let Some((number, job)) = self.fleet.next_job(self.most) else { return Ok(()) };
            let spec = write_json(&job);
            let id = prefix(&self.row.id) + &digest_of(std::slice::from_ref(&spec))[..32];
            let queued = Job {
                asker: self.row.asked_by.clone(),
                signature: Some(self.signature.clone()),
                ..Job::new(id.clone(), Class::Batch, ReportJob::KIND, spec)
            };
            self.rows.push(&[queued]).await?;
            self.sent.insert(id, (number, job.games.len()));
        }
        Ok(())
    }

    /// Takes the results that have come. Returns whether there are any, and how many games are done.
    async fn collect(&mut self) -> Result<(bool, u64), LabFault> {
        let (mut is_new, mut running) = (false, 0);
        for (id, (number, games)) in self.sent.clone() {
            let Some(found) = self.rows.report(&id).await? else {
                self.sent.remove(&id);
                self.fleet.reopen(number);
                continue;
            };
            match (found.state, found.result) {
                (JobState::Done, Some(result)) => {
                    let result: GamesResult<GameRecord> = read_json("games of a report", &result)?;
                    self.fleet.accept(number, &found.worker, result.games)?;
                    self.fleet.spend(Duration::try_from_secs_f64(result.seconds).unwrap_or_default());
                    is_new = true;
                }
                (JobState::Dead | JobState::Late, _) => return Err(LabFault::Games(found.reason)),
                (JobState::Cancelled, _) => self.fleet.reopen(number),
                _ => {
                    let done = found.progress.split_once('/').and_then(|(done, _)| done.parse().ok());
                    running += done.unwrap_or(0).min(games as u64);
                    continue;
                }
            }
            self.sent.remove(&id);
        }
        Ok((is_new, self.fleet.selection().done() + running))
    }
}
