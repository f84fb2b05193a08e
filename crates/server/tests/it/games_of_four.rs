//! Games of four players through the site: made, joined seat by seat, played among people and engines, ended, listed, stopped and
//! resumed.

use crate::common::{Browser, TestServer, database, register};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _};
use std::time::Duration;

const COLORS: [&str; 4] = ["red", "blue", "yellow", "green"];

fn seats(kinds: [&str; 4]) -> Value {
    let seat = |kind: &str| match kind {
        "engine" => json!({"kind": "engine", "level": 1}),
        kind => json!({"kind": kind}),
    };
    kinds.map(seat).into()
}

/// A game of four people, each on the seat of the same number.
async fn begin(server: &TestServer, variant: &str) -> (String, [Browser; 4]) {
    let mut players: [Browser; 4] = Default::default();
    let body = json!({"variant": variant, "seats": seats(["me", "link", "link", "link"])});
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    for (place, color) in COLORS.into_iter().enumerate().skip(1) {
        let (status, game) =
            players[place].post(server, &format!("{path}/join?seat={color}"), json!({})).await;
        assert_eq!((status, &game["you"]), (StatusCode::OK, &json!(color)), "{game}");
    }
    (path, players)
}

async fn act(server: &TestServer, player: &mut Browser, path: &str, action: Value) -> (StatusCode, Value) {
    player.post(server, &format!("{path}/actions"), action).await
}

async fn state(server: &TestServer, player: &mut Browser, path: &str) -> Value {
    player.get(server, path).await.1["state"].clone()
}

