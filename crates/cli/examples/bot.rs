//! A bot: makes an account and a token, and plays a game against the engine of a Lozenge server.
//!
//! `cargo run -p lozenge --example bot -- http://127.0.0.1:8080 [GAME]`
//!
//! How it chooses its moves is in [`choose`]; everything else a bot of yours needs too.

#![allow(clippy::print_stdout)]

use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::time::{SystemTime, UNIX_EPOCH};
use ureq::Agent;

const MAX_MOVES: u64 = 60;

/// A Lozenge server, asked as a browser (with cookies) or as a program (with a token).
struct Server {
    address: String,
    agent: Agent,
    token: Option<String>,
}

impl Server {
    fn new(address: &str, token: Option<String>) -> Self {
        Self { address: address.trim_end_matches('/').into(), agent: Agent::new_with_defaults(), token }
    }

    fn post(&self, path: &str, body: &Value) -> Result<Value, Box<dyn Error>> {
        let mut request = self.agent.post(format!("{}{path}", self.address));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        Ok(request.send_json(body)?.body_mut().read_json()?)
    }

    /// The lines of a stream, as they come.
    fn lines(
        &self,
        path: &str,
    ) -> Result<impl Iterator<Item = std::io::Result<String>> + use<>, Box<dyn Error>> {
        let mut request = self.agent.get(format!("{}{path}", self.address));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        Ok(BufReader::new(request.call()?.into_body().into_reader()).lines())
    }
}

/// Any of the legal moves. A bot that thinks would look at `state["fen"]`.
fn choose(state: &Value) -> Option<&str> {
    let moves = state["moves"].as_array()?;
    let chance = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos() as usize);
    moves.get(chance / 1000 % moves.len().max(1))?.as_str()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("expected the address of a server")?;
    let variant = arguments.next().unwrap_or_else(|| "diamond".into());
    // A new account becomes a bot's with its first token for bots.
    let browser = Server::new(&address, None);
    let name = format!("bot-{}", SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis());
    let password = format!("{name} {:?}", std::thread::current().id());
    browser.post("/api/account/register", &json!({ "name": name, "password": password }))?;
    let token = browser.post("/api/tokens", &json!({ "label": "example", "scopes": ["bot"] }))?;
    let server = Server::new(&address, token["secret"].as_str().map(str::to_owned));
    let opponent = json!({ "kind": "engine", "level": 1 });
    let game =
        server.post("/api/games", &json!({ "variant": variant, "opponent": opponent, "side": "white" }))?;
    let id = game["id"].as_str().ok_or("expected a game with an id")?;
    println!("{name} plays {}: {}/game/{id}", game["variant_name"], server.address);
    for line in server.lines(&format!("/api/bot/game/stream/{id}"))? {
        let line = line?;
        if line.is_empty() {
            continue; // still there
        }
        let event: Value = serde_json::from_str(&line)?;
        let state = if event["type"] == "game" { &event["game"]["state"] } else { &event["state"] };
        if state["status"] == "finished" {
            println!("{} by {} after {} half moves", state["result"], state["reason"], state["ply"]);
            return Ok(());
        }
        if state["turn"] == "white" {
            let what = match choose(state) {
                Some(text) if state["ply"].as_u64() < Some(2 * MAX_MOVES) => format!("move/{text}"),
                _ => "resign".to_owned(),
            };
            server.post(&format!("/api/bot/game/{id}/{what}"), &json!({}))?;
        }
    }
    Err("the stream ended before the game".into())
}
