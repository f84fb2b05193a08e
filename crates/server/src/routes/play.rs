//! Playing without a socket: one action at a time, and a stream of what happens.

use super::input::JsonBody;
use super::lines::{self, KEEP_ALIVE, LineStream};
use super::{AppResult, games};
use crate::auth::{CredentialGuard, Visitor};
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_game::time::now_ms;
use lozenge_live::games::{Follower, GameHandle, Message, PlayerAction};
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
    JsonBody(command): JsonBody<Command>,
) -> AppResult<Json<GameState>> {
    visitor.may(Scope::Play)?;
    request(&state, &visitor, &id, command.action.into()).await
}

/// Carries out an action of a request, and answers with the game's state.
pub(super) async fn request(
    state: &AppState,
    visitor: &Visitor,
    id: &str,
    action: PlayerAction,
) -> AppResult<Json<GameState>> {
    let live = games::readable(state, visitor, id).await?;
    if let Some(me) = visitor.user() {
        state.games.note_request(&live, &me.id, visitor.network()).await;
    }
    perform(state, visitor, &live, &action, 0).await?;
    let inner = live.lock().await;
    Ok(Json(inner.machine.state(now_ms(), inner.presence())))
}

/// Carries out an action, whether it came by a request or by a socket. `lag_ms` is the measured round trip.
pub(super) async fn perform(
    state: &AppState,
    visitor: &Visitor,
    live: &GameHandle,
    action: &PlayerAction,
    lag_ms: i64,
) -> AppResult<()> {
    let player = visitor.player().ok_or(AppError::SignIn)?;
    if matches!(action, PlayerAction::Game(Action::Chat { .. })) {
        state.limits.check_chat(visitor.client())?;
    }
    Ok(state.games.act(live, &player, action, lag_ms).await?)
}

/// Follows a game by a new connection.
pub(super) async fn follow(state: &AppState, live: &GameHandle, visitor: &Visitor) -> Follower {
    let user = visitor.user().map(|user| user.id.clone());
    Follower::connect(state.games.clone(), live.clone(), user, visitor.network()).await
}

/// The move that the engine suggests; only in a game against it, and at one's turn.
#[utoipa::path(post, operation_id = "hint", path = "/api/games/{id}/hint", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Hint), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(super) async fn hint(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Json<Hint>> {
    visitor.may(Scope::Play)?;
    let live = games::readable(&state, &visitor, &id).await?;
    let me = visitor.user().ok_or(AppError::SignIn)?;
    state.games.note_request(&live, &me.id, visitor.network()).await;
    Ok(Json(state.games.hint(&live, &me.id).await?))
}

/// The events of a game, one on each line: first the whole game, then its changes; an empty line every ten seconds.
/// Ends with the game.
#[utoipa::path(get, operation_id = "stream_game", path = "/api/games/{id}/stream", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = Event, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn stream(
    State(state): State<AppState>,
    open: OpenStream,
    guard: CredentialGuard,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<Response> {
    let live = games::readable(&state, &visitor, &id).await?;
    let (lines, answer) = lines::stream(&state, open);
    tokio::spawn(async move {
        // Do not notify a player of their own presence: a program would take it for another turn.
        let follower = follow(&state, &live, &visitor).await;
        let mut reader = StreamReader { state, live, visitor, follower };
        reader.read(&lines, guard).await;
        reader.follower.disconnect().await;
    });
    Ok(answer)
}

/// A reader of a game's stream, who is connected to their own game as by a socket.
struct StreamReader {
    state: AppState,
    live: GameHandle,
    visitor: Visitor,
    follower: Follower,
}

impl StreamReader {
    /// Until the game is over, or the client disconnects or loses access.
    async fn read(&mut self, lines: &LineStream, mut guard: CredentialGuard) -> Option<()> {
        let mut messages = self.live.subscribe();
        let (mut over, first) = {
            let inner = self.live.lock().await;
            // The last place may have been taken since.
            if self.follower.has_lost_access_to(&inner.machine) {
                return None;
            }
            let game = Box::new(inner.machine.to_wire(self.follower.side(), now_ms(), inner.presence()));
            (inner.machine.ended.is_some(), serde_json::to_string(&Event::Game { game }).ok()?)
        };
        lines.send(first + "\n").await?;
        while !over {
            let message = tokio::select! {
                () = lines.closed() => return None,
                () = guard.revoked(&self.state, &self.visitor) => return None,
                message = tokio::time::timeout(KEEP_ALIVE, messages.recv()) => message,
            };
            let line = match message {
                Err(_) => "\n".to_owned(),
                Ok(Err(RecvError::Closed | RecvError::Lagged(_)) | Ok(Message::Close(_))) => return None,
                Ok(Ok(Message::Event { audience, text })) => {
                    self.follower.update_side().await;
                    if self.follower.has_lost_access().await {
                        return None;
                    }
                    // The game may have ended since: then the message of its end waits behind this one.
                    over = self.live.lock().await.machine.ended.is_some() && messages.is_empty();
                    if !audience.includes(self.follower.side().is_some(), false) {
                        continue;
                    }
                    format!("{text}\n")
                }
            };
            lines.send(line).await?;
        }
        Some(())
    }
}
