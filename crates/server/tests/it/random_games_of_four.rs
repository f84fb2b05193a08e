//! Games of three and four by random movers, all at once through the API: each ends, and its PGN tells the same game.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use lozenge_rules::library;
use lozenge_rules::notation::pgn::Reader;
use lozenge_rules::notation::record;
use lozenge_rules::variant::MultiVariant;
use serde_json::{Value, json};
use std::time::Duration;

/// Games at once.
const GAMES: u64 = 200;
/// Half moves after which the players resign one after the other.
const RESIGN_AFTER: u64 = 12;

/// Posts as clients do: what the site refuses because all clients of this machine have spent their budget, it takes later.
async fn post(server: &TestServer, player: &mut Browser, path: &str, body: &Value) -> (StatusCode, Value) {
    loop {
        let (status, answer) = player.post(server, path, body.clone()).await;
        if status != StatusCode::TOO_MANY_REQUESTS {
            return (status, answer);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// Plays one game to its end with a person on each seat, and replays it.
async fn play(server: &TestServer, game: &MultiVariant, seed: u64) {
    let colors: Vec<&str> = game.seats().iter().map(|seat| seat.id()).collect();
    let mut players: Vec<Browser> = colors.iter().map(|_| Browser::default()).collect();
    let kinds = ["me", "link", "link", "link"].map(|kind| json!({"kind": kind}));
    let body = json!({"variant": game.id(), "seats": kinds[..colors.len()]});
    let (status, made) = post(server, &mut players[0], "/api/games", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let path = format!("/api/games/{}", made["id"].as_str().unwrap());
    for (seat, color) in colors.iter().enumerate().skip(1) {
        let join = format!("{path}/join?seat={color}");
        let (status, joined) = post(server, &mut players[seat], &join, &json!({})).await;
        assert_eq!(status, StatusCode::OK, "{joined}");
    }
    let mut random = seed;
    let mut state = players[0].get(server, &path).await.1["state"].clone();
    while state["status"] != "finished" {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let turn = colors.iter().position(|color| state["turn"] == *color).unwrap();
        let moves = state["moves"].as_array().unwrap();
        let resigns =
            state["ply"].as_u64() >= Some(RESIGN_AFTER) && state["seats"]["list"][turn]["resigns"] == false;
        let action = if resigns {
            json!({"type": "resign"})
        } else {
            json!({"type": "move", "move": moves[(random >> 33) as usize % moves.len()], "ply": state["ply"]})
        };
        let (status, after) = post(server, &mut players[turn], &format!("{path}/actions"), &action).await;
        assert_eq!(status, StatusCode::OK, "{after}");
        state = after;
    }
    let (_, pgn) = players[0].get(server, &format!("{path}/pgn")).await;
    let pgn = pgn.as_str().unwrap();
    let tree = Reader::new(pgn.as_bytes()).next().unwrap().unwrap();
    let record = record::resolve_any(tree, &library::any_named).unwrap();
    let played = record.game.four().unwrap();
    let found = (played.turns().len() as u64, played.position().fen(), record.tree.result.to_string());
    let text = |key: &str| state[key].as_str().unwrap().to_owned();
    assert_eq!(found, (state["ply"].as_u64().unwrap(), text("fen"), text("result")), "{pgn}");
    let outcome = record::multi_result(played.outcome().unwrap().result).to_string();
    assert_eq!(Value::from(outcome), state["result"], "{pgn}");
}

#[tokio::test(flavor = "multi_thread")]
async fn random_games_of_four_all_end_and_replay() {
    let server = TestServer::new().await;
    let games: Vec<_> = library::multi_ids().filter_map(library::multi_game).collect();
    let all = games.iter().cycle().zip(1..=GAMES).map(|(game, seed)| play(&server, game, seed));
    futures_util::future::join_all(all).await;
}

#[tokio::test]
async fn pages_of_games_of_four_offer_what_there_is() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let (_, rules) = guest.get(&server, "/rules/diamondring-four").await;
    let rules = rules.as_str().unwrap();
    for link in ["/?game=diamondring-four", "/analysis?variant=diamondring-four", "/learn/diamondring-four"] {
        assert!(rules.contains(&format!("href=\"{link}\"")), "{link}");
    }
    assert!(!rules.contains("/puzzles?") && !rules.contains("/learn/diamondring-flat"), "{rules}");
    for page in ["/learn/threearmies/endings", "/variants/threearmies/report"] {
        assert_eq!(guest.get(&server, page).await.0, StatusCode::NOT_FOUND, "{page}");
    }
    let (status, editor) = guest.get(&server, "/editor?variant=fourplayerchess").await;
    assert_eq!(status, StatusCode::OK);
    let editor = editor.as_str().unwrap();
    assert!(editor.contains("rKrQbKbQyKyQgKgQ") && editor.contains("threearmies"), "{editor}");
    // The picture of links to the page.
    let picture = "/api/variants/diamondring-four/picture.png";
    assert!(rules.contains(picture));
    assert_eq!(guest.get(&server, picture).await.0, StatusCode::OK);
    // A game begins from a position, unless it is over there.
    let seats = json!([{"kind": "me"}, {"kind": "engine", "level": 1}, {"kind": "link"}]);
    let start = library::multi_game("threearmies").unwrap().start().replace(" r ", " y ");
    let body = json!({"variant": "threearmies", "seats": seats, "fen": start});
    let (status, game) = guest.post(&server, "/api/games", body).await;
    assert_eq!((status, &game["state"]["turn"]), (StatusCode::CREATED, &json!("yellow")), "{game}");
    let over = json!({"variant": "threearmies", "seats": seats,
        "fen": "***......***/***......***/***......***/12/12/12/12/12/12/***......***/***......***/***2rK3*** r - - 0 1 r/by"
            .replace("......", "6")});
    let (status, problem) = guest.post(&server, "/api/games", over).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
}
