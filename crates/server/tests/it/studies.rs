//! Studies: made, shared, edited by several at once, written as PGN and read again.

use crate::common::{Browser, TestServer, both_move, database};
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _};
use tower::ServiceExt as _;

pub(crate) async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let credentials = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", credentials).await.0, 200);
    browser
}

/// A new study with a chapter: the study's path, and the chapter's id.
pub(crate) async fn make(
    server: &TestServer,
    owner: &mut Browser,
    visibility: &str,
    chapter: Value,
) -> (String, String) {
    let body = json!({"name": "Forks", "visibility": visibility, "tags": ["tactics"], "chapter": chapter});
    let (status, created) = owner.post(server, "/api/studies", body).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    let chapter = created["chapters"][0]["id"].as_str().unwrap().to_owned();
    (format!("/api/studies/{}", created["id"].as_str().unwrap()), chapter)
}

/// Sends edits of a chapter as a client, numbered from a first number on.
async fn edit(
    server: &TestServer,
    browser: &mut Browser,
    (study, chapter): (&str, &str),
    (client, first): (u64, u64),
    edits: &[Value],
) -> (StatusCode, Value) {
    let numbered =
        |(number, edit): (u64, &Value)| json!({"number": number, "chapter": chapter, "edit": edit});
    let edits: Vec<Value> = (first..).zip(edits).map(numbered).collect();
    browser.post(server, &format!("{study}/edits"), json!({"client": client, "edits": edits})).await
}

/// The lines of a chapter in long algebraic form, each from the start to a node.
async fn lines(server: &TestServer, browser: &mut Browser, study: &str, chapter: &str) -> Vec<String> {
    let (status, found) = browser.get(server, &format!("{study}/chapters/{chapter}")).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    let mut lines: Vec<String> = Vec::new();
    for node in found["tree"]["nodes"].as_array().unwrap() {
        let before =
            node["parent"].as_u64().map_or(String::new(), |parent| format!("{} ", lines[parent as usize]));
        lines.push(format!("{before}{}", node["uci"].as_str().unwrap()));
    }
    lines
}

pub(crate) fn add(path: &[&str]) -> Value {
    json!({"type": "add", "path": path})
}

pub(crate) async fn put(
    server: &TestServer,
    browser: &mut Browser,
    path: &str,
    body: Value,
) -> (StatusCode, Value) {
    browser.request(server, Method::PUT, path, Some(body)).await
}

pub(crate) async fn delete(server: &TestServer, browser: &mut Browser, path: &str) -> StatusCode {
    browser.request(server, Method::DELETE, path, None).await.0
}

