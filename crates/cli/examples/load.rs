//! How much a server bears: many games at once, played by random legal moves through sockets, beside a bare echo.
//!
//! `cargo xtask load` builds the program, starts it and calls this with its address:
//! `load ADDRESS PID GAMES THINK_MS SECONDS`. With `THINK_MS` 0 everybody moves as soon as it is their turn. Needs as
//! many open files as there are sockets: `ulimit -n 40000`.

#![allow(clippy::print_stdout)]

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::routing::get;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

type Fault = Box<dyn Error + Send + Sync>;

/// People who share the games: few enough for the server's limits on new visitors.
const PEOPLE: usize = 40;
const GAMES: [&str; 5] = ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"];

/// What all players write down.
#[derive(Default)]
struct Tally {
    moves: AtomicU64,
    /// From sending a move to the opponent's hearing of it.
    delays: Mutex<Vec<Duration>>,
    faults: AtomicU64,
}

/// When the last move of a game was sent.
type Sent = Arc<Mutex<Option<(u64, Instant)>>>;

#[tokio::main]
async fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, pid, games, think, seconds] = arguments.as_slice() else {
        return Err("expected: load ADDRESS PID GAMES THINK_MS SECONDS".into());
    };
    let (games, think, seconds): (usize, u64, u64) = (games.parse()?, think.parse()?, seconds.parse()?);
    let before = resident_kib(pid);
    let seats = {
        let address = address.clone();
        tokio::task::spawn_blocking(move || make_games(&address, games)).await??
    };
    let tally = Arc::new(Tally::default());
    let until = Instant::now() + Duration::from_secs(seconds) + Duration::from_millis(games as u64);
    let mut players = Vec::new();
    for (number, (id, cookies)) in seats.into_iter().enumerate() {
        let sent = Sent::default();
        for (color, cookie) in ["white", "black"].into_iter().zip(cookies) {
            let seat =
                Seat { address: address.clone(), id: id.clone(), color, cookie, sent: Arc::clone(&sent) };
            let tally = Arc::clone(&tally);
            players.push(tokio::spawn(async move {
                let played = play(seat, Duration::from_millis(think), until, number as u64, &tally).await;
                if played.is_err() {
                    tally.faults.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        if number % 50 == 49 {
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }
    // What happens while the sockets are opened does not count.
    tally.moves.store(0, Ordering::Relaxed);
    tally.delays.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let began = Instant::now();
    tokio::time::sleep_until(until.into()).await;
    let (moves, took) = (tally.moves.load(Ordering::Relaxed), began.elapsed().as_secs_f64());
    let after = resident_kib(pid);
    for player in players {
        player.abort();
    }
    let mut delays = std::mem::take(&mut *tally.delays.lock().unwrap_or_else(PoisonError::into_inner));
    delays.sort_unstable();
    let at = |share: f64| delays.get((delays.len() as f64 * share) as usize).copied().unwrap_or_default();
    let echo = echo_rate(Duration::from_secs(3)).await?;
    let rate = moves as f64 / took;
    println!(
        "{games} games, {think} ms: {rate:.0} moves/s, median {:.1} ms, 99th percentile {:.1} ms, {:.0} KiB a game, {} faults; \
         echo {echo:.0} messages/s, ratio {:.2}",
        at(0.5).as_secs_f64() * 1e3,
        at(0.99).as_secs_f64() * 1e3,
        (after - before) as f64 / games as f64,
        tally.faults.load(Ordering::Relaxed),
        rate / echo,
    );
    Ok(())
}

/// Resident memory of a process, in KiB; 0 where the system does not say.
fn resident_kib(pid: &str) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Games with both places taken: their ids and both players' cookies.
fn make_games(address: &str, games: usize) -> Result<Vec<(String, [String; 2])>, Fault> {
    // Each keeps its own cookie; the sockets need it, too.
    let agents: Vec<ureq::Agent> = (0..PEOPLE).map(|_| ureq::Agent::new_with_defaults()).collect();
    let mut cookies: Vec<Option<String>> = vec![None; PEOPLE];
    let mut ask = |person: usize, path: &str, body: Value| -> Result<Value, Fault> {
        loop {
            match agents[person].post(format!("{address}{path}")).send_json(&body) {
                Ok(mut answer) => {
                    if let Some(cookie) =
                        answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok())
                    {
                        cookies[person] = cookie.split(';').next().map(str::to_owned);
                    }
                    return Ok(answer.body_mut().read_json()?);
                }
                Err(ureq::Error::StatusCode(429)) => std::thread::sleep(Duration::from_millis(500)),
                Err(error) => return Err(error.into()),
            }
        }
    };
    let mut ids = Vec::with_capacity(games);
    for number in 0..games {
        let (white, black) = (number % PEOPLE, (number + 1) % PEOPLE);
        let wanted = json!({ "variant": GAMES[number % GAMES.len()], "opponent": { "kind": "link" }, "side": "white",
            "clock": { "kind": "live", "initial_s": 3600, "increment_s": 10 } });
        let game = ask(white, "/api/games", wanted)?;
        let id = game["id"].as_str().ok_or("expected a game with an id")?.to_owned();
        ask(black, &format!("/api/games/{id}/join"), json!({}))?;
        ids.push((id, white, black));
    }
    let cookie = |person: usize| cookies[person].clone().unwrap_or_default();
    Ok(ids.into_iter().map(|(id, white, black)| (id, [cookie(white), cookie(black)])).collect())
}

/// One side of one game.
struct Seat {
    address: String,
    id: String,
    color: &'static str,
    cookie: String,
    sent: Sent,
}

async fn play(seat: Seat, think: Duration, until: Instant, seed: u64, tally: &Tally) -> Result<(), Fault> {
    let url = format!("{}/api/games/{}/socket", seat.address.replacen("http", "ws", 1), seat.id);
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("cookie", seat.cookie.parse()?);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
    let mut chance = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        let event: Value = serde_json::from_str(&text)?;
        let state = if event["type"] == "game" { &event["game"]["state"] } else { &event["state"] };
        if state["turn"] != seat.color || state["status"] != "started" {
            continue;
        }
        let ply = state["ply"].as_u64().unwrap_or(0);
        if !event["move"].is_null() {
            let sent = *seat.sent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, at)) = sent.filter(|(sent, _)| sent + 1 == ply) {
                tally.delays.lock().unwrap_or_else(PoisonError::into_inner).push(at.elapsed());
                tally.moves.fetch_add(1, Ordering::Relaxed);
            }
        } else if event["type"] != "game" {
            continue;
        }
        if Instant::now() > until {
            return Ok(());
        }
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(moves) = state["moves"].as_array().filter(|moves| !moves.is_empty()) else { continue };
        let text = moves[(chance >> 33) as usize % moves.len()].as_str().unwrap_or_default();
        if !think.is_zero() {
            // Between half and one and a half of it, so that not all move at once.
            tokio::time::sleep(think.mul_f64(0.5 + (chance >> 40) as f64 / f64::from(1u32 << 24))).await;
        }
        *seat.sent.lock().unwrap_or_else(PoisonError::into_inner) = Some((ply, Instant::now()));
        let action = json!({ "type": "move", "move": text, "ply": ply });
        socket.send(Message::Text(action.to_string().into())).await?;
    }
    Ok(())
}

/// Messages a second that come back from a bare echo of the same libraries, through 64 sockets.
async fn echo_rate(time: Duration) -> Result<f64, Fault> {
    async fn echo(mut socket: WebSocket) {
        while let Some(Ok(message)) = socket.recv().await {
            if socket.send(message).await.is_err() {
                return;
            }
        }
    }
    let router =
        axum::Router::new().route("/", get(|upgrade: WebSocketUpgrade| async { upgrade.on_upgrade(echo) }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move { axum::serve(listener, router).await });
    let count = Arc::new(AtomicU64::new(0));
    let until = Instant::now() + time;
    let clients: Vec<_> = (0..64)
        .map(|_| {
            let count = Arc::clone(&count);
            tokio::spawn(async move {
                let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{address}/")).await?;
                while Instant::now() < until {
                    socket
                        .send(Message::Text("{\"type\":\"move\",\"move\":\"e2e4\",\"ply\":0}".into()))
                        .await?;
                    socket.next().await;
                    count.fetch_add(1, Ordering::Relaxed);
                }
                Ok::<(), Fault>(())
            })
        })
        .collect();
    for client in clients {
        client.await??;
    }
    server.abort();
    Ok(count.load(Ordering::Relaxed) as f64 / time.as_secs_f64())
}
