//! Players who play through any server.

use crate::common::{Server, browser};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use ureq::Agent;

/// A player, who keeps the session's cookie and may talk to any server.
pub(super) struct Player {
    pub(super) agent: Agent,
    pub(super) cookie: String,
}

impl Player {
    pub(super) fn new() -> Self {
        Self { agent: browser(), cookie: String::new() }
    }

    pub(super) fn post(&mut self, url: &str, body: &Value) -> (u16, Value) {
        let request = self.agent.post(url).header("cookie", &self.cookie);
        let Ok(mut response) = request.send_json(body) else { return (0, Value::Null) };
        if let Some(cookie) = response.headers().get("set-cookie") {
            self.cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        }
        let status = response.status().as_u16();
        (status, response.body_mut().read_json().unwrap_or(Value::Null))
    }

    pub(super) fn get(&self, url: &str) -> Value {
        let request = self.agent.get(url).header("cookie", &self.cookie);
        request
            .call()
            .ok()
            .and_then(|mut response| response.body_mut().read_json().ok())
            .unwrap_or(Value::Null)
    }

    pub(super) async fn socket(&self, server: &Server, game: &str) -> Socket {
        self.open_socket(server, &format!("/api/games/{game}/socket")).await
    }

    pub(super) async fn study_socket(&self, server: &Server, study: &str) -> Socket {
        self.open_socket(server, &format!("/api/studies/{study}/socket")).await
    }

    async fn open_socket(&self, server: &Server, path: &str) -> Socket {
        let url = server.url(path).replacen("http", "ws", 1);
        let mut request = url.into_client_request().unwrap();
        if !self.cookie.is_empty() {
            request.headers_mut().insert("cookie", self.cookie.parse().unwrap());
        }
        Socket(tokio_tungstenite::connect_async(request).await.unwrap().0)
    }
}

