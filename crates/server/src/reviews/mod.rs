//! Reviews that are being made: jobs in the queue, done by this server's engine after everything that somebody waits for at a
//! board, or by workers on other machines. Not here: who may ask (`routes::reviews`), what a review says (`lozenge_analysis`).

mod local;
#[cfg(feature = "nats")]
mod remote;

use crate::games::{LiveGames, Variants};
use crate::store::{ReviewRow, Store, StoreError};
use local::LocalReviews;
use lozenge_analysis::review::ReviewJob as Spec;
use lozenge_queue::{Class, Drain, Job, JobQueue as _, QueueError, Report, Rows, State, Worker, serve};
use lozenge_rules::position::Game;
use lozenge_wire::GameResult;
use lozenge_wire::review::{GameReview, ReviewProgress};
#[cfg(feature = "nats")]
use remote::Remote;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// Nodes for each position, as `lozenge analyse` takes by default.
pub(crate) const NODES: u64 = 200_000;
/// Longest game that is reviewed, in half moves.
pub(crate) const MOST_PLIES: usize = 600;
/// Reviews that one user may have in the making, and all together.
const MOST_OF_ONE: usize = 3;
const MOST: usize = 200;
/// The kind of these jobs.
pub(crate) const KIND: &str = "review";
/// The name of this server among the workers.
const THIS_SERVER: &str = "this-server";
/// How often expired leases are looked for, and at least the results.
const LOOK: Duration = Duration::from_secs(1);
/// The pause between two looks at the results.
const PAUSE: Duration = Duration::from_millis(100);
/// How long running reviews may take to stop when the server does.
const STOP: Duration = Duration::from_secs(2);

/// Why no review is begun.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReviewRefused {
    /// The user has too many in the making.
    #[error("expected at most {MOST_OF_ONE} reviews in the making, found as many")]
    TooManyOfOne,
    /// There are too many in the making.
    #[error("the engine is busy with other reviews")]
    TooMany,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a review is made of.
pub(crate) struct ReviewJob {
    pub(crate) row: ReviewRow,
    pub(crate) game: Game,
    /// Names and result, which the moves do not say.
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: GameResult,
}

/// A review in the making.
#[derive(Clone)]
struct Running {
    asked_by: String,
    done: usize,
    positions: usize,
    white: String,
    black: String,
    result: GameResult,
}

/// The reviews in the making. Clones share them.
#[derive(Clone)]
pub(crate) struct Reviews {
    store: Store,
    rows: Rows,
    running: Arc<Mutex<HashMap<String, Running>>>,
    drain: Drain,
    tasks: Arc<tokio::sync::Mutex<JoinSet<()>>>,
}

impl std::fmt::Debug for Reviews {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reviews").finish_non_exhaustive()
    }
}

/// The job of a game's review.
fn job_id(game: &str) -> String {
    format!("review-{game}")
}

impl Reviews {
    /// Starts making the reviews in the queue, so many at a time on this server. `nats` are workers on other machines, which
    /// come first.
    pub(crate) async fn start(
        store: Store,
        games: LiveGames,
        variants: Variants,
        at_once: usize,
        nats: Option<&str>,
    ) -> Result<Self, StoreError> {
        let rows = store.queue().clone();
        // Those that this server was making when it stopped.
        rows.release(THIS_SERVER).await?;
        let drain = Drain::default();
        let mut tasks = JoinSet::new();
        #[cfg(feature = "nats")]
        let remote = nats.map(|nats| {
            let remote = Remote::default();
            tasks.spawn(remote.clone().connect(
                nats.to_owned(),
                rows.clone(),
                store.clone(),
                variants.clone(),
            ));
            remote
        });
        #[cfg(not(feature = "nats"))]
        let _ = nats;
        let work = LocalReviews {
            store: store.clone(),
            games,
            variants,
            #[cfg(feature = "nats")]
            remote,
        };
        let worker = Worker::new(THIS_SERVER, &[KIND], "site")?;
        let serving = serve(Arc::new(rows.clone()), worker, at_once, Arc::new(work), drain.clone());
        tasks.spawn(async move {
            if let Err(error) = serving.await {
                tracing::error!(%error, "this server makes no more reviews");
            }
        });
        tasks.spawn(sweep(rows.clone()));
        let this = Self { store, rows, running: Arc::default(), drain, tasks: Arc::default() };
        tasks.spawn(this.clone().follow());
        *this.tasks.lock().await = tasks;
        Ok(this)
    }

