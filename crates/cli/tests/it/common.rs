//! The program `lozenge serve` in a process of its own, and players who reach it by HTTP.

#![allow(dead_code, clippy::unwrap_used)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use ureq::Agent;

/// A running server.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(data: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data);
        Self::spawn(command)
    }

    /// Starts a server by a command and waits until it has printed its address.
    pub(crate) fn spawn(mut command: Command) -> Self {
        command.env("RUST_LOG", "warn").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_whitespace().last().unwrap().to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        Self { child, address }
    }

    /// As `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// As a host's service manager stops it.
    #[cfg(unix)]
    pub(crate) fn terminate(mut self) {
        let stop = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(stop.success());
        self.child.wait().unwrap();
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it has ended by itself.
    pub(crate) fn wait(mut self) {
        self.child.wait().unwrap();
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser with a cookie jar that returns error statuses as responses.
pub(crate) fn browser() -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(Duration::from_secs(20)))
        .build()
        .new_agent()
}

pub(crate) fn post(agent: &Agent, url: &str, body: &serde_json::Value) -> Option<serde_json::Value> {
    let mut response = agent.post(url).send_json(body).ok()?;
    let status = response.status();
    let answer = response.body_mut().read_json().ok()?;
    status.is_success().then_some(answer)
}

pub(crate) fn get(agent: &Agent, url: &str) -> serde_json::Value {
    agent.get(url).call().unwrap().body_mut().read_json().unwrap()
}

/// Both players, the game, the moves that were acknowledged.
pub(crate) type Players = (Agent, Agent, Option<String>, Vec<String>);

/// Plays on in a game until the server is gone.
pub(crate) fn play_on(game: &mut Players, base: &str, variant: &str, stop: &AtomicBool) {
    let (white, black, id, acknowledged) = game;
    if id.is_none() {
        let body = serde_json::json!({"variant": variant, "opponent": {"kind": "link"}, "side": "white"});
        let Some(created) = post(white, &format!("{base}/api/games"), &body) else { return };
        let created = created["id"].as_str().unwrap().to_owned();
        if post(black, &format!("{base}/api/games/{created}/join"), &serde_json::json!({})).is_none() {
            return;
        }
        *id = Some(created);
    }
    let path = format!("{base}/api/games/{}", id.as_deref().unwrap());
    let Ok(mut response) = white.get(&path).call() else { return };
    let Ok(game_view) = response.body_mut().read_json::<serde_json::Value>() else { return };
    // A move whose acknowledgment was lost on the way may be there already.
    let played = game_view["history"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["uci"].as_str().unwrap().to_owned());
    *acknowledged = played.collect();
    let mut state = game_view["state"].clone();
    while !stop.load(Ordering::Relaxed) {
        let moves = state["moves"].as_array().unwrap();
        if moves.is_empty() || acknowledged.len() > 80 {
            return;
        }
        let ply = acknowledged.len();
        let text = moves[(ply * 7 + 3) % moves.len()].as_str().unwrap().to_owned();
        let mover = if ply % 2 == 0 { &*white } else { &*black };
        let action = serde_json::json!({"type": "move", "move": text, "ply": ply});
        let Some(next) = post(mover, &format!("{path}/actions"), &action) else { return };
        acknowledged.push(text);
        state = next;
    }
}
