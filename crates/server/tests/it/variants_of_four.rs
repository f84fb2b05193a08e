//! Games of three and four that users make: checked, published, played here and after a restart, listed and explained. Not here: what is
//! the same in games of two (`variants`).

use crate::common::{Browser, TestServer, register};
use crate::games_of_four::{COLORS, by_link, lobby, play, seats, state};
use axum::http::StatusCode;
use lozenge_rules::library;
use lozenge_server::ListingThreshold;
use serde_json::{Value, json};
use std::time::Duration;

/// The file of a built-in game under another id and name.
fn file(id: &str, own: &str, name: &str) -> String {
    let text = library::text(id).unwrap();
    let built_in = library::any_game(id).unwrap();
    let changed = text
        .replace(&format!("id = \"{id}\""), &format!("id = \"{own}\""))
        .replace(&format!("name = \"{}\"", built_in.name()), &format!("name = \"{name}\""));
    assert!(changed.contains(own) && changed.contains(name), "{changed}");
    changed
}

async fn check(server: &TestServer, browser: &mut Browser, source: &str) -> Value {
    let body = json!({"source": source, "board": true});
    let (status, found) = browser.post(server, "/api/variants/validate", body).await;
    assert_eq!(status, StatusCode::OK, "{found}");
    found
}

async fn publish(server: &TestServer, browser: &mut Browser, source: &str, visibility: &str) -> Value {
    let body = json!({"source": source, "visibility": visibility});
    let (status, published) = browser.post(server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::CREATED, "{published}");
    published
}

/// A game of people with these rules, each on the seat of the same number, in which every player has moved.
async fn begin<const PLAYERS: usize>(
    server: &TestServer,
    mut players: [Browser; PLAYERS],
    variant: &str,
) -> (String, [Browser; PLAYERS]) {
    let body = json!({"variant": variant, "seats": seats(by_link::<PLAYERS>())});
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!((status, &game["variant"]), (StatusCode::CREATED, &json!("~own")), "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    for (place, color) in COLORS.into_iter().enumerate().take(PLAYERS).skip(1) {
        let join = format!("{path}/join?seat={color}");
        let (status, game) = players[place].post(server, &join, json!({})).await;
        assert_eq!((status, &game["you"]), (StatusCode::OK, &json!(color)), "{game}");
    }
    play(server, &mut players, &path, PLAYERS).await;
    (path, players)
}

