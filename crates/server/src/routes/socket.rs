//! A game's socket: the server sends events, the client sends commands. After a reconnect the client receives the events that
//! it has missed, and a move that was sent twice is played once.

use super::input::QueryParams;
use super::websocket::{
    CLIENT_TIMEOUT, CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, ping_times,
};
use super::{AppResult, games, play};
use crate::auth::{CredentialGuard, Visitor};
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_game::text::has_control_in_json;
use lozenge_game::time::now_ms;
use lozenge_live::games::{Audience, Follower, GameHandle, Message as GameMessage, RESTART};
use lozenge_wire::{Action, Command, Event, Scope, Status};
use serde::Deserialize;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// Largest message of a client, in bytes.
const MAX_MESSAGE: usize = 4 << 10;
/// Commands that a client may send in a second, on average over ten.
const COMMANDS_PER_SECOND: u32 = 10;

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
        // By reference, so that the task does not keep several copies of what it moves.
        Connection::new(state, live, visitor, guard, params).await.serve(&mut socket).await;
        drop(open);
    }))
}

struct Connection {
    state: AppState,
    live: GameHandle,
    /// The client and its permissions.
    visitor: Visitor,
    guard: CredentialGuard,
    follower: Follower,
    params: SocketParams,
    /// The last measured round trip.
    lag_ms: i64,
    /// Commands in the current interval, and its start.
    commands: (u32, Instant),
}

impl Connection {
    async fn new(
        state: AppState,
        live: GameHandle,
        visitor: Visitor,
        guard: CredentialGuard,
        params: SocketParams,
    ) -> Self {
        let follower = play::follow(&state, &live, &visitor).await;
        Self { follower, state, live, visitor, guard, params, lag_ms: 0, commands: (0, Instant::now()) }
    }

    async fn serve(&mut self, socket: &mut WebSocket) {
        metrics::gauge!("lozenge_sockets").increment(1.0);
        self.run(socket).await;
        self.follower.disconnect().await;
        metrics::gauge!("lozenge_sockets").decrement(1.0);
    }

    /// Runs until either end closes.
    async fn run(&mut self, socket: &mut WebSocket) -> Option<()> {
        let mut messages = self.live.subscribe();
        self.send_game(socket, self.params.after).await?;
        socket.flush().await.ok()?;
        let mut pings = ping_times();
        let (mut pinged, mut received_at) = (Instant::now(), Instant::now());
        let close_timer = self.state.closing.timer();
        let mut closing = pin!(close_timer.elapsed());
        loop {
            tokio::select! {
                () = closing.as_mut() => return close(socket, RESTART).await,
                // The client may reconnect with a valid session.
                () = self.guard.revoked(&self.state, &self.visitor) => return None,
                message = messages.recv() => match message {
                    Ok(message) => self.forward(socket, &message).await?,
                    // The client was too slow to receive all events: send the whole game again.
                    Err(RecvError::Lagged(_)) => self.send_game(socket, None).await?,
                    Err(RecvError::Closed) => return None,
                },
                received = socket.recv() => {
                    received_at = Instant::now();
                    match received?.ok()? {
                        Message::Text(text) => self.on_message(socket, &text).await?,
                        Message::Pong(_) => self.lag_ms = pinged.elapsed().as_millis() as i64,
                        Message::Close(_) => return None,
                        Message::Binary(_) | Message::Ping(_) | Message::Frame(_) => {}
                    }
                }
                _ = pings.tick() => {
                    if received_at.elapsed() > CLIENT_TIMEOUT {
                        return None;
                    }
                    pinged = Instant::now();
                    socket.feed(Message::Ping(axum::body::Bytes::new())).await.ok()?;
                }
            }
            // An answer and the messages that it causes go together.
            self.catch_up(socket, &mut messages).await?;
            socket.flush().await.ok()?;
        }
    }

    /// Handles all other messages.
    async fn catch_up(&mut self, socket: &mut WebSocket, messages: &mut Receiver<GameMessage>) -> Option<()> {
        loop {
            match messages.try_recv() {
                Ok(message) => self.forward(socket, &message).await?,
                Err(TryRecvError::Lagged(_)) => self.send_game(socket, None).await?,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return Some(()),
            }
        }
    }

    async fn forward(&mut self, socket: &mut WebSocket, message: &GameMessage) -> Option<()> {
        let (audience, text) = match message {
            GameMessage::Event { audience, text } => (*audience, text),
            GameMessage::Close(code) => return close(socket, *code).await,
        };
        self.follower.update_side().await;
        if self.follower.has_lost_access().await {
            return None;
        }
        let over = || async { self.live.lock().await.machine.ended.is_some() };
        let plays = self.follower.side().is_some();
        if audience.includes(plays, false) || audience.includes(plays, over().await) {
            socket.feed_text(text.clone());
        }
        Some(())
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

    async fn on_message(&mut self, socket: &mut WebSocket, text: &str) -> Option<()> {
        if self.commands.1.elapsed() > Duration::from_secs(10) {
            self.commands = (0, Instant::now());
        }
        self.commands.0 += 1;
        let answer = if self.commands.0 > 10 * COMMANDS_PER_SECOND {
            Event::Error { id: number(text), problem: AppError::Slow(10).problem() }
        } else if has_control_in_json(text.as_bytes()) {
            Event::Error { id: number(text), problem: AppError::CONTROL.problem() }
        } else {
            match Command::read(text) {
                Ok(Command { id, action: Action::Ping }) => Event::Pong { id, at: now_ms() },
                // Apart from the task, which would be as large as long as the socket is open.
                Ok(command) => Box::pin(self.carry_out(command)).await,
                Err(error) => {
                    Event::Error { id: number(text), problem: AppError::Invalid(error.to_string()).problem() }
                }
            }
        };
        feed_event(socket, &answer)
    }

    async fn carry_out(&mut self, Command { id, action }: Command) -> Event {
        let done = if self.visitor.user().is_none() || !self.guard.is_valid(&self.state, &self.visitor).await
        {
            Err(AppError::SignIn)
        } else {
            match self.visitor.may(Scope::Play) {
                Ok(()) => {
                    play::perform(&self.state, &self.visitor, &self.live, &action.into(), self.lag_ms).await
                }
                Err(error) => Err(error),
            }
        };
        match done {
            Ok(()) => Event::Ack { id },
            Err(error) => Event::Error { id, problem: error.problem() },
        }
    }
}

/// Closes a socket by a code of RFC 6455; the client connects again.
pub(super) async fn close(socket: &mut WebSocket, code: u16) -> Option<()> {
    let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::from_static("connect again") };
    // The client may have gone.
    let _ = socket.send(Message::Close(Some(frame))).await;
    None
}

/// The number of an invalid command, so that its sender gets an answer.
fn number(text: &str) -> Option<u64> {
    #[derive(Deserialize)]
    struct Numbered {
        id: Option<u64>,
    }
    serde_json::from_str::<Numbered>(text).ok()?.id
}

/// Queues an event for the next flush.
fn feed_event(socket: &mut WebSocket, event: &Event) -> Option<()> {
    socket.feed_text(serde_json::to_string(event).ok()?.into());
    Some(())
}
