//! The sockets of a game: resumed events, permissions, and when they close.

use crate::common::{Browser, TestServer};
use axum::body::BodyDataStream;
use axum::http::Method;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::AsyncWriteExt as _;
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

    async fn send(&mut self, message: Value) {
        self.0.send(Message::Text(message.to_string().into())).await.unwrap();
    }

    /// The next event of a type; others before it are ignored.
    async fn next_event(&mut self, kind: &str) -> Value {
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
    /// Gets an answer: the socket is open.
    async fn assert_open(&mut self) {
        self.send(json!({"type": "ping"})).await;
        self.next_event("pong").await;
    }

    /// Reads until the other end closes; returns the events until then.
    async fn read_to_end(mut self) -> Vec<Value> {
        let mut events = Vec::new();
        let read = async {
            while let Some(Ok(message)) = self.0.next().await {
                if let Message::Text(text) = message {
                    events.push(serde_json::from_str(&text).unwrap());
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), read).await.expect("it is closed");
        events
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

/// A client with an account.
async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let credentials = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", credentials).await.0, 200);
    browser
}

/// Ann, who has made a game of Diamond Chess and plays White, Bob, who may join it, and the game's path.
async fn waiting_game(server: &TestServer) -> (Browser, Browser, String) {
    let (mut ann, bob) = (register(server, "Ann").await, register(server, "Bob").await);
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(server, "/api/games", body).await;
    (ann, bob, format!("/api/games/{}", game["id"].as_str().unwrap()))
}

/// A program with a token of this scope: the token's id, and a client with it.
async fn program(server: &TestServer, owner: &mut Browser, scope: &str) -> (String, Browser) {
    let (_, created) = owner.post(server, "/api/tokens", json!({"label": scope, "scopes": [scope]})).await;
    let token = created["secret"].as_str().map(str::to_owned);
    (created["id"].as_str().unwrap().to_owned(), Browser { token, ..Browser::default() })
}

#[tokio::test(flavor = "multi_thread")]
async fn reconnecting_client_gets_missed_events() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob, path) = waiting_game(&server).await;
    let (_, joined) = bob.post(&server, &format!("{path}/join"), json!({})).await;
    let mut persistent = Socket::open(address, &format!("{path}/socket"), &bob).await;
    let mut state = joined["state"].clone();
    let mut seqs = vec![state["seq"].as_u64().unwrap()];
    for ply in 0..3 {
        let browser = if ply % 2 == 0 { &mut ann } else { &mut bob };
        let body = json!({"type": "move", "move": state["moves"][0], "ply": ply});
        (_, state) = browser.post(&server, &format!("{path}/actions"), body).await;
        seqs.push(state["seq"].as_u64().unwrap());
    }
    for ply in 1..=3 {
        persistent.next_event("state").await;
        let mut reconnected =
            Socket::open(address, &format!("{path}/socket?after={}", seqs[ply - 1]), &ann).await;
        let since = reconnected.next_event("resumed").await["since"].take();
        assert_eq!((&since["kept"], since["history"].as_array().unwrap().len()), (&json!(ply - 1), 4 - ply));
        assert_eq!((&since["you"], &since["black"]["name"]), (&json!("white"), &json!("Bob")));
        assert_eq!((&since["state"]["fen"], &since["state"]["moves"]), (&state["fen"], &state["moves"]));
    }
    // A client that claims an unknown event gets the whole game; a value that is not a number is refused.
    let mut lost = Socket::open(address, &format!("{path}/socket?after=1000"), &ann).await;
    assert_eq!(lost.next_event("game").await["game"]["history"].as_array().unwrap().len(), 3);
    let (status, problem) = ann.get(&server, &format!("{path}/socket?after=x")).await;
    assert_eq!((status.as_u16(), &problem["code"]), (422, &json!("invalid")));
}

