//! The pages of the site: their languages, what they show and how they are cached.

use crate::common::{Browser, TestServer};
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn every_page_exists_in_two_languages() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    for path in [
        "/",
        "/rules",
        "/rules/diamondring",
        "/live",
        "/login",
        "/register",
        "/api",
        "/about",
        "/healthz",
        "/readyz",
    ] {
        assert_eq!(guest.get(&server, path).await.0, StatusCode::OK, "{path}");
    }
    for id in lozenge_rules::library::ids() {
        assert_eq!(guest.get(&server, &format!("/rules/{id}")).await.0, StatusCode::OK, "{id}");
        let (status, diagram) =
            guest.get(&server, &format!("/api/variants/{id}/diagram?role=king&square=0&color=white")).await;
        assert_eq!(status, StatusCode::OK, "{diagram}");
        let (status, rules) = guest.get(&server, &format!("/api/variants/{id}/rules")).await;
        assert_eq!(status, StatusCode::OK, "{rules}");
        for piece in rules["pieces"].as_array().unwrap() {
            let (moves, squares) = (piece["moves"].as_array().unwrap(), piece["squares"].as_array().unwrap());
            assert!(!moves.is_empty() && !squares.is_empty(), "{id}: {piece}");
        }
        assert_eq!(guest.get(&server, &format!("/api/variants/{id}/picture.svg")).await.0, StatusCode::OK);
    }
    let (_, english) = guest.get(&server, "/rules/diamond").await;
    guest.request(&server, Method::PUT, "/api/account/settings", Some(json!({"language": "de"}))).await;
    assert!(guest.get(&server, "/rules").await.1.as_str().unwrap().contains("Die Spiele"));
    let (_, german) = guest.get(&server, "/rules/diamond").await;
    let (_, words) = guest.get(&server, "/api/variants/diamond/rules").await;
    assert_eq!(
        (&words["pieces"][0]["name"], &words["chapters"][0]["heading"]),
        (&json!("König"), &json!("Die Regeln"))
    );
    for (page, texts) in [
        (
            english,
            ["<h3>The pieces</h3>", "</b> Rook</h4>", "Moves or captures any number of squares along files"],
        ),
        (
            german,
            [
                "<h3>Die Figuren</h3>",
                "</b> Turm</h4>",
                "Zieht oder schlägt beliebig viele Felder entlang der",
            ],
        ),
    ] {
        let page = page.as_str().unwrap();
        for text in texts {
            assert!(page.contains(text), "{text}: {page}");
        }
        assert_eq!(page.matches("<h4>").count(), 6, "a heading for each piece");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_pages_have_one_board_for_each_piece_and_no_drawings_in_letters() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    for id in lozenge_rules::library::ids() {
        let (_, page) = guest.get(&server, &format!("/rules/{id}")).await;
        let page = page.as_str().unwrap();
        // Without script there is no other picture of the moves.
        let live: String = page
            .split("<noscript>")
            .map(|part| part.split("</noscript>").last().unwrap_or_default())
            .collect();
        assert!(!live.contains("<pre"), "{id}");
        let headings: Vec<&str> = ["<h2", "<h3"]
            .iter()
            .flat_map(|level| live.split(level).skip(1))
            .map(|rest| rest.split("</h").next().unwrap_or_default())
            .collect();
        let different: std::collections::HashSet<&str> = headings.iter().copied().collect();
        assert_eq!(headings.len(), different.len(), "{id}: {headings:?}");
        let (_, board) = guest.get(&server, &format!("/api/variants/{id}/board")).await;
        let names: Vec<&str> = board["squares"]
            .as_array()
            .unwrap()
            .iter()
            .map(|square| square["name"].as_str().unwrap())
            .collect();
        let pieces: Vec<&str> = live.split("<section class=\"piece\"").skip(1).collect();
        assert_eq!(pieces.len(), board["roles"].as_array().unwrap().len(), "{id}");
        for piece in pieces {
            assert_eq!(piece.matches("class=\"piece-board\"").count(), 1, "{id}");
            let squares =
                piece.split("data-squares=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
            assert!(squares.split(' ').all(|square| names.contains(&square)), "{id}: {squares}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn personal_responses_are_not_cached() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    for (path, expected) in [
        ("/", "private, no-cache"),
        ("/api/games", "private, no-cache"),
        ("/nowhere", "private, no-cache"),
        ("/api/account", "no-store"),
        ("/api/variants/diamond/picture.svg", "public, max-age=3600"),
    ] {
        let response = ann.raw(&server, Method::GET, path, None).await;
        assert_eq!(response.headers()[header::CACHE_CONTROL], expected, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_are_drawn_by_number_and_by_fen() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let mut drawn = std::collections::HashSet::new();
    for start in 0..4 {
        let path = format!("/api/variants/diamondback/picture.svg?start={start}");
        let (status, picture) = guest.get(&server, &path).await;
        assert_eq!(status, StatusCode::OK);
        drawn.insert(picture.to_string());
    }
    assert_eq!(drawn.len(), 4, "four starts look differently");
    let (_, usual) = guest.get(&server, "/api/variants/diamondback/picture.svg").await;
    assert!(drawn.contains(&usual.to_string()));
    let body = json!({"variant": "diamondback", "opponent": {"kind": "link"}, "start": 3});
    let (_, game) = guest.post(&server, "/api/games", body).await;
    let fen = game["state"]["fen"].as_str().unwrap().replace(' ', "%20");
    let path = "/api/variants/diamondback/picture.svg";
    let (_, by_fen) = guest.get(&server, &format!("{path}?fen={fen}")).await;
    assert_eq!(by_fen, guest.get(&server, &format!("{path}?start=3")).await.1);
    for query in ["start=-1", "start=4", "start=x", "fen=8/8", &format!("start=1&fen={fen}"), "odd=1"] {
        let (status, problem) = guest.get(&server, &format!("{path}?{query}")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert!(!problem["detail"].as_str().unwrap().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn board_has_one_shape_in_lists_cards_and_games() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let frame = |picture: &Value| {
        let picture = picture.as_str().unwrap();
        let (_, rest) = picture.split_once("viewBox=\"").unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    let (_, list) = guest.get(&server, "/api/variants").await;
    for variant in list.as_array().unwrap() {
        let id = variant["id"].as_str().unwrap();
        let (_, board) = guest.get(&server, &format!("/api/variants/{id}/board")).await;
        assert_eq!(board["view"], variant["view"], "{id}");
        let picture = format!("/api/variants/{id}/picture.svg");
        let (_, card) = guest.get(&server, &picture).await;
        let (_, small) = guest.get(&server, &format!("{picture}?thumbnail=true")).await;
        let (_, from_black) = guest.get(&server, &format!("{picture}?flipped=true")).await;
        assert_eq!(frame(&small), frame(&card), "{id}");
        assert_eq!(frame(&from_black), frame(&card), "{id}");
        assert_ne!(from_black, card, "{id}");
        let terms = match variant["players"].as_u64() {
            None => json!({"variant": id, "opponent": {"kind": "link"}}),
            Some(players) => {
                let seats = (0..players).map(|seat| json!({"kind": if seat == 0 { "me" } else { "link" }}));
                json!({"variant": id, "seats": seats.collect::<Vec<_>>()})
            }
        };
        let (_, game) = guest.post(&server, "/api/games", terms).await;
        let game = format!("/api/games/{}/picture.svg?plain=true", game["id"].as_str().unwrap());
        assert_eq!(frame(&guest.get(&server, &game).await.1), frame(&card), "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn home_page_lists_the_ratings_of_the_engine_levels() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let (_, page) = guest.get(&server, "/").await;
    let page = page.as_str().unwrap();
    let (_, rest) = page.split_once("id=\"levels\">").unwrap();
    let levels: Vec<i64> = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    assert!(levels.len() == 8 && levels.is_sorted_by(|one, next| one < next), "{levels:?}");
    for (level, rating) in (1..).zip(levels) {
        let body =
            json!({"variant": "diamond", "opponent": {"kind": "engine", "level": level}, "side": "white"});
        let (_, game) = guest.post(&server, "/api/games", body).await;
        assert_eq!(game["black"]["rating"], rating, "level {level}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documents_are_not_sent_again_to_those_who_have_them() {
    let server = TestServer::new().await;
    let get = async |path: &str, name: &str, value: &str| {
        let request = axum::http::Request::get(path).header(header::HOST, "test").header(name, value);
        let request = request.body(axum::body::Body::empty()).unwrap();
        tower::ServiceExt::oneshot(server.router.clone(), request).await.unwrap()
    };
    for path in ["/api/openapi.json", "/api", "/rules", "/rules/diamond", "/pieces.svg"] {
        let first = get(path, "accept-encoding", "gzip").await;
        assert_eq!(first.status(), StatusCode::OK, "{path}");
        assert_eq!(first.headers()[header::CONTENT_ENCODING], "gzip", "{path}");
        let etag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
        let again = get(path, "if-none-match", &etag).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
        let plain = get(path, "accept-encoding", "identity").await;
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING), "{path}");
        assert_eq!(plain.headers()[header::ETAG], etag.as_str(), "{path}");
    }
}
