//! Puzzles: chosen by rating and theme, solved move by move, rated by the first attempt.

use crate::common::{Browser, TestServer, database, register, with_puzzles};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, header};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::net::SocketAddr;
use std::time::Duration;
use tower::ServiceExt as _;

async fn next(server: &TestServer, browser: &mut Browser, query: &str) -> (StatusCode, Value) {
    browser.get(server, &format!("/api/puzzles/next?variant=chess{query}")).await
}

async fn post(
    server: &TestServer,
    browser: &mut Browser,
    puzzle: &Value,
    action: &str,
    body: Value,
) -> Value {
    let path = format!("/api/puzzles/{}/{action}", puzzle["id"].as_str().unwrap());
    let (status, result) = browser.post(server, &path, body).await;
    assert!(status.is_success(), "{path}: {status} {result}");
    result
}

async fn attempt(server: &TestServer, browser: &mut Browser, puzzle: &Value, moves: &[&str]) -> Value {
    post(server, browser, puzzle, "attempt", json!({"moves": moves})).await
}

/// Lets all attempts so far lie a minute back.
async fn pass_a_minute(server: &TestServer) {
    let url = database(server.folder()).await;
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::query("UPDATE puzzle_rounds SET at = at - 60000").execute(&mut connection).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn first_attempt_rates_account_and_puzzle() {
    let server = with_puzzles().await;
    let mut ann = register(&server, "Ann").await;
    let (_, puzzle) = next(&server, &mut ann, "").await;
    assert_eq!((&puzzle["lead"], &puzzle["rating"]), (&json!("e7c5"), &json!(1500)), "{puzzle}");
    assert!(puzzle["moves"].as_array().unwrap().contains(&json!("a2a5")));
    assert_eq!(puzzle["solved"], Value::Null);
    assert!(!puzzle.to_string().contains("fork"), "its theme would be a hint");

    let step = attempt(&server, &mut ann, &puzzle, &["a2a5"]).await;
    assert_eq!(
        (&step["right"], &step["solved"], &step["reply"]),
        (&json!(true), &json!(false), &json!("c5f8"))
    );
    assert!(step["solution"].is_null() && step["moves"].as_array().unwrap().contains(&json!("a5a8")));
    let done = attempt(&server, &mut ann, &puzzle, &["a2a5", "a5a8"]).await;
    assert_eq!((&done["solved"], &done["themes"]), (&json!(true), &json!(["fork"])));
    assert_eq!(done["solution"], json!(["a2a5", "c5f8", "a5a8"]));
    let rating = &done["rating"];
    assert!(rating["after"].as_i64().unwrap() > rating["before"].as_i64().unwrap(), "{done}");
    let again = attempt(&server, &mut ann, &puzzle, &["a2a3"]).await;
    assert_eq!((&again["right"], &again["rating"]), (&json!(false), &Value::Null), "{again}");
    let path = format!("/api/puzzles/{}", puzzle["id"].as_str().unwrap());
    let (_, known) = ann.get(&server, &path).await;
    assert_eq!((&known["plays"], &known["solved"]), (&json!(1), &json!(true)));

    // The other one is far from her rating, and the only one left.
    let (_, other) = next(&server, &mut ann, "").await;
    assert_eq!(other["lead"], "a6a5");
    pass_a_minute(&server).await;
    let failed = attempt(&server, &mut ann, &other, &[]).await;
    assert!(failed["rating"]["after"].as_i64().unwrap() < failed["rating"]["before"].as_i64().unwrap());
    // Then those that she has tried come again, the oldest first.
    assert_eq!(next(&server, &mut ann, "").await.1["id"], puzzle["id"]);

    let (_, history) = ann.get(&server, "/api/puzzles/history").await;
    let solved: Vec<&Value> = history.as_array().unwrap().iter().map(|round| &round["solved"]).collect();
    assert_eq!(solved, [false, true]);
    let (_, page) = ann.get(&server, &format!("/api/puzzles/history?before={}", history[0]["at"])).await;
    assert!(page.as_array().unwrap().len() <= 1);
    let (_, profile) = Browser::default().get(&server, "/api/players/Ann").await;
    assert_eq!(
        (&profile["puzzles"][0]["variant"], &profile["puzzles"][0]["plays"]),
        (&json!("chess"), &json!(2))
    );
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!(data["puzzles"].as_array().map(Vec::len), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn attempts_faster_than_a_person_are_not_rated() {
    let server = with_puzzles().await;
    let mut ann = register(&server, "Ann").await;
    let (_, first) = next(&server, &mut ann, "&theme=fork").await;
    let (_, second) = next(&server, &mut ann, "&theme=mate").await;
    assert!(attempt(&server, &mut ann, &first, &["a2a5", "a5a8"]).await["rating"].is_object());
    let hasty = attempt(&server, &mut ann, &second, &["e1e8"]).await;
    assert_eq!((&hasty["solved"], &hasty["rating"]), (&json!(true), &Value::Null));
    // A vote of a solver whose attempt was not rated does not count.
    post(&server, &mut ann, &second, "vote", json!({"up": false})).await;
    let path = format!("/api/puzzles/{}", second["id"].as_str().unwrap());
    assert_eq!(ann.get(&server, &path).await.1["votes"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_solution_that_a_guest_has_seen_is_not_rated_at_the_same_address() {
    let server = with_puzzles().await;
    let (mut ann, bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let (_, puzzle) = next(&server, &mut ann, "&theme=fork").await;
    let path = format!("/api/puzzles/{}/attempt", puzzle["id"].as_str().unwrap());
    let attempt_from = async |address: [u8; 4], cookie: Option<&String>, moves: Value| {
        let mut request = Request::post(&path)
            .header(header::HOST, "test")
            .header(header::CONTENT_TYPE, "application/json")
            .extension(ConnectInfo(SocketAddr::from((address, 4000))));
        if let Some(cookie) = cookie {
            request = request.header(header::COOKIE, cookie);
        }
        let body = Body::from(json!({"moves": moves}).to_string());
        let response = server.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        serde_json::from_slice::<Value>(&bytes).unwrap()
    };
    let (here, elsewhere) = ([203, 0, 113, 7], [198, 51, 100, 7]);
    let seen = attempt_from(here, None, json!([])).await;
    assert_eq!(seen["solution"][0], "a2a5", "{seen}");
    let solution = json!(["a2a5", "a5a8"]);
    let farmed = attempt_from(here, ann.cookie.as_ref(), solution.clone()).await;
    assert_eq!((&farmed["solved"], &farmed["rating"]), (&json!(true), &Value::Null), "{farmed}");
    let honest = attempt_from(elsewhere, bob.cookie.as_ref(), solution).await;
    assert!(honest["rating"].is_object(), "{honest}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_and_streaks_raise_no_rating() {
    let server = with_puzzles().await;
    let mut ann = register(&server, "Ann").await;
    let (_, puzzle) = next(&server, &mut ann, "&theme=fork").await;
    let hint = post(&server, &mut ann, &puzzle, "hint", json!({"moves": []})).await;
    let (_, board) = ann.get(&server, "/api/variants/chess/board").await;
    let square = hint["square"].as_u64().unwrap() as usize;
    assert_eq!(board["squares"][square]["name"], "a2");
    let later = post(&server, &mut ann, &puzzle, "hint", json!({"moves": ["a2a5"]})).await;
    assert_eq!(board["squares"][later["square"].as_u64().unwrap() as usize]["name"], "a5");
    let done = attempt(&server, &mut ann, &puzzle, &["a2a5", "a5a8"]).await;
    assert_eq!((&done["solved"], &done["rating"]), (&json!(true), &Value::Null));
    let path = format!("/api/puzzles/{}/hint", puzzle["id"].as_str().unwrap());
    for moves in [json!(["a2a5", "a5a8"]), json!(["a2a3"])] {
        let (status, _) = ann.post(&server, &path, json!({"moves": moves})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    }

    let (_, streak) = ann.get(&server, "/api/puzzles/streak?variant=chess").await;
    let ids = streak["puzzles"].as_array().unwrap();
    assert_eq!((ids.len(), &ids[0]), (2, &puzzle["id"]), "the easiest first");
    let (_, storm) = ann.get(&server, "/api/puzzles/storm?variant=chess").await;
    let first = &storm["puzzles"][0];
    assert_eq!((storm["puzzles"].as_array().unwrap().len(), &first["id"]), (2, &puzzle["id"]));
    assert_eq!((&first["lead"], &first["line"]), (&puzzle["lead"], &json!(["a2a5", "c5f8", "a5a8"])));
    let unrated = json!({"moves": ["e1e7"], "rated": false});
    let failed = post(&server, &mut ann, &json!({"id": ids[1]}), "attempt", unrated).await;
    assert_eq!((&failed["solved"], &failed["rating"]), (&json!(false), &Value::Null));
    assert_eq!(ann.get(&server, "/api/players/Ann").await.1["puzzles"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn guests_solve_without_ratings_and_the_daily_puzzle_is_the_same_for_all() {
    let server = with_puzzles().await;
    let mut guest = Browser::default();
    let (_, puzzle) = next(&server, &mut guest, "&theme=mate").await;
    // Another mate than the solution's is as good.
    let done = attempt(&server, &mut guest, &puzzle, &["d2d8"]).await;
    assert_eq!((&done["solved"], &done["rating"]), (&json!(true), &Value::Null));
    let path = format!("/api/puzzles/{}", puzzle["id"].as_str().unwrap());
    let (_, known) = guest.get(&server, &path).await;
    assert_eq!((&known["plays"], &known["rating"]), (&json!(0), &json!(2600)));
    assert_eq!(guest.get(&server, "/api/puzzles/history").await.1.as_array().map(Vec::len), Some(1));

    let daily = Browser::default().get(&server, "/api/puzzles/daily?variant=chess").await;
    assert_eq!(daily.0, StatusCode::OK);
    for _ in 0..5 {
        assert_eq!(Browser::default().get(&server, "/api/puzzles/daily?variant=chess").await, daily);
    }
    // The game of the day is one of the five that has puzzles.
    let mut visitor = Browser::default();
    assert_eq!(visitor.get(&server, "/api/puzzles/daily").await.1["variant"], "diamond");
    let (_, themes) = visitor.get(&server, "/api/puzzles/themes?variant=chess").await;
    assert_eq!(themes, json!([{"theme": "fork", "puzzles": 1}, {"theme": "mate", "puzzles": 1}]));
    for (path, expected) in [
        ("/api/puzzles/daily?variant=diagonal", StatusCode::NOT_FOUND),
        ("/api/puzzles/next?variant=nosuchgame", StatusCode::NOT_FOUND),
        ("/api/puzzles/next?variant=chess&theme=nonsense", StatusCode::NOT_FOUND),
        ("/api/puzzles/next", StatusCode::UNPROCESSABLE_ENTITY),
        ("/api/puzzles/nosuchpuzzle", StatusCode::NOT_FOUND),
        ("/api/puzzles/streak?variant=diagonal", StatusCode::NOT_FOUND),
        ("/api/puzzles/storm?variant=diagonal", StatusCode::NOT_FOUND),
        ("/api/puzzles/history", StatusCode::UNAUTHORIZED),
    ] {
        assert_eq!(visitor.get(&server, path).await.0, expected, "{path}");
    }
    let path = format!("{path}/attempt");
    let many = json!({"moves": vec!["d2d8"; 41]});
    assert_eq!(visitor.post(&server, &path, many).await.0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test(flavor = "multi_thread")]
async fn votes_count_once_and_are_deleted_with_the_account() {
    let server = with_puzzles().await;
    let mut ann = register(&server, "Ann").await;
    let (_, puzzle) = next(&server, &mut ann, "&theme=fork").await;
    let path = format!("/api/puzzles/{}", puzzle["id"].as_str().unwrap());
    let vote = json!({"up": true});
    assert_eq!(ann.post(&server, &format!("{path}/vote"), vote.clone()).await.0, StatusCode::FORBIDDEN);
    attempt(&server, &mut ann, &puzzle, &[]).await;
    for (up, votes) in [(true, 1), (true, 1), (false, -1), (true, 1)] {
        let (status, _) = ann.post(&server, &format!("{path}/vote"), json!({"up": up})).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
        assert_eq!(ann.get(&server, &path).await.1["votes"], votes);
    }
    let (status, _) = Browser::default().post(&server, &format!("{path}/vote"), vote).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    let deleted = ann.post(&server, "/api/account/delete", json!({"password": "a long password"})).await;
    assert_eq!(deleted.0, StatusCode::OK, "{}", deleted.1);
    assert_eq!(Browser::default().get(&server, &path).await.1["votes"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_show_and_link_puzzles() {
    let server = with_puzzles().await;
    let mut ann = register(&server, "Ann").await;
    let (_, puzzle) = next(&server, &mut ann, "&theme=fork").await;
    attempt(&server, &mut ann, &puzzle, &[]).await;
    let (_, overview) = ann.get(&server, "/puzzles?variant=chess").await;
    let overview = overview.as_str().unwrap();
    for text in
        ["Puzzle of the day", "Fork", "/puzzles/streak?variant=chess", "Your latest puzzles", "Failed"]
    {
        assert!(overview.contains(text), "{text}");
    }
    for (path, expected) in [
        ("/puzzles/next?variant=chess&theme=mate", StatusCode::SEE_OTHER),
        ("/puzzles/daily", StatusCode::SEE_OTHER),
        ("/puzzles/streak?variant=chess", StatusCode::OK),
        ("/puzzles/storm?variant=chess", StatusCode::OK),
        ("/puzzles/nosuchpuzzle", StatusCode::NOT_FOUND),
        ("/puzzles?variant=nosuchgame", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(ann.get(&server, path).await.0, expected, "{path}");
    }
    let (_, page) =
        ann.get(&server, &format!("/puzzles/{}?theme=fork", puzzle["id"].as_str().unwrap())).await;
    assert!(!page.as_str().unwrap().contains("a2a5 c5f8"), "the solution stays on the server");
    assert!(ann.get(&server, "/").await.1.as_str().unwrap().contains("Puzzle of the day"));
    let (_, empty) = Browser::default().get(&TestServer::new().await, "/puzzles").await;
    assert!(empty.as_str().unwrap().contains("no puzzles"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_file_retires_puzzles_and_keeps_ratings() {
    let server = with_puzzles().await;
    let mut ann = register(&server, "Ann").await;
    let (_, fork) = next(&server, &mut ann, "&theme=fork").await;
    let (_, mate) = next(&server, &mut ann, "&theme=mate").await;
    let done = attempt(&server, &mut ann, &fork, &["a2a5", "a5a8"]).await;
    assert!(done["rating"].is_object());
    let folder = server.stop().await;
    let file = json!([{"variant": "chess", "fen": fork["fen"], "lead": "e7c5", "line": ["a2a5", "c5f8", "a5a8"],
        "themes": ["exchange"], "rating": 900, "source": "another test"}]);
    let bytes = Cow::Owned(file.to_string().into_bytes());
    let server = TestServer::at(folder, |config| config.puzzles = [bytes].into()).await;
    for _ in 0..300 {
        if next(&server, &mut ann, "&theme=exchange").await.0 == StatusCode::OK {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (_, updated) = next(&server, &mut ann, "&theme=exchange").await;
    assert_eq!(
        (&updated["id"], &updated["plays"], &updated["solved"]),
        (&fork["id"], &json!(1), &json!(true))
    );
    for _ in 0..300 {
        if next(&server, &mut ann, "&theme=mate").await.0 == StatusCode::NOT_FOUND {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(next(&server, &mut ann, "&theme=mate").await.0, StatusCode::NOT_FOUND, "retired");
    let path = format!("/api/puzzles/{}", mate["id"].as_str().unwrap());
    assert_eq!(ann.get(&server, &path).await.0, StatusCode::OK, "but still there");
}

/// Of the puzzles that ship, enough of each game are neither mates nor gains of material in two moves.
#[test]
fn puzzles_that_ship_are_balanced() {
    const OTHERS: [&str; 6] = ["goal", "race", "defense", "equality", "promotion", "endgame"];
    for id in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring"] {
        let file = format!("{}/puzzles/{id}.json", env!("CARGO_MANIFEST_DIR"));
        let puzzles: Vec<Value> = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let has = |puzzle: &Value, theme: &str| puzzle["themes"].as_array().unwrap().contains(&json!(theme));
        let is_other = |puzzle: &&Value| {
            let is_long = puzzle["line"].as_array().unwrap().len() > 3;
            !has(puzzle, "mate") && (is_long || OTHERS.iter().any(|theme| has(puzzle, theme)))
        };
        let others = puzzles.iter().filter(is_other).count();
        assert!(puzzles.len() >= 285 && others >= 60, "{id}: {others} of {}", puzzles.len());
    }
}
