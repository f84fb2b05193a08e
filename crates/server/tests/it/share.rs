//! The preview of a shared link, and the manifest that lets browsers install the site.

use crate::common::{Browser, TestServer, register, with_puzzles};
use axum::http::{HeaderValue, Method, StatusCode, header};
use serde_json::{Value, json};

/// The content of a `<meta>` of a page, without its escapes.
fn meta(page: &str, name: &str) -> String {
    let start =
        [format!("<meta property=\"{name}\" content=\""), format!("<meta name=\"{name}\" content=\"")]
            .into_iter()
            .find_map(|tag| page.find(&tag).map(|at| at + tag.len()));
    let rest = &page[start.unwrap_or_else(|| panic!("no {name} in {}", &page[..page.len().min(1_500)]))..];
    rest[..rest.find('"').unwrap()].replace("&#38;", "&").replace("&amp;", "&")
}

/// Title and description of a page's card; its picture is a PNG of the site.
async fn card(server: &TestServer, path: &str) -> (String, String) {
    let mut stranger = Browser::default();
    let (status, page) = stranger.get(server, path).await;
    let page = page.as_str().unwrap();
    assert_eq!(status, StatusCode::OK, "{path}");
    let picture = meta(page, "og:image");
    let at = picture.find("/api/").unwrap_or_else(|| panic!("{picture}"));
    assert!(picture[..at].starts_with("https://lozenge.example"), "{picture}");
    let response = stranger.raw(server, Method::GET, &picture[at..], None).await;
    assert_eq!(
        (response.status(), &response.headers()[header::CONTENT_TYPE]),
        (StatusCode::OK, &HeaderValue::from_static("image/png"))
    );
    assert_eq!(meta(page, "og:url"), format!("https://lozenge.example{path}"));
    assert_eq!(
        (meta(page, "twitter:card").as_str(), meta(page, "og:site_name").as_str()),
        ("summary", "Lozenge")
    );
    (meta(page, "og:title"), meta(page, "og:description"))
}

#[tokio::test(flavor = "multi_thread")]
async fn shared_links_have_a_title_a_description_and_a_board() {
    let server = TestServer::with_public_url("https://lozenge.example").await;
    let mut ann = register(&server, "Ann").await;
    let (title, text) = card(&server, "/").await;
    assert!(
        title.contains("Chess on diamond boards") && text.contains("without any edge"),
        "{title}: {text}"
    );
    let (title, _) = card(&server, "/rules/diamond").await;
    assert_eq!(title, "Diamond Chess");

    let game = json!({"variant": "diagonal", "opponent": {"kind": "link"}, "side": "white"});
    let (_, game) = ann.post(&server, "/api/games", game).await;
    let (title, text) = card(&server, &format!("/game/{}", game["id"].as_str().unwrap())).await;
    assert!(title.starts_with("Ann") && title.contains("Diagonal"), "{title}");
    assert!(text.contains("casual"), "{text}");

    let study =
        json!({"name": "Forks & pins", "visibility": "public", "chapter": {"variant": "diamondback"}});
    let (status, study) = ann.post(&server, "/api/studies", study).await;
    assert_eq!(status, StatusCode::CREATED, "{study}");
    let (title, text) = card(&server, &format!("/study/{}", study["id"].as_str().unwrap())).await;
    assert_eq!(title, "Forks & pins");
    assert!(text.contains("by Ann") && text.contains("1 chapter"), "{text}");
    // Its board is that of the chapter.
    let path = format!("/study/{}", study["id"].as_str().unwrap());
    let (_, page) = Browser::default().get(&server, &path).await;
    let picture = meta(page.as_str().unwrap(), "og:image");
    assert!(picture.contains("/picture.png?fen=") && !picture.contains("/diamond/"), "{picture}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_puzzle_shows_its_board_and_not_its_solution() {
    let server = with_puzzles().await;
    let mut visitor = Browser::default();
    let (_, puzzle) = visitor.get(&server, "/api/puzzles/next?variant=chess").await;
    let (_, page) = visitor.get(&server, &format!("/puzzles/{}", puzzle["id"].as_str().unwrap())).await;
    let page = page.as_str().unwrap();
    assert!(meta(page, "og:title").contains("Chess"));
    assert!(meta(page, "og:description").ends_with("Find the best moves."));
    let picture = meta(page, "og:image");
    let path = &picture[picture.find("/api/").unwrap()..];
    assert!(path.contains("/picture.png?fen="), "{path}");
    assert_eq!(visitor.raw(&server, Method::GET, path, None).await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_site_can_be_installed() {
    let server = TestServer::new().await;
    let mut visitor = Browser::default();
    let (_, page) = visitor.get(&server, "/").await;
    assert!(page.as_str().unwrap().contains("<link rel=\"manifest\" href=\"/manifest.webmanifest\">"));
    let response = visitor.raw(&server, Method::GET, "/manifest.webmanifest", None).await;
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/manifest+json");
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 16).await.unwrap();
    let manifest: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!((&manifest["start_url"], &manifest["display"]), (&json!("/"), &json!("standalone")));
    let icons = manifest["icons"].as_array().unwrap();
    for size in ["192x192", "512x512"] {
        assert!(icons.iter().any(|icon| icon["sizes"] == size && icon["type"] == "image/png"), "{size}");
    }
    for icon in icons {
        let response = visitor.raw(&server, Method::GET, icon["src"].as_str().unwrap(), None).await;
        assert_eq!(response.status(), StatusCode::OK, "{icon}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], icon["type"].as_str().unwrap());
    }
    for shortcut in manifest["shortcuts"].as_array().unwrap() {
        let path = shortcut["url"].as_str().unwrap();
        assert_eq!(visitor.get(&server, path).await.0, StatusCode::OK, "{path}");
    }
}
