//! Players: pairs that play game after game by random legal moves through sockets, and come back by themselves, on any
//! server, when a connection breaks or falls silent. A move without an answer is neither played nor refused: the next
//! state from the server decides.

use super::history::History;
use super::{Rng, World};
use crate::http::{Fault, HttpResponse, Site};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::{Instant, interval, sleep, sleep_until, timeout};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

/// How long a request or a new connection may take. Players are less patient than the pages.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// How often a player shows that the connection is there, and how long the server may be silent.
const PING_INTERVAL: Duration = Duration::from_secs(1);
const SERVER_TIMEOUT: Duration = Duration::from_secs(3);
/// The pause after a refusal, and before a connection is opened again.
const RETRY_DELAY: Duration = Duration::from_millis(300);
/// One in this many acknowledged moves is read back at once, from any server.
const READ_BACK: u64 = 8;
/// Longest game that is reviewed, in half moves.
const MAX_REVIEWED: u64 = 8;

const VARIANTS: [&str; 3] = ["diagonal", "diamond", "diamondring"];

type Socket = WebSocketStream<TcpStream>;

/// One of the players, with a network of their own.
struct Player {
    network: u16,
    cookie: Option<String>,
}

impl Player {
    /// Sends a request and stores its cookie.
    async fn request(&mut self, site: Site, path: &str, body: Value) -> Result<HttpResponse, Fault> {
        let request =
            site.request(site.player(self.network), "POST", path, self.cookie.as_deref(), Some(body));
        let answer = timeout(REQUEST_TIMEOUT, request).await??;
        if answer.cookie.is_some() {
            self.cookie.clone_from(&answer.cookie);
        }
        Ok(answer)
    }
}

/// Plays game after game until the end.
pub(super) async fn play(world: Arc<World>, pair: u16) {
    let mut rng = Rng::new(world.seed ^ (u64::from(pair) << 32));
    let mut players = [2 * pair + 1, 2 * pair + 2].map(|network| Player { network, cookie: None });
    while !world.is_over() {
        let Ok(game) = new_game(&world, &mut rng, &mut players).await else {
            sleep(RETRY_DELAY).await;
            continue;
        };
        let resign_at = 4 + rng.below(40);
        let mut sides = Vec::new();
        for (color, player) in ["white", "black"].into_iter().zip(&players) {
            sides.push(GameSide {
                world: &world,
                pair,
                game: &game,
                color,
                cookie: player.cookie.clone().unwrap_or_default(),
                network: player.network,
                rng: Rng::new(rng.next()),
                resign_at,
                state: State::default(),
                pending: None,
                commands: 0,
            });
        }
        if let [white, black] = sides.as_mut_slice() {
            tokio::join!(white.play(), black.play());
            let finished = white.state.finished && white.state.ply > 0;
            if finished && white.state.ply <= MAX_REVIEWED && world.may_review() {
                let path = format!("/api/games/{game}/review");
                let site = world.site(&mut rng);
                let response = players[0].request(site, &path, json!({})).await;
                if response.is_ok_and(|answer| answer.status < 300) {
                    world.history.reviewed(&game);
                }
            }
        }
    }
}

/// Makes a game and seats both. If an answer is lost, that game is not played.
async fn new_game(world: &World, rng: &mut Rng, players: &mut [Player; 2]) -> Result<String, Fault> {
    let variant = VARIANTS[rng.below(VARIANTS.len() as u64) as usize];
    let clock = json!({ "kind": "live", "initial_s": 600, "increment_s": 5 });
    let challenge =
        json!({ "variant": variant, "opponent": { "kind": "link" }, "side": "white", "clock": clock });
    let [white, black] = players;
    let created = white.request(world.site(rng), "/api/games", challenge).await?;
    let id = created.json()?["id"].as_str().ok_or("expected a game with an id")?.to_owned();
    let join = format!("/api/games/{id}/join");
    while !world.is_over() {
        match black.request(world.site(rng), &join, json!({})).await {
            Ok(answer) if answer.status < 300 => return Ok(id),
            Ok(answer) if matches!(answer.status, 403..=422) => break,
            _ => sleep(RETRY_DELAY).await,
        }
    }
    Err("the other could not join".into())
}

/// How the game stands, as far as a player knows.
#[derive(Default)]
struct State {
    seq: u64,
    ply: u64,
    turn: String,
    started: bool,
    finished: bool,
    moves: Vec<String>,
}

/// A command without an answer.
struct Pending {
    id: u64,
    /// The move and its ply; none for a resignation.
    played: Option<(u64, String)>,
}

/// One side of a game.
struct GameSide<'a> {
    world: &'a Arc<World>,
    pair: u16,
    game: &'a str,
    color: &'static str,
    cookie: String,
    network: u16,
    rng: Rng,
    /// The side to move resigns after this number of half moves.
    resign_at: u64,
    state: State,
    pending: Option<Pending>,
    commands: u64,
}

