//! Measurements of games that users ask for: one at a time, on a thread of its own that waits while the engine plays, within
//! bounds on games, nodes and minutes. The queue and the games are in the database, so that a restart goes on with them.
//! Not here: who may ask (`routes::lab`), what is measured (`lozenge_lab`).

use crate::games::{LiveGames, Variants};
use crate::store::{Asked, LabRow, Store, StoreError};
use crate::time::now_ms;
use lozenge_lab::report::{self, GameRecord, GameReport, ReportError, Work};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc, oneshot};

/// Games and nodes of a measurement: the bounds, and what is played by default.
pub(crate) const GAMES: std::ops::RangeInclusive<u32> = 20..=1_000;
pub(crate) const NODES: std::ops::RangeInclusive<u32> = 100..=2_000;
pub(crate) const USUAL_GAMES: u32 = 200;
pub(crate) const USUAL_NODES: u32 = 1_000;
/// Longest work on one measurement. Its parts then end with the games they have.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// How often the games that were played are written down.
const KEEP_EVERY: Duration = Duration::from_secs(2);
/// Games that may wait to be written down.
const WAITING: usize = 256;
/// Longest wait for the engine's games before one search, and how often it looks.
const PATIENCE: Duration = Duration::from_millis(250);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// How often it looks whether it is this server of several that works, and for measurements that others were asked for.
const LEADS_EVERY: Duration = Duration::from_secs(10);
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// Stack of the thread, in bytes, as for the engine's other threads.
const STACK: usize = 64 << 20;
/// How much less urgent the thread is than the others (`nice`).
const NICENESS: i32 = 10;

/// The measurement that is being carried out.
#[derive(Clone, Debug)]
struct Running {
    id: String,
    stop: Arc<AtomicBool>,
    done: Arc<AtomicU64>,
}

/// The queue of measurements. Clones share it.
#[derive(Clone)]
pub(crate) struct Laboratory {
    store: Store,
    variants: Variants,
    games: LiveGames,
    running: Arc<Mutex<Option<Running>>>,
    news: Arc<Notify>,
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
}

impl Laboratory {
    pub(crate) fn new(store: Store, variants: Variants, games: LiveGames) -> Self {
        let (running, news, closed) = (Arc::default(), Arc::default(), Arc::default());
        Self { store, variants, games, running, news, closed }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Games played so far of the measurement that is being carried out, if it is this one.
    pub(crate) fn progress(&self, id: &str) -> Option<u64> {
        self.lock().as_ref().filter(|run| run.id == id).map(|run| run.done.load(Ordering::Relaxed))
    }

    /// Puts a measurement into the queue.
    pub(crate) async fn ask(&self, row: &LabRow) -> Result<Asked, StoreError> {
        let asked = self.store.ask_lab(row).await?;
        self.news.notify_one();
        Ok(asked)
    }

    /// Calls a user's measurement off. Whether there was one.
    pub(crate) async fn cancel(&self, id: &str, user: &str) -> Result<bool, StoreError> {
        let cancelled = self.store.cancel_lab_job(id, user, now_ms()).await?;
        if cancelled && let Some(run) = self.lock().as_ref().filter(|run| run.id == id) {
            run.stop.store(true, Ordering::Relaxed);
        }
        Ok(cancelled)
    }

    /// Ends the work. What has been written down is taken up at the next start.
    pub(crate) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        if let Some(run) = self.lock().as_ref() {
            run.stop.store(true, Ordering::Relaxed);
        }
        self.news.notify_one();
    }

    /// Carries out one measurement after the other until the site is closed.
    pub(crate) async fn run(self) {
        while !self.closed.load(Ordering::Relaxed) {
            if !self.games.leads().await {
                tokio::time::sleep(LEADS_EVERY).await;
                continue;
            }
            match self.store.next_lab_job().await {
                Ok(Some(row)) => self.carry_out(&row).await,
                // Another server may have put one into the queue, where there are several.
                Ok(None) => drop(tokio::time::timeout(LOOK_AGAIN, self.news.notified()).await),
                Err(StoreError::Closed) => return,
                Err(error) => {
                    tracing::warn!(%error, "could not look for measurements");
                    tokio::time::sleep(Duration::from_secs(10)).await;
                }
            }
        }
    }

