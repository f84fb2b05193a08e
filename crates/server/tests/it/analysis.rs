//! Analysis over the API: positions, the engine's lines, PGN in and out, and no help in one's own games.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn positions_list_legal_moves_and_the_steps_leading_to_them() {
    let server = TestServer::new().await;
    let mut visitor = Browser::default();
    let body = json!({"variant": "diamond", "moves": ["c3c4", "Ng6"], "known": 1});
    let (status, found) = visitor.post(&server, "/api/positions", body).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{found}");
    assert!(found["detail"].as_str().unwrap().starts_with("move 2: "), "{found}");
    let body = json!({"variant": "diamond", "moves": ["c3c4"]});
    let (_, first) = visitor.post(&server, "/api/positions", body).await;
    let reply = &first["legal"][0];
    let body = json!({"variant": "diamond", "moves": ["c3c4", reply["san"]], "known": 1});
    let (status, found) = visitor.post(&server, "/api/positions", body).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    assert_eq!(
        (&found["turn"], &found["status"], &found["result"]),
        (&json!("white"), &json!("ongoing"), &json!("*"))
    );
    let steps = found["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "the first is known");
    assert_eq!((&steps[0]["uci"], &steps[0]["fen"]), (&reply["uci"], &found["fen"]));
    assert_eq!(found["last"].as_array().unwrap().len(), 2);
    assert!(found["legal"].as_array().unwrap().len() > 5);
    // By the digest of its rules, too, once a game has stored them.
    let game = json!({"variant": "diamond", "opponent": {"kind": "link"}});
    let (_, game) = Browser::default().post(&server, "/api/games", game).await;
    let body = json!({"variant": game["digest"]});
    let (status, by_digest) = visitor.post(&server, "/api/positions", body).await;
    assert_eq!((status, &by_digest["variant"]), (StatusCode::OK, &json!("diamond")));
    for unknown in ["nothing", &"0".repeat(64)] {
        let (status, _) = visitor.post(&server, "/api/positions", json!({"variant": unknown})).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
    let body = json!({"variant": "diamond", "fen": "9/9 x - - 0 1"});
    let (status, found) = visitor.post(&server, "/api/positions", body).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_pages_with_rules_in_the_browser_may_compile_web_assembly() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    for (path, may) in [("/analysis", true), ("/", false), ("/editor", false), ("/studio", true)] {
        let response = guest.raw(&server, Method::GET, path, None).await;
        let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert_eq!(policy.contains("script-src 'self' 'wasm-unsafe-eval';"), may, "{path}: {policy}");
        assert_eq!(policy.matches("script-src").count(), 1, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_pages_report_whether_the_visitor_is_playing() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let (_, game) =
        ann.post(&server, "/api/games", json!({"variant": "diamond", "opponent": {"kind": "link"}})).await;
    let join = format!("/api/games/{}/join", game["id"].as_str().unwrap());
    let (status, joined) = bob.post(&server, &join, json!({})).await;
    assert!(status.is_success(), "{joined}");
    for (browser, playing) in [(&mut ann, true), (&mut Browser::default(), false)] {
        let response = browser.raw(&server, Method::GET, "/analysis", None).await;
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let page = String::from_utf8(bytes.to_vec()).unwrap();
        assert!(page.contains(&format!("\"playing\":{playing}")), "{playing}");
    }
}

/// The lines of an analysis.
async fn analyse(browser: &mut Browser, server: &TestServer, body: Value) -> (StatusCode, Vec<Value>) {
    let response = browser.raw(server, Method::POST, "/api/analyse", Some(body)).await;
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    let lines = String::from_utf8(bytes.to_vec()).unwrap();
    (status, lines.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_lines_are_streamed_up_to_the_limit() {
    let server = TestServer::new().await;
    let mut visitor = Browser::default();
    let body = json!({"variant": "diamond", "lines": 3, "nodes": 20_000});
    let (status, lines) = analyse(&mut visitor, &server, body).await;
    assert_eq!(status, StatusCode::OK, "{lines:?}");
    assert_eq!(lines[0], json!({"type": "queued"}));
    let last = lines.last().unwrap();
    assert_eq!(last["type"], "done", "{last}");
    let best = last["lines"].as_array().unwrap();
    assert_eq!(best.len(), 3);
    for line in best {
        assert_eq!(line["pv"].as_array().unwrap().len(), line["san"].as_array().unwrap().len());
        let wdl: u64 = line["wdl"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!(wdl, 1_000);
        assert!(line["score"]["cp"].is_i64(), "{line}");
    }
    assert!((1..=20_000).contains(&last["nodes"].as_u64().unwrap()), "{last}");
    // Scores are White's: Black to move is about to lose its King.
    let mated = json!({"variant": "gardner", "fen": "k4/5/2K2/1Q3/5 w - - 0 1", "nodes": 2_000});
    let (_, lines) = analyse(&mut visitor, &server, mated).await;
    assert_eq!(lines.last().unwrap()["lines"][0]["score"], json!({"mate": 1}));
    // A finished game has no lines.
    let finished =
        json!({"variant": "gardner", "fen": "k4/5/2K2/1Q3/5 w - - 0 1", "moves": ["b2b4"], "nodes": 2_000});
    let (_, lines) = analyse(&mut visitor, &server, finished).await;
    assert_eq!(lines.last().unwrap()["lines"], json!([]));
    for wrong in [json!({"lines": 0}), json!({"lines": 6}), json!({"moves": ["a1a9"]})] {
        let mut body = json!({"variant": "diamond"});
        body.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        assert_eq!(analyse(&mut visitor, &server, body).await.0, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_threat_is_the_other_sides_best_move() {
    let server = TestServer::new().await;
    let mut visitor = Browser::default();
    // Black to move; White threatens mate.
    let fen = "k4/5/2K2/1Q3/5 b - - 0 1";
    let body = json!({"variant": "gardner", "fen": fen, "threat": true, "nodes": 2_000});
    let (status, lines) = analyse(&mut visitor, &server, body).await;
    assert_eq!(status, StatusCode::OK, "{lines:?}");
    assert_eq!(lines.last().unwrap()["lines"][0]["score"], json!({"mate": 1}));
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_help_is_refused_during_own_game() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let id = game["id"].as_str().unwrap().to_owned();
    bob.post(&server, &format!("/api/games/{id}/join"), json!({})).await;
    crate::common::both_move(&server, [&mut ann, &mut bob], &id).await;
    let (_, game) = ann.get(&server, &format!("/api/games/{id}")).await;
    let current = json!({"variant": "diamond", "fen": game["state"]["fen"], "nodes": 100});
    let mut after = json!({"variant": "diamond", "fen": game["state"]["fen"]});
    let (_, position) = ann.post(&server, "/api/positions", after.clone()).await;
    let moves = vec![position["legal"][0]["uci"].clone()];
    let line = json!({"variant": "diamond", "fen": game["state"]["fen"], "moves": moves, "nodes": 100});
    after["moves"] = json!(moves);
    let (_, after) = ann.post(&server, "/api/positions", after).await;
    let next = json!({"variant": "diamond", "fen": after["fen"], "nodes": 100});
    for player in [&mut ann, &mut bob] {
        // Nor in what can come next, or in lines from there.
        for refused in [&current, &line, &next] {
            assert_eq!(analyse(player, &server, refused.clone()).await.0, StatusCode::FORBIDDEN, "{refused}");
        }
        let (_, page) = player.get(&server, &format!("/analysis/{id}")).await;
        assert!(page.as_str().unwrap().contains("until the game is over"), "{page}");
        assert_eq!(player.get(&server, &format!("/analysis/{id}")).await.0, StatusCode::FORBIDDEN);
        // Another position is allowed.
        let start = json!({"variant": "diamond", "nodes": 100});
        assert_eq!(analyse(player, &server, start).await.0, StatusCode::OK);
    }
    let mut spectator = Browser::default();
    assert_eq!(analyse(&mut spectator, &server, current.clone()).await.0, StatusCode::OK);
    assert_eq!(spectator.get(&server, &format!("/analysis/{id}")).await.0, StatusCode::OK);
    ann.post(&server, &format!("/api/games/{id}/actions"), json!({"type": "resign"})).await;
    assert_eq!(analyse(&mut ann, &server, current).await.0, StatusCode::OK);
    let (status, page) = ann.get(&server, &format!("/analysis/{id}")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.as_str().unwrap().contains(&id));
}

#[tokio::test(flavor = "multi_thread")]
async fn pgn_is_read_with_all_faults_and_written_again() {
    let server = TestServer::new().await;
    let mut visitor = Browser::default();
    let pgn =
        "[Variant \"Gardner Minichess\"]\n[White \"Ann\"]\n\n1. a3 $1 {[%csl Ga3] well} (1. Qh9 Kxz1) bxa3 *";
    let (status, read) = visitor.post(&server, "/api/pgn/read", json!({"pgn": pgn})).await;
    assert_eq!(status, StatusCode::OK, "{read}");
    let faults = read["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0]["line"], 4);
    let tree = &read["tree"];
    assert_eq!(tree["nodes"].as_array().unwrap().len(), 2);
    assert_eq!(
        tree["nodes"][0]["notes"],
        json!({"comments": ["well"], "nags": [1], "shapes": [{"from": 10, "to": 10, "brush": "green"}]})
    );
    let nodes: Vec<Value> = tree["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| json!({"parent": node["parent"], "uci": node["uci"], "notes": node["notes"]}))
        .collect();
    let sent = json!({"variant": "gardner", "fen": tree["fen"], "tags": tree["tags"], "notes": tree["notes"], "nodes": nodes});
    let (status, written) = visitor.post(&server, "/api/pgn/write", sent).await;
    assert_eq!(status, StatusCode::OK, "{written}");
    let written = written.as_str().unwrap();
    for part in ["[White \"Ann\"]", "1. a3 $1 {well} {[%csl Ga3]} 1... bxa3", "Qh9 Kxz1"] {
        assert!(written.contains(part), "{part} in {written}");
    }
    // A broken text is read as far as it can be, and imported so.
    let broken = "[Event A]\n[Variant \"Gardner Minichess\"]\n\n1. a3 ♘ bxa3 $ (1... {well\n";
    let (status, read) = visitor.post(&server, "/api/pgn/read", json!({"pgn": broken})).await;
    assert_eq!(status, StatusCode::OK, "{read}");
    let places = |read: &Value| -> Vec<(u64, u64)> {
        let faults = read["faults"].as_array().unwrap().iter();
        faults.map(|fault| (fault["line"].as_u64().unwrap(), fault["column"].as_u64().unwrap())).collect()
    };
    let expected = [(1, 8), (4, 7), (4, 15), (4, 16), (4, 22), (4, 27)];
    assert_eq!(places(&read), expected, "{read}");
    assert_eq!(read["tree"]["nodes"].as_array().map(Vec::len), Some(2), "{read}");
    assert_eq!(read["tree"]["notes"]["comments"], json!(["[Event A]"]));
    let (status, imported) = visitor.post(&server, "/api/games/import", json!({"pgn": broken})).await;
    assert_eq!((status, &imported["plies"]), (StatusCode::CREATED, &json!(2)), "{imported}");
    assert_eq!(places(&imported), expected, "{imported}");
    let nothing = json!({"pgn": "<> {", "variant": "gardner"});
    let (status, fault) = visitor.post(&server, "/api/games/import", nothing).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{fault}");
    for place in ["line 1, column 1: ", "line 1, column 4: "] {
        assert!(fault["detail"].as_str().unwrap().contains(place), "{fault}");
    }
    for broken in ["", "[Variant \"nothing\"]\n\n*", "1. e4 *", "[Variant \"gardner\"]\n\n1. a3 *\n\n1. b3 *"]
    {
        let (status, fault) = visitor.post(&server, "/api/pgn/read", json!({"pgn": broken})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{broken}: {fault}");
    }
    let letter = "Here is my game, what do you think?\n\n[Variant \"gardner\"]\n\n1. a3 bxa3 *";
    let (status, read) = visitor.post(&server, "/api/pgn/read", json!({"pgn": letter})).await;
    assert_eq!((status, read["tree"]["nodes"].as_array().map(Vec::len)), (StatusCode::OK, Some(2)), "{read}");
    assert_eq!(places(&read).first(), Some(&(1, 1)), "{read}");
    let giant = json!({"pgn": "1. a3 ".repeat(15_000)});
    let (status, _) = visitor.post(&server, "/api/pgn/read", giant).await;
    assert!(
        status == StatusCode::UNPROCESSABLE_ENTITY || status == StatusCode::PAYLOAD_TOO_LARGE,
        "{status}"
    );
}

/// A game that its inventor keeps private: every page and request of analysis takes it as any other.
#[tokio::test(flavor = "multi_thread")]
async fn a_private_game_is_analyzed_like_any_other() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    for (browser, name) in [(&mut ann, "Ann"), (&mut bob, "Bob")] {
        let account = json!({"name": name, "password": "a long password"});
        assert_eq!(browser.post(&server, "/api/account/register", account).await.0, StatusCode::OK);
    }
    let source = include_str!("../../../../testdata/variants/lake.toml");
    let publication = json!({"source": source, "visibility": "private"});
    let (_, published) = ann.post(&server, "/api/variants", publication).await;
    let digest = published["digest"].as_str().unwrap();
    // By its id for its owner alone, by the digest for anyone who has it.
    for (path, body) in [
        ("/api/positions", json!({"variant": "~lake", "moves": ["a2a3"]})),
        ("/api/positions/faults", json!({"variant": "~lake", "fen": "nonsense"})),
        ("/api/analyse", json!({"variant": "~lake", "nodes": 100})),
        ("/api/pgn/write", json!({"variant": "~lake", "nodes": []})),
        ("/api/pgn/read", json!({"pgn": "[Variant \"Lake Chess\"]\n\n1. a3 a8 *"})),
        ("/api/games/import", json!({"pgn": "[Variant \"Lake Chess\"]\n\n1. a3 a8 *"})),
    ] {
        let status = ann.raw(&server, Method::POST, path, Some(body.clone())).await.status();
        assert!(status.is_success(), "{path}: {status}");
        let status = bob.raw(&server, Method::POST, path, Some(body.clone())).await.status();
        assert!(status.is_client_error(), "{path}: {status}");
        let by_digest: serde_json::Value =
            serde_json::from_str(&body.to_string().replace("~lake", digest)).unwrap();
        if by_digest != body {
            let status = bob.raw(&server, Method::POST, path, Some(by_digest)).await.status();
            assert!(status.is_success(), "{path} by digest: {status}");
        }
    }
    for path in ["/analysis?variant=~lake", "/editor?variant=~lake", "/api/explorer/~lake", "/?game=~lake"] {
        assert_eq!(ann.get(&server, path).await.0, StatusCode::OK, "{path}");
    }
    // A PGN sent with the rules of its board is read with these rules, even if another game has the same name.
    let pgn = json!({"pgn": "[Variant \"Lake Chess\"]\n\n1. a3 a8 *", "variant": digest});
    let (status, read) = bob.post(&server, "/api/pgn/read", pgn).await;
    assert_eq!((status, &read["tree"]["digest"]), (StatusCode::OK, &json!(digest)), "{read}");
    let (_, imported) =
        ann.post(&server, "/api/games/import", json!({"pgn": "[Variant \"~lake\"]\n\n1. a3 a8 *"})).await;
    let id = imported["id"].as_str().unwrap();
    assert_eq!(ann.get(&server, &format!("/analysis/{id}")).await.0, StatusCode::OK);
    let review = format!("/api/games/{id}/review");
    assert!(ann.post(&server, &review, json!({})).await.0.is_success());
}

/// The answer about a review, once it is finished.
async fn wait_for_review(browser: &mut Browser, server: &TestServer, path: &str) -> (StatusCode, Value) {
    for _ in 0..600 {
        let (status, found) = browser.get(server, path).await;
        if status != StatusCode::ACCEPTED && status != StatusCode::NOT_FOUND {
            return (status, found);
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("the review is not finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_can_be_cancelled_and_resume_after_a_restart() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let pgn = "[Variant \"Gardner Minichess\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. a3 bxa3 2. Nxa3 1-0\n";
    let mut paths = Vec::new();
    for _ in 0..4 {
        let (status, game) =
            ann.post(&server, "/api/games/import", json!({"pgn": pgn, "variant": "gardner"})).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        paths.push(format!("/api/games/{}/review", game["id"].as_str().unwrap()));
    }
    let [first, cancelled, restarted, last] = &paths[..] else { panic!("four games") };
    let (status, progress) = ann.post(&server, first, json!({})).await;
    assert_eq!((status, &progress["positions"]), (StatusCode::ACCEPTED, &json!(4)), "{progress}");
    let (status, review) = wait_for_review(&mut ann, &server, first).await;
    assert_eq!(status, StatusCode::OK, "{review}");
    let game = &review["games"][0];
    assert_eq!(
        (&game["white"], &game["black"], &game["result"]),
        (&json!("Ann"), &json!("Bob"), &json!("1-0"))
    );
    assert_eq!(game["moves"].as_array().unwrap().len(), 3);
    // Requested again, it is there already.
    assert_eq!(ann.post(&server, first, json!({})).await, (StatusCode::OK, review));

    for path in [cancelled, restarted, last] {
        let (status, found) = ann.post(&server, path, json!({})).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{found}");
    }
    let mut bob = Browser::default();
    assert_ne!(bob.request(&server, Method::DELETE, cancelled, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ann.request(&server, Method::DELETE, cancelled, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ann.get(&server, cancelled).await.0, StatusCode::NOT_FOUND);
    let server = server.restart().await;
    for path in [restarted, last] {
        let (status, review) = wait_for_review(&mut ann, &server, path).await;
        assert_eq!((status, &review["games"][0]["white"]), (StatusCode::OK, &json!("Ann")), "{review}");
    }
    assert_eq!(ann.get(&server, cancelled).await.0, StatusCode::NOT_FOUND);
    let (status, _) = ann.post(&server, cancelled, json!({})).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    assert_eq!(wait_for_review(&mut ann, &server, cancelled).await.0, StatusCode::OK);
}