/// Publishes a built-in game under another name, plays it, and goes on after a restart, when only the database knows the rules.
async fn publish_and_play<const PLAYERS: usize>(id: &str)
where
    [Browser; PLAYERS]: Default,
{
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let source = file(id, "own", "A Game of Mine");
    let found = check(&server, &mut ann, &source).await;
    assert_eq!((&found["valid"], &found["board"]["players"]), (&json!(true), &json!(PLAYERS)), "{found}");
    let owners: Vec<&str> = COLORS.into_iter().take(PLAYERS).collect();
    let start = found["board"]["start"].as_array().unwrap();
    assert!(start.iter().all(|piece| owners.contains(&piece["color"].as_str().unwrap())), "{found}");
    // It can be viewed, and not played, under its digest.
    let digest = found["digest"].as_str().unwrap();
    for path in [
        format!("/api/variants/{digest}/diagram?role=rook&square=30&color={}", owners[PLAYERS - 1]),
        format!("/api/variants/{digest}/picture.svg"),
        format!("/rules/{digest}"),
    ] {
        assert_eq!(ann.get(&server, &path).await.0, StatusCode::OK, "{path}");
    }
    let body = json!({"variant": digest, "seats": seats(by_link::<PLAYERS>())});
    assert_eq!(ann.post(&server, "/api/games", body).await.0, StatusCode::NOT_FOUND);

    let published = publish(&server, &mut ann, &source, "unlisted").await;
    assert_eq!((&published["id"], &published["digest"]), (&json!("~own"), &found["digest"]));
    let (path, mut players) = begin::<PLAYERS>(&server, Default::default(), "~own").await;
    begin::<PLAYERS>(&server, Default::default(), digest).await;
    let (_, listed) = ann.get(&server, "/api/games?variant=~own").await;
    assert_eq!(listed.as_array().unwrap().len(), 2, "{listed}");
    assert_eq!(
        (&listed[0]["variant_name"], &listed[0]["seats"][2]["color"]),
        (&json!("A Game of Mine"), &json!("yellow"))
    );

    let server = server.restart().await;
    play(&server, &mut players, &path, PLAYERS).await;
    let (_, board) = ann.get(&server, "/api/variants/~own/board").await;
    assert_eq!(
        (&board["players"], &board["variant"], &board["digest"]),
        (&json!(PLAYERS), &json!("~own"), &json!(digest))
    );
    let (_, detail) = ann.get(&server, "/api/variants/~own").await;
    assert_eq!((&detail["players"], &detail["source"].is_string()), (&json!(PLAYERS), &true), "{detail}");
    for page in [
        "/variants/~own",
        "/api/variants/~own/rules",
        "/api/variants/~own/picture.png",
        "/api/explorer/~own",
        "/analysis?variant=~own",
        "/studio?from=~own",
        "/studio?copy=~own",
        "/?game=~own",
        "/players?variant=~own",
    ] {
        assert_eq!(ann.get(&server, page).await.0, StatusCode::OK, "{page}");
    }
    assert_eq!(ann.get(&server, &format!("{path}/pgn")).await.0, StatusCode::OK);
    for player in &mut players {
        player.post(&server, &format!("{path}/actions"), json!({"type": "resign"})).await;
    }
    let ended = state(&server, &mut ann, &path).await;
    assert_eq!(ended["status"], "finished", "{ended}");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_three_is_published_and_played() {
    publish_and_play::<3>("threearmies").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_is_published_and_played() {
    publish_and_play::<4>("diamondring-four").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_teams_is_published_and_played() {
    publish_and_play::<4>("diamondring-teams").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_play_a_published_game_of_three() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    // It extends a built-in game of three.
    let source =
        "extends = \"threearmies\"\nid = \"own\"\nname = \"A Game of Mine\"\n[roles.N]\nmoves = \"C\"\n";
    publish(&server, &mut ann, source, "private").await;
    let body = json!({"variant": "~own", "seats": seats(["me", "engine", "engine"])});
    let (status, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let first = json!({"type": "move", "move": game["state"]["moves"][0], "ply": 0});
    assert_eq!(ann.post(&server, &format!("{path}/actions"), first).await.0, StatusCode::OK);
    let answered = tokio::time::timeout(Duration::from_secs(120), async {
        while state(&server, &mut ann, &path).await["ply"] != 3 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    answered.await.expect("both engines move");
    // The game of a private rule is hidden from others, as its rules are.
    assert_eq!(Browser::default().get(&server, "/api/variants/~own").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn list_has_games_of_three_and_four_with_players() {
    let open = ListingThreshold { days: 0, games: 0 };
    let server = TestServer::with(|config| config.listing = open).await;
    let mut ann = register(&server, "Ann").await;
    publish(&server, &mut ann, &file("threearmies", "own", "A Game of Mine"), "public").await;
    let (_, games) = ann.get(&server, "/api/variants").await;
    let players = |id: &str| {
        let found = games.as_array().unwrap().iter().find(|game| game["id"] == id);
        found.unwrap_or_else(|| panic!("{id} is listed"))["players"].clone()
    };
    for (id, expected) in [
        ("diamond", Value::Null),
        ("threearmies", json!(3)),
        ("diamondring-four", json!(4)),
        ("diamondring-teams", json!(4)),
        ("fourplayerchess", json!(4)),
        ("~own", json!(3)),
    ] {
        assert_eq!(players(id), expected, "{id}");
        let (_, board) = ann.get(&server, &format!("/api/variants/{id}/board")).await;
        assert_eq!(board["players"], expected, "{id}");
    }
    for (tag, expected) in
        [("three-players", &["threearmies", "~own"][..]), ("teams", &["diamondring-teams"])]
    {
        let (_, found) = ann.get(&server, &format!("/api/variants?tag={tag}")).await;
        let ids: Vec<&str> =
            found.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
        assert_eq!(ids, expected, "{tag}");
    }
    let (_, gallery) = ann.get(&server, "/variants?tag=three-players").await;
    let gallery = gallery.as_str().unwrap();
    assert!(gallery.contains("/variants/~own") && gallery.contains("/learn/~own"), "{gallery}");
    let (_, studio) = ann.get(&server, "/studio").await;
    assert!(studio.as_str().unwrap().contains("\"threearmies\""), "{studio}");
}

#[tokio::test(flavor = "multi_thread")]
async fn published_game_of_three_waits_in_the_lobby() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    publish(&server, &mut ann, &file("threearmies", "own", "A Game of Mine"), "unlisted").await;
    let body = json!({"variant": "~own", "seats": seats(["me", "anybody", "anybody"])});
    assert_eq!(ann.post(&server, "/api/games", body).await.0, StatusCode::CREATED);
    let open = lobby(&server, 1).await;
    assert_eq!(
        (&open[0]["variant"], &open[0]["variant_name"]),
        (&json!("~own"), &json!("A Game of Mine")),
        "{open:?}"
    );
    assert_eq!(open[0]["seats"].as_array().unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn routes_of_two_refuse_a_published_game_of_three() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    register(&server, "Bob").await;
    let published =
        publish(&server, &mut ann, &file("threearmies", "own", "A Game of Mine"), "unlisted").await;
    let measure = format!("/api/rules/{}/measure", published["digest"].as_str().unwrap());
    for (path, body) in [
        ("/api/seeks", json!({"variant": "~own", "clock": {"kind": "correspondence", "days": 3}})),
        ("/api/challenge/Bob", json!({"variant": "~own"})),
        (&measure, json!({})),
    ] {
        let (status, problem) = ann.post(&server, path, body).await;
        let found = (status, problem["detail"].as_str().unwrap());
        assert_eq!(
            found,
            (StatusCode::NOT_FOUND, "there is no game of two players with this id here"),
            "{path}"
        );
    }
    for page in ["/learn/~own/endings", "/variants/~own/report", "/api/tables/~own?fen=x"] {
        assert_eq!(ann.get(&server, page).await.0, StatusCode::NOT_FOUND, "{page}");
    }
    for page in ["/learn/~own", "/learn/~own/coordinates", "/api/lessons/~own"] {
        assert_eq!(ann.get(&server, page).await.0, StatusCode::OK, "{page}");
    }
    let (_, page) = ann.get(&server, "/variants/~own").await;
    let page = page.as_str().unwrap();
    assert!(page.contains("/?game=~own") && page.contains("\"measurable\":false"), "{page}");
    assert!(page.contains("/learn/~own") && !page.contains("/puzzles?"), "{page}");
    let rated = json!({"variant": "~own", "seats": seats(["me", "link", "link"]), "rated": true,
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3}});
    assert_eq!(ann.post(&server, "/api/games", rated).await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let two = json!({"variant": "~own", "opponent": {"kind": "link"}});
    let (status, problem) = ann.post(&server, "/api/games", two).await;
    let expected = "expected `seats`, and neither `opponent`, `side` nor `start`, in a game of 3 players";
    assert_eq!((status, &problem["detail"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(expected)));
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_of_files_for_three_have_their_places() {
    let server = TestServer::new().await;
    let mut ann = register(&server, "Ann").await;
    let faulty = file("threearmies", "own", "A Game of Mine")
        .replace("[draws]", "[[goal]]\npieces = \"K\"\non = \"a4\"\n\n[draws]");
    let found = check(&server, &mut ann, &faulty).await;
    let line = faulty.lines().position(|line| line == "on = \"a4\"").unwrap() + 1;
    let fault = &found["faults"][0];
    assert_eq!((&fault["line"], &fault["column"]), (&json!(line), &json!(7)), "{found}");
    assert_eq!(fault["message"], "expected no goal in a game of three players, found one");
    let body = json!({"source": faulty, "visibility": "public"});
    let (status, problem) = ann.post(&server, "/api/variants", body).await;
    assert_eq!((status, &problem["faults"]), (StatusCode::UNPROCESSABLE_ENTITY, &found["faults"]));
    let five = file("threearmies", "own", "A Game of Mine").replace("players = 3", "players = 5");
    let found = check(&server, &mut ann, &five).await;
    assert_eq!(found["faults"][0]["message"], "expected 2, 3 or 4 players, found 5", "{found}");
    // A public game has a name of its own.
    let body = json!({"source": file("threearmies", "own", "Three \u{410}rmies"), "visibility": "public"});
    let (status, problem) = ann.post(&server, "/api/variants", body).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
}

/// A file for four in which each player has this number of kinds of pieces with many paths, on a board of 256 squares without an edge.
fn many_paths(kinds: usize) -> String {
    let letters: Vec<char> = ('A'..='Z').filter(|letter| *letter != 'K').take(kinds).collect();
    let piece =
        |letter: &char| format!("[roles.{letter}]\nname = \"Piece {letter}\"\nmoves = \"[K-K-K-K]\"\n");
    let row = ".".repeat(16);
    format!(
        "id = \"paths\"\nname = \"Many Paths\"\nplayers = 4\n[seats]\nblue = \"mirror-rising\"\nyellow = \"turn\"\n\
         green = \"mirror-falling\"\n[board]\nsquares = \"\"\"\n{}\"\"\"\nwrap = \"both\"\n[roles.K]\nname = \"King\"\n\
         royal = true\nmoves = \"K\"\n{}[start]\nfen = \"3yK12{}/gK15{}/15bK{}/12rK3 r - - 0 1 rbyg\"\n",
        format!("{row}\n").repeat(16),
        letters.iter().map(piece).collect::<String>(),
        "/16".repeat(2),
        "/16".repeat(4),
        "/16".repeat(6),
    )
}

/// The games of two of which it is made have together as many steps as one game of two may have.
#[tokio::test(flavor = "multi_thread")]
async fn files_for_four_cost_no_more_than_files_for_two() {
    let (server, mut eve) = (TestServer::new().await, Browser::default());
    let found = check(&server, &mut eve, &many_paths(7)).await;
    let message = found["faults"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("moves with at most 699050 steps in all"), "{found}");
    let found = check(&server, &mut eve, &many_paths(1)).await;
    assert_eq!((&found["valid"], &found["faults"]), (&json!(true), &json!([])), "{found}");
}
