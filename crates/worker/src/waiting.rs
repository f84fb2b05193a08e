//! The state that the threads of a pool and its slots on other machines share: jobs that wait or run, and the choice of the next
//! one. Not here: the threads (`pool`).

use crate::queue::Queue;
use crate::{Bounds, Class, Job};
use lozenge_engine::{Engine, SearchReport, Signals};
use lozenge_tablebase::SharedTables;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, oneshot};

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
        let report = engine.search_played(game, limits, signals, &mut |_| {});
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

/// A job that waits for a thread, or for a slot on another machine.
pub(crate) struct Waiting {
    pub(crate) number: u64,
    pub(crate) asker: Vec<String>,
    pub(crate) task: Box<dyn Task>,
}

/// The task that a thread is running.
pub(crate) struct RunningTask {
    pub(crate) number: u64,
    pub(crate) class: Class,
    pub(crate) signals: Signals,
}

/// The jobs of a pool.
#[derive(Default)]
pub(crate) struct PoolState {
    /// One for each class.
    pub(crate) queues: [Queue<Waiting>; Class::COUNT],
    /// One for each thread.
    pub(crate) running: Vec<Option<RunningTask>>,
    /// Slots on other machines that wait for a search.
    pub(crate) remote_slots: usize,
    pub(crate) next_number: u64,
    pub(crate) closed: bool,
}

impl PoolState {
    /// Stops a running job that gives way to this class, where more jobs of it wait than threads are free or will be.
    pub(crate) fn make_room(&self, class: Class) {
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

    pub(crate) fn waiting(&self) -> usize {
        self.queues.iter().map(Queue::len).sum()
    }

    /// The next job of a class that is not cancelled.
    pub(crate) fn pop(&mut self, class: Class) -> Option<Waiting> {
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
    pub(crate) fn next(&mut self) -> Option<(Class, Waiting)> {
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

/// The shared state of the threads.
pub(crate) struct PoolShared {
    pub(crate) state: Mutex<PoolState>,
    /// Notifies the threads.
    pub(crate) work_available: Condvar,
    /// Notifies the slots on other machines.
    pub(crate) search_available: Notify,
    pub(crate) bounds: Bounds,
    pub(crate) tables: SharedTables,
}

impl PoolShared {
    /// No thread leaves this lock with half-made data behind.
    pub(crate) fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