pub(super) struct Socket(pub(super) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(super) async fn send(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next event that fits; others before it are ignored.
    pub(super) async fn next_event(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let next = async {
            loop {
                let message = self.0.next().await.expect("the socket is open").expect("the socket works");
                let Message::Text(text) = message else { continue };
                let event: Value = serde_json::from_str(&text).unwrap();
                if fits(&event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), next).await.expect("it comes")
    }

    pub(super) async fn event_at_ply(&mut self, ply: usize) -> Value {
        self.next_event(|event| event["type"] == "state" && event["state"]["ply"] == ply).await
    }

    /// The code by which the socket is closed.
    pub(super) async fn close_code(mut self) -> Option<u16> {
        let closed = async {
            while let Some(Ok(message)) = self.0.next().await {
                if let Message::Close(frame) = message {
                    return frame.map(|frame| u16::from(frame.code));
                }
            }
            None
        };
        tokio::time::timeout(Duration::from_secs(10), closed).await.expect("it is closed")
    }
}

/// A game between people, in the order of the turns.
pub(super) struct Game {
    pub(super) id: String,
    pub(super) players: Vec<Player>,
    pub(super) ply: usize,
}

impl Game {
    /// Ann makes it at one server, and Bob joins at another.
    pub(super) fn begin(first: &Server, second: &Server) -> Self {
        Self::begin_with(first, second, 300, 0)
    }

    /// The same with a clock, in seconds.
    pub(super) fn begin_with(first: &Server, second: &Server, initial_s: u32, increment_s: u32) -> Self {
        let (mut ann, mut bob) = (Player::new(), Player::new());
        let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white",
            "clock": {"kind": "live", "initial_s": initial_s, "increment_s": increment_s}});
        let (status, created) = ann.post(&first.url("/api/games"), &body);
        assert_eq!(status, 201, "{created}");
        let id = created["id"].as_str().unwrap().to_owned();
        let (status, joined) = bob.post(&second.url(&format!("/api/games/{id}/join")), &json!({}));
        assert_eq!(status, 200, "{joined}");
        Self { id, players: vec![ann, bob], ply: 0 }
    }

    /// A game of four with a clock: the players join at both servers in turn.
    pub(super) fn begin_four(first: &Server, second: &Server) -> Self {
        let mut players: Vec<Player> = (0..4).map(|_| Player::new()).collect();
        let body = json!({
            "variant": "diamondring-four",
            "seats": [{"kind": "me"}, {"kind": "link"}, {"kind": "link"}, {"kind": "link"}],
            "clock": {"kind": "live", "initial_s": 300, "increment_s": 0},
        });
        let (status, created) = players[0].post(&first.url("/api/games"), &body);
        assert_eq!(status, 201, "{created}");
        let id = created["id"].as_str().unwrap().to_owned();
        for (place, player) in players.iter_mut().enumerate().skip(1) {
            let server = if place % 2 == 0 { first } else { second };
            let (status, joined) = player.post(&server.url(&format!("/api/games/{id}/join")), &json!({}));
            assert_eq!(status, 200, "{joined}");
        }
        Self { id, players, ply: 0 }
    }

    /// The next move, at a server.
    pub(super) fn play(&mut self, server: &Server) -> (u16, Value) {
        let place = self.ply % self.players.len();
        let player = &mut self.players[place];
        let path = server.url(&format!("/api/games/{}", self.id));
        let game = player.get(&path);
        let Some(moves) = game["state"]["moves"].as_array() else { return (0, game) };
        assert_eq!(game["state"]["ply"], self.ply, "an acknowledged move is seen at every server");
        let action =
            json!({"type": "move", "move": moves[(self.ply * 5 + 2) % moves.len()], "ply": self.ply});
        let (status, answer) = player.post(&format!("{path}/actions"), &action);
        if status == 200 {
            self.ply += 1;
            assert_eq!(answer["ply"], self.ply, "{answer}");
        }
        (status, answer)
    }

    /// The same until it succeeds.
    pub(super) fn play_within(&mut self, server: &Server, most: Duration) -> Duration {
        let begun = Instant::now();
        loop {
            let (status, answer) = self.play(server);
            if status == 200 {
                return begun.elapsed();
            }
            assert!(begun.elapsed() < most, "no move within {most:?}: {status} {answer}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

pub(super) fn count(record: &[Value], fact: &str) -> usize {
    record.iter().filter(|event| event["fact"] == fact).count()
}

/// An interruption of a clock: until when its side was charged, and from when on.
pub(super) struct Interruption {
    pub(super) charged_until: i64,
    pub(super) resumed_at: i64,
}

/// The interruptions of the clocks of a game of which every move came by a request. Asserts that the time left after each
/// move follows the stated rule: all time of the side to move is charged, except that of interruptions.
pub(super) fn interruptions(record: &[Value], seconds: i64) -> Vec<Interruption> {
    let (mut left, mut since, mut plies) = ([seconds * 1_000; 2], 0, 0);
    let (mut charged_until, mut all) = (0, Vec::new());
    for event in record {
        let at = event["at"].as_i64();
        match event["fact"].as_str().unwrap() {
            "joined" => since = at.unwrap(),
            "moved" => {
                // The first move of each side is free.
                left[plies % 2] -= if plies < 2 { 0 } else { at.unwrap() - since };
                assert_eq!(event["left_ms"], left[plies % 2], "after {} moves: {record:?}", plies + 1);
                (since, plies) = (at.unwrap(), plies + 1);
            }
            "time_given" => {
                let used = event["ms"].as_i64().unwrap();
                assert!(used <= 0, "{event}");
                left[plies % 2] += used;
                charged_until = since - used;
            }
            "resumed" => {
                since = at.unwrap();
                all.push(Interruption { charged_until, resumed_at: since });
            }
            "finished" => {}
            other => panic!("an event that is not expected: {other}"),
        }
    }
    all
}
