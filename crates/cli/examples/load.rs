//! How much load a server takes: many games at once, played by random legal moves through sockets, beside a bare echo.
//!
//! `cargo xtask load` builds the program, starts it and calls this with its address:
//! `load ADDRESS PID GAMES THINK_MS SECONDS IDLE`. With `THINK_MS` 0 each player moves as soon as it is their turn. A server
//! takes ten commands a second of one socket, so it needs hundreds of games to be under load. `IDLE` is the number of
//! further sockets, of players who do nothing, two for a game. Needs as many open files as sockets: `ulimit -n 40000`.
//!
//! The players share the processors with the server, so they are cheap: they parse only the fields they need. A move is
//! four messages on sockets: the player's, its acknowledgment, and the new state to both.

#![allow(clippy::print_stdout)]

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::routing::get;
use futures_util::{SinkExt as _, StreamExt as _};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde::Deserialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::handshake::client::Response;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;
type Fault = Box<dyn Error + Send + Sync>;

/// People who share the games: few enough for the server's limits on new visitors.
const PLAYERS: usize = 40;
/// Read buffer of a player's socket, in bytes.
const BUFFER: usize = 8 << 10;
/// Time in which the server pings each idle socket twice.
const IDLE_PINGS: Duration = Duration::from_secs(10);
/// The smaller echo's sockets.
const FEW: usize = 64;
const GAMES: [&str; 5] = ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"];

/// The counts of all players together.
#[derive(Default)]
struct Tally {
    moves: AtomicU64,
    /// Messages on all sockets, there and back.
    messages: AtomicU64,
    /// From sending a move to the opponent's hearing of it.
    delays: Mutex<Vec<Duration>>,
    faults: AtomicU64,
}

/// When the last move of a game was sent.
type Sent = Arc<Mutex<Option<(u64, Instant)>>>;

