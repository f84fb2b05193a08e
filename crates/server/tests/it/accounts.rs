//! Accounts: deletion, data export, sessions, settings, names and tokens. The way from guest to deletion as a whole is in
//! `site.rs`.

use crate::common::{Browser, TestServer, both_move};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request, StatusCode, header};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tower::ServiceExt as _;

const PASSWORD: &str = "a long password";

async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": PASSWORD});
    assert_eq!(browser.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    browser
}

/// A game between two, White first, with more fields for the request.
async fn begin(server: &TestServer, white: &mut Browser, black: &mut Browser, extra: Value) -> String {
    let mut body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let (status, game) = white.post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(black.post(server, &format!("/api/games/{id}/join"), json!({})).await.0, StatusCode::OK);
    id
}

async fn act(server: &TestServer, browser: &mut Browser, game: &str, action: Value) -> (StatusCode, Value) {
    browser.post(server, &format!("/api/games/{game}/actions"), action).await
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The socket of a game, by a real connection.
async fn open(server: &TestServer, browser: &Browser, game: &str) -> Socket {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = server.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
    let mut request = format!("ws://{address}/api/games/{game}/socket").into_client_request().unwrap();
    request.headers_mut().insert("cookie", browser.cookie.as_deref().unwrap().parse().unwrap());
    tokio_tungstenite::connect_async(request).await.unwrap().0
}

/// The chat events that a socket receives until it is quiet.
async fn chat_events(socket: &mut Socket) -> Vec<Value> {
    let mut lines = Vec::new();
    let quiet = std::time::Duration::from_millis(500);
    while let Ok(Some(Ok(message))) = tokio::time::timeout(quiet, socket.next()).await {
        let Message::Text(text) = message else { continue };
        let event: Value = serde_json::from_str(&text).unwrap();
        if event["type"] == "chat" {
            lines.push(event);
        }
    }
    lines
}

/// The chat events that a newly opened socket receives.
pub(crate) async fn lines(server: &TestServer, browser: &Browser, game: &str) -> Vec<Value> {
    chat_events(&mut open(server, browser, game).await).await
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_an_account_aborts_waiting_games_and_removes_its_name() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let (_, waiting) =
        ann.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    let waiting = format!("/api/games/{}", waiting["id"].as_str().unwrap());
    let running = begin(&server, &mut ann, &mut bob, json!({})).await;
    act(&server, &mut ann, &running, json!({"type": "chat", "room": "players", "text": "hello"})).await;
    let finished = begin(&server, &mut ann, &mut bob, json!({})).await;
    act(&server, &mut bob, &finished, json!({"type": "resign"})).await;
    assert_eq!(act(&server, &mut ann, &finished, json!({"type": "rematch"})).await.0, StatusCode::OK);
    assert_eq!(lines(&server, &bob, &running).await[0]["from"], "Ann");

    assert_eq!(
        ann.post(&server, "/api/account/delete", json!({"password": PASSWORD})).await.0,
        StatusCode::OK
    );

    let (_, game) = bob.get(&server, &waiting).await;
    assert_eq!((&game["state"]["status"], &game["state"]["reason"]), (&json!("finished"), &json!("aborted")));
    assert_eq!(bob.post(&server, &format!("{waiting}/join"), json!({})).await.0, StatusCode::CONFLICT);
    // An offer of a deleted account cannot be accepted.
    let (status, problem) = act(&server, &mut bob, &finished, json!({"type": "rematch"})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("gone")));
    let (_, game) = bob.get(&server, &format!("/api/games/{finished}")).await;
    assert_eq!(game["next"], Value::Null);
    let chat = lines(&server, &bob, &running).await;
    assert_eq!((&chat[0]["from"], &chat[0]["text"]), (&json!("Guest"), &json!("hello")));
}

