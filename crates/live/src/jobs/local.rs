//! Jobs that this server does itself. Reviews are done position by position, so that each can be interrupted by a move. Games of
//! measurements have a thread of low priority with engines of their own, which waits while the engine plays.

use crate::games::{LiveGames, Variants};
use async_trait::async_trait;
use lozenge_analysis::review::{Evaluation, ReviewJob, evaluate_position, review};
use lozenge_lab::ledger::GamesResult;
use lozenge_lab::report::{GameRecord, ReportJob};
use lozenge_queue::{Activity, Lease, Work, WorkError};
use lozenge_store::{Store, read_json, write_json};
use lozenge_worker::{Class, Engine, Signals};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Longest wait for the engine's games before one search, and how often it checks.
const MAX_WAIT: Duration = Duration::from_millis(250);
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// Stack of the thread, in bytes, as for the engine's other threads.
const STACK: usize = 64 << 20;
/// How much less urgent the thread is than the others (`nice`), and a thread of work without a deadline.
const NICENESS: i32 = 10;
const IDLE_NICENESS: i32 = 19;

/// Does jobs of a kind on this server.
#[derive(Clone, Debug)]
pub(super) struct LocalWork {
    pub(super) kind: &'static str,
    /// The engine that has to do them, if that matters.
    #[cfg_attr(
        not(feature = "nats"),
        expect(dead_code, reason = "it is compared with that of other machines")
    )]
    pub(super) signature: Option<String>,
    pub(super) store: Store,
    pub(super) games: LiveGames,
    pub(super) variants: Variants,
    #[cfg(feature = "nats")]
    pub(super) remote: Option<super::remote::Remote>,
}

/// Ends the games of a measurement when dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl StopOnDrop {
    fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.stop();
    }
}

fn failed(error: impl std::fmt::Display) -> WorkError {
    WorkError::Failed(error.to_string())
}

impl LocalWork {
    async fn review(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: ReviewJob = read_json("a review", &lease.spec).map_err(failed)?;
        let written = &job.game;
        let variant = self.variants.rules(&self.store, &written.variant, &written.digest).await;
        let game = written.read(&variant.map_err(failed)?).map_err(failed)?;
        let (nodes, positions) = (job.nodes, game.moves().len() + 1);
        // Backwards, so that the hash table knows what came of each move.
        let mut evaluations: Vec<Evaluation> = Vec::with_capacity(positions);
        let mut before = game.clone();
        loop {
            let at = before.clone();
            let work = move |engine: &mut Engine, signals: &Signals| {
                let evaluation = evaluate_position(engine, &at, nodes, signals);
                (!signals.is_stopped()).then_some(evaluation)
            };
            let evaluated = self.games.engines().run_with(Class::Review, vec![lease.id.clone()], work);
            let evaluation = tokio::select! {
                evaluation = evaluated => evaluation.map_err(failed)?,
                () = activity.stopped() => return Err(WorkError::Stopped),
            };
            evaluations.push(evaluation);
            activity.report(format!("{}/{positions}", evaluations.len()));
            if before.undo().is_none() {
                break;
            }
        }
        evaluations.reverse();
        Ok(write_json(&review(&game, &evaluations)))
    }

    async fn report(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: ReportJob = read_json("games of a report", &lease.spec).map_err(failed)?;
        let variant = self.variants.rules(&self.store, &job.variant, &job.digest).await.map_err(failed)?;
        let (stopped, games, playing) = (Arc::<AtomicBool>::default(), self.games.clone(), activity.clone());
        let stop = StopOnDrop(Arc::clone(&stopped));
        let mut played = at_low_priority("measurement", move || {
            let begun = Instant::now();
            let mut report = |done: usize| playing.report(format!("{done}/{}", job.games.len()));
            let played = job.play(&variant, &stopped, &|| wait_for_games(&games), &mut report)?;
            Some(GamesResult::<GameRecord> { seconds: begun.elapsed().as_secs_f64(), games: played })
        })
        .map_err(failed)?;
        let played = tokio::select! {
            played = &mut played => played,
            () = activity.stopped() => {
                stop.stop();
                played.await
            }
        };
        let played = played.map_err(|_| WorkError::Failed("the games ended by an internal error".into()))?;
        played.map(|result| write_json(&result)).ok_or(WorkError::Stopped)
    }
}

#[async_trait]
impl Work for LocalWork {
    fn is_free(&self) -> bool {
        #[cfg(feature = "nats")]
        if let Some(remote) = &self.remote {
            return remote.places(self.kind, self.signature.as_deref()) == 0;
        }
        true
    }

    async fn run(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        match lease.kind.as_str() {
            ReviewJob::KIND => self.review(lease, activity).await,
            ReportJob::KIND => self.report(lease, activity).await,
            kind => {
                Err(WorkError::Failed(format!("expected a job of the kind {}, found `{kind}`", self.kind)))
            }
        }
    }
}

/// Runs work on a thread of its own, at low priority.
pub fn at_low_priority<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<oneshot::Receiver<T>> {
    with_niceness(name, NICENESS, work)
}

/// The same, at the lowest priority: the thread takes the time that others leave.
pub fn at_lowest_priority<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<oneshot::Receiver<T>> {
    with_niceness(name, IDLE_NICENESS, work)
}

#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "threads keep their priority"))]
fn with_niceness<T: Send + 'static>(
    name: &str,
    niceness: i32,
    work: impl FnOnce() -> T + Send + 'static,
) -> std::io::Result<oneshot::Receiver<T>> {
    let (answer, result) = oneshot::channel();
    let builder = std::thread::Builder::new().name(name.into()).stack_size(STACK);
    builder.spawn(move || {
        // Elsewhere this would change the whole process.
        #[cfg(target_os = "linux")]
        if let Err(error) = rustix::process::setpriority_process(None, niceness) {
            tracing::debug!(%error, "a thread keeps its priority");
        }
        drop(answer.send(work()));
    })?;
    Ok(result)
}

/// Waits while the engine moves in games, but not for ever.
fn wait_for_games(games: &LiveGames) {
    let begun = Instant::now();
    while games.engines().is_playing() && begun.elapsed() < MAX_WAIT {
        std::thread::sleep(LOOK_EVERY);
    }
}