    async fn carry_out(&self, row: &LabRow) {
        let run = Running {
            id: row.id.clone(),
            stop: Arc::default(),
            done: Arc::new(AtomicU64::new(row.done as u64)),
        };
        *self.lock() = Some(run.clone());
        let made = self.measured(row, &run).await;
        *self.lock() = None;
        // Called off, or closed: the row says so, or is taken up again.
        let was_stopped = run.stop.swap(true, Ordering::Relaxed);
        if was_stopped || matches!(made, Err(LabFault::Store(StoreError::Closed))) {
            return;
        }
        let fault = made.as_ref().err().map(ToString::to_string);
        if let Some(fault) = &fault {
            tracing::warn!(fault, job = row.id, variant = row.variant, "a measurement failed");
        }
        let made = made.as_ref().map_err(|_| fault.as_deref().unwrap_or_default());
        if let Err(error) = self.store.finish_lab_job(&row.id, made, now_ms()).await {
            tracing::error!(%error, job = row.id, "a report could not be written down");
            tokio::time::sleep(KEEP_EVERY).await;
        }
    }

    async fn measured(&self, row: &LabRow, run: &Running) -> Result<GameReport, LabFault> {
        let variant = self.variants.rules(&self.store, &row.variant, &row.digest).await?;
        let plan = row.plan()?;
        let known = self.store.lab_games(&row.id).await?;
        let known = known.into_iter().map(|game| ((game.part, game.number), game)).collect();
        let before = Duration::from_millis(row.spent.max(0) as u64);
        let (begun, games, thread_run) = (Instant::now(), self.games.clone(), run.clone());
        let (played, receiver) = mpsc::channel(WAITING);
        let (answer, result) = oneshot::channel();
        let builder = std::thread::Builder::new().name("laboratory".into()).stack_size(STACK);
        let thread = builder.spawn(move || {
            be_nice();
            let left = LONGEST.saturating_sub(before).max(KEEP_EVERY);
            let work = Work {
                threads: 1,
                stop: &thread_run.stop,
                pause: &|| wait_for_games(&games),
                deadline: Some(begun + left),
                known,
                keep: &mut |game| {
                    // Nobody keeps games when the site closes.
                    played.blocking_send(game.clone()).map_err(|error| ReportError::Keep(error.to_string()))
                },
                progress: &mut |_, done| thread_run.done.store(done, Ordering::Relaxed),
            };
            drop(answer.send(report::run(&variant, &plan, work)));
        });
        thread.map_err(LabFault::Thread)?;
        self.keep_games(run, before, receiver, result).await
    }

    /// Writes games down while they are played, until the report is made.
    async fn keep_games(
        &self,
        run: &Running,
        before: Duration,
        mut played: mpsc::Receiver<GameRecord>,
        mut result: oneshot::Receiver<Result<GameReport, ReportError>>,
    ) -> Result<GameReport, LabFault> {
        let (begun, mut waiting) = (Instant::now(), Vec::new());
        let mut tick = tokio::time::interval(KEEP_EVERY);
        loop {
            tokio::select! {
                made = &mut result => return Ok(made.map_err(|_| LabFault::Panicked)??),
                Some(game) = played.recv() => waiting.push(game),
                _ = tick.tick() => {
                    let (done, spent) = (run.done.load(Ordering::Relaxed), before + begun.elapsed());
                    let (done, spent) = (done as i64, spent.as_millis() as i64);
                    if !self.store.keep_lab_games(&run.id, &waiting, done, spent).await? {
                        // Called off, or its user's account was deleted.
                        run.stop.store(true, Ordering::Relaxed);
                    }
                    waiting.clear();
                }
            }
        }
    }
}

/// Waits while the engine moves in games, but not for ever.
fn wait_for_games(games: &LiveGames) {
    let begun = Instant::now();
    while games.engines().is_playing() && begun.elapsed() < PATIENCE {
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Lets the threads of everything else go first.
fn be_nice() {
    // Elsewhere this would change the whole process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "the thread of measurements keeps its priority");
    }
}
