//! Reviews that are being made, as jobs in the queue (`jobs`). Not here: who may ask (`lozenge_server`), what a review
//! contains (`lozenge_analysis`).

use crate::jobs::Jobs;
use lozenge_analysis::review::ReviewJob as Spec;
use lozenge_game::ClientAddress;
use lozenge_queue::{Class, Job, JobQueue as _, JobReport, JobState, Rows};
use lozenge_rules::position::Game;
use lozenge_store::{ReviewRow, Store, StoreError, secret_digest};
use lozenge_wire::review::ReviewProgress;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// Nodes for each position, as `lozenge analyse` takes by default.
pub const NODES: u64 = 200_000;
/// Longest game that is reviewed, in half moves.
pub const MAX_PLIES: usize = 600;
/// Reviews that one user may have in the making, which the text of the pages repeats; and all together.
pub const MAX_OF_ONE: usize = 3;
const MAX_WAITING: usize = 200;
/// Longest time between two polls of the results, and the least pause.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const MIN_POLL_DELAY: Duration = Duration::from_millis(100);

/// Why no review is begun.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// The user has too many in the making.
    #[error("expected at most {MAX_OF_ONE} reviews in the making, found as many")]
    TooManyOfOne,
    /// There are too many in the making, and no other network has more of them.
    #[error("the engine is busy with other reviews")]
    TooMany,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The input of a review.
pub struct ReviewJob {
    /// The row that is to hold the review.
    pub row: ReviewRow,
    /// The client who requests it.
    pub client: ClientAddress,
    /// The game.
    pub game: Game,
}

/// A review in the making.
struct RunningReview {
    user: String,
    /// The key by which askers take turns: a network, or a user where the address stands for many clients.
    asker: String,
    /// Grows from review to review.
    number: u64,
    done: usize,
    positions: usize,
}

