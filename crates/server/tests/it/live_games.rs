//! The stream of games being played: its events, its games and its limits.

use crate::common::{Browser, TestServer};
use axum::body::BodyDataStream;
use axum::http::{Method, StatusCode};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;

/// A client of the stream.
struct StreamClient {
    body: BodyDataStream,
    rest: String,
}

impl StreamClient {
    async fn connect(server: &TestServer) -> Self {
        let response = Browser::default().raw(server, Method::GET, "/api/games/live/stream", None).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "application/x-ndjson");
        Self { body: response.into_body().into_data_stream(), rest: String::new() }
    }

    /// The next message; a minute is more than enough for any.
    async fn next(&mut self) -> Value {
        let read = async {
            loop {
                if let Some((line, rest)) = self.rest.split_once('\n') {
                    let (line, rest) = (line.to_owned(), rest.to_owned());
                    self.rest = rest;
                    if line.is_empty() {
                        continue;
                    }
                    return serde_json::from_str(&line).unwrap();
                }
                let bytes = self.body.next().await.expect("the stream goes on").unwrap();
                self.rest += std::str::from_utf8(&bytes).unwrap();
            }
        };
        tokio::time::timeout(Duration::from_secs(60), read).await.expect("a message")
    }

    /// Reads until a message is of this type about this game.
    async fn until(&mut self, kind: &str, id: &str) -> Value {
        loop {
            let event = self.next().await;
            if event["type"] == kind && (event["game"]["id"] == id || event["id"] == id) {
                return event;
            }
        }
    }
}

/// A game between two people that has begun.
async fn begin(server: &TestServer, visibility: &str) -> (String, [Browser; 2]) {
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "visibility": visibility});
    let (_, game) = ann.post(server, "/api/games", body).await;
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(bob.post(server, &format!("/api/games/{id}/join"), json!({})).await.0, StatusCode::OK);
    (id, [ann, bob])
}

