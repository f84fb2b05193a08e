//! `lozenge lab data --nats` and `lozenge lab report --nats` with a real NATS: the file and the report are those of one machine,
//! whatever the workers do.

use crate::nats::Nats;
use lozenge_lab::tuning::fleet::DataJob;
use lozenge_lab::tuning::record::PlayedGame;
use lozenge_queue::{Client, JobQueue as _, QueueError, RemoteQueue, Worker, WorkerBeat};
use std::process::Output;
use std::time::Duration;

fn run(nats: &Nats, arguments: &[&str]) -> Output {
    let output = nats.run(&[&["lab"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn text(nats: &Nats, name: &str) -> String {
    std::fs::read_to_string(nats.folder.path().join(name)).unwrap()
}

/// A worker that changes the start of a game of each job.
async fn run_lying_worker(address: &str) -> bool {
    let queue = RemoteQueue::new(Client::connect(address).await.unwrap(), "site").await.unwrap();
    let worker = Worker::new("liar", &[DataJob::KIND], &lozenge_engine::bench::signature()).unwrap();
    let beat = WorkerBeat { worker: worker.clone(), threads: 2, live: 0, busy: 0 };
    loop {
        queue.beat(&beat).await;
        match queue.lease(&worker).await {
            Ok(Some(lease)) => {
                let job: DataJob = serde_json::from_str(&lease.spec).unwrap();
                let variant = lozenge_rules::library::game(&job.variant).unwrap();
                let mut engine = lozenge_lab::tuning::data::engine();
                let mut games: Vec<PlayedGame> =
                    job.play(&variant, &mut engine, &|| false, &mut |_| {}).unwrap();
                games[0].start.push_str(" another");
                let result = serde_json::json!({ "seconds": 0.1, "games": games });
                let _ = queue.acknowledge(&lease, &result.to_string()).await;
            }
            Err(QueueError::Barred(_)) => return true,
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

#[test]
fn data_from_workers_equals_local_data_and_lying_worker_is_barred() {
    let Some(nats) = Nats::start() else { return };
    let data = ["data", "--game", "gardner", "--nodes", "80", "--plies", "4"];
    run(&nats, &[&data[..], &["--games", "40", "--output", "here"]].concat());
    let on_workers = [&data[..], &["--output", "there", "--nats", &nats.address, "--games"]].concat();
    let honest = nats.worker("honest");
    // The first games, then the rest: the file goes on.
    run(&nats, &[&on_workers[..], &["10"]].concat());
    let bytes = |name: &str| std::fs::read(nats.folder.path().join(name)).unwrap();
    assert!(bytes("here").starts_with(&bytes("there")));
    let shown = String::from_utf8(run(&nats, &["show", "there"]).stdout).unwrap();
    assert!(shown.contains("games       10: "), "{shown}");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let address = nats.address.clone();
    let liar = runtime.spawn(async move {
        tokio::time::timeout(Duration::from_secs(60), run_lying_worker(&address)).await
    });
    std::thread::sleep(Duration::from_millis(300));
    let output = run(&nats, &[&on_workers[..], &["40"]].concat());
    assert_eq!(bytes("there"), bytes("here"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("the worker liar was barred") && !error.contains("honest was barred"), "{error}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "40 of 40 games\n");
    liar.abort();
    drop(honest);
}

#[test]
fn report_from_workers_equals_local_report_and_can_be_interrupted() {
    let Some(nats) = Nats::start() else { return };
    let own = "extends = \"gardner\"\nid = \"own\"\nname = \"Own Minichess\"\n";
    std::fs::write(nats.folder.path().join("own.toml"), own).unwrap();
    let plan = ["report", "own.toml", "--games", "12", "--nodes", "60", "--output"];
    run(&nats, &[&plan[..], &["here.json", "--threads", "1"]].concat());
    let on_workers = [&plan[..], &["there.json", "--nats", &nats.address]].concat();
    let first = nats.worker("first");
    #[cfg(unix)]
    {
        let mut interrupted =
            crate::nats::Process::spawn(&mut nats.command(&[&["lab"], &on_workers[..]].concat()));
        let partial = nats.folder.path().join("there.json.partial");
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while std::fs::read_to_string(&partial).map_or(0, |text| text.lines().count()) < 4 {
            assert!(std::time::Instant::now() < end, "no games come");
            std::thread::sleep(Duration::from_millis(20));
        }
        interrupted.signal("INT");
        // It may have been done by then.
        interrupted.wait();
    }
    first.kill();
    let _second = nats.worker("second");
    let partial = nats.folder.path().join("there.json.partial").exists();
    run(&nats, &[&on_workers[..], if partial { &["--resume"][..] } else { &[] }].concat());
    assert_eq!(text(&nats, "there.json"), text(&nats, "here.json"));
}
