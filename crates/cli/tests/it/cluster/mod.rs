//! Two servers on one PostgreSQL and one NATS, killed, stopped and restarted while two players play on different ones. The
//! database is one on the server that `LOZENGE_TEST_POSTGRES` names, which has to be there in CI, as `nats-server`.

mod cuts;
#[allow(dead_code, reason = "the report of a run of chaos shows more")]
#[path = "../../../../../xtask/src/chaos/link.rs"]
mod link;
mod players;
mod site;

use crate::common::{Server, browser};
use players::{Game, Player, count};
use serde_json::{Value, json};
use site::{LEASE, Site, TAKE_OVER, signal};
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn game_continues_on_another_server_when_its_owner_is_killed() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    assert_eq!(site.owner(&id).await.as_deref(), Some("a"));
    let mut spectator = Player::new().socket(&b, &id).await;
    spectator.next_event(|event| event["type"] == "game").await;
    for ply in 0..6 {
        let (status, answer) = game.play(if ply % 2 == 0 { &a } else { &b });
        assert_eq!(status, 200, "{answer}");
        spectator.event_at_ply(ply + 1).await;
    }
    // Chat and presence cross servers, too.
    let mut ann = game.players[0].socket(&a, &id).await;
    ann.next_event(|event| event["type"] == "game").await;
    let mut bob = game.players[1].socket(&b, &id).await;
    let greeting = bob.next_event(|event| event["type"] == "game").await;
    assert_eq!(greeting["game"]["state"]["present"]["white"], true, "{greeting}");
    ann.next_event(|event| event["state"]["present"]["black"] == true).await;
    bob.send(json!({"type": "chat", "room": "players", "text": "good luck", "id": 1})).await;
    ann.next_event(|event| event["type"] == "chat" && event["text"] == "good luck").await;

    // Every server lists what is being played.
    let end = Instant::now() + Duration::from_secs(8);
    while game.players[0].get(&b.url("/api/games/live"))[0]["id"] != id {
        assert!(Instant::now() < end, "the other server does not list the game");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }

    a.kill();
    let paused = game.play_within(&b, TAKE_OVER);
    spectator.event_at_ply(7).await;
    assert_eq!(site.owner(&id).await.as_deref(), Some("b"), "after {paused:?}");
    assert_eq!(game.play(&b).0, 200);
    let record = site.record(&id).await;
    assert_eq!((count(&record, "moved"), count(&record, "resumed")), (8, 1));
    // The clock was charged to the last renewal and from the take-over on.
    let state = game.players[0].get(&b.url(&format!("/api/games/{id}")))["state"].clone();
    assert!(state["clocks"]["white_ms"].as_i64().unwrap() > 300_000 - 4_000, "{state}");
    let greeting = game.players[0].socket(&b, &id).await.next_event(|event| event["type"] == "game").await;
    assert_eq!(greeting["game"]["history"].as_array().unwrap().len(), 8);
    let _ = bob.0.close(None).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_continues_on_another_server_when_its_owner_is_killed() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin_four(&a, &b);
    let id = game.id.clone();
    let mut blue = game.players[1].socket(&b, &id).await;
    blue.next_event(|event| event["type"] == "game").await;
    for ply in 0..6 {
        let (status, answer) = game.play(if ply % 2 == 0 { &a } else { &b });
        assert_eq!(status, 200, "{answer}");
        blue.event_at_ply(ply + 1).await;
    }
    // A connection and a wish at one server are known at the other.
    let mut red = game.players[0].socket(&a, &id).await;
    red.next_event(|event| event["game"]["state"]["seats"]["list"][1]["present"] == true).await;
    red.send(json!({"type": "resign", "id": 1})).await;
    blue.next_event(|event| event["state"]["seats"]["list"][0]["resigns"] == true).await;

    a.kill();
    game.play_within(&b, TAKE_OVER);
    blue.event_at_ply(7).await;
    assert_eq!(site.owner(&id).await.as_deref(), Some("b"));
    // Green's move gives Red the turn, and with it the resignation.
    let path = b.url(&format!("/api/games/{id}"));
    let green = &mut game.players[3];
    let action = json!({"type": "move", "move": green.get(&path)["state"]["moves"][0], "ply": 7});
    let (status, state) = green.post(&format!("{path}/actions"), &action);
    assert_eq!((status, &state["ply"]), (200, &json!(9)), "{state}");
    assert_eq!(
        (&state["turn"], &state["seats"]["list"][0]["exit"]),
        (&json!("blue"), &json!("resign")),
        "{state}"
    );
    assert_eq!(count(&site.record(&id).await, "moved"), 9);
}

