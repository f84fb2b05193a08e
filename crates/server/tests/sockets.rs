//! The sockets of a game: what they tell at length and what in few words is the same.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Browser, Place};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn open(address: SocketAddr, path: &str, browser: &Browser) -> Self {
        let mut request = format!("ws://{address}{path}").into_client_request().unwrap();
        let headers = request.headers_mut();
        if let Some(cookie) = &browser.cookie {
            headers.insert("cookie", cookie.parse().unwrap());
        }
        if let Some(token) = &browser.token {
            headers.insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        Self(tokio_tungstenite::connect_async(request).await.unwrap().0)
    }

    async fn say(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next event of a type; others before it are passed over.
    async fn hear(&mut self, kind: &str) -> Value {
        loop {
            let Message::Text(text) = self.0.next().await.unwrap().unwrap() else { continue };
            let event: Value = serde_json::from_str(&text).unwrap();
            if event["type"] == kind {
                return event;
            }
        }
    }
}

/// The site by sockets, too: at this address.
async fn serve(place: &Place) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = place.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
    address
}

/// Somebody with an account.
async fn register(place: &Place, name: &str) -> Browser {
    let mut browser = Browser::default();
    let credentials = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(place, "/api/account/register", credentials).await.0, 200);
    browser
}

/// A program with a token of this scope: the token's id, and who uses it.
async fn program(place: &Place, owner: &mut Browser, scope: &str) -> (String, Browser) {
    let (_, made) = owner.post(place, "/api/tokens", json!({"label": scope, "scopes": [scope]})).await;
    let token = made["secret"].as_str().map(str::to_owned);
    (made["id"].as_str().unwrap().to_owned(), Browser { token, ..Browser::default() })
}

/// A state without what is there only at length, or as usual.
fn lean(state: &Value) -> Value {
    let mut lean = state.clone();
    let fields = lean.as_object_mut().unwrap();
    fields.remove("men");
    let nobody = json!({"draw": null, "takeback": null, "rematch": null});
    fields.retain(|_, value| {
        !value.is_null() && *value != json!([]) && *value != json!("*") && *value != nobody
    });
    // Written a moment apart.
    if let Some(clocks) = fields.get_mut("clocks") {
        clocks["at"] = json!(0);
    }
    lean
}

#[tokio::test(flavor = "multi_thread")]
async fn few_words_say_the_same_as_many() {
    let place = Place::new().await;
    let address = serve(&place).await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let wanted = json!({"variant": "diamondring", "opponent": {"kind": "link"}, "side": "white",
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    let (_, game) = ann.post(&place, "/api/games", wanted).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    bob.post(&place, &format!("{path}/join"), json!({})).await;
    let mut white = Socket::open(address, &format!("{path}/socket?slim=true"), &ann).await;
    assert!(white.hear("game").await["game"]["state"]["men"].is_array(), "the beginning is complete");
    let mut black = Socket::open(address, &format!("{path}/socket"), &bob).await;
    let mut state = black.hear("game").await["game"]["state"].clone();
    white.hear("change").await;
    for ply in 0..6u32 {
        let played = state["moves"][7].as_str().unwrap().to_owned();
        let mover = if ply % 2 == 0 { &mut white } else { &mut black };
        mover.say(json!({"id": ply + 1, "type": "move", "move": played, "ply": ply})).await;
        assert_eq!(mover.hear("ack").await["id"], ply + 1, "answered before the news");
        let (told, brief) = (black.hear("state").await, white.hear("change").await);
        state = told["state"].clone();
        assert_eq!(lean(&state), lean(&brief["state"]));
        assert!(brief["state"]["men"].is_null() && state["men"].is_array());
        assert_eq!((&brief["move"]["uci"], &brief["move"]["san"]), (&json!(played), &told["move"]["san"]));
    }
    white.say(json!({"type": "chat", "room": "players", "text": "thanks"})).await;
    assert_eq!(white.hear("chat").await["text"], black.hear("chat").await["text"]);
    black.say(json!({"type": "resign"})).await;
    let (told, brief) = (black.hear("state").await, white.hear("change").await);
    assert_eq!(lean(&told["state"]), lean(&brief["state"]));
    assert_eq!((&brief["state"]["result"], &brief["move"]), (&json!("1-0"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_only_reads_does_nothing_by_a_socket_either() {
    let place = Place::new().await;
    let address = serve(&place).await;
    let (mut ann, mut bob) = (register(&place, "Ann").await, Browser::default());
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&place, "/api/games", wanted).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    bob.post(&place, &format!("{path}/join"), json!({})).await;
    let (_, reader) = program(&place, &mut ann, "read").await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &reader).await;
    let game = socket.hear("game").await;
    for action in [
        json!({"id": 1, "type": "move", "move": game["game"]["state"]["moves"][0], "ply": 0}),
        json!({"id": 2, "type": "chat", "room": "players", "text": "hello"}),
        json!({"id": 3, "type": "resign"}),
    ] {
        socket.say(action.clone()).await;
        let error = socket.hear("error").await;
        assert_eq!((&error["id"], &error["problem"]["code"]), (&action["id"], &json!("forbidden")));
    }
    let (_, player) = program(&place, &mut ann, "play").await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &player).await;
    socket.say(json!({"id": 4, "type": "resign"})).await;
    assert_eq!(socket.hear("ack").await["id"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_bears_the_number_of_its_command() {
    let place = Place::new().await;
    let address = serve(&place).await;
    let mut ann = Browser::default();
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&place, "/api/games", wanted).await;
    let path = format!("/api/games/{}/socket", game["id"].as_str().unwrap());
    let mut socket = Socket::open(address, &path, &ann).await;
    for (said, id) in [
        (json!({"id": 7, "type": "nope"}), json!(7)),
        (json!({"id": 8, "type": "move", "move": "e2e3"}), json!(8)),
        (json!({"id": "nine", "type": "nope"}), Value::Null),
    ] {
        socket.say(said).await;
        let error = socket.hear("error").await;
        assert_eq!((&error["id"], &error["problem"]["code"]), (&id, &json!("invalid")));
    }
    for id in 11..=130 {
        socket.say(json!({"id": id, "type": "ping"})).await;
    }
    let error = socket.hear("error").await;
    assert_eq!((&error["id"], &error["problem"]["code"]), (&json!(117), &json!("too_many_requests")));
}
