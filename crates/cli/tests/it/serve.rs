//! The program `lozenge serve`, started and killed: its output, its end, and that nothing acknowledged is lost.

use crate::common::{Server, browser, get, play_on, post};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;

#[test]
fn server_prints_its_address_and_refuses_an_address_or_data_in_use() {
    let data = TempDir::new().unwrap();
    let server = Server::start(data.path());
    let page = browser().get(&server.url("/")).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains("Diamond Ring Chess"));
    let refused = |listen: &str, data: &Path, reason: &str| {
        let mut second = Command::new(env!("CARGO_BIN_EXE_lozenge"));
        let second = second.args(["serve", "--listen", listen, "--data"]).arg(data).output().unwrap();
        assert_eq!(second.status.code(), Some(1));
        let printed = String::from_utf8_lossy(&second.stderr);
        assert!(printed.contains(reason), "{printed}");
    };
    refused(server.address.trim_start_matches("http://"), &data.path().join("other"), "listening on");
    refused("127.0.0.1:0", data.path(), "another server at work");
}

#[test]
fn server_waits_for_an_address_that_another_is_about_to_leave() {
    let data = TempDir::new().unwrap();
    let other = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    let leaving = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        drop(other);
    });
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args(["serve", "--listen", &address, "--data"]).arg(data.path());
    let server = Server::spawn(command);
    assert_eq!(server.address, format!("http://{address}"));
    leaving.join().unwrap();
}

/// An alert on the increase of a counter is silent if the counter begins with the first event.
#[test]
fn counters_of_alerts_begin_at_zero() {
    let data = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--metrics-token", "token", "--data"]).arg(data.path());
    let server = Server::spawn(command);
    let metrics = browser().get(server.url("/metrics")).header("authorization", "Bearer token").call();
    let text = metrics.unwrap().body_mut().read_to_string().unwrap();
    let alerts = include_str!("../../../../deploy/alerts.yaml");
    let mut names = Vec::new();
    for (before, after) in alerts.match_indices("lozenge_").map(|(at, _)| alerts.split_at(at)) {
        // Workers have their own.
        if (before.ends_with("increase(") || before.ends_with("rate("))
            && !after.starts_with("lozenge_worker")
        {
            names.push(after.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap());
        }
    }
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        let has = |start: String| text.lines().any(|line| line.starts_with(&start));
        assert!(has(format!("# HELP {name} ")), "{name} is not explained:\n{text}");
        let value = text.lines().find(|line| line.starts_with(name));
        assert!(value.is_some_and(|line| line.ends_with(" 0")), "{name}: {value:?}\n{text}");
    }
}

/// Connections that send a head without end would fill the memory.
#[test]
fn request_head_over_32_kib_is_refused() {
    let data = TempDir::new().unwrap();
    let server = Server::start(data.path());
    let start = "GET / HTTP/1.1\r\nHost: test\r\n";
    let x = |count| "x".repeat(count);
    let unfinished = format!("{start}A: {}", x(40_000));
    let few_fields = format!("{start}A: {}\r\nConnection: close\r\n\r\n", x(33_000));
    let many_fields = format!("{start}{}\r\n", format!("A: {}\r\n", x(300)).repeat(90 * 33 / 27));
    let long_path = format!("GET /{} HTTP/1.1\r\nHost: test\r\n\r\n", x(33_000));
    let within = format!("{start}A: {}\r\nConnection: close\r\n\r\n", x(31_000));
    for (head, status) in
        [(unfinished, "400"), (few_fields, "400"), (many_fields, "400"), (long_path, "400"), (within, "200")]
    {
        let mut stream = TcpStream::connect(server.address.trim_start_matches("http://")).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        // In one write: what comes at once is never waited for.
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        assert_eq!(answer, format!("HTTP/1.1 {status}"), "{} bytes, {}", head.len(), &head[..40]);
    }
}

#[test]
fn backup_of_a_running_server_never_overwrites_a_file() {
    let data = TempDir::new().unwrap();
    let server = Server::start(data.path());
    let game = serde_json::json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let created = post(&browser(), &server.url("/api/games"), &game).unwrap();
    let copy = TempDir::new().unwrap();
    let file = copy.path().join("lozenge.sqlite");
    let backup = || {
        Command::new(env!("CARGO_BIN_EXE_lozenge"))
            .arg("backup")
            .arg(&file)
            .arg("--data")
            .arg(data.path())
            .output()
            .unwrap()
    };
    let first = backup();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    assert_eq!(backup().status.code(), Some(1), "a file that is there stays");
    drop(server);
    let restored = Server::start(copy.path());
    let path = format!("/api/games/{}", created["id"].as_str().unwrap());
    assert_eq!(get(&browser(), &restored.url(&path))["id"], created["id"]);
}