/// Plays this number of half moves.
async fn play(server: &TestServer, id: &str, players: &mut [Browser; 2], plies: u32) {
    let path = format!("/api/games/{id}");
    for _ in 0..plies {
        let (_, game) = players[0].get(server, &path).await;
        let ply = game["state"]["ply"].as_u64().unwrap();
        let action = json!({"type": "move", "move": game["state"]["moves"][0], "ply": ply});
        let (status, state) =
            players[ply as usize % 2].post(server, &format!("{path}/actions"), action).await;
        assert_eq!(status, StatusCode::OK, "{state}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn proxies_are_asked_not_to_buffer_streams() {
    let server = TestServer::new().await;
    let mut ann = crate::common::register(&server, "Ann").await;
    for (path, expected) in [
        ("/api/games/live/stream", Some("no")),
        ("/api/seeks/stream", Some("no")),
        ("/api/stream/event", Some("no")),
        ("/api/games/export?player=me", Some("no")),
        ("/api/games/live", None),
        ("/about", None),
    ] {
        let response = ann.raw(&server, Method::GET, path, None).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let found = response.headers().get("x-accel-buffering").map(|value| value.to_str().unwrap());
        assert_eq!(found, expected, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn live_stream_has_public_games_only() {
    let server = TestServer::new().await;
    let (first, mut players) = begin(&server, "public").await;
    let mut client = StreamClient::connect(&server).await;
    let all = client.next().await;
    assert_eq!((&all["type"], all["games"].as_array().unwrap().len()), (&json!("games"), 1));
    assert_eq!(all["games"][0]["id"], json!(first));
    let (hidden, mut others) = begin(&server, "private").await;
    play(&server, &hidden, &mut others, 2).await;
    let (second, _) = begin(&server, "public").await;
    let begun = client.until("begin", &second).await;
    assert_eq!((&begun["game"]["status"], &begun["game"]["ply"]), (&json!("started"), &json!(0)));
    let placement = begun["game"]["fen"].as_str().unwrap().split(' ').next().unwrap();
    assert!(placement.contains(char::is_alphabetic), "{placement}");
    play(&server, &first, &mut players, 6).await;
    let mut plies = Vec::new();
    while plies.last() != Some(&6) {
        let event = client.next().await;
        assert_eq!((&event["type"], &event["game"]["id"]), (&json!("move"), &json!(first)), "{event}");
        plies.push(event["game"]["ply"].as_u64().unwrap());
    }
    assert!(plies.is_sorted_by(|one, next| one < next), "each message has a new position: {plies:?}");
    players[1].post(&server, &format!("/api/games/{first}/actions"), json!({"type": "resign"})).await;
    let end = client.until("end", &first).await;
    assert_eq!((&end["game"]["result"], &end["game"]["reason"]), (&json!("1-0"), &json!("resign")));
    // A client that connects now gets only the other game.
    let mut late_client = StreamClient::connect(&server).await;
    let all = late_client.next().await;
    let ids: Vec<_> = all["games"].as_array().unwrap().iter().map(|game| &game["id"]).collect();
    assert_eq!(ids, [&json!(second)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn live_stream_has_at_most_24_games_and_replaces_finished_ones() {
    let server = TestServer::new().await;
    let mut games = Vec::new();
    for _ in 0..26 {
        games.push(begin(&server, "public").await);
    }
    let mut client = StreamClient::connect(&server).await;
    let all = client.next().await;
    let listed: Vec<_> =
        all["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(listed.len(), 24);
    let (newest, _) = &games[25];
    assert_eq!(listed.first(), Some(newest), "the newest stands first");
    // A listed game ends: one of the others takes its place.
    let ended = games.iter_mut().find(|(id, _)| listed.contains(id)).unwrap();
    ended.1[0].post(&server, &format!("/api/games/{}/actions", ended.0), json!({"type": "resign"})).await;
    client.until("end", &ended.0.clone()).await;
    let begun = client.next().await;
    assert_eq!(begun["type"], "begin");
    let begun = begun["game"]["id"].as_str().unwrap().to_owned();
    assert!(!listed.contains(&begun) && games.iter().any(|(id, _)| *id == begun));
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_game_does_not_hide_the_others() {
    let server = TestServer::new().await;
    // The greatest number of a move is still there after the move.
    let mut ann = Browser::default();
    let fen = "7k/8/8/8/8/8/8/KR6 b - - 0 1000000";
    let body = json!({"variant": "diagonal", "opponent": {"kind": "engine", "level": 1}, "side": "black", "fen": fen});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let first = json!({"type": "move", "move": game["state"]["moves"][0], "ply": 0});
    assert_eq!(ann.post(&server, &format!("{path}/actions"), first).await.0, StatusCode::OK);
    assert_eq!(ann.get(&server, "/api/games?player=me").await.1.as_array().unwrap().len(), 1);
    let (damaged, _) = begin(&server, "public").await;
    let (whole, _) = begin(&server, "public").await;
    let mut client = StreamClient::connect(&server).await;
    assert_eq!(client.next().await["games"].as_array().unwrap().len(), 3);
    let mut database =
        <sqlx::AnyConnection as sqlx::Connection>::connect(&crate::common::database(server.folder()).await)
            .await
            .unwrap();
    sqlx::query("UPDATE games SET fen = 'damaged', updated_at = updated_at + 1 WHERE id = $1")
        .bind(damaged.as_str())
        .execute(&mut database)
        .await
        .unwrap();
    let (status, listed) = Browser::default().get(&server, "/api/games?status=started").await;
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert!(status == StatusCode::OK && ids.contains(&whole.as_str()) && !ids.contains(&damaged.as_str()));
    let page = Browser::default().get(&server, "/live").await;
    assert!(page.0 == StatusCode::OK && page.1.as_str().unwrap().contains(&whole));
    let (_, live) = Browser::default().get(&server, "/api/games/live").await;
    assert_eq!(live.as_array().unwrap().len(), 3, "{live}");
}
