//! Lessons by the API and as pages: the same course each time, in the reader's language, none of a game that is not there, and
//! moves of learners.

use crate::common::{Browser, TestServer, register};
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

#[tokio::test]
async fn every_built_in_game_has_lessons_by_the_api() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    for game in ["diamond", "diamondring", "chess"] {
        let address = format!("/api/lessons/{game}");
        let (status, course) = browser.get(&server, &address).await;
        assert_eq!(status, StatusCode::OK, "{course}");
        assert_eq!(course["variant"], json!(game));
        assert!(course["stages"].as_array().is_some_and(|stages| stages.len() > 4), "{course}");
        assert_eq!(browser.get(&server, &address).await.1, course);
    }
    assert_eq!(browser.get(&server, "/api/lessons/nothing").await.0, StatusCode::NOT_FOUND);
}

/// The answer to a move in a level, which must be accepted.
async fn attempt(server: &TestServer, browser: &mut Browser, game: &str, body: Value) -> Value {
    let (status, state) = browser.post(server, &format!("/api/lessons/{game}/attempt"), body).await;
    assert_eq!(status, StatusCode::OK, "{state}");
    state
}

#[tokio::test]
async fn every_level_is_solved_by_its_solution_through_the_api() {
    for game in ["diamond", "diamondring-teams", "threearmies"] {
        solve_all(game).await;
    }
}

async fn solve_all(game: &str) {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    let (_, course) = browser.get(&server, &format!("/api/lessons/{game}")).await;
    let levels =
        course["stages"].as_array().unwrap().iter().flat_map(|stage| stage["levels"].as_array().unwrap());
    for level in levels.filter(|level| level["goal"]["kind"] != json!("play")) {
        let mut body = json!({"fen": level["fen"], "goal": level["goal"], "stars": level["stars"], "hero": level["hero"]});
        let begun = attempt(&server, &mut browser, game, body.clone()).await;
        assert_eq!((&begun["result"], &begun["steps"]), (&json!("going"), &json!([])), "{level}");
        let solution = level["solution"].as_array().unwrap();
        let legal = begun["legal"].as_array().unwrap();
        // Also two lone Kings, which are a draw in a game.
        assert!(legal.iter().any(|legal| legal["uci"] == solution[0]), "{level}: {begun}");
        for (number, played) in (1..).zip(solution) {
            body["move"] = played.clone();
            let state = attempt(&server, &mut browser, game, body.clone()).await;
            let expected = if number == solution.len() { "done" } else { "going" };
            assert_eq!(state["result"], json!(expected), "{level}: {state}");
            assert_eq!(state["steps"][0]["uci"], *played);
            body = json!({"fen": state["fen"], "goal": level["goal"], "stars": state["stars"], "hero": state["hero"]});
        }
    }
}

#[tokio::test]
async fn in_levels_with_stars_only_one_piece_has_moves() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    let fen = "4k3/8/8/8/8/8/8/R6K w - - 0 1";
    let body = json!({"fen": fen, "goal": {"kind": "stars"}, "stars": ["b1", "b8"], "hero": "a1"});
    let state = attempt(&server, &mut browser, "chess", body).await;
    let moves = state["legal"].as_array().unwrap();
    assert!(
        !moves.is_empty() && moves.iter().all(|legal| legal["uci"].as_str().unwrap().starts_with("a1")),
        "{moves:?}"
    );
}

#[tokio::test]
async fn a_miss_comes_with_the_answer_to_it() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    let body =
        json!({"fen": "3r2k1/8/8/8/8/8/P4PPP/1R4K1 w - - 0 1", "goal": {"kind": "check"}, "move": "Rb7"});
    let state = attempt(&server, &mut browser, "chess", body.clone()).await;
    assert_eq!(state["result"], json!("missed"));
    let steps: Vec<&Value> = state["steps"].as_array().unwrap().iter().map(|step| &step["san"]).collect();
    assert_eq!(steps, [&json!("Rb7"), &json!("Rd1#")]);
    assert_eq!(state["fen"], body["fen"]);
}

#[tokio::test]
async fn requests_that_are_no_attempt_are_refused_with_a_reason() {
    let server = TestServer::new().await;
    let mut browser = Browser::default();
    let fen = "4k3/8/8/8/8/8/8/R6K w - - 0 1";
    let stars = vec!["a2"; 65];
    for (body, reason) in [
        (json!({"fen": "nonsense", "goal": {"kind": "check"}}), "expected"),
        (json!({"fen": fen, "goal": {"kind": "check"}, "move": "a1b2"}), "a1b2"),
        (json!({"fen": fen, "goal": {"kind": "stars"}, "stars": ["z9"]}), "found `z9`"),
        (
            json!({"fen": fen, "goal": {"kind": "stars"}, "stars": stars}),
            "expected at most 64 stars, found 65",
        ),
        (json!({"fen": fen, "goal": {"kind": "check"}, "move": "R"}), "R"),
        (json!({"fen": fen, "goal": {"kind": "play", "level": 0, "moves": 5}}), "found a game"),
    ] {
        let (status, problem) = browser.post(&server, "/api/lessons/chess/attempt", body.clone()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}: {problem}");
        assert!(problem["detail"].as_str().unwrap().contains(reason), "{body}: {problem}");
    }
}