#[tokio::test(flavor = "multi_thread")]
async fn read_only_token_cannot_act_over_a_socket() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, Browser::default());
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    bob.post(&server, &format!("{path}/join"), json!({})).await;
    let (_, reader) = program(&server, &mut ann, "read").await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &reader).await;
    let game = socket.next_event("game").await;
    for action in [
        json!({"id": 1, "type": "move", "move": game["game"]["state"]["moves"][0], "ply": 0}),
        json!({"id": 2, "type": "chat", "room": "players", "text": "hello"}),
        json!({"id": 3, "type": "resign"}),
    ] {
        socket.send(action.clone()).await;
        let error = socket.next_event("error").await;
        assert_eq!((&error["id"], &error["problem"]["code"]), (&action["id"], &json!("forbidden")));
    }
    let (_, player) = program(&server, &mut ann, "play").await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &player).await;
    socket.send(json!({"id": 4, "type": "resign"})).await;
    assert_eq!(socket.next_event("ack").await["id"], 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_carry_the_id_of_their_command() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let mut ann = Browser::default();
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}/socket", game["id"].as_str().unwrap());
    let mut socket = Socket::open(address, &path, &ann).await;
    for (command, id) in [
        (json!({"id": 7, "type": "nope"}), json!(7)),
        (json!({"id": 8, "type": "move", "move": "e2e3"}), json!(8)),
        (json!({"id": "nine", "type": "nope"}), Value::Null),
    ] {
        socket.send(command).await;
        let error = socket.next_event("error").await;
        assert_eq!((&error["id"], &error["problem"]["code"]), (&id, &json!("invalid")));
    }
    for id in 11..=130 {
        socket.send(json!({"id": id, "type": "ping"})).await;
    }
    let error = socket.next_event("error").await;
    assert_eq!((&error["id"], &error["problem"]["code"]), (&json!(108), &json!("too_many_requests")));
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_close_with_their_session_or_token() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let mut ann = register(&server, "Ann").await;
    let body = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}/socket", game["id"].as_str().unwrap());
    let stream = format!("/api/games/{}/stream", game["id"].as_str().unwrap());
    let (token, mut robot) = program(&server, &mut ann, "play").await;
    let (_, other) = program(&server, &mut ann, "play").await;
    let mut second_session = Browser::default();
    let credentials = json!({"name": "Ann", "password": "a long password"});
    second_session.post(&server, "/api/account/sign-in", credentials.clone()).await;
    let bob = register(&server, "Bob").await;
    let mut open = Vec::new();
    for browser in [&robot, &other, &ann, &second_session, &bob] {
        let mut socket = Socket::open(address, &path, browser).await;
        socket.next_event("game").await;
        open.push(socket);
    }
    let [by_token, mut by_other, mut by_session, mut by_second, mut by_bob] =
        <[Socket; 5]>::try_from(open).ok().unwrap();
    let streamed = robot.raw(&server, Method::GET, &stream, None).await.into_body();
    // A token is taken back: it alone ends.
    ann.request(&server, Method::DELETE, &format!("/api/tokens/{token}"), None).await;
    by_token.read_to_end().await;
    let read = axum::body::to_bytes(streamed, 1 << 20);
    tokio::time::timeout(Duration::from_secs(10), read).await.expect("the stream ends").unwrap();
    by_other.assert_open().await;
    by_session.assert_open().await;
    // One browser signs out: the other stays.
    second_session.post(&server, "/api/account/sign-out", json!({})).await;
    // It may be closed already.
    let _ = by_second.0.send(Message::Text(json!({"id": 9, "type": "resign"}).to_string().into())).await;
    assert!(
        by_second.read_to_end().await.iter().all(|event| event["type"] != "ack"),
        "it has no effect any more"
    );
    by_session.assert_open().await;
    // A new password, then the end of all sessions, then of all tokens.
    let passwords = json!({"old": "a long password", "new": "another password"});
    assert_eq!(ann.post(&server, "/api/account/password", passwords).await.0, 200);
    by_session.read_to_end().await;
    let mut by_session = Socket::open(address, &path, &ann).await;
    by_session.next_event("game").await;
    ann.post(&server, "/api/account/sign-out-everywhere", json!({})).await;
    by_session.read_to_end().await;
    by_other.assert_open().await;
    ann.post(&server, "/api/account/sign-in", json!({"name": "Ann", "password": "another password"})).await;
    let (status, _) = ann.post(&server, "/api/account/delete", json!({"password": "another password"})).await;
    assert_eq!(status, 200);
    by_other.read_to_end().await;
    by_bob.assert_open().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn spectator_of_a_private_game_is_disconnected_when_it_starts() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob, eve) = (Browser::default(), Browser::default(), register(&server, "Eve").await);
    let body =
        json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "visibility": "private"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let mut own = Socket::open(address, &format!("{path}/socket"), &ann).await;
    own.next_event("game").await;
    let mut open = Vec::new();
    for browser in [&eve, &Browser::default()] {
        let mut socket = Socket::open(address, &format!("{path}/socket"), browser).await;
        socket.next_event("game").await;
        open.push(socket);
    }
    let streamed =
        Browser::default().raw(&server, Method::GET, &format!("{path}/stream"), None).await.into_body();
    let (_, joined) = bob.post(&server, &format!("{path}/join"), json!({})).await;
    for socket in open {
        assert_eq!(socket.read_to_end().await, Vec::<Value>::new());
    }
    let first = &joined["state"]["moves"][0];
    own.send(json!({"id": 1, "type": "move", "move": first, "ply": 0})).await;
    own.next_event("ack").await;
    let read = axum::body::to_bytes(streamed, 1 << 20);
    let bytes = tokio::time::timeout(Duration::from_secs(10), read).await.expect("it ends").unwrap();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    assert!(lines <= 1, "the game as it was opened at most");
}

