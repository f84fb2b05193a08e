//! Faults of the queue itself: its host restarted, NATS killed, NATS wiped.

use crate::backends::{LEASE, sqlite_rows};
use crate::suite::{Counting, job, until, worker};
use lozenge_queue::{Drain, JobQueue, JobState, serve};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_outlive_their_process() {
    let folder = TempDir::new().unwrap();
    let rows = sqlite_rows(folder.path()).await;
    rows.push(&[job("a"), job("b")]).await.unwrap();
    let lease = rows.lease(&worker("ann")).await.unwrap().unwrap();
    drop(rows);
    let rows = sqlite_rows(folder.path()).await;
    assert_eq!(rows.lease(&worker("bob")).await.unwrap().unwrap().id, "b");
    // A worker that was there before the restart delivers its result after it.
    tokio::time::sleep(LEASE).await;
    rows.sweep().await.unwrap();
    rows.acknowledge(&lease, "made").await.unwrap();
    assert_eq!(rows.report("a").await.unwrap().unwrap().state, JobState::Done);
    let counts = rows.counts().await.unwrap();
    assert!(counts.iter().any(|(state, _, count)| (*state, *count) == (JobState::Done, 1)), "{counts:?}");
    assert_eq!(rows.prune(i64::MAX).await.unwrap(), 1);
    assert_eq!(rows.report("a").await.unwrap(), None);
    // Ids are compared as they are: `_` stands for itself.
    rows.push(&[job("my_a"), job("my_b"), job("myxb")]).await.unwrap();
    let ids: Vec<String> = rows.beginning_with("my_").await.unwrap().into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["my_a", "my_b"]);
    assert_eq!((rows.forget("my_").await.unwrap(), rows.forget("my_").await.unwrap()), (2, 0));
    assert!(rows.report("myxb").await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_worker_gets_a_new_job() {
    let folder = TempDir::new().unwrap();
    let queue: Arc<dyn JobQueue> = Arc::new(sqlite_rows(folder.path()).await);
    let (work, drain) = (Counting::new(Duration::ZERO), Drain::default());
    let running = tokio::spawn(serve(Arc::clone(&queue), worker("ann"), 1, work, drain.clone()));
    tokio::time::sleep(Duration::from_millis(100)).await;
    queue.push(&[job("a")]).await.unwrap();
    until(&*queue, "a", JobState::Done).await;
    drain.begin();
    running.await.unwrap().unwrap();
}

#[cfg(feature = "nats")]
mod nats {
    use super::*;
    use crate::backends::missing;
    use crate::backends::nats_server::{NoTexts, Server, announce_worker};
    use lozenge_queue::{Host, Job, RemoteQueue, Rows};
    use tokio::task::JoinSet;

    /// Jobs that are being done by two workers through NATS.
    struct Running {
        rows: Rows,
        ids: Vec<String>,
        work: Arc<Counting>,
        drain: Drain,
        tasks: JoinSet<()>,
        host: Option<Host>,
        server: Server,
        _folder: TempDir,
    }

    impl Running {
        async fn start() -> Option<Self> {
            let folder = TempDir::new().unwrap();
            let Some(server) = Server::start(folder.path().to_owned()) else {
                return missing("nats-server is not installed");
            };
            let rows = sqlite_rows(folder.path()).await;
            let (work, drain) = (Counting::new(Duration::from_millis(100)), Drain::default());
            let mut tasks = JoinSet::new();
            for name in ["ann", "bob"] {
                let queue = Arc::new(RemoteQueue::new(server.client().await, "test").await.unwrap());
                announce_worker(&mut tasks, Arc::clone(&queue));
                let serving = serve(queue, worker(name), 2, work.clone(), drain.clone());
                tasks.spawn(async move { serving.await.unwrap() });
            }
            let ids: Vec<String> = (0..60).map(|number| format!("job-{number}")).collect();
            let jobs: Vec<Job> = ids.iter().map(|id| job(id)).collect();
            rows.push(&jobs).await.unwrap();
            let mut running = Self { rows, ids, work, drain, tasks, host: None, server, _folder: folder };
            running.host().await;
            while running.work.jobs() < 10 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Some(running)
        }

        async fn host(&mut self) {
            let client = self.server.client().await;
            let host = Host::start(client, "test", self.rows.clone(), Arc::new(NoTexts)).await;
            self.host = Some(host.unwrap());
        }

        /// All jobs are done, each with one result.
        async fn finish(mut self) {
            for id in &self.ids {
                until(&self.rows, id, JobState::Done).await;
                let report = self.rows.report(id).await.unwrap().unwrap();
                assert_eq!(report.result, Some(format!("made {id}")));
            }
            self.drain.begin();
            self.tasks.abort_all();
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_host_of_a_queue_can_be_restarted() {
        let Some(mut running) = Running::start().await else { return };
        running.host = None;
        tokio::time::sleep(LEASE).await;
        running.host().await;
        running.finish().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nats_can_be_killed() {
        let Some(mut running) = Running::start().await else { return };
        running.server.kill();
        tokio::time::sleep(LEASE).await;
        // Streams in memory are gone: it is wiped as well.
        assert!(running.server.start_again());
        running.finish().await;
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn the_stream_can_be_wiped() {
        let Some(running) = Running::start().await else { return };
        let client = running.server.client().await;
        client.wipe().await.unwrap();
        running.finish().await;
    }
}
