//! The site behind a real nginx with `deploy/nginx.conf`: streams arrive at once, sockets are upgraded. Skipped where nginx is not
//! installed; in CI it must be.

use crate::common::{Server, browser, get, post};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use ureq::Agent;

/// A running nginx; stopped when dropped.
struct Nginx(Child);

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Nginx {
    /// Starts nginx at a port, in front of a server, with the file that ships.
    fn start(folder: &Path, port: u16, server: &Server) -> Option<Self> {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/nginx.conf");
        let mut site = std::fs::read_to_string(shipped).unwrap();
        let upstream = server.address.trim_start_matches("http://");
        for (from, to) in [
            ("server 127.0.0.1:8080;", format!("server {upstream};")),
            ("listen 80;", format!("listen 127.0.0.1:{port};")),
        ] {
            assert!(site.contains(from), "deploy/nginx.conf: expected `{from}`");
            site = site.replace(from, &to);
        }
        let folder = folder.display();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {folder}/{kind};\n"))
            .concat();
        let main = format!(
            "daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n\
             http {{\naccess_log off;\n{temporary}{site}}}\n"
        );
        let file = format!("{folder}/nginx.conf");
        std::fs::write(&file, main).unwrap();
        // Debian installs it where only the path of root leads.
        let path = format!("{}:/usr/sbin", std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("nginx");
        command.args(["-c", &file, "-p"]).arg(folder.to_string()).env("PATH", path);
        let Ok(child) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else {
            assert!(std::env::var_os("CI").is_none(), "nginx is not installed");
            return None;
        };
        let nginx = Self(child);
        let end = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let log = std::fs::read_to_string(format!("{folder}/error.log")).unwrap_or_default();
            assert!(Instant::now() < end, "nginx does not answer: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(nginx)
    }
}

/// The messages of a stream, read by a thread of its own.
fn follow(agent: &Agent, url: &str) -> mpsc::Receiver<Value> {
    let (sender, receiver) = mpsc::channel();
    let response = agent.get(url).call().unwrap();
    std::thread::spawn(move || {
        for line in BufReader::new(response.into_body().into_reader()).lines().map_while(Result::ok) {
            if let Ok(event) = serde_json::from_str(&line)
                && sender.send(event).is_err()
            {
                return;
            }
        }
    });
    receiver
}

/// The next message that fits; others before it are ignored.
fn next(events: &mpsc::Receiver<Value>, fits: impl Fn(&Value) -> bool) -> Value {
    loop {
        let event =
            events.recv_timeout(Duration::from_secs(15)).expect("a message arrives while the stream is open");
        if fits(&event) {
            return event;
        }
    }
}

/// The messages of a socket that is opened without a session.
async fn first_message(url: &str) -> Value {
    let request = url.replacen("http", "ws", 1).into_client_request().unwrap();
    let (mut socket, _) =
        tokio_tungstenite::connect_async(request).await.expect("the connection is upgraded");
    let next = async {
        loop {
            if let Message::Text(text) = socket.next().await.expect("it is open").expect("it works") {
                return serde_json::from_str(&text).unwrap();
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(15), next).await.expect("a message")
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_and_sockets_pass_nginx_as_deployed() {
    let folder = TempDir::new().unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let site = format!("http://127.0.0.1:{port}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--trusted-proxies",
        "127.0.0.1",
        "--public-url",
        &site,
    ]);
    let server = Server::spawn({
        command.arg("--data").arg(folder.path().join("data"));
        command
    });
    let Some(_nginx) = Nginx::start(folder.path(), port, &server) else { return };
    let (ann, bob) = (browser(), browser());
    // The lobby.
    let lobby = follow(&bob, &format!("{site}/api/seeks/stream"));
    next(&lobby, |event| event["type"] == "seeks");
    let seek = json!({"variant": "diamond", "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    let seek = post(&ann, &format!("{site}/api/seeks"), &seek).expect("a seek");
    let id = seek["seek"]["id"].as_str().expect("it waits for an opponent").to_owned();
    next(&lobby, |event| event.to_string().contains(&id));
    // A game, its stream and its socket, and the list of live games.
    let live = follow(&bob, &format!("{site}/api/games/live/stream"));
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let game = post(&ann, &format!("{site}/api/games"), &body).unwrap()["id"].as_str().unwrap().to_owned();
    let game_url = format!("{site}/api/games/{game}");
    post(&bob, &format!("{game_url}/join"), &json!({})).expect("joined");
    let events = follow(&bob, &format!("{game_url}/stream"));
    let ply = json!({"type": "move", "move": get(&ann, &game_url)["state"]["moves"][0], "ply": 0});
    post(&ann, &format!("{game_url}/actions"), &ply).expect("a move");
    next(&events, |event| event["state"]["ply"] == 1);
    next(&live, |event| event.to_string().contains(&game));
    assert_eq!(first_message(&format!("{game_url}/socket")).await["game"]["id"], json!(game));
    // A study.
    let account = json!({"name": "Ann", "password": "a long password"});
    post(&ann, &format!("{site}/api/account/register"), &account).expect("an account");
    let study = json!({"name": "Forks", "visibility": "public", "chapter": {"variant": "gardner"}});
    let study = post(&ann, &format!("{site}/api/studies"), &study).expect("a study");
    let study_url = format!("{site}/api/studies/{}", study["id"].as_str().unwrap());
    assert_eq!(first_message(&format!("{study_url}/socket")).await["study"]["id"], study["id"]);
}
