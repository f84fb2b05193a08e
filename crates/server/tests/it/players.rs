//! Players among each other: leaderboards, filtered games and their export, challenges.

use crate::common::{Browser, TestServer, both_move, database};
use axum::http::{Method, StatusCode, header};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use std::time::Duration;

/// Longest wait for an expected message.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(20);

pub(crate) async fn account(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    browser
}

async fn execute(server: &TestServer, statement: &str) {
    let mut connection =
        <sqlx::AnyConnection as sqlx::Connection>::connect(&database(server.folder()).await).await.unwrap();
    sqlx::query(sqlx::AssertSqlSafe(statement.to_owned())).execute(&mut connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn players_are_found_by_the_beginning_of_their_name() {
    let server = TestServer::new().await;
    for name in ["Anna", "Annette", "Bert"] {
        account(&server, name).await;
    }
    let mut visitor = Browser::default();
    for (name, found) in
        [("ann", vec!["Anna", "Annette"]), ("B", vec!["Bert"]), ("nn", vec![]), ("%25", vec![])]
    {
        let (status, page) = visitor.get(&server, &format!("/players?name={name}")).await;
        let page = page.as_str().unwrap();
        assert_eq!(status, StatusCode::OK, "{name}");
        for player in ["Anna", "Annette", "Bert"] {
            let link = format!("<a href=\"/player/{player}\">");
            assert_eq!(page.contains(&link), found.contains(&player), "{name}: {player}");
        }
        assert_eq!(page.contains("begins with"), found.is_empty(), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_of_games_link_to_the_players() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let clock = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    let game = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white", "rated": true, "clock": clock});
    let (_, game) = ann.post(&server, "/api/games", game).await;
    let id = game["id"].as_str().unwrap();
    bob.post(&server, &format!("/api/games/{id}/join"), json!({})).await;
    both_move(&server, [&mut ann, &mut bob], id).await;
    ann.post(&server, &format!("/api/games/{id}/actions"), json!({"type": "resign"})).await;
    let (_, page) = Browser::default().get(&server, "/player/Ann").await;
    let page = page.as_str().unwrap();
    assert!(page.contains("<a href=\"/player/Bob\">Bob") && page.contains(&format!("href=\"/game/{id}\"")));
    // Ratings come after the end of the game; one of few games is uncertain.
    let rated = async {
        loop {
            let (_, page) = Browser::default().get(&server, "/player/Ann").await;
            if page.as_str().unwrap().contains("?</strong> <span class=\"from\">±") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, rated).await.expect("a rating with a question mark");
}

#[tokio::test(flavor = "multi_thread")]
async fn leaderboards_list_active_people_by_settled_ratings_and_bots_apart() {
    let server = TestServer::new().await;
    let now = jiff::Timestamp::now().as_millisecond();
    let day = 24 * 60 * 60_000;
    for (name, rating, deviation, bot, days) in [
        ("Ann", 1700.4, 60.0, 0, 1),
        ("Bob", 1800.0, 110.0, 0, 59),
        ("Carl", 2100.0, 111.0, 0, 1),
        ("Dora", 2200.0, 50.0, 0, 61),
        ("Robot", 2500.0, 50.0, 1, 1),
    ] {
        let mut browser = account(&server, name).await;
        let id = browser.get(&server, "/api/account").await.1["player"]["id"].as_str().unwrap().to_owned();
        execute(&server, &format!("UPDATE users SET bot = {bot} WHERE id = '{id}'")).await;
        execute(
            &server,
            &format!(
                "INSERT INTO ratings (owner, variant, speed, rating, deviation, volatility, games, updated_at) VALUES \
                 ('{id}', 'diamond', 'blitz', {rating}, {deviation}, 0.06, 30, {})",
                now - days * day
            ),
        )
        .await;
    }
    let mut visitor = Browser::default();
    let board = async |browser: &mut Browser, query: &str| {
        let (status, board) =
            browser.get(&server, &format!("/api/leaderboard?variant=diamond&speed=blitz{query}")).await;
        assert_eq!(status, StatusCode::OK, "{board}");
        let leaders = board["leaders"].as_array().unwrap().clone();
        leaders.iter().map(|leader| leader["player"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(board(&mut visitor, "").await, ["Bob", "Ann", "Carl"], "few games come last");
    assert_eq!(board(&mut visitor, "&bots=true").await, ["Robot"]);
    let (_, other) = visitor.get(&server, "/api/leaderboard?variant=diamond&speed=rapid").await;
    assert_eq!(other["leaders"], json!([]));
    assert_eq!(
        visitor.get(&server, "/api/leaderboard?variant=chesss&speed=rapid").await.0,
        StatusCode::NOT_FOUND
    );
    // The pages: the best of each, and one at length with its bots.
    let (status, page) = visitor.get(&server, "/players").await;
    let page = page.as_str().unwrap();
    assert_eq!(status, StatusCode::OK);
    assert!(
        page.contains("/player/Bob") && page.contains("1700") && !page.contains("/player/Robot"),
        "{page}"
    );
    let (_, page) = visitor.get(&server, "/players?variant=diamond&speed=blitz").await;
    let page = page.as_str().unwrap();
    let at = |name: &str| page.find(&format!("/player/{name}")).unwrap();
    assert!(at("Bob") < at("Ann") && at("Ann") < at("Robot"), "{page}");
}

/// A game between two, the first with White, until one resigns. Its id.
async fn game(
    server: &TestServer,
    terms: Value,
    [white, black]: [&mut Browser; 2],
    white_resigns: bool,
) -> String {
    let mut terms = terms;
    terms["opponent"] = json!({"kind": "link"});
    terms["side"] = json!("white");
    let (status, game) = white.post(server, "/api/games", terms).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(black.post(server, &format!("/api/games/{id}/join"), json!({})).await.0, StatusCode::OK);
    both_move(server, [white, black], &id).await;
    let loser = if white_resigns { white } else { black };
    let resigned = loser.post(server, &format!("/api/games/{id}/actions"), json!({"type": "resign"})).await;
    assert_eq!(resigned.0, StatusCode::OK, "{}", resigned.1);
    id
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_filtered_and_exported_as_one_pgn() {
    let server = TestServer::new().await;
    let (mut ann, mut bob, mut carl) =
        (account(&server, "Ann").await, account(&server, "Bob").await, account(&server, "Carl").await);
    let blitz = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    let casual = |variant: &str| json!({"variant": variant, "clock": blitz});
    let lost = game(&server, casual("diamond"), [&mut ann, &mut bob], true).await;
    let mut rated = casual("diagonal");
    rated["rated"] = json!(true);
    let won = game(&server, rated, [&mut bob, &mut ann], true).await;
    let mut hidden = casual("diamond");
    hidden["visibility"] = json!("private");
    let private = game(&server, hidden, [&mut ann, &mut carl], false).await;

    let list = async |browser: &mut Browser, query: &str| {
        let (status, games) = browser.get(&server, &format!("/api/games?player=Ann{query}")).await;
        assert_eq!(status, StatusCode::OK, "{query}: {games}");
        let games = games.as_array().unwrap().clone();
        games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let now = jiff::Timestamp::now().as_millisecond();
    let (since, future) = (format!("&since={}", now - 60_000), format!("&since={}", now + 60_000));
    for (query, expected) in [
        ("", vec![&private, &won, &lost]),
        ("&variant=diamond", vec![&private, &lost]),
        ("&result=won", vec![&private, &won]),
        ("&result=lost", vec![&lost]),
        ("&result=drawn", vec![]),
        ("&opponent=bob", vec![&won, &lost]),
        ("&opponent=bob&result=won&color=black", vec![&won]),
        ("&opponent=bob&result=won&color=white", vec![]),
        ("&opponent=lozenge", vec![]),
        ("&color=white", vec![&private, &lost]),
        ("&rated=true", vec![&won]),
        ("&rated=false", vec![&private, &lost]),
        (since.as_str(), vec![&private, &won, &lost]),
        (future.as_str(), vec![]),
        ("&before=1", vec![]),
    ] {
        assert_eq!(list(&mut ann, query).await.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    // Strangers do not see the private one.
    let mut eve = Browser::default();
    assert_eq!(list(&mut eve, "").await, [won.clone(), lost.clone()]);
    assert_eq!(eve.get(&server, "/api/games?result=won").await.0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(eve.get(&server, "/api/games?player=Ann&opponent=Nemo").await.0, StatusCode::NOT_FOUND);

    // From the store, as after a restart, and from memory.
    let server = server.restart().await;
    for (is_ann, query, ids) in [
        (true, "player=me", vec![&private, &won, &lost]),
        (false, "player=Ann", vec![&won, &lost]),
        (false, "player=Ann&result=lost", vec![&lost]),
        (false, "player=Ann&limit=1", vec![&won]),
    ] {
        let browser = if is_ann { &mut ann } else { &mut eve };
        let response = browser.raw(&server, Method::GET, &format!("/api/games/export?{query}"), None).await;
        assert_eq!(response.status(), StatusCode::OK, "{query}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-chess-pgn");
        let file = response.headers()[header::CONTENT_DISPOSITION].to_str().unwrap().to_owned();
        assert_eq!(file, "attachment; filename=\"lozenge-Ann.pgn\"");
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let sites: Vec<_> = text.lines().filter(|line| line.starts_with("[Site ")).collect();
        let expected: Vec<_> = ids.iter().map(|id| format!("[Site \"http://test/game/{id}\"]")).collect();
        assert_eq!(sites, expected, "{query}");
        let variants = text.lines().filter(|line| line.starts_with("[Variant ")).count();
        assert_eq!(variants, ids.len(), "every game can be read again");
    }
    assert_eq!(eve.get(&server, "/api/games/export").await.0, StatusCode::UNPROCESSABLE_ENTITY);

    // The page's form.
    let (_, page) = eve.get(&server, "/player/Ann?variant=&result=lost&rated=&opponent=Bob&from=&to=").await;
    let page = page.as_str().unwrap();
    assert!(page.contains(&format!("/game/{lost}")) && !page.contains(&format!("/game/{won}")), "{page}");
    assert!(page.contains("/api/games/export?player=Ann&#38;opponent=Bob&#38;result=lost"), "{page}");
    let (status, page) = eve.get(&server, "/player/Ann?opponent=Nemo").await;
    assert_eq!(status, StatusCode::OK);
    assert!(!page.as_str().unwrap().contains("/game/"));
    // Too many exports have to wait.
    let mut refused = 0;
    for _ in 0..20 {
        let response = eve.raw(&server, Method::GET, "/api/games/export?player=Ann", None).await;
        refused += usize::from(response.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(refused >= 9, "{refused}");
}

/// The lines of a stream.
pub(crate) struct Lines {
    body: axum::body::BodyDataStream,
    rest: String,
}

impl Lines {
    pub(crate) async fn of(browser: &mut Browser, server: &TestServer, path: &str) -> Self {
        let response = browser.raw(server, Method::GET, path, None).await;
        assert_eq!(response.status(), StatusCode::OK);
        Self { body: response.into_body().into_data_stream(), rest: String::new() }
    }

    /// The next line that is not empty.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            while let Some((line, rest)) = self.rest.split_once('\n') {
                let (line, rest) = (line.to_owned(), rest.to_owned());
                self.rest = rest;
                if !line.is_empty() {
                    return serde_json::from_str(&line).unwrap();
                }
            }
            let more =
                tokio::time::timeout(TIMEOUT, self.body.next()).await.expect("a line").unwrap().unwrap();
            self.rest += std::str::from_utf8(&more).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_are_sent_answered_and_seen_by_both() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let mut ann_events = Lines::of(&mut ann, &server, "/api/stream/event").await;
    let mut bob_events = Lines::of(&mut bob, &server, "/api/stream/event").await;
    let terms = json!({"variant": "diamond", "clock": {"kind": "correspondence", "days": 3}, "side": "black", "rated": true});
    let (status, challenge) = ann.post(&server, "/api/challenge/bob", terms.clone()).await;
    assert_eq!(status, StatusCode::CREATED, "{challenge}");
    let id = challenge["id"].as_str().unwrap();
    for stream in [&mut ann_events, &mut bob_events] {
        let line = stream.next().await;
        assert_eq!((&line["type"], &line["challenge"]), (&json!("challenge"), &challenge));
    }
    let (_, open) = bob.get(&server, "/api/challenge").await;
    assert_eq!((&open["received"], &open["sent"]), (&json!([challenge]), &json!([])));
    // On the first page before any script runs.
    assert!(bob.get(&server, "/").await.1.as_str().unwrap().contains(id));
    // Only one at a time between two, and only the challenged accepts.
    assert_eq!(ann.post(&server, "/api/challenge/Bob", terms.clone()).await.0, StatusCode::CONFLICT);
    let mut carl = account(&server, "Carl").await;
    for path in ["accept", "decline", "cancel"] {
        let path = format!("/api/challenge/{id}/{path}");
        assert_eq!(carl.post(&server, &path, Value::Null).await.0, StatusCode::NOT_FOUND);
    }
    let accept = format!("/api/challenge/{id}/accept");
    assert_eq!(ann.post(&server, &accept, Value::Null).await.0, StatusCode::NOT_FOUND);
    // It outlasts the server.
    drop((ann_events, bob_events));
    let server = server.restart().await;
    let mut ann_events = Lines::of(&mut ann, &server, "/api/stream/event").await;
    assert_eq!(ann_events.next().await["challenge"]["id"], id);
    let (status, accepted) = bob.post(&server, &accept, Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{accepted}");
    assert_eq!(bob.post(&server, &accept, Value::Null).await.0, StatusCode::NOT_FOUND, "once");
    let mut seen = [ann_events.next().await, ann_events.next().await];
    seen.sort_by_key(|line| line["type"].as_str().unwrap().to_owned());
    assert_eq!(seen[0]["type"], "challengeAccepted");
    assert_eq!(seen[0]["game"]["id"], accepted["game"]);
    assert_eq!((&seen[1]["type"], &seen[1]["game"]["id"]), (&json!("gameStart"), &accepted["game"]));
    let (_, game) = ann.get(&server, &format!("/api/games/{}", accepted["game"].as_str().unwrap())).await;
    assert_eq!((&game["white"]["name"], &game["black"]["name"]), (&json!("Bob"), &json!("Ann")));
    assert_eq!((&game["rated"], &game["state"]["status"]), (&json!(true), &json!("started")));

    // Declined, and canceled.
    for (answer, by_bob, line) in
        [("decline", true, "challengeDeclined"), ("cancel", false, "challengeCanceled")]
    {
        let (status, challenge) =
            ann.post(&server, "/api/challenge/Bob", json!({"variant": "diagonal"})).await;
        assert_eq!(status, StatusCode::CREATED, "{challenge}");
        assert_eq!(ann_events.next().await["type"], "challenge");
        let path = format!("/api/challenge/{}/{answer}", challenge["id"].as_str().unwrap());
        let browser = if by_bob { &mut bob } else { &mut ann };
        assert_eq!(browser.post(&server, &path, Value::Null).await.0, StatusCode::NO_CONTENT);
        assert_eq!(ann_events.next().await["type"], line);
    }
    assert_eq!(ann.get(&server, "/api/challenge").await.1, json!({"received": [], "sent": []}));
}

#[tokio::test(flavor = "multi_thread")]
async fn challenges_are_limited_expire_and_are_deleted_with_the_account() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    let mut others = Vec::new();
    for number in 0..12 {
        others.push(account(&server, &format!("other{number}")).await);
    }
    let body = json!({"variant": "diamond"});
    // For people with an account, to others, with terms that make sense.
    let mut guest = Browser::default();
    guest.request(&server, Method::PUT, "/api/account/settings", Some(json!({}))).await;
    let stranger = &mut Browser::default();
    for (browser, status) in [(stranger, StatusCode::UNAUTHORIZED), (&mut guest, StatusCode::FORBIDDEN)] {
        assert_eq!(browser.post(&server, "/api/challenge/Ann", body.clone()).await.0, status);
    }
    for (path, terms, status) in [
        ("/api/challenge/Ann", body.clone(), StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/challenge/Nemo", body.clone(), StatusCode::NOT_FOUND),
        ("/api/challenge/other0", json!({"variant": "chesss"}), StatusCode::NOT_FOUND),
        (
            "/api/challenge/other0",
            json!({"variant": "diamond", "rated": true}),
            StatusCode::UNPROCESSABLE_ENTITY,
        ),
    ] {
        assert_eq!(ann.post(&server, path, terms).await.0, status, "{path}");
    }
    let mut ids = Vec::new();
    for number in 0..10 {
        let (status, challenge) =
            ann.post(&server, &format!("/api/challenge/other{number}"), body.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{challenge}");
        ids.push(challenge["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(ann.post(&server, "/api/challenge/other10", body.clone()).await.0, StatusCode::CONFLICT);
    // One has expired: it cannot be accepted, and there is room for another.
    execute(&server, &format!("UPDATE challenges SET expires_at = 1 WHERE id = '{}'", ids[0])).await;
    assert_eq!(others[0].get(&server, "/api/challenge").await.1["received"], json!([]));
    let accept = format!("/api/challenge/{}/accept", ids[0]);
    assert_eq!(others[0].post(&server, &accept, Value::Null).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ann.post(&server, "/api/challenge/other10", body.clone()).await.0, StatusCode::CREATED);
    // A player whose challenges are always declined is rate-limited.
    let mut slow = false;
    for _ in 0..20 {
        let (status, challenge) = others[11].post(&server, "/api/challenge/Ann", body.clone()).await;
        slow |= status == StatusCode::TOO_MANY_REQUESTS;
        if status == StatusCode::CREATED {
            let path = format!("/api/challenge/{}/decline", challenge["id"].as_str().unwrap());
            assert_eq!(ann.post(&server, &path, Value::Null).await.0, StatusCode::NO_CONTENT);
        }
    }
    let (status, _) = others[11].post(&server, "/api/challenge/Ann", body.clone()).await;
    assert!(slow || status == StatusCode::TOO_MANY_REQUESTS);
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!(data["challenges"]["sent"].as_array().unwrap().len(), 10);
    let proof = json!({"password": "a long password"});
    assert_eq!(ann.post(&server, "/api/account/delete", proof).await.0, StatusCode::OK);
    assert_eq!(others[1].get(&server, "/api/challenge").await.1["received"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_can_play_variants_made_by_users() {
    let server = TestServer::new().await;
    let (mut ann, mut bot) = (account(&server, "Ann").await, account(&server, "Robot").await);
    let source = include_str!("../../../../testdata/variants/lake.toml");
    let body = json!({"source": source, "visibility": "unlisted"});
    let (status, published) = ann.post(&server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::CREATED, "{published}");
    let (status, token) =
        bot.post(&server, "/api/tokens", json!({"label": "program", "scopes": ["bot"]})).await;
    assert_eq!(status, StatusCode::CREATED, "{token}");
    let mut program =
        Browser { token: Some(token["secret"].as_str().unwrap().to_owned()), ..Browser::default() };
    let mut events = Lines::of(&mut program, &server, "/api/stream/event").await;
    let terms = json!({"variant": "~lake", "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}, "side": "black"});
    let (status, challenge) = ann.post(&server, "/api/challenge/robot", terms).await;
    assert_eq!(status, StatusCode::CREATED, "{challenge}");
    let id = events.next().await["challenge"]["id"].as_str().unwrap().to_owned();
    let (status, accepted) = program.post(&server, &format!("/api/challenge/{id}/accept"), Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{accepted}");
    let game = accepted["game"].as_str().unwrap().to_owned();
    let mut lines = Lines::of(&mut program, &server, &format!("/api/bot/game/stream/{game}")).await;
    let first = lines.next().await;
    let first = first.get("game").unwrap_or(&first);
    assert_eq!(
        (&first["variant"], &first["digest"], &first["you"]),
        (&json!("~lake"), &published["digest"], &json!("white"))
    );
    // The moves are those of the user's own piece, too.
    let moves = first["state"]["moves"].as_array().unwrap();
    assert!(moves.contains(&json!("b1b3")), "{moves:?}");
    let (status, state) =
        program.post(&server, &format!("/api/bot/game/{game}/move/b1b3"), Value::Null).await;
    assert_eq!(status, StatusCode::OK, "{state}");
    let answer = json!({"type": "move", "move": "a9a8", "ply": 1});
    let (status, problem) = ann.post(&server, &format!("/api/games/{game}/actions"), answer).await;
    assert_eq!(status, StatusCode::OK, "{problem}");
    let (_, game) = ann.get(&server, &format!("/api/games/{game}")).await;
    assert_eq!((&game["state"]["ply"], &game["rated"]), (&json!(2), &json!(false)));
}

/// A bot takes a seat of a rated game of four, gets its stream with the seats, moves on its turn and resigns.
#[tokio::test(flavor = "multi_thread")]
async fn bots_take_seats_in_games_of_four() {
    let server = TestServer::new().await;
    let mut robot = account(&server, "Robot").await;
    let body = json!({"label": "program", "scopes": ["bot"]});
    let (_, token) = robot.post(&server, "/api/tokens", body).await;
    let mut program =
        Browser { token: Some(token["secret"].as_str().unwrap().to_owned()), ..Browser::default() };
    let mut events = Lines::of(&mut program, &server, "/api/stream/event").await;
    let mut people =
        [account(&server, "Ann").await, account(&server, "Bob").await, account(&server, "Cid").await];
    let seat = |kind: &str| json!({"kind": kind});
    let body = json!({
        "variant": "diamondring-four", "rated": true, "clock": {"kind": "live", "initial_s": 300, "increment_s": 3},
        "seats": [seat("me"), seat("anybody"), seat("anybody"), seat("anybody")],
    });
    let (status, game) = people[0].post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap();
    // A bot finds it in the lobby.
    while program.get(&server, "/api/games/open").await.1[0]["id"] != json!(id) {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let (status, joined) =
        program.post(&server, &format!("/api/games/{id}/join?seat=yellow"), Value::Null).await;
    assert_eq!((status, &joined["you"]), (StatusCode::OK, &json!("yellow")), "{joined}");
    for (person, color) in people[1..].iter_mut().zip(["blue", "green"]) {
        person.post(&server, &format!("/api/games/{id}/join?seat={color}"), Value::Null).await;
    }
    let begun = events.next().await;
    assert_eq!((&begun["type"], &begun["game"]["id"]), (&json!("gameStart"), &json!(id)));
    let mut lines = Lines::of(&mut program, &server, &format!("/api/bot/game/stream/{id}")).await;
    let first = lines.next().await;
    let game = &first["game"];
    assert_eq!(
        (&game["you"], &game["white"], &game["state"]["turn"]),
        (&json!("yellow"), &Value::Null, &json!("red"))
    );
    assert_eq!(game["seats"][2]["player"]["kind"], "bot", "{first}");
    assert_eq!(game["state"]["seats"]["list"].as_array().unwrap().len(), 4, "{first}");

    let path = format!("/api/bot/game/{id}");
    let early = program.post(&server, &format!("{path}/move/c11c10"), Value::Null).await;
    assert_eq!((early.0, &early.1["code"]), (StatusCode::CONFLICT, &json!("not_your_turn")));
    let play = async |browser: &mut Browser| {
        let (_, game) = browser.get(&server, &format!("/api/games/{id}")).await;
        let text = game["state"]["moves"][0].as_str().unwrap().to_owned();
        let action = json!({"type": "move", "move": text, "ply": game["state"]["ply"]});
        browser.post(&server, &format!("/api/games/{id}/actions"), action).await.0
    };
    for person in &mut people[..2] {
        assert_eq!(play(person).await, StatusCode::OK);
    }
    // The stream says when it is the bot's turn, and has its moves.
    let mine = async |lines: &mut Lines| loop {
        let line = lines.next().await;
        if line["state"]["turn"] == "yellow" && line["state"]["status"] == "started" {
            return line["state"]["moves"][0].as_str().unwrap().to_owned();
        }
    };
    let played = mine(&mut lines).await;
    let (status, state) = program.post(&server, &format!("{path}/move/{played}"), Value::Null).await;
    assert_eq!((status, &state["turn"], &state["ply"]), (StatusCode::OK, &json!("green"), &json!(3)));
    for person in [2, 0, 1] {
        assert_eq!(play(&mut people[person]).await, StatusCode::OK);
    }
    mine(&mut lines).await;
    let (status, state) = program.post(&server, &format!("{path}/resign"), Value::Null).await;
    assert_eq!((status, &state["seats"]["list"][2]["exit"]), (StatusCode::OK, &json!("resign")), "{state}");
    // The game goes on without it; the stream ends with the game.
    for person in [2, 0] {
        let action = json!({"type": "resign"});
        people[person].post(&server, &format!("/api/games/{id}/actions"), action).await;
    }
    let last = loop {
        let line = lines.next().await;
        if line["state"]["status"] == "finished" {
            break line;
        }
    };
    assert_eq!(last["state"]["result"], "2-1-4-3", "{last}");
    let ended = events.next().await;
    assert_eq!((&ended["type"], &ended["game"]["id"]), (&json!("gameFinish"), &json!(id)));
}
