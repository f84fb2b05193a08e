//! A game's socket: the server sends events, the client sends commands. After a reconnect the client receives the events that
//! it has missed, and a move that was sent twice is played once.

use super::connection::{Connection, Protocol, close, feed_event};
use super::input::QueryParams;
use super::websocket::{WebSocket, WebSocketUpgrade};
use super::{AppResult, games, play};
use crate::auth::{CredentialGuard, Visitor};
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_game::time::now_ms;
use lozenge_live::games::{Audience, Follower, GameHandle, Message};
use lozenge_wire::{Action, Command, Event, Scope, Status};
use serde::Deserialize;

/// Largest message of a client, in bytes.
const MAX_MESSAGE: usize = 4 << 10;

/// The query of a socket.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SocketParams {
    /// Number of the last event received (`seq` of a state): then only later changes are sent, as
    /// `resumed`, unless too many are missing.
    after: Option<u64>,
}

/// Opens the socket of a game (WebSocket). The server sends the whole game as an `Event`, or with
/// `after` the changes since, and the chat; then later changes. The client sends `Command`s, which
/// are answered with `ack`, `pong` or `error`.
#[utoipa::path(get, operation_id = "game_socket", path = "/api/games/{id}/socket", tag = "games",
    params(("id" = String, Path), SocketParams), responses((status = 101), (status = 403), (status = 426)))]
pub(super) async fn open(
    State(state): State<AppState>,
    open: OpenStream,
    guard: CredentialGuard,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(params): QueryParams<SocketParams>,
    upgrade: Result<WebSocketUpgrade, AppError>,
) -> AppResult<Response> {
    let live = games::readable(&state, &visitor, &id).await?;
    Ok(upgrade?.on_upgrade(MAX_MESSAGE, move |mut socket| async move {
        let follower = play::follow(&state, &live, &visitor).await;
        let mut followed = FollowedGame { live, follower };
        let mut connection = Connection::new(state, visitor, guard, None);
        metrics::gauge!("lozenge_sockets").increment(1.0);
        // By reference, so that the task does not keep several copies of what it moves.
        followed.run(&mut connection, &mut socket, params.after).await;
        followed.follower.disconnect().await;
        metrics::gauge!("lozenge_sockets").decrement(1.0);
        drop(open);
    }))
}

struct FollowedGame {
    live: GameHandle,
    follower: Follower,
}

impl FollowedGame {
    async fn run(
        &mut self,
        connection: &mut Connection,
        socket: &mut WebSocket,
        after: Option<u64>,
    ) -> Option<()> {
        let messages = self.live.subscribe();
        self.send_game(socket, after).await?;
        connection.run(socket, self, messages).await
    }

    /// Sends the game, whole or from an event on, and its chat.
    async fn send_game(&self, socket: &mut WebSocket, after: Option<u64>) -> Option<()> {
        let (first, over, chat) = {
            let inner = self.live.lock().await;
            let machine = &inner.machine;
            if self.follower.has_lost_access_to(machine) {
                return None;
            }
            let (side, now, presence) = (self.follower.side(), now_ms(), inner.presence());
            let since = after.and_then(|after| machine.since(after, side, now, presence)).map(Box::new);
            let first = match since {
                Some(since) => Event::Resumed { since },
                None => Event::Game { game: Box::new(machine.to_wire(side, now, presence)) },
            };
            (first, machine.status() == Status::Finished, inner.chat.clone())
        };
        feed_event(socket, &first)?;
        for line in chat {
            if let Event::Chat { room, .. } = &line
                && Audience::of(*room).includes(self.follower.side().is_some(), over)
            {
                feed_event(socket, &line)?;
            }
        }
        Some(())
    }

    async fn carry_out(&self, connection: &mut Connection, action: Action) -> AppResult<()> {
        if connection.visitor.user().is_none() || !connection.is_valid().await {
            return Err(AppError::SignIn);
        }
        let Connection { state, visitor, lag_ms, .. } = connection;
        visitor.may(Scope::Play)?;
        play::perform(state, visitor, &self.live, &action.into(), *lag_ms).await
    }
}

impl Protocol for FollowedGame {
    type News = Message;
    type Event = Event;

    async fn forward(&mut self, _: &Connection, socket: &mut WebSocket, message: Message) -> Option<()> {
        let (audience, text) = match message {
            Message::Event { audience, text } => (audience, text),
            Message::Close(code) => return close(socket, code).await,
        };
        self.follower.update_side().await;
        if self.follower.has_lost_access().await {
            return None;
        }
        let over = || async { self.live.lock().await.machine.ended.is_some() };
        let plays = self.follower.side().is_some();
        if audience.includes(plays, false) || audience.includes(plays, over().await) {
            socket.feed_text(text);
        }
        Some(())
    }

    /// Sends the whole game again.
    async fn catch_up(&mut self, _: &Connection, socket: &mut WebSocket) -> Option<()> {
        self.send_game(socket, None).await
    }

    async fn answer(&mut self, connection: &mut Connection, text: &str) -> AppResult<Option<Event>> {
        let Command { id, action } =
            Command::read(text).map_err(|error| AppError::Invalid(error.to_string()))?;
        if matches!(action, Action::Ping) {
            return Ok(Some(Event::Pong { id, at: now_ms() }));
        }
        // Apart from the task, which would be as large as long as the socket is open.
        Box::pin(self.carry_out(connection, action)).await?;
        Ok(Some(Event::Ack { id }))
    }

    fn refusal(text: &str, error: &AppError) -> Event {
        Event::Error { id: number(text), problem: error.problem() }
    }
}

/// The number of an invalid command, so that its sender gets an answer.
fn number(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        id: Option<u64>,
    }
    serde_json::from_str::<Numbered>(text).ok()?.id
}
