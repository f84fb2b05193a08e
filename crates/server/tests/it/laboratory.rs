//! Balance reports that users ask for: a queue, progress, restarts, limits, and the pages.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use lozenge_lab::report::{self, Plan, Work};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const LAKE: &str = include_str!("../../../../testdata/variants/lake.toml");
const SMALL: &str = "extends = \"gardner\"\nid = \"small\"\nname = \"Small <i>Chess</i>\"\n";

async fn account(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let body = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", body).await.0, StatusCode::OK);
    browser
}

async fn publish(server: &TestServer, browser: &mut Browser, source: &str, visibility: &str) -> String {
    let body = json!({"source": source, "visibility": visibility});
    let (status, published) = browser.post(server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::CREATED, "{published}");
    published["digest"].as_str().unwrap().to_owned()
}

async fn measure(server: &TestServer, browser: &mut Browser, game: &str, body: Value) -> Value {
    let (status, job) = browser.post(server, &format!("/api/rules/{game}/measure"), body).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{job}");
    job
}

/// Polls a measurement until the predicate holds.
async fn until(
    server: &TestServer,
    browser: &mut Browser,
    job: &Value,
    predicate: impl Fn(&Value) -> bool,
) -> Value {
    let path = format!("/api/lab/{}", job["id"].as_str().unwrap());
    for _ in 0..1_200 {
        let (status, found) = browser.get(server, &path).await;
        assert_eq!(status, StatusCode::OK, "{found}");
        if predicate(&found) {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("a minute has passed");
}

fn is(state: &'static str) -> impl Fn(&Value) -> bool {
    move |job| job["state"] == json!(state)
}

async fn page(server: &TestServer, browser: &mut Browser, path: &str) -> (StatusCode, String, String) {
    let response = browser.raw(server, Method::GET, path, None).await;
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
    let status = response.status();
    let bytes = axum::body::to_bytes(response.into_body(), 4 << 20).await.unwrap();
    (status, policy, String::from_utf8(bytes.to_vec()).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn report_of_a_private_variant_is_visible_to_its_owner_only() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let digest = publish(&server, &mut ann, SMALL, "private").await;
    let (status, _, _) = page(&server, &mut ann, "/variants/~small/report").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(ann.get(&server, "/api/rules/~small/measure").await, (StatusCode::OK, Value::Null));
    let job = measure(&server, &mut ann, "~small", json!({"games": 20, "nodes": 100})).await;
    assert_eq!((&job["digest"], &job["total"], &job["yours"]), (&json!(digest), &json!(60), &json!(true)));
    // Programs read the progress as lines, until the last.
    let path = format!("/api/lab/{}/stream", job["id"].as_str().unwrap());
    let (status, lines) = ann.get(&server, &path).await;
    let lines: Vec<Value> = match &lines {
        Value::String(text) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
        line => vec![line.clone()],
    };
    assert_eq!((status, &lines.last().unwrap()["state"]), (StatusCode::OK, &json!("finished")), "{lines:?}");
    let done = until(&server, &mut ann, &job, is("finished")).await;
    assert_eq!((&done["done"], &done["place"]), (&json!(60), &Value::Null));
    let (status, report) = ann.get(&server, "/api/rules/~small/report").await;
    assert_eq!((status, &report["plan"]["nodes"]), (StatusCode::OK, &json!(100)), "{report}");
    let (status, policy, text) = page(&server, &mut ann, "/variants/~small/report").await;
    assert_eq!(status, StatusCode::OK);
    assert!(policy.contains("default-src 'none'") && policy.contains("script-src 'self';"), "{policy}");
    assert!(text.contains("<header class=\"top\">") && text.contains("<a href=\"/variants/~small\">"));
    assert!(text.contains("Small &#60;i&#62;Chess") && text.contains("Small &lt;i&gt;Chess"), "{text}");
    assert!(!text.contains("<i>Chess") && !text.contains("not known"));
    ann.request(&server, Method::PUT, "/api/account/settings", Some(json!({"language": "de"}))).await;
    let (_, _, german) = page(&server, &mut ann, "/variants/~small/report").await;
    assert!(german.contains("<html lang=\"de\"") && german.contains("Verfahren und Grenzen"));
    let (_, _, rules) = page(&server, &mut ann, "/variants/~small").await;
    assert!(rules.contains("href=\"/variants/~small/report\""));
    for path in ["/variants/~small/report", "/api/rules/~small/report"] {
        assert_eq!(bob.get(&server, path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    // The report goes with the version: the next one has none yet.
    publish(&server, &mut ann, &SMALL.replace("Small <i>", "Smaller <i>"), "private").await;
    assert_eq!(ann.get(&server, "/api/rules/~small/report").await.0, StatusCode::NOT_FOUND);
    assert_eq!(ann.get(&server, &format!("/variants/{digest}/report")).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn measurements_are_queued_and_can_be_cancelled() {
    let server = TestServer::new().await;
    let mut users = Vec::new();
    for name in ["Ann", "Bob", "Carl"] {
        users.push(account(&server, name).await);
    }
    let [ann, bob, carl] = users.as_mut_slice() else { unreachable!() };
    let long = json!({"games": 1_000, "nodes": 2_000});
    let first = measure(&server, ann, "diamondring", long.clone()).await;
    until(&server, ann, &first, is("running")).await;
    let second = measure(&server, bob, "chess", long.clone()).await;
    assert_eq!((&second["state"], &second["place"]), (&json!("waiting"), &json!(2)), "{second}");
    // The same request gets the same answer.
    let same = measure(&server, carl, "chess", long.clone()).await;
    assert_eq!((&same["id"], &same["yours"]), (&second["id"], &json!(false)));
    let (status, problem) = bob.post(&server, "/api/rules/diamond/measure", long.clone()).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    let path = |job: &Value| format!("/api/lab/{}", job["id"].as_str().unwrap());
    assert_eq!(carl.request(&server, Method::DELETE, &path(&second), None).await.0, StatusCode::NOT_FOUND);
    assert_eq!(ann.request(&server, Method::DELETE, &path(&first), None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ann.get(&server, &path(&first)).await.1["state"], json!("cancelled"));
    until(&server, bob, &second, is("running")).await;
    assert_eq!(bob.request(&server, Method::DELETE, &path(&second), None).await.0, StatusCode::NO_CONTENT);
    // Five a day.
    for _ in 0..4 {
        let job = measure(&server, bob, "diamond", long.clone()).await;
        assert_eq!(bob.request(&server, Method::DELETE, &path(&job), None).await.0, StatusCode::NO_CONTENT);
    }
    let (status, problem) = bob.post(&server, "/api/rules/diamond/measure", long).await;
    assert_eq!(status, StatusCode::CONFLICT, "{problem}");
    for body in [json!({"games": 10}), json!({"games": 1_001}), json!({"nodes": 2_001}), json!({"nodes": 1})]
    {
        let (status, problem) = ann.post(&server, "/api/rules/diamond/measure", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
    let anonymous = Browser::default().post(&server, "/api/rules/chess/measure", json!({})).await;
    assert_eq!(anonymous.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test(flavor = "multi_thread")]
async fn measurement_resumes_after_a_restart() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    // Of a draft, whose rules are stored for it.
    let (_, found) = ann.post(&server, "/api/variants/validate", json!({"source": SMALL})).await;
    let digest = found["digest"].as_str().unwrap().to_owned();
    let job = measure(&server, &mut ann, &digest, json!({"games": 60, "nodes": 300})).await;
    let before = until(&server, &mut ann, &job, |job| job["done"].as_u64() > Some(5)).await;
    // Games are written down every two seconds.
    tokio::time::sleep(Duration::from_secs(5)).await;
    let server = server.restart().await;
    let after = until(&server, &mut ann, &job, |job| job["state"] != json!("waiting")).await;
    assert!(after["done"].as_u64() > Some(0), "{before} {after}");
    until(&server, &mut ann, &job, is("finished")).await;
    assert_eq!(ann.get(&server, &format!("/variants/{digest}/report")).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn shipped_reports_are_linked_from_the_rules() {
    let server = TestServer::with(|config| config.reports = lozenge_server::reports()).await;
    let mut visitor = Browser::default();
    let family = ["flat", "fusion", "gryphon", "mitregi", "scout", "wildeurasian", "wolf"];
    let family = family.map(|name| format!("diamondring-{name}"));
    let others = ["chess", "diagonal", "diamond", "diamondback", "diamondring", "doublediamond"];
    for id in others.into_iter().chain(family.iter().map(String::as_str)) {
        let (status, policy, text) = page(&server, &mut visitor, &format!("/variants/{id}/report")).await;
        assert_eq!(status, StatusCode::OK, "{id}");
        assert!(policy.contains("default-src 'none'") && text.contains("Beside other games"), "{id}");
        assert!(text.contains("<header class=\"top\">") && !text.contains("not known"), "{id}");
        assert!(text.contains(&format!("<a href=\"/rules/{id}\"")), "{id}");
        let (_, _, rules) = page(&server, &mut visitor, &format!("/rules/{id}")).await;
        assert!(rules.contains(&format!("href=\"/variants/{id}/report\"")), "{id}");
    }
    let (status, _, _) = page(&server, &mut visitor, "/variants/brilliant/report").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (_, _, rules) = page(&server, &mut visitor, "/rules/brilliant").await;
    assert!(!rules.contains("/report\""));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shipped_report_with_its_numbers_is_shown_in_both_languages() {
    // A very small one, as `lozenge lab report -o diamond.html -o diamond.json` writes it.
    let game = lozenge_rules::library::game("diamond").unwrap();
    let plan = Plan { games: 4, nodes: 30, level: 0, seed: 1 };
    let rendered = tokio::task::spawn_blocking(move || {
        let work = Work {
            threads: 2,
            stop: &AtomicBool::new(false),
            known: report::KnownGames::new(),
            keep: &mut |_| Ok(()),
            progress: &mut |_, _| (),
        };
        let report = report::run(&game, &plan, work).unwrap();
        serde_json::to_string_pretty(&report).unwrap()
    });
    let json = rendered.await.unwrap();
    let packed = |text: &str| {
        let mut file = GzEncoder::new(Vec::new(), Compression::fast());
        file.write_all(text.as_bytes()).unwrap();
        Cow::from(file.finish().unwrap())
    };
    let files = [("diamond.json".to_owned(), packed(&json))];
    let server = TestServer::with(|config| config.reports = files.into()).await;
    let mut ann = account(&server, "Ann").await;
    let (status, found) = ann.get(&server, "/api/rules/diamond/report").await;
    assert_eq!((status, &found["plan"]["nodes"]), (StatusCode::OK, &json!(30)), "{found}");
    assert_eq!(found["heat_maps"]["arrivals"].as_array().map(Vec::len), Some(40), "{found}");
    for (language, title) in [("en", "Method and limits"), ("de", "Verfahren und Grenzen")] {
        ann.request(&server, Method::PUT, "/api/account/settings", Some(json!({"language": language}))).await;
        let (status, policy, text) = page(&server, &mut ann, "/variants/diamond/report").await;
        assert_eq!(status, StatusCode::OK);
        assert!(text.contains(&format!("<html lang=\"{language}\"")) && text.contains(title), "{language}");
        assert!(text.contains("<a href=\"/rules/diamond\"") && policy.contains("default-src 'none'"));
        let (_, _, rules) = page(&server, &mut ann, "/rules/diamond").await;
        assert!(rules.contains("href=\"/variants/diamond/report\""), "{language}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn moves_of_the_engine_do_not_wait_for_measurements() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    publish(&server, &mut ann, LAKE, "unlisted").await;
    let job = measure(&server, &mut ann, "~lake", json!({"games": 1_000, "nodes": 2_000})).await;
    until(&server, &mut ann, &job, is("running")).await;
    let body = json!({"variant": "~lake", "opponent": {"kind": "engine", "level": 3}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let action = json!({"type": "move", "move": game["state"]["moves"][0], "ply": 0});
    assert_eq!(ann.post(&server, &format!("{path}/actions"), action).await.0, StatusCode::OK);
    for _ in 0..100 {
        if ann.get(&server, &path).await.1["state"]["ply"] == json!(2) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the engine has not moved in ten seconds");
}
