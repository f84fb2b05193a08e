//! Seeks in the lobby: restarts, expiry, limits, rating ranges and the stream.

use crate::common::{Browser, TestServer, database};
use axum::http::{Method, StatusCode};
use futures_util::StreamExt as _;
use lozenge_store::{SeekFilter, Store};
use serde_json::{Value, json};
use std::time::Duration;

fn by_correspondence(days: u32) -> Value {
    json!({"variant": "diamondring", "clock": {"kind": "correspondence", "days": days}})
}

fn live() -> Value {
    json!({"variant": "diamond", "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}})
}

async fn seek(browser: &mut Browser, server: &TestServer, terms: Value) -> Value {
    let (status, created) = browser.post(server, "/api/seeks", terms).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    created
}

#[tokio::test(flavor = "multi_thread")]
async fn correspondence_seeks_survive_restarts_until_accepted_or_withdrawn() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let first = seek(&mut ann, &server, by_correspondence(3)).await["seek"].clone();
    let second = seek(&mut ann, &server, by_correspondence(5)).await["seek"].clone();
    seek(&mut ann, &server, live()).await;
    // After a registration the seeks show the new name, too.
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/register", account).await.0, StatusCode::OK);

    let server = server.restart().await;
    let (_, list) = ann.get(&server, "/api/seeks").await;
    let names: Vec<_> = list.as_array().unwrap().iter().map(|item| &item["player"]["name"]).collect();
    assert_eq!(names, ["Ann", "Ann"], "{list}");
    assert_eq!((&list[0]["id"], &list[1]["id"]), (&second["id"], &first["id"]));
    assert!(list[0]["yours"] == true && list[0]["clock"] == second["clock"]);
    // Withdrawn for good.
    let path = format!("/api/seeks/{}", second["id"].as_str().unwrap());
    assert_eq!(bob.request(&server, Method::DELETE, &path, None).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(ann.request(&server, Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);

    let server = server.restart().await;
    let (_, list) = bob.get(&server, "/api/seeks").await;
    assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
    // Accepted while its creator is away: the game is there for both, under the current name.
    let path = format!("/api/seeks/{}/accept", first["id"].as_str().unwrap());
    let (status, accepted) = bob.post(&server, &path, Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{accepted}");
    assert_eq!(bob.post(&server, &path, Value::Null).await.0, StatusCode::NOT_FOUND);
    let server = server.restart().await;
    assert_eq!(bob.get(&server, "/api/seeks").await.1, json!([]), "accepted for good");
    let (_, games) = ann.get(&server, "/api/games?player=me").await;
    assert_eq!(games[0]["id"], accepted["game"]);
    let (_, game) = ann.get(&server, &format!("/api/games/{}", accepted["game"].as_str().unwrap())).await;
    assert!(game["white"]["name"] == "Ann" || game["black"]["name"] == "Ann", "{game}");
    assert_eq!(game["state"]["status"], "started");
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_seek_is_matched_after_a_restart() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    seek(&mut ann, &server, by_correspondence(7)).await;
    let server = server.restart().await;
    let matched = seek(&mut bob, &server, by_correspondence(7)).await;
    assert!(matched["game"].is_string(), "{matched}");
    let server = server.restart().await;
    assert_eq!(bob.get(&server, "/api/seeks").await.1, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn seeks_are_limited_expire_and_are_deleted_with_the_account() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    for days in 1..=5 {
        seek(&mut ann, &server, by_correspondence(days)).await;
    }
    assert_eq!(ann.post(&server, "/api/seeks", by_correspondence(6)).await.0, StatusCode::CONFLICT);
    let server = server.restart().await;
    assert_eq!(
        ann.post(&server, "/api/seeks", by_correspondence(6)).await.0,
        StatusCode::CONFLICT,
        "the bound holds after a restart"
    );
    // One is two weeks old.
    let old = seek(&mut bob, &server, by_correspondence(9)).await["seek"].clone();
    let two_weeks_ago = old["created_at"].as_i64().unwrap() - 14 * 24 * 60 * 60_000;
    let mut connection =
        <sqlx::AnyConnection as sqlx::Connection>::connect(&database(server.folder()).await).await.unwrap();
    sqlx::query("UPDATE seeks SET created_at = $1 WHERE id = $2")
        .bind(two_weeks_ago)
        .bind(old["id"].as_str().unwrap())
        .execute(&mut connection)
        .await
        .unwrap();
    let server = server.restart().await;
    assert_eq!(bob.get(&server, "/api/seeks").await.1.as_array().unwrap().len(), 5);
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!(data["seeks"].as_array().unwrap().len(), 5);
    let proof = json!({"password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/delete", proof).await.0, StatusCode::OK);
    assert_eq!(bob.get(&server, "/api/seeks").await.1, json!([]));
    let server = server.restart().await;
    assert_eq!(bob.get(&server, "/api/seeks").await.1, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seek_with_an_empty_rating_range_is_refused() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let terms =
        |least: i32, most: i32| json!({"variant": "diamond", "rating_min": least, "rating_max": most});
    let (status, problem) = ann.post(&server, "/api/seeks", terms(1600, 1400)).await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid")));
    assert_eq!(ann.post(&server, "/api/seeks", terms(1500, 1500)).await.0, StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn live_seeks_are_removed_when_a_live_game_starts() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let waiting = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", waiting).await;
    let join = format!("/api/games/{}/join", game["id"].as_str().unwrap());
    seek(&mut ann, &server, live()).await;
    seek(&mut ann, &server, by_correspondence(3)).await;
    let count = async || Browser::default().get(&server, "/api/seeks").await.1.as_array().unwrap().len();
    let wait_for_count = async |expected: usize| {
        let mut tries = 0;
        while count().await != expected {
            tries += 1;
            assert!(tries < 500, "expected {expected} seeks, found {}", count().await);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    // Her own waiting game does not count as started.
    assert_eq!(ann.post(&server, &join, json!({})).await.0, StatusCode::OK);
    assert_eq!(count().await, 2);
    assert_eq!(bob.post(&server, &join, json!({})).await.0, StatusCode::OK);
    // Only the correspondence seek stays.
    wait_for_count(1).await;
    // A game from two matching seeks removes live seeks, too.
    seek(&mut ann, &server, json!({"variant": "diagonal"})).await;
    let matched = seek(&mut ann, &server, live()).await;
    assert!(matched["seek"].is_object(), "{matched}");
    let matched = seek(&mut bob, &server, live()).await;
    wait_for_count(1).await;
    // So does a rematch.
    let actions = format!("/api/games/{}/actions", matched["game"].as_str().unwrap());
    assert_eq!(bob.post(&server, &actions, json!({"type": "resign"})).await.0, StatusCode::OK);
    seek(&mut ann, &server, live()).await;
    for browser in [&mut bob, &mut ann] {
        assert_eq!(count().await, 2);
        assert_eq!(browser.post(&server, &actions, json!({"type": "rematch"})).await.0, StatusCode::OK);
    }
    wait_for_count(1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rating_range_is_shown_and_enforced() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    // A player without a rating counts as 1500.
    let mut terms = by_correspondence(3);
    (terms["rating_min"], terms["rating_max"]) = (json!(1600), json!(1900));
    let created = seek(&mut ann, &server, terms).await["seek"].clone();
    let server = server.restart().await;
    let (_, list) = bob.get(&server, "/api/seeks").await;
    assert_eq!((&list[0]["rating_min"], &list[0]["rating_max"]), (&json!(1600), &json!(1900)));
    let path = format!("/api/seeks/{}/accept", created["id"].as_str().unwrap());
    let (status, problem) = bob.post(&server, &path, Value::Null).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("rating_out_of_range")));
    // Nor does it meet a seek of the same.
    let same = seek(&mut bob, &server, by_correspondence(3)).await;
    assert!(same["seek"].is_object(), "{same}");
}

#[tokio::test(flavor = "multi_thread")]
async fn seeks_deleted_by_the_host_leave_the_running_lobby() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    seek(&mut ann, &server, by_correspondence(2)).await;
    let first = seek(&mut bob, &server, by_correspondence(3)).await["seek"].clone();
    seek(&mut bob, &server, by_correspondence(4)).await;
    let url = database(server.folder()).await;
    let listed = Store::list_seeks(&url).await.unwrap();
    let seen: Vec<_> = listed.iter().map(|seek| (seek.name.as_deref(), seek.days)).collect();
    assert_eq!(seen.len(), 3);
    assert!(seen.contains(&(Some("Ann"), 2)) && seen.contains(&(None, 3)) && seen.contains(&(None, 4)));
    let id = first["id"].as_str().unwrap().to_owned();
    assert_eq!(Store::clear_seeks(&url, &SeekFilter::Id(id)).await.unwrap(), 1);
    assert_eq!(Store::clear_seeks(&url, &SeekFilter::Guests).await.unwrap(), 1);
    let mut tries = 0;
    while bob.get(&server, "/api/seeks").await.1.as_array().unwrap().len() != 1 {
        tries += 1;
        assert!(tries < 600, "the lobby still has the deleted seeks");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(Store::clear_seeks(&url, &SeekFilter::Player("ann".into())).await.unwrap(), 1);
    assert_eq!(Store::list_seeks(&url).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_sends_the_list_once_and_then_changes() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let old = seek(&mut ann, &server, by_correspondence(3)).await["seek"].clone();
    let response = bob.raw(&server, Method::GET, "/api/seeks/stream", None).await;
    let (mut body, mut text) = (response.into_body().into_data_stream(), String::new());
    let mut next = async || {
        loop {
            if let Some((line, rest)) = text.split_once('\n') {
                let (line, rest) = (line.to_owned(), rest.to_owned());
                text = rest;
                if !line.is_empty() {
                    return serde_json::from_str::<Value>(&line).unwrap();
                }
                continue;
            }
            let read = tokio::time::timeout(Duration::from_secs(60), body.next()).await.expect("a message");
            text += std::str::from_utf8(&read.unwrap().unwrap()).unwrap();
        }
    };
    let list = next().await;
    assert_eq!((&list["type"], &list["seeks"][0]["id"]), (&json!("seeks"), &old["id"]));
    let new = seek(&mut ann, &server, by_correspondence(5)).await["seek"].clone();
    let mut events = vec![next().await];
    let path = format!("/api/seeks/{}", old["id"].as_str().unwrap());
    assert_eq!(ann.request(&server, Method::DELETE, &path, None).await.0, StatusCode::NO_CONTENT);
    // The two come in one message or in two.
    if events[0]["removed"] == json!([]) {
        events.push(next().await);
    }
    let mut version = list["version"].as_u64().unwrap();
    for event in &events {
        version += 1;
        assert_eq!((&event["type"], &event["version"]), (&json!("changes"), &json!(version)));
    }
    assert_eq!(events[0]["added"][0]["id"], new["id"]);
    assert_eq!(events.last().unwrap()["removed"], json!([old["id"]]));
}
