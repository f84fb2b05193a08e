//! The threads that search, and the choice of their next job.

use crate::remote::RemoteSearches;
use crate::waiting::{PoolShared, PoolState, RunningTask, Search, Task, Waiting};
use crate::{Bounds, Class, Job, Refused};
use lozenge_engine::{Engine, SearchReport, Signals};
use lozenge_tablebase::SharedTables;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::{Notify, oneshot};

/// Stack of a thread, in bytes: recursion is as deep as the search.
const STACK: usize = 64 << 20;

struct WorkTask<T, W> {
    work: W,
    answer: Option<oneshot::Sender<T>>,
}

impl<T: Send, W: FnMut(&mut Engine, &Signals) -> Option<T> + Send> Task for WorkTask<T, W> {
    fn run(&mut self, engine: &mut Engine, signals: &Signals) -> bool {
        let Some(result) = (self.work)(engine, signals) else { return false };
        // The caller may have gone; then the answer is dropped.
        if let Some(answer) = self.answer.take() {
            drop(answer.send(result));
        }
        true
    }

    fn is_cancelled(&self) -> bool {
        self.answer.as_ref().is_none_or(oneshot::Sender::is_closed)
    }
}

/// Takes the job out of the queue, or stops it, when the caller no longer waits for its answer.
struct Ticket<'a, T> {
    shared: &'a PoolShared,
    class: Class,
    number: u64,
    asker: Vec<String>,
    result: oneshot::Receiver<T>,
}

impl<T> Drop for Ticket<'_, T> {
    fn drop(&mut self) {
        self.result.close();
        let mut state = self.shared.lock();
        let number = self.number;
        state.queues[self.class.index()].remove(&self.asker, |waiting| waiting.number == number);
        if let Some(run) = state.running.iter().flatten().find(|run| run.number == number) {
            run.signals.stop();
        }
    }
}

/// The threads that search. Dropping it ends the running searches and waits for the threads.
pub struct Pool {
    shared: Arc<PoolShared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts the threads; fewer if the system refuses some.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        Self::with_tables(bounds, SharedTables::default())
    }

    /// The same, with endgame tables for the engines.
    #[must_use]
    pub fn with_tables(bounds: Bounds, tables: SharedTables) -> Self {
        let running = (0..bounds.threads.get()).map(|_| None).collect();
        let state = Mutex::new(PoolState { running, ..PoolState::default() });
        let shared = Arc::new(PoolShared {
            state,
            work_available: Condvar::new(),
            search_available: Notify::new(),
            bounds,
            tables,
        });
        let threads = (0..bounds.threads.get())
            .map_while(|number| {
                let shared = Arc::clone(&shared);
                let builder = std::thread::Builder::new().name("engine".into()).stack_size(STACK);
                builder.spawn(move || work(&shared, number)).ok()
            })
            .collect();
        Self { shared, threads }
    }

    /// Searches for a move. A call that is dropped ends its search.
    ///
    /// # Errors
    /// If the asker has too many jobs waiting, or the pool closes first.
    pub async fn run(&self, mut job: Job) -> Result<SearchReport, Refused> {
        let (class, asker, longest) = (job.class, job.asker.clone(), self.shared.bounds.time);
        job.limits.movetime = Some(job.limits.movetime.map_or(longest, |time| time.min(longest)));
        let (answer, result) = oneshot::channel();
        let search = Search { job, answer: Some(answer), is_local: false };
        self.result_of(class, asker, Box::new(search), result).await
    }

    /// The searches of this pool for other machines.
    #[must_use]
    pub fn remote_searches(&self) -> RemoteSearches {
        RemoteSearches::new(Arc::clone(&self.shared))
    }

    /// Has work done by an engine. It returns `None` where the signals stopped it before its end; then it is called
    /// again later, with any engine. It has to keep to bounds of its own. A call that is dropped ends its work.
    ///
    /// # Errors
    /// If the asker has too many jobs of the class waiting, or the pool closes first.
    pub async fn run_with<T, W>(&self, class: Class, asker: Vec<String>, work: W) -> Result<T, Refused>
    where
        T: Send + 'static,
        W: FnMut(&mut Engine, &Signals) -> Option<T> + Send + 'static,
    {
        let (answer, result) = oneshot::channel();
        self.result_of(class, asker, Box::new(WorkTask { work, answer: Some(answer) }), result).await
    }

    /// Puts a task into the queue and waits for its result.
    async fn result_of<T>(
        &self,
        class: Class,
        asker: Vec<String>,
        task: Box<dyn Task>,
        result: oneshot::Receiver<T>,
    ) -> Result<T, Refused> {
        let mut ticket = {
            let mut state = self.shared.lock();
            if state.closed {
                return Err(Refused::Gone);
            }
            if state.queues[class.index()].waiting(&asker) >= self.shared.bounds.waiting {
                return Err(Refused::TooMany(self.shared.bounds.waiting));
            }
            state.next_number += 1;
            let number = state.next_number;
            state.queues[class.index()].push(&asker, Waiting { number, asker: asker.clone(), task });
            state.make_room(class);
            if state.remote_slots > 0 {
                self.shared.search_available.notify_one();
            }
            Ticket { shared: &self.shared, class, number, asker, result }
        };
        self.shared.work_available.notify_one();
        (&mut ticket.result).await.map_err(|_| Refused::Gone)
    }

    /// Whether a move in a game, or a hint, is being searched or waits for a thread.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        let state = self.shared.lock();
        let urgent = ..=Class::Hint.index();
        let running = state.running.iter().flatten().any(|run| run.class <= Class::Hint);
        running || state.queues[urgent].iter().any(|queue| queue.len() > 0)
    }

    /// Jobs that wait, of all askers.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.shared.lock().waiting()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        {
            let mut state = self.shared.lock();
            state.closed = true;
            state.queues = Default::default();
            state.running.iter().flatten().for_each(|run| run.signals.stop());
        }
        self.shared.work_available.notify_all();
        self.shared.search_available.notify_waiters();
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