#[tokio::test]
async fn games_can_be_learned_on_pages() {
    let server = TestServer::with_public_url("https://lozenge.example").await;
    let mut browser = Browser::default();
    let (status, list) = browser.get(&server, "/learn").await;
    let list = list.as_str().unwrap();
    assert_eq!(status, StatusCode::OK, "{list}");
    for id in lozenge_rules::library::ids() {
        assert!(list.contains(&format!("href=\"/learn/{id}\"")), "{id}");
        let (status, page) = browser.get(&server, &format!("/learn/{id}")).await;
        let page = page.as_str().unwrap();
        assert_eq!(status, StatusCode::OK, "{id}: {page}");
        assert_eq!(page.matches("<dt>").count(), 3, "{id}: {page}");
        assert!(page.contains(&format!("https://lozenge.example/learn/{id}")), "{id}: {page}");
    }
    assert!(list.contains("18 levels · 5 minutes"), "{list}");
    for id in lozenge_rules::library::multi_ids() {
        assert!(list.contains(&format!("href=\"/learn/{id}\"")), "{id}");
        let (status, page) = browser.get(&server, &format!("/learn/{id}")).await;
        assert_eq!(status, StatusCode::OK, "{id}: {page}");
        let page = page.as_str().unwrap();
        assert!(
            page.contains(&format!("href=\"/rules/{id}\"")) && !page.contains("/endings"),
            "{id}: {page}"
        );
        let coordinates = format!("/learn/{id}/coordinates");
        assert_eq!(browser.get(&server, &coordinates).await.0, StatusCode::OK, "{id}");
    }
    assert_eq!(browser.get(&server, "/learn/nothing").await.0, StatusCode::NOT_FOUND);
    for (address, link) in
        [("/", "/learn/diamond"), ("/rules/diamond", "/learn/diamond"), ("/rules", "/learn/chess")]
    {
        let (_, page) = browser.get(&server, address).await;
        assert!(page.as_str().unwrap().contains(&format!("href=\"{link}\"")), "{address}");
    }
}

#[tokio::test]
async fn progress_is_kept_by_the_account() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let address = "/api/lessons/diamond/progress";
    let put = json!({"stars": {"winning-1": 2, "piece-r-1": 3}});
    let (status, answer) = Browser::default().request(&server, Method::PUT, address, Some(put.clone())).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED, "{answer}");
    let (status, answer) = ann.request(&server, Method::PUT, address, Some(put.clone())).await;
    assert_eq!((status, answer), (StatusCode::OK, put));
    // Of each level the most stars count, whatever the order.
    let again = json!({"stars": {"winning-1": 3, "piece-r-1": 1}});
    let (_, answer) = ann.request(&server, Method::PUT, address, Some(again)).await;
    assert_eq!(answer, json!({"stars": {"winning-1": 3, "piece-r-1": 3}}));
    let claimed = json!({"stars": {"winning-99": 3}});
    let (_, answer) = ann.request(&server, Method::PUT, address, Some(claimed)).await;
    assert_eq!(answer, json!({"stars": {"winning-1": 3, "piece-r-1": 3}}), "there is no such level");
    for bad in
        [json!({"stars": {"winning-1": 4}}), json!({"stars": {"a b": 1}}), json!({"stars": {"winning-1": 0}})]
    {
        let (status, answer) = ann.request(&server, Method::PUT, address, Some(bad)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{answer}");
    }
    let (_, profile) = ann.get(&server, "/api/players/Ann").await;
    let course = &profile["lessons"][0];
    assert_eq!(
        (&course["variant"], &course["levels"], &course["stars"]),
        (&json!("diamond"), &json!(2), &json!(6))
    );
    let (_, page) = ann.get(&server, "/player/Ann").await;
    let page = page.as_str().unwrap();
    assert!(page.contains("★ 6 / "), "{page}");
    let (_, page) = ann.get(&server, "/learn").await;
    let page = page.as_str().unwrap();
    assert!(page.contains("data-solved=\"2\" data-stars=\"6\""), "{page}");
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!(data["lessons"][0]["levels"], json!(2));
}
