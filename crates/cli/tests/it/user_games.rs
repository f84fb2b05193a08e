//! Games that users make, on a server that is killed; what the host does about them; and the host's own games.

use crate::common::{Server, browser, get, post};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const LAKE: &str = include_str!("../../../../testdata/variants/lake.toml");

fn games(data: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_lozenge"))
        .arg("games")
        .args(arguments)
        .arg("--data")
        .arg(data)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn game_keeps_its_variant_version_after_a_killed_server() {
    let data = TempDir::new().unwrap();
    let server = Server::start(data.path());
    let (ann, bob) = (browser(), browser());
    post(&ann, &server.url("/api/account/register"), &json!({"name": "Ann", "password": "a long password"}))
        .unwrap();
    let publish = |server: &Server, source: &str| {
        post(&ann, &server.url("/api/variants"), &json!({"source": source, "visibility": "unlisted"}))
            .unwrap()
    };
    let first = publish(&server, LAKE);
    let body = json!({"variant": first["id"], "opponent": {"kind": "link"}, "side": "white"});
    let created = post(&ann, &server.url("/api/games"), &body).unwrap();
    let path = format!("/api/games/{}", created["id"].as_str().unwrap());
    post(&bob, &server.url(&format!("{path}/join")), &json!({})).unwrap();
    let play = |server: &Server, agent: &ureq::Agent, text: &str, ply: u32| {
        let action = json!({"type": "move", "move": text, "ply": ply});
        post(agent, &server.url(&format!("{path}/actions")), &action)
    };
    play(&server, &ann, "a2a3", 0).unwrap();
    // In the second version an Otter moves like a Knight, too.
    let second = publish(&server, &LAKE.replace("moves = \"D\"", "moves = \"DN\""));
    assert_ne!(first["digest"], second["digest"]);
    play(&server, &bob, "a9a8", 1).unwrap();
    server.kill();

    let server = Server::start(data.path());
    let game = get(&ann, &server.url(&path));
    assert_eq!((&game["digest"], game["state"]["ply"].as_u64()), (&first["digest"], Some(2)));
    let moves: Vec<&str> =
        game["state"]["moves"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert!(moves.contains(&"b1b3") && !moves.contains(&"b1c3"), "{moves:?}");
    play(&server, &ann, "b1b3", 2).unwrap();
    let created = post(&ann, &server.url("/api/games"), &body).unwrap();
    assert_eq!(created["digest"], second["digest"]);
}

#[test]
fn the_host_hides_and_bans_games_while_the_server_runs() {
    let data = TempDir::new().unwrap();
    let server = Server::start(data.path());
    assert_eq!(games(data.path(), &["list"]), (Some(0), "There are no such games.\n".into()));
    let (ann, bob) = (browser(), browser());
    for (browser, name) in [(&ann, "Ann"), (&bob, "Bob")] {
        let account = json!({"name": name, "password": "a long password"});
        post(browser, &server.url("/api/account/register"), &account).unwrap();
    }
    post(&ann, &server.url("/api/variants"), &json!({"source": LAKE, "visibility": "public"})).unwrap();
    let report = server.url("/api/variants/~lake/report");
    assert!(bob.post(&report).send_json(json!({"reason": "a copy"})).unwrap().status().is_success());
    let (_, list) = games(data.path(), &["list", "--reported", "--json"]);
    let entry: Value = serde_json::from_str(&list).unwrap();
    assert_eq!(
        (&entry["id"], &entry["owner_name"], &entry["reports"]),
        (&json!("~lake"), &json!("Ann"), &json!(1))
    );
    assert!(games(data.path(), &["reports"]).1.contains("a copy"));
    let status = |path: &str| ann.get(&server.url(path)).call().unwrap().status().as_u16();
    assert_eq!(games(data.path(), &["hide", "~lake"]).1, "~lake (Lake Chess) is hidden.\n");
    assert_eq!(games(data.path(), &["reports"]).1, "No report is open.\n");
    assert_eq!(status("/api/variants/~lake"), 200);
    assert!(!get(&ann, &server.url("/api/variants")).to_string().contains("~lake"));
    assert_eq!(games(data.path(), &["ban", "~lake"]).0, Some(0));
    for path in ["/api/variants/~lake", "/variants/~lake", "/api/variants/~lake/board"] {
        assert_eq!(status(path), 404, "{path}");
    }
    assert_eq!(games(data.path(), &["restore", "~lake"]).1, "~lake (Lake Chess) is active.\n");
    assert_eq!(status("/api/variants/~lake"), 200);
    assert_eq!(games(data.path(), &["ban", "~pond"]).0, Some(1));
}

#[test]
fn variants_of_the_host_are_listed_beside_built_in_ones() {
    let (data, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    std::fs::write(folder.path().join("lake.toml"), LAKE).unwrap();
    let pond = "extends = \"lake\"\nid = \"pond\"\nname = \"Pond Chess\"\n";
    std::fs::write(folder.path().join("pond.toml"), pond).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
    command.arg("--variants").arg(folder.path());
    let server = Server::spawn(command);
    let listed = get(&browser(), &server.url("/api/variants")).to_string();
    assert!(listed.contains("\"lake\"") && listed.contains("\"pond\""));
    let body = json!({"variant": "pond", "opponent": {"kind": "engine", "level": 1}, "side": "white"});
    let created = post(&browser(), &server.url("/api/games"), &body).unwrap();
    assert_eq!(created["variant_name"], json!("Pond Chess"));
    drop(server);
    let taken = LAKE.replace("id = \"lake\"", "id = \"chess\"");
    std::fs::write(folder.path().join("lake.toml"), taken).unwrap();
    let refused = Command::new(env!("CARGO_BIN_EXE_lozenge"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .arg("--variants")
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("which is a built-in game"));
}

/// A game of three and one of four, as files that the program does not know.
fn games_of_more(folder: &Path) {
    let text = include_str!("../../../../variants/examples/threearmies.toml");
    let three = text
        .replace("id = \"threearmies\"", "id = \"three\"")
        .replace("\"Three Armies\"", "\"Three of Mine\"");
    std::fs::write(folder.join("three.toml"), three).unwrap();
    let four = "extends = \"diamondring-four\"\nid = \"four\"\nname = \"Four of Mine\"\n";
    std::fs::write(folder.join("four.toml"), four).unwrap();
    let child = "extends = \"three\"\nid = \"third\"\nname = \"Third of Mine\"\n[roles.N]\nmoves = \"C\"\n";
    std::fs::write(folder.join("third.toml"), child).unwrap();
}

#[test]
fn games_of_three_and_four_of_the_host_are_played() {
    let (data, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    games_of_more(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(data.path());
    command.arg("--variants").arg(folder.path());
    let server = Server::spawn(command);
    let ann = browser();
    let listed = get(&ann, &server.url("/api/variants"));
    for (id, name, players) in
        [("three", "Three of Mine", 3), ("third", "Third of Mine", 3), ("four", "Four of Mine", 4)]
    {
        let game = listed.as_array().unwrap().iter().find(|game| game["id"] == id).unwrap();
        assert_eq!((&game["name"], &game["players"]), (&json!(name), &json!(players)));
        let board = get(&ann, &server.url(&format!("/api/variants/{id}/board")));
        assert_eq!(board["players"], json!(players));
        let engine = json!({"kind": "engine", "level": 1});
        let mut seats = vec![engine; players];
        seats[0] = json!({"kind": "me"});
        let body = json!({"variant": id, "seats": seats});
        let made = post(&ann, &server.url("/api/games"), &body).unwrap();
        let path = format!("/api/games/{}", made["id"].as_str().unwrap());
        let first = json!({"type": "move", "move": made["state"]["moves"][0], "ply": 0});
        let after = post(&ann, &server.url(&format!("{path}/actions")), &first).unwrap();
        assert_eq!((&after["ply"], &after["turn"]), (&json!(1), &json!("blue")), "{after}");
    }
}

#[test]
fn files_of_three_and_four_are_played_in_the_terminal() {
    let folder = TempDir::new().unwrap();
    games_of_more(folder.path());
    for (name, players) in [("three.toml", 3), ("four.toml", 4), ("third.toml", 3)] {
        let run = |arguments: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
            let output = command.current_dir(folder.path()).args(arguments).output().unwrap();
            assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap()
        };
        assert!(run(&["variants", "check", name]).contains(&format!("{players} players")), "{name}");
        assert!(run(&["moves", name]).ends_with("status: ongoing\n"), "{name}");
        let played = run(&[
            "match",
            "random",
            "greedy",
            "--game",
            name,
            "--games",
            "2",
            "--nodes",
            "10",
            "--max-plies",
            "24",
        ]);
        assert!(played.contains("2 games"), "{played}");
    }
}