#[tokio::test(flavor = "multi_thread")]
async fn user_data_can_be_downloaded() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let clock = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    let id = begin(&server, &mut ann, &mut bob, json!({"rated": true, "clock": clock})).await;
    for (browser, text) in [(&mut ann, "a line of hers"), (&mut bob, "a line of his")] {
        act(&server, browser, &id, json!({"type": "chat", "room": "players", "text": text})).await;
    }
    both_move(&server, [&mut ann, &mut bob], &id).await;
    act(&server, &mut bob, &id, json!({"type": "resign"})).await;
    // Games are rated a moment later.
    let mut data = Value::Null;
    for _ in 0..100 {
        (_, data) = ann.get(&server, "/api/account/data").await;
        if data["rating_history"].as_array().is_some_and(|history| !history.is_empty()) {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(data["rating_history"][0]["game"], json!(id));
    assert!(data["rating_history"][0]["rating"].as_f64().unwrap() > 1500.0);
    assert_eq!(data["chat"].as_array().unwrap().len(), 1, "only her own lines");
    assert_eq!((&data["chat"][0]["line"], &data["chat"][0]["game"]), (&json!("a line of hers"), &json!(id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn ones_data_has_aborted_games_too() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let id = begin(&server, &mut ann, &mut bob, json!({})).await;
    act(&server, &mut ann, &id, json!({"type": "abort"})).await;
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!((&data["games"][0]["id"], data["games"].as_array().unwrap().len()), (&json!(id), 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn ones_data_is_sent_in_parts_and_once_at_a_time() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    for _ in 0..3 {
        let id = begin(&server, &mut ann, &mut bob, json!({})).await;
        both_move(&server, [&mut ann, &mut bob], &id).await;
        act(&server, &mut bob, &id, json!({"type": "resign"})).await;
    }
    let chapter = |number: u32| {
        format!("[Variant \"Chess\"]\n[Event \"{number}\"]\n\n1. e4 {{{}}} *\n\n", "long ".repeat(700))
    };
    let (_, study) =
        ann.post(&server, "/api/studies", json!({"name": "Long", "visibility": "private"})).await;
    let path = format!("/api/studies/{}/import-pgn", study["id"].as_str().unwrap());
    let pgn: String = (0..60).map(chapter).collect();
    let (status, imported) = ann.post(&server, &path, json!({"pgn": pgn})).await;
    assert_eq!((status, imported["chapters"].as_array().unwrap().len()), (StatusCode::OK, 60), "{imported}");
    let sent = ann.raw(&server, Method::GET, "/api/account/data", None).await;
    assert_eq!(sent.status(), StatusCode::OK);
    // It waits for its reader, and another of the same account is refused meanwhile.
    let (status, problem) = ann.get(&server, "/api/account/data").await;
    assert_eq!((status, &problem["code"]), (StatusCode::TOO_MANY_REQUESTS, &json!("too_many_requests")));
    assert_eq!(bob.get(&server, "/api/account/data").await.0, StatusCode::OK);
    let mut parts = sent.into_body().into_data_stream();
    let mut text = Vec::new();
    while let Some(part) = futures_util::StreamExt::next(&mut parts).await {
        let part = part.unwrap();
        assert!(part.len() < 64 << 10, "a part of {} bytes", part.len());
        text.extend_from_slice(&part);
    }
    drop(parts);
    let data: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(data["account"]["player"]["name"], "Ann");
    assert_eq!(data["games"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&data["games"][0]["you"], &data["games"][0]["state"]["status"]),
        (&json!("white"), &json!("finished"))
    );
    let studies = &data["studies"];
    assert_eq!(studies["own"].as_array().unwrap().len(), 1);
    assert_eq!((&studies["own"][0]["id"], &studies["own"][0]["name"]), (&study["id"], &json!("Long")));
    assert_eq!(studies["chapters"].as_array().unwrap().len(), 60);
    let chapter = &studies["chapters"][7];
    assert_eq!((&chapter["study"], &chapter["name"]), (&study["id"], &json!("7")), "{chapter:.200}");
    let tree: Value = serde_json::from_str(chapter["tree"].as_str().unwrap()).unwrap();
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 1);
    assert_eq!(data["puzzles"], json!([]));
    assert_eq!(ann.get(&server, "/api/account/data").await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn session_is_extended_by_visits() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let mut guest = Browser::default();
    guest.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    for visitor in [&mut ann, &mut guest] {
        let response = visitor.raw(&server, Method::GET, "/api/account", None).await;
        assert!(!response.headers().contains_key(header::SET_COOKIE), "once a day is enough");
    }
    // The database does not reveal the browsers' session cookies.
    lozenge_store::install_drivers();
    let url = crate::common::database(server.folder()).await;
    let mut database = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    let stored: Vec<(String, String)> =
        sqlx::query_as("SELECT id, data FROM sessions").fetch_all(&mut database).await.unwrap();
    let secret = ann.cookie.as_deref().and_then(|cookie| cookie.split_once('=')).unwrap().1;
    assert_eq!(stored.len(), 2);
    assert!(stored.iter().all(|(id, data)| !id.contains(secret) && !data.contains(secret)), "{stored:?}");
    // Both come back on another day.
    let age = "UPDATE sessions SET expires_at = $1, data = REPLACE(data, '\"day\":', '\"day\":-')";
    let soon = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64
        + 60_000;
    sqlx::query(age).bind(soon).execute(&mut database).await.unwrap();
    for visitor in [&mut ann, &mut guest] {
        let response = visitor.raw(&server, Method::GET, "/", None).await;
        let cookie = response.headers()[header::SET_COOKIE].to_str().unwrap().to_owned();
        assert!(cookie.contains("Max-Age=7776000"), "{cookie}");
        assert!(visitor.get(&server, "/api/account").await.1["player"].is_object());
    }
    let ends: Vec<(i64,)> =
        sqlx::query_as("SELECT expires_at FROM sessions").fetch_all(&mut database).await.unwrap();
    assert_eq!(ends.len(), 2);
    assert!(ends.iter().all(|(at,)| at - soon > 89 * 24 * 60 * 60_000), "{ends:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_settings_are_refused() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let mut put = async |settings: Value| {
        ann.request(&server, Method::PUT, "/api/account/settings", Some(settings)).await
    };
    let good = json!({"theme": "dark", "language": "de", "board": "oak", "sound": false});
    assert_eq!(put(good.clone()).await.1["settings"], good);
    for bad in [
        json!({"theme": "x".repeat(50_000)}),
        json!({"theme": ""}),
        json!({"language": "klingon"}),
        json!({"board": "<script>"}),
        json!({"sound": "loud"}),
        json!({"odd": true}),
    ] {
        let (status, problem) = put(bad).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("expected") && detail.len() < 300, "{detail}");
    }
    assert_eq!(ann.get(&server, "/api/account").await.1["settings"], good);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_used_in_urls_are_reserved() {
    let server = TestServer::new().await;
    for name in ["me", "Me", "ME", "engine"] {
        let account = json!({"name": name, "password": PASSWORD});
        let (status, _) = Browser::default().post(&server, "/api/account/register", account).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
    }
    register(&server, "Mel").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bearer_scheme_ignores_case_and_is_named_in_401() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let (_, token) = ann.post(&server, "/api/tokens", json!({"label": "mine", "scopes": ["read"]})).await;
    let secret = token["secret"].as_str().unwrap();
    for (scheme, secret, status) in [
        ("Bearer", secret, StatusCode::OK),
        ("bearer", secret, StatusCode::OK),
        ("BEARER", secret, StatusCode::OK),
        ("bearer", "loz_forged", StatusCode::UNAUTHORIZED),
    ] {
        let request =
            Request::get("/api/account/data").header(header::AUTHORIZATION, format!("{scheme} {secret}"));
        let response = server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), status, "{scheme}");
        let challenge = response.headers().get(header::WWW_AUTHENTICATE).map(|value| value.to_str().unwrap());
        assert_eq!(
            challenge.is_some_and(|value| value.starts_with("Bearer")),
            status != StatusCode::OK,
            "{scheme}"
        );
        assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
    }
    let response = ann.raw(&server, Method::GET, "/api/account", None).await;
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_a_guest_show_the_name_registered_later() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let id = begin(&server, &mut ann, &mut bob, json!({})).await;
    act(&server, &mut bob, &id, json!({"type": "resign"})).await;
    let account = json!({"name": "Ann", "password": PASSWORD});
    assert_eq!(ann.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    let (_, account_of_bob) = bob.get(&server, "/api/account").await;
    let guest = account_of_bob["player"]["name"].clone();
    assert!(guest.as_str().unwrap().starts_with("Guest "), "{guest}");
    let assert_names = async |server: &TestServer, bob: &mut Browser| {
        let (_, game) = bob.get(server, &format!("/api/games/{id}")).await;
        let (_, list) = bob.get(server, "/api/games").await;
        for game in [&game, &list[0]] {
            assert_eq!((&game["white"]["name"], &game["white"]["kind"]), (&json!("Ann"), &json!("user")));
            assert_eq!((&game["black"]["name"], &game["black"]["kind"]), (&guest, &json!("guest")));
        }
    };
    assert_names(&server, &mut bob).await;
    let server = server.restart().await;
    assert_names(&server, &mut bob).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_limited_to_twenty_and_players_cannot_become_bots() {
    let server = TestServer::new().await;
    let ann = register(&server, "Ann").await;
    let create_token = async |scope: &str| {
        let mut browser = Browser { cookie: ann.cookie.clone(), token: None };
        browser.post(&server, "/api/tokens", json!({"label": "mine", "scopes": [scope]})).await.0
    };
    let statuses = futures_util::future::join_all((0..30).map(|_| create_token("read"))).await;
    let count = |status| statuses.iter().filter(|found| **found == status).count();
    assert_eq!((count(StatusCode::CREATED), count(StatusCode::CONFLICT)), (20, 10));
    let (mut bob, mut eve) = (register(&server, "Bob").await, register(&server, "Eve").await);
    begin(&server, &mut bob, &mut eve, json!({})).await;
    let (status, problem) = bob.post(&server, "/api/tokens", json!({"label": "b", "scopes": ["bot"]})).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_sockets_use_the_new_name_after_registration() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let id = begin(&server, &mut ann, &mut bob, json!({})).await;
    let mut eve = Browser::default();
    eve.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    let mut socket = open(&server, &eve, &id).await;
    let account = json!({"name": "Eve", "password": PASSWORD});
    assert_eq!(eve.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    let line = json!({"id": 1, "type": "chat", "room": "spectators", "text": "hello"});
    socket.send(Message::Text(line.to_string().into())).await.unwrap();
    let events = chat_events(&mut socket).await;
    assert_eq!((events.len(), &events[0]["from"]), (1, &json!("Eve")));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_trusted_proxy_sets_the_client_address() {
    let try_password = async |server: &TestServer, forwarded: &str, peer: [u8; 4]| {
        let request = Request::builder()
            .method(Method::POST)
            .uri("/api/account/sign-in")
            .header(header::HOST, "chess.example")
            .header(header::CONTENT_TYPE, "application/json")
            .header("x-forwarded-for", forwarded)
            .extension(ConnectInfo(SocketAddr::from((peer, 4000))))
            .body(Body::from(json!({"name": "Ann", "password": "a wrong password"}).to_string()))
            .unwrap();
        server.router.clone().oneshot(request).await.unwrap().status()
    };
    let (proxy, stranger) = ([127, 0, 0, 1], [203, 0, 113, 9]);
    let proxied = TestServer::with(|config| {
        config.public_url = Some("https://chess.example".to_owned());
        config.trusted_proxies = "127.0.0.0/8".parse().unwrap();
    })
    .await;
    register(&proxied, "Ann").await;
    // One comes back every six seconds, and each takes a while.
    let until_refused = async |server: &TestServer, forwarded: &dyn Fn(usize) -> String| {
        for number in 0..60 {
            if try_password(server, &forwarded(number), proxy).await == StatusCode::TOO_MANY_REQUESTS {
                return number;
            }
        }
        panic!("nothing was refused");
    };
    assert!(until_refused(&proxied, &|_| "203.0.113.1".into()).await >= 10);
    for (forwarded, peer, status) in [
        // The client's own entries come before the proxy's.
        ("198.51.100.1, 203.0.113.1", proxy, StatusCode::TOO_MANY_REQUESTS),
        ("203.0.113.2", proxy, StatusCode::UNAUTHORIZED),
        ("203.0.113.1", stranger, StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(try_password(&proxied, forwarded, peer).await, status, "{forwarded} by {peer:?}");
    }
    // Without a trusted proxy the header is ignored: clients could spoof it.
    let direct = TestServer::with_public_url("https://chess.example").await;
    until_refused(&direct, &|number| format!("203.0.113.{number}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_lines_keep_the_side_of_their_author_after_a_restart() {
    let server = TestServer::new().await;
    let [mut ann, mut bob, mut eve] = [Browser::default(), Browser::default(), Browser::default()];
    let id = begin(&server, &mut ann, &mut bob, json!({})).await;
    eve.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    for (browser, room) in [(&mut bob, "players"), (&mut ann, "players"), (&mut eve, "spectators")] {
        let answer = act(&server, browser, &id, json!({"type": "chat", "room": room, "text": "hello"})).await;
        assert_eq!(answer.0, StatusCode::OK, "{}", answer.1);
    }
    act(&server, &mut ann, &id, json!({"type": "resign"})).await;
    let sides = async |server: &TestServer| {
        let lines = lines(server, &ann, &id).await;
        lines.iter().map(|line| line["side"].clone()).collect::<Vec<_>>()
    };
    let expected = [json!("black"), json!("white"), Value::Null];
    assert_eq!(sides(&server).await, expected);
    let server = server.restart().await;
    assert_eq!(sides(&server).await, expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_have_stable_numbers() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let id = begin(&server, &mut ann, &mut bob, json!({})).await;
    act(&server, &mut ann, &id, json!({"type": "chat", "room": "players", "text": "hello"})).await;
    let mut names = Vec::new();
    for browser in [&mut ann, &mut bob] {
        let (_, account) = browser.get(&server, "/api/account").await;
        names.push(account["player"]["name"].as_str().unwrap().to_owned());
    }
    let number = names[0].strip_prefix("Guest ").unwrap().to_owned();
    assert!(number.len() == 4 && number.parse::<u32>().is_ok());
    assert_eq!(lines(&server, &bob, &id).await[0]["from"], json!(names[0]));
    let (_, pgn) = bob.get(&server, &format!("/api/games/{id}/pgn")).await;
    assert!(pgn.as_str().unwrap().contains(&format!("[White \"{}\"]", names[0])), "{pgn}");
    assert!(pgn.as_str().unwrap().contains(&format!("[Black \"{}\"]", names[1])), "{pgn}");
    // The page shows it in the reader's language.
    let request = Request::get(format!("/game/{id}")).header("accept-language", "de").header("host", "test");
    let response = server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let page = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    assert!(String::from_utf8_lossy(&page).contains(&format!("Gast {number}")));
    let server = server.restart().await;
    let (_, game) = bob.get(&server, &format!("/api/games/{id}")).await;
    assert_eq!(game["white"]["name"], json!(names[0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reserved_name_is_not_refused_as_malformed() {
    let server = TestServer::new().await;
    for (name, code) in [("Lozenge", "reserved_name"), ("guest", "reserved_name"), ("a b", "invalid")] {
        let account = json!({"name": name, "password": PASSWORD});
        let (status, problem) = Browser::default().post(&server, "/api/account/register", account).await;
        assert_eq!((status.as_u16(), &problem["code"]), (422, &json!(code)), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn common_passwords_are_refused() {
    let server = TestServer::new().await;
    for (password, code) in [
        ("password", "common_password"),
        ("Password1!", "common_password"),
        ("ann_marie7", "common_password"),
        ("short", "password_length"),
    ] {
        let account = json!({"name": "Ann_Marie", "password": password});
        let (status, problem) = Browser::default().post(&server, "/api/account/register", account).await;
        assert_eq!((status.as_u16(), &problem["code"]), (422, &json!(code)), "{password}");
    }
    let mut ann = register(&server, "Ann").await;
    let change = json!({"old": PASSWORD, "new": "baseball"});
    assert_eq!(ann.post(&server, "/api/account/password", change).await.1["code"], "common_password");
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_look_alike_are_taken() {
    let server = TestServer::new().await;
    register(&server, "Paul").await;
    let names = ["PauI", "Pau1", "paul"];
    let take = async |server: &TestServer, name: &str| {
        let account = json!({"name": name, "password": PASSWORD});
        Browser::default().post(server, "/api/account/register", account).await.0
    };
    for name in names {
        assert_eq!(take(&server, name).await, StatusCode::CONFLICT, "{name}");
    }
    // An account from before skeletons.
    let mut database =
        <sqlx::AnyConnection as sqlx::Connection>::connect(&crate::common::database(server.folder()).await)
            .await
            .unwrap();
    sqlx::query("UPDATE users SET name_skeleton = NULL").execute(&mut database).await.unwrap();
    let server = server.restart().await;
    for name in names {
        assert_eq!(take(&server, name).await, StatusCode::CONFLICT, "{name} after an upgrade");
    }
    let mut paul = Browser::default();
    let credentials = json!({"name": "Paul", "password": PASSWORD});
    assert_eq!(paul.post(&server, "/api/account/sign-in", credentials).await.0, StatusCode::OK);
    assert_eq!(
        paul.post(&server, "/api/account/delete", json!({"password": PASSWORD})).await.0,
        StatusCode::OK
    );
    for name in names {
        assert_eq!(take(&server, name).await, StatusCode::CONFLICT, "{name} after the account");
    }
    assert_eq!(take(&server, "Paula").await, StatusCode::OK);
}
