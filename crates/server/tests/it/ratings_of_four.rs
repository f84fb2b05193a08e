//! Rated games of three and four players: what they change, in lists, rematches and after the deletion of an account, and who may play them.

use crate::common::{Browser, TestServer, register};
use crate::games_of_four::{COLORS, act, by_link, play, seats, state};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;

const BLITZ: &str = r#"{"kind": "live", "initial_s": 300, "increment_s": 3}"#;

/// A rated game of accounts, each on the seat of the same number.
async fn begin_rated<const PLAYERS: usize>(
    server: &TestServer,
    variant: &str,
    players: &mut [Browser; PLAYERS],
) -> String {
    let clock: Value = serde_json::from_str(BLITZ).unwrap();
    let seats = seats(by_link::<PLAYERS>());
    let body = json!({"variant": variant, "seats": seats, "rated": true, "clock": clock});
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!((status, &game["rated"]), (StatusCode::CREATED, &json!(true)), "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    for (place, color) in COLORS.into_iter().enumerate().take(PLAYERS).skip(1) {
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
        let players = after["seats"]["list"].as_array().unwrap().len();
        if changes.len() == players {
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

/// Cid deletes the account in the middle of a rated game: the others go on, and are rated.
#[tokio::test(flavor = "multi_thread")]
async fn deleted_account_leaves_the_others_rated() {
    let server = TestServer::new().await;
    let mut players: [Browser; 4] = Default::default();
    for (player, name) in players.iter_mut().zip(["Ann", "Bob", "Cid", "Dan"]) {
        *player = register(&server, name).await;
    }
    let path = begin_rated(&server, "diamondring-four", &mut players).await;
    play(&server, &mut players, &path, 4).await;
    let password = json!({"password": "a long password"});
    let (status, answer) = players[2].post(&server, "/api/account/delete", password).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    for player in &mut players[..2] {
        act(&server, player, &path, json!({"type": "resign"})).await;
    }
    let after = state(&server, &mut players[3], &path).await;
    assert_eq!((&after["status"], &after["result"]), (&json!("finished"), &json!("4-3-2-1")), "{after}");
    let mut changes = Vec::new();
    for _ in 0..100 {
        let after = state(&server, &mut players[3], &path).await;
        let seats = after["seats"]["list"].as_array().unwrap();
        changes = seats.iter().map(|seat| seat["rating_change"]["after"].as_i64()).collect();
        if changes.iter().flatten().count() == 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let [Some(red), Some(blue), None, Some(green)] = changes[..] else { panic!("{changes:?}") };
    assert!(red == blue && red < 1500 && green > 1500, "{changes:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_people_play_a_rated_game_to_its_places() {
    let server = TestServer::new().await;
    let variant = "threearmies";
    let mut players: [Browser; 3] = Default::default();
    for (player, name) in players.iter_mut().zip(["Ann", "Bob", "Cid"]) {
        *player = register(&server, name).await;
    }
    let four = json!({"variant": variant, "seats": seats(["me", "link", "link", "link"])});
    let (status, problem) = players[0].post(&server, "/api/games", four).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(problem["detail"].as_str().unwrap().contains("expected 3 `seats`, found 4"), "{problem}");

    let path = begin_rated(&server, variant, &mut players).await;
    let (_, game) = players[1].get(&server, &path).await;
    assert_eq!((&game["state"]["status"], &game["you"]), (&json!("started"), &json!("blue")), "{game}");
    let late = register(&server, "Dan").await.post(&server, &format!("{path}/join"), json!({})).await;
    assert_eq!((late.0, &late.1["code"]), (StatusCode::CONFLICT, &json!("place_taken")));
    play(&server, &mut players, &path, 7).await;
    let (_, after) = act(&server, &mut players[1], &path, json!({"type": "resign"})).await;
    assert_eq!((&after["turn"], &after["seats"]["list"][1]["exit"]), (&json!("yellow"), &json!("resign")));
    play(&server, &mut players, &path, 1).await;
    act(&server, &mut players[0], &path, json!({"type": "resign"})).await;
    let after = state(&server, &mut players[2], &path).await;
    assert_eq!((&after["result"], &after["reason"]), (&json!("2-3-1"), &json!("decided")), "{after}");
    let changes = rating_changes(&server, &mut players[0], &path).await;
    let [red, blue, yellow] = changes[..] else { panic!("three changes") };
    assert!(red == blue && red.1 < 1500 && yellow.1 > 1500, "{changes:?}");

    // Everywhere it is a game of three.
    let (_, pgn) = players[0].get(&server, &format!("{path}/pgn")).await;
    let pgn = pgn.as_str().unwrap();
    assert!(pgn.contains("[Result \"2-3-1\"]") && !pgn.contains("Green"), "{pgn}");
    let (status, imported) = players[0].post(&server, "/api/games/import", json!({"pgn": pgn})).await;
    assert_eq!(status, StatusCode::CREATED, "{imported}");
    let (_, listed) = players[2].get(&server, &format!("/api/games?variant={variant}")).await;
    let seated = listed.as_array().unwrap().iter().map(|game| game["seats"].as_array().unwrap().len());
    assert_eq!(seated.collect::<Vec<_>>(), [3], "{listed}");
    for (name, result) in [("Ann", "lost"), ("Bob", "lost"), ("Cid", "won")] {
        for other in ["won", "drawn", "lost"] {
            let list = format!("/api/games?player={name}&result={other}");
            let (_, listed) = players[0].get(&server, &list).await;
            assert_eq!(listed.as_array().unwrap().len(), usize::from(other == result), "{name} {other}");
        }
    }
    let (_, profile) = players[0].get(&server, "/api/players/Cid").await;
    let kind = &profile["statistics"][0];
    assert_eq!((&kind["players"], &kind["wins"]), (&json!(3), &json!(1)), "{profile}");
    let leaders = format!("/api/leaderboard?variant={variant}&speed=blitz");
    let (_, board) = players[0].get(&server, &leaders).await;
    assert_eq!(board["leaders"][0]["player"]["name"], "Cid", "{board}");
    let position = json!({"variant": variant, "moves": ["R"]});
    let (status, position) = players[0].post(&server, "/api/positions", position).await;
    assert_eq!((status, &position["turn"]), (StatusCode::OK, &json!("blue")), "{position}");
    let id = path.rsplit('/').next().unwrap();
    for page in [
        format!("/game/{id}"),
        format!("/analysis/{id}"),
        format!("/rules/{variant}"),
        format!("/players?variant={variant}&speed=blitz"),
        "/player/Cid".into(),
        "/".into(),
    ] {
        let (status, text) = players[2].get(&server, &page).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        assert!(!text.as_str().unwrap().contains("green\":"), "{page}");
    }
    // The places rotate in a rematch, which starts once all want it.
    for player in &mut players {
        act(&server, player, &path, json!({"type": "rematch"})).await;
    }
    let (_, old) = players[0].get(&server, &path).await;
    let (_, next) = players[0].get(&server, &format!("/api/games/{}", old["next"].as_str().unwrap())).await;
    assert_eq!((&next["you"], next["seats"].as_array().unwrap().len()), (&json!("blue"), 3), "{next}");
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
