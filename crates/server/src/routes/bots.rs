//! For programs, in the manner of lichess's Board and Bot API: one stream of what concerns a player, one of each game,
//! and moves by address. `board` and `bot` are twins: the first is for people's accounts, the second for bots'.

use super::input::SentOrFilledIn;
use super::{Answer, games, lines, play};
use crate::account::{Visitor, Watch};
use crate::app::AppState;
use crate::error::AppError;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_wire::{Action, Event, GameState, Line, Problem, Scope};
use std::collections::HashSet;
use std::time::Duration;

/// How often new games are looked for.
const LOOK: Duration = Duration::from_secs(1);

fn kind(visitor: &Visitor, kind: &str) -> Answer<()> {
    match kind {
        "board" => visitor.may(Scope::Play),
        "bot" => visitor.may(Scope::Bot),
        _ => Err(AppError::NotFound("page")),
    }
}

/// What concerns whoever asks: `{"type":"gameStart","game":{"id":…}}` for each game of theirs that goes on,
/// `gameFinish` when it ends; an empty line every ten seconds.
#[utoipa::path(get, operation_id = "program_stream_events", path = "/api/stream/event", tag = "programs",
    responses((status = 200, body = serde_json::Value, content_type = "application/x-ndjson"), (status = 401, body = Problem)))]
pub(super) async fn events(
    State(state): State<AppState>,
    mut watch: Watch,
    visitor: Visitor,
) -> Answer<Response> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().ok_or(AppError::SignIn)?.id.clone();
    let (lines, answer) = lines::stream();
    tokio::spawn(async move {
        let mut known: HashSet<String> = HashSet::new();
        for second in 0u64.. {
            // All of them: one that is not among them is over.
            let Ok(going_on) = state.store.games_going_on(&me).await else { return };
            let now: HashSet<String> = going_on.into_iter().collect();
            let mut text = String::new();
            for (what, ids) in [("gameStart", now.difference(&known)), ("gameFinish", known.difference(&now))]
            {
                for id in ids {
                    text += &format!(
                        "{}\n",
                        serde_json::json!({ "type": what, "game": { "id": id, "gameId": id } })
                    );
                }
            }
            known = now;
            if text.is_empty() && second % 10 == 0 {
                text.push('\n');
            }
            if !text.is_empty() && lines.send(text).await.is_none() {
                return;
            }
            tokio::time::sleep(LOOK).await;
            if lines.is_closed() || !watch.holds(&state, &visitor).await {
                return;
            }
        }
    });
    Ok(answer)
}

/// A game for a program, an event a line: the whole game, then every change with the full position and the legal moves.
#[utoipa::path(get, operation_id = "program_stream_game", path = "/api/{kind}/game/stream/{id}", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path)),
    responses((status = 200, body = Event, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn game(
    State(state): State<AppState>,
    watch: Watch,
    visitor: Visitor,
    Path((account, id)): Path<(String, String)>,
) -> Answer<Response> {
    kind(&visitor, &account)?;
    play::stream(State(state), watch, visitor, Path(id)).await
}

/// Plays a move.
#[utoipa::path(post, operation_id = "program_play", path = "/api/{kind}/game/{id}/move/{uci}", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path), ("uci" = String, Path)),
    responses((status = 200, body = GameState), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn play(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((account, id, uci)): Path<(String, String, String)>,
) -> Answer<Json<GameState>> {
    kind(&visitor, &account)?;
    let live = games::readable(&state, &visitor, &id).await?;
    let ply = live.lock().await.table.played.len() as u32;
    play::carry_out(&state, &visitor, &id, Action::Move { played: uci, ply }).await
}

/// Says something in a game, as JSON or as a form.
#[utoipa::path(post, path = "/api/{kind}/game/{id}/chat", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path)),
    request_body(content((Line = "application/json"), (Line = "application/x-www-form-urlencoded"))),
    responses((status = 200, body = GameState), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn chat(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((account, id)): Path<(String, String)>,
    SentOrFilledIn(Line { room, text }): SentOrFilledIn<Line>,
) -> Answer<Json<GameState>> {
    kind(&visitor, &account)?;
    play::carry_out(&state, &visitor, &id, Action::Chat { room, text }).await
}

/// Anything else: `abort`, `resign`, `draw/yes`, `draw/no`, `takeback/yes`, `takeback/no`, `claim-victory`, `claim-draw`.
#[utoipa::path(post, operation_id = "program_act", path = "/api/{kind}/game/{id}/{*what}", tag = "programs",
    params(("kind" = String, Path, description = "`board` or `bot`"), ("id" = String, Path), ("what" = String, Path)),
    responses((status = 200, body = GameState), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn act(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((account, id, what)): Path<(String, String, String)>,
) -> Answer<Json<GameState>> {
    kind(&visitor, &account)?;
    if let "claim-victory" | "claim-draw" = what.as_str() {
        let live = games::readable(&state, &visitor, &id).await?;
        let me = visitor.player().ok_or(AppError::SignIn)?;
        match what.as_str() {
            "claim-victory" => state.hub.claim_victory(&live, &me).await?,
            _ => state.hub.claim_draw(&live, &me).await?,
        }
        return Ok(Json(play::standing(&live).await));
    }
    let action = match what.as_str() {
        "abort" => Action::Abort,
        "resign" => Action::Resign,
        "draw/yes" => Action::Draw,
        "draw/no" => Action::DeclineDraw,
        "takeback/yes" => Action::Takeback,
        "takeback/no" => Action::DeclineTakeback,
        _ => return Err(AppError::NotFound("action")),
    };
    play::carry_out(&state, &visitor, &id, action).await
}