    /// Stops; reviews that are not finished go on at the next start.
    pub(crate) async fn close(&self) {
        self.drain.stop();
        let mut tasks = self.tasks.lock().await;
        // The loop that makes reviews ends by itself when they are given back; the other tasks do not.
        let _ = timeout(STOP, tasks.join_next()).await;
        tasks.shutdown().await;
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the review of a game is; `None` if none is in the making.
    pub(crate) fn progress(&self, game: &str) -> Option<ReviewProgress> {
        let running = self.lock();
        let run = running.get(game)?;
        Some(ReviewProgress { done: run.done as u32, positions: run.positions as u32 })
    }

    /// Begins the review of a game; if it is in the making already, that goes on.
    pub(crate) async fn begin(&self, job: ReviewJob) -> Result<(), ReviewRefused> {
        let ReviewJob { row, game, white, black, result } = job;
        {
            let mut running = self.lock();
            if running.contains_key(&row.game) {
                return Ok(());
            }
            if running.len() >= MOST {
                return Err(ReviewRefused::TooMany);
            }
            if running.values().filter(|run| run.asked_by == row.asked_by).count() >= MOST_OF_ONE {
                return Err(ReviewRefused::TooManyOfOne);
            }
            let (asked_by, positions) = (row.asked_by.clone(), game.moves().len() + 1);
            running.insert(row.game.clone(), Running { asked_by, done: 0, positions, white, black, result });
        }
        let pushed = self.push(&row, &game).await;
        if pushed.is_err() {
            self.lock().remove(&row.game);
        }
        Ok(pushed?)
    }

    async fn push(&self, row: &ReviewRow, game: &Game) -> Result<(), StoreError> {
        let nodes = u64::try_from(row.nodes).unwrap_or(NODES);
        let spec = crate::store::write_json(&Spec::new(game, row.digest.clone(), nodes));
        let job = Job { asker: row.asked_by.clone(), ..Job::new(job_id(&row.game), Class::User, KIND, spec) };
        self.store.begin_review(row).await?;
        self.rows.push(&[job]).await?;
        Ok(())
    }

    /// Ends the review of a game, if this user asked for it. Whether it was in the making.
    pub(crate) async fn cancel(&self, game: &str, user: &str) -> Result<bool, StoreError> {
        {
            let mut running = self.lock();
            match running.get(game) {
                Some(run) if run.asked_by == user => running.remove(game),
                _ => return Ok(false),
            };
        }
        self.rows.cancel(&job_id(game)).await?;
        self.store.cancel_review(game).await?;
        Ok(true)
    }

    /// Follows the jobs of the reviews in the making, and keeps the reviews that are finished.
    async fn follow(self) {
        let mut news = self.rows.news();
        loop {
            let _ = timeout(LOOK, news.changed()).await;
            news.mark_unchanged();
            let games: Vec<String> = self.lock().keys().cloned().collect();
            for game in games {
                if let Err(error) = self.look(&game).await {
                    tracing::warn!(%error, game, "the review of a game could not be followed");
                }
            }
            sleep(PAUSE).await;
        }
    }

    async fn look(&self, game: &str) -> Result<(), StoreError> {
        let Some(Report { state, progress, reason, result, .. }) = self.rows.report(&job_id(game)).await?
        else {
            return Ok(());
        };
        if state == State::Done {
            let run = self.lock().get(game).cloned();
            if let (Some(run), Some(text)) = (run, result) {
                let made: GameReview = crate::store::read_json("the review of a game", &text)?;
                let Running { white, black, result, .. } = run;
                self.store.finish_review(game, &GameReview { white, black, result, ..made }).await?;
            }
            self.lock().remove(game);
        } else if state.is_final() {
            if state == State::Dead {
                tracing::error!(game, reason, "the review of a game failed");
                self.store.cancel_review(game).await?;
            }
            self.lock().remove(game);
        } else if let Some(done) = progress.split_once('/').and_then(|(done, _)| done.parse().ok())
            && let Some(run) = self.lock().get_mut(game)
        {
            run.done = done;
        }
        Ok(())
    }
}

/// Ends the leases of workers that have gone.
async fn sweep(rows: Rows) {
    let mut ticks = interval(LOOK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = rows.sweep().await {
            tracing::warn!(%error, "expired jobs could not be looked for");
        }
    }
}

impl From<QueueError> for StoreError {
    fn from(error: QueueError) -> Self {
        match error {
            QueueError::Database(error) => Self::Database(error),
            error => Self::Content { expected: "a job", found: error.to_string() },
        }
    }
}
