//! Live calls: answered at once or not at all.

use crate::backends::missing;
use crate::backends::nats_server::Server;
use crate::suite::{Counting, worker};
use async_trait::async_trait;
use lozenge_queue::{Activity, Client, Drain, Lease, LiveCall, LiveError, Work, WorkError, serve_live};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

fn call(spec: &str) -> LiveCall {
    let (queue, kind) = ("test".into(), "work".into());
    LiveCall { queue, kind, spec: spec.into(), patience: Duration::from_millis(500) }
}

/// A worker of live calls with this work; its client is another than that of the test.
async fn start_worker(server: &Server, slots: usize, work: Arc<dyn Work>) -> (Client, Drain, JoinHandle<()>) {
    let (client, drain) = (server.client().await, Drain::default());
    let serving = serve_live(server.client().await, worker("ann"), slots, work, drain.clone());
    let task = tokio::spawn(async move { serving.await.unwrap() });
    // Its subscription is on its way.
    let end = Instant::now() + Duration::from_secs(5);
    while client.call_live("ann", call("ready?")).await == Err(LiveError::Gone) {
        assert!(Instant::now() < end);
        sleep(Duration::from_millis(10)).await;
    }
    (client, drain, task)
}

async fn server() -> Option<(Server, TempDir)> {
    let folder = TempDir::new().unwrap();
    match Server::start(folder.path().to_owned()) {
        Some(server) => Some((server, folder)),
        None => missing("nats-server is not installed"),
    }
}

/// Waits until `calls` calls were stopped.
async fn stopped(work: &Counting, calls: usize) {
    let end = Instant::now() + Duration::from_secs(5);
    while work.stopped.load(Ordering::SeqCst) < calls {
        assert!(Instant::now() < end, "the work goes on");
        sleep(Duration::from_millis(10)).await;
    }
}

/// Returns the name of the worker and the spec of the call.
struct Echo;

#[async_trait]
impl Work for Echo {
    async fn run(&self, lease: &Lease, _: &Activity) -> Result<String, WorkError> {
        match lease.spec.as_str() {
            "fail" => Err(WorkError::Failed("no".into())),
            spec => Ok(format!("{} {spec}", lease.worker)),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn live_call_returns_a_result_or_an_error_at_once() {
    let Some((mut server, _folder)) = server().await else { return };
    let (client, drain, task) = start_worker(&server, 2, Arc::new(Echo)).await;
    assert_eq!(client.call_live("ann", call("a")).await, Ok("ann a".into()));
    assert_eq!(client.call_live("ann", call("fail")).await, Err(LiveError::Failed("no".into())));
    let begun = Instant::now();
    assert_eq!(client.call_live("bob", call("a")).await, Err(LiveError::Gone));
    drain.begin();
    timeout(Duration::from_secs(5), task).await.unwrap().unwrap();
    assert!(matches!(client.call_live("ann", call("a")).await, Err(LiveError::Gone | LiveError::TimedOut)));
    server.kill();
    assert!(client.call_live("ann", call("a")).await.is_err());
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn full_worker_refuses_calls_and_a_dropped_call_frees_a_slot() {
    let Some((server, _folder)) = server().await else { return };
    let work = Counting::new(Duration::from_secs(60));
    let (client, drain, task) = start_worker(&server, 1, work.clone()).await;
    // The call that tested its presence times out and is stopped.
    stopped(&work, 1).await;
    let first = tokio::spawn({
        let client = client.clone();
        let long = LiveCall { patience: Duration::from_secs(60), ..call("long") };
        async move { client.call_live("ann", long).await }
    });
    while work.jobs() < 2 {
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(client.call_live("ann", call("second")).await, Err(LiveError::Busy));
    first.abort();
    stopped(&work, 2).await;
    drain.stop();
    timeout(Duration::from_secs(5), task).await.unwrap().unwrap();
}