#[tokio::test(flavor = "multi_thread")]
async fn private_study_is_visible_to_its_members_only() {
    let server = TestServer::new().await;
    let (mut ann, mut bob, mut eve) =
        (register(&server, "Ann").await, register(&server, "Bob").await, register(&server, "Eve").await);
    let (study, chapter) = make(&server, &mut ann, "private", json!({"variant": "gardner"})).await;
    let page = study.replace("/api/studies", "/study");
    for path in [&study, &format!("{study}.pgn"), &format!("{study}/chapters/{chapter}"), &page] {
        assert_eq!(eve.get(&server, path).await.0, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(ann.get(&server, path).await.0, StatusCode::OK, "{path}");
    }
    let (status, updated) =
        put(&server, &mut ann, &format!("{study}/members/bob"), json!({"writes": false})).await;
    assert_eq!((status, &updated["members"][0]["name"]), (StatusCode::OK, &json!("Bob")));
    let at = (study.as_str(), chapter.as_str());
    let (status, _) = edit(&server, &mut bob, at, (1, 1), &[add(&["a2a3"])]).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "a reader");
    put(&server, &mut ann, &format!("{study}/members/Bob"), json!({"writes": true})).await;
    assert_eq!(edit(&server, &mut bob, at, (1, 1), &[add(&["a2a3"])]).await.0, StatusCode::OK);
    assert_eq!(edit(&server, &mut eve, at, (2, 1), &[add(&["b2b3"])]).await.0, StatusCode::NOT_FOUND);
    // Members change moves, not the study; and leave by themselves.
    assert_eq!(put(&server, &mut bob, &study, json!({"name": "Mine"})).await.0, StatusCode::FORBIDDEN);
    assert_eq!(bob.get(&server, "/api/studies?of=mine").await.1.as_array().unwrap().len(), 1);
    let members = [ann.get(&server, &study).await.1, bob.get(&server, &study).await.1];
    assert_eq!([&members[0]["member"], &members[1]["member"]], [&Value::Null, &json!("Bob")]);
    assert_eq!(
        eve.post(&server, &format!("{study}/report"), json!({"reason": "?"})).await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(delete(&server, &mut bob, &format!("{study}/members/Bob")).await, StatusCode::NO_CONTENT);
    assert_eq!(bob.get(&server, &study).await.0, StatusCode::NOT_FOUND);
    // Anyone with the link can read an unlisted study; public studies are listed.
    put(&server, &mut ann, &study, json!({"visibility": "unlisted"})).await;
    assert_eq!(eve.get(&server, &study).await.1["writable"], json!(false));
    assert_eq!(eve.get(&server, "/api/studies?q=forks").await.1, json!([]));
    put(&server, &mut ann, &study, json!({"visibility": "public"})).await;
    for query in ["q=fork+gardner", "q=TACTICS", "owner=ann", ""] {
        let (_, found) = Browser::default().get(&server, &format!("/api/studies?{query}")).await;
        assert_eq!(found.as_array().map(Vec::len), Some(1), "{query}: {found}");
    }
    assert_eq!(eve.get(&server, "/api/studies?q=pins").await.1, json!([]));
    // Likes and copies.
    assert_eq!(put(&server, &mut eve, &format!("{study}/like"), json!({})).await.0, StatusCode::NO_CONTENT);
    assert_eq!(eve.get(&server, "/api/studies?of=liked").await.1[0]["likes"], json!(1));
    let (status, copy) = eve.post(&server, &format!("{study}/clone"), json!({})).await;
    assert_eq!(status, StatusCode::CREATED, "{copy}");
    let own = format!("/api/studies/{}", copy["id"].as_str().unwrap());
    let copied = copy["chapters"][0]["id"].as_str().unwrap();
    assert_eq!(lines(&server, &mut eve, &own, copied).await, ["a2a3"]);
    assert_eq!(ann.get(&server, &own).await.0, StatusCode::NOT_FOUND, "a copy is private");
    assert_eq!(delete(&server, &mut eve, &study).await, StatusCode::FORBIDDEN);
    assert_eq!(delete(&server, &mut ann, &study).await, StatusCode::NO_CONTENT);
    assert_eq!(ann.get(&server, &study).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_are_applied_once_and_stay_after_a_restart() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let (study, chapter) = make(&server, &mut ann, "public", json!({"variant": "gardner"})).await;
    put(&server, &mut ann, &format!("{study}/members/Bob"), json!({"writes": true})).await;
    let at = (study.as_str(), chapter.as_str());
    let (status, done) =
        edit(&server, &mut ann, at, (7, 1), &[add(&["a2a3", "b4a3"]), add(&["a2a9"]), add(&["b2b3"])]).await;
    assert_eq!((status, &done["number"]), (StatusCode::OK, &json!(3)));
    assert_eq!(done["refused"][0]["number"], json!(2), "{done}");
    // The answer was lost: the same comes again, with one more.
    edit(&server, &mut ann, at, (7, 1), &[add(&["a2a3", "b4a3"]), add(&["a2a9"]), add(&["b2b3"])]).await;
    let comment = json!({"type": "set_comment", "path": ["b2b3"], "was": "", "text": "quiet"});
    edit(&server, &mut ann, at, (7, 3), &[add(&["b2b3"]), comment.clone()]).await;
    edit(&server, &mut ann, at, (7, 4), &[comment]).await;
    assert_eq!(ann.get(&server, &study).await.1["seq"], json!(3));
    // Bob was away while Ann removed the line that he goes on with.
    let removal = json!({"type": "remove", "path": ["a2a3"], "base": 3});
    edit(&server, &mut ann, at, (7, 5), &[removal]).await;
    edit(&server, &mut bob, at, (8, 1), &[add(&["a2a3", "b4a3", "b2a3"])]).await;
    let expected = ["b2b3", "a2a3", "a2a3 b4a3", "a2a3 b4a3 b2a3"];
    assert_eq!(lines(&server, &mut bob, &study, &chapter).await, expected);
    // A hundred edits later the moves are rewritten, and nothing has changed by that.
    for first in (2..122_u64).step_by(40) {
        let nags: Vec<Value> = (0..40)
            .map(|nag| json!({"type": if nag % 2 == 0 { "set_nag" } else { "unset_nag" }, "path": ["b2b3"], "nag": 1}))
            .collect();
        assert_eq!(edit(&server, &mut bob, at, (8, first), &nags).await.0, StatusCode::OK);
    }
    let (_, before) = bob.get(&server, &format!("{study}/chapters/{chapter}")).await;
    let server = server.restart().await;
    let (_, after) = bob.get(&server, &format!("{study}/chapters/{chapter}")).await;
    assert_eq!(after, before);
    assert_eq!(after["tree"]["nodes"][0]["notes"]["comments"], json!(["quiet"]));
    assert_eq!(after["seq"], json!(125));
    let (status, problem) = edit(&server, &mut bob, (&study, "nowhere"), (8, 200), &[add(&["a2a3"])]).await;
    assert_eq!((status, &problem["refused"][0]["problem"]["status"]), (StatusCode::OK, &json!(404)));
    for (client, first) in [(0, 1), (1_u64 << 53, 1), (9, 0)] {
        let (status, _) = edit(&server, &mut bob, at, (client, first), &[add(&["a2a3"])]).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{client} {first}");
    }
}

/// A study of Ann's with a chapter, which others may edit.
async fn shared_study(server: &TestServer, others: &[&str]) -> (Browser, Vec<Browser>, String, String) {
    let mut ann = register(server, "Ann").await;
    let (study, chapter) = make(server, &mut ann, "public", json!({"variant": "gardner"})).await;
    let mut members = Vec::new();
    for name in others {
        members.push(register(server, name).await);
        put(server, &mut ann, &format!("{study}/members/{name}"), json!({"writes": true})).await;
    }
    (ann, members, study, chapter)
}

#[tokio::test(flavor = "multi_thread")]
async fn another_author_cannot_use_up_the_numbers_of_a_client() {
    let server = TestServer::new().await;
    let (mut ann, mut others, study, chapter) = shared_study(&server, &["Eve"]).await;
    let at = (study.as_str(), chapter.as_str());
    edit(&server, &mut ann, at, (7, 1), &[add(&["a2a3"])]).await;
    let last = (1_u64 << 53) - 1;
    let (status, done) = edit(&server, &mut others[0], at, (7, last), &[add(&["b2b3"])]).await;
    assert_eq!((status, &done["refused"]), (StatusCode::OK, &json!([])));
    let (_, done) = edit(&server, &mut ann, at, (7, 2), &[add(&["c2c3"])]).await;
    assert_eq!((&done["number"], &done["seq"]), (&json!(2), &json!(3)));
    assert_eq!(lines(&server, &mut ann, &study, &chapter).await, ["a2a3", "b2b3", "c2c3"]);
    // Both send again, and the numbers are still those of their authors.
    edit(&server, &mut ann, at, (7, 1), &[add(&["a2a3"]), add(&["c2c3"])]).await;
    edit(&server, &mut others[0], at, (7, last), &[add(&["b2b3"])]).await;
    assert_eq!(ann.get(&server, &study).await.1["seq"], json!(3));
}

#[tokio::test(flavor = "multi_thread")]
async fn edit_sent_again_after_a_thousand_others_is_applied_once() {
    let server = TestServer::new().await;
    let (mut ann, mut others, study, chapter) = shared_study(&server, &["Bob", "Cid"]).await;
    let at = (study.as_str(), chapter.as_str());
    let first =
        [add(&["a2a3"]), json!({"type": "set_comment", "path": ["a2a3"], "was": "", "text": "quiet"})];
    edit(&server, &mut ann, at, (7, 1), &first).await;
    for number in (1..601_u64).step_by(50) {
        for (client, other) in (8..).zip(&mut others) {
            let nags: Vec<Value> = (0..50)
                .map(|nag| json!({"type": if nag % 2 == 0 { "set_nag" } else { "unset_nag" }, "path": ["a2a3"], "nag": 1}))
                .collect();
            assert_eq!(edit(&server, other, at, (client, number), &nags).await.0, StatusCode::OK);
        }
    }
    edit(&server, &mut ann, at, (7, 1), &first).await;
    let (_, found) = ann.get(&server, &format!("{study}/chapters/{chapter}")).await;
    assert_eq!(found["tree"]["nodes"][0]["notes"]["comments"], json!(["quiet"]), "{}", found["tree"]);
    // Only what recognizes edits is stored.
    let mut connection = AnyConnection::connect(&database(server.folder()).await).await.unwrap();
    let sql = "SELECT COUNT(*) FROM study_edits";
    let (kept,): (i64,) = sqlx::query_as(sql).fetch_one(&mut connection).await.unwrap();
    assert!(kept < 300, "{kept}");
}

#[tokio::test(flavor = "multi_thread")]
async fn edits_count_in_the_quota_of_studies() {
    const QUOTA: i64 = 32 << 20;
    let server = TestServer::new().await;
    let (mut ann, mut others, study, chapter) = shared_study(&server, &["Bob"]).await;
    let at = (study.as_str(), chapter.as_str());
    let mut connection = AnyConnection::connect(&database(server.folder()).await).await.unwrap();
    let size = "SELECT size FROM study_chapters";
    let (empty,): (i64,) = sqlx::query_as(size).fetch_one(&mut connection).await.unwrap();
    edit(&server, &mut ann, at, (7, 1), &[add(&["a2a3"]), add(&["a2a3", "b4a3"]), add(&["b2b3"])]).await;
    let comment = |path: &str, letter: &str| json!({"type": "set_comment", "path": [path], "was": "", "text": letter.repeat(4_000)});
    edit(&server, &mut ann, at, (7, 4), &[comment("a2a3", "x")]).await;
    let (filled,): (i64,) = sqlx::query_as(size).fetch_one(&mut connection).await.unwrap();
    assert!(filled > empty + 4_000, "{filled} bytes after {empty}");
    // There is room for one comment more.
    sqlx::query("UPDATE study_chapters SET size = $1")
        .bind(QUOTA - 5_000)
        .execute(&mut connection)
        .await
        .unwrap();
    let (_, done) =
        edit(&server, &mut others[0], at, (8, 1), &[comment("b2b3", "y"), comment("b2b3", "z")]).await;
    assert_eq!(done["refused"][0]["number"], json!(2), "{done}");
    assert_eq!(done["refused"][0]["problem"]["status"], json!(409));
    // What is not needed can be removed.
    let removal = json!({"type": "remove", "path": ["a2a3"], "base": 9});
    let unset = json!({"type": "set_comment", "path": ["b2b3"], "was": "y".repeat(4_000), "text": ""});
    let (_, done) = edit(&server, &mut ann, at, (7, 5), &[unset, removal]).await;
    assert_eq!(done["refused"], json!([]), "{done}");
    assert_eq!(lines(&server, &mut ann, &study, &chapter).await, ["b2b3"]);
}

const PGN: &str = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Variant \"Diamond Chess\"]\n\n{before} *\n\n\
    [Variant \"Chess\"]\n[ChapterName \"Fork\"]\n\n1. e4 $1 {[%csl Ge4][%cal Re2e4]} (1. d4 {two} {comments} 1... d5) 1... e5 1-0\n\n\
    [Variant \"chess\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 31\"]\n\n31... Kd7 {[%clk 0:05:00]} *\n";

#[tokio::test(flavor = "multi_thread")]
async fn pgn_import_and_export_round_trip() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let empty = json!({"name": "Mine"});
    let mut written = Vec::new();
    for _ in 0..2 {
        let (_, created) = ann.post(&server, "/api/studies", empty.clone()).await;
        let study = format!("/api/studies/{}", created["id"].as_str().unwrap());
        let pgn = written.last().map_or(PGN.to_owned(), Clone::clone);
        let (status, read) = ann.post(&server, &format!("{study}/import-pgn"), json!({"pgn": pgn})).await;
        assert_eq!(status, StatusCode::OK, "{read}");
        assert_eq!((read["chapters"].as_array().map(Vec::len), &read["faults"]), (Some(3), &json!([])));
        let response = ann.raw(&server, Method::GET, &format!("{study}.pgn"), None).await;
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/x-chess-pgn");
        let (_, text) = ann.get(&server, &format!("{study}/pgn")).await;
        written.push(text.as_str().unwrap().to_owned());
        let fork = read["chapters"][1]["id"].as_str().unwrap();
        let (_, one) = ann.get(&server, &format!("{study}/chapters/{fork}/pgn")).await;
        assert!(text.as_str().unwrap().contains(one.as_str().unwrap()), "{one}");
    }
    assert_eq!(written[0], written[1]);
    for word in
        ["$1", "[%csl Ge4]", "{two} {comments}", "[%clk 0:05:00]", "31... Kd7", "[ChapterName \"Fork\"]"]
    {
        assert!(written[0].contains(word), "{word}: {}", written[0]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_and_limits_of_imported_pgn_are_reported() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let (study, _) = make(&server, &mut ann, "private", json!({"variant": "chess"})).await;
    let import = format!("{study}/import-pgn");
    let broken = "[Variant \"Chess\"]\n\n1. e4 Ke3 2. d4 *\n\n[Variant \"Nothing\"]\n\n*\n\n1. e4 e5 *\n\n[Variant \"Chess\"]\n\n1. d4 } *\n";
    let (_, read) = ann.post(&server, &import, json!({"pgn": broken})).await;
    assert_eq!(read["chapters"].as_array().map(Vec::len), Some(2), "{read}");
    let games: Vec<u64> =
        read["faults"].as_array().unwrap().iter().map(|fault| fault["game"].as_u64().unwrap()).collect();
    assert_eq!(games, [1, 2, 3, 4], "{read}");
    let chapter = read["chapters"][0]["id"].as_str().unwrap();
    let (_, stored) = ann.get(&server, &format!("{study}/chapters/{chapter}")).await;
    assert_eq!(stored["tree"]["nodes"][0]["notes"]["comments"], json!(["Ke3 d4"]), "nothing is lost");
    // More games than a study has room for: the others are named.
    let many = "[Variant \"Chess\"]\n\n1. e4 *\n\n".repeat(70);
    let (_, read) = ann.post(&server, &import, json!({"pgn": many})).await;
    assert_eq!(read["chapters"].as_array().map(Vec::len), Some(61));
    assert_eq!(read["faults"].as_array().map(Vec::len), Some(9), "{}", read["faults"]);
    let (status, _) = ann.post(&server, &format!("{study}/chapters"), json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    // Large texts are read, giant ones are refused.
    let large = format!("[Variant \"Chess\"]\n\n1. e4 {{{}}} *\n", "word ".repeat(100_000));
    assert_eq!(ann.post(&server, &import, json!({"pgn": large})).await.0, StatusCode::OK);
    let giant = "x".repeat(1_000_001);
    assert_eq!(ann.post(&server, &import, json!({"pgn": giant})).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let giant = "x".repeat(1_300_000);
    assert_eq!(ann.post(&server, &import, json!({"pgn": giant})).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    let other = json!({"name": "Mine", "about": "x".repeat(70_000)});
    assert_eq!(ann.post(&server, "/api/studies", other).await.0, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn chapters_can_be_created_from_games_and_reordered() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (register(&server, "Ann").await, register(&server, "Bob").await);
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let game = game["id"].as_str().unwrap().to_owned();
    bob.post(&server, &format!("/api/games/{game}/join"), json!({})).await;
    both_move(&server, [&mut ann, &mut bob], &game).await;
    let (study, first) = make(&server, &mut ann, "private", json!({"variant": "diamond"})).await;
    let chapters = format!("{study}/chapters");
    let (status, _) = ann.post(&server, &chapters, json!({"game": game})).await;
    assert_eq!(status, StatusCode::FORBIDDEN, "it goes on");
    ann.post(&server, &format!("/api/games/{game}/actions"), json!({"type": "resign"})).await;
    let (status, created) = ann.post(&server, &chapters, json!({"game": game})).await;
    assert_eq!((status, &created["chapters"][0]["name"]), (StatusCode::CREATED, &json!("Ann – Bob")));
    let of_game = created["chapters"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(lines(&server, &mut ann, &study, &of_game).await.len(), 2);
    let fen = "****k****/***anv***/**pprpp**/*3p3*/4*4/*3P3*/**PPRPP**/***ANV***/****K**** b - - 3 7";
    let (status, created) =
        ann.post(&server, &chapters, json!({"variant": "diamond", "fen": fen, "name": "Black first"})).await;
    assert_eq!(status, StatusCode::CREATED, "{created}");
    let (status, _) = ann.post(&server, &chapters, json!({"variant": "diamond", "fen": "8"})).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, updated) =
        put(&server, &mut ann, &format!("{chapters}/{of_game}"), json!({"name": "Lost", "place": 0})).await;
    let names: Vec<&str> =
        updated["list"].as_array().unwrap().iter().map(|chapter| chapter["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Lost", "", "Black first"]);
    assert_eq!(delete(&server, &mut ann, &format!("{chapters}/{first}")).await, StatusCode::NO_CONTENT);
    assert_eq!(delete(&server, &mut ann, &format!("{chapters}/{first}")).await, StatusCode::NOT_FOUND);
    // A user's studies are in their account data, and are deleted with the account.
    let (_, data) = ann.get(&server, "/api/account/data").await;
    assert_eq!(data["studies"]["own"].as_array().map(Vec::len), Some(1), "{}", data["studies"]);
    let proof = json!({"password": "a long password"});
    assert!(ann.post(&server, "/api/account/delete", proof).await.0.is_success());
    assert_eq!(bob.get(&server, &study).await.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn study_pages_exist_and_can_be_embedded() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let (study, chapter) = make(&server, &mut ann, "unlisted", json!({"variant": "doublediamond"})).await;
    let page = study.replace("/api/studies", "/study");
    for path in [page.clone(), format!("{page}/{chapter}"), "/study".into(), "/study/new?game=x".into()] {
        let response = ann.raw(&server, Method::GET, &path, None).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()["x-frame-options"], "DENY", "{path}");
    }
    for path in [format!("{page}/embed"), format!("{page}/{chapter}/embed")] {
        let response = Browser::default().raw(&server, Method::GET, &path, None).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.ends_with("frame-ancestors *"), "{policy}");
        assert!(response.headers().get("x-frame-options").is_none());
    }
    assert_eq!(ann.get(&server, &format!("{page}/nowhere")).await.0, StatusCode::NOT_FOUND);
}

/// Waits until the studies that come with the program are there.
async fn wait_for_studies(server: &TestServer, count: usize) -> Value {
    for _ in 0..200 {
        let (_, found) = Browser::default().get(server, "/api/studies?limit=100").await;
        if found.as_array().is_some_and(|found| found.len() == count) {
            return found;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("expected {count} studies that come with the program");
}

/// A page for a reader of German, or else English.
async fn page_in(server: &TestServer, language: &str, path: &str) -> String {
    let request = Request::get(path).header("accept-language", language).header("host", "test");
    let response = server.router.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let page = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(page.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn built_in_studies_are_in_the_language_of_the_visitor() {
    let server = TestServer::with(|config| config.studies = lozenge_server::studies()).await;
    let mut ann = register(&server, "Ann").await;
    let all = wait_for_studies(&server, 10).await;
    assert!(all.as_array().unwrap().iter().all(|study| study["owner"].is_null()));
    make(&server, &mut ann, "public", json!({"variant": "diamond"})).await;
    for (language, name, other) in [
        ("en", "openings and endings", "Eröffnungen und Endspiele"),
        ("de", "Eröffnungen und Endspiele", "openings and endings"),
    ] {
        let (_, found) = ann.get(&server, &format!("/api/studies?language={language}")).await;
        assert_eq!(found.as_array().map(Vec::len), Some(6), "those of users are in any language: {found}");
        let listed = page_in(&server, language, "/study").await;
        assert!(listed.matches(name).count() == 5 && !listed.contains(other), "{listed}");
        assert!(page_in(&server, language, "/study?q=diamondback").await.contains(name));
        let searched = page_in(
            &server,
            language,
            &format!("/study?q={}", other.replace(' ', "+").replace('ö', "%C3%B6")),
        )
        .await;
        assert!(!searched.contains("study-cards"), "{searched}");
    }
    // Each is found by its own words, and leads to the other.
    let (_, found) = ann.get(&server, "/api/studies?q=Endspiel+ring").await;
    assert_eq!(found[0]["id"], json!("diamondring-first-de"), "{found}");
    let (_, german) = ann.get(&server, "/api/studies/diamond-first-de").await;
    assert_eq!(german["translations"], json!([{"language": "en", "id": "diamond-first"}]));
    let (_, english) = ann.get(&server, "/api/studies/diamond-first").await;
    assert_eq!(english["translations"], json!([{"language": "de", "id": "diamond-first-de"}]));
    let ids = |study: &Value| {
        study["list"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (ids(&german), ids(&german)),
        (ids(&english), vec![json!("1"), json!("2"), json!("3"), json!("4")])
    );
    assert!(page_in(&server, "de", "/variants/diamond").await.contains("\"/study/diamond-first-de\""));
    assert!(page_in(&server, "en", "/variants/diamond").await.contains("\"/study/diamond-first\""));
    for path in ["/study/diamond-first-de", "/study/diamond-first-de/4", "/study/diamond-first-de/embed"] {
        assert!(page_in(&server, "en", path).await.contains("Eröffnungen und Endspiele"), "{path}");
    }
    let (_, text) = ann.get(&server, "/api/studies/diamond-first-de/pgn").await;
    assert!(text.as_str().unwrap().contains("[ChapterName \"Taktik: Weiß am Zug\"]"), "{text}");
    let own = "/api/studies/diamond-first-de";
    assert_eq!(put(&server, &mut ann, own, json!({})).await.0, StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn updated_built_in_study_keeps_its_likes() {
    let now = lozenge_server::studies();
    let earlier: Vec<_> = now
        .iter()
        .filter(|(id, _)| id == "diamond-first")
        .map(|(id, file)| {
            let text = String::from_utf8(file.to_vec()).unwrap();
            (id.clone(), text.replace("[StudyLanguage \"en\"]\n", "").into_bytes().into())
        })
        .collect();
    let server = TestServer::with(|config| config.studies = earlier.into()).await;
    wait_for_studies(&server, 1).await;
    let mut ann = register(&server, "Ann").await;
    put(&server, &mut ann, "/api/studies/diamond-first/like", json!({})).await;
    let server = TestServer::at(server.stop().await, |config| config.studies = now).await;
    wait_for_studies(&server, 10).await;
    for _ in 0..200 {
        let (_, study) = ann.get(&server, "/api/studies/diamond-first").await;
        assert_eq!((&study["likes"], &study["liked"]), (&json!(1), &json!(true)), "{study}");
        if study["language"] == "en" {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("expected the language of the renewed study");
}

#[tokio::test]
async fn reading_pgn_leaves_the_server_to_others() {
    // One thread serves all here.
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let moves: String =
        (0..2_100).map(|pair| format!("{}. Nf3 Nf6 {}. Ng1 Ng8 ", 2 * pair + 1, 2 * pair + 2)).collect();
    let pgn = format!("[Variant \"Chess\"]\n\n{} *\n", &moves[..55_000]);
    let mut served = 0;
    let others = async {
        loop {
            let (status, _) = Browser::default().get(&server, "/healthz").await;
            assert_eq!(status, StatusCode::OK);
            served += 1;
            tokio::task::yield_now().await;
        }
    };
    let read = tokio::select! {
        read = ann.post(&server, "/api/pgn/read", json!({"pgn": pgn})) => read,
        () = others => unreachable!(),
    };
    assert_eq!(read.0, StatusCode::OK, "{}", read.1);
    assert!(read.1["tree"]["nodes"].as_array().unwrap().len() > 500);
    assert!(served > 20, "{served} requests while a game was read");
}

#[tokio::test(flavor = "multi_thread")]
async fn chapter_text_follows_edits() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let (study, chapter) = make(&server, &mut ann, "public", json!({"variant": "gardner"})).await;
    assert_eq!(lines(&server, &mut ann, &study, &chapter).await, Vec::<String>::new());
    let (status, _) = edit(&server, &mut ann, (&study, &chapter), (5, 1), &[add(&["a2a3", "b4a3"])]).await;
    assert_eq!(status, StatusCode::OK);
    for _ in 0..2 {
        assert_eq!(lines(&server, &mut ann, &study, &chapter).await, ["a2a3", "a2a3 b4a3"]);
    }
    let (_, found) = ann.get(&server, &format!("{study}/chapters/{chapter}")).await;
    assert_eq!((&found["id"], &found["seq"]), (&json!(chapter), &json!(1)));
    put(&server, &mut ann, &format!("{study}/chapters/{chapter}"), json!({"name": "Two \"words\""})).await;
    let (_, found) = ann.get(&server, &format!("{study}/chapters/{chapter}")).await;
    assert_eq!(found["name"], json!("Two \"words\""));
}