#[tokio::main]
async fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, pid, games, think, seconds, idle] = arguments.as_slice() else {
        return Err("expected: load ADDRESS PID GAMES THINK_MS SECONDS IDLE".into());
    };
    let (games, think, seconds): (usize, u64, u64) = (games.parse()?, think.parse()?, seconds.parse()?);
    let _idle = open_idle(address, pid, idle.parse()?).await?;
    let before = resident_kib(pid);
    let pairings = {
        let address = address.clone();
        tokio::task::spawn_blocking(move || make_games(&address, games)).await??
    };
    let tally = Arc::new(Tally::default());
    let until = Instant::now() + Duration::from_secs(seconds) + Duration::from_millis(games as u64);
    let mut players = Vec::new();
    for (number, (id, cookies)) in pairings.into_iter().enumerate() {
        let sent = Sent::default();
        for (white, cookie) in [true, false].into_iter().zip(cookies) {
            let pairing =
                Pairing { address: address.clone(), id: id.clone(), white, cookie, sent: Arc::clone(&sent) };
            let tally = Arc::clone(&tally);
            players.push(tokio::spawn(async move {
                let played = play(pairing, Duration::from_millis(think), until, number as u64, &tally).await;
                if played.is_err() {
                    tally.faults.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        if number % 50 == 49 {
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }
    // Moves, messages and delays while the sockets are opened do not count.
    tally.moves.store(0, Ordering::Relaxed);
    tally.messages.store(0, Ordering::Relaxed);
    tally.delays.lock().unwrap_or_else(PoisonError::into_inner).clear();
    let (began, cpu) = (Instant::now(), processor_ms(pid));
    tokio::time::sleep_until(until.into()).await;
    let elapsed_s = began.elapsed().as_secs_f64();
    let moves = tally.moves.load(Ordering::Relaxed) as f64 / elapsed_s;
    let messages = tally.messages.load(Ordering::Relaxed) as f64 / elapsed_s;
    let cpu = (processor_ms(pid) - cpu) / (moves * elapsed_s).max(1.0) * 1e3;
    let after = resident_kib(pid);
    for player in players {
        player.abort();
    }
    let mut delays = std::mem::take(&mut *tally.delays.lock().unwrap_or_else(PoisonError::into_inner));
    delays.sort_unstable();
    let at = |share: f64| delays.get((delays.len() as f64 * share) as usize).copied().unwrap_or_default();
    // As many sockets as the players', and for comparison so few that all of them stay in the processors' caches.
    let echo = echo_rate(Duration::from_secs(4), 2 * games).await?;
    let few = echo_rate(Duration::from_secs(3), FEW).await?;
    println!(
        "{games} games, {think} ms: {moves:.0} moves/s, median {:.1} ms, 99th percentile {:.1} ms, {:.0} KiB a game, {cpu:.0} us of the server's processors a move, \
         {} faults; {messages:.0} messages/s on {} sockets, bare echo {echo:.0}, ratio {:.2}; echo on {FEW} sockets {few:.0}, ratio {:.2}",
        at(0.5).as_secs_f64() * 1e3,
        at(0.99).as_secs_f64() * 1e3,
        (after - before) as f64 / games as f64,
        tally.faults.load(Ordering::Relaxed),
        2 * games,
        messages / echo,
        messages / few,
    );
    Ok(())
}

/// Opens sockets of players who do nothing, and prints what they cost. They are open as long as the answer is there.
async fn open_idle(address: &str, pid: &str, sockets: usize) -> Result<JoinSet<()>, Fault> {
    let mut idle = JoinSet::new();
    if sockets == 0 {
        return Ok(idle);
    }
    let games = sockets.div_ceil(2);
    let before = resident_kib(pid);
    let pairings = {
        let address = address.to_owned();
        tokio::task::spawn_blocking(move || make_games(&address, games)).await??
    };
    let after_games = resident_kib(pid);
    for (id, cookies) in pairings {
        for cookie in cookies {
            let (mut socket, _) = connect(address, &id, &cookie).await?;
            idle.spawn(async move { while socket.next().await.is_some_and(|message| message.is_ok()) {} });
        }
    }
    tokio::time::sleep(IDLE_PINGS).await;
    let (began, cpu) = (Instant::now(), processor_ms(pid));
    tokio::time::sleep(IDLE_PINGS).await;
    let cpu = (processor_ms(pid) - cpu) / began.elapsed().as_secs_f64() / 10.0;
    let (after, sockets) = (resident_kib(pid), 2 * games);
    println!(
        "{sockets} idle sockets of {games} games: {:.1} KiB a game, {:.1} KiB a socket, {} MiB in all, {cpu:.0} % of a processor, {} closed",
        (after_games - before) as f64 / games as f64,
        (after - after_games) as f64 / sockets as f64,
        after >> 10,
        std::iter::from_fn(|| idle.try_join_next()).count(),
    );
    Ok(idle)
}

/// Resident memory of a process, in KiB; 0 where the system does not say.
fn resident_kib(pid: &str) -> i64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Processor time that a process has used, in milliseconds; 0 where the system does not say.
fn processor_ms(pid: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    // In hundredths of a second: for programs and for the system.
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() * 10.0
}

/// Games with both places taken: their ids and both players' cookies.
fn make_games(address: &str, games: usize) -> Result<Vec<(String, [String; 2])>, Fault> {
    // Each keeps its own cookie; the sockets need it, too.
    let agents: Vec<ureq::Agent> = (0..PLAYERS).map(|_| ureq::Agent::new_with_defaults()).collect();
    let mut cookies: Vec<Option<String>> = vec![None; PLAYERS];
    let mut post = |player: usize, path: &str, body: Value| -> Result<Value, Fault> {
        loop {
            match agents[player].post(format!("{address}{path}")).send_json(&body) {
                Ok(mut answer) => {
                    if let Some(cookie) =
                        answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok())
                    {
                        cookies[player] = cookie.split(';').next().map(str::to_owned);
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
        let (white, black) = (number % PLAYERS, (number + 1) % PLAYERS);
        let challenge = json!({ "variant": GAMES[number % GAMES.len()], "opponent": { "kind": "link" }, "side": "white",
            "clock": { "kind": "live", "initial_s": 3600, "increment_s": 10 } });
        let game = post(white, "/api/games", challenge)?;
        let id = game["id"].as_str().ok_or("expected a game with an id")?.to_owned();
        post(black, &format!("/api/games/{id}/join"), json!({}))?;
        ids.push((id, white, black));
    }
    let cookie = |player: usize| cookies[player].clone().unwrap_or_default();
    Ok(ids.into_iter().map(|(id, white, black)| (id, [cookie(white), cookie(black)])).collect())
}

/// One side of one game, and of those that are played after it.
struct Pairing {
    address: String,
    id: String,
    white: bool,
    cookie: String,
    sent: Sent,
}

/// The fields of an event that a player reads. All of the event has come through the socket and is checked to be JSON.
#[derive(Deserialize)]
struct Received<'a> {
    #[serde(borrow)]
    game: Option<EventMessage<'a>>,
    #[serde(rename = "move")]
    played: Option<serde::de::IgnoredAny>,
    #[serde(borrow)]
    state: Option<GameState<'a>>,
    next: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct EventMessage<'a> {
    #[serde(borrow)]
    state: GameState<'a>,
}

#[derive(Deserialize)]
struct GameState<'a> {
    ply: u64,
    turn: &'a str,
    status: &'a str,
    #[serde(borrow, default)]
    moves: Vec<&'a str>,
}

/// Opens a player's socket.
async fn connect(address: &str, id: &str, cookie: &str) -> Result<(Socket, Response), Fault> {
    let url = format!("{}/api/games/{id}/socket", address.replacen("http", "ws", 1));
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("cookie", cookie.parse()?);
    Ok(tokio_tungstenite::connect_async_with_config(request, Some(player_buffers()), true).await?)
}

/// Plays game after game until it is time to stop: when one is over, both ask for another.
async fn play(
    mut pairing: Pairing,
    think: Duration,
    until: Instant,
    seed: u64,
    tally: &Tally,
) -> Result<(), Fault> {
    let mut random = SplitMix64::seed_from_u64(seed);
    while let Some(next) = play_one(&pairing, think, until, &mut random, tally).await? {
        pairing.id = next;
        pairing.white = !pairing.white;
    }
    Ok(())
}

/// Plays one game; the id of the one after it, if there is time.
async fn play_one(
    pairing: &Pairing,
    think: Duration,
    until: Instant,
    random: &mut SplitMix64,
    tally: &Tally,
) -> Result<Option<String>, Fault> {
    let (mut socket, _) = connect(&pairing.address, &pairing.id, &pairing.cookie).await?;
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        tally.messages.fetch_add(1, Ordering::Relaxed);
        let received: Received<'_> = serde_json::from_str(&text)?;
        if let Some(next) = received.next {
            return Ok(Some(next.into_owned()));
        }
        let is_snapshot = received.game.is_some();
        let Some(state) = received.game.map(|message| message.state).or(received.state) else { continue };
        if state.status == "finished" && (received.played.is_some() || is_snapshot) {
            tally.messages.fetch_add(1, Ordering::Relaxed);
            socket.send(Message::Text("{\"type\":\"rematch\"}".into())).await?;
        }
        if (state.turn == "white") != pairing.white || state.status != "started" {
            continue;
        }
        if received.played.is_some() {
            let sent = *pairing.sent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, at)) = sent.filter(|(sent, _)| sent + 1 == state.ply) {
                tally.delays.lock().unwrap_or_else(PoisonError::into_inner).push(at.elapsed());
                tally.moves.fetch_add(1, Ordering::Relaxed);
            }
        } else if !is_snapshot {
            continue;
        }
        if Instant::now() > until {
            return Ok(None);
        }
        if state.moves.is_empty() {
            continue;
        }
        let played = state.moves[random.next_u64() as usize % state.moves.len()];
        if !think.is_zero() {
            // Between half and one and a half of it, so that not all move at once.
            tokio::time::sleep(think.mul_f64(0.5 + (random.next_u64() >> 40) as f64 / f64::from(1u32 << 24)))
                .await;
        }
        let action = format!("{{\"type\":\"move\",\"move\":\"{played}\",\"ply\":{}}}", state.ply);
        *pairing.sent.lock().unwrap_or_else(PoisonError::into_inner) = Some((state.ply, Instant::now()));
        tally.messages.fetch_add(1, Ordering::Relaxed);
        socket.send(Message::Text(action.into())).await?;
    }
    Err("expected the socket to stay open".into())
}

/// Messages a second, there and back, of a bare echo of the same libraries with the same buffers.
async fn echo_rate(time: Duration, sockets: usize) -> Result<f64, Fault> {
    async fn echo(mut socket: WebSocket) {
        while let Some(Ok(message)) = socket.recv().await {
            if socket.send(message).await.is_err() {
                return;
            }
        }
    }
    let answer = |upgrade: WebSocketUpgrade| async {
        upgrade.read_buffer_size(BUFFER).write_buffer_size(BUFFER).on_upgrade(echo)
    };
    let router = axum::Router::new().route("/", get(answer));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = tokio::spawn(async move { axum::serve(listener, router).await });
    // Nothing counts before all are there.
    let mut open = Vec::with_capacity(sockets);
    for _ in 0..sockets {
        let url = format!("ws://{address}/");
        let connected = tokio_tungstenite::connect_async_with_config(url, Some(player_buffers()), true);
        open.push(connected.await?.0);
    }
    let (count, began) = (Arc::new(AtomicU64::new(0)), Instant::now());
    let until = began + time;
    let echo_client = |mut socket: Socket| {
        let count = Arc::clone(&count);
        tokio::spawn(async move {
            while Instant::now() < until {
                let message = "{\"type\":\"move\",\"move\":\"e2e4\",\"ply\":0}";
                socket.send(Message::Text(message.into())).await?;
                socket.next().await;
                count.fetch_add(2, Ordering::Relaxed);
            }
            Ok::<(), Fault>(())
        })
    };
    let clients: Vec<_> = open.into_iter().map(echo_client).collect();
    for client in clients {
        client.await??;
    }
    let rate = count.load(Ordering::Relaxed) as f64 / began.elapsed().as_secs_f64();
    server.abort();
    Ok(rate)
}

/// The buffers of a player's socket.
fn player_buffers() -> WebSocketConfig {
    WebSocketConfig::default().read_buffer_size(BUFFER).write_buffer_size(0)
}
