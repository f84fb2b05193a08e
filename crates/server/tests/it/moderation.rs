//! Moderation of users and networks by the host while the server runs.

use crate::common::{Browser, TestServer, database};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, header};
use futures_util::StreamExt as _;
use lozenge_store::{ModerationError, Moderator, Sanction};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::time::Duration;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tower::ServiceExt as _;

const PASSWORD: &str = "a long password";

async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": PASSWORD});
    assert_eq!(browser.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    browser
}

async fn moderator(server: &TestServer) -> Moderator {
    Moderator::open(&database(server.folder()).await).await.unwrap()
}

async fn sign_in(server: &TestServer, name: &str) -> (u16, Value) {
    let body = json!({"name": name, "password": PASSWORD});
    let (status, answer) = Browser::default().post(server, "/api/account/sign-in", body).await;
    (status.as_u16(), answer["code"].clone())
}

/// A game between two, White first.
async fn begin(server: &TestServer, white: &mut Browser, black: &mut Browser) -> String {
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = white.post(server, "/api/games", body).await;
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(black.post(server, &format!("/api/games/{id}/join"), json!({})).await.0, StatusCode::OK);
    id
}

async fn send_chat(server: &TestServer, browser: &mut Browser, game: &str) -> (u16, Value) {
    let line = json!({"type": "chat", "room": "players", "text": "hello"});
    let (status, answer) = browser.post(server, &format!("/api/games/{game}/actions"), line).await;
    (status.as_u16(), answer["code"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn banning_a_user_closes_sockets_and_revokes_tokens() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let id = begin(&server, &mut ann, &mut bob).await;
    let (_, token) = ann.post(&server, "/api/tokens", json!({"label": "mine", "scopes": ["play"]})).await;
    let seek = json!({"variant": "diamondback", "clock": {"kind": "correspondence", "days": 3}});
    ann.post(&server, "/api/seeks", seek).await;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let service = server.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, service).await.unwrap() });
    let mut request = format!("ws://{address}/api/games/{id}/socket").into_client_request().unwrap();
    request.headers_mut().insert("cookie", ann.cookie.as_deref().unwrap().parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();

    let mut host = moderator(&server).await;
    let banned = host.sanction("ann", &Sanction::Ban).await.unwrap();
    assert!(banned.banned_at.is_some());
    let ended = async { while let Some(Ok(_)) = socket.next().await {} };
    tokio::time::timeout(Duration::from_secs(15), ended).await.expect("the socket is closed");
    assert_eq!(sign_in(&server, "Ann").await, (403, json!("closed")));
    let wrong = json!({"name": "Ann", "password": "a wrong password"});
    let (_, problem) = Browser::default().post(&server, "/api/account/sign-in", wrong).await;
    assert_eq!(problem["code"], "credentials", "only the owner learns of it");
    assert_eq!(ann.get(&server, "/api/account").await.1["player"], Value::Null);
    let mut program = Browser { token: token["secret"].as_str().map(str::to_owned), ..Browser::default() };
    assert_eq!(program.get(&server, "/api/account").await.0, StatusCode::UNAUTHORIZED);
    let (_, seeks) = bob.get(&server, "/api/seeks").await;
    assert_eq!(seeks, json!([]));
    let (status, _) = Browser::default()
        .post(&server, "/api/account/register", json!({"name": "ANN", "password": PASSWORD}))
        .await;
    assert_eq!(status, StatusCode::CONFLICT, "the name stays reserved");
    host.sanction("Ann", &Sanction::Unban).await.unwrap();
    assert_eq!(sign_in(&server, "Ann").await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_accounts_can_be_opened_again_and_guests_cannot_be_closed() {
    let server = TestServer::new().await;
    register(&server, "Ann").await;
    let mut host = moderator(&server).await;
    host.sanction("Ann", &Sanction::Close).await.unwrap();
    assert_eq!(sign_in(&server, "Ann").await, (403, json!("closed")));
    let open: Vec<_> =
        host.users(None, true, 50).await.unwrap().into_iter().map(|user| user.label()).collect();
    assert_eq!(open, ["Ann"]);
    host.sanction("Ann", &Sanction::Reopen).await.unwrap();
    assert_eq!(sign_in(&server, "Ann").await.0, 200);
    assert!(host.users(None, true, 50).await.unwrap().is_empty());

    let (mut guest, mut bob) = (Browser::default(), Browser::default());
    begin(&server, &mut guest, &mut bob).await;
    let (_, account) = guest.get(&server, "/api/account").await;
    let id = account["player"]["id"].as_str().unwrap();
    assert!(matches!(host.sanction(id, &Sanction::Close).await, Err(ModerationError::Guest)));
    assert_eq!(host.sanction(id, &Sanction::Ban).await.unwrap().label(), account["player"]["name"]);
    assert_eq!(guest.get(&server, "/api/account").await.1["player"], Value::Null);
    assert!(matches!(host.sanction("nobody", &Sanction::Ban).await, Err(ModerationError::NoUser(_))));
}

#[tokio::test(flavor = "multi_thread")]
async fn muted_users_can_play_but_not_chat() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let id = begin(&server, &mut ann, &mut bob).await;
    assert_eq!(send_chat(&server, &mut ann, &id).await.0, 200);
    let mut host = moderator(&server).await;
    host.sanction("Ann", &Sanction::Mute { until: i64::MAX }).await.unwrap();
    assert_eq!(send_chat(&server, &mut ann, &id).await, (403, json!("muted")));
    assert_eq!(send_chat(&server, &mut bob, &id).await.0, 200);
    crate::common::both_move(&server, [&mut ann, &mut bob], &id).await;
    host.sanction("Ann", &Sanction::Mute { until: 1 }).await.unwrap();
    // The same line twice in a row is refused, muted or not.
    let chat = json!({"type": "chat", "room": "players", "text": "back again"});
    let (status, answer) = ann.post(&server, &format!("/api/games/{id}/actions"), chat).await;
    assert_eq!(status, 200, "it is over: {answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn renamed_user_has_the_new_name_in_games() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let id = begin(&server, &mut ann, &mut bob).await;
    let mut host = moderator(&server).await;
    let to = |name: &str| Sanction::Rename { name: name.into() };
    assert!(matches!(host.sanction("Ann", &to("bob")).await, Err(ModerationError::Taken(_))));
    assert!(matches!(host.sanction("Ann", &to("Lozenge")).await, Err(ModerationError::Name(_))));
    host.sanction("Ann", &to("Anna")).await.unwrap();
    assert_eq!(ann.get(&server, "/api/account").await.1["player"]["name"], "Anna");
    let path = format!("/api/games/{id}");
    for _ in 0..150 {
        if bob.get(&server, &path).await.1["white"]["name"] == "Anna" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let (_, game) = bob.get(&server, &path).await;
    assert_eq!((&game["white"]["name"], &game["white"]["kind"]), (&json!("Anna"), &json!("user")));
    assert_eq!(sign_in(&server, "Anna").await.0, 200);
    assert_eq!(sign_in(&server, "Ann").await.0, 401);
}

/// Otherwise another user could pass for the former owner of the name.
#[tokio::test(flavor = "multi_thread")]
async fn a_former_name_is_reserved_for_its_owner() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    register(&server, "Bob").await;
    let mut host = moderator(&server).await;
    let to = |name: &str| Sanction::Rename { name: name.into() };
    host.sanction("Ann", &to("Anna")).await.unwrap();
    let is_taken = async || {
        let account = json!({"name": "ANN", "password": PASSWORD});
        Browser::default().post(&server, "/api/account/register", account).await.0 == StatusCode::CONFLICT
    };
    assert!(is_taken().await);
    assert!(matches!(host.sanction("Bob", &to("Ann")).await, Err(ModerationError::Taken(_))));
    // Only the former owner gets it back.
    assert_eq!(host.sanction("Anna", &to("Ann")).await.unwrap().label(), "Ann");
    host.sanction("Ann", &to("Anne")).await.unwrap();
    let proof = json!({"password": PASSWORD});
    assert_eq!(ann.post(&server, "/api/account/delete", proof).await.0, StatusCode::OK);
    assert!(is_taken().await, "also once the account is deleted");
    let owned = "SELECT CAST(COUNT(*) AS BIGINT) FROM reserved_names WHERE owner IS NOT NULL";
    let url = crate::common::database(server.folder()).await;
    let mut database = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    let (owned,): (i64,) = sqlx::query_as(owned).fetch_one(&mut database).await.unwrap();
    assert_eq!(owned, 0, "no id is left");
}

/// Registers from an address.
async fn register_from(router: &Router, address: [u8; 4], name: &str) -> StatusCode {
    let body = json!({"name": name, "password": PASSWORD}).to_string();
    let mut request = Request::post("/api/account/register")
        .header(header::HOST, "test")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .unwrap();
    request.extensions_mut().insert(ConnectInfo(SocketAddr::from((address, 4_000))));
    router.clone().oneshot(request).await.unwrap().status()
}

#[tokio::test(flavor = "multi_thread")]
async fn banned_network_has_read_access_only() {
    let server = TestServer::new().await;
    assert_eq!(register_from(&server.router, [203, 0, 113, 7], "Ann").await, StatusCode::OK);
    assert_eq!(register_from(&server.router, [198, 51, 100, 7], "Bob").await, StatusCode::OK);
    let mut host = moderator(&server).await;
    let seen = host.users("203.0.113.0/24".parse().ok(), false, 50).await.unwrap();
    assert_eq!(seen.iter().map(|user| user.label()).collect::<Vec<_>>(), ["Ann"]);
    assert_eq!(host.ban_network_of("Ann").await.unwrap().to_string(), "203.0.113.7/32");
    host.ban_network("192.0.2.9/24".parse().unwrap()).await.unwrap();
    assert_eq!(host.banned_networks().await.unwrap(), ["192.0.2.0/24", "203.0.113.7/32"]);
    let mut status = StatusCode::OK;
    for number in 0..150 {
        status = register_from(&server.router, [203, 0, 113, 7], &format!("Eve{number}")).await;
        if status == StatusCode::FORBIDDEN {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert_eq!(register_from(&server.router, [192, 0, 2, 200], "Fay").await, StatusCode::FORBIDDEN);
    assert_eq!(register_from(&server.router, [203, 0, 113, 8], "Gil").await, StatusCode::OK);
    let mut read = Request::get("/api/games").body(Body::empty()).unwrap();
    read.extensions_mut().insert(ConnectInfo(SocketAddr::from(([203, 0, 113, 7], 4_000))));
    assert_eq!(server.router.clone().oneshot(read).await.unwrap().status(), StatusCode::OK);
    // A ban outlasts the server.
    let server = server.restart().await;
    assert_eq!(register_from(&server.router, [203, 0, 113, 7], "Hal").await, StatusCode::FORBIDDEN);
    let unbanned = host.unban_network("203.0.113.7/32".parse().unwrap()).await;
    unbanned.unwrap();
    assert!(host.unban_network("203.0.113.7/32".parse().unwrap()).await.is_err());
}
