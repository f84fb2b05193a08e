//! Reporting lines of chat: stored fields, permissions and rate limits.

use crate::common::{Browser, TestServer, database};
use axum::http::StatusCode;
use lozenge_store::Store;
use serde_json::{Value, json};

/// A game between two people in which each has written a line (0 and 1), and a spectator another (2).
async fn game_with_chat(server: &TestServer, private: bool) -> (String, [Browser; 3]) {
    let mut people = [Browser::default(), Browser::default(), Browser::default()];
    let [ann, bob, eve] = &mut people;
    let visibility = if private { "private" } else { "public" };
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "visibility": visibility});
    let (_, game) = ann.post(server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    assert_eq!(bob.post(server, &format!("{path}/join"), json!({})).await.0, StatusCode::OK);
    let chat = |room: &str, text: &str| json!({"type": "chat", "room": room, "text": text});
    let actions = format!("{path}/actions");
    assert_eq!(ann.post(server, &actions, chat("players", "good luck")).await.0, StatusCode::OK);
    assert_eq!(bob.post(server, &actions, chat("players", "an ugly line")).await.0, StatusCode::OK);
    if !private {
        eve.post(server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
        assert_eq!(eve.post(server, &actions, chat("spectators", "play h5")).await.0, StatusCode::OK);
    }
    (path, people)
}

async fn stored_reports(server: &TestServer) -> Vec<lozenge_store::ChatReport> {
    Store::reports(&database(server.folder()).await, 0, 100, false).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_store_line_reporter_author_game_and_time() {
    let server = TestServer::new().await;
    let (path, [mut ann, mut bob, mut eve]) = game_with_chat(&server, false).await;
    let (status, answer) = ann.post(&server, &format!("{path}/chat/1/report"), Value::Null).await;
    assert_eq!((status, &answer["text"]), (StatusCode::CREATED, &json!("an ugly line")), "{answer}");
    assert!(answer["words"].as_str().unwrap().starts_with("Thank you"));
    // Once more changes nothing.
    assert_eq!(ann.post(&server, &format!("{path}/chat/1/report"), Value::Null).await.0, StatusCode::CREATED);
    let reports = stored_reports(&server).await;
    let (_, ann_account) = ann.get(&server, "/api/account").await;
    let (_, bob_account) = bob.get(&server, "/api/account").await;
    let [report] = reports.as_slice() else { panic!("expected one report, found {reports:?}") };
    assert_eq!(format!("/api/games/{}", report.game), path);
    assert_eq!((report.number, report.room.as_str(), report.line.as_str()), (1, "players", "an ugly line"));
    assert_eq!(json!(report.reporter), ann_account["player"]["id"]);
    assert_eq!(json!(report.author), bob_account["player"]["id"]);
    assert!(report.said_at > 0 && report.said_at <= report.at);
    // A spectator's line is reported by another spectator, who has done nothing yet.
    let mut stranger = Browser::default();
    let line = format!("{path}/chat/2/report");
    assert_eq!(stranger.post(&server, &line, Value::Null).await.0, StatusCode::CREATED);
    assert_eq!(stored_reports(&server).await.len(), 2);
    // Reports survive a restart, and the reporter's account data contains them.
    let server = server.restart().await;
    assert_eq!(stored_reports(&server).await.len(), 2);
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!(data["reports"][0]["line"], "an ugly line");
    assert_eq!(eve.get(&server, "/api/account/data").await.1["reports"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn only_readable_lines_of_others_can_be_reported() {
    let server = TestServer::new().await;
    let (path, [ann, mut bob, eve]) = game_with_chat(&server, false).await;
    let mut people = [ann, eve];
    for (reporter, number, status) in [
        (0, "0", 403), // her own
        (0, "2", 404), // players read spectators only after the game
        (0, "3", 404), // no such line
        (0, "-1", 404),
        (0, "x", 404),
        (1, "1", 404), // spectators do not read players
        (1, "2", 403), // her own
    ] {
        let (found, problem) =
            people[reporter].post(&server, &format!("{path}/chat/{number}/report"), Value::Null).await;
        assert_eq!(found.as_u16(), status, "{number}: {problem}");
    }
    let [mut ann, _] = people;
    bob.post(&server, &format!("{path}/actions"), json!({"type": "resign"})).await;
    assert_eq!(
        ann.post(&server, &format!("{path}/chat/2/report"), Value::Null).await.0,
        StatusCode::CREATED,
        "after the game players read all"
    );
    let (hidden, [_, _, mut eve]) = game_with_chat(&server, true).await;
    assert_eq!(
        eve.post(&server, &format!("{hidden}/chat/0/report"), Value::Null).await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(stored_reports(&server).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_are_rate_limited() {
    let server = TestServer::new().await;
    let (path, [mut ann, mut bob, _]) = game_with_chat(&server, false).await;
    for number in 0..6 {
        let text = json!({"type": "chat", "room": "players", "text": format!("line {number}")});
        bob.post(&server, &format!("{path}/actions"), text).await;
    }
    let mut statuses = Vec::new();
    for number in [1, 3, 4, 5, 6, 7, 8] {
        let path = format!("{path}/chat/{number}/report");
        statuses.push(ann.post(&server, &path, Value::Null).await.0.as_u16());
    }
    assert_eq!(statuses, [201, 201, 201, 201, 201, 201, 429]);
    // Many people report one line: it is known by the tenth.
    for _ in 0..12 {
        let mut stranger = Browser::default();
        let (status, _) = stranger.post(&server, &format!("{path}/chat/2/report"), Value::Null).await;
        assert_eq!(status, StatusCode::CREATED);
    }
    let reports = stored_reports(&server).await;
    assert_eq!(reports.iter().filter(|report| report.number == 2).count(), 10);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_in_reports_are_deleted_with_the_account() {
    let server = TestServer::new().await;
    let (path, [mut ann, mut bob, _]) = game_with_chat(&server, false).await;
    for (browser, name) in [(&mut ann, "Ann"), (&mut bob, "Bob")] {
        let account = json!({"name": name, "password": "a long password"});
        assert_eq!(browser.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    }
    let line = json!({"type": "chat", "room": "players", "text": "worse"});
    bob.post(&server, &format!("{path}/actions"), line).await;
    ann.post(&server, &format!("{path}/chat/3/report"), Value::Null).await;
    assert_eq!(stored_reports(&server).await[0].author_name, "Bob");
    let proof = json!({"password": "a long password"});
    assert_eq!(bob.post(&server, "/api/account/delete", proof).await.0, StatusCode::OK);
    assert_eq!(stored_reports(&server).await[0].author_name, "Guest");
    assert_eq!(stored_reports(&server).await[0].reporter_name, "Ann");
}