fn work(shared: &PoolShared, thread: usize) {
    let fresh_engine = || {
        let mut engine = Engine::new(shared.bounds.hash_mib);
        engine.set_shared_tables(shared.tables.clone());
        engine
    };
    let mut engine = fresh_engine();
    while let Some((class, mut waiting, signals)) = next(shared, thread) {
        // A search that panics must not take the thread with it: the job is lost, the next one is not.
        let done = catch_unwind(AssertUnwindSafe(|| waiting.task.run(&mut engine, &signals)));
        let mut state = shared.lock();
        state.running[thread] = None;
        match done {
            Ok(true) => {}
            Ok(false) if state.closed || waiting.task.is_cancelled() => {}
            Ok(false) => state.put_back(class, waiting),
            Err(_) => {
                drop(state);
                tracing::error!("a search panicked");
                engine = fresh_engine();
            }
        }
    }
}

/// The most urgent job, with the signals that end it; none once the pool is closed.
fn next(shared: &PoolShared, thread: usize) -> Option<(Class, Waiting, Signals)> {
    let mut state = shared.lock();
    loop {
        if state.closed {
            return None;
        }
        if let Some((class, waiting)) = state.next() {
            let signals = Signals::default();
            let run = RunningTask { number: waiting.number, class, signals: signals.clone() };
            state.running[thread] = Some(run);
            return Some((class, waiting, signals));
        }
        state = shared.work_available.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_engine::Limits;
    use lozenge_rules::library;
    use lozenge_rules::position::Game;
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn job(asker: &str, limits: Limits) -> Job {
        let game = Game::new(&library::game("diamond").expect("built in"));
        Job { class: Class::Move, asker: vec![asker.into()], game: game.into(), limits }
    }

    fn single() -> Pool {
        Pool::new(Bounds { threads: NonZeroUsize::MIN, ..Bounds::default() })
    }

    /// Work that runs until it is stopped, `times` times; it counts how often it began.
    fn run_until_stopped(
        begun: &Arc<AtomicUsize>,
        times: usize,
    ) -> impl FnMut(&mut Engine, &Signals) -> Option<()> + use<> {
        let begun = Arc::clone(begun);
        move |_, signals| {
            if begun.fetch_add(1, Ordering::SeqCst) >= times {
                return Some(());
            }
            while !signals.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            None
        }
    }

    #[tokio::test]
    async fn unlimited_job_gets_the_time_limit_and_a_legal_move() {
        let bounds = Bounds { time: Duration::from_millis(50), ..Bounds::default() };
        let pool = Pool::new(bounds);
        let job = job("ann", Limits::default());
        let report = pool.run(job.clone()).await.expect("the pool is open");
        assert!(job.game.legal_moves().contains(&report.best.expect("the game goes on")));
    }

    #[tokio::test]
    async fn a_call_that_is_dropped_leaves_the_queue() {
        let pool = single();
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
    async fn a_call_that_is_dropped_stops_its_search() {
        let pool = single();
        let begun = Arc::new(AtomicUsize::new(0));
        let mut call =
            Box::pin(pool.run_with(Class::Analysis, vec!["ann".into()], run_until_stopped(&begun, 9)));
        while begun.load(Ordering::SeqCst) == 0 {
            assert!(tokio::time::timeout(Duration::from_millis(1), &mut call).await.is_err());
        }
        drop(call);
        // The only thread is free again for another job, and the dropped work did not begin again.
        let report = pool.run(job("bob", Limits { nodes: Some(100), ..Limits::default() })).await;
        assert!(report.is_ok());
        assert_eq!(begun.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn a_move_interrupts_analysis_which_goes_on_later() {
        let pool = single();
        let begun = Arc::new(AtomicUsize::new(0));
        let mut analysis =
            Box::pin(pool.run_with(Class::Analysis, vec!["ann".into()], run_until_stopped(&begun, 1)));
        while begun.load(Ordering::SeqCst) == 0 {
            assert!(tokio::time::timeout(Duration::from_millis(1), &mut analysis).await.is_err());
        }
        let moved = pool.run(job("bob", Limits { nodes: Some(100), ..Limits::default() })).await;
        assert!(moved.expect("the pool is open").best.is_some());
        analysis.await.expect("the pool is open");
        assert_eq!(begun.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn classes_are_served_in_order_and_equals_do_not_interrupt_each_other() {
        let pool = single();
        let begun = Arc::new(AtomicUsize::new(0));
        let mut hold = Box::pin(pool.run_with(Class::Move, vec!["x".into()], run_until_stopped(&begun, 9)));
        while begun.load(Ordering::SeqCst) == 0 {
            assert!(tokio::time::timeout(Duration::from_millis(1), &mut hold).await.is_err());
        }
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut calls: Vec<_> = [Class::Review, Class::Analysis, Class::Hint, Class::Move]
            .into_iter()
            .map(|class| {
                let order = Arc::clone(&order);
                let note = move |_: &mut Engine, _: &Signals| {
                    order.lock().expect("no panic").push(class);
                    Some(())
                };
                Box::pin(pool.run_with(class, vec!["y".into()], note))
            })
            .collect();
        for call in &mut calls {
            assert!(tokio::time::timeout(Duration::ZERO, call).await.is_err());
        }
        assert_eq!((pool.waiting(), begun.load(Ordering::SeqCst)), (4, 1));
        drop(hold);
        for call in calls {
            call.await.expect("the pool is open");
        }
        let order = order.lock().expect("no panic").clone();
        assert_eq!(order, [Class::Move, Class::Hint, Class::Analysis, Class::Review]);
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
        let call = pool.run(quick);
        drop(tasks);
        // The greedy searches last 10 seconds each; their answers are not awaited.
        drop(call);
        assert!(pool.waiting() <= 1);
    }
}