#[tokio::test]
async fn spectator_who_joins_becomes_a_player() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob, path) = waiting_game(&server).await;
    let mut socket = Socket::open(address, &format!("{path}/socket"), &bob).await;
    socket.next_event("game").await;
    bob.post(&server, &format!("{path}/join"), json!({})).await;
    let line = json!({"type": "chat", "room": "players", "text": "Good luck"});
    ann.post(&server, &format!("{path}/actions"), line).await;
    assert_eq!(socket.next_event("chat").await["text"], "Good luck");
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
    tokio::time::timeout(Duration::from_secs(20), read).await.expect("an event")
}

#[tokio::test(flavor = "multi_thread")]
async fn reader_of_the_stream_is_present_and_can_chat() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, mut bob) = (Browser::default(), register(&server, "Bob").await);
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let (id, path) = (game["id"].as_str().unwrap(), format!("/api/games/{}", game["id"].as_str().unwrap()));
    let (_, mut robot) = program(&server, &mut bob, "play").await;
    // Opened before he joined: present as soon as he has.
    let stream = robot.raw(&server, Method::GET, &format!("/api/board/game/stream/{id}"), None).await;
    let mut stream = stream.into_body().into_data_stream();
    let mut rest = String::new();
    read_until(&mut stream, &mut rest, "game").await;
    robot.post(&server, &format!("{path}/join"), json!({})).await;
    let mut white = Socket::open(address, &format!("{path}/socket"), &ann).await;
    let event = white.next_event("game").await;
    assert_eq!(event["game"]["state"]["present"]["black"], true, "{event}");
    let (status, _) = robot
        .post(&server, &format!("/api/board/game/{id}/chat"), json!({"room": "player", "text": "good luck"}))
        .await;
    assert_eq!((status.as_u16(), white.next_event("chat").await["text"].as_str()), (200, Some("good luck")));
    assert_eq!(read_until(&mut stream, &mut rest, "chat").await["from"], "Bob");
    let form = axum::http::Request::post(format!("/api/board/game/{id}/chat"))
        .header("host", "test")
        .header("authorization", format!("Bearer {}", robot.token.as_ref().unwrap()))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(axum::body::Body::from("room=player&text=have+fun"))
        .unwrap();
    let answer = tower::ServiceExt::oneshot(server.router.clone(), form).await.unwrap();
    assert_eq!(
        (answer.status().as_u16(), white.next_event("chat").await["text"].as_str()),
        (200, Some("have fun"))
    );
    drop(stream);
    let gone = async { while white.next_event("state").await["state"]["present"]["black"] == true {} };
    tokio::time::timeout(Duration::from_secs(15), gone).await.expect("gone with the stream");
}

#[tokio::test(flavor = "multi_thread")]
async fn stream_lists_all_games_in_progress_and_no_finished_ones() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let body = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn unfinished_large_frame_closes_its_socket() {
    let server = TestServer::new().await;
    let address = serve(&server).await;
    let (mut ann, _, game) = waiting_game(&server).await;
    let (_, study) =
        ann.post(&server, "/api/studies", json!({"name": "Frames", "visibility": "public"})).await;
    let study = format!("/api/studies/{}", study["id"].as_str().unwrap());
    for (path, most) in [(game, 4 << 10), (study, 64 << 10)] {
        for (opcode, length) in [(0x81, most + 1), (0x82, 16 << 20), (0x01, 1 << 40)] {
            let mut socket = Socket::open(address, &format!("{path}/socket"), &ann).await;
            socket.assert_open().await;
            // The head of a masked frame, and nothing of its content.
            let head = [&[opcode, 0xff][..], &u64::to_be_bytes(length), &[1, 2, 3, 4]].concat();
            let MaybeTlsStream::Plain(stream) = socket.0.get_mut() else { panic!("expected no TLS") };
            stream.write_all(&head).await.unwrap();
            socket.read_to_end().await;
        }
    }
}
