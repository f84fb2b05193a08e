//! Moves in games of the site that workers search through a real NATS: a move never waits behind other work, and a worker that
//! fails costs time and nothing else.

use crate::common::{Server, browser, get, post};
use crate::nats::{Nats, Process};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};
use ureq::Agent;

fn serve(nats: &Nats) -> Server {
    let mut command = nats.command(&["serve", "--listen", "127.0.0.1:0", "--data", "data"]);
    command.args(["--nats", &nats.address]);
    Server::spawn(command)
}

/// A worker with one thread, and the address of its metrics.
fn worker(nats: &Nats, name: &str) -> (Process, String) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let process = nats.worker_with(name, &["--metrics-listen", &address]);
    let url = format!("http://{address}");
    let end = Instant::now() + Duration::from_secs(20);
    while browser().get(format!("{url}/healthz")).call().is_err() {
        assert!(Instant::now() < end, "the worker does not answer");
        std::thread::sleep(Duration::from_millis(20));
    }
    (process, url)
}

/// An alert on the increase of a counter is silent if the counter begins with the first event.
#[test]
fn counters_of_a_worker_begin_at_zero() {
    let Some(nats) = Nats::start() else { return };
    let (_worker, url) = worker(&nats, "w1");
    let end = Instant::now() + Duration::from_secs(20);
    for outcome in ["done", "failed", "given back", "lost"] {
        let expected = format!("lozenge_worker_jobs_total{{kind=\"review\",outcome=\"{outcome}\"}} 0");
        loop {
            let mut response = browser().get(format!("{url}/metrics")).call().unwrap();
            let text = response.body_mut().read_to_string().unwrap();
            if text.lines().any(|line| line == expected) && text.contains("# HELP lozenge_worker_jobs_total ")
            {
                break;
            }
            assert!(Instant::now() < end, "{expected}:\n{text}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Jobs of a kind that a worker has done.
fn done(worker: &str, kind: &str) -> u64 {
    let text =
        browser().get(format!("{worker}/metrics")).call().unwrap().body_mut().read_to_string().unwrap();
    let is_match = |line: &&str| {
        line.starts_with("lozenge_worker_jobs_total")
            && line.contains(&format!("kind=\"{kind}\""))
            && line.contains("outcome=\"done\"")
    };
    let line = text.lines().find(is_match);
    line.and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Plays a move against the engine, and returns the time until its answer.
fn reply_time(agent: &Agent, server: &Server, path: &str, ply: u64) -> Duration {
    let state = |game: &Value| game["state"].clone();
    let before = state(&get(agent, &server.url(path)));
    let action = json!({"type": "move", "move": before["moves"][0], "ply": ply});
    let begun = Instant::now();
    post(agent, &server.url(&format!("{path}/actions")), &action).expect("a legal move");
    while state(&get(agent, &server.url(path)))["ply"] != json!(ply + 2) {
        assert!(begun.elapsed() < Duration::from_secs(20), "the engine does not move");
        std::thread::sleep(Duration::from_millis(20));
    }
    begun.elapsed()
}

#[test]
fn engine_move_does_not_wait_for_reviews_and_survives_its_worker() {
    let Some(nats) = Nats::start() else { return };
    let server = serve(&nats);
    let (process, ann) = worker(&nats, "ann");
    let agent = browser();
    // A long review, which the only worker does.
    let pgn = pgn(&nats.folder.path().join("game.pgn"), &nats);
    let imported = post(&agent, &server.url("/api/games/import"), &json!({ "pgn": pgn })).expect("a game");
    let review = format!("/api/games/{}/review", imported["id"].as_str().unwrap());
    post(&agent, &server.url(&review), &json!({})).expect("a review");
    let end = Instant::now() + Duration::from_secs(20);
    while get(&agent, &server.url(&review))["done"] == json!(0) {
        assert!(Instant::now() < end, "the review does not begin");
        std::thread::sleep(Duration::from_millis(50));
    }
    let body = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 3}, "side": "white"});
    let game = post(&agent, &server.url("/api/games"), &body).expect("a game");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let time = reply_time(&agent, &server, &path, 0);
    assert!(time < Duration::from_secs(3), "{time:?}");
    assert_eq!(
        (done(&ann, "move"), done(&ann, "review")),
        (1, 0),
        "the worker has searched it beside the review"
    );
    // Paused in the middle of everything: the server moves itself, and leaves the worker alone.
    process.signal("STOP");
    for ply in [2, 4] {
        let time = reply_time(&agent, &server, &path, ply);
        assert!(time < Duration::from_secs(3), "{time:?}");
    }
    process.signal("CONT");
    let _ = process.terminate();
    let time = reply_time(&agent, &server, &path, 6);
    assert!(time < Duration::from_secs(3), "{time:?}");
}

/// A game of random moves, long enough to be reviewed for a while.
fn pgn(file: &Path, nats: &Nats) -> String {
    let arguments =
        ["match", "random", "random name=other", "--game", "diamond", "--games", "2", "--max-plies", "60"];
    let arguments = [&arguments[..], &["--nodes", "1", "--pgn", "game.pgn"]].concat();
    assert!(nats.run(&arguments).status.success());
    let text = std::fs::read_to_string(file).unwrap();
    let second = text[1..].find("[Event ").map_or(text.len(), |at| at + 1);
    text[..second].to_owned()
}

#[test]
fn measurements_are_played_by_workers_and_resume_after_a_restart() {
    let Some(nats) = Nats::start() else { return };
    let (_process, ann) = worker(&nats, "ann");
    let server = serve(&nats);
    let agent = browser();
    let account = json!({"name": "Ann", "password": "a long password"});
    post(&agent, &server.url("/api/account/register"), &account).expect("an account");
    let body = json!({"games": 60, "nodes": 300});
    let job = post(&agent, &server.url("/api/rules/gardner/measure"), &body).expect("a measurement");
    let path = format!("/api/lab/{}", job["id"].as_str().unwrap());
    let wait_until = |server: &Server, predicate: &dyn Fn(&Value) -> bool| {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let found = get(&agent, &server.url(&path));
            if predicate(&found) {
                return found;
            }
            assert!(Instant::now() < end, "{found}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    wait_until(&server, &|found| found["done"].as_u64() > Some(0));
    server.kill();
    let server = serve(&nats);
    let found = wait_until(&server, &|found| found["state"] == json!("finished"));
    assert_eq!(found["done"], found["total"]);
    assert!(done(&ann, "report") > 0);
    let report = get(&agent, &server.url("/api/rules/gardner/report"));
    assert_eq!(report["games"][0], json!(60));
    drop(server);
    // The jobs are gone; the host sees that none was set aside.
    let jobs = nats.run(&["jobs", "--data", "data"]);
    assert_eq!(String::from_utf8_lossy(&jobs.stdout), "There are no jobs.\n");
    let jobs = nats.run(&["jobs", "--json", "--data", "data"]);
    assert_eq!(String::from_utf8_lossy(&jobs.stdout), "{\"counts\":[],\"dead\":[]}\n");
}
