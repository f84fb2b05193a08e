//! The boards and games in `web/fixtures`, which tests of the pages read, are what the server sends today. With
//! `LOZENGE_WRITE_FIXTURES=1` the boards are written anew.

#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use lozenge_game::convert;
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::notation::turn;
use lozenge_rules::position::{GamePosition, MultiTurn};
use serde_json::{Value, json};
use std::path::PathBuf;

fn fixtures() -> Vec<(String, Value)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../web/fixtures");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    files.map(|path| (name(&path), serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap())).collect()
}

/// Whether everything in a stored value is in the sent one; what differs is named by its path. Stored objects may lack fields, and
/// drawings labels.
fn compare(path: &str, stored: &Value, sent: &Value) {
    match (stored, sent) {
        (Value::Object(stored), Value::Object(sent)) => {
            let is_left_out = |key: &str, value: &Value| key.starts_with("labels") && *value == json!([]);
            for (key, value) in stored.iter().filter(|(key, value)| !is_left_out(key, value)) {
                compare(&format!("{path}.{key}"), value, sent.get(key).unwrap_or(&Value::Null));
            }
        }
        (Value::Array(stored), Value::Array(sent)) => {
            assert_eq!(stored.len(), sent.len(), "{path}");
            for (index, (stored, sent)) in stored.iter().zip(sent).enumerate() {
                compare(&format!("{path}[{index}]"), stored, sent);
            }
        }
        // A drawing's coordinates were rounded.
        (Value::Number(stored), Value::Number(sent)) => {
            let [stored, sent] = [stored, sent].map(|number| number.as_f64().unwrap());
            assert!((stored - sent).abs() < 1e-3, "{path}: expected {sent}, found {stored}");
        }
        _ => assert_eq!(stored, sent, "{path}"),
    }
}

/// A position as the state of a game has it.
fn state(game: &AnyGame, fen: &str) -> Value {
    let position = GamePosition::from_fen(game, fen).unwrap();
    let legal = position.legal_moves();
    let mut moves: Vec<String> =
        legal.iter().map(|&played| turn::uci(&position, MultiTurn::Move(played))).collect();
    moves.sort();
    let reach = match &position {
        GamePosition::Two(position) => convert::reach(position),
        GamePosition::Four(position) => convert::multi_reach(position),
    };
    json!({
        "fen": position.fen(),
        "turn": position.turn(),
        "moves": moves,
        "castlings": convert::castlings(&position, &legal),
        "check": position.checked_king().map(|king| king.index()),
        "reach": reach,
        "last": [],
    })
}

#[test]
fn fixtures_are_what_the_server_sends() {
    let writes = std::env::var_os("LOZENGE_WRITE_FIXTURES").is_some();
    let mut boards = 0;
    for (name, fixture) in fixtures() {
        let Some(board) = fixture.get("board") else { continue };
        // Some are of games that are not built in.
        let Some(game) = library::any_game(board["variant"].as_str().unwrap()) else { continue };
        let mut sent = json!({ "board": convert::any_board(&game) });
        // A fixture does not change with comments in the file of its game.
        sent["board"]["digest"] = json!("fixture");
        // Values of pieces change with the engine.
        for role in sent["board"]["roles"].as_array_mut().unwrap() {
            role.as_object_mut().unwrap().remove("value");
        }
        let mut stored = fixture.clone();
        for role in stored["board"]["roles"].as_array_mut().unwrap() {
            role.as_object_mut().unwrap().remove("value");
        }
        let fen = fixture["state"]["fen"].as_str().unwrap();
        if fen.is_empty() {
            stored.as_object_mut().unwrap().remove("state");
        } else {
            sent["state"] = state(&game, fen);
            sent["state"]["pieces"] = fixture["state"]["pieces"].clone();
        }
        if writes {
            let mut renewed = fixture.clone();
            for (part, fields) in sent.as_object().unwrap() {
                let stored = renewed[part].as_object_mut().unwrap();
                // The drawings are those of the pages' tests, which need more digits than the server sends.
                let renewed = stored.iter_mut().filter(|(key, _)| *key != "views");
                renewed.for_each(|(key, value)| *value = fields[key].clone());
            }
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
            std::fs::write(path.join(format!("../../web/fixtures/{name}.json")), renewed.to_string() + "\n")
                .unwrap();
        } else {
            compare(&name, &stored, &sent);
        }
        boards += 1;
    }
    assert!(boards >= 9, "{boards} boards");
}

/// A game as the server sends it can be read, and is written as it was.
#[test]
fn fixture_of_a_game_of_four_has_the_fields_of_the_api() {
    let (_, stored) = fixtures().into_iter().find(|(name, _)| name == "game-four").unwrap();
    let game: lozenge_wire::Game = serde_json::from_value(stored.clone()).unwrap();
    compare("game-four", &stored, &serde_json::to_value(&game).unwrap());
    let rules = library::any_game(&game.variant).unwrap();
    let mut sent = state(&rules, &game.state.fen);
    sent["last"] = json!(game.state.last);
    for key in ["turn", "moves", "castlings", "check"] {
        compare(&format!("game-four.state.{key}"), &stored["state"][key], &sent[key]);
    }
}