impl GameSide<'_> {
    /// Plays until the game is over.
    async fn play(&mut self) {
        while !self.state.finished && !self.world.is_over() {
            let site = self.world.site(&mut self.rng);
            if let Ok(Ok(socket)) = timeout(REQUEST_TIMEOUT, self.connect(site)).await {
                // The next greeting shows whether a command without an answer was carried out.
                let _ = self.run_connection(socket).await;
                self.pending = None;
            }
            // As browsers do, not all at once.
            sleep(RETRY_DELAY.mul_f64(0.5 + self.rng.share())).await;
        }
    }

    async fn connect(&self, site: Site) -> Result<Socket, Fault> {
        let after = if self.state.seq > 0 { format!("?after={}", self.state.seq) } else { String::new() };
        let url = format!("ws://{}/api/games/{}/socket{after}", site.address, self.game);
        let mut request = url.into_client_request()?;
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        request.headers_mut().insert("x-forwarded-for", site.player(self.network).to_string().parse()?);
        let stream = TcpStream::connect(site.address).await?;
        stream.set_nodelay(true)?;
        Ok(tokio_tungstenite::client_async(request, stream).await?.0)
    }

    async fn run_connection(&mut self, mut socket: Socket) -> Result<(), Fault> {
        let mut act_at = None;
        let (mut last_message, mut synced) = (Instant::now(), false);
        let mut ticks = interval(PING_INTERVAL);
        let world = Arc::clone(self.world);
        loop {
            let due = act_at.unwrap_or_else(|| Instant::now() + SERVER_TIMEOUT);
            tokio::select! {
                () = world.ended() => return Ok(()),
                () = sleep_until(due), if act_at.is_some() => {
                    act_at = None;
                    let command = self.command();
                    socket.send(Message::Text(command.to_string().into())).await?;
                }
                _ = ticks.tick() => {
                    if last_message.elapsed() > SERVER_TIMEOUT {
                        return Err("the server is silent".into());
                    }
                    let ping = json!({ "type": "ping" });
                    socket.send(Message::Text(ping.to_string().into())).await?;
                }
                received = socket.next() => {
                    let message = received.ok_or("closed")??;
                    last_message = Instant::now();
                    let Message::Text(text) = message else { continue };
                    let event: Value = serde_json::from_str(&text)?;
                    let refused = self.handle_message(&event, &mut synced);
                    if self.state.finished {
                        return Ok(());
                    }
                    if self.pending.is_none() && act_at.is_none() && synced && self.is_to_move() {
                        let think = if refused { RETRY_DELAY } else { self.world.think };
                        act_at = Some(Instant::now() + think.mul_f64(0.5 + self.rng.share()));
                    }
                }
            }
        }
    }

    fn is_to_move(&self) -> bool {
        self.state.started && self.state.turn == self.color && !self.state.moves.is_empty()
    }

    /// The next command: a move, or a resignation.
    fn command(&mut self) -> Value {
        self.commands += 1;
        let id = self.commands;
        if self.state.ply >= self.resign_at {
            self.pending = Some(Pending { id, played: None });
            return json!({ "id": id, "type": "resign" });
        }
        let (ply, moves) = (self.state.ply, &self.state.moves);
        let played = moves[self.rng.below(moves.len() as u64) as usize].clone();
        self.pending = Some(Pending { id, played: Some((ply, played.clone())) });
        json!({ "id": id, "type": "move", "move": played, "ply": ply })
    }

    /// Handles a message of the server. Returns whether it refused the command.
    fn handle_message(&mut self, event: &Value, synced: &mut bool) -> bool {
        let history: &History = &self.world.history;
        match event["type"].as_str() {
            Some("game") => (*synced, ()) = (true, self.handle_state(&event["game"]["state"])),
            Some("resumed") => (*synced, ()) = (true, self.handle_state(&event["since"]["state"])),
            Some("state") => self.handle_state(&event["state"]),
            Some("ack") => {
                if let Some(Pending { id, played }) = self.pending.take() {
                    if event["id"].as_u64() != Some(id) {
                        history.fault(format!("{}: expected the answer {id}, found {event}", self.game));
                    }
                    match played {
                        Some((ply, played)) => {
                            history.acknowledged(self.game, ply, &played);
                            if self.rng.below(READ_BACK) == 0 {
                                self.read_back(ply, played);
                            }
                        }
                        None => history.resigned(self.game, self.color),
                    }
                    self.world.has_played(self.pair);
                }
            }
            Some("error") => return self.pending.take().is_some(),
            _ => {}
        }
        false
    }

    /// Handles a state. The state of a player never goes back.
    fn handle_state(&mut self, state: &Value) {
        self.world.history.record_state(self.game, state);
        let seq = state["seq"].as_u64().unwrap_or(0);
        if seq < self.state.seq {
            let (game, known) = (self.game, self.state.seq);
            self.world
                .history
                .fault(format!("{game}: a player who knew event {known} was sent the state of {seq}"));
        }
        let moves = state["moves"].as_array().into_iter().flatten();
        self.state = State {
            seq,
            ply: state["ply"].as_u64().unwrap_or(0),
            turn: state["turn"].as_str().unwrap_or_default().to_owned(),
            started: state["status"] == "started",
            finished: state["status"] == "finished",
            moves: moves.filter_map(Value::as_str).map(str::to_owned).collect(),
        };
    }

    /// Reads the game at once, from any server: an acknowledged move is there. A missing answer proves nothing.
    fn read_back(&mut self, ply: u64, played: String) {
        let (site, network) = (self.world.site(&mut self.rng), self.network);
        let (world, game, cookie) = (Arc::clone(self.world), self.game.to_owned(), self.cookie.clone());
        tokio::spawn(async move {
            let path = format!("/api/games/{game}");
            let request = site.request(site.player(network), "GET", &path, Some(&cookie), None);
            let Ok(Ok(answer)) = timeout(REQUEST_TIMEOUT, request).await else { return };
            if answer.status != 200 {
                return;
            }
            let Ok(game_json) = answer.json() else { return };
            let recorded = &game_json["history"][ply as usize]["uci"];
            if *recorded != played {
                world.history.fault(format!(
                    "{game}: {played} was acknowledged as ply {ply}, and a read of {} after that has {recorded}",
                    site.address
                ));
            }
        });
    }
}
