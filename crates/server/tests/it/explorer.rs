//! The opening explorer: games appear in it when they have ended, by their speed, rating and players.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

const PASSWORD: &str = "a long password";

async fn account(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": PASSWORD});
    assert_eq!(browser.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    browser
}

async fn act(server: &TestServer, browser: &mut Browser, id: &str, action: Value) {
    let (status, problem) = browser.post(server, &format!("/api/games/{id}/actions"), action).await;
    assert_eq!(status, StatusCode::OK, "{problem}");
}

/// Both play moves of these numbers in turn; the game goes on.
async fn begin(
    server: &TestServer,
    players: [&mut Browser; 2],
    rated: bool,
    visibility: &str,
    moves: &[usize],
) -> String {
    let [white, black] = players;
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "rated": rated,
        "visibility": visibility, "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    let (status, game) = white.post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(black.post(server, &format!("/api/games/{id}/join"), json!({})).await.0, StatusCode::OK);
    for (ply, number) in moves.iter().enumerate() {
        let browser = if ply % 2 == 0 { &mut *white } else { &mut *black };
        let (_, game) = browser.get(server, &format!("/api/games/{id}")).await;
        let action = json!({"type": "move", "move": game["state"]["moves"][number], "ply": ply});
        act(server, browser, &id, action).await;
    }
    id
}

/// The explorer's answer once it has counted this number of games.
async fn explore(server: &TestServer, query: &str, games: u64) -> Value {
    explore_game(server, "diamond", query, games).await
}

async fn explore_game(server: &TestServer, variant: &str, query: &str, games: u64) -> Value {
    let mut found = Value::Null;
    for _ in 0..600 {
        let path = format!("/api/explorer/{variant}{query}");
        let (status, answer) = Browser::default().get(server, &path).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        if ["white", "draws", "black"].iter().filter_map(|side| answer[side].as_u64()).sum::<u64>() == games {
            return answer;
        }
        found = answer;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("expected {games} games, found {found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn finished_public_games_are_found_by_filters() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    for (rated, visibility, moves, loser) in [
        (true, "public", [0, 0, 0, 0], 1),
        (true, "public", [0, 0, 1, 0], 0),
        (false, "public", [0, 1, 0, 0], 1),
        (false, "private", [2, 1, 0, 0], 1),
    ] {
        let id = begin(&server, [&mut ann, &mut bob], rated, visibility, &moves).await;
        let browser = if loser == 0 { &mut ann } else { &mut bob };
        act(&server, browser, &id, json!({"type": "resign"})).await;
    }
    let answer = explore(&server, "", 3).await;
    assert_eq!((&answer["white"], &answer["draws"], &answer["black"]), (&json!(2), &json!(0), &json!(1)));
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1, "the private game is not there");
    assert_eq!(moves[0]["white"], 2);
    assert!(moves[0]["san"].is_string() && moves[0]["uci"].is_string());
    assert!((1300..1700).contains(&moves[0]["averageRating"].as_u64().unwrap()));
    let games = answer["recentGames"].as_array().unwrap();
    assert_eq!(games.len(), 3);
    assert_eq!((&games[0]["rated"], &games[0]["white"]["name"]), (&json!(false), &json!("Ann")));

    let rated = explore(&server, "?rated=true", 2).await;
    assert_eq!(rated["recentGames"].as_array().unwrap().len(), 2);
    explore(&server, "?rated=false", 1).await;
    explore(&server, "?games=site", 3).await;
    explore(&server, "?games=book", 0).await;
    explore(&server, "?speed=blitz&rating_min=1400&rating_max=1600", 3).await;
    explore(&server, "?speed=bullet", 0).await;
    explore(&server, "?rating_min=2000", 0).await;
    let now = jiff::Timestamp::now().as_millisecond();
    explore(&server, &format!("?since={now}"), 3).await;
    explore(&server, &format!("?since={}", now + 40 * 24 * 60 * 60_000), 0).await;

    // From the position after the first two moves: two games of three.
    let (_, game) = ann.get(&server, &format!("/api/games/{}", games[2]["id"].as_str().unwrap())).await;
    let fen = game["history"][1]["fen"].as_str().unwrap_or_else(|| panic!("{game}"));
    let encoded: String = url::form_urlencoded::byte_serialize(fen.as_bytes()).collect();
    let answer = explore(&server, &format!("?fen={encoded}"), 2).await;
    assert_eq!(answer["moves"].as_array().unwrap().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_explorer_queries_are_refused() {
    let server = TestServer::new().await;
    let mut visitor = Browser::default();
    for (path, expected) in [
        ("/api/explorer/nosuchgame", StatusCode::NOT_FOUND),
        ("/api/explorer/diamond?fen=rubbish", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/explorer/diamond?fen=8/8%20w%20-%20-%200%201", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/explorer/diamond?speed=warp", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/explorer/diamond?rating_min=none", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/explorer/diamond?since=99999999999999999", StatusCode::OK),
        ("/api/explorer/diamond?rating_min=-2147483648&rating_max=2147483647", StatusCode::OK),
    ] {
        assert_eq!(visitor.get(&server, path).await.0, expected, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn explorer_is_closed_to_players_of_a_live_game_of_the_variant() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let id = begin(&server, [&mut ann, &mut bob], false, "public", &[0, 0]).await;
    for browser in [&mut ann, &mut bob] {
        assert_eq!(browser.get(&server, "/api/explorer/diamond").await.0, StatusCode::FORBIDDEN);
        assert_eq!(browser.get(&server, "/api/explorer/diagonal").await.0, StatusCode::OK);
    }
    assert_eq!(Browser::default().get(&server, "/api/explorer/diamond").await.0, StatusCode::OK);
    act(&server, &mut bob, &id, json!({"type": "resign"})).await;
    assert_eq!(ann.get(&server, "/api/explorer/diamond").await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn name_of_a_deleted_account_is_removed_from_the_explorer() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let id = begin(&server, [&mut ann, &mut bob], true, "public", &[0, 0]).await;
    act(&server, &mut bob, &id, json!({"type": "resign"})).await;
    explore(&server, "", 1).await;
    let deleted =
        bob.request(&server, Method::POST, "/api/account/delete", Some(json!({"password": PASSWORD}))).await;
    assert!(deleted.0.is_success(), "{deleted:?}");
    let answer = explore(&server, "", 1).await;
    assert_eq!(answer["recentGames"][0]["id"], json!(id));
    assert!(!answer.to_string().contains("Bob"), "{answer}");
    assert!(answer.to_string().contains("Ann"), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_three_are_explored_by_the_place_of_the_mover() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default(), Browser::default()];
    let link = json!({"kind": "link"});
    let body = json!({"variant": "threearmies", "seats": [{"kind": "me"}, link, link],
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    let (status, game) = players[0].post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap().to_owned();
    for player in players.iter_mut().skip(1) {
        player.post(&server, &format!("/api/games/{id}/join"), json!({})).await;
    }
    let mut first = String::new();
    for ply in 0..4 {
        let player = &mut players[ply % 3];
        let (_, game) = player.get(&server, &format!("/api/games/{id}")).await;
        let played = game["state"]["moves"][0].clone();
        if ply == 0 {
            first = played.as_str().unwrap().to_owned();
        }
        act(&server, player, &id, json!({"type": "move", "move": played, "ply": ply})).await;
    }
    // While it is played, its players get no help.
    let (status, problem) = players[2].get(&server, "/api/explorer/threearmies").await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("own_game")), "{problem}");
    for player in [1, 2] {
        act(&server, &mut players[player], &id, json!({"type": "resign"})).await;
    }
    let start = explore_game(&server, "threearmies", "", 1).await;
    assert_eq!([&start["white"], &start["black"]], [1, 0], "Red came first");
    assert_eq!((&start["moves"][0]["uci"], &start["recentGames"][0]["id"]), (&json!(first), &json!(id)));
    let (_, position) =
        players[0].post(&server, "/api/positions", json!({"variant": "threearmies", "moves": [first]})).await;
    let fen = position["steps"][0]["fen"].as_str().unwrap().replace(' ', "%20");
    let second = explore_game(&server, "threearmies", &format!("?fen={fen}"), 1).await;
    assert_eq!([&second["white"], &second["black"]], [0, 1], "Blue did not: {second}");
}
