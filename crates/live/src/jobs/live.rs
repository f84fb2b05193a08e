//! Moves and hints that workers on other machines search. Each live call that a worker can take is a remote slot of the pool, which
//! takes the next search. Such a search has no row: if the worker dies, is paused or is cut off, the pool of this server does
//! it, and the game has lost time and nothing else.

use super::QUEUE;
use crate::games::Variants;
use lozenge_analysis::job::{SearchJob, SearchResult};
use lozenge_queue::{Client, LiveCall, LiveError, WorkerBeat};
use lozenge_store::write_json;
use lozenge_worker::{Job, RemoteSearches, SearchReport};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

/// How often the list of workers is read.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How long a worker that did not answer is left alone, and one that was busy.
const UNRESPONSIVE_DELAY: Duration = Duration::from_secs(5);
const BUSY_DELAY: Duration = Duration::from_millis(200);
/// Most slots of one worker.
const MAX_SLOTS: usize = 256;
/// The time for a search without a limit in time.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Keeps slots for the connected workers. It does not end.
pub(super) async fn follow(
    client: Client,
    present: impl Fn() -> Vec<WorkerBeat>,
    searches: RemoteSearches,
    variants: Variants,
) {
    let mut slots: HashMap<String, JoinSet<()>> = HashMap::new();
    let mut ticks = interval(POLL_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let mut targets: HashMap<String, usize> = present()
            .into_iter()
            .filter(|beat| beat.live > 0 && beat.worker.kinds.iter().any(|kind| kind == SearchJob::KIND))
            .map(|beat| (beat.worker.name, beat.live.min(MAX_SLOTS)))
            .collect();
        // If the number of slots of a worker changes, all of them are replaced.
        slots.retain(|worker, tasks| targets.get(worker) == Some(&tasks.len()));
        targets.retain(|worker, _| !slots.contains_key(worker));
        for (worker, count) in targets {
            let mut tasks = JoinSet::new();
            let rest = Arc::new(watch::Sender::new(Instant::now()));
            for _ in 0..count {
                let (client, rest) = (client.clone(), Arc::clone(&rest));
                let slot = Slot { client, worker: worker.clone(), variants: variants.clone(), rest };
                tasks.spawn(slot.run(searches.clone()));
            }
            slots.insert(worker, tasks);
        }
    }
}

/// A slot of a worker.
struct Slot {
    client: Client,
    worker: String,
    variants: Variants,
    /// Until when the worker is left alone, in all its slots.
    rest: Arc<watch::Sender<Instant>>,
}

impl Slot {
    async fn run(self, searches: RemoteSearches) {
        let mut rest = self.rest.subscribe();
        loop {
            let until = *rest.borrow_and_update();
            sleep_until(until).await;
            let search = tokio::select! {
                search = searches.next() => search,
                _ = rest.changed() => continue,
            };
            let Some(mut search) = search else { return };
            // A search with other limits goes back to the pool.
            let Some(call) = self.call(search.job()) else { continue };
            let answer = tokio::select! {
                answer = self.client.call_live(&self.worker, call) => answer,
                // Dropping the call ends the work.
                () = search.cancelled() => continue,
            };
            let found = answer.and_then(|text| report(&text, search.job()));
            let outcome = if found.is_ok() { "done" } else { "failed" };
            metrics::counter!("lozenge_remote_searches_total", "outcome" => outcome).increment(1);
            match found {
                Ok(report) => search.deliver(report),
                Err(error) => {
                    // The pool searches, at once.
                    drop(search);
                    tracing::debug!(%error, worker = self.worker, "a worker has not searched a move");
                    if error == LiveError::Busy {
                        sleep(BUSY_DELAY).await;
                    } else {
                        self.rest.send_replace(Instant::now() + UNRESPONSIVE_DELAY);
                    }
                }
            }
        }
    }

    fn call(&self, job: &Job) -> Option<LiveCall> {
        // Games of four are searched here.
        let game = job.game.two()?;
        let digest = self.variants.digest(game.variant());
        let job_spec = SearchJob::new(game, digest, &job.limits)?;
        let (queue, kind) = (QUEUE.to_owned(), SearchJob::KIND.to_owned());
        let patience = job.limits.movetime.unwrap_or(DEFAULT_TIMEOUT);
        Some(LiveCall { queue, kind, spec: write_json(&job_spec), patience })
    }
}

/// The result of a search as of one here.
fn report(text: &str, job: &Job) -> Result<SearchReport, LiveError> {
    let found: Option<SearchResult> = serde_json::from_str(text).ok();
    let report = found.zip(job.game.two()).and_then(|(found, game)| found.report(game.position()));
    report.ok_or_else(|| LiveError::Failed("expected a legal move".into()))
}
