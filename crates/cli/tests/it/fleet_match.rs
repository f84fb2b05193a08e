//! `lozenge worker` and `lozenge match --nats` with a real NATS: the match is that of one machine, whatever its workers do.
//! Skipped where `nats-server` is not installed; in CI it must be.

use crate::nats::Nats;
use lozenge_lab::matches::GameRecord;
use lozenge_queue::{Client, Job, JobQueue as _, RemoteQueue, Worker, WorkerBeat};
use serde_json::Value;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

/// The results of a match as JSON, and what it printed.
fn run_match(nats: &Nats, arguments: &[&str], on_workers: bool) -> (Value, Output) {
    let file = nats.folder.path().join("results.json");
    let _ = std::fs::remove_file(&file);
    let workers = if on_workers { &["--nats", &nats.address][..] } else { &[] };
    let output = nats.run(&[&["match", "--json", "results.json"], arguments, workers].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap(), output)
}

/// The games of a record without their times.
fn games(file: &Path) -> Vec<GameRecord> {
    let text = std::fs::read_to_string(file).unwrap();
    let mut games: Vec<GameRecord> =
        text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    for game in &mut games {
        game.begun = 0;
        game.moves.iter_mut().for_each(|played| played.millis = 0);
    }
    games
}

#[test]
fn match_on_workers_equals_local_match() {
    let Some(nats) = Nats::start() else { return };
    let own = "extends = \"gardner\"\nid = \"own\"\nname = \"Own Minichess\"\n";
    std::fs::write(nats.folder.path().join("own.toml"), own).unwrap();
    let _workers = [nats.worker("ann"), nats.worker("bob")];
    let arguments = ["this name=a nodes=300", "this name=b nodes=100", "--games", "10", "--max-plies", "80"];
    let arguments = [&arguments[..], &["--game", "own.toml", "--game", "gardner"]].concat();
    let record = |name: &str| nats.folder.path().join(name);
    let local = run_match(&nats, &[&arguments[..], &["--record", "here"]].concat(), false);
    let remote =
        run_match(&nats, &[&arguments[..], &["--record", "there", "--pgn", "there.pgn"]].concat(), true);
    assert_eq!((local.0, local.1.stdout), (remote.0, remote.1.stdout));
    assert_eq!(games(&record("here")), games(&record("there")));
    assert_eq!(std::fs::read_to_string(record("there.pgn")).unwrap().matches("[Event ").count(), 20);
}

#[test]
fn sprt_on_workers_ends_at_the_same_game_and_resumes_from_a_record() {
    let Some(nats) = Nats::start() else { return };
    let arguments =
        ["plain name=a nodes=400", "random", "--game", "gardner", "--games", "400", "--sprt", "0", "300"];
    let arguments = [&arguments[..], &["--seed", "3", "--record"]].concat();
    let (local, _) = run_match(&nats, &[&arguments[..], &["here"]].concat(), false);
    let first = nats.worker("first");
    // The first games of the record, as of a match that was interrupted.
    let text = std::fs::read_to_string(nats.folder.path().join("here")).unwrap();
    let beginning: String = text.lines().take(4).map(|line| format!("{line}\n")).collect();
    std::fs::write(nats.folder.path().join("there"), beginning).unwrap();
    let (remote, _) = run_match(&nats, &[&arguments[..], &["there"]].concat(), true);
    assert_eq!(local, remote);
    assert!(remote.to_string().contains("H1"), "{remote}");
    drop(first);
}

#[test]
fn a_killed_worker_loses_no_game() {
    let Some(nats) = Nats::start() else { return };
    let arguments = [
        "this name=a nodes=2000",
        "this name=b nodes=1500",
        "--game",
        "gardner",
        "--games",
        "12",
        "--max-plies",
        "60",
    ];
    let (local, _) = run_match(&nats, &arguments, false);
    let first = nats.worker("first");
    let remote = [&["match", "--json", "there.json", "--nats", &nats.address], &arguments[..]].concat();
    let (output, second) = std::thread::scope(|scope| {
        let playing = scope.spawn(|| nats.run(&remote));
        std::thread::sleep(Duration::from_millis(2500));
        first.kill();
        let second = nats.worker("second");
        (playing.join().unwrap(), second)
    });
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let remote: Value =
        serde_json::from_slice(&std::fs::read(nats.folder.path().join("there.json")).unwrap()).unwrap();
    assert_eq!(local, remote);
    // The first may have finished the match; then the second has only just started.
    std::thread::sleep(Duration::from_secs(3));
    #[cfg(unix)]
    assert_eq!(second.terminate(), Some(0));
    #[cfg(not(unix))]
    drop(second);
}