#[test]
fn the_host_reads_reported_lines_while_it_runs() {
    let data = TempDir::new().unwrap();
    let reports = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_lozenge"))
            .arg("reports")
            .args(arguments)
            .arg("--data")
            .arg(data.path())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(reports(&[]).0, Some(1), "there is no database yet");
    let server = Server::start(data.path());
    assert_eq!(reports(&[]), (Some(0), "No report is open.\n".into()));
    let (ann, bob) = (browser(), browser());
    let body = serde_json::json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let created = post(&ann, &server.url("/api/games"), &body).unwrap();
    let path = server.url(&format!("/api/games/{}", created["id"].as_str().unwrap()));
    post(&bob, &format!("{path}/join"), &serde_json::json!({})).unwrap();
    let line = serde_json::json!({"type": "chat", "room": "players", "text": "an ugly line"});
    post(&bob, &format!("{path}/actions"), &line).unwrap();
    post(&ann, &format!("{path}/chat/0/report"), &serde_json::json!({})).unwrap();
    let (code, table) = reports(&["--days", "1"]);
    let rows: Vec<_> = table.lines().collect();
    assert!(code == Some(0) && rows.len() == 2, "{table}");
    assert!(
        rows[0].starts_with("report ")
            && rows[0].contains("reported (UTC)")
            && rows[1].ends_with("an ugly line"),
        "{table}"
    );
    let report: serde_json::Value = serde_json::from_str(&reports(&["--json"]).1).unwrap();
    assert_eq!((&report["game"], &report["line"]), (&created["id"], &serde_json::json!("an ugly line")));
    assert_eq!(reports(&["--limit", "0"]).0, Some(2), "a list of nothing");
    // The host mutes the line's author and closes the report.
    let id = report["id"].as_str().unwrap();
    let (code, done) = reports(&["close", id, "--mute", "--days", "2"]);
    assert!(code == Some(0) && done.contains("muted until"), "{done}");
    assert_eq!(reports(&[]).1, "No report is open.\n");
    assert!(reports(&["--all"]).1.contains("(closed)"));
    let mut answer = bob.post(&format!("{path}/actions")).send_json(&line).unwrap();
    let problem = answer.body_mut().read_json::<serde_json::Value>().unwrap();
    assert_eq!((answer.status().as_u16(), &problem["code"]), (403, &serde_json::json!("muted")));
    assert_eq!(reports(&["close", "nothing"]).0, Some(1));
    // An author who has deleted the account cannot be muted, and the report can still be closed.
    let proof = serde_json::json!({"name": "Cleo", "password": "a long password"});
    let cleo = browser();
    post(&cleo, &server.url("/api/account/register"), &proof).unwrap();
    let created = post(&cleo, &server.url("/api/games"), &body).unwrap();
    let path = server.url(&format!("/api/games/{}", created["id"].as_str().unwrap()));
    post(&ann, &format!("{path}/join"), &serde_json::json!({})).unwrap();
    post(&cleo, &format!("{path}/actions"), &line).unwrap();
    post(&ann, &format!("{path}/chat/0/report"), &serde_json::json!({})).unwrap();
    let proof = serde_json::json!({"password": "a long password"});
    post(&cleo, &server.url("/api/account/delete"), &proof).unwrap();
    let report: serde_json::Value = serde_json::from_str(&reports(&["--json"]).1).unwrap();
    let (code, done) = reports(&["close", report["id"].as_str().unwrap(), "--mute"]);
    assert!(code == Some(0) && done.contains("has deleted the account"), "{done}");
    assert_eq!(reports(&[]).1, "No report is open.\n");
}

/// Players in their own threads make moves as fast as they can; the server is killed in the midst of it, several times.
/// Every acknowledged move is there afterwards, in order.
#[test]
fn acknowledged_moves_survive_a_killed_server() {
    // More of them in `cargo xtask attack`.
    let rounds = std::env::var("LOZENGE_KILL_ROUNDS").map_or(4, |text| text.parse().unwrap());
    const GAMES: usize = 4;
    let data = TempDir::new().unwrap();
    let variants = ["diagonal", "diamondback", "diamond", "doublediamond"];
    // By game: both players, the game's id, the moves acknowledged.
    let games: Vec<_> = (0..GAMES)
        .map(|_| Arc::new(Mutex::new((browser(), browser(), None::<String>, Vec::<String>::new()))))
        .collect();
    for round in 0..rounds {
        let server = Server::start(data.path());
        let stop = Arc::new(AtomicBool::new(false));
        let players: Vec<_> = games
            .iter()
            .enumerate()
            .map(|(number, game)| {
                let (game, stop, base) = (Arc::clone(game), Arc::clone(&stop), server.address.clone());
                let variant = variants[number % variants.len()];
                std::thread::spawn(move || play_on(&mut game.lock().unwrap(), &base, variant, &stop))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(900 + 170 * (round % 4)));
        server.kill();
        stop.store(true, Ordering::Relaxed);
        players.into_iter().for_each(|player| player.join().unwrap());
    }
    let server = Server::start(data.path());
    let mut moves = 0;
    for game in &games {
        let (white, _, id, acknowledged) = &*game.lock().unwrap();
        let Some(id) = id else { continue };
        let found = get(white, &server.url(&format!("/api/games/{id}")));
        let history: Vec<&str> =
            found["history"].as_array().unwrap().iter().map(|entry| entry["uci"].as_str().unwrap()).collect();
        assert!(
            history.len() >= acknowledged.len(),
            "{} of {} moves are there",
            history.len(),
            acknowledged.len()
        );
        assert_eq!(&history[..acknowledged.len()], &acknowledged[..]);
        moves += acknowledged.len();
    }
    assert!(moves > 0, "nothing was played");
}
