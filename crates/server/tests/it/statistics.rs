//! A player's statistics: counted by game and clock, by side, with length and rating.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::time::Duration;

async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", account).await.0, StatusCode::OK);
    browser
}

/// A game of two in which this number of half moves is played, then the loser (0: White) resigns; `None`: a draw.
async fn game(
    server: &TestServer,
    terms: Value,
    players: [&mut Browser; 2],
    plies: usize,
    loser: Option<usize>,
) {
    let mut body = json!({"opponent": {"kind": "link"}, "side": "white"});
    body.as_object_mut().unwrap().extend(terms.as_object().unwrap().clone());
    let (status, created) = players[0].post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    let path = format!("/api/games/{}", created["id"].as_str().unwrap());
    let (_, mut state) = players[1].post(server, &format!("{path}/join"), json!({})).await;
    state = state["state"].clone();
    let actions = format!("{path}/actions");
    for ply in 0..plies {
        let action = json!({"type": "move", "move": state["moves"][0], "ply": ply});
        let (status, next) = players[ply % 2].post(server, &actions, action).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        state = next;
    }
    match loser {
        Some(loser) => {
            players[loser].post(server, &actions, json!({"type": "resign"})).await;
        }
        None => {
            players[0].post(server, &actions, json!({"type": "draw"})).await;
            players[1].post(server, &actions, json!({"type": "draw"})).await;
        }
    }
    let (_, game) = players[0].get(server, &path).await;
    assert_eq!(game["state"]["status"], "finished", "{game}");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_counted_by_kind_and_side() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let clock = json!({"kind": "live", "initial_s": 300, "increment_s": 3});
    let blitz = json!({"variant": "diamond", "clock": clock, "rated": true});
    let slow = json!({"variant": "diagonal"});
    game(&server, blitz.clone(), [&mut ann, &mut bob], 4, Some(1)).await;
    game(&server, blitz.clone(), [&mut bob, &mut ann], 2, None).await;
    game(&server, blitz, [&mut bob, &mut ann], 6, Some(0)).await;
    game(&server, slow, [&mut ann, &mut bob], 3, Some(0)).await;
    // One that has only begun counts for nothing.
    ann.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    let tally = |games: u32, wins: u32, draws: u32, losses: u32| json!({"games": games, "wins": wins, "draws": draws, "losses": losses});
    // Ratings are written a little after the game.
    let mut profile = Value::Null;
    for _ in 0..200 {
        profile = ann.get(&server, "/api/players/ann").await.1;
        if profile["statistics"][0]["rating"]["games"] == 3 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!((&profile["games"], &profile["wins"]), (&json!(4), &json!(2)), "{profile}");
    assert_eq!((&profile["draws"], &profile["losses"]), (&json!(1), &json!(1)));
    let [fast, calm] = profile["statistics"].as_array().unwrap().as_slice() else {
        panic!("expected two kinds, found {profile}")
    };
    assert_eq!(
        (&fast["variant"], &fast["variant_name"], &fast["speed"]),
        (&json!("diamond"), &json!("Diamond Chess"), &json!("blitz"))
    );
    assert_eq!((&fast["games"], &fast["wins"]), (&json!(3), &json!(2)));
    assert_eq!((&fast["white"], &fast["black"]), (&tally(1, 1, 0, 0), &tally(2, 1, 1, 0)));
    assert_eq!((&fast["average_plies"], &fast["rating"]["games"]), (&json!(4.0), &json!(3)), "{fast}");
    assert_eq!((&calm["speed"], &calm["rating"]), (&json!("unlimited"), &Value::Null));
    assert_eq!((&calm["white"], &calm["black"]), (&tally(1, 0, 0, 1), &tally(0, 0, 0, 0)));
    // The other side of the same games.
    let (_, other) = bob.get(&server, "/api/players/Bob").await;
    assert_eq!((&other["wins"], &other["draws"], &other["losses"]), (&json!(1), &json!(1), &json!(2)));
    assert_eq!(other["statistics"][0]["white"], tally(2, 0, 1, 1));
    let (_, page) = bob.get(&server, "/player/ann").await;
    let page = page.as_str().unwrap();
    assert!(page.contains("class=\"statistics\"") && page.contains("1 / 1 / 0"), "{page}");
    history_cards_have_date_clock_and_result(page);
}

/// Cards once had `1-0` alone.
fn history_cards_have_date_clock_and_result(page: &str) {
    let history = page.split("class=\"history\"").nth(1).unwrap();
    let cards: Vec<&str> = history.split("<li class=").skip(1).collect();
    assert!(cards.len() >= 4, "{history}");
    for card in &cards {
        assert!(card.contains("<time datetime=\"20") && card.contains("Z\">"), "{card}");
        assert!(card.contains(" · rated · ") || card.contains(" · casual · "), "{card}");
        assert!(card.contains("5+3 · Blitz · ") || card.contains(">Unlimited · "), "{card}");
    }
    for ending in ["White wins by resignation.", "Draw by agreement."] {
        assert!(history.contains(ending), "{ending}: {history}");
    }
    assert!(
        !history.contains("1-0") && history.contains("\"won\"") && history.contains("\"lost\""),
        "{history}"
    );
}
