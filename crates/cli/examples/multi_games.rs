//! Games of three and four at the same time: random movers play all of them to their ends through sockets, and each game is replayed
//! from its PGN. None may be lost.
//!
//! `cargo xtask load --multi GAMES` builds the program, starts it and calls this with its address: `multi_games ADDRESS GAMES`. From
//! some half move on players resign now and then, because random moves alone hardly ever mate.

#![allow(clippy::print_stdout)]

use futures_util::{SinkExt as _, StreamExt as _};
use lozenge_rules::library;
use lozenge_rules::notation::pgn::Reader;
use lozenge_rules::notation::record;
use lozenge_rules::position::Played;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use std::error::Error;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

type Fault = Box<dyn Error + Send + Sync>;

/// People who share the games: few enough for the server's limits on new visitors.
const PEOPLE: usize = 40;
/// Half moves of a game after which players begin to resign, and one of how many turns is a resignation.
const RESIGN_AFTER: u64 = 120;
const RESIGN_ONE_IN: u64 = 10;
/// Time without a message after which a game counts as lost.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The pause before a refused command is sent again: a server takes ten a second of one socket.
const RETRY_DELAY: Duration = Duration::from_millis(300);

/// One seat of one game.
#[derive(Clone, Debug)]
struct Chair {
    id: String,
    color: String,
    cookie: String,
}

#[tokio::main]
async fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, games] = arguments.as_slice() else {
        return Err("expected: multi_games ADDRESS GAMES".into());
    };
    let games: usize = games.parse()?;
    let made = {
        let address = address.clone();
        tokio::task::spawn_blocking(move || make_games(&address, games)).await??
    };
    let began = Instant::now();
    let mut players = JoinSet::new();
    for (number, chair) in made.iter().flatten().cloned().enumerate() {
        let address = address.clone();
        players.spawn(async move {
            let played = play(&address, &chair, number as u64).await;
            played.map_err(|error| format!("{} {}: {error}", chair.id, chair.color))
        });
    }
    let mut lost = Vec::new();
    while let Some(played) = players.join_next().await {
        if let Err(fault) = played? {
            lost.push(fault);
        }
    }
    let elapsed_s = began.elapsed().as_secs_f64();
    let address = address.clone();
    let replayed = tokio::task::spawn_blocking(move || {
        let agent = ureq::Agent::new_with_defaults();
        let ids = made.iter().filter_map(|chairs| chairs.first());
        ids.map(|chair| replay(&agent, &address, &chair.id).map_err(|error| format!("{}: {error}", chair.id)))
            .collect::<Vec<Result<usize, String>>>()
    })
    .await?;
    let plies: usize = replayed.iter().filter_map(|plies| plies.as_ref().ok()).sum();
    let intact = replayed.iter().filter(|plies| plies.is_ok()).count();
    lost.extend(replayed.into_iter().filter_map(Result::err));
    println!(
        "{intact} of {games} games of three and four finished and replayed: {plies} half moves in {elapsed_s:.1} s, {:.0} moves/s",
        plies as f64 / elapsed_s
    );
    if lost.is_empty() { Ok(()) } else { Err(lost.join("\n").into()) }
}

/// Games with all seats taken.
fn make_games(address: &str, games: usize) -> Result<Vec<Vec<Chair>>, Fault> {
    // Each person keeps a cookie; the sockets need it, too.
    let agents: Vec<ureq::Agent> = (0..PEOPLE).map(|_| ureq::Agent::new_with_defaults()).collect();
    let mut cookies = vec![String::new(); PEOPLE];
    let mut post = |person: usize, path: &str, body: Value| -> Result<Value, Fault> {
        loop {
            match agents[person].post(format!("{address}{path}")).send_json(&body) {
                Ok(mut answer) => {
                    let cookie = answer.headers().get("set-cookie").and_then(|cookie| cookie.to_str().ok());
                    if let Some(cookie) = cookie.and_then(|cookie| cookie.split(';').next()) {
                        cookies[person] = cookie.to_owned();
                    }
                    return Ok(answer.body_mut().read_json()?);
                }
                Err(ureq::Error::StatusCode(429)) => std::thread::sleep(RETRY_DELAY),
                Err(error) => return Err(error.into()),
            }
        }
    };
    let rules: Vec<_> = library::multi_ids().filter_map(library::multi_game).collect();
    let mut seated = Vec::with_capacity(games);
    for number in 0..games {
        let game = rules.get(number % rules.len()).ok_or("expected games of four")?;
        let colors: Vec<&str> = game.seats().iter().map(|seat| seat.id()).collect();
        let kinds = ["me"].into_iter().chain(std::iter::repeat("link"));
        let seats: Vec<Value> = kinds.map(|kind| json!({ "kind": kind })).take(colors.len()).collect();
        let clock = json!({ "kind": "live", "initial_s": 3600, "increment_s": 10 });
        let made = post(
            number % PEOPLE,
            "/api/games",
            json!({ "variant": game.id(), "seats": seats, "clock": clock }),
        )?;
        let id = made["id"].as_str().ok_or("expected a game with an id")?.to_owned();
        for (seat, color) in colors.iter().enumerate().skip(1) {
            post((number + seat) % PEOPLE, &format!("/api/games/{id}/join?seat={color}"), json!({}))?;
        }
        seated.push((id, number, colors));
    }
    let chairs = seated.into_iter().map(|(id, number, colors)| {
        let chair = |(seat, color): (usize, &str)| Chair {
            id: id.clone(),
            color: color.to_owned(),
            cookie: cookies[(number + seat) % PEOPLE].clone(),
        };
        colors.into_iter().enumerate().map(chair).collect()
    });
    Ok(chairs.collect())
}

