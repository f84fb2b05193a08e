//! Games by the API: paged lists, starts, ratings and chat.

use crate::common::{Browser, TestServer, both_move, register};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::time::Duration;
use tower::ServiceExt as _;

/// A game of a variant between two, White first, with more fields for the request.
async fn begin(server: &TestServer, players: &mut [Browser; 2], extra: Value) -> Value {
    let mut body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let path = format!("/api/games/{}/join", game["id"].as_str().unwrap());
    let (status, game) = players[1].post(server, &path, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{game}");
    game
}

fn actions(game: &Value) -> String {
    format!("/api/games/{}/actions", game["id"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_rate_limit_sends_retry_after() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default()];
    let game = begin(&server, &mut players, json!({})).await;
    let path = actions(&game);
    for number in 0..8 {
        let line = json!({"type": "chat", "room": "players", "text": format!("line {number}")});
        assert_eq!(players[0].post(&server, &path, line).await.0, StatusCode::OK);
    }
    let line = json!({"type": "chat", "room": "players", "text": "one more"});
    let response = players[0].raw(&server, Method::POST, &path, Some(line.clone())).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = response.headers()[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
    assert!((1..=20).contains(&wait), "{wait}");
    assert_eq!(players[1].post(&server, &path, line).await.0, StatusCode::OK, "the limit is per player");
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_read_page_by_page() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let mut created = HashSet::new();
    for _ in 0..5 {
        let body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
        let (_, game) = ann.post(&server, "/api/games", body).await;
        created.insert(game["id"].as_str().unwrap().to_owned());
    }
    let (mut read, mut before) = (Vec::new(), String::new());
    loop {
        let (_, page) = ann.get(&server, &format!("/api/games?player=me&limit=2{before}")).await;
        let page = page.as_array().unwrap();
        let Some(last) = page.last() else { break };
        before = format!("&before={}&before_id={}", last["updated_at"], last["id"].as_str().unwrap());
        read.extend(page.iter().map(|game| game["id"].as_str().unwrap().to_owned()));
    }
    assert_eq!(read.len(), 5);
    assert_eq!(read.into_iter().collect::<HashSet<_>>(), created);
    for (query, status) in [
        ("limit=0", StatusCode::UNPROCESSABLE_ENTITY),
        ("limit=101", StatusCode::UNPROCESSABLE_ENTITY),
        ("before_id=abc", StatusCode::UNPROCESSABLE_ENTITY),
        ("variant=draughts", StatusCode::NOT_FOUND),
        ("variant=diagonal", StatusCode::OK),
    ] {
        assert_eq!(ann.get(&server, &format!("/api/games?{query}")).await.0, status, "{query}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rematch_starts_with_the_updated_ratings() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default()];
    for (browser, name) in players.iter_mut().zip(["Ann", "Bob"]) {
        let account = json!({"name": name, "password": "a long password"});
        assert_eq!(browser.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    }
    let clock = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    let game = begin(&server, &mut players, json!({"rated": true, "clock": clock})).await;
    assert_eq!((&game["white"]["rating"], &game["black"]["rating"]), (&json!(1500), &json!(1500)));
    let path = actions(&game);
    let [white, black] = &mut players;
    both_move(&server, [white, black], game["id"].as_str().unwrap()).await;
    players[1].post(&server, &path, json!({"type": "resign"})).await;
    // Games are rated a moment later.
    for _ in 0..100 {
        if players[1].get(&server, "/api/account").await.1["ratings"] != json!([]) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for player in &mut players {
        assert_eq!(player.post(&server, &path, json!({"type": "rematch"})).await.0, StatusCode::OK);
    }
    let (_, old) = players[0].get(&server, &format!("/api/games/{}", game["id"].as_str().unwrap())).await;
    let (_, new) = players[0].get(&server, &format!("/api/games/{}", old["next"].as_str().unwrap())).await;
    assert_eq!((&new["white"]["name"], &new["black"]["name"]), (&json!("Bob"), &json!("Ann")));
    assert!(
        new["black"]["rating"].as_i64() > Some(1500) && new["white"]["rating"].as_i64() < Some(1500),
        "{new}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_games_have_no_takebacks_and_no_extra_time() {
    let server = TestServer::new().await;
    let mut players = [register(&server, "Ann").await, register(&server, "Bob").await];
    let clock = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    for (rated, expected) in [(true, 409), (false, 200)] {
        let game = begin(&server, &mut players, json!({"rated": rated, "clock": clock})).await;
        let [white, black] = &mut players;
        both_move(&server, [white, black], game["id"].as_str().unwrap()).await;
        for action in ["takeback", "give_time"] {
            let (status, answer) = players[0].post(&server, &actions(&game), json!({"type": action})).await;
            assert_eq!(status.as_u16(), expected, "{action}: {answer}");
            assert!(!rated || answer["code"] == "rated_game", "{answer}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn aborted_games_are_not_listed() {
    let server = TestServer::new().await;
    let mut players = [register(&server, "Ann").await, register(&server, "Bob").await];
    let game = begin(&server, &mut players, json!({})).await;
    let listed = async |browser: &mut Browser, query: &str| {
        let (_, games) = browser.get(&server, &format!("/api/games?player=Ann{query}")).await;
        games.as_array().unwrap().len()
    };
    assert_eq!(listed(&mut players[0], "").await, 1);
    assert_eq!(players[0].post(&server, &actions(&game), json!({"type": "abort"})).await.0, StatusCode::OK);
    for query in ["", "&status=finished"] {
        assert_eq!(listed(&mut players[0], query).await, 0, "{query}");
    }
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    assert_eq!(players[0].get(&server, &path).await.0, StatusCode::OK, "its address stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_game_reports_rating_changes() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default()];
    for (browser, name) in players.iter_mut().zip(["Ann", "Bob"]) {
        let account = json!({"name": name, "password": "a long password"});
        assert_eq!(browser.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    }
    let clock = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    for rated in [true, false] {
        let game = begin(&server, &mut players, json!({"rated": rated, "clock": clock})).await;
        let id = game["id"].as_str().unwrap().to_owned();
        let [white, black] = &mut players;
        both_move(&server, [white, black], &id).await;
        let (_, before) = players[0].get(&server, &format!("/api/games/{id}")).await;
        assert!(before["state"]["rating_changes"].is_null(), "{before}");
        players[1].post(&server, &actions(&game), json!({"type": "resign"})).await;
        let mut changes = json!(null);
        // Games are rated a moment later.
        for _ in 0..if rated { 100 } else { 4 } {
            let (_, after) = players[0].get(&server, &format!("/api/games/{id}")).await;
            changes = after["state"]["rating_changes"].clone();
            if !changes.is_null() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert_eq!(changes.is_null(), !rated, "{changes}");
        if rated {
            assert_eq!(
                (&changes["white"]["before"], &changes["black"]["before"]),
                (&json!(1500), &json!(1500))
            );
            let [won, lost] = ["white", "black"].map(|side| changes[side]["after"].as_i64().unwrap());
            assert!(won > 1500 && lost < 1500, "{changes}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn start_is_random_unless_chosen() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default()];
    let body = json!({"variant": "diamondback"});
    let mut drawn: HashSet<String> = HashSet::new();
    // Missing one of four in 60 games happens once in ten million times.
    for _ in 0..60 {
        let game = begin(&server, &mut players, body.clone()).await;
        drawn.insert(game["start_fen"].as_str().unwrap().to_owned());
    }
    assert_eq!(drawn.len(), 4);
    let (mut from_seeks, mut from_rematches) = (HashSet::new(), HashSet::new());
    for _ in 0..60 {
        let (_, seek) = players[0].post(&server, "/api/seeks", body.clone()).await;
        let path = format!("/api/seeks/{}/accept", seek["seek"]["id"].as_str().unwrap());
        let (_, accepted) = players[1].post(&server, &path, json!({})).await;
        let path = format!("/api/games/{}", accepted["game"].as_str().unwrap());
        let (_, game) = players[0].get(&server, &path).await;
        from_seeks.insert(game["start_fen"].as_str().unwrap().to_owned());
        players[0].post(&server, &actions(&game), json!({"type": "resign"})).await;
        for player in &mut players {
            player.post(&server, &actions(&game), json!({"type": "rematch"})).await;
        }
        let (_, game) = players[0].get(&server, &path).await;
        let (_, next) =
            players[0].get(&server, &format!("/api/games/{}", game["next"].as_str().unwrap())).await;
        from_rematches.insert(next["start_fen"].as_str().unwrap().to_owned());
    }
    assert_eq!((&from_seeks, &from_rematches), (&drawn, &drawn));
    for _ in 0..8 {
        let game = begin(&server, &mut players, json!({"variant": "diamondback", "start": 3})).await;
        assert!(drawn.contains(game["start_fen"].as_str().unwrap()));
        drawn.retain(|fen| *fen == game["start_fen"]);
    }
    assert_eq!(drawn.len(), 1, "the same each time");
}

#[tokio::test(flavor = "multi_thread")]
async fn chat_cannot_change_the_direction_of_other_text() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default()];
    let game = begin(&server, &mut players, json!({})).await;
    let path = actions(&game);
    for (text, status) in [("gg 👍🏽", 200), ("a\u{202e}b", 422), ("a\u{2028}b", 422), ("a\u{7}b", 422)] {
        let line = json!({"type": "chat", "room": "players", "text": text});
        assert_eq!(players[0].post(&server, &path, line).await.0, status, "{text:?}");
    }
    let account = json!({"name": "Ann", "password": "a long password"});
    players[0].post(&server, "/api/account/register", account).await;
    for (label, status) in [("my\u{1b}[31m bot", 422), ("my bot", 201)] {
        let token = json!({"label": label, "scopes": ["play"]});
        assert_eq!(players[0].post(&server, "/api/tokens", token).await.0, status, "{label:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_of_another_clock_or_opponent_kind_are_refused() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let engine = json!({"kind": "engine", "level": 3});
    for (opponent, clock) in [
        (json!({"kind": "engine", "level": 3, "side": "white"}), Value::Null),
        (json!({"kind": "link", "level": 3}), Value::Null),
        (engine.clone(), json!({"kind": "live", "initial_s": 60, "increment_s": 1, "days": 3})),
        (engine.clone(), json!({"kind": "correspondence", "days": 3, "increment_s": 1})),
        (engine, json!({"kind": "live", "initial_s": 60})),
    ] {
        let body = json!({"variant": "diamond", "opponent": opponent, "clock": clock});
        let (status, problem) = ann.post(&server, "/api/games", body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ping_is_accepted_during_and_after_a_game() {
    let server = TestServer::new().await;
    let mut players = [Browser::default(), Browser::default()];
    let game = begin(&server, &mut players, json!({})).await;
    for kind in ["ping", "resign", "ping"] {
        assert_eq!(players[0].post(&server, &actions(&game), json!({"type": kind})).await.0, StatusCode::OK);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn qr_code_of_a_too_long_host_is_a_client_error() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}/qr.svg", game["id"].as_str().unwrap());
    for (length, status) in [(259, StatusCode::OK), (4_000, StatusCode::UNPROCESSABLE_ENTITY)] {
        let request =
            Request::get(&path).header(header::HOST, "h".repeat(length)).body(Body::empty()).unwrap();
        assert_eq!(server.router.clone().oneshot(request).await.unwrap().status(), status, "{length}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn database_errors_are_not_sent_to_clients() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let new_game = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", new_game.clone()).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    assert_eq!(bob.post(&server, &format!("{path}/join"), json!({})).await.0, StatusCode::OK);
    let url = crate::common::database(server.folder()).await;
    let mut database = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::query("ALTER TABLE facts RENAME TO facts_away").execute(&mut database).await.unwrap();
    let played = json!({"type": "move", "move": game["state"]["moves"][0], "ply": 0});
    for (path, body) in [(format!("{path}/actions"), played.clone()), ("/api/games".to_owned(), new_game)] {
        let (status, problem) = ann.post(&server, &path, body).await;
        assert_eq!((status, &problem["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")));
        let text = problem.to_string();
        assert!(!text.contains("facts") && !text.contains("code:"), "{text}");
    }
    sqlx::query("ALTER TABLE facts_away RENAME TO facts").execute(&mut database).await.unwrap();
    assert_eq!(ann.post(&server, &format!("{path}/actions"), played).await.0, StatusCode::OK);
}

/// Anyone could join a game without seats.
#[tokio::test]
async fn a_game_and_its_seats_are_one_transaction() {
    let server = TestServer::new().await;
    let database = crate::common::database(server.folder()).await;
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&database).await.unwrap();
    sqlx::query("ALTER TABLE facts RENAME TO facts_away").execute(&mut connection).await.unwrap();
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (status, _) = Browser::default().post(&server, "/api/games", body.clone()).await;
    assert!(status.is_server_error(), "{status}");
    sqlx::query("ALTER TABLE facts_away RENAME TO facts").execute(&mut connection).await.unwrap();
    let count = "SELECT CAST(COUNT(*) AS BIGINT) FROM games";
    let (games,): (i64,) = sqlx::query_as(count).fetch_one(&mut connection).await.unwrap();
    assert_eq!(games, 0, "a game without seats");
    let (status, _) = Browser::default().post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED);
}

/// Lets a row of a table be deleted only where there is a game already: in the transaction that makes it.
async fn reject_deletes_before_the_first_game(database: &mut sqlx::AnyConnection, url: &str, table: &str) {
    let statements = if url.starts_with("sqlite") {
        vec![format!(
            "CREATE TRIGGER keep_{table} BEFORE DELETE ON {table} WHEN NOT EXISTS (SELECT 1 FROM games) \
             BEGIN SELECT RAISE(ABORT, 'no game'); END"
        )]
    } else {
        vec![
            format!(
                "CREATE FUNCTION keep_{table}() RETURNS trigger AS $$ BEGIN IF NOT EXISTS (SELECT 1 FROM games) \
                 THEN RAISE EXCEPTION 'no game'; END IF; RETURN OLD; END $$ LANGUAGE plpgsql"
            ),
            format!(
                "CREATE TRIGGER keep_{table} BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION keep_{table}()"
            ),
        ]
    };
    for statement in statements {
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut *database).await.unwrap();
    }
}

/// A crash between the two would lose a challenge, or make two games of one.
#[tokio::test]
async fn a_challenge_or_seek_and_its_game_are_one_transaction() {
    let days = json!({"kind": "correspondence", "days": 3});
    let terms = json!({"variant": "diamond", "clock": days});
    for (table, path) in [("challenges", "/api/challenge"), ("seeks", "/api/seeks")] {
        let server = TestServer::new().await;
        let (mut ann, mut bob) = (Browser::default(), Browser::default());
        for (browser, name) in [(&mut ann, "Ann"), (&mut bob, "Bob")] {
            let account = json!({"name": name, "password": "a long password"});
            assert_eq!(browser.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
        }
        let url = crate::common::database(server.folder()).await;
        let mut database = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
        reject_deletes_before_the_first_game(&mut database, &url, table).await;
        let create = if table == "seeks" { path.to_owned() } else { format!("{path}/Bob") };
        let (status, open) = ann.post(&server, &create, terms.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{open}");
        let id = open["seek"]["id"].as_str().or(open["id"].as_str()).unwrap();
        let accept = format!("{path}/{id}/accept");
        // Without a game the challenge stays.
        sqlx::query("ALTER TABLE facts RENAME TO facts_away").execute(&mut database).await.unwrap();
        let (status, problem) = bob.post(&server, &accept, Value::Null).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{table}: {problem}");
        sqlx::query("ALTER TABLE facts_away RENAME TO facts").execute(&mut database).await.unwrap();
        // And with one it goes, once.
        let (status, accepted) = bob.post(&server, &accept, Value::Null).await;
        assert_eq!(status, StatusCode::OK, "{table}: {accepted}");
        assert_eq!(bob.post(&server, &accept, Value::Null).await.0, StatusCode::NOT_FOUND);
        let count = format!(
            "SELECT CAST(COUNT(*) AS BIGINT), (SELECT CAST(COUNT(*) AS BIGINT) FROM {table}) FROM games"
        );
        let counted: (i64, i64) =
            sqlx::query_as(sqlx::AssertSqlSafe(count)).fetch_one(&mut database).await.unwrap();
        assert_eq!(counted, (1, 0), "{table}");
    }
}
