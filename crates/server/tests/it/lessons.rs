//! Lessons by the API: the same course each time, in the reader's language, and none of a game that is not there.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use serde_json::json;

#[tokio::test]
async fn every_built_in_game_has_lessons_by_the_api() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    for game in ["diamond", "diamondring", "chess"] {
        let address = format!("/api/lessons/{game}");
        let (status, course) = browser.get(&server, &address).await;
        assert_eq!(status, StatusCode::OK, "{course}");
        assert_eq!(course["variant"], json!(game));
        assert!(course["stages"].as_array().is_some_and(|stages| stages.len() > 4), "{course}");
        assert_eq!(browser.get(&server, &address).await.1, course);
    }
    assert_eq!(browser.get(&server, "/api/lessons/nothing").await.0, StatusCode::NOT_FOUND);
}