/// A worker that reports one node more than it has searched.
async fn run_lying_worker(address: &str) -> bool {
    let queue = RemoteQueue::new(Client::connect(address).await.unwrap(), "site").await.unwrap();
    let worker = Worker::new("liar", &["pairs"], &lozenge_engine::bench::signature()).unwrap();
    let beat = WorkerBeat { worker: worker.clone(), threads: 2, live: 0, busy: 0 };
    loop {
        queue.beat(&beat).await;
        match queue.lease(&worker).await {
            Ok(Some(lease)) => {
                let job: lozenge_lab::matches::PairsJob = serde_json::from_str(&lease.spec).unwrap();
                let variant = lozenge_rules::library::game(&job.variant).unwrap();
                let program = lozenge_protocol::client::Program {
                    path: env!("CARGO_BIN_EXE_lozenge").into(),
                    arguments: vec!["engine".into()],
                };
                let own = lozenge_lab::matches::OwnEngine { program, variant_file: None };
                let mut games = job.play(&variant, &own, &|| false, &|_| {}).unwrap();
                games[0].points = lozenge_lab::stats::Points::Win;
                games[0]
                    .moves
                    .iter_mut()
                    .for_each(|played| played.nodes = played.nodes.map(|nodes| nodes + 1));
                let result = serde_json::json!({ "seconds": 0.1, "games": games });
                let _ = queue.acknowledge(&lease, &result.to_string()).await;
            }
            Err(lozenge_queue::QueueError::Barred(_)) => return true,
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

#[test]
fn worker_with_wrong_games_is_barred_and_its_games_are_replayed() {
    let Some(nats) = Nats::start() else { return };
    let arguments = [
        "this name=a nodes=1000",
        "this name=b nodes=500",
        "--game",
        "gardner",
        "--games",
        "40",
        "--max-plies",
        "60",
    ];
    let (local, _) = run_match(&nats, &[&arguments[..], &["--record", "here"]].concat(), false);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let address = nats.address.clone();
    let liar = runtime.spawn(async move {
        tokio::time::timeout(Duration::from_secs(60), run_lying_worker(&address)).await
    });
    let _honest = nats.worker("honest");
    let (remote, output) = run_match(&nats, &[&arguments[..], &["--record", "there"]].concat(), true);
    assert_eq!(local, remote);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("the worker liar was barred") && !error.contains("honest was barred"), "{error}");
    let file = |name: &str| games(&nats.folder.path().join(name));
    assert_eq!(file("here"), file("there"));
    liar.abort();
}

#[test]
fn unsupported_worker_tasks_are_refused() {
    let Some(nats) = Nats::start() else { return };
    let refused = |arguments: &[&str]| {
        let output = nats.run(arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let other =
        ["match", "/bin/false", "plain", "--nodes", "10", "--game", "gardner", "--nats", &nats.address];
    let (status, error) = refused(&other);
    assert!(
        status == Some(2) && error.contains("expected the engines `this`, `plain` or `random`"),
        "{error}"
    );
    let (status, error) = refused(&["worker", "--nats", "nats://ann:secret@127.0.0.1:1"]);
    assert!(
        status == Some(1) && error.contains("NATS at nats://127.0.0.1:1") && !error.contains("secret"),
        "{error}"
    );
    let (status, error) = refused(&["worker", "--nats", &nats.address, "--kinds", "magic"]);
    assert!(status == Some(2) && error.contains("review") && error.contains("pairs"), "{error}");
    let (status, error) = refused(&["worker", "--nats", &nats.address, "--name", "a b"]);
    assert!(status == Some(2) && error.contains("expected a name"), "{error}");
}

#[test]
fn worker_reviews_games_and_marks_impossible_jobs_dead() {
    let Some(nats) = Nats::start() else { return };
    let _worker = nats.worker("ann");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let client = Client::connect(&nats.address).await.unwrap();
        let times = lozenge_queue::QueueSettings { retry: Duration::from_millis(1), ..Default::default() };
        let rows = lozenge_queue::Rows::in_memory(times).await.unwrap();
        struct NoTexts;
        #[async_trait::async_trait]
        impl lozenge_queue::Texts for NoTexts {
            async fn texts(&self, _: &str) -> Option<Vec<String>> {
                None
            }
        }
        let _host = lozenge_queue::Host::start(client, "site", rows.clone(), std::sync::Arc::new(NoTexts))
            .await
            .unwrap();
        let variant = lozenge_rules::library::game("gardner").unwrap();
        let digest = lozenge_game::convert::digest_of(variant.texts());
        let game = lozenge_rules::position::Game::new(&variant);
        let good = lozenge_analysis::review::ReviewJob::new(&game, digest, 500);
        let mut unknown = good.clone();
        unknown.game.digest = "0".repeat(64);
        let job = |id: &str, spec: String| Job::new(id, lozenge_queue::Class::User, "review", spec);
        let jobs = [
            job("good", serde_json::to_string(&good).unwrap()),
            job("unknown", serde_json::to_string(&unknown).unwrap()),
            job("nonsense", "{}".into()),
        ];
        rows.push(&jobs).await.unwrap();
        for (id, state, found) in [
            ("good", "done", "winProbability"),
            ("unknown", "dead", "expected the rules"),
            ("nonsense", "dead", "expected a job"),
        ] {
            let end = Instant::now() + Duration::from_secs(30);
            loop {
                let report = rows.report(id).await.unwrap().unwrap();
                if report.state.word() == state {
                    let text = report.result.unwrap_or(report.reason);
                    assert!(text.contains(found), "{id}: {text}");
                    break;
                }
                assert!(Instant::now() < end, "{id}: {report:?}");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        assert_eq!(rows.dead().await.unwrap().len(), 2);
    });
}