#[tokio::test(flavor = "multi_thread")]
async fn paused_server_writes_nothing_after_it_resumes() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    for ply in 0..3 {
        assert_eq!(game.play(if ply % 2 == 0 { &a } else { &b }).0, 200);
    }
    let mut spectator = Player::new().socket(&a, &id).await;
    spectator.next_event(|event| event["type"] == "game").await;

    signal(&a, "STOP");
    // A request that it finds when it wakes up: the same move as another that is played meanwhile, or another move.
    let state = game.players[1].get(&b.url(&format!("/api/games/{id}")))["state"].clone();
    let late = json!({"type": "move", "move": state["moves"][0], "ply": 3});
    let (url, cookie) = (a.url(&format!("/api/games/{id}/actions")), game.players[1].cookie.clone());
    let waiting = std::thread::spawn(move || Player { agent: browser(), cookie }.post(&url, &late));
    let (url, cookie) = (a.url(&format!("/api/games/{id}")), game.players[1].cookie.clone());
    let reading = std::thread::spawn(move || Player { agent: browser(), cookie }.get(&url));
    let paused = game.play_within(&b, TAKE_OVER);
    assert!(paused >= LEASE / 2, "the game was a's until its lease was over");
    assert_eq!(game.play(&b).0, 200);
    let before = site.record(&id).await;
    signal(&a, "CONT");

    let read = reading.join().unwrap();
    let ply = read["state"]["ply"].as_u64();
    assert!(read.is_null() || ply >= Some(5), "moves that b has acknowledged are missing: {read}");
    assert_eq!(spectator.close_code().await, Some(1012), "its clients connect again");
    // The late move came to a server that passed it on, or it was refused: either way its ply was taken.
    let (status, answer) = waiting.join().unwrap();
    assert!(status == 409 || (status == 200 && answer["ply"] == 5), "{status} {answer}");
    game.play_within(&a, TAKE_OVER);
    let after = site.record(&id).await;
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!((count(&after, "moved"), count(&after, "resumed")), (6, 1));
    // It lives again, under another name in the table.
    let end = Instant::now() + TAKE_OVER;
    while site.number("SELECT COUNT(*) FROM nodes WHERE dead = 0").await < 2 {
        assert!(Instant::now() < end, "it does not take part again");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_survive_a_rolling_restart_and_a_nats_restart() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut game = Game::begin(&a, &b);
    let id = game.id.clone();
    for ply in 0..4 {
        assert_eq!(game.play(if ply % 2 == 0 { &a } else { &b }).0, 200);
    }
    // A lone server does not come between them.
    let output = site.lone_server().output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("found another server at work"));

    // The owner is stopped as a service manager does: not ready, its game goes on elsewhere, its socket is closed.
    let mut bob = game.players[1].socket(&a, &id).await;
    bob.next_event(|event| event["type"] == "game").await;
    signal(&a, "TERM");
    let paused = game.play_within(&b, Duration::from_secs(2));
    assert_eq!(site.owner(&id).await.as_deref(), Some("b"), "after {paused:?}");
    assert_eq!(bob.close_code().await, Some(1012));
    a.wait();
    let c = site.server("c");
    assert_eq!(game.play(&c).0, 200);

    // NATS is away: the owner's clients play on, and those of others when it is back.
    site.nats.kill();
    let (status, answer) = game.play(&b);
    assert_eq!(status, 200, "{answer}");
    assert!(site.nats.start_again());
    game.play_within(&c, Duration::from_secs(8));
    game.play_within(&b, TAKE_OVER);
    let record = site.record(&id).await;
    assert_eq!(count(&record, "moved"), 9);
    // The clock stood still while the game moved to b, and at no other time.
    assert_eq!(count(&record, "resumed"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_seeks_at_different_servers_make_one_game() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let (mut ann, mut bob, mut eve) = (Player::new(), Player::new(), Player::new());
    let clock = json!({"kind": "live", "initial_s": 180, "increment_s": 2});
    let terms = json!({"variant": "diamond", "clock": clock});
    let (status, placed) = ann.post(&a.url("/api/seeks"), &terms);
    assert_eq!(status, 201, "{placed}");
    let listed = |player: &Player, server: &Server| {
        player.get(&server.url("/api/seeks")).as_array().map_or(0, Vec::len)
    };
    let end = Instant::now() + Duration::from_secs(5);
    while listed(&eve, &b) == 0 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!((listed(&eve, &a), listed(&eve, &b)), (1, 1));
    let (status, matched) = bob.post(&b.url("/api/seeks"), &terms);
    assert_eq!(status, 201, "{matched}");
    let game = matched["game"].as_str().expect("a game").to_owned();
    assert!(!ann.get(&a.url(&format!("/api/games/{game}")))["you"].is_null(), "Ann plays in it");
    assert_eq!(site.number("SELECT COUNT(*) FROM seeks").await, 0);
    // Of many that come together, at both servers, each is in one game or still open.
    let players: Vec<_> = (0..10)
        .map(|number| {
            let (url, terms) = (if number % 2 == 0 { &a } else { &b }.url("/api/seeks"), terms.clone());
            std::thread::spawn(move || Player::new().post(&url, &terms))
        })
        .collect();
    let answers: Vec<(u16, Value)> = players.into_iter().map(|player| player.join().unwrap()).collect();
    let games = answers.iter().filter(|(_, placed)| placed["game"].is_string()).count();
    assert!(answers.iter().all(|(status, _)| *status == 201), "{answers:?}");
    assert_eq!(games, 5, "{answers:?}");
    assert_eq!(site.number("SELECT COUNT(*) FROM seeks").await, 0);
    assert_eq!(site.number("SELECT COUNT(*) FROM games").await, 6);
    let _ = eve.post(&a.url("/api/seeks"), &terms);
    assert_eq!(site.number("SELECT COUNT(*) FROM seeks WHERE live_until IS NOT NULL").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn game_of_four_is_in_the_lobby_of_all_servers() {
    let Some(site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut players: Vec<Player> = (0..4).map(|_| Player::new()).collect();
    let seat = |kind: &str| json!({"kind": kind});
    let seats = [seat("me"), seat("anybody"), seat("anybody"), seat("anybody")];
    let (status, made) =
        players[0].post(&a.url("/api/games"), &json!({"variant": "diamondring-four", "seats": seats}));
    assert_eq!(status, 201, "{made}");
    let reader = Player::new();
    // How many sit in the game, as a server lists it; none where it is not listed.
    let seated = |server: &Server| {
        let open = reader.get(&server.url("/api/games/open"));
        let seats = open[0]["seats"].as_array().cloned().unwrap_or_default();
        seats.iter().filter(|seat| !seat["player"].is_null()).count()
    };
    let until = |count: usize| {
        let end = Instant::now() + Duration::from_secs(10);
        while (seated(&a), seated(&b)) != (count, count) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!((seated(&a), seated(&b)), (count, count));
    };
    until(1);
    let join = format!("/api/games/{}/join", made["id"].as_str().expect("a game"));
    for (number, server) in [(1, &b), (2, &a), (3, &b)] {
        let (status, game) = players[number].post(&server.url(&join), &json!({}));
        assert_eq!(status, 200, "{game}");
        until(if number == 3 { 0 } else { number + 1 });
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_seek_is_listed_at_once() {
    let Some(site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    // A seek placed at one server makes the other reload its list, while more seeks arrive there.
    let seekers: Vec<_> = (0..4)
        .map(|number| {
            let url = if number % 2 == 0 { &a } else { &b }.url("/api/seeks");
            std::thread::spawn(move || {
                let mut player = Player::new();
                (0..4).all(|round| {
                    let clock =
                        json!({"kind": "live", "initial_s": 60 * (1 + number * 4 + round), "increment_s": 0});
                    let terms = json!({"variant": "diamond", "clock": clock});
                    let placed = player.post(&url, &terms).1;
                    let listed = player.get(&url);
                    let id = &placed["seek"]["id"];
                    let has_id = |seeks: &Vec<Value>| seeks.iter().any(|seek| &seek["id"] == id);
                    id.is_string() && listed.as_array().is_some_and(has_id)
                })
            })
        })
        .collect();
    let listed: Vec<bool> = seekers.into_iter().map(|seeker| seeker.join().unwrap()).collect();
    assert_eq!(listed, [true; 4]);
}

#[tokio::test(flavor = "multi_thread")]
async fn studies_and_sessions_are_the_same_at_all_servers() {
    let Some(site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut ann = Player::new();
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&a.url("/api/account/register"), &account).0, 200);
    let body = json!({"name": "Forks", "visibility": "public", "chapter": {"variant": "gardner"}});
    let (status, created) = ann.post(&b.url("/api/studies"), &body);
    assert_eq!(status, 201, "{created}");
    let (study, chapter) = (created["id"].as_str().unwrap(), created["chapters"][0]["id"].as_str().unwrap());
    // Two pages of hers edit the chapter at two servers, each after the other's edit.
    let mut edit = |server: &Server, client: u64, number: u64, path: &[&str]| {
        let edits = json!([{"number": number, "chapter": chapter, "edit": {"type": "add", "path": path}}]);
        let url = server.url(&format!("/api/studies/{study}/edits"));
        ann.post(&url, &json!({"client": client, "edits": edits}))
    };
    for number in 1..=3 {
        let moves = [["a2a3"], ["b2b3"], ["c2c3"]][number as usize - 1];
        assert_eq!(edit(&a, 1, number, &moves).1["seq"], 2 * number - 1);
        let (status, done) = edit(&b, 2, number, &[moves[0], "a4a3"][..1]);
        assert_eq!((status, &done["seq"]), (200, &json!(2 * number)), "{done}");
    }
    // Sent again, at the other server, it is not applied again.
    assert_eq!(edit(&b, 1, 3, &["c2c3"]).1["seq"], 6);
    let tree = |server: &Server| {
        let url = server.url(&format!("/api/studies/{study}/chapters/{chapter}"));
        let found = Player::new().get(&url);
        let nodes = found["tree"]["nodes"].as_array().expect("a tree").iter();
        nodes.map(|node| node["uci"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(tree(&a), ["a2a3", "b2b3", "c2c3"]);
    assert_eq!(tree(&b), tree(&a));
    // Each server knows where members are at the other, also those who came before it had the study open.
    let at = |path: &[&str]| json!({"type": "at", "chapter": chapter, "path": path});
    let is_at =
        |event: &Value, path: &[&str]| event["type"] == "where" && event["place"]["path"] == json!(path);
    let mut first = ann.study_socket(&a, study).await;
    first.send(at(&["a2a3"])).await;
    first.next_event(|event| is_at(event, &["a2a3"])).await;
    let mut second = ann.study_socket(&b, study).await;
    second.send(at(&["b2b3"])).await;
    first.next_event(|event| is_at(event, &["b2b3"])).await;
    second.next_event(|event| is_at(event, &["a2a3"])).await;
    first.send(at(&["c2c3"])).await;
    second.next_event(|event| is_at(event, &["c2c3"])).await;
    drop(first);
    second.next_event(|event| is_at(event, &["b2b3"])).await;
    // A socket at one server ends with its session, which ends at another.
    let game = Game::begin(&a, &a);
    let mut socket = ann.socket(&b, &game.id).await;
    socket.next_event(|event| event["type"] == "game").await;
    let (status, answer) = ann.post(&a.url("/api/account/sign-out-everywhere"), &json!({}));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(socket.close_code().await, None);
    assert_eq!(ann.get(&b.url("/api/account"))["player"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn session_that_ends_while_nats_is_away_ends_at_all_servers() {
    let Some(mut site) = Site::new().await else { return };
    let (a, b) = (site.server("a"), site.server("b"));
    let mut ann = Player::new();
    let account = json!({"name": "Ann", "password": "a long password"});
    assert_eq!(ann.post(&a.url("/api/account/register"), &account).0, 200);
    // Without NATS it keeps the sockets of the games that it owns.
    let game = Game::begin(&b, &b);
    let mut socket = ann.socket(&b, &game.id).await;
    socket.next_event(|event| event["type"] == "game").await;
    site.nats.kill();
    let (status, answer) = ann.post(&a.url("/api/account/sign-out-everywhere"), &json!({}));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(socket.close_code().await, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn name_of_a_server_at_work_is_refused() {
    let Some(site) = Site::new().await else { return };
    let first = site.server("a");
    let second = site.server_command("a").stdout(std::process::Stdio::null()).output().unwrap();
    let printed = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{printed}");
    assert!(printed.contains("--node-id") && printed.contains("`a`"), "{printed}");
    // Its name is free when its lease has ended.
    first.kill();
    site.server("a");
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_password_of_nats_is_logged_once() {
    let Some(site) = Site::new().await else { return };
    let log = site.log();
    let file = std::fs::File::create(&log).unwrap();
    let mut command = site.server_command("a");
    command.env("LOZENGE_NATS", site.nats.address().replace("p%40ss", "wrong"));
    let mut server = command.stdout(std::process::Stdio::null()).stderr(file).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(5));
    server.kill().unwrap();
    server.wait().unwrap();
    let log = std::fs::read_to_string(log).unwrap();
    let failures = log.lines().filter(|line| line.to_lowercase().contains("authorization")).count();
    // One connection is for messages to other servers, one for jobs.
    assert!((1..=2).contains(&failures), "{failures} lines:\n{log}");
}
