//! The sockets of a game: what they tell at length and what in few words is the same.

use crate::common::{Browser, TestServer};
use axum::body::BodyDataStream;
use axum::http::Method;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
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

impl Socket {
    /// Hears an answer: it is not closed.
    async fn alive(&mut self) {
        self.say(json!({"type": "ping"})).await;
        self.hear("pong").await;
    }

    /// Reads until the other end closes; returns the events until then.
    async fn end(mut self) -> Vec<Value> {
        let mut told = Vec::new();
        let read = async {
            while let Some(Ok(message)) = self.0.next().await {
                if let Message::Text(text) = message {
                    told.push(serde_json::from_str(&text).unwrap());
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), read).await.expect("it is closed");
        told
    }
}

/// The site by sockets, too: at this address.
async fn serve(server: &TestServer) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = server.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
    address
}

/// Somebody with an account.
async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let credentials = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", credentials).await.0, 200);
    browser
}

/// Ann, who has made a game of Diamond Chess and plays White, Bob, who may join it, and the game's path.
async fn invitation(server: &TestServer) -> (Browser, Browser, String) {
    let (mut ann, bob) = (register(server, "Ann").await, register(server, "Bob").await);
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(server, "/api/games", wanted).await;
    (ann, bob, format!("/api/games/{}", game["id"].as_str().unwrap()))
}

/// A program with a token of this scope: the token's id, and who uses it.
async fn program(server: &TestServer, owner: &mut Browser, scope: &str) -> (String, Browser) {
    let (_, made) = owner.post(server, "/api/tokens", json!({"label": scope, "scopes": [scope]})).await;
    let token = made["secret"].as_str().map(str::to_owned);
    (made["id"].as_str().unwrap().to_owned(), Browser { token, ..Browser::default() })
}

