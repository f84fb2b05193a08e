//! The loop of a socket that follows something: pings, silent and slow clients, revoked credentials, the rate of messages,
//! the end of the server. Not here: the messages (`socket`, `study_socket`), and their frames (`websocket`).

use super::AppResult;
use super::websocket::{CLIENT_TIMEOUT, CloseFrame, Message, Utf8Bytes, WebSocket, ping_times};
use crate::auth::{CredentialGuard, Visitor};
use crate::error::AppError;
use crate::places::Place;
use crate::state::AppState;
use axum::body::Bytes;
use lozenge_game::text::has_control_in_json;
use lozenge_live::games::RESTART;
use serde::Serialize;
use std::pin::pin;
use std::time::{Duration, Instant};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// The code by which a socket is closed whose place another network has got (RFC 6455's registry).
const TRY_AGAIN_LATER: u16 = 1013;
/// Messages that a client may send in a second, on average over [`RATE_SECONDS`].
const MESSAGES_PER_SECOND: u32 = 10;
const RATE_SECONDS: u32 = 10;

/// The protocol of a socket. A method that returns `None` ends the connection.
pub(super) trait Protocol {
    /// News of what the socket follows.
    type News: Clone + Send;
    /// A message to the client.
    type Event: Serialize + Send;

    /// Forwards news to the client.
    fn forward(
        &mut self,
        connection: &Connection,
        socket: &mut WebSocket,
        news: Self::News,
    ) -> impl Future<Output = Option<()>> + Send;

    /// Mends the client's state after it was too slow to receive all news.
    fn catch_up(
        &mut self,
        connection: &Connection,
        socket: &mut WebSocket,
    ) -> impl Future<Output = Option<()>> + Send;

    /// Carries out a message of the client.
    ///
    /// # Errors
    /// If the message is invalid, or cannot be carried out.
    fn answer(
        &mut self,
        connection: &mut Connection,
        text: &str,
    ) -> impl Future<Output = AppResult<Option<Self::Event>>> + Send;

    /// The answer to a message that was refused.
    fn refusal(text: &str, error: &AppError) -> Self::Event;
}

/// The client of a socket, and its permissions.
pub(super) struct Connection {
    pub(super) state: AppState,
    pub(super) visitor: Visitor,
    guard: CredentialGuard,
    /// The last measured round trip.
    pub(super) lag_ms: i64,
    /// The client's share of what many follow.
    place: Option<Place>,
    /// Messages in the current interval, and its start.
    messages: (u32, Instant),
}

impl Connection {
    pub(super) fn new(
        state: AppState,
        visitor: Visitor,
        guard: CredentialGuard,
        place: Option<Place>,
    ) -> Self {
        Self { state, visitor, guard, lag_ms: 0, place, messages: (0, Instant::now()) }
    }

    /// Whether the client's session or token is still valid.
    pub(super) async fn is_valid(&mut self) -> bool {
        self.guard.is_valid(&self.state, &self.visitor).await
    }

    /// Sends what is queued, and runs until either end closes.
    pub(super) async fn run<P: Protocol>(
        &mut self,
        socket: &mut WebSocket,
        protocol: &mut P,
        mut news: Receiver<P::News>,
    ) -> Option<()> {
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
                () = lost(&mut self.place) => return close(socket, TRY_AGAIN_LATER).await,
                received = news.recv() => match received {
                    Ok(received) => protocol.forward(self, socket, received).await?,
                    Err(RecvError::Lagged(_)) => protocol.catch_up(self, socket).await?,
                    Err(RecvError::Closed) => return None,
                },
                received = socket.recv() => {
                    received_at = Instant::now();
                    match received?.ok()? {
                        Message::Text(text) => self.on_message(socket, protocol, &text).await?,
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
                    socket.feed(Message::Ping(Bytes::new())).await.ok()?;
                }
            }
            // An answer and the news that it causes go together.
            loop {
                match news.try_recv() {
                    Ok(received) => protocol.forward(self, socket, received).await?,
                    Err(TryRecvError::Lagged(_)) => protocol.catch_up(self, socket).await?,
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                }
            }
            socket.flush().await.ok()?;
        }
    }

    async fn on_message<P: Protocol>(
        &mut self,
        socket: &mut WebSocket,
        protocol: &mut P,
        text: &str,
    ) -> Option<()> {
        if self.messages.1.elapsed() > Duration::from_secs(RATE_SECONDS.into()) {
            self.messages = (0, Instant::now());
        }
        self.messages.0 += 1;
        let answer = if self.messages.0 > RATE_SECONDS * MESSAGES_PER_SECOND {
            Err(AppError::Slow(RATE_SECONDS.into()))
        } else if has_control_in_json(text.as_bytes()) {
            Err(AppError::CONTROL)
        } else {
            protocol.answer(self, text).await
        };
        match answer {
            Ok(Some(event)) => feed_event(socket, &event),
            Ok(None) => Some(()),
            Err(error) => feed_event(socket, &P::refusal(text, &error)),
        }
    }
}

/// Waits until the place is given to another. Cancel safe.
async fn lost(place: &mut Option<Place>) {
    match place {
        Some(place) => place.lost().await,
        None => std::future::pending().await,
    }
}

/// Closes a socket by a code of RFC 6455; the client connects again.
pub(super) async fn close(socket: &mut WebSocket, code: u16) -> Option<()> {
    let frame = CloseFrame { code: code.into(), reason: Utf8Bytes::from_static("connect again") };
    // The client may have gone.
    let _ = socket.send(Message::Close(Some(frame))).await;
    None
}

/// Queues an event for the next flush.
pub(super) fn feed_event<E: Serialize>(socket: &mut WebSocket, event: &E) -> Option<()> {
    socket.feed_text(serde_json::to_string(event).ok()?.into());
    Some(())
}
