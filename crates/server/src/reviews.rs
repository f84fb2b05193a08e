//! Reviews that are being made: position by position on the engine's threads, after everything that somebody waits for
//! at a board. Not here: who may ask (`routes::reviews`), what a review says (`lozenge_analysis`).

use crate::games::LiveGames;
use crate::store::{ReviewRow, Store};
use lozenge_analysis::review::{Evaluation, evaluate_position, review};
use lozenge_rules::position::Game;
use lozenge_wire::GameResult;
use lozenge_wire::review::{GameReview, ReviewProgress};
use lozenge_worker::{Class, Refused};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// Nodes for each position, as `lozenge analyse` takes by default.
pub(crate) const NODES: u64 = 200_000;
/// Longest game that is reviewed, in half moves.
pub(crate) const MOST_PLIES: usize = 600;
/// Reviews that one user may have in the making, and all together.
const MOST_OF_ONE: usize = 3;
const MOST: usize = 200;

/// Why no review is begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum ReviewRefused {
    /// The user has too many in the making.
    #[error("expected at most {MOST_OF_ONE} reviews in the making, found as many")]
    TooManyOfOne,
    /// There are too many in the making.
    #[error("the engine is busy with other reviews")]
    TooMany,
}

/// What a review is made of.
pub(crate) struct ReviewJob {
    pub(crate) row: ReviewRow,
    pub(crate) game: Game,
    /// Names and result, which the moves do not say.
    pub(crate) white: String,
    pub(crate) black: String,
    pub(crate) result: GameResult,
    /// Whose turn it is in the engine's queue.
    pub(crate) asker: Vec<String>,
}

struct Running {
    asked_by: String,
    done: usize,
    positions: usize,
    task: Option<AbortHandle>,
}

/// The reviews in the making. Clones share them.
#[derive(Clone)]
pub(crate) struct Reviews {
    store: Store,
    games: LiveGames,
    running: Arc<Mutex<HashMap<String, Running>>>,
}

impl std::fmt::Debug for Reviews {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reviews").finish_non_exhaustive()
    }
}

impl Reviews {
    pub(crate) fn new(store: Store, games: LiveGames) -> Self {
        Self { store, games, running: Arc::default() }
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
    pub(crate) fn begin(&self, job: ReviewJob) -> Result<(), ReviewRefused> {
        let mut running = self.lock();
        let game = job.row.game.clone();
        if running.contains_key(&game) {
            return Ok(());
        }
        if running.len() >= MOST {
            return Err(ReviewRefused::TooMany);
        }
        if running.values().filter(|run| run.asked_by == job.row.asked_by).count() >= MOST_OF_ONE {
            return Err(ReviewRefused::TooManyOfOne);
        }
        let positions = job.game.moves().len() + 1;
        let asked_by = job.row.asked_by.clone();
        running.insert(game.clone(), Running { asked_by, done: 0, positions, task: None });
        let this = self.clone();
        let task = tokio::spawn(async move {
            let game = job.row.game.clone();
            if let Err(error) = this.make(job).await {
                tracing::error!(%error, game, "a review failed");
            }
            this.lock().remove(&game);
        });
        if let Some(run) = running.get_mut(&game) {
            run.task = Some(task.abort_handle());
        }
        Ok(())
    }

    /// Ends the review of a game, if this user asked for it. Whether it was in the making.
    pub(crate) async fn cancel(&self, game: &str, user: &str) -> Result<bool, crate::store::StoreError> {
        {
            let mut running = self.lock();
            match running.get(game) {
                Some(run) if run.asked_by == user => {}
                _ => return Ok(false),
            }
            // The task holds the engine's work; dropping it ends that.
            if let Some(task) = running.remove(game).and_then(|run| run.task) {
                task.abort();
            }
        }
        self.store.cancel_review(game).await?;
        Ok(true)
    }

    async fn make(&self, job: ReviewJob) -> Result<(), ReviewFault> {
        self.store.begin_review(&job.row).await?;
        let ReviewJob { row, game, white, black, result, asker } = job;
        let nodes = u64::try_from(row.nodes).unwrap_or(NODES);
        // Backwards, so that the hash table knows what came of each move.
        let mut evaluations: Vec<Evaluation> = Vec::with_capacity(game.moves().len() + 1);
        let mut before = game.clone();
        loop {
            let at = before.clone();
            let work = move |engine: &mut lozenge_worker::Engine, signals: &lozenge_worker::Signals| {
                let evaluation = evaluate_position(engine, &at, nodes, signals);
                (!signals.is_stopped()).then_some(evaluation)
            };
            evaluations.push(self.games.engines().run_with(Class::Review, asker.clone(), work).await?);
            if let Some(run) = self.lock().get_mut(&row.game) {
                run.done = evaluations.len();
            }
            if before.undo().is_none() {
                break;
            }
        }
        evaluations.reverse();
        let made = GameReview { white, black, result, ..review(&game, &evaluations) };
        self.store.finish_review(&row.game, &made).await?;
        Ok(())
    }
}

/// Why a review was not finished; it is begun again when the server starts.
#[derive(Debug, thiserror::Error)]
enum ReviewFault {
    #[error(transparent)]
    Store(#[from] crate::store::StoreError),
    #[error(transparent)]
    Engine(#[from] Refused),
}
