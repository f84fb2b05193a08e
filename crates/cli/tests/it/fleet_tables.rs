//! `lozenge tables generate --nats` with a real NATS: the files are those of one machine, and a wrong one is refused.

use crate::nats::Nats;
use lozenge_lab::tables::{TableJob, TableRecord};
use lozenge_queue::{Client, JobQueue as _, RemoteQueue, Worker, WorkerBeat};
use std::collections::BTreeMap;
use std::time::Duration;

/// The files of Diamond Chess in a folder.
fn files(nats: &Nats, folder: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = nats.folder.path().join(folder).join("diamond");
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect()
}

const GENERATE: [&str; 4] = ["tables", "generate", "diamond", "--tables"];

#[test]
fn tables_from_workers_equal_local_ones_and_missing_ones_are_made_again() {
    let Some(nats) = Nats::start() else { return };
    let here = nats.run(&[&GENERATE[..], &["here", "--threads", "1"]].concat());
    assert!(here.status.success(), "{here:?}");
    let _workers = [nats.worker("ann"), nats.worker("bob")];
    let on_workers = [&GENERATE[..], &["there", "--nats", &nats.address]].concat();
    let there = nats.run(&on_workers);
    assert!(there.status.success(), "{there:?}");
    // Not assert_eq, which would print them.
    assert!(files(&nats, "there") == files(&nats, "here"));
    assert_eq!(files(&nats, "there").len(), 6);
    for class in ["KPvK", "KAvK"] {
        std::fs::remove_file(nats.folder.path().join(format!("there/diamond/{class}.lzt"))).unwrap();
    }
    assert!(nats.run(&on_workers).status.success());
    assert!(files(&nats, "there") == files(&nats, "here"));
}

/// A worker that sends the file of another class.
async fn run_lying_worker(address: &str, other: &[u8]) {
    let client = Client::connect(address).await.unwrap();
    let queue = RemoteQueue::new(client.clone(), "site").await.unwrap();
    let worker = Worker::new("liar", &[TableJob::KIND], &lozenge_engine::bench::signature()).unwrap();
    let beat = WorkerBeat { worker: worker.clone(), threads: 1, live: 0, busy: 0 };
    loop {
        queue.beat(&beat).await;
        if let Ok(Some(lease)) = queue.lease(&worker).await {
            let job: TableJob = serde_json::from_str(&lease.spec).unwrap();
            let record = TableRecord { class: job.class, file: client.put_file(other).await.unwrap() };
            let result = serde_json::json!({ "seconds": 0.1, "games": [record] });
            let _ = queue.acknowledge(&lease, &result.to_string()).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn a_wrong_table_is_not_kept_and_its_worker_is_named() {
    let Some(nats) = Nats::start() else { return };
    let here = nats.run(&[&GENERATE[..], &["here", "--class", "KNvK", "--threads", "1"]].concat());
    assert!(here.status.success(), "{here:?}");
    let other = files(&nats, "here").remove("KNvK.lzt").unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let address = nats.address.clone();
    let liar = runtime.spawn(async move { run_lying_worker(&address, &other).await });
    let output = nats.run(&[&GENERATE[..], &["there", "--class", "KAvK", "--nats", &nats.address]].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && error.contains("the worker liar made a wrong table"), "{error}");
    assert!(files(&nats, "there").is_empty());
    liar.abort();
}
