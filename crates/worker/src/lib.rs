//! Takes jobs for the engine and runs them: a fixed number of threads, each with an engine of its own, and
//! a queue that serves networks in turn and askers of each network in turn, so that one with a hundred jobs does
//! not hold up another with one. Not here: what a job is for, and how it travels.

mod queue;

use lozenge_engine::{Engine, Signals};
pub use lozenge_engine::{Handicap, Limits, Report, Score, Values, skill};
use lozenge_rules::position::Game;
use queue::Queue;
use std::num::NonZeroUsize;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// A search to run.
#[derive(Clone, Debug)]
pub struct Job {
    /// The client as a path of groups, the widest first: networks take turns, and inside each of them accounts.
    pub asker: Vec<String>,
    /// The game whose last position is searched.
    pub game: Game,
    /// How long and how well. A job without any bound is given [`Bounds::time`].
    pub limits: Limits,
}

/// The resources of the jobs.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Threads that search at the same time.
    pub threads: NonZeroUsize,
    /// Memory of each for positions, in MiB.
    pub hash_mib: usize,
    /// Longest search of any job.
    pub time: Duration,
    /// Most jobs of one asker that may wait.
    pub waiting: usize,
}

impl Default for Bounds {
    /// Half of the processors, 16 MiB each, 10 seconds, 32 waiting jobs of each asker.
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            threads: NonZeroUsize::new(processors / 2).unwrap_or(NonZeroUsize::MIN),
            hash_mib: 16,
            time: Duration::from_secs(10),
            waiting: 32,
        }
    }
}

/// Why a job was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The asker has too many jobs waiting already.
    #[error("expected at most {0} waiting jobs of one asker, found more")]
    TooMany(usize),
    /// The pool is being closed, or the search failed.
    #[error("the engine is not available")]
    Gone,
}

struct Waiting {
    job: Job,
    answer: oneshot::Sender<Report>,
}

/// Removes the job from the queue when its client has gone.
struct Ticket<'a> {
    shared: &'a Shared,
    asker: Vec<String>,
    report: oneshot::Receiver<Report>,
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        self.report.close();
        lock(&self.shared.queue).remove(&self.asker, |waiting| waiting.answer.is_closed());
    }
}

struct Shared {
    queue: Mutex<Queue<Waiting>>,
    news: Condvar,
    bounds: Bounds,
    signals: Vec<Mutex<Signals>>,
}

/// The threads that search. Dropping it ends the running searches and waits for the threads.
pub struct Pool {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts the threads.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        let signals = (0..bounds.threads.get()).map(|_| Mutex::default()).collect();
        let shared = Arc::new(Shared { queue: Mutex::default(), news: Condvar::new(), bounds, signals });
        let threads = (0..bounds.threads.get())
            .map(|number| {
                let shared = Arc::clone(&shared);
                std::thread::spawn(move || work(&shared, number))
            })
            .collect();
        Self { shared, threads }
    }

    /// Has a job done. A call that is dropped takes its job out of the queue.
    ///
    /// # Errors
    /// If the asker has too many jobs waiting, or the pool closes first.
    pub async fn run(&self, job: Job) -> Result<Report, Refused> {
        let (answer, report) = oneshot::channel();
        let mut ticket = {
            let mut queue = lock(&self.shared.queue);
            if queue.waiting(&job.asker) >= self.shared.bounds.waiting {
                return Err(Refused::TooMany(self.shared.bounds.waiting));
            }
            let asker = job.asker.clone();
            queue.push(&asker, Waiting { job, answer }).map_err(|_| Refused::Gone)?;
            Ticket { shared: &self.shared, asker, report }
        };
        self.shared.news.notify_one();
        (&mut ticket.report).await.map_err(|_| Refused::Gone)
    }

    /// Jobs that wait, of all askers.
    #[must_use]
    pub fn waiting(&self) -> usize {
        lock(&self.shared.queue).len()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        lock(&self.shared.queue).close();
        self.shared.signals.iter().for_each(|signals| lock(signals).stop());
        self.shared.news.notify_all();
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the engine pool had panicked");
            }
        }
    }
}

impl core::fmt::Debug for Pool {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pool").field("bounds", &self.shared.bounds).finish_non_exhaustive()
    }
}

fn work(shared: &Shared, number: usize) {
    let mut engine = Engine::new(shared.bounds.hash_mib);
    while let Some((Waiting { job, answer }, signals)) = next(shared, number) {
        if answer.is_closed() {
            continue;
        }
        let mut limits = job.limits;
        let longest = shared.bounds.time;
        limits.movetime = Some(limits.movetime.map_or(longest, |time| time.min(longest)));
        // A search that panics must not take the thread with it: the job is lost, the next one is not.
        let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            engine.search(&job.game, &limits, &signals, &mut |_| {})
        }));
        match searched {
            // Fails if the client has gone.
            Ok(report) => drop(answer.send(report)),
            Err(_) => {
                tracing::error!(fen = job.game.position().fen(), "a search panicked");
                engine = Engine::new(shared.bounds.hash_mib);
            }
        }
    }
}

/// The next job, with the signals that end it; none once the pool is closed.
fn next(shared: &Shared, number: usize) -> Option<(Waiting, Signals)> {
    let mut queue = lock(&shared.queue);
    loop {
        if queue.is_closed() {
            return None;
        }
        if let Some(waiting) = queue.pop() {
            // Signals are for one search; made while the queue is locked, so that closing reaches them.
            let fresh = Signals::default();
            *lock(&shared.signals[number]) = fresh.clone();
            return Some((waiting, fresh));
        }
        queue = shared.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
    }
}

/// No thread leaves these locks with half-made data behind.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn job(asker: &str, limits: Limits) -> Job {
        let game = Game::new(&library::game("diamond").expect("built in"));
        Job { asker: vec![asker.into()], game, limits }
    }

    #[tokio::test]
    async fn a_job_gives_a_legal_move_and_no_bound_is_bounded() {
        let bounds = Bounds { time: Duration::from_millis(50), ..Bounds::default() };
        let pool = Pool::new(bounds);
        let job = job("client", Limits::default());
        let report = pool.run(job.clone()).await.expect("the pool is open");
        assert!(job.game.position().is_legal(report.best.expect("the game goes on")));
    }

    #[tokio::test]
    async fn a_call_that_is_dropped_leaves_the_queue() {
        let bounds = Bounds { threads: NonZeroUsize::MIN, ..Bounds::default() };
        let pool = Pool::new(bounds);
        let (mut first, mut second) = (
            Box::pin(pool.run(job("ann", Limits::default()))),
            Box::pin(pool.run(job("ann", Limits::default()))),
        );
        for call in [&mut first, &mut second] {
            assert!(tokio::time::timeout(Duration::ZERO, call).await.is_err());
        }
        drop(second);
        drop(first);
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn one_asker_cannot_fill_the_queue() {
        let bounds = Bounds { threads: NonZeroUsize::MIN, waiting: 1, ..Bounds::default() };
        let pool = Arc::new(Pool::new(bounds));
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let pool = Arc::clone(&pool);
                tokio::spawn(async move { pool.run(job("greedy", Limits::default())).await.map(|_| ()) })
            })
            .collect();
        tokio::task::yield_now().await;
        let quick = job("modest", Limits { nodes: Some(100), ..Limits::default() });
        let waiting = pool.run(quick);
        drop(tasks);
        // The other searches last 10 seconds each; drop the client instead of waiting.
        drop(waiting);
        assert!(pool.waiting() <= 1);
    }
}
