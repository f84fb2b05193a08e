//! Endgame tables by the API.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use serde_json::Value;

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
