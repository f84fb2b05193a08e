//! The threads that search, and the choice of their next job.

use crate::queue::Queue;
use crate::remote::RemoteSearches;
use crate::{Bounds, Class, Job, Refused};
use lozenge_engine::{Engine, SearchReport, Signals};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use tokio::sync::{Notify, oneshot};

/// Stack of a thread, in bytes: recursion is as deep as the search.
const STACK: usize = 64 << 20;

/// Work for an engine, and where its result goes.
pub(crate) trait Task: Send {
    /// Does the work; `false` if the signals stopped it before its end, so that it has to go on later.
    fn run(&mut self, engine: &mut Engine, signals: &Signals) -> bool;
    /// Whether the caller no longer waits for the result.
    fn is_cancelled(&self) -> bool;
    /// The search, if another machine may do it.
    fn search(&mut self) -> Option<&mut Search> {
        None
    }
}

/// A search for a move.
pub(crate) struct Search {
    pub(crate) job: Job,
    pub(crate) answer: Option<oneshot::Sender<SearchReport>>,
    /// Whether it was tried on another machine, in vain.
    pub(crate) is_local: bool,
}

impl Task for Search {
    fn run(&mut self, engine: &mut Engine, signals: &Signals) -> bool {
        let Job { game, limits, .. } = &self.job;
        let report = game.search(engine, limits, signals, &mut |_| {});
        // Moves are not interrupted; an interrupted hint answers with the result so far.
        if let Some(answer) = self.answer.take() {
            drop(answer.send(report));
        }
        true
    }

    fn is_cancelled(&self) -> bool {
        self.answer.as_ref().is_none_or(oneshot::Sender::is_closed)
    }

    fn search(&mut self) -> Option<&mut Search> {
        (!self.is_local).then_some(self)
    }
}

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

pub(crate) struct Waiting {
    number: u64,
    asker: Vec<String>,
    pub(crate) task: Box<dyn Task>,
}

/// The task that a thread is running.
struct Running {
    number: u64,
    class: Class,
    signals: Signals,
}

#[derive(Default)]
pub(crate) struct State {
    /// One for each class.
    queues: [Queue<Waiting>; Class::COUNT],
    /// One for each thread.
    running: Vec<Option<Running>>,
    /// Slots on other machines that wait for a search.
    pub(crate) remote_slots: usize,
    next_number: u64,
    pub(crate) closed: bool,
}

impl State {
    /// Stops a running job that gives way to this class, where more jobs of it wait than threads are free or will be.
    fn make_room(&self, class: Class) {
        let waiting_jobs: usize = self.queues[..=class.index()].iter().map(Queue::len).sum();
        let free =
            self.running.iter().filter(|slot| slot.as_ref().is_none_or(|run| run.signals.is_stopped()));
        let remote_slots = if class.is_playing() { self.remote_slots } else { 0 };
        if free.count() + remote_slots >= waiting_jobs {
            return;
        }
        let running = self.running.iter().flatten().filter(|run| !run.signals.is_stopped());
        let yielding = running.filter(|run| run.class.yields_to(class)).max_by_key(|run| run.class);
        if let Some(run) = yielding {
            run.signals.stop();
        }
    }

    fn waiting(&self) -> usize {
        self.queues.iter().map(Queue::len).sum()
    }

    /// The next job of a class that is not cancelled.
    fn pop(&mut self, class: Class) -> Option<Waiting> {
        let queue = &mut self.queues[class.index()];
        std::iter::from_fn(|| queue.pop()).find(|waiting| !waiting.task.is_cancelled())
    }

    /// Puts a job back before all others of its class.
    pub(crate) fn put_back(&mut self, class: Class, waiting: Waiting) {
        let asker = waiting.asker.clone();
        self.queues[class.index()].push_front(&asker, waiting);
        self.make_room(class);
    }

    /// The next search for a move or hint, for a slot on another machine.
    pub(crate) fn next_remote(&mut self) -> Option<(Job, Waiting)> {
        for class in Class::PLAYING {
            let Some(mut waiting) = self.pop(class) else { continue };
            if let Some(job) = waiting.task.search().map(|search| search.job.clone()) {
                return Some((job, waiting));
            }
            self.put_back(class, waiting);
        }
        None
    }

    /// The next job for a thread of this pool. Searches for which remote slots wait are left to them.
    fn next(&mut self) -> Option<(Class, Waiting)> {
        for class in Class::ALL {
            let Some(mut waiting) = self.pop(class) else { continue };
            if self.remote_slots == 0 || !class.is_playing() || waiting.task.search().is_none() {
                return Some((class, waiting));
            }
            self.put_back(class, waiting);
        }
        None
    }
}

pub(crate) struct Shared {
    state: Mutex<State>,
    /// Notifies the threads.
    pub(crate) work_available: Condvar,
    /// Notifies the slots on other machines.
    pub(crate) search_available: Notify,
    bounds: Bounds,
}

impl Shared {
    /// No thread leaves this lock with half-made data behind.
    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the job out of the queue, or stops it, when the caller no longer waits for its answer.
struct Ticket<'a, T> {
    shared: &'a Shared,
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
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// Starts the threads; fewer if the system refuses some.
    #[must_use]
    pub fn new(bounds: Bounds) -> Self {
        let running = (0..bounds.threads.get()).map(|_| None).collect();
        let state = Mutex::new(State { running, ..State::default() });
        let shared = Arc::new(Shared {
            state,
            work_available: Condvar::new(),
            search_available: Notify::new(),
            bounds,
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

fn work(shared: &Shared, thread: usize) {
    let mut engine = Engine::new(shared.bounds.hash_mib);
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
                engine = Engine::new(shared.bounds.hash_mib);
            }
        }
    }
}

/// The most urgent job, with the signals that end it; none once the pool is closed.
fn next(shared: &Shared, thread: usize) -> Option<(Class, Waiting, Signals)> {
    let mut state = shared.lock();
    loop {
        if state.closed {
            return None;
        }
        if let Some((class, waiting)) = state.next() {
            let signals = Signals::default();
            let run = Running { number: waiting.number, class, signals: signals.clone() };
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
