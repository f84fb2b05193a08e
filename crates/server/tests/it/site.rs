//! The site without sockets: games, accounts, tokens, and the limits of strangers.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode, header};
use serde_json::json;
use std::time::Duration;

const OWN_GAMES: [&str; 5] = ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"];

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_plays_the_engine_in_every_game() {
    let server = TestServer::new().await;
    for variant in OWN_GAMES {
        let mut guest = Browser::default();
        let body = json!({"variant": variant, "opponent": {"kind": "engine", "level": 1}, "side": "white"});
        let (status, game) = guest.post(&server, "/api/games", body).await;
        assert_eq!((status, &game["you"]), (StatusCode::CREATED, &json!("white")), "{game}");
        let path = format!("/api/games/{}", game["id"].as_str().unwrap());
        let first = game["state"]["moves"][0].as_str().unwrap();
        let (status, state) = guest
            .post(&server, &format!("{path}/actions"), json!({"type": "move", "move": first, "ply": 0}))
            .await;
        assert_eq!((status, &state["ply"]), (StatusCode::OK, &json!(1)), "{state}");
        let answered = tokio::time::timeout(Duration::from_secs(60), async {
            loop {
                let (_, game) = guest.get(&server, &path).await;
                if game["state"]["ply"] == 2 {
                    return game;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        let game = answered.await.expect("the engine answers");
        let (status, hint) = guest.post(&server, &format!("{path}/hint"), json!({})).await;
        let moves = game["state"]["moves"].as_array().unwrap();
        assert!(status == StatusCode::OK && moves.contains(&hint["move"]), "{hint}");
        assert_eq!(game["history"].as_array().unwrap().len(), 2);
        let (status, state) =
            guest.post(&server, &format!("{path}/actions"), json!({"type": "resign"})).await;
        assert_eq!(
            (status, &state["result"], &state["reason"]),
            (StatusCode::OK, &json!("0-1"), &json!("resign"))
        );
        let (status, pgn) = guest.get(&server, &format!("{path}/pgn")).await;
        assert!(status.is_success() && pgn.as_str().unwrap().contains("[Result \"0-1\"]"), "{pgn}");
        for file in ["fen?ply=1", "picture.svg", "picture.png?ply=0", "reach?ply=2", "qr.svg"] {
            assert_eq!(
                guest.raw(&server, Method::GET, &format!("{path}/{file}"), None).await.status(),
                200,
                "{file}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn link_game_has_exactly_two_players() {
    let server = TestServer::new().await;
    let (mut ann, mut bob, mut eve) = (Browser::default(), Browser::default(), Browser::default());
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "visibility": "private",
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!(game["state"]["status"], "waiting");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let (status, joined) = bob.post(&server, &format!("{path}/join"), json!({})).await;
    assert_eq!(
        (status, &joined["you"], &joined["state"]["status"]),
        (StatusCode::OK, &json!("black"), &json!("started"))
    );
    // A stranger reads nothing of it and does nothing in it.
    for file in ["", "/pgn", "/fen", "/picture.svg", "/picture.png", "/reach", "/stream", "/qr.svg"] {
        assert_eq!(eve.get(&server, &format!("{path}{file}")).await.0, StatusCode::NOT_FOUND, "{file}");
    }
    for action in [
        json!({"type": "resign"}),
        json!({"type": "move", "move": "e2e3", "ply": 0}),
        json!({"type": "abort"}),
    ] {
        let (status, _) = eve.post(&server, &format!("{path}/actions"), action).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
    assert_eq!(eve.post(&server, &format!("{path}/join"), json!({})).await.0, StatusCode::NOT_FOUND);
    // Hints are refused in games against people.
    let (status, problem) = ann.post(&server, &format!("{path}/hint"), json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("against_person")));
    // A player cannot move for the opponent.
    let first = joined["state"]["moves"][0].as_str().unwrap();
    let (status, problem) =
        bob.post(&server, &format!("{path}/actions"), json!({"type": "move", "move": first, "ply": 0})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("not_your_turn")));
    let (status, _) =
        ann.post(&server, &format!("{path}/actions"), json!({"type": "move", "move": first, "ply": 0})).await;
    assert_eq!(status, StatusCode::OK);
    // An acknowledged move survives a restart.
    let server = server.restart().await;
    let (status, game) = bob.get(&server, &path).await;
    assert_eq!((status, &game["state"]["ply"], &game["you"]), (StatusCode::OK, &json!(1), &json!("black")));
}

#[tokio::test(flavor = "multi_thread")]
async fn strangers_can_watch_public_games_but_not_act() {
    let server = TestServer::new().await;
    let (mut ann, mut eve) = (Browser::default(), Browser::default());
    let body = json!({"variant": "diagonal", "opponent": {"kind": "engine", "level": 2}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    assert_eq!(eve.get(&server, &path).await.0, StatusCode::OK);
    assert_eq!(
        eve.post(&server, &format!("{path}/actions"), json!({"type": "resign"})).await.0,
        StatusCode::UNAUTHORIZED
    );
    // With an id of her own it is still not her game.
    eve.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    let (status, problem) = eve.post(&server, &format!("{path}/actions"), json!({"type": "resign"})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("not_a_player")));
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_from_guest_to_deletion() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let (_, game) = ann
        .post(
            &server,
            "/api/games",
            json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}}),
        )
        .await;
    let credentials = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(
        ann.post(&server, "/api/account/register", json!({"name": "A", "password": "a long password"}))
            .await
            .0,
        422
    );
    assert_eq!(
        ann.post(&server, "/api/account/register", json!({"name": "Ann", "password": "short"})).await.0,
        422
    );
    assert_eq!(ann.post(&server, "/api/account/register", credentials.clone()).await.0, 200);
    // The guest's game stays.
    let (_, mine) = ann.get(&server, "/api/games?player=me").await;
    assert_eq!(mine[0]["id"], game["id"]);
    let mut other = Browser::default();
    assert_eq!(
        other
            .post(&server, "/api/account/register", json!({"name": "ann", "password": "another one"}))
            .await
            .0,
        409
    );
    assert_eq!(
        other
            .post(&server, "/api/account/sign-in", json!({"name": "ann", "password": "wrong wrong"}))
            .await
            .0,
        401
    );
    assert_eq!(other.post(&server, "/api/account/sign-in", credentials).await.0, 200);
    // A new password ends all other sessions.
    let change = json!({"old": "a long password", "new": "a longer password"});
    assert_eq!(ann.post(&server, "/api/account/password", change).await.0, 200);
    assert_eq!(other.get(&server, "/api/account").await.1["player"], json!(null));
    assert_eq!(ann.get(&server, "/api/account").await.1["player"]["name"], "Ann");
    let (status, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!((status, data["games"].as_array().unwrap().len()), (StatusCode::OK, 1));
    assert!(!data.to_string().contains("argon2"), "no secret leaves");
    assert_eq!(
        ann.post(&server, "/api/account/delete", json!({"password": "a longer password"})).await.0,
        200
    );
    assert_eq!(ann.get(&server, "/api/players/ann").await.0, 404);
    let (_, game) = ann.get(&server, &format!("/api/games/{}", game["id"].as_str().unwrap())).await;
    assert!(!game.to_string().contains("Ann"));
}

/// Every text in the database that can name a user, one a line.
async fn stored_texts(server: &TestServer) -> String {
    lozenge_store::install_drivers();
    let url = crate::common::database(server.folder()).await;
    let mut database = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    let columns = [
        ("users", "id, name, name_key"),
        ("sessions", "data"),
        ("facts", "fact"),
        ("games", "maker, white, black, white_player, black_player"),
        ("chat", "author, author_name"),
        ("reports", "reporter, reporter_name, author, author_name"),
        ("moderation", "subject"),
        ("tokens", "owner"),
        ("reserved_names", "digest, owner"),
    ];
    let mut all = String::new();
    for (table, columns) in columns {
        let parts: Vec<String> =
            columns.split(", ").map(|column| format!("COALESCE({column}, '')")).collect();
        let sql = format!("SELECT {} FROM {table}", parts.join(" || ' ' || "));
        let rows: Vec<(String,)> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&mut database).await.unwrap();
        all.extend(rows.into_iter().map(|(row,)| format!("{table}: {row}\n")));
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_leaves_neither_name_nor_id_and_its_name_stays_reserved() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let link = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let credentials = json!({"name": "Xanthippe", "password": "a long password"});
    let mut games = Vec::new();
    // As a guest, who takes the name later, and with the account; made by her, and by another.
    for registers in [false, true] {
        if registers {
            let path = "/api/account/register";
            assert_eq!(ann.post(&server, path, credentials.clone()).await.0, StatusCode::OK);
        }
        for (maker, other) in [(0, 1), (1, 0)] {
            let people = [&mut ann, &mut bob];
            let (_, game) = people[maker].post(&server, "/api/games", link.clone()).await;
            let path = format!("/api/games/{}", game["id"].as_str().unwrap());
            assert_eq!(
                people[other].post(&server, &format!("{path}/join"), json!({})).await.0,
                StatusCode::OK
            );
            games.push(path);
        }
    }
    let chat = json!({"type": "chat", "room": "players", "text": "hello"});
    for path in &games {
        for browser in [&mut ann, &mut bob] {
            assert_eq!(
                browser.post(&server, &format!("{path}/actions"), chat.clone()).await.0,
                StatusCode::OK
            );
        }
    }
    for (browser, number) in [(&mut ann, 1), (&mut bob, 0)] {
        let path = format!("{}/chat/{number}/report", games[0]);
        assert_eq!(browser.post(&server, &path, json!({})).await.0, StatusCode::CREATED);
    }
    let mut second_session = Browser::default();
    let path = "/api/account/sign-in";
    assert_eq!(second_session.post(&server, path, credentials.clone()).await.0, StatusCode::OK);
    let (_, account) = ann.get(&server, "/api/account").await;
    let id = account["player"]["id"].as_str().unwrap().to_owned();
    let before = stored_texts(&server).await;
    assert!(before.contains(&id) && before.contains("Xanthippe"));

    let proof = json!({"password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/delete", proof).await.0, StatusCode::OK);

    let after = stored_texts(&server).await;
    for line in after.lines() {
        assert!(!line.contains(&id) && !line.to_lowercase().contains("xanthippe"), "{line}");
    }
    let server = server.restart().await;
    for path in &games {
        let (status, game) = bob.get(&server, path).await;
        assert!(status.is_success() && !game.to_string().contains("Xanthippe"), "{game}");
    }
    let mut mallory = Browser::default();
    let again = json!({"name": "xanthippe", "password": "another password"});
    assert_eq!(mallory.post(&server, "/api/account/register", again).await.0, StatusCode::CONFLICT);
}

#[tokio::test(flavor = "multi_thread")]
async fn control_characters_are_a_client_error() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    for name in ["a\0b", "\u{1b}[2J"] {
        let credentials = json!({"name": name, "password": "a long password"});
        for path in ["/api/account/sign-in", "/api/account/register"] {
            let (status, problem) = ann.post(&server, path, credentials.clone()).await;
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        }
    }
    let (_, game) =
        ann.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    let path = format!("/api/games/{}/actions", game["id"].as_str().unwrap());
    let chat = json!({"type": "chat", "room": "players", "text": "a\0"});
    assert_eq!(ann.post(&server, &path, chat).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    for path in ["/api/players/a%00", "/player/%1b", "/api/games?variant=%00"] {
        assert_eq!(ann.get(&server, path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_cannot_be_guessed_for_long() {
    let server = TestServer::new().await;
    let mut eve = Browser::default();
    let mut last = StatusCode::OK;
    for _ in 0..12 {
        let guess = json!({"name": "nobody", "password": "a guess or two"});
        let response = eve.raw(&server, Method::POST, "/api/account/sign-in", Some(guess)).await;
        last = response.status();
        if last == StatusCode::TOO_MANY_REQUESTS {
            assert!(response.headers().contains_key(header::RETRY_AFTER));
            break;
        }
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

/// Tries are counted by name: long names would fill the memory.
#[tokio::test(flavor = "multi_thread")]
async fn impossible_names_are_refused_and_not_counted() {
    let server = TestServer::new().await;
    let mut eve = Browser::default();
    let guess = json!({"name": "x".repeat(60_000), "password": "a guess or two"});
    let mut recovery = guess.clone();
    recovery["recovery_code"] = json!("a guess");
    for (path, guess) in [("/api/account/sign-in", guess), ("/api/account/recover", recovery)] {
        for _ in 0..12 {
            assert_eq!(eve.post(&server, path, guess.clone()).await.0, StatusCode::UNAUTHORIZED, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_do_what_their_scopes_say_until_they_are_revoked() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    ann.post(&server, "/api/account/register", json!({"name": "robot", "password": "a long password"})).await;
    let (status, created) =
        ann.post(&server, "/api/tokens", json!({"label": "my bot", "scopes": ["bot"]})).await;
    assert_eq!(status, StatusCode::CREATED);
    let (_, list) = ann.get(&server, "/api/tokens").await;
    assert!(list[0].get("secret").is_none(), "sent once");
    let secret = created["secret"].as_str().unwrap().to_owned();
    let mut bot = Browser { token: Some(secret.clone()), ..Browser::default() };
    let body = json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (status, game) = bot.post(&server, "/api/games", body).await;
    assert_eq!((status, &game["white"]["kind"]), (StatusCode::CREATED, &json!("bot")));
    let (id, first) = (game["id"].as_str().unwrap(), game["state"]["moves"][0].as_str().unwrap());
    let (status, state) = bot.post(&server, &format!("/api/bot/game/{id}/move/{first}"), json!({})).await;
    assert_eq!((status, &state["ply"]), (StatusCode::OK, &json!(1)));
    assert_eq!(bot.get(&server, "/api/tokens").await.0, StatusCode::FORBIDDEN, "a token makes no tokens");
    assert_eq!(bot.get(&server, "/api/account/data").await.0, StatusCode::FORBIDDEN, "not in its scopes");
    assert_eq!(
        ann.post(&server, &format!("/api/bot/game/{id}/resign"), json!({})).await.0,
        StatusCode::FORBIDDEN
    );
    let id_of_token = created["id"].as_str().unwrap();
    assert_eq!(
        ann.request(&server, Method::DELETE, &format!("/api/tokens/{id_of_token}"), None).await.0,
        204
    );
    assert_eq!(bot.get(&server, "/api/account").await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test(flavor = "multi_thread")]
async fn matching_seeks_start_a_game() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let seek =
        json!({"variant": "diamondback", "clock": {"kind": "live", "initial_s": 180, "increment_s": 2}});
    let (status, waiting) = ann.post(&server, "/api/seeks", seek.clone()).await;
    assert_eq!((status, &waiting["game"]), (StatusCode::CREATED, &json!(null)));
    let (_, list) = bob.get(&server, "/api/seeks").await;
    assert_eq!((&list[0]["variant"], &list[0]["yours"]), (&json!("diamondback"), &json!(false)));
    let (_, matched) = bob.post(&server, "/api/seeks", seek).await;
    let (_, game) = ann.get(&server, &format!("/api/games/{}", matched["game"].as_str().unwrap())).await;
    assert_eq!(game["state"]["status"], "started");
    assert_eq!(bob.get(&server, "/api/seeks").await.1, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn other_sites_cannot_act_for_a_visitor() {
    let server = TestServer::new().await;
    for (name, value) in [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
        ("origin", "null"),
        ("origin", "https://test"),
    ] {
        let request = axum::http::Request::post("/api/games")
            .header(header::HOST, "test")
            .header(name, value)
            .header(header::CONTENT_TYPE, "application/json")
            .body(axum::body::Body::from("{}"))
            .unwrap();
        let response = tower::ServiceExt::oneshot(server.router.clone(), request).await.unwrap();
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{name}: {value}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn host_that_is_no_name_stands_in_no_link() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = guest.post(&server, "/api/games", body).await;
    let game = format!("/api/games/{}", game["id"].as_str().unwrap());
    for host in ["chess.example\"] [Result \"1-0", "user@chess.example", "chess.example/path", "<b>", ""] {
        for path in [format!("{game}/pgn"), format!("{game}/qr.svg"), "/api".to_owned()] {
            let request = axum::http::Request::get(&path).header(header::HOST, host);
            let request = request.body(axum::body::Body::empty()).unwrap();
            let response = tower::ServiceExt::oneshot(server.router.clone(), request).await.unwrap();
            assert_eq!(response.status(), StatusCode::UNPROCESSABLE_ENTITY, "{host} {path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_gets_a_clear_answer() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let engine = json!({"kind": "engine", "level": 3});
    for (body, status) in [
        (json!({}), 422),
        (json!({"variant": "go", "opponent": engine}), 404),
        (json!({"variant": "diamond", "opponent": {"kind": "engine", "level": 9}}), 422),
        (json!({"variant": "diamond", "opponent": engine, "fen": "8/8"}), 422),
        (json!({"variant": "diamond", "opponent": engine, "start": 2}), 422),
        (
            json!({"variant": "diamond", "opponent": engine, "clock": {"kind": "live", "initial_s": 0, "increment_s": 0}}),
            422,
        ),
        (json!({"variant": "diamond", "opponent": engine, "rated": true}), 422),
        (json!({"variant": "diamond", "opponent": engine, "sid": "white"}), 422),
    ] {
        let (found, problem) = guest.post(&server, "/api/games", body.clone()).await;
        assert_eq!(found.as_u16(), status, "{body}: {problem}");
        assert!(!problem["detail"].as_str().unwrap().is_empty());
    }
    for path in ["/api/games/none", "/api/variants/go/board", "/api/none", "/api/games?status=odd"] {
        let response = guest.raw(&server, Method::GET, path, None).await;
        assert!(response.status().is_client_error(), "{path}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/problem+json", "{path}");
    }
}
