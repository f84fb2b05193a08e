//! Endgame tables by the API.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode};
use serde_json::Value;
use std::time::{Duration, Instant};

async fn look_up(server: &TestServer, game: &str, fen: &str) -> (StatusCode, Value) {
    let fen = fen.replace(' ', "%20");
    Browser::default().get(server, &format!("/api/tables/{game}?fen={fen}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_position_with_few_pieces_has_a_value_and_so_has_every_move() {
    let server = TestServer::new().await;
    let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1";
    let (status, answer) = look_up(&server, "diamond", fen).await;
    assert_eq!((status, answer["category"].as_str()), (StatusCode::OK, Some("win")), "{answer}");
    let moves = answer["moves"].as_array().unwrap();
    assert!(moves.len() > 5);
    // The best move comes first and is worth what the position is.
    assert_eq!((&moves[0]["category"], &moves[0]["distance"]), (&answer["category"], &answer["distance"]));
    assert!(moves[0]["uci"].is_string() && moves[0]["san"].is_string());

    let rook = fen.replace('A', "R");
    let (status, answer) = look_up(&server, "diamond", &rook).await;
    assert_eq!((status, answer["category"].as_str()), (StatusCode::OK, Some("draw")), "{answer}");
    assert!(answer["distance"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_without_a_table_are_not_found() {
    let server = TestServer::new().await;
    let many = "****k****/***3***/**5**/*7*/4*4/*7*/**1AV2**/***3***/****K**** w - - 0 1";
    let (status, problem) = look_up(&server, "diamond", many).await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    let (status, _) = look_up(&server, "chess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, _) = look_up(&server, "diamond", "nonsense").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test(flavor = "multi_thread")]
async fn drills_are_won_positions_of_their_class() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    let (_, tables) = browser.get(&server, "/api/tables").await;
    let games: Vec<&str> =
        tables.as_array().unwrap().iter().filter_map(|game| game["variant"].as_str()).collect();
    assert_eq!(games, ["diagonal", "diamond", "diamondback", "diamondring", "doublediamond"]);
    assert!(tables.as_array().unwrap().iter().all(|game| game["pieces"] == 3), "{tables}");

    let (status, drills) = browser.get(&server, "/api/drills/diamond").await;
    let names: Vec<&str> =
        drills["classes"].as_array().unwrap().iter().filter_map(|class| class["name"].as_str()).collect();
    assert_eq!((status, &names[..]), (StatusCode::OK, &["KVvK", "KAvK", "KPvK"][..]));
    for name in names {
        let (status, drill) = browser.get(&server, &format!("/api/drills/diamond/{name}")).await;
        assert_eq!(status, StatusCode::OK, "{drill}");
        let (_, answer) = look_up(&server, "diamond", drill["fen"].as_str().unwrap()).await;
        assert_eq!((&answer["category"], &answer["distance"]), (&Value::from("win"), &drill["distance"]));
        let is_lost = |played: &Value| played["category"] != "win";
        assert!(
            answer["moves"].as_array().unwrap().iter().any(is_lost),
            "{name} is won by every move: {drill}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn there_are_no_drills_of_other_classes_and_games() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    for game in ["diamondring", "chess"] {
        let (status, drills) = browser.get(&server, &format!("/api/drills/{game}")).await;
        assert_eq!((status, drills["classes"].as_array().map(Vec::len)), (StatusCode::OK, Some(0)), "{game}");
    }
    for path in
        ["/api/drills/nothing", "/api/drills/diamond/KRvK", "/api/drills/chess/KQvK", "/api/drills/diamond/~"]
    {
        assert_eq!(browser.get(&server, path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}

/// As on a fresh installation, without any file.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_site_makes_its_tables_and_the_engine_uses_them() {
    let folder = tempfile::TempDir::new().unwrap();
    let tables = folder.path().join("tables");
    let server = TestServer::with(|config| {
        config.tables = Some(tables.clone());
        config.install_tables = Some(Duration::ZERO);
    })
    .await;
    let file = tables.join("diamond/KAvK.lzt");
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no table is made");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let fen = "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1";
    let (status, answer) = look_up(&server, "diamond", fen).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let distance = answer["distance"].as_i64().unwrap();
    // Too few nodes to find the mate without tables.
    let body = serde_json::json!({"variant": "diamond", "fen": fen, "depth": 2});
    let response = Browser::default().raw(&server, Method::POST, "/api/analyse", Some(body)).await;
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let lines = String::from_utf8(bytes.to_vec()).unwrap();
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!(last["lines"][0]["score"]["mate"].as_i64(), Some((distance + 1) / 2), "{lines}");
    // The next start has the files.
    drop(server.stop().await);
    let server = TestServer::with(|config| config.tables = Some(tables.clone())).await;
    let (_, again) = look_up(&server, "diamond", fen).await;
    assert_eq!(again, answer);
}
