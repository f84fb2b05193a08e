//! Playing without a socket: one action at a time, and a stream of what happens.

use super::input::Sent;
use super::lines::{self, KEEP_ALIVE, Lines};
use super::{Answer, games};
use crate::account::{Visitor, Watch};
use crate::app::AppState;
use crate::error::AppError;
use crate::hub::{Audience, Follower, Live};
use crate::limits::OpenStream;
use crate::time::now_ms;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_wire::{Action, Command, Event, GameState, Hint, Problem, Scope};
use std::sync::Arc;
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
    if matches!(action, Action::Chat { .. }) {
        state.limits.check_chat(visitor.client())?;
    }
    state.hub.arrive(&live, &me.id, visitor.network()).await;
    state.hub.act(&live, &me, &action, 0).await?;
    Ok(Json(standing(&live).await))
}

/// How a game stands.
pub(super) async fn standing(live: &Live) -> GameState {
    let inside = live.lock().await;
    inside.table.state(now_ms(), inside.attendance())
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
    state.hub.arrive(&live, &me.id, visitor.network()).await;
    Ok(Json(state.hub.hint(&live, &me.id).await?))
}

/// What happens in a game, an event a line: first the whole game, then what changes; an empty line every ten seconds.
/// Ends with the game.
#[utoipa::path(get, operation_id = "stream_game", path = "/api/games/{id}/stream", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Event, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn stream(
    State(state): State<AppState>,
    open: OpenStream,
    watch: Watch,
    visitor: Visitor,
    Path(id): Path<String>,
) -> Answer<Response> {
    let live = games::readable(&state, &visitor, &id).await?;
    let (lines, answer) = lines::stream(open);
    tokio::spawn(async move {
        // That one is there now is no news to oneself: a program would take it for another turn.
        let follower = Follower::come(state.hub.clone(), Arc::clone(&live), &visitor).await;
        let mut reader = Reader { state, live, visitor, follower };
        reader.read(&lines, watch).await;
        reader.follower.leave().await;
    });
    Ok(answer)
}

/// Whoever reads a game's stream: there, as by a socket, if it is their own game.
struct Reader {
    state: AppState,
    live: Arc<Live>,
    visitor: Visitor,
    follower: Follower,
}

impl Reader {
    /// Until the game is over, or nobody reads any more or may.
    async fn read(&mut self, lines: &Lines, mut watch: Watch) -> Option<()> {
        let mut news = self.live.listen(false);
        let (mut over, first) = {
            let inside = self.live.lock().await;
            // The last place may have been taken since.
            if self.follower.is_shut_out_of(&inside.table) {
                return None;
            }
            let game = Box::new(inside.table.shown(self.follower.side(), now_ms(), inside.attendance()));
            (inside.table.ended.is_some(), serde_json::to_string(&Event::Game { game }).ok()?)
        };
        lines.send(first + "\n").await?;
        while !over {
            let heard = tokio::select! {
                () = lines.closed() => return None,
                () = watch.ended(&self.state, &self.visitor) => return None,
                heard = tokio::time::timeout(KEEP_ALIVE, news.recv()) => heard,
            };
            let line = match heard {
                Err(_) => "\n".to_owned(),
                Ok(Err(RecvError::Closed | RecvError::Lagged(_))) => return None,
                Ok(Ok(message)) => {
                    self.follower.take_side().await;
                    if self.follower.is_shut_out().await {
                        return None;
                    }
                    if !message.audience.includes(self.follower.side().is_some(), over) {
                        continue;
                    }
                    over = message.audience == Audience::All && self.live.lock().await.table.ended.is_some();
                    format!("{}\n", message.text)
                }
            };
            lines.send(line).await?;
        }
        Some(())
    }
}
