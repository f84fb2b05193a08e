//! Games of three and four players through the site: made, joined seat by seat, played among people and engines, ended, listed, stopped,
//! resumed, and analyzed. Not here: rated games (`ratings_of_four`).

use crate::accounts::lines;
use crate::common::{Browser, TestServer, database, register};
use axum::http::StatusCode;
use serde_json::{Value, json};
use sqlx::{AnyConnection, Connection as _};
use std::time::Duration;

pub(crate) const COLORS: [&str; 4] = ["red", "blue", "yellow", "green"];

pub(crate) fn seats<const PLAYERS: usize>(kinds: [&str; PLAYERS]) -> Value {
    let seat = |kind: &str| match kind {
        "engine" => json!({"kind": "engine", "level": 1}),
        kind => json!({"kind": kind}),
    };
    kinds.map(seat).as_slice().into()
}

/// A game of people, each on the seat of the same number.
async fn begin<const PLAYERS: usize>(server: &TestServer, variant: &str) -> (String, [Browser; PLAYERS])
where
    [Browser; PLAYERS]: Default,
{
    let mut players: [Browser; PLAYERS] = Default::default();
    let body = json!({"variant": variant, "seats": seats(by_link::<PLAYERS>())});
    let (status, game) = players[0].post(server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    for (place, color) in COLORS.into_iter().enumerate().take(PLAYERS).skip(1) {
        let (status, game) =
            players[place].post(server, &format!("{path}/join?seat={color}"), json!({})).await;
        assert_eq!((status, &game["you"]), (StatusCode::OK, &json!(color)), "{game}");
    }
    (path, players)
}

/// Kinds of seats: the maker's, and those of friends.
pub(crate) fn by_link<const PLAYERS: usize>() -> [&'static str; PLAYERS] {
    core::array::from_fn(|seat| if seat == 0 { "me" } else { "link" })
}

pub(crate) async fn act(
    server: &TestServer,
    player: &mut Browser,
    path: &str,
    action: Value,
) -> (StatusCode, Value) {
    player.post(server, &format!("{path}/actions"), action).await
}

pub(crate) async fn state(server: &TestServer, player: &mut Browser, path: &str) -> Value {
    player.get(server, path).await.1["state"].clone()
}

/// Plays this number of half moves, each by the player whose turn it is.
pub(crate) async fn play(server: &TestServer, players: &mut [Browser], path: &str, plies: usize) {
    for _ in 0..plies {
        let now = state(server, &mut players[0], path).await;
        let turn = COLORS.iter().position(|color| now["turn"] == *color).unwrap();
        let action = json!({"type": "move", "move": now["moves"][0], "ply": now["ply"]});
        let (status, after) = act(server, &mut players[turn], path, action).await;
        assert_eq!(status, StatusCode::OK, "{after}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn four_people_sit_down_and_play_to_the_end() {
    let server = TestServer::new().await;
    let (path, mut players) = begin::<4>(&server, "diamondring-four").await;
    let mut late = Browser::default();
    let (status, problem) = late.post(&server, &format!("{path}/join"), json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("place_taken")));
    play(&server, &mut players, &path, 5).await;

    // Blue's turn: no other player moves, and a wish to resign waits.
    let now = state(&server, &mut players[0], &path).await;
    let action = json!({"type": "move", "move": now["moves"][0], "ply": now["ply"]});
    assert_eq!(act(&server, &mut players[0], &path, action).await.1["code"], "not_your_turn");
    let (_, after) = act(&server, &mut players[3], &path, json!({"type": "resign"})).await;
    assert_eq!((&after["turn"], &after["seats"]["list"][3]["resigns"]), (&json!("blue"), &json!(true)));
    play(&server, &mut players, &path, 2).await;
    let after = state(&server, &mut players[0], &path).await;
    assert_eq!((&after["turn"], &after["seats"]["list"][3]["exit"]), (&json!("red"), &json!("resign")));
    assert!(after["fen"].as_str().unwrap().ends_with(" rby/g"), "{after}");

    for player in players.iter_mut().take(2) {
        act(&server, player, &path, json!({"type": "resign"})).await;
    }
    let (_, game) = players[2].get(&server, &path).await;
    assert_eq!((&game["state"]["result"], &game["state"]["reason"]), (&json!("3-2-1-4"), &json!("decided")));
    let places: Vec<&Value> = (0..4).map(|seat| &game["state"]["seats"]["list"][seat]["place"]).collect();
    assert_eq!(places, [3, 2, 1, 4]);

    let (_, pgn) = players[0].get(&server, &format!("{path}/pgn")).await;
    let pgn = pgn.as_str().unwrap();
    assert!(pgn.contains("[Result \"3-2-1-4\"]") && pgn.contains(" R "), "{pgn}");
    let (_, picture) = players[0].get(&server, &format!("{path}/picture.svg")).await;
    let picture = picture.as_str().unwrap();
    assert!(
        picture.contains(" Yellow: ") && picture.contains(" Dead: ") && !picture.contains(" Red: "),
        "{picture}"
    );
    let (_, listed) = players[3].get(&server, "/api/games?variant=diamondring-four").await;
    assert_eq!(listed[0]["result"], "3-2-1-4", "{listed}");
    assert_eq!(listed[0]["seats"][1]["color"], "blue");
}

#[tokio::test(flavor = "multi_thread")]
async fn engines_fill_the_table_and_a_move_is_taken_back() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({"variant": "diamondring-teams", "seats": seats(["engine", "engine", "me", "engine"])});
    let (status, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!((status, &game["you"]), (StatusCode::CREATED, &json!("yellow")), "{game}");
    assert_eq!(game["seats"][2]["partner"], "red");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let until_mine = async |ann: &mut Browser| {
        for _ in 0..600 {
            let now = state(&server, ann, &path).await;
            if now["turn"] == "yellow" {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the engines do not move");
    };
    let now = until_mine(&mut ann).await;
    assert_eq!(now["ply"], 2);
    act(&server, &mut ann, &path, json!({"type": "move", "move": now["moves"][0], "ply": 2})).await;
    let now = until_mine(&mut ann).await;
    assert_eq!(now["ply"], 6);
    let (status, after) = act(&server, &mut ann, &path, json!({"type": "takeback"})).await;
    assert_eq!((status, &after["ply"]), (StatusCode::OK, &json!(2)), "{after}");
    // The engine that is the partner agrees.
    act(&server, &mut ann, &path, json!({"type": "move", "move": after["moves"][1], "ply": 2})).await;
    until_mine(&mut ann).await;
    let (_, after) = act(&server, &mut ann, &path, json!({"type": "resign"})).await;
    assert_eq!((&after["result"], &after["reason"]), (&json!("0-1"), &json!("decided")));
    let (status, _) = act(&server, &mut ann, &path, json!({"type": "rematch"})).await;
    assert_eq!(status, StatusCode::OK);
    let (_, old) = ann.get(&server, &path).await;
    let (_, next) = ann.get(&server, &format!("/api/games/{}", old["next"].as_str().unwrap())).await;
    assert_eq!(next["you"], "green", "seats are rotated one further");
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_takes_free_seats_after_a_while() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({
        "variant": "diamondring-four",
        "seats": seats(["me", "link", "link", "link"]),
        "fill": {"after_s": 8, "level": 2},
    });
    let (_, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!(game["fill"], json!({"after_s": 8, "level": 2}), "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    let mut bob = Browser::default();
    bob.post(&server, &format!("{path}/join?seat=yellow"), json!({})).await;
    for _ in 0..600 {
        let (_, game) = ann.get(&server, &path).await;
        if game["state"]["status"] == "started" {
            let kinds: Vec<&Value> = (0..4).map(|seat| &game["seats"][seat]["player"]["kind"]).collect();
            assert_eq!(kinds, ["guest", "engine", "guest", "engine"]);
            assert!(game.get("fill").is_none(), "{game}");
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the engine does not sit down");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_survives_a_restart() {
    let server = TestServer::new().await;
    let (path, mut players) = begin::<4>(&server, "diamondring-four").await;
    play(&server, &mut players, &path, 6).await;
    act(&server, &mut players[0], &path, json!({"type": "resign"})).await;
    act(&server, &mut players[1], &path, json!({"type": "draw"})).await;
    let before = state(&server, &mut players[2], &path).await;
    let server = server.restart().await;
    let after = state(&server, &mut players[2], &path).await;
    for key in ["fen", "turn", "seq", "moves"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let wishes = |state: &Value| -> Vec<(Value, Value)> {
        let seats = state["seats"]["list"].as_array().unwrap();
        seats.iter().map(|seat| (seat["resigns"].clone(), seat["agrees"].clone())).collect()
    };
    assert_eq!(wishes(&before), wishes(&after));
    play(&server, &mut players, &path, 2).await;
    let after = state(&server, &mut players[2], &path).await;
    assert_eq!(after["seats"]["list"][0]["exit"], "resign");
}

/// All four write to each other, also who is out; spectators have a room of their own until the end.
#[tokio::test(flavor = "multi_thread")]
async fn players_of_four_chat_without_the_spectators() {
    let server = TestServer::new().await;
    let (path, mut players) = begin::<4>(&server, "diamondring-four").await;
    let id = path.rsplit('/').next().unwrap().to_owned();
    play(&server, &mut players, &path, 4).await;
    act(&server, &mut players[0], &path, json!({"type": "resign"})).await;
    let chat = |room: &str, text: &str| json!({"type": "chat", "room": room, "text": text});
    for (player, color) in players.iter_mut().zip(COLORS) {
        let (status, answer) = act(&server, player, &path, chat("players", &format!("I am {color}"))).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let mut eve = register(&server, "Eve").await;
    let (status, problem) = act(&server, &mut eve, &path, chat("players", "hello")).await;
    assert_eq!((status, &problem["code"]), (StatusCode::FORBIDDEN, &json!("not_a_player")), "{problem}");
    assert_eq!(act(&server, &mut eve, &path, chat("spectators", "Blue loses")).await.0, StatusCode::OK);
    let (_, problem) = act(&server, &mut players[0], &path, chat("spectators", "hello")).await;
    assert_eq!(problem["code"], "chat_refused", "Red is out, but the game goes on: {problem}");
    let read = async |server: &TestServer, browser: &Browser| {
        let lines = lines(server, browser, &id).await;
        lines.iter().map(|line| (line["side"].clone(), line["text"].clone())).collect::<Vec<_>>()
    };
    let own: Vec<_> = COLORS.map(|color| (json!(color), json!(format!("I am {color}")))).into();
    let theirs = vec![(Value::Null, json!("Blue loses"))];
    assert_eq!((read(&server, &players[3]).await, read(&server, &eve).await), (own.clone(), theirs.clone()));
    let server = server.restart().await;
    assert_eq!((read(&server, &players[3]).await, read(&server, &eve).await), (own.clone(), theirs.clone()));
    for player in &mut players[1..3] {
        act(&server, player, &path, json!({"type": "resign"})).await;
    }
    assert_eq!(state(&server, &mut eve, &path).await["result"], "4-3-2-1");
    let all = [own, theirs.clone()].concat();
    assert_eq!((read(&server, &players[0]).await, read(&server, &eve).await), (all, theirs));
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_cannot_be_are_refused_with_a_reason() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let four = |change: Value| {
        let mut body =
            json!({"variant": "diamondring-four", "seats": seats(["me", "engine", "engine", "engine"])});
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        body
    };
    for (change, reason) in [
        (
            json!({"seats": seats(["engine", "engine", "engine", "engine"])}),
            "expected one seat of kind `me`, found 0",
        ),
        (
            json!({"seats": seats(["me", "me", "engine", "engine"])}),
            "expected one seat of kind `me`, found 2",
        ),
        (json!({"seats": [{"kind": "me"}]}), "expected 4 `seats`, found 1"),
        (json!({"opponent": {"kind": "link"}}), "expected `seats`, and neither"),
        (json!({"rated": true}), "expected a rated game to be between people"),
        (json!({"fill": {"after_s": 3601, "level": 1}}), "at most 3600"),
        (json!({"fill": {"after_s": 1, "level": 9}}), "level of 1 to 8"),
        (json!({"fen": "12/12/12/12/12/12/12/12/12/12/6bK5/rK11 r - - 0 1 rby/g"}), "king of Yellow"),
    ] {
        let (status, problem) = ann.post(&server, "/api/games", four(change)).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(reason), "{problem}");
    }
    for body in [
        json!({"variant": "diamond"}),
        json!({"variant": "diamond", "seats": seats(["me", "engine", "engine", "engine"])}),
    ] {
        let (status, problem) = ann.post(&server, "/api/games", body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
    let (_, game) = ann.post(&server, "/api/games", four(json!({}))).await;
    let id = game["id"].as_str().unwrap();
    let path = format!("/api/games/{id}");
    // What is not offered for four says so.
    assert_eq!(act(&server, &mut ann, &path, json!({"type": "give_time"})).await.1["code"], "not_with_four");
    let (status, _) = ann.get(&server, &format!("/api/games/{id}/review")).await;
    assert!(status.is_client_error(), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn people_sit_only_where_a_player_lives() {
    let server = TestServer::new().await;
    let [mut ann, mut bob] = <[Browser; 2]>::default();
    let fen = "bK11/12/12/12/12/6yK5/12/12/12/12/12/4rR2rK4 b - - 0 1 rby/g";
    let body = |kinds| json!({"variant": "diamondring-four", "fen": fen, "seats": seats(kinds)});
    for kinds in [["engine", "engine", "engine", "me"], ["me", "engine", "engine", "link"]] {
        let (status, problem) = ann.post(&server, "/api/games", body(kinds)).await;
        let expected = "expected the engine on the seat of Green, who is out in this position";
        assert_eq!((status, &problem["detail"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!(expected)));
    }
    let (status, game) = ann.post(&server, "/api/games", body(["engine", "link", "me", "engine"])).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    bob.post(&server, &format!("{path}/join"), json!({})).await;
    for player in [&mut bob, &mut ann] {
        act(&server, player, &path, json!({"type": "resign"})).await;
    }
    for player in [&mut bob, &mut ann] {
        act(&server, player, &path, json!({"type": "rematch"})).await;
    }
    let (_, old) = ann.get(&server, &path).await;
    // Neither sits on Green's seat, so they sit three further.
    let (_, next) = ann.get(&server, &format!("/api/games/{}", old["next"].as_str().unwrap())).await;
    assert_eq!((&next["you"], &next["seats"][0]["player"]["kind"]), (&json!("blue"), &json!("guest")));
}

/// The games in the lobby, once there are `count`.
pub(crate) async fn lobby(server: &TestServer, count: usize) -> Vec<Value> {
    let mut browser = Browser::default();
    for _ in 0..100 {
        let (_, open) = browser.get(server, "/api/games/open").await;
        let open = open.as_array().unwrap().clone();
        if open.len() == count {
            return open;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("expected {count} games in the lobby");
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_is_in_the_lobby_until_it_is_full() {
    let server = TestServer::new().await;
    let mut players: [Browser; 4] = Default::default();
    let seats = seats(["link", "me", "anybody", "anybody"]);
    let body = json!({"variant": "diamondring-teams", "seats": seats});
    let (status, game) = players[0].post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let id = game["id"].as_str().unwrap();
    let listed = lobby(&server, 1).await;
    let open = |game: &Value| -> Vec<bool> {
        game["seats"].as_array().unwrap().iter().map(|seat| seat["open"] == true).collect()
    };
    assert_eq!((&listed[0]["id"], open(&listed[0])), (&json!(id), vec![false, false, true, true]));
    assert_eq!(open(&game), open(&listed[0]));
    // Who comes from the lobby leaves the seat of a friend with the link.
    let path = format!("/api/games/{id}/join");
    let (_, game) = players[1].post(&server, &path, json!({})).await;
    assert_eq!(game["you"], "yellow");
    for _ in 0..100 {
        if open(&lobby(&server, 1).await[0]) == [false, false, false, true] {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let listed = lobby(&server, 1).await;
    assert_eq!(listed[0]["seats"][2]["player"]["kind"], "guest", "{listed:?}");
    let server = server.restart().await;
    assert_eq!(open(&lobby(&server, 1).await[0]), [false, false, false, true]);
    let (_, game) = players[2].post(&server, &path, json!({})).await;
    assert_eq!((&game["you"], &game["state"]["status"]), (&json!("green"), &json!("waiting")));
    lobby(&server, 0).await;
    let (_, game) = players[3].post(&server, &path, json!({})).await;
    assert_eq!((&game["you"], &game["state"]["status"]), (&json!("red"), &json!("started")));
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_leaves_the_lobby_when_it_is_given_up_or_filled() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let seats = seats(["me", "anybody", "anybody", "anybody"]);
    let body = json!({"variant": "diamondring-four", "seats": seats});
    let mut ids = Vec::new();
    for _ in 0..5 {
        let (status, game) = ann.post(&server, "/api/games", body.clone()).await;
        assert_eq!(status, StatusCode::CREATED, "{game}");
        ids.push(game["id"].as_str().unwrap().to_owned());
    }
    let (status, problem) = ann.post(&server, "/api/games", body.clone()).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("too_many_seeks")), "{problem}");
    // Seeks have the same limit.
    let (status, _) = ann.post(&server, "/api/seeks", json!({"variant": "diamond"})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    lobby(&server, 5).await;
    for id in &ids {
        act(&server, &mut ann, &format!("/api/games/{id}"), json!({"type": "abort"})).await;
    }
    lobby(&server, 0).await;
    let mut filled = body.clone();
    filled["fill"] = json!({"after_s": 4, "level": 1});
    let (status, game) = ann.post(&server, "/api/games", filled).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    assert_eq!(lobby(&server, 1).await[0]["fill"]["after_s"], 4);
    lobby(&server, 0).await;
    let path = format!("/api/games/{}", game["id"].as_str().unwrap());
    assert_eq!(state(&server, &mut ann, &path).await["status"], "started");
    let mut private = body;
    private["visibility"] = json!("private");
    let (status, problem) = ann.post(&server, "/api/games", private).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
}

#[tokio::test(flavor = "multi_thread")]
async fn engine_takes_free_seats_after_a_restart() {
    let server = TestServer::new().await;
    let mut ann = Browser::default();
    let body = json!({
        "variant": "diamondring-four",
        "clock": {"kind": "live", "initial_s": 300, "increment_s": 3},
        "seats": seats(["me", "anybody", "anybody", "anybody"]),
        "fill": {"after_s": 5, "level": 1},
    });
    let (status, game) = ann.post(&server, "/api/games", body).await;
    assert_eq!(status, StatusCode::CREATED, "{game}");
    let server = server.restart().await;
    // Nobody opens the game: only its row is read.
    let mut connection = AnyConnection::connect(&database(server.folder()).await).await.unwrap();
    for _ in 0..200 {
        let row: (String,) =
            sqlx::query_as("SELECT status FROM games").fetch_one(&mut connection).await.unwrap();
        if row.0 == "started" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("expected a game that has begun");
}

#[tokio::test]
async fn positions_and_trees_of_four_are_analyzed() {
    let server = TestServer::new().await;
    let mut guest = Browser::default();
    let variant = "diamondring-four";
    let body = json!({"variant": variant, "moves": ["c1b1", "R", "T"]});
    let (status, position) = guest.post(&server, "/api/positions", body).await;
    assert_eq!(
        (status, &position["turn"], &position["status"]),
        (StatusCode::OK, &json!("green"), &json!("ongoing"))
    );
    let sans: Vec<_> = position["steps"].as_array().unwrap().iter().map(|step| &step["san"]).collect();
    assert_eq!(sans, ["b1", "R", "T"]);
    let over = json!({"variant": variant, "moves": ["R", "R", "R"]});
    let (_, position) = guest.post(&server, "/api/positions", over.clone()).await;
    assert_eq!((&position["result"], &position["reason"]), (&json!("4-3-2-1"), &json!("decided")));
    let (status, _) = guest
        .post(&server, "/api/positions", json!({"variant": variant, "moves": ["R", "R", "R", "R"]}))
        .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let faults = json!({"variant": variant, "fen": "12/12/12/12/12/12/12/12/12/12/12/12 r - - 0 1 rbyg"});
    let (_, faults) = guest.post(&server, "/api/positions/faults", faults).await;
    assert_eq!(
        (faults["faults"].as_array().unwrap().len(), &faults["faults"][0]["code"]),
        (4, &json!("kings"))
    );

    let pgn = "[Variant \"diamondring-four\"]\n\n1. b1 {calm} a2 (1... T R) 1... R T 2. R *\n";
    let (status, read) = guest.post(&server, "/api/pgn/read", json!({"pgn": pgn})).await;
    assert_eq!((status, &read["faults"]), (StatusCode::OK, &json!([])), "{read}");
    assert_eq!(read["tree"]["nodes"].as_array().unwrap().len(), 7);
    let imported = guest.post(&server, "/api/games/import", json!({"pgn": pgn})).await;
    assert_eq!(imported.0, StatusCode::CREATED, "{}", imported.1);
    let id = imported.1["id"].as_str().unwrap();
    let (status, _) = guest.get(&server, &format!("/analysis/{id}")).await;
    assert_eq!(status, StatusCode::OK);
    let (status, _) = guest.get(&server, &format!("/analysis?variant={variant}&moves=c1b1,R")).await;
    assert_eq!(status, StatusCode::OK);

    // The same moves as a chapter of a study.
    let mut ann = register(&server, "Ann").await;
    let study = json!({"name": "Four", "visibility": "private", "chapter": {"pgn": pgn}});
    let (status, study) = ann.post(&server, "/api/studies", study).await;
    assert_eq!(status, StatusCode::CREATED, "{study}");
    let page = format!("/study/{}", study["id"].as_str().unwrap());
    assert_eq!(ann.get(&server, &page).await.0, StatusCode::OK);
}