#[tokio::test(flavor = "multi_thread")]
async fn reconnecting_client_gets_missed_events() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob, path) = invitation(&server).await;
    let (_, joined) = bob.post(&server, &format!("{path}/join"), json!({})).await;
    let mut stays = Socket::open(address, &format!("{path}/socket"), &bob).await;
    let mut state = joined["state"].clone();
    let mut seqs = vec![state["seq"].as_u64().unwrap()];
    for ply in 0..3 {
        let who = if ply % 2 == 0 { &mut ann } else { &mut bob };
        let wanted = json!({"type": "move", "move": state["moves"][0], "ply": ply});
        (_, state) = who.post(&server, &format!("{path}/actions"), wanted).await;
        seqs.push(state["seq"].as_u64().unwrap());
    }
    for ply in 1..=3 {
        stays.hear("state").await;
        let mut back = Socket::open(address, &format!("{path}/socket?after={}", seqs[ply - 1]), &ann).await;
        let since = back.hear("resumed").await["since"].take();
        assert_eq!((&since["kept"], since["history"].as_array().unwrap().len()), (&json!(ply - 1), 4 - ply));
        assert_eq!((&since["you"], &since["black"]["name"]), (&json!("white"), &json!("Bob")));
        assert_eq!((&since["state"]["fen"], &since["state"]["moves"]), (&state["fen"], &state["moves"]));
    }
    // A client that claims an unknown event gets the whole game; a value that is not a number is refused.
    let mut lost = Socket::open(address, &format!("{path}/socket?after=1000"), &ann).await;
    assert_eq!(lost.hear("game").await["game"]["history"].as_array().unwrap().len(), 3);
    let (status, problem) = ann.get(&server, &format!("{path}/socket?after=x")).await;
    assert_eq!((status.as_u16(), &problem["code"]), (422, &json!("invalid")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_only_reads_does_nothing_by_a_socket_either() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, Browser::default());
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", wanted).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    bob.post(&server, &format!("{path}/join"), json!({})).await;
    let (_, reader) = program(&server, &mut ann, "read").await;
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
    let (_, player) = program(&server, &mut ann, "play").await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &player).await;
    socket.say(json!({"id": 4, "type": "resign"})).await;
    assert_eq!(socket.hear("ack").await["id"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_bears_the_number_of_its_command() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let mut ann = Browser::default();
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", wanted).await;
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
    assert_eq!((&error["id"], &error["problem"]["code"]), (&json!(108), &json!("too_many_requests")));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_open_ends_with_the_session_or_token_that_it_was_opened_with() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let mut ann = register(&server, "Ann").await;
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", wanted).await;
    let path = format!("/api/games/{}/socket", game["id"].as_str().unwrap());
    let stream = format!("/api/games/{}/stream", game["id"].as_str().unwrap());
    let (token, mut robot) = program(&server, &mut ann, "play").await;
    let (_, other) = program(&server, &mut ann, "play").await;
    let mut elsewhere = Browser::default();
    let credentials = json!({"name": "Ann", "password": "a long password"});
    elsewhere.post(&server, "/api/account/sign-in", credentials.clone()).await;
    let bob = register(&server, "Bob").await;
    let mut open = Vec::new();
    for who in [&robot, &other, &ann, &elsewhere, &bob] {
        let mut socket = Socket::open(address, &path, who).await;
        socket.hear("game").await;
        open.push(socket);
    }
    let [by_token, mut by_other, mut by_session, mut by_another, mut by_bob] =
        <[Socket; 5]>::try_from(open).ok().unwrap();
    let streamed = robot.raw(&server, Method::GET, &stream, None).await.into_body();
    // A token is taken back: it alone ends.
    ann.ask(&server, Method::DELETE, &format!("/api/tokens/{token}"), None).await;
    by_token.end().await;
    let read = axum::body::to_bytes(streamed, 1 << 20);
    tokio::time::timeout(Duration::from_secs(10), read).await.expect("the stream ends").unwrap();
    by_other.alive().await;
    by_session.alive().await;
    // One browser signs out: the other stays.
    elsewhere.post(&server, "/api/account/sign-out", json!({})).await;
    // It may be closed already.
    let _ = by_another.0.send(Message::Text(json!({"id": 9, "type": "resign"}).to_string().into())).await;
    assert!(by_another.end().await.iter().all(|event| event["type"] != "ack"), "it did nothing any more");
    by_session.alive().await;
    // A new password, then the end of all sessions, then of all tokens.
    let passwords = json!({"old": "a long password", "new": "another password"});
    assert_eq!(ann.post(&server, "/api/account/password", passwords).await.0, 200);
    by_session.end().await;
    let mut by_session = Socket::open(address, &path, &ann).await;
    by_session.hear("game").await;
    ann.post(&server, "/api/account/sign-out-everywhere", json!({})).await;
    by_session.end().await;
    by_other.alive().await;
    ann.post(&server, "/api/account/sign-in", json!({"name": "Ann", "password": "another password"})).await;
    let (status, _) = ann.post(&server, "/api/account/delete", json!({"password": "another password"})).await;
    assert_eq!(status, 200);
    by_other.end().await;
    by_bob.alive().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn spectator_of_a_private_game_is_disconnected_when_it_starts() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob, eve) = (Browser::default(), Browser::default(), register(&server, "Eve").await);
    let wanted =
        json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "visibility": "private"});
    let (_, game) = ann.post(&server, "/api/games", wanted).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let mut own = Socket::open(address, &format!("{path}/socket"), &ann).await;
    own.hear("game").await;
    let mut open = Vec::new();
    for who in [&eve, &Browser::default()] {
        let mut socket = Socket::open(address, &format!("{path}/socket"), who).await;
        socket.hear("game").await;
        open.push(socket);
    }
    let streamed =
        Browser::default().raw(&server, Method::GET, &format!("{path}/stream"), None).await.into_body();
    let (_, joined) = bob.post(&server, &format!("{path}/join"), json!({})).await;
    for socket in open {
        assert_eq!(socket.end().await, Vec::<Value>::new());
    }
    let first = &joined["state"]["moves"][0];
    own.say(json!({"id": 1, "type": "move", "move": first, "ply": 0})).await;
    own.hear("ack").await;
    let read = axum::body::to_bytes(streamed, 1 << 20);
    let told = tokio::time::timeout(Duration::from_secs(10), read).await.expect("it ends").unwrap();
    let lines = told.iter().filter(|byte| **byte == b'\n').count();
    assert!(lines <= 1, "the game as it was opened at most");
}