/// Plays one seat until its game is over.
async fn play(address: &str, chair: &Chair, seed: u64) -> Result<(), Fault> {
    let url = format!("{}/api/games/{}/socket", address.replacen("http", "ws", 1), chair.id);
    let mut request = url.into_client_request()?;
    request.headers_mut().insert("cookie", chair.cookie.parse()?);
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await?;
    let mut random = SplitMix64::seed_from_u64(seed);
    // The half move that was answered last; its new state comes after the acknowledgment.
    let (mut state, mut answered, mut has_resigned) = (Value::Null, None, false);
    loop {
        let message =
            tokio::time::timeout(TIMEOUT, socket.next()).await?.ok_or("the socket was closed")??;
        let Message::Text(text) = message else { continue };
        let event: Value = serde_json::from_str(&text)?;
        if let Some(found) =
            [&event["game"]["state"], &event["state"]].into_iter().find(|state| state.is_object())
        {
            state = found.clone();
        }
        if event["type"] == "error" {
            answered = None;
            tokio::time::sleep(RETRY_DELAY).await;
        }
        if state["status"] == "finished" {
            return Ok(());
        }
        let moves = state["moves"].as_array().map_or(&[][..], Vec::as_slice);
        let ply = state["ply"].as_u64();
        let is_mine = state["status"] == "started" && state["turn"] == *chair.color && !moves.is_empty();
        let Some(ply) = ply.filter(|_| is_mine && ply != answered) else { continue };
        let resigns = !has_resigned && ply >= RESIGN_AFTER && random.next_u64().is_multiple_of(RESIGN_ONE_IN);
        let command = if resigns {
            has_resigned = true;
            json!({ "id": ply, "type": "resign" })
        } else {
            let played = &moves[random.next_u64() as usize % moves.len()];
            json!({ "id": ply, "type": "move", "move": played, "ply": ply })
        };
        // A player of a team who resigns goes on until the partner does, too.
        answered = (!resigns).then_some(ply);
        socket.send(Message::Text(command.to_string().into())).await?;
    }
}

/// Replays a finished game from its PGN; the number of its half moves.
fn replay(agent: &ureq::Agent, address: &str, id: &str) -> Result<usize, Fault> {
    let get = |path: String| -> Result<String, Fault> {
        loop {
            match agent.get(&path).call() {
                Ok(mut answer) => return Ok(answer.body_mut().read_to_string()?),
                Err(ureq::Error::StatusCode(429)) => std::thread::sleep(RETRY_DELAY),
                Err(error) => return Err(error.into()),
            }
        }
    };
    let game: Value = serde_json::from_str(&get(format!("{address}/api/games/{id}"))?)?;
    let pgn = get(format!("{address}/api/games/{id}/pgn"))?;
    let tree = Reader::new(pgn.as_bytes()).next().ok_or("expected a game in the PGN")??;
    let record = record::resolve_any(tree, &library::any_named)?;
    let Played::Four(played) = &record.game else { return Err("expected a game of three or four".into()) };
    let result = record.tree.result.to_string();
    let expected = &game["state"];
    let found = json!({ "ply": played.turns().len(), "fen": played.position().fen(), "result": result });
    for key in ["ply", "fen", "result"] {
        if found[key] != expected[key] {
            return Err(format!("expected {key} {}, found {} in the PGN", expected[key], found[key]).into());
        }
    }
    let outcome = played.outcome().ok_or("expected a game that is over")?;
    if record::multi_result(outcome.result).to_string() != result {
        return Err(format!("expected the result {result}, found {} in a replay", outcome.result).into());
    }
    Ok(played.turns().len())
}
