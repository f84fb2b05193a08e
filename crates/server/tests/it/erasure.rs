//! Deleted accounts: nothing of them stays in the database, in its rows or in the free space of its files.

use crate::common::{Browser, TestServer, both_move, database, register};
use axum::http::StatusCode;
use lozenge_store::{Moderator, Sanction};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _, Executor as _};
use std::path::Path;
use std::time::Duration;

const PROOF: &str = "a long password";

/// The review of a game, once it is finished.
async fn review(server: &TestServer, browser: &mut Browser, game: &str) -> Value {
    let path = format!("/api/games/{game}/review");
    assert!(browser.post(server, &path, json!({})).await.0.is_success());
    for _ in 0..600 {
        let (status, found) = browser.get(server, &path).await;
        if status == StatusCode::OK {
            return found["games"][0].clone();
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the review is not finished");
}

/// A finished game between two, White first.
async fn finished_game(server: &TestServer, white: &mut Browser, black: &mut Browser) -> String {
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = white.post(server, "/api/games", body).await;
    let id = game["id"].as_str().unwrap().to_owned();
    black.post(server, &format!("/api/games/{id}/join"), json!({})).await;
    both_move(server, [&mut *white, &mut *black], &id).await;
    let path = format!("/api/games/{id}/actions");
    let line = json!({"type": "chat", "room": "players", "text": "hello"});
    assert_eq!(white.post(server, &path, line).await.0, StatusCode::OK);
    assert_eq!(black.post(server, &path, json!({"type": "resign"})).await.0, StatusCode::OK);
    id
}

/// The names of the files in a folder that contain a text, in any case.
fn files_with(folder: &Path, text: &str) -> Vec<String> {
    let text = text.to_lowercase().into_bytes();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.is_file())
        .filter(|path| {
            let bytes = std::fs::read(path).unwrap().to_ascii_lowercase();
            bytes.windows(text.len()).any(|window| window == text)
        })
        .map(|path| path.display().to_string())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_database_files_hold_nothing_of_a_deleted_account() {
    let server = TestServer::new().await;
    let url = database(server.folder()).await;
    if !url.starts_with("sqlite") {
        return;
    }
    let mut ann = register(&server, "Annabelle_Q").await;
    let mut bob = register(&server, "Bob").await;
    let (_, account) = ann.get(&server, "/api/account").await;
    let id = account["player"]["id"].as_str().unwrap().to_owned();
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    connection.execute("PRAGMA secure_delete = ON").await.unwrap();
    sqlx::query("UPDATE users SET email = $1, email_key = $1 WHERE id = $2")
        .bind("annabelle@mail.example")
        .bind(id.as_str())
        .execute(&mut connection)
        .await
        .unwrap();
    let (hash,): (String,) = sqlx::query_as("SELECT password FROM users WHERE id = $1")
        .bind(id.as_str())
        .fetch_one(&mut connection)
        .await
        .unwrap();
    connection.close().await.unwrap();

    let game = finished_game(&server, &mut ann, &mut bob).await;
    assert_eq!(review(&server, &mut bob, &game).await["white"], "Annabelle_Q");
    let pgn = "[Variant \"Gardner Minichess\"]\n[White \"Annabelle_Q\"]\n[Black \"Bob\"]\n\n1. a3 bxa3 *\n";
    let (_, imported) =
        ann.post(&server, "/api/games/import", json!({"pgn": pgn, "variant": "gardner"})).await;
    let imported = imported["id"].as_str().unwrap().to_owned();
    assert_eq!(review(&server, &mut ann, &imported).await["white"], "Annabelle_Q");
    for (path, body) in [
        ("/api/tokens", json!({"label": "Annabelle_Q's", "scopes": ["read"]})),
        ("/api/seeks", json!({"variant": "diamondback", "clock": {"kind": "correspondence", "days": 3}})),
        ("/api/studies", json!({"name": "Annabelle_Q's openings"})),
        (&format!("/api/games/{game}/chat/0/report"), Value::Null),
    ] {
        let _ = ann.post(&server, path, body).await;
    }
    let report = bob.post(&server, &format!("/api/games/{game}/chat/0/report"), Value::Null).await;
    assert_eq!(report.0, StatusCode::CREATED, "{}", report.1);
    let deleted = ann.post(&server, "/api/account/delete", json!({"password": PROOF})).await;
    assert_eq!(deleted.0, StatusCode::OK, "{}", deleted.1);
    assert_eq!(review(&server, &mut bob, &game).await["white"], "Guest");
    for path in [format!("/analysis/{imported}"), format!("/api/games/{imported}/review")] {
        assert_eq!(bob.get(&server, &path).await.0, StatusCode::NOT_FOUND, "{path}");
    }

    let folder = server.stop().await;
    assert!(!files_with(folder.path(), "bob").is_empty(), "Bob is still there");
    for text in ["Annabelle", "annabelle@mail.example", &id, hash.as_str()] {
        assert_eq!(files_with(folder.path(), text), [] as [&str; 0], "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_show_the_name_of_a_renamed_account() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let game = finished_game(&server, &mut ann, &mut bob).await;
    assert_eq!(review(&server, &mut bob, &game).await["white"], "Ann");
    let mut moderator = Moderator::open(&database(server.folder()).await).await.unwrap();
    moderator.sanction("Ann", &Sanction::Rename { name: "Cleo".into() }).await.unwrap();
    for _ in 0..200 {
        if review(&server, &mut bob, &game).await["white"] == "Cleo" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the review still shows the old name");
}

/// Names that an earlier version has stored with reviews.
#[tokio::test(flavor = "multi_thread")]
async fn names_in_older_reviews_are_erased_at_the_next_start() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let game = finished_game(&server, &mut ann, &mut bob).await;
    review(&server, &mut bob, &game).await;
    let mut connection = AnyConnection::connect(&database(server.folder()).await).await.unwrap();
    for statement in [
        "UPDATE reviews SET data = REPLACE(data, '\"white\":\"\"', '\"white\":\"Xaveria\"')",
        "INSERT INTO named_reviews (game) SELECT game FROM reviews",
    ] {
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    }
    let named = "SELECT COUNT(*) FROM reviews WHERE data LIKE '%Xaveria%'";
    let count = async |connection: &mut AnyConnection| {
        sqlx::query_as::<_, (i64,)>(named).fetch_one(connection).await.unwrap().0
    };
    assert_eq!(count(&mut connection).await, 1);
    let server = server.restart().await;
    assert_eq!(count(&mut connection).await, 0);
    assert_eq!(review(&server, &mut bob, &game).await["white"], "Ann");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_about_a_deleted_account_can_be_closed() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let game = finished_game(&server, &mut ann, &mut bob).await;
    bob.post(&server, &format!("/api/games/{game}/chat/0/report"), Value::Null).await;
    let url = database(server.folder()).await;
    let report = lozenge_store::Store::reports(&url, 0, 10, false).await.unwrap().remove(0);
    let mut moderator = Moderator::open(&url).await.unwrap();
    assert_eq!(moderator.close_report(&report.id).await.unwrap().as_deref(), Some(report.author.as_str()));
    ann.post(&server, "/api/account/delete", json!({"password": PROOF})).await;
    assert_eq!(moderator.close_report(&report.id).await.unwrap(), None);
}