#[tokio::test]
async fn spectator_who_joins_becomes_a_player() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob, path) = invitation(&server).await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &bob).await;
    socket.hear("game").await;
    bob.post(&server, &format!("{path}/join"), json!({})).await;
    let said = json!({"type": "chat", "room": "players", "text": "Good luck"});
    ann.post(&server, &format!("{path}/actions"), said).await;
    assert_eq!(socket.hear("chat").await["text"], "Good luck");
    let (_, game) = ann.get(&server, &path).await;
    assert_eq!(game["state"]["present"]["black"], true);
}

/// Reads a stream up to the next event of this type, and returns it.
async fn read_until(body: &mut BodyDataStream, rest: &mut String, kind: &str) -> Value {
    let read = async {
        loop {
            while let Some((line, after)) = rest.split_once('\n') {
                let event: Value = serde_json::from_str(line).unwrap_or_default();
                *rest = after.to_owned();
                if event["type"] == kind {
                    return event;
                }
            }
            let bytes = body.next().await.expect("the stream goes on").unwrap();
            *rest += std::str::from_utf8(&bytes).unwrap();
        }
    };
    tokio::time::timeout(Duration::from_secs(20), read).await.expect("it is told")
}

#[tokio::test(flavor = "multi_thread")]
async fn reader_of_the_stream_is_present_and_can_chat() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob) = (Browser::default(), register(&server, "Bob").await);
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", wanted).await;
    let (id, path) = (game["id"].as_str().unwrap(), format!("/api/games/{}", game["id"].as_str().unwrap()));
    let (_, mut robot) = program(&server, &mut bob, "play").await;
    // Opened before the place was taken: there as soon as it is.
    let stream = robot.raw(&server, Method::GET, &format!("/api/board/game/stream/{id}"), None).await;
    let mut stream = stream.into_body().into_data_stream();
    let mut rest = String::new();
    read_until(&mut stream, &mut rest, "game").await;
    robot.post(&server, &format!("{path}/join"), json!({})).await;
    let mut white = Socket::open(address, &format!("{path}/socket"), &ann).await;
    let told = white.hear("game").await;
    assert_eq!(told["game"]["state"]["present"]["black"], true, "{told}");
    let (status, _) = robot
        .post(&server, &format!("/api/board/game/{id}/chat"), json!({"room": "player", "text": "good luck"}))
        .await;
    assert_eq!((status.as_u16(), white.hear("chat").await["text"].as_str()), (200, Some("good luck")));
    assert_eq!(read_until(&mut stream, &mut rest, "chat").await["from"], "Bob");
    let form = axum::http::Request::post(format!("/api/board/game/{id}/chat"))
        .header("host", "test")
        .header("authorization", format!("Bearer {}", robot.token.as_ref().unwrap()))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(axum::body::Body::from("room=player&text=have+fun"))
        .unwrap();
    let answer = tower::ServiceExt::oneshot(server.router.clone(), form).await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), white.hear("chat").await["text"].as_str()),
        (200, Some("have fun"))
    );
    drop(stream);
    let gone = async { while white.hear("state").await["state"]["present"]["black"] == true {} };
    tokio::time::timeout(Duration::from_secs(15), gone).await.expect("gone with the stream");
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_lists_all_games_in_progress_and_no_finished_ones() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let wanted = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", wanted).await;
    let id = game["id"].as_str().unwrap();
    // A hundred more like it.
    let url = crate::common::database(server.folder()).await;
    let mut database = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    for number in 0..100 {
        let copy = "INSERT INTO games (id, digest, variant, start_fen, speed, rated, visibility, maker, white, \
            created_at, updated_at, seq, status, result, ply, fen) SELECT $1, digest, variant, start_fen, speed, rated, \
            visibility, maker, white, created_at, updated_at, 0, status, result, ply, fen FROM games WHERE id = $2";
        sqlx::query(copy).bind(format!("copy{number}")).bind(id).execute(&mut database).await.unwrap();
    }
    let (_, mut robot) = program(&server, &mut ann, "play").await;
    let answer = robot.raw(&server, Method::GET, "/api/stream/event", None).await;
    let (mut stream, mut rest) = (answer.into_body().into_data_stream(), String::new());
    for _ in 0..101 {
        read_until(&mut stream, &mut rest, "gameStart").await;
    }
    ann.post(&server, &format!("/api/games/{id}/actions"), json!({"type": "resign"})).await;
    assert_eq!(read_until(&mut stream, &mut rest, "gameFinish").await["game"]["id"], id);
}