/// Plays this number of half moves, each by the player whose turn it is.
async fn play(server: &TestServer, players: &mut [Browser; 4], path: &str, plies: usize) {
    for _ in 0..plies {
        let now = state(server, &mut players[0], path).await;
        let turn = COLORS.iter().position(|color| now["turn"] == *color).unwrap();
        let action = json!({"type": "move", "move": now["moves"][0], "ply": now["ply"]});
        let (status, after) = act(server, &mut players[turn], path, action).await;
        assert_eq!(status, StatusCode::OK, "{after}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_sit_down_and_play_to_the_end() {
    let server = TestServer::new().await;
    let (path, mut players) = begin(&server, "diamondring-four").await;
    let mut late = Browser::default();
    let (status, problem) = late.post(&server, &format!("{path}/join"), json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("place_taken")));
    play(&server, &mut players, &path, 5).await;

    // Blue's turn: no other player moves, and a wish to resign waits.
    let now = state(&server, &mut players[0], &path).await;
    let action = json!({"type": "move", "move": now["moves"][0], "ply": now["ply"]});
    assert_eq!(act(&server, &mut players[0], &path, action).await.1["code"], "not_your_turn");
    let (_, after) = act(&server, &mut players[3], &path, json!({"type": "resign"})).await;
    assert_eq!((&after["turn"], &after["seats"]["list"][3]["resigns"]), (&json!("blue"), &json!(true)));
    play(&server, &mut players, &path, 2).await;
    let after = state(&server, &mut players[0], &path).await;
    assert_eq!((&after["turn"], &after["seats"]["list"][3]["exit"]), (&json!("red"), &json!("resign")));
    assert!(after["fen"].as_str().unwrap().ends_with(" rby/g"), "{after}");

    for player in players.iter_mut().take(2) {
        act(&server, player, &path, json!({"type": "resign"})).await;
    }
    let (_, game) = players[2].get(&server, &path).await;
    assert_eq!((&game["state"]["result"], &game["state"]["reason"]), (&json!("3-2-1-4"), &json!("decided")));
    let places: Vec<&Value> = (0..4).map(|seat| &game["state"]["seats"]["list"][seat]["place"]).collect();
    assert_eq!(places, [3, 2, 1, 4]);

    let (_, pgn) = players[0].get(&server, &format!("{path}/pgn")).await;
    let pgn = pgn.as_str().unwrap();
    assert!(pgn.contains("[Result \"3-2-1-4\"]") && pgn.contains(" R "), "{pgn}");
    let (_, picture) = players[0].get(&server, &format!("{path}/picture.svg")).await;
    let picture = picture.as_str().unwrap();
    assert!(
        picture.contains(" Yellow: ") && picture.contains(" Dead: ") && !picture.contains(" Red: "),
        "{picture}"
    );
    let (_, listed) = players[3].get(&server, "/api/games?variant=diamondring-four").await;
    assert_eq!(listed[0]["result"], "3-2-1-4", "{listed}");
    assert_eq!(listed[0]["seats"][1]["color"], "blue");
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_fill_the_table_and_a_move_is_taken_back() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({"variant": "diamondring-teams", "seats": seats(["engine", "engine", "me", "engine"])});
    let (status, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!((status, &game["you"]), (StatusCode::CREATED, &json!("yellow")), "{game}");
    assert_eq!(game["seats"][2]["partner"], "red");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let until_mine = async |ann: &mut Browser| {
        for _ in 0..600 {
            let now = state(&server, ann, &path).await;
            if now["turn"] == "yellow" {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the engines do not move");
    };
    let now = until_mine(&mut ann).await;
    assert_eq!(now["ply"], 2);
    act(&server, &mut ann, &path, json!({"type": "move", "move": now["moves"][0], "ply": 2})).await;
    let now = until_mine(&mut ann).await;
    assert_eq!(now["ply"], 6);
    let (status, after) = act(&server, &mut ann, &path, json!({"type": "takeback"})).await;
    assert_eq!((status, &after["ply"]), (StatusCode::OK, &json!(2)), "{after}");
    // The engine that is the partner agrees.
    act(&server, &mut ann, &path, json!({"type": "move", "move": after["moves"][1], "ply": 2})).await;
    until_mine(&mut ann).await;
    let (_, after) = act(&server, &mut ann, &path, json!({"type": "resign"})).await;
    assert_eq!((&after["result"], &after["reason"]), (&json!("0-1"), &json!("decided")));
    let (status, _) = act(&server, &mut ann, &path, json!({"type": "rematch"})).await;
    assert_eq!(status, StatusCode::OK);
    let (_, old) = ann.get(&server, &path).await;
    let (_, next) = ann.get(&server, &format!("/api/games/{}", old["next"].as_str().unwrap())).await;
    assert_eq!(next["you"], "green", "seats are rotated one further");
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_takes_free_seats_after_a_while() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({
        "variant": "diamondring-four",
        "seats": seats(["me", "link", "link", "link"]),
        "fill": {"after_s": 8, "level": 2},
    });
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let mut bob = Browser::default();
    bob.post(&server, &format!("{path}/join?seat=yellow"), json!({})).await;
    for _ in 0..600 {
        let (_, game) = ann.get(&server, &path).await;
        if game["state"]["status"] == "started" {
            let kinds: Vec<&Value> = (0..4).map(|seat| &game["seats"][seat]["player"]["kind"]).collect();
            assert_eq!(kinds, ["guest", "engine", "guest", "engine"]);
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the engine does not sit down");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_survives_a_restart() {
    let server = TestServer::new().await;
    let (path, mut players) = begin(&server, "diamondring-four").await;
    play(&server, &mut players, &path, 6).await;
    act(&server, &mut players[0], &path, json!({"type": "resign"})).await;
    act(&server, &mut players[1], &path, json!({"type": "draw"})).await;
    let before = state(&server, &mut players[2], &path).await;
    let server = server.restart().await;
    let after = state(&server, &mut players[2], &path).await;
    for key in ["fen", "turn", "seq", "moves"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let wishes = |state: &Value| -> Vec<(Value, Value)> {
        let seats = state["seats"]["list"].as_array().unwrap();
        seats.iter().map(|seat| (seat["resigns"].clone(), seat["agrees"].clone())).collect()
    };
    assert_eq!(wishes(&before), wishes(&after));
    play(&server, &mut players, &path, 2).await;
    let after = state(&server, &mut players[2], &path).await;
    assert_eq!(after["seats"]["list"][0]["exit"], "resign");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_cannot_be_are_refused_with_a_reason() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let four = |change: Value| {
        let mut body =
            json!({"variant": "diamondring-four", "seats": seats(["me", "engine", "engine", "engine"])});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        body
    };
    for (change, reason) in [
        (
            json!({"seats": seats(["engine", "engine", "engine", "engine"])}),
            "expected one seat of kind `me`, found 0",
        ),
        (
            json!({"seats": seats(["me", "me", "engine", "engine"])}),
            "expected one seat of kind `me`, found 2",
        ),
        (json!({"seats": [{"kind": "me"}]}), "expected 4 `seats`, found 1"),
        (json!({"opponent": {"kind": "link"}}), "expected `seats`, and neither"),
        (json!({"rated": true}), "expected a rated game to be between people"),
        (json!({"fill": {"after_s": 3601, "level": 1}}), "at most 3600"),
        (json!({"fill": {"after_s": 1, "level": 9}}), "level of 1 to 8"),
        (json!({"fen": "12/12/12/12/12/12/12/12/12/12/6bK5/rK11 r - - 0 1 rby/g"}), "king of Yellow"),
    ] {
        let (status, problem) = ann.post(&server, "/api/games", four(change)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(reason), "{problem}");
    }
    for body in [
        json!({"variant": "diamond"}),
        json!({"variant": "diamond", "seats": seats(["me", "engine", "engine", "engine"])}),
    ] {
        let (status, problem) = ann.post(&server, "/api/games", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
    let (_, game) = ann.post(&server, "/api/games", four(json!({}))).await;
    let id = game["id"].as_str().unwrap();
    let path = format!("/api/games/{id}");
    // What is not offered for four says so.
    assert_eq!(act(&server, &mut ann, &path, json!({"type": "give_time"})).await.1["code"], "not_with_four");
    for page in [format!("/analysis/{id}"), format!("/api/games/{id}/review")] {
        let (status, _) = ann.get(&server, &page).await;
        assert!(status.is_client_error(), "{page}: {status}");
    }
}

const BLITZ: &str = r#"{"kind": "live", "initial_s": 300, "increment_s": 3}"#;

/// A rated game of four accounts, each on the seat of the same number.
async fn begin_rated(server: &TestServer, variant: &str, players: &mut [Browser; 4]) -> String {
    let clock: Value = serde_json::from_str(BLITZ).unwrap();
    let seats = seats(["me", "link", "link", "link"]);
    let body = json!({"variant": variant, "seats": seats, "rated": true, "clock": clock});
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!((status, &game["rated"]), (StatusCode::CREATED, &json!(true)), "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    for (place, color) in COLORS.into_iter().enumerate().skip(1) {
        players[place].post(server, &format!("{path}/join?seat={color}"), json!({})).await;
    }
    path
}

/// How a game changed the ratings, once it is rated.
async fn rating_changes(server: &TestServer, player: &mut Browser, path: &str) -> Vec<(i64, i64)> {
    for _ in 0..100 {
        let after = state(server, player, path).await;
        let of_seat = |seat: &Value| {
            let change = &seat["rating_change"];
            Some((change["before"].as_i64()?, change["after"].as_i64()?))
        };
        let changes: Vec<_> = after["seats"]["list"].as_array().unwrap().iter().filter_map(of_seat).collect();
        if changes.len() == 4 {
            return changes;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the game is not rated");
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_game_of_four_changes_ratings_and_leaderboards() {
    let server = TestServer::new().await;
    let mut players: [Browser; 4] = Default::default();
    for (player, name) in players.iter_mut().zip(["Ann", "Bob", "Cid", "Dan"]) {
        *player = register(&server, name).await;
    }
    let path = begin_rated(&server, "diamondring-four", &mut players).await;
    play(&server, &mut players, &path, 4).await;
    for player in players.iter_mut().take(3) {
        act(&server, player, &path, json!({"type": "resign"})).await;
    }
    let changes = rating_changes(&server, &mut players[0], &path).await;
    let [red, blue, yellow, green] = changes[..] else { panic!("four changes") };
    assert_eq!((red, red), (blue, yellow), "the rest is equal");
    assert!(red.0 == 1500 && red.1 < 1500 && green.1 > 1500, "{changes:?}");

    // Teams have ratings of their own.
    let path = begin_rated(&server, "diamondring-teams", &mut players).await;
    play(&server, &mut players, &path, 4).await;
    for player in [2, 0] {
        act(&server, &mut players[player], &path, json!({"type": "resign"})).await;
    }
    let changes = rating_changes(&server, &mut players[0], &path).await;
    assert!(changes.iter().all(|change| change.0 == 1500), "{changes:?}");
    assert!(changes[0] == changes[2] && changes[1] == changes[3] && changes[0].1 < changes[1].1);

    let path = begin_rated(&server, "diamondring-four", &mut players).await;
    let (_, game) = players[0].get(&server, &path).await;
    assert_eq!(game["seats"][3]["player"]["rating"], json!(green.1));
    let (_, pgn) = players[0].get(&server, &format!("{path}/pgn")).await;
    assert!(pgn.as_str().unwrap().contains(&format!("[GreenElo \"{}\"]", green.1)), "{pgn}");

    let (_, profile) = players[0].get(&server, "/api/players/Dan").await;
    let kind = |id: &str| {
        let kinds = profile["statistics"].as_array().unwrap();
        kinds.iter().find(|kind| kind["variant"] == id).cloned().unwrap()
    };
    let four = kind("diamondring-four");
    assert_eq!((&four["wins"], &four["players"]), (&json!(1), &json!(4)), "{profile}");
    assert!(four["rating"]["rating"].as_f64().unwrap() > 1500.0, "{profile}");
    assert_eq!(kind("diamondring-teams")["wins"], 1);
    let ratings = "/api/players/Dan/ratings?variant=diamondring-four&speed=blitz";
    assert_eq!(players[0].get(&server, ratings).await.1.as_array().unwrap().len(), 1);
    for (result, count) in [("won", 2), ("drawn", 0), ("lost", 0)] {
        let (_, listed) = players[0].get(&server, &format!("/api/games?player=Dan&result={result}")).await;
        assert_eq!(listed.as_array().unwrap().len(), count, "{listed}");
    }

    let board = "/api/leaderboard?variant=diamondring-four&speed=blitz";
    let (_, board) = players[0].get(&server, board).await;
    assert_eq!(board["leaders"][0]["player"]["name"], "Dan", "{board}");
    assert_eq!((board["leaders"].as_array().unwrap().len(), &board["leaders"][0]["games"]), (4, &json!(1)));
    for page in ["/players", "/players?variant=diamondring-teams&speed=blitz", "/player/Dan"] {
        let (status, text) = players[0].get(&server, page).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        assert!(text.as_str().unwrap().contains("Dan"), "{page}");
    }
    let (_, text) = players[0].get(&server, "/players").await;
    assert!(text.as_str().unwrap().contains("variant=diamondring-teams"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rated_game_of_four_is_for_four_accounts() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let clock: Value = serde_json::from_str(BLITZ).unwrap();
    let rated = |change: Value| {
        let seats = seats(["me", "link", "link", "link"]);
        let mut body = json!({"variant": "diamondring-four", "seats": seats, "rated": true, "clock": clock});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        body
    };
    for change in [
        json!({"clock": null}),
        json!({"seats": seats(["me", "link", "link", "engine"])}),
        json!({"fill": {"after_s": 60, "level": 3}}),
    ] {
        let (status, problem) = ann.post(&server, "/api/games", rated(change)).await;
        assert_eq!((status, &problem["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("rated_terms")));
    }
    let (status, game) = ann.post(&server, "/api/games", rated(json!({}))).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let mut guest = Browser::default();
    let path = format!("/api/games/{}/join", game["id"].as_str().unwrap());
    let (status, problem) = guest.post(&server, &path, json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("rated_needs_account")));
    let (status, _) = guest.post(&server, "/api/games", rated(json!({}))).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

/// The games in the lobby once there are so many.
async fn lobby(server: &TestServer, count: usize) -> Vec<Value> {
    let mut browser = Browser::default();
    for _ in 0..100 {
        let (_, open) = browser.get(server, "/api/games/open").await;
        let open = open.as_array().unwrap().clone();
        if open.len() == count {
            return open;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("expected {count} games in the lobby");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_is_in_the_lobby_until_it_is_full() {
    let server = TestServer::new().await;
    let mut players: [Browser; 4] = Default::default();
    let seats = seats(["link", "me", "anybody", "anybody"]);
    let body = json!({"variant": "diamondring-teams", "seats": seats});
    let (status, game) = players[0].post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap();
    let listed = lobby(&server, 1).await;
    let open = |game: &Value| -> Vec<bool> {
        game["seats"].as_array().unwrap().iter().map(|seat| seat["open"] == true).collect()
    };
    assert_eq!((&listed[0]["id"], open(&listed[0])), (&json!(id), vec![false, false, true, true]));
    assert_eq!(open(&game), open(&listed[0]));
    // Who comes from the lobby leaves the seat of a friend with the link.
    let path = format!("/api/games/{id}/join");
    let (_, game) = players[1].post(&server, &path, json!({})).await;
    assert_eq!(game["you"], "yellow");
    for _ in 0..100 {
        if open(&lobby(&server, 1).await[0]) == [false, false, false, true] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let listed = lobby(&server, 1).await;
    assert_eq!(listed[0]["seats"][2]["player"]["kind"], "guest", "{listed:?}");
    let server = server.restart().await;
    assert_eq!(open(&lobby(&server, 1).await[0]), [false, false, false, true]);
    let (_, game) = players[2].post(&server, &path, json!({})).await;
    assert_eq!((&game["you"], &game["state"]["status"]), (&json!("green"), &json!("waiting")));
    lobby(&server, 0).await;
    let (_, game) = players[3].post(&server, &path, json!({})).await;
    assert_eq!((&game["you"], &game["state"]["status"]), (&json!("red"), &json!("started")));
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_leaves_the_lobby_when_it_is_given_up_or_filled() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let seats = seats(["me", "anybody", "anybody", "anybody"]);
    let body = json!({"variant": "diamondring-four", "seats": seats});
    let mut ids = Vec::new();
    for _ in 0..5 {
        let (status, game) = ann.post(&server, "/api/games", body.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        ids.push(game["id"].as_str().unwrap().to_owned());
    }
    let (status, problem) = ann.post(&server, "/api/games", body.clone()).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("too_many_seeks")), "{problem}");
    // Seeks have the same limit.
    let (status, _) = ann.post(&server, "/api/seeks", json!({"variant": "diamond"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    lobby(&server, 5).await;
    for id in &ids {
        act(&server, &mut ann, &format!("/api/games/{id}"), json!({"type": "abort"})).await;
    }
    lobby(&server, 0).await;
    let mut filled = body.clone();
    filled["fill"] = json!({"after_s": 4, "level": 1});
    let (status, game) = ann.post(&server, "/api/games", filled).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    assert_eq!(lobby(&server, 1).await[0]["fill"]["after_s"], 4);
    lobby(&server, 0).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    assert_eq!(state(&server, &mut ann, &path).await["status"], "started");
    let mut private = body;
    private["visibility"] = json!("private");
    let (status, problem) = ann.post(&server, "/api/games", private).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_takes_free_seats_after_a_restart() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({
        "variant": "diamondring-four",
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3},
        "seats": seats(["me", "anybody", "anybody", "anybody"]),
        "fill": {"after_s": 5, "level": 1},
    });
    let (status, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let server = server.restart().await;
    // Nobody opens the game: only its row is read.
    let mut connection = AnyConnection::connect(&database(server.folder()).await).await.unwrap();
    for _ in 0..200 {
        let row: (String,) =
            sqlx::query_as("SELECT status FROM games").fetch_one(&mut connection).await.unwrap();
        if row.0 == "started" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("expected a game that has begun");
}
