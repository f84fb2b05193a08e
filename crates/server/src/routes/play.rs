//! Playing without a socket: one action at a time, and a stream of what happens.

use super::input::Sent;
use super::lines::{self, KEEP_ALIVE};
use super::{Answer, games};
use crate::account::{Visitor, Watch};
use crate::app::AppState;
use crate::error::AppError;
use crate::hub::Audience;
use crate::time::now_ms;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_wire::{Action, Command, Event, GameState, Hint, Problem, Scope};
use tokio::sync::broadcast::error::RecvError;

/// Does something in a game: the same messages as on its socket. The answer comes when it is on the disk.
#[utoipa::path(post, operation_id = "act_in_game", path = "/api/games/{id}/actions", tag = "games", params(("id" = String, Path)), request_body = Command,
    responses((status = 200, body = GameState), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn act(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    Sent(command): Sent<Command>,
) -> Answer<Json<GameState>> {
    visitor.may(Scope::Play)?;
    carry_out(&state, &visitor, &id, command.action).await
}

/// Does something in a game for whoever asks, and says how it stands then.
pub(super) async fn carry_out(
    state: &AppState,
    visitor: &Visitor,
    id: &str,
    action: Action,
) -> Answer<Json<GameState>> {
    let live = games::readable(state, visitor, id).await?;
    let me = visitor.player().ok_or(AppError::SignIn)?;
    state.hub.act(&live, &me, &action, 0).await?;
    let inside = live.lock().await;
    Ok(Json(inside.table.state(now_ms(), inside.attendance())))
}

/// What the engine would play in one's place; only in a game against it, and at one's turn.
#[utoipa::path(post, operation_id = "hint", path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Hint), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(super) async fn hint(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer<Json<Hint>> {
    visitor.may(Scope::Play)?;
    let live = games::readable(&state, &visitor, &id).await?;
    let me = visitor.user().ok_or(AppError::SignIn)?;
    Ok(Json(state.hub.hint(&live, &me.id).await?))
}

/// What happens in a game, an event a line: first the whole game, then what changes; an empty line every ten seconds.
/// Ends with the game.
#[utoipa::path(get, operation_id = "stream_game", path = "/api/games/{id}/stream", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Event, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn stream(
    State(state): State<AppState>,
    mut watch: Watch,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer<Response> {
    let live = games::readable(&state, &visitor, &id).await?;
    let (lines, answer) = lines::stream();
    let player = visitor.user().map(|user| user.id.clone());
    tokio::spawn(async move {
        let mut news = live.listen(false);
        let (mut over, plays, first) = {
            let inside = live.lock().await;
            // The last place may have been taken since.
            if inside.table.is_hidden_from(player.as_deref()) {
                return;
            }
            let you = player.as_ref().and_then(|player| inside.table.side_of(player));
            let game = Box::new(inside.table.shown(you, now_ms(), inside.attendance()));
            let first = serde_json::to_string(&Event::Game { game }).unwrap_or_default();
            (inside.table.ended.is_some(), you.is_some(), first)
        };
        if lines.send(first + "\n").await.is_none() {
            return;
        }
        while !over {
            let heard = tokio::select! {
                () = watch.ended(&state, &visitor) => return,
                heard = tokio::time::timeout(KEEP_ALIVE, news.recv()) => heard,
            };
            let line = match heard {
                Err(_) => "\n".to_owned(),
                Ok(Err(RecvError::Closed | RecvError::Lagged(_))) => return,
                Ok(Ok(message)) if !message.audience.includes(plays, over) => continue,
                Ok(Ok(_)) if live.lock().await.table.is_hidden_from(player.as_deref()) => return,
                Ok(Ok(message)) => {
                    over = message.audience == Audience::All && live.lock().await.table.ended.is_some();
                    format!("{}\n", message.text)
                }
            };
            if lines.send(line).await.is_none() {
                return;
            }
        }
    });
    Ok(answer)
}
