//! Searches of a pool that other machines do. A place there takes the search whose turn it is. If it does not come to a result,
//! the search goes back before all others and is done by the pool itself. So a machine that fails costs time and nothing else.

use crate::Job;
use crate::pool::{Shared, Waiting};
use lozenge_engine::Report;
use std::sync::Arc;
use tokio::sync::oneshot;

/// The searches for moves and hints that wait in a pool. Clones share them; they do not keep the pool alive.
#[derive(Clone)]
pub struct Outside {
    shared: Arc<Shared>,
}

impl core::fmt::Debug for Outside {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Outside").finish_non_exhaustive()
    }
}

/// A place on another machine that waits for a search.
struct Place<'o>(&'o Shared);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.lock().places -= 1;
        // What was left to this place is for the threads now.
        self.0.news.notify_all();
    }
}

impl Outside {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// The next search for a place on another machine; `None` once the pool is closed. While this waits the threads of the pool
    /// leave such searches to it.
    pub async fn next(&self) -> Option<OutsideSearch> {
        self.shared.lock().places += 1;
        let _place = Place(&self.shared);
        loop {
            let mut news = std::pin::pin!(self.shared.searches.notified());
            // Hears of searches that come from here on.
            news.as_mut().enable();
            {
                let mut state = self.shared.lock();
                if state.closed {
                    return None;
                }
                if let Some((job, waiting)) = state.next_outside() {
                    return Some(OutsideSearch {
                        shared: Arc::clone(&self.shared),
                        job,
                        waiting: Some(waiting),
                    });
                }
            }
            news.await;
        }
    }
}

/// A search that another machine does. Dropped without a result it goes back to the pool.
pub struct OutsideSearch {
    shared: Arc<Shared>,
    job: Job,
    waiting: Option<Waiting>,
}

impl core::fmt::Debug for OutsideSearch {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("OutsideSearch").field("class", &self.job.class).finish_non_exhaustive()
    }
}

impl OutsideSearch {
    /// The search.
    #[must_use]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Waits until nobody waits for the result any more.
    pub async fn unwanted(&mut self) {
        let search = self.waiting.as_mut().and_then(|waiting| waiting.task.search());
        if let Some(answer) = search.and_then(|search| search.answer.as_mut()) {
            answer.closed().await;
        }
    }

    /// Delivers the result.
    pub fn deliver(mut self, report: Report) {
        let mut waiting = self.waiting.take();
        let search = waiting.as_mut().and_then(|waiting| waiting.task.search());
        let answer: Option<oneshot::Sender<Report>> = search.and_then(|search| search.answer.take());
        if let Some(answer) = answer {
            // The caller may have gone.
            drop(answer.send(report));
        }
    }
}

impl Drop for OutsideSearch {
    fn drop(&mut self) {
        let Some(mut waiting) = self.waiting.take() else { return };
        if let Some(search) = waiting.task.search() {
            search.is_local = true;
        }
        let mut state = self.shared.lock();
        if !state.closed && !waiting.task.is_unwanted() {
            state.put_back(self.job.class, waiting);
            drop(state);
            self.shared.news.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Bounds, Class, Engine, Job, Limits, Pool, Report, Score, Signals};
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
        Job { class: Class::Move, asker: vec![asker.into()], game, limits }
    }

    fn asked(pool: &Arc<Pool>, asker: &str) -> tokio::task::JoinHandle<u64> {
        let (pool, job) = (Arc::clone(pool), job(asker));
        tokio::spawn(async move { pool.run(job).await.expect("the pool is open").nodes })
    }

    /// A result that no search has.
    fn report() -> Report {
        Report { best: None, ponder: None, score: Score::Centipawns(0), nodes: 7, depth: 0 }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn places_elsewhere_come_first_and_take_turns_like_the_threads() {
        let (pool, begun) = (pool(), Arc::new(tokio::sync::Notify::new()));
        let outside = pool.outside();
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
            calls.push(asked(&pool, asker));
            while pool.waiting() < calls.len() {
                tokio::task::yield_now().await;
            }
        }
        for expected in ["ann", "bob", "ann"] {
            let search = outside.next().await.expect("the pool is open");
            assert_eq!(search.job().asker, [expected]);
            search.deliver(report());
        }
        for call in calls {
            assert_eq!(call.await.expect("no panic"), 7);
        }
        holding.abort();
        // A place that waits comes before a thread that is free.
        let waiting = tokio::spawn(async move { outside.next().await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        let call = asked(&pool, "cy");
        waiting.await.expect("no panic").expect("the pool is open").deliver(report());
        assert_eq!(call.await.expect("no panic"), 7);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_place_that_fails_leaves_its_search_to_the_threads() {
        let pool = pool();
        let outside = pool.outside();
        for wait in [true, false] {
            let place = tokio::spawn({
                let outside = outside.clone();
                async move { outside.next().await }
            });
            tokio::time::sleep(Duration::from_millis(20)).await;
            if !wait {
                // A place that goes away while it waits.
                place.abort();
                assert!(asked(&pool, "ann").await.expect("no panic") >= 100);
                continue;
            }
            let call = asked(&pool, "ann");
            let search = place.await.expect("no panic").expect("the pool is open");
            // Another place does not get it.
            drop(search);
            assert!(timeout(Duration::from_millis(20), outside.next()).await.is_err());
            assert!(call.await.expect("no panic") >= 100);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_search_that_nobody_wants_any_more_is_known_outside() {
        let pool = pool();
        let outside = pool.outside();
        let place = tokio::spawn(async move { outside.next().await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        let call = asked(&pool, "ann");
        let mut search = place.await.expect("no panic").expect("the pool is open");
        call.abort();
        timeout(Duration::from_secs(5), search.unwanted()).await.expect("the call was dropped");
        drop(search);
        assert_eq!(pool.waiting(), 0);
    }
}
