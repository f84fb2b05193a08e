//! The epoch of a game, which the statement that writes its moves compares: a server cannot write to a game that it does
//! not own. On both databases; and PostgreSQL's schema when a newer server has changed it.

use crate::common::{Browser, TestServer, database};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};
use tempfile::TempDir;

/// A database on PostgreSQL and its folder; none where there is no server, which has to be there in CI.
async fn postgres() -> Option<(TempDir, String)> {
    let Ok(postgres_url) = std::env::var("LOZENGE_TEST_POSTGRES") else {
        assert!(std::env::var_os("CI").is_none(), "LOZENGE_TEST_POSTGRES names no server");
        return None;
    };
    let folder = TempDir::new().unwrap();
    let url = crate::common::postgres(folder.path(), &postgres_url).await;
    Some((folder, url))
}

async fn begin(server: &TestServer, players: &mut [Browser; 2]) -> String {
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let (status, _) = players[1].post(server, &format!("{path}/join"), json!({})).await;
    assert_eq!(status, StatusCode::OK);
    path
}

async fn play(server: &TestServer, players: &mut [Browser; 2], path: &str) -> StatusCode {
    let (_, game) = players[0].get(server, path).await;
    let ply = game["history"].as_array().unwrap().len();
    let moves = game["state"]["moves"].as_array().unwrap();
    let action = json!({"type": "move", "move": moves[ply % moves.len()], "ply": ply});
    players[ply % 2].post(server, &format!("{path}/actions"), action).await.0
}

async fn check(server: TestServer, url: &str) {
    let mut players = [Browser::default(), Browser::default()];
    let lost = begin(&server, &mut players).await;
    let mut others = Vec::new();
    for _ in 0..6 {
        let mut players = [Browser::default(), Browser::default()];
        let path = begin(&server, &mut players).await;
        others.push((players, path));
    }
    assert_eq!(play(&server, &mut players, &lost).await, StatusCode::OK);
    let mut connection = AnyConnection::connect(url).await.unwrap();
    let id = lost.rsplit('/').next().unwrap();
    let taken = format!("UPDATE games SET epoch = epoch + 1, owner = 'another' WHERE id = '{id}'");
    sqlx::query(AssertSqlSafe(taken)).execute(&mut connection).await.unwrap();
    let facts = || AssertSqlSafe(format!("SELECT COUNT(*), MAX(seq) FROM facts WHERE game = '{id}'"));
    let before: (i64, i64) = sqlx::query_as(facts()).fetch_one(&mut connection).await.unwrap();
    // Moves of other games in the same batch are written.
    let together = others.iter_mut().map(|(players, path)| play(&server, players, path));
    let (refused, written) =
        tokio::join!(play(&server, &mut players, &lost), futures_util::future::join_all(together));
    assert_eq!(refused, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(written, [StatusCode::OK; 6]);
    assert_eq!(play(&server, &mut players, &lost).await, StatusCode::SERVICE_UNAVAILABLE, "for good");
    let after: (i64, i64) = sqlx::query_as(facts()).fetch_one(&mut connection).await.unwrap();
    assert_eq!(before, after);
    let (_, game) = players[0].get(&server, &lost).await;
    assert_eq!(game["state"]["ply"], Value::from(1), "an unwritten move is not visible");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_cannot_write_to_games_owned_by_another() {
    let server = TestServer::new().await;
    let url = database(server.folder()).await;
    check(server, &url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_cannot_write_to_games_owned_by_another_on_postgresql() {
    let Some((folder, url)) = postgres().await else { return };
    let server = TestServer::on(url.clone(), folder).await;
    check(server, &url).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lone_server_takes_over_abandoned_games() {
    let Some((folder, url)) = postgres().await else { return };
    let server = TestServer::on(url.clone(), folder).await;
    let mut players = [Browser::default(), Browser::default()];
    let path = begin(&server, &mut players).await;
    let folder = server.stop().await;
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    for statement in [
        "INSERT INTO nodes (incarnation, id, address, version, schema, seen_at, until, nats_ok) \
         VALUES ('another', 'b', '', '', 0, 1, 9000000000000, 1)",
        "UPDATE games SET epoch = 7, owner = 'another'",
    ] {
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    }
    let server = TestServer::on(url, folder).await;
    assert_eq!(play(&server, &mut players, &path).await, StatusCode::OK);
    let row: (i64, i64) =
        sqlx::query_as("SELECT epoch, CAST(CASE WHEN owner IS NULL THEN 1 ELSE 0 END AS BIGINT) FROM games")
            .fetch_one(&mut connection)
            .await
            .unwrap();
    assert_eq!(row, (8, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn older_server_starts_on_a_newer_schema_unless_it_is_too_old() {
    let Some((folder, url)) = postgres().await else { return };
    let folder = TestServer::on(url.clone(), folder).await.stop().await;
    let mut connection = AnyConnection::connect(&url).await.unwrap();
    for statement in [
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (9000, 'of a newer server', TRUE, ''::bytea, 0)",
        "ALTER TABLE games ADD COLUMN newer BIGINT NOT NULL DEFAULT 0",
    ] {
        sqlx::query(statement).execute(&mut connection).await.unwrap();
    }
    let server = TestServer::on(url.clone(), folder).await;
    let mut players = [Browser::default(), Browser::default()];
    let path = begin(&server, &mut players).await;
    assert_eq!(play(&server, &mut players, &path).await, StatusCode::OK);
    server.stop().await;
    sqlx::query("UPDATE schema_floor SET oldest = 9000").execute(&mut connection).await.unwrap();
    let refused = lozenge_store::Store::open(&url).await.unwrap_err();
    assert!(refused.to_string().contains("9000"), "{refused}");
}
