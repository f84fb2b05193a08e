//! Searches of a pool that other machines do. A slot there takes the next search. If it returns no result, the search goes back to
//! the head of its queue, and the pool does it itself. So a machine that fails costs time and nothing else.

use crate::Job;
use crate::waiting::{PoolShared, Waiting};
use lozenge_engine::SearchReport;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The searches for moves and hints that wait in a pool. Clones share them; they do not keep the pool alive.
#[derive(Clone)]
pub struct RemoteSearches {
    shared: Arc<PoolShared>,
}

impl core::fmt::Debug for RemoteSearches {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RemoteSearches").finish_non_exhaustive()
    }
}

/// A slot on another machine that waits for a search.
struct RemoteSlot<'o>(&'o PoolShared);

impl Drop for RemoteSlot<'_> {
    fn drop(&mut self) {
        self.0.lock().remote_slots -= 1;
        // The threads take the jobs that were left to this slot.
        self.0.work_available.notify_all();
    }
}

impl RemoteSearches {
    pub(crate) fn new(shared: Arc<PoolShared>) -> Self {
        Self { shared }
    }

    /// The next search for a slot on another machine; `None` once the pool is closed. While this waits, the threads of the pool
    /// leave such searches to it.
    pub async fn next(&self) -> Option<RemoteSearch> {
        self.shared.lock().remote_slots += 1;
        let _slot = RemoteSlot(&self.shared);
        loop {
            let mut search_available = std::pin::pin!(self.shared.search_available.notified());
            // Notices searches that come from here on.
            search_available.as_mut().enable();
            {
                let mut state = self.shared.lock();
                if state.closed {
                    return None;
                }
                if let Some((job, waiting)) = state.next_remote() {
                    return Some(RemoteSearch {
                        shared: Arc::clone(&self.shared),
                        job,
                        waiting: Some(waiting),
                    });
                }
            }
            search_available.await;
        }
    }
}

/// A search that another machine does. Dropped without a result it goes back to the pool.
pub struct RemoteSearch {
    shared: Arc<PoolShared>,
    job: Job,
    waiting: Option<Waiting>,
}

impl core::fmt::Debug for RemoteSearch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("RemoteSearch").field("class", &self.job.class).finish_non_exhaustive()
    }
}

impl RemoteSearch {
    /// The search.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Waits until the caller no longer waits for the result.
    pub async fn cancelled(&mut self) {
        let search = self.waiting.as_mut().and_then(|waiting| waiting.task.search());
        if let Some(answer) = search.and_then(|search| search.answer.as_mut()) {
            answer.closed().await;
        }
    }

    /// Delivers the result.
    pub fn deliver(mut self, report: SearchReport) {
        let mut waiting = self.waiting.take();
        let search = waiting.as_mut().and_then(|waiting| waiting.task.search());
        let answer: Option<oneshot::Sender<SearchReport>> = search.and_then(|search| search.answer.take());
        if let Some(answer) = answer {
            // The caller may have gone.
            drop(answer.send(report));
        }
    }
}

impl Drop for RemoteSearch {
    fn drop(&mut self) {
        let Some(mut waiting) = self.waiting.take() else { return };
        if let Some(search) = waiting.task.search() {
            search.is_local = true;
        }
        let mut state = self.shared.lock();
        if !state.closed && !waiting.task.is_cancelled() {
            state.put_back(self.job.class, waiting);
            drop(state);
            self.shared.work_available.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bounds, Class, Engine, Job, Limits, Pool, Score, SearchReport, Signals};
    use lozenge_rules::library;
    use lozenge_rules::position::Game;
    use std::num::NonZeroUsize;
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::timeout;

    fn pool() -> Arc<Pool> {
        Arc::new(Pool::new(Bounds { threads: NonZeroUsize::MIN, ..Bounds::default() }))
    }

    fn job(asker: &str) -> Job {
        let game = Game::new(&library::game("diamond").expect("built in"));
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        Job { class: Class::Move, asker: vec![asker.into()], game: game.into(), limits }
    }

    fn spawn_run(pool: &Arc<Pool>, asker: &str) -> tokio::task::JoinHandle<u64> {
        let (pool, job) = (Arc::clone(pool), job(asker));
        tokio::spawn(async move { pool.run(job).await.expect("the pool is open").nodes })
    }

    /// A result that no search has.
    fn report() -> SearchReport {
        SearchReport { best: None, ponder: None, score: Score::Centipawns(0), nodes: 7, depth: 0 }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn remote_slots_come_first_and_take_turns_like_the_threads() {
        let (pool, begun) = (pool(), Arc::new(tokio::sync::Notify::new()));
        let searches = pool.remote_searches();
        // The only thread is busy.
        let holding = tokio::spawn({
            let (pool, begun) = (Arc::clone(&pool), Arc::clone(&begun));
            async move {
                let work = move |_: &mut Engine, signals: &Signals| {
                    begun.notify_one();
                    while !signals.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    Some(())
                };
                pool.run_with(Class::Move, vec!["x".into()], work).await
            }
        });
        begun.notified().await;
        let mut calls = Vec::new();
        for asker in ["ann", "ann", "bob"] {
            calls.push(spawn_run(&pool, asker));
            while pool.waiting() < calls.len() {
                tokio::task::yield_now().await;
            }
        }
        for expected in ["ann", "bob", "ann"] {
            let search = searches.next().await.expect("the pool is open");
            assert_eq!(search.job().asker, [expected]);
            search.deliver(report());
        }
        for call in calls {
            assert_eq!(call.await.expect("no panic"), 7);
        }
        holding.abort();
        // A slot that waits comes before a thread that is free.
        let waiting = tokio::spawn(async move { searches.next().await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        let call = spawn_run(&pool, "cy");
        waiting.await.expect("no panic").expect("the pool is open").deliver(report());
        assert_eq!(call.await.expect("no panic"), 7);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_remote_slot_that_fails_leaves_its_search_to_the_threads() {
        let pool = pool();
        let searches = pool.remote_searches();
        for wait in [true, false] {
            let slot = tokio::spawn({
                let searches = searches.clone();
                async move { searches.next().await }
            });
            tokio::time::sleep(Duration::from_millis(20)).await;
            if !wait {
                // A slot that goes away while it waits.
                slot.abort();
                assert!(spawn_run(&pool, "ann").await.expect("no panic") >= 100);
                continue;
            }
            let call = spawn_run(&pool, "ann");
            let search = slot.await.expect("no panic").expect("the pool is open");
            // Another slot does not get it.
            drop(search);
            assert!(timeout(Duration::from_millis(20), searches.next()).await.is_err());
            assert!(call.await.expect("no panic") >= 100);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn cancelled_search_is_reported_to_the_remote_slot() {
        let pool = pool();
        let searches = pool.remote_searches();
        let slot = tokio::spawn(async move { searches.next().await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        let call = spawn_run(&pool, "ann");
        let mut search = slot.await.expect("no panic").expect("the pool is open");
        call.abort();
        timeout(Duration::from_secs(5), search.cancelled()).await.expect("the call was dropped");
        drop(search);
        assert_eq!(pool.waiting(), 0);
    }
}
