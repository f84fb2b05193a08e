//! A database of an earlier version is brought up to date with everything in it.

use crate::common::{Browser, TestServer, both_move, database};
use axum::http::StatusCode;
use serde_json::json;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};
use std::time::Duration;

const PASSWORD: &str = "a long password";

/// Undoes all migrations after the sixth.
const DOWNGRADE: [&str; 79] = [
    "DELETE FROM _sqlx_migrations WHERE version > 6",
    "DROP INDEX games_open",
    "ALTER TABLE games DROP COLUMN open_seats",
    "DROP INDEX games_third",
    "DROP INDEX games_fourth",
    "ALTER TABLE games DROP COLUMN third",
    "ALTER TABLE games DROP COLUMN fourth",
    "ALTER TABLE games DROP COLUMN third_player",
    "ALTER TABLE games DROP COLUMN fourth_player",
    "ALTER TABLE games DROP COLUMN fill",
    "DROP TABLE lesson_stars",
    "DROP TABLE known_networks",
    "DROP INDEX games_unbegun",
    "DROP TABLE reserved_names",
    "DROP TABLE unerased_games",
    "DROP INDEX users_network",
    "DROP INDEX users_name_skeleton",
    "ALTER TABLE users DROP COLUMN name_skeleton",
    "ALTER TABLE users DROP COLUMN closed_at",
    "ALTER TABLE users DROP COLUMN banned_at",
    "ALTER TABLE users DROP COLUMN muted_until",
    "ALTER TABLE users DROP COLUMN network",
    "ALTER TABLE users DROP COLUMN network_at",
    "ALTER TABLE reports DROP COLUMN closed_at",
    "DROP TABLE banned_networks",
    "DROP TABLE moderation",
    "DROP INDEX users_email",
    "ALTER TABLE users DROP COLUMN recovery",
    "ALTER TABLE users DROP COLUMN totp",
    "ALTER TABLE users DROP COLUMN totp_pending",
    "ALTER TABLE users DROP COLUMN totp_step",
    "ALTER TABLE users DROP COLUMN email",
    "ALTER TABLE users DROP COLUMN email_key",
    "DROP TABLE backup_codes",
    "DROP TABLE mail_links",
    "DROP INDEX ratings_rating",
    "DROP TABLE challenges",
    "DROP TABLE server_keys",
    "DROP TABLE push_subscriptions",
    "DROP TABLE imports",
    "DROP TABLE reviews",
    "DROP TABLE named_reviews",
    "DROP TABLE lab_jobs",
    "DROP TABLE variant_pictures",
    "DROP TABLE picture_owners",
    "DROP TABLE pictures",
    "DROP TABLE variant_reports",
    "DROP TABLE variant_comments",
    "DROP TABLE variant_likes",
    "DROP TABLE variant_versions",
    "DROP TABLE variants",
    "DROP TABLE explorer",
    "DROP TABLE explorer_games",
    "DROP TABLE explorer_cursor",
    "DROP TABLE explorer_books",
    "DROP TABLE study_edits",
    "DROP TABLE study_chapters",
    "DROP TABLE study_likes",
    "DROP TABLE study_members",
    "DROP TABLE study_reports",
    "DROP TABLE studies",
    "DROP TABLE seen_solutions",
    "DROP TABLE puzzle_days",
    "DROP TABLE puzzle_ratings",
    "DROP TABLE puzzle_rounds",
    "DROP TABLE puzzle_files",
    "DROP TABLE puzzle_themes",
    "DROP TABLE puzzles",
    "DROP TABLE results",
    "DROP TABLE jobs",
    "DROP TABLE barred_workers",
    "DROP TABLE schema_floor",
    "DROP TABLE nodes",
    "DROP TABLE revocations",
    "DROP INDEX games_owner",
    "ALTER TABLE games DROP COLUMN owner",
    "ALTER TABLE games DROP COLUMN epoch",
    "ALTER TABLE facts DROP COLUMN command",
    "ALTER TABLE seeks DROP COLUMN live_until",
];

async fn run(connection: &mut AnyConnection, statement: &str) {
    sqlx::query(AssertSqlSafe(statement)).execute(connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_of_an_earlier_version_keeps_its_accounts_games_and_ratings() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    for (browser, name) in [(&mut ann, "Ann"), (&mut bob, "Bob")] {
        let account = json!({"name": name, "password": PASSWORD});
        assert_eq!(browser.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    }
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "rated": true,
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    let (status, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap();
    let (status, _) = bob.post(&server, &format!("/api/games/{id}/join"), json!({})).await;
    assert_eq!(status, StatusCode::OK);
    both_move(&server, [&mut ann, &mut bob], id).await;
    let actions = format!("/api/games/{id}/actions");
    assert_eq!(ann.post(&server, &actions, json!({"type": "resign"})).await.0, StatusCode::OK);
    // Games are rated a moment later.
    for _ in 0..100 {
        let (_, data) = bob.get(&server, "/api/account/data").await;
        if data["rating_history"].as_array().is_some_and(|history| !history.is_empty()) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (_, before) = bob.get(&server, &format!("/api/games/{id}")).await;

    // The earlier version deleted an account by an event of its games, and left the name in those before.
    let folder = server.stop().await;
    let url = database(folder.path()).await;
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    for statement in DOWNGRADE {
        run(&mut connection, statement).await;
    }
    run(&mut connection, "ALTER TABLE rating_history DROP COLUMN rating_before").await;
    run(&mut connection, "DELETE FROM users WHERE name = 'Ann'").await;
    run(
        &mut connection,
        "INSERT INTO facts (game, seq, fact) SELECT game, MAX(seq) + 1, '{\"fact\":\"forgotten\",\"color\":\"white\"}' \
         FROM facts GROUP BY game",
    )
    .await;
    run(&mut connection, "UPDATE games SET seq = seq + 1, white_player = NULL, white = NULL").await;
    drop(connection);

    let server = TestServer::on(url.clone(), folder).await;
    let mut bob = Browser::default();
    let sign_in = json!({"name": "Bob", "password": PASSWORD});
    assert_eq!(bob.post(&server, "/api/account/sign-in", sign_in).await.0, StatusCode::OK);
    let (status, after) = bob.get(&server, &format!("/api/games/{id}")).await;
    assert_eq!(status, StatusCode::OK, "{after}");
    for path in ["/state/fen", "/state/result", "/state/ply", "/black/name"] {
        assert!(before.pointer(path).is_some(), "{before}");
        assert_eq!(after.pointer(path), before.pointer(path), "{path}");
    }
    let (_, data) = bob.get(&server, "/api/account/data").await;
    assert_eq!(data["rating_history"].as_array().map(Vec::len), Some(1), "{data}");

    let mut connection = AnyConnection::connect(&url).await.unwrap();
    let (named,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM facts WHERE fact LIKE '%Ann%'")
        .fetch_one(&mut connection)
        .await
        .unwrap();
    assert_eq!(named, 0, "the deleted account is erased from what was written before");
    let (before,): (f64,) =
        sqlx::query_as("SELECT rating_before FROM rating_history").fetch_one(&mut connection).await.unwrap();
    assert!((before - 1500.0).abs() < 1e-9, "{before}");
}
