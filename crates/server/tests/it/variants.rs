//! Games that users make: checked, published, played by their own rules for ever, listed, liked and commented.

use crate::common::{Browser, TestServer, both_move};
use axum::http::{Method, StatusCode, header};
use lozenge_server::ListingThreshold;
use serde_json::{Value, json};

/// A board of ten by ten with a lake, and a piece of its own.
const LAKE: &str = include_str!("../../../../testdata/variants/lake.toml");

fn with_name(id: &str, name: &str) -> String {
    LAKE.replace("id = \"lake\"", &format!("id = \"{id}\""))
        .replace("name = \"Lake Chess\"", &format!("name = \"{name}\""))
}

async fn account(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let body = json!({"name": name, "password": "a long password"});
    assert_eq!(browser.post(server, "/api/account/register", body).await.0, StatusCode::OK);
    browser
}

async fn publish(server: &TestServer, browser: &mut Browser, source: &str, visibility: &str) -> Value {
    let body = json!({"source": source, "visibility": visibility});
    let (status, published) = browser.post(server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::CREATED, "{published}");
    published
}

/// The ids of the games that a browser sees in the list.
async fn listed(server: &TestServer, browser: &mut Browser, query: &str) -> Vec<String> {
    let (status, games) = browser.get(server, &format!("/api/variants{query}")).await;
    assert_eq!(status, StatusCode::OK, "{games}");
    games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

/// A link game of this variant that has begun.
async fn begin(
    server: &TestServer,
    white: &mut Browser,
    black: &mut Browser,
    variant: &str,
) -> (String, Value) {
    let body = json!({"variant": variant, "opponent": {"kind": "link"}, "side": "white"});
    let (status, game) = white.post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap().to_owned();
    let (status, game) = black.post(server, &format!("/api/games/{id}/join"), json!({})).await;
    assert_eq!(status, StatusCode::OK, "{game}");
    (id, game)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_checked_without_an_account() {
    let (server, mut visitor) = (TestServer::new().await, Browser::default());
    let body = json!({"source": LAKE, "board": true});
    let (status, found) = visitor.post(&server, "/api/variants/validate", body).await;
    assert_eq!((status, &found["valid"]), (StatusCode::OK, &json!(true)), "{found}");
    assert_eq!(found["board"]["squares"].as_array().unwrap().len(), 96);
    // It can be viewed, and not played, under its digest.
    let digest = found["digest"].as_str().unwrap();
    let diagram = format!("/api/variants/{digest}/diagram?role=otter&square=0&color=white");
    let (status, diagram) = visitor.get(&server, &diagram).await;
    assert_eq!(status, StatusCode::OK, "{diagram}");
    assert_eq!(visitor.get(&server, &format!("/rules/{digest}")).await.0, StatusCode::OK);
    let body = json!({"variant": digest, "opponent": {"kind": "link"}});
    assert_eq!(visitor.post(&server, "/api/games", body).await.0, StatusCode::NOT_FOUND);
    // A built-in game's file has the digest of the game.
    let source = lozenge_rules::library::text("chess").unwrap();
    let (_, found) = visitor.post(&server, "/api/variants/validate", json!({"source": source})).await;
    let (_, chess) = visitor.get(&server, "/api/variants/chess").await;
    assert_eq!((&found["digest"], &chess["source"]), (&chess["digest"], &json!(source)));
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_faults_are_reported_at_once_with_their_places() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    let faulty = LAKE
        .replace("name = \"Knight\"", "nmae = \"Knight\"")
        .replace("moves = \"N\"", "moves = \"Ñ\"")
        .replace("moves = \"R\"", "moves = \"fq\"")
        .replace("moves = \"B\"", "moves = 7")
        .replace("royal = true", "royal = \"yes\"")
        .replace("symmetry = \"mirror-ranks\"", "symmetry = \"upside\"")
        .replace("picture = \"queen\"", "picture = 1")
        .replace("to = \"QROBN\"", "too = \"QROBN\"")
        .replace("on = \"rank-10\"", "on = \"rank-11\"")
        .replace("year = 2026", "year = \"soon\"")
        .replace("dead = ", "repetition = 3\ndead = ");
    let (_, found) = ann.post(&server, "/api/variants/validate", json!({"source": faulty})).await;
    let faults = found["faults"].as_array().unwrap();
    assert!(faults.len() >= 10, "{}: {found:#}", faults.len());
    let units: Vec<u16> = faulty.encode_utf16().collect();
    let at = |fault: &Value| {
        let server = |name: &str| fault[name].as_u64().unwrap() as usize;
        String::from_utf16(&units[server("from")..server("to")]).unwrap()
    };
    let misspelt = faults.iter().find(|fault| fault["suggestion"] == json!("name")).unwrap();
    assert_eq!(at(misspelt), "nmae");
    assert_eq!(
        misspelt["line"],
        json!(faulty.lines().position(|line| line.starts_with("nmae")).unwrap() + 1)
    );
    let body = json!({"source": faulty, "visibility": "public"});
    let (status, problem) = ann.post(&server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!((&problem["faults"], &problem["code"]), (&found["faults"], &json!("invalid")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hostile_file_is_refused() {
    let (server, mut eve) = (TestServer::new().await, Browser::default());
    let groups = "{ betza = \"[F?fR?sF]\" }, ".repeat(32);
    let roles: String = ('A'..='Y')
        .filter(|letter| *letter != 'K')
        .map(|letter| format!("[roles.{letter}]\nname = \"Piece {letter}\"\nmoves = [{groups}]\n\n"))
        .collect();
    let source = format!(
        "id = \"hostile\"\nname = \"Hostile\"\n[board]\nsquares = \"\"\"\n{}\"\"\"\nwrap = \"both\"\nsymmetry = \"mirror-ranks\"\n\
         [roles.K]\nname = \"King\"\nroyal = true\nmoves = \"K\"\n\n{roles}[start]\nfen = \"k15/{}K15 w - - 0 1\"\n",
        "................\n".repeat(16),
        "16/".repeat(14),
    );
    let (status, found) = eve.post(&server, "/api/variants/validate", json!({"source": source})).await;
    assert_eq!((status, &found["valid"]), (StatusCode::OK, &json!(false)), "{found}");
    assert!(found["faults"][0]["message"].as_str().unwrap().contains("steps in all"), "{found}");
    let (_, found) = eve.post(&server, "/api/variants/validate", json!({"source": "#".repeat(50_000)})).await;
    assert!(found["faults"][0]["message"].as_str().unwrap().contains("at most"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_keeps_its_variant_version_after_a_restart() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, Browser::default());
    let first = publish(&server, &mut ann, LAKE, "unlisted").await;
    assert_eq!((&first["id"], &first["version"]), (&json!("~lake"), &json!(1)));
    let (old, before) = begin(&server, &mut ann, &mut bob, "~lake").await;
    assert_eq!(before["variant"], json!("~lake"));
    // In the second version Otters move like Knights, too.
    let source = LAKE.replace("moves = \"D\"", "moves = \"DN\"");
    let second = publish(&server, &mut ann, &source, "unlisted").await;
    assert_eq!((&second["id"], &second["version"]), (&json!("~lake"), &json!(2)));
    assert_ne!(first["digest"], second["digest"]);
    let (_, after) = begin(&server, &mut ann, &mut bob, "~lake").await;
    let (_, by_digest) = begin(&server, &mut ann, &mut bob, first["digest"].as_str().unwrap()).await;
    let moves = |game: &Value| game["state"]["moves"].clone();
    assert_eq!(moves(&by_digest), moves(&before));
    assert_ne!(moves(&after), moves(&before));
    both_move(&server, [&mut ann, &mut bob], &old).await;
    let (_, played) = ann.get(&server, &format!("/api/games/{old}")).await;

    let server = server.restart().await;
    let (_, again) = ann.get(&server, &format!("/api/games/{old}")).await;
    assert_eq!(moves(&again), moves(&played));
    let action = json!({"type": "move", "move": again["state"]["moves"][0], "ply": 2});
    let (status, problem) = ann.post(&server, &format!("/api/games/{old}/actions"), action).await;
    assert_eq!(status, StatusCode::OK, "{problem}");
    // Publishing the same again is no new version; the file of each stays stored.
    let same = publish(&server, &mut ann, &source, "unlisted").await;
    assert_eq!(same["version"], json!(2));
    let (_, variant) =
        ann.get(&server, &format!("/api/variants/{}", first["digest"].as_str().unwrap())).await;
    assert_eq!(variant["source"], json!(LAKE));
    let (_, variant) = Browser::default().get(&server, "/api/variants/~lake").await;
    assert_eq!((&variant["source"], variant["versions"].as_array().unwrap().len()), (&json!(source), 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn parents_of_published_variants_are_pinned() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    publish(&server, &mut ann, LAKE, "unlisted").await;
    let child = "extends = \"~lake\"\nid = \"pond\"\nname = \"Pond\"\n";
    let published = publish(&server, &mut ann, child, "unlisted").await;
    publish(&server, &mut ann, &LAKE.replace("moves = \"D\"", "moves = \"A\""), "unlisted").await;
    let server = server.restart().await;
    let (status, pond) = ann.get(&server, "/api/variants/~pond").await;
    assert_eq!((status, &pond["digest"]), (StatusCode::OK, &published["digest"]), "{pond}");
    assert!(pond["source"].as_str().unwrap().contains(" # ~lake"), "{pond}");
    let parents = pond["parents"].as_array().unwrap();
    assert!(parents.len() == 1 && parents[0].as_str().unwrap().contains("moves = \"D\""), "{pond}");
    let moves = "/api/variants/~pond/diagram?role=otter&square=0&color=white";
    let (_, diagram) = ann.get(&server, moves).await;
    assert_eq!(diagram["quiet"].as_array().unwrap().len(), 2, "two over, along file and rank: {diagram}");
    // Checking the file as it was published gives the same rules.
    let (_, again) = ann.post(&server, "/api/variants/validate", json!({"source": pond["source"]})).await;
    assert_eq!(again["digest"], published["digest"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn private_variants_are_visible_to_their_owner_only() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    publish(&server, &mut ann, LAKE, "private").await;
    for path in ["/api/variants/~lake", "/api/variants/~lake/board", "/rules/~lake", "/variants/~lake"] {
        assert_eq!(ann.get(&server, path).await.0, StatusCode::OK, "{path}");
        assert_eq!(bob.get(&server, path).await.0, StatusCode::NOT_FOUND, "{path}");
    }
    // Two inventors may choose the same id.
    let other = publish(&server, &mut bob, LAKE, "unlisted").await;
    assert_eq!(other["id"], json!("~lake-2"));
    let child = json!({"source": "extends = \"~lake\"\nid = \"pond\"\nname = \"Pond\"\n"});
    let (_, found) = bob.post(&server, "/api/variants/validate", child).await;
    assert_eq!(found["valid"], json!(false));
    // Anyone with the link of a game may play it.
    begin(&server, &mut ann, &mut bob, "~lake").await;
    let rated = json!({"variant": "~lake", "opponent": {"kind": "link"}, "rated": true,
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    assert_eq!(ann.post(&server, "/api/games", rated).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let engine = json!({"variant": "~lake", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    assert_eq!(ann.post(&server, "/api/games", engine).await.0, StatusCode::CREATED);
    let seek = json!({"variant": "~lake", "clock": {"kind": "correspondence", "days": 3}});
    let (status, seek) = ann.post(&server, "/api/seeks", seek).await;
    assert_eq!(status, StatusCode::CREATED, "{seek}");
    let seek = format!("/api/seeks/{}/accept", seek["seek"]["id"].as_str().unwrap());
    let (status, game) = bob.post(&server, &seek, json!({})).await;
    assert_eq!(status, StatusCode::OK, "{game}");
    let (status, sent) = ann.post(&server, "/api/challenge/Bob", json!({"variant": "~lake"})).await;
    assert_eq!((status, &sent["variant_name"]), (StatusCode::CREATED, &json!("Lake Chess")), "{sent}");
    let accept = format!("/api/challenge/{}/accept", sent["id"].as_str().unwrap());
    assert_eq!(bob.post(&server, &accept, json!({})).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn public_games_are_listed_once_they_have_been_played() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    publish(&server, &mut ann, LAKE, "public").await;
    let (own, others) =
        (listed(&server, &mut ann, "").await, listed(&server, &mut Browser::default(), "").await);
    assert!(own.contains(&"~lake".to_owned()), "{own:?}");
    assert!(!others.contains(&"~lake".to_owned()) && others.contains(&"diamond".to_owned()), "{others:?}");
    let page = |found: (StatusCode, Value)| found.1.as_str().unwrap_or_default().to_owned();
    let studio = page(ann.get(&server, "/studio").await);
    assert!(
        studio.contains("listed once your account is 3 days old and 5 games of it have been finished."),
        "{studio}"
    );
    let gallery = page(ann.get(&server, "/variants?tag=archbishop").await);
    assert!(gallery.contains("<option value=\"archbishop\" selected>Archbishop</option>"), "{gallery}");
    // A name of a built-in game is refused, and one of another inventor's public game.
    // So are those that look like one: with a Cyrillic letter, a no-break space, or letters of full width.
    for name in ["Chess", "Ch\u{435}ss", "Diam\u{43e}nd\u{a0}Chess", "\u{ff24}iamond Chess"] {
        let source = json!({"source": with_name("chess-two", name), "visibility": "public"});
        let (status, problem) = ann.post(&server, "/api/variants", source).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{name}: {problem}");
    }
    publish(&server, &mut ann, &with_name("indigo", "INDIGO"), "public").await;
    let mut bob = account(&server, "Bob").await;
    for name in ["Lake Chess", "L\u{430}ke Chess", "Lake\u{a0}chess", "Indigo"] {
        let source = json!({"source": with_name("lake", name), "visibility": "public"});
        let (status, problem) = bob.post(&server, "/api/variants", source).await;
        assert_eq!(status, StatusCode::CONFLICT, "{name}: {problem}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_searched_and_read_in_pages() {
    let open = ListingThreshold { days: 0, games: 0 };
    let server = TestServer::with(|config| config.listing = open).await;
    let mut ann = account(&server, "Ann").await;
    let (_, studio) = ann.get(&server, "/studio").await;
    assert!(studio.as_str().unwrap_or_default().contains("Public games are listed at once."), "{studio}");
    for number in 0..5 {
        let source = with_name(&format!("lake-{number}"), &format!("Lake 50% {number}"));
        publish(&server, &mut ann, &source, "public").await;
    }
    let mut visitor = Browser::default();
    let all = listed(&server, &mut visitor, "?built_in=false").await;
    assert_eq!(all.len(), 5);
    let mut found = Vec::new();
    let mut query = "?built_in=false&limit=2".to_owned();
    loop {
        let response = visitor.raw(&server, Method::GET, &format!("/api/variants{query}"), None).await;
        let after = response.headers().get("lozenge-after").map(|after| after.to_str().unwrap().to_owned());
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        let games: Vec<Value> = serde_json::from_slice(&bytes).unwrap();
        found.extend(games.iter().map(|game| game["id"].as_str().unwrap().to_owned()));
        let Some(after) = after else { break };
        query = format!("?built_in=false&limit=2&after={after}");
    }
    assert_eq!(found, all);
    for (query, expected) in [
        ("?q=50%25%203", 1),
        ("?q=ann&built_in=false", 5),
        ("?q=nothing", 0),
        ("?tag=otter", 5),
        ("?tag=10x10&built_in=false", 5),
        ("?tag=torus&built_in=false", 0),
    ] {
        assert_eq!(listed(&server, &mut visitor, query).await.len(), expected, "{query}");
    }
    let mut bob = account(&server, "Bob").await;
    let like = "/api/variants/~lake-1/like";
    for _ in 0..2 {
        assert_eq!(bob.request(&server, Method::PUT, like, None).await.0, StatusCode::NO_CONTENT);
    }
    let liked = listed(&server, &mut visitor, "?built_in=false&sort=liked").await;
    assert_eq!(liked[0], "~lake-1");
    let (_, variant) = bob.get(&server, "/api/variants/~lake-1").await;
    assert_eq!((&variant["liked"], &variant["publication"]["likes"]), (&json!(true), &json!(1)));
    assert_eq!(bob.request(&server, Method::DELETE, like, None).await.0, StatusCode::NO_CONTENT);
    let (_, variant) = bob.get(&server, "/api/variants/~lake-1").await;
    assert_eq!((&variant["liked"], &variant["publication"]["likes"]), (&json!(false), &json!(0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_are_saved_published_archived_and_deleted() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    let (status, draft) = ann.post(&server, "/api/studio/variants", json!({"source": "id = \"la"})).await;
    assert_eq!((status, &draft["version"]), (StatusCode::CREATED, &json!(0)), "{draft}");
    let path = format!("/api/studio/variants/{}", draft["id"].as_str().unwrap());
    let saved = ann.request(&server, Method::PUT, &path, Some(json!({"source": LAKE}))).await.1;
    assert_eq!((&saved["name"], &saved["source"]), (&json!("Lake Chess"), &json!(LAKE)));
    assert_eq!(bob.get(&server, &path).await.0, StatusCode::NOT_FOUND);
    assert_eq!(
        bob.request(&server, Method::PUT, &path, Some(json!({"source": ""}))).await.0,
        StatusCode::NOT_FOUND
    );
    let body = json!({"source": LAKE, "visibility": "unlisted", "draft": draft["id"]});
    let (_, published) = ann.post(&server, "/api/variants", body).await;
    assert_eq!((&published["draft"], &published["version"]), (&draft["id"], &json!(1)), "{published}");
    assert_eq!(ann.request(&server, Method::DELETE, &path, None).await.0, StatusCode::CONFLICT);
    let archived = ann.request(&server, Method::PUT, &path, Some(json!({"archived": true}))).await.1;
    assert_eq!(archived["status"], json!("archived"));
    // It can still be played by its address.
    begin(&server, &mut bob, &mut ann, "~lake").await;
    for number in 0..20 {
        let (status, _) =
            ann.post(&server, "/api/studio/variants", json!({"source": number.to_string()})).await;
        assert_eq!(status, StatusCode::CREATED);
    }
    let (status, _) = ann.post(&server, "/api/studio/variants", json!({"source": ""})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let (status, _) = ann.request(&server, Method::PUT, &path, Some(json!({"archived": false}))).await;
    assert_eq!(status, StatusCode::CONFLICT);
    // After the account is deleted, its published game can still be played and has no owner.
    let proof = json!({"password": "a long password"});
    assert!(ann.post(&server, "/api/account/delete", proof).await.0.is_success());
    let (status, variant) = bob.get(&server, "/api/variants/~lake").await;
    assert_eq!((status, &variant["publication"]["owner"]), (StatusCode::OK, &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn variants_can_be_commented_and_reported() {
    let server = TestServer::new().await;
    let (mut ann, mut bob) = (account(&server, "Ann").await, account(&server, "Bob").await);
    publish(&server, &mut ann, LAKE, "public").await;
    let path = "/api/variants/~lake/comments";
    let (status, comment) = bob.post(&server, path, json!({"text": " The Otter is strong.\n"})).await;
    assert_eq!(
        (status, &comment["text"]),
        (StatusCode::CREATED, &json!("The Otter is strong.")),
        "{comment}"
    );
    assert_eq!(bob.post(&server, path, json!({"text": " \n"})).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, seen) = Browser::default().get(&server, path).await;
    assert_eq!((&seen[0]["author"], &seen[0]["removable"]), (&json!("Bob"), &json!(false)));
    let report = json!({"reason": "a rude word", "comment": comment["id"]});
    assert_eq!(ann.post(&server, "/api/variants/~lake/report", report).await.0, StatusCode::NO_CONTENT);
    let one = format!("{path}/{}", comment["id"].as_str().unwrap());
    let mut carl = account(&server, "Carl").await;
    assert_eq!(carl.request(&server, Method::DELETE, &one, None).await.0, StatusCode::NOT_FOUND);
    // The owner of a game may delete comments on it.
    assert_eq!(ann.request(&server, Method::DELETE, &one, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(ann.get(&server, path).await.1, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_published_variants_are_revalidated() {
    let server = TestServer::new().await;
    let mut ann = account(&server, "Ann").await;
    publish(&server, &mut ann, LAKE, "unlisted").await;
    for (path, expected) in [("~lake", "private, no-cache"), ("diamond", "public, max-age=3600")] {
        let path = format!("/api/variants/{path}/picture.svg");
        let response = ann.raw(&server, Method::GET, &path, None).await;
        assert_eq!(
            (response.status(), &response.headers()[header::CACHE_CONTROL]),
            (StatusCode::OK, &expected.parse().unwrap())
        );
    }
}