/// The reviews in the making. Clones share them.
#[derive(Clone)]
pub struct Reviews {
    store: Store,
    rows: Rows,
    running: Arc<Mutex<HashMap<String, RunningReview>>>,
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

/// By which a review takes its turn: a digest of the widest network, which is not to be read from the queue, or the user.
fn asker(client: ClientAddress, user: &str) -> String {
    match client.network_of_one() {
        Some(network) => secret_digest(&network.widest().to_string())[..32].to_owned(),
        None => user.to_owned(),
    }
}

/// The newest review that has not begun, of the asker who has the most, unless another would then have as many.
fn newest_of_the_greediest(running: &HashMap<String, RunningReview>, newcomer: &str) -> Option<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for run in running.values() {
        *counts.entry(&run.asker).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    if most <= counts.get(newcomer).copied().unwrap_or(0) + 1 {
        return None;
    }
    let of_greediest = running.iter().filter(|(_, run)| counts[run.asker.as_str()] == most && run.done == 0);
    of_greediest.max_by_key(|(_, run)| run.number).map(|(game, _)| game.clone())
}

impl Reviews {
    /// No reviews in the making.
    pub fn new(store: Store, jobs: &Jobs) -> Self {
        Self { store, rows: jobs.rows().clone(), running: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, RunningReview>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How far the review of a game is; `None` if none is in the making.
    pub fn progress(&self, game: &str) -> Option<ReviewProgress> {
        let running = self.lock();
        let run = running.get(game)?;
        Some(ReviewProgress { done: run.done as u32, positions: run.positions as u32 })
    }

    /// Begins the review of a game; if it is in the making already, that goes on.
    pub async fn begin(&self, job: ReviewJob) -> Result<(), ReviewError> {
        let ReviewJob { row, client, game } = job;
        let asker = asker(client, &row.asked_by);
        let dropped = {
            let mut running = self.lock();
            if running.contains_key(&row.game) {
                return Ok(());
            }
            if running.values().filter(|run| run.user == row.asked_by).count() >= MAX_OF_ONE {
                return Err(ReviewError::TooManyOfOne);
            }
            let dropped = match running.len() {
                0..MAX_WAITING => None,
                _ => Some(newest_of_the_greediest(&running, &asker).ok_or(ReviewError::TooMany)?),
            };
            dropped.iter().for_each(|game| drop(running.remove(game)));
            let (user, positions) = (row.asked_by.clone(), game.moves().len() + 1);
            let number = running.values().map(|run| run.number + 1).max().unwrap_or(0);
            let asker = asker.clone();
            running.insert(row.game.clone(), RunningReview { user, asker, number, done: 0, positions });
            dropped
        };
        let pushed = async {
            if let Some(game) = dropped {
                self.rows.cancel(&job_id(&game)).await?;
                self.store.cancel_review(&game).await?;
            }
            self.push(&row, asker, &game).await
        };
        let pushed = pushed.await;
        if pushed.is_err() {
            self.lock().remove(&row.game);
        }
        Ok(pushed?)
    }

    async fn push(&self, row: &ReviewRow, asker: String, game: &Game) -> Result<(), StoreError> {
        let nodes = u64::try_from(row.nodes).unwrap_or(NODES);
        let spec = lozenge_store::write_json(&Spec::new(game, row.digest.clone(), nodes));
        let job = Job { asker, ..Job::new(job_id(&row.game), Class::User, Spec::KIND, spec) };
        self.store.begin_review(row).await?;
        self.rows.push(&[job]).await?;
        Ok(())
    }

    /// Ends the review of a game, if this user asked for it. Returns whether it was in the making.
    pub async fn cancel(&self, game: &str, user: &str) -> Result<bool, StoreError> {
        {
            let mut running = self.lock();
            match running.get(game) {
                Some(run) if run.user == user => running.remove(game),
                _ => return Ok(false),
            };
        }
        self.rows.cancel(&job_id(game)).await?;
        self.store.cancel_review(game).await?;
        Ok(true)
    }

    /// Follows the jobs of the reviews in the making, and keeps the reviews that are finished. It does not end.
    pub async fn run(self) {
        let mut changes = self.rows.changes();
        loop {
            let _ = timeout(POLL_INTERVAL, changes.changed()).await;
            changes.mark_unchanged();
            let games: Vec<String> = self.lock().keys().cloned().collect();
            for game in games {
                if let Err(error) = self.poll(&game).await {
                    tracing::warn!(%error, game, "the review of a game could not be followed");
                }
            }
            sleep(MIN_POLL_DELAY).await;
        }
    }

    async fn poll(&self, game: &str) -> Result<(), StoreError> {
        let Some(JobReport { state, progress, reason, result, .. }) = self.rows.report(&job_id(game)).await?
        else {
            return Ok(());
        };
        if state == JobState::Done {
            let is_running = self.lock().contains_key(game);
            if let (true, Some(text)) = (is_running, result) {
                let review = lozenge_store::read_json("the review of a game", &text)?;
                self.store.finish_review(game, review).await?;
            }
            self.lock().remove(game);
        } else if state.is_final() {
            if state == JobState::Dead {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;

    fn run(asker: &str, number: u64, done: usize) -> RunningReview {
        RunningReview { user: String::new(), asker: asker.into(), number, done, positions: 9 }
    }

    #[test]
    fn full_queue_gives_up_the_newest_review_of_the_greediest() {
        let mut running: HashMap<String, RunningReview> = (0..6)
            .map(|number| (format!("greedy {number}"), run("greedy", number, usize::from(number == 5))))
            .collect();
        running.insert("one".into(), run("other", 9, 0));
        assert_eq!(newest_of_the_greediest(&running, "honest").as_deref(), Some("greedy 4"), "5 has begun");
        assert_eq!(newest_of_the_greediest(&running, "other").as_deref(), Some("greedy 4"));
        assert_eq!(newest_of_the_greediest(&running, "greedy"), None);
    }

    #[test]
    fn askers_are_networks_where_they_are_known() {
        let client = |address: &str, shared| ClientAddress { address: address.parse().unwrap(), shared };
        let one = asker(client("2001:db8:0:1::1", false), "ann");
        assert_eq!(one, asker(client("2001:db8:0:2::9", false), "bob"));
        assert_ne!(one, asker(client("192.0.2.1", false), "ann"));
        assert_eq!(asker(client("127.0.0.1", true), "ann"), "ann");
    }
}
