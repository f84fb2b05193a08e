//! A study's socket: clients send edits of its chapters and receive those of others. After a reconnect a client receives
//! what it has missed, and sends again what was not acknowledged; an edit that was sent twice is applied once.

use super::AppResult;
use super::input::{JsonBody, QueryParams};
use super::studies;
use super::websocket::{CLIENT_TIMEOUT, Message, WebSocket, WebSocketUpgrade, ping_times};
use crate::auth::{CredentialGuard, Visitor};
use crate::budgets::Operation;
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::places::Place;
use crate::state::AppState;
use crate::studies::{LiveStudy, PresentUser, StudyMessage};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_analysis::tree::MAX_PLIES;
use lozenge_game::text::has_control_in_json;
use lozenge_live::games::RESTART;
use lozenge_wire::Problem;
use lozenge_wire::study::{EditsDone, StudyCommand, StudyEdits, StudyEvent, StudyPlace};
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// The code by which a socket is closed whose place another network has got (RFC 6455's registry).
const TRY_AGAIN_LATER: u16 = 1013;
/// Largest message of a client, in bytes: a line of 600 half moves and two comments fit many times.
const MAX_MESSAGE: usize = 64 << 10;
/// Messages that a client may send in a second, on average over ten.
const MESSAGES_PER_SECOND: u32 = 10;
/// Longest id of a chapter, and move of a path, in bytes.
const MAX_WORD: usize = 32;

/// The query of a socket.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct StudySocketParams {
    /// Number of the last edit received: later ones are sent, or `reload` if some of them are not known any more.
    after: Option<u64>,
}

/// Applies edits of chapters, in their order.
pub(super) async fn perform(
    state: &AppState,
    visitor: &Visitor,
    id: &str,
    edits: &StudyEdits,
) -> AppResult<EditsDone> {
    let me = studies::account(visitor)?;
    studies::writable(state, visitor, id).await?;
    let count = edits.edits.len() as u32;
    state.budgets.charge_times(Operation::StudyEdit, count, Some(&me.id), visitor.client())?;
    state.studies.edit(&state.studies.open(id), me, edits).await
}

/// Edits chapters of a study. Edits that were applied are not applied again.
#[utoipa::path(post, operation_id = "edit_study", path = "/api/studies/{id}/edits", tag = "studies", params(("id" = String, Path)),
    request_body = StudyEdits, responses((status = 200, body = EditsDone), (status = 401, body = Problem)))]
pub(super) async fn edit(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(edits): JsonBody<StudyEdits>,
) -> AppResult<Json<EditsDone>> {
    Ok(Json(perform(&state, &visitor, &id, &edits).await?))
}

/// Opens the socket of a study (WebSocket). The server sends the study as a `StudyEvent`, the edits since `after`, and
/// later edits and changes. The client sends `StudyCommand`s, which are answered with `done`, `pong` or `error`.
#[utoipa::path(get, operation_id = "study_socket", path = "/api/studies/{id}/socket", tag = "studies",
    params(("id" = String, Path), StudySocketParams), responses((status = 101), (status = 426)))]
pub(super) async fn open(
    State(state): State<AppState>,
    open: OpenStream,
    guard: CredentialGuard,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(StudySocketParams { after }): QueryParams<StudySocketParams>,
    upgrade: Result<WebSocketUpgrade, AppError>,
) -> AppResult<Response> {
    studies::readable(&state, &visitor, &id).await?;
    let upgrade = upgrade?;
    let live = state.studies.open(&id);
    let place = live.places.take(visitor.client())?;
    Ok(upgrade.on_upgrade(MAX_MESSAGE, move |mut socket| async move {
        let present = visitor.id().map(|me| state.studies.enter(&live, me));
        let mut connection = Connection {
            state,
            live,
            id,
            visitor,
            guard,
            place,
            present,
            is_member: false,
            change: 0,
            messages: (0, Instant::now()),
        };
        metrics::gauge!("lozenge_study_sockets").increment(1.0);
        connection.run(&mut socket, after).await;
        metrics::gauge!("lozenge_study_sockets").decrement(1.0);
        drop(open);
    }))
}

struct Connection {
    state: AppState,
    live: Arc<LiveStudy>,
    id: String,
    visitor: Visitor,
    guard: CredentialGuard,
    place: Place,
    present: Option<PresentUser>,
    /// Whether the client may know where members are.
    is_member: bool,
    /// The last change of the study that was sent.
    change: u64,
    /// Messages in the current interval, and its start.
    messages: (u32, Instant),
}

impl Connection {
    /// Runs until either end closes.
    async fn run(&mut self, socket: &mut WebSocket, after: Option<u64>) -> Option<()> {
        let subscription = self.state.studies.follow(&self.live, after).await.ok()?;
        let mut messages = subscription.messages;
        self.send_study(socket).await?;
        match subscription.missed {
            Some(missed) => {
                for text in missed {
                    socket.feed_text((&*text).into());
                }
            }
            None => feed_event(socket, &StudyEvent::Reload {})?,
        }
        socket.flush().await.ok()?;
        let mut pings = ping_times();
        let mut received_at = Instant::now();
        let closing = self.state.closing.timer();
        loop {
            tokio::select! {
                () = closing.elapsed() => return super::socket::close(socket, RESTART).await,
                () = self.guard.revoked(&self.state, &self.visitor) => return None,
                () = self.place.lost() => return super::socket::close(socket, TRY_AGAIN_LATER).await,
                message = messages.recv() => match message {
                    Ok(message) => self.forward(socket, message).await?,
                    Err(RecvError::Lagged(_)) => feed_event(socket, &StudyEvent::Reload {})?,
                    Err(RecvError::Closed) => return None,
                },
                received = socket.recv() => {
                    received_at = Instant::now();
                    match received?.ok()? {
                        Message::Text(text) => self.on_message(socket, &text).await?,
                        Message::Close(_) => return None,
                        Message::Pong(_) | Message::Binary(_) | Message::Ping(_) | Message::Frame(_) => {}
                    }
                }
                _ = pings.tick() => {
                    if received_at.elapsed() > CLIENT_TIMEOUT {
                        return None;
                    }
                    socket.feed(Message::Ping(axum::body::Bytes::new())).await.ok()?;
                }
            }
            // An answer and the messages that it causes go together.
            loop {
                match messages.try_recv() {
                    Ok(message) => self.forward(socket, message).await?,
                    Err(TryRecvError::Lagged(_)) => feed_event(socket, &StudyEvent::Reload {})?,
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                }
            }
            socket.flush().await.ok()?;
        }
    }

    async fn forward(&mut self, socket: &mut WebSocket, message: StudyMessage) -> Option<()> {
        match message {
            StudyMessage::Edited(text) => {
                socket.feed_text((&*text).into());
                Some(())
            }
            StudyMessage::Changed(change) => self.send_change(socket, change).await,
            StudyMessage::Missed => feed_event(socket, &StudyEvent::Reload {}),
            StudyMessage::Where(text) => {
                if self.is_member {
                    socket.feed_text((&*text).into());
                }
                Some(())
            }
        }
    }

    /// Sends the study without its moves; `None` if the client may not read it any more, or it is gone.
    async fn send_study(&mut self, socket: &mut WebSocket) -> Option<()> {
        let access = studies::readable(&self.state, &self.visitor, &self.id).await.ok()?;
        let study = studies::to_wire(&self.state, &access).await.ok()?;
        feed_event(socket, &StudyEvent::Study { study: Box::new(study) })?;
        self.set_member(socket, access.is_member());
        Some(())
    }

    /// Starts to send a member where the others are; stops, and forgets where they were, after they have lost their membership.
    fn set_member(&mut self, socket: &mut WebSocket, is_member: bool) {
        if is_member && !self.is_member {
            self.live.places_of_members().iter().for_each(|text| socket.feed_text((&**text).into()));
        } else if let Some(present) = self.present.as_mut().filter(|_| !is_member) {
            present.leave();
        }
        self.is_member = is_member;
    }

    /// Sends the study after a change, which is read once for all; `None` as above.
    async fn send_change(&mut self, socket: &mut WebSocket, change: u64) -> Option<()> {
        // Several changes may have been read at once.
        if change <= self.change {
            return Some(());
        }
        let outline = self.state.studies.outline(&self.live, change).await.ok()?;
        self.change = outline.change;
        let (text, is_member) = studies::changed_text(self.visitor.id(), &outline).ok()?;
        socket.feed_text((&*text).into());
        self.set_member(socket, is_member);
        Some(())
    }

    async fn on_message(&mut self, socket: &mut WebSocket, text: &str) -> Option<()> {
        if self.messages.1.elapsed() > Duration::from_secs(10) {
            self.messages = (0, Instant::now());
        }
        self.messages.0 += 1;
        let answer = if self.messages.0 > 10 * MESSAGES_PER_SECOND {
            StudyEvent::Error { problem: AppError::Slow(10).problem() }
        } else if has_control_in_json(text.as_bytes()) {
            StudyEvent::Error { problem: AppError::CONTROL.problem() }
        } else {
            match serde_json::from_str::<StudyCommand>(text) {
                Ok(StudyCommand::Ping {}) => StudyEvent::Pong {},
                Ok(StudyCommand::At(place)) => match self.move_to(place) {
                    Ok(()) => return Some(()),
                    Err(error) => StudyEvent::Error { problem: error.problem() },
                },
                Ok(StudyCommand::Edit(edits)) => match self.carry_out(&edits).await {
                    Ok(done) => StudyEvent::Done(done),
                    Err(error) => StudyEvent::Error { problem: error.problem() },
                },
                Err(error) => StudyEvent::Error { problem: AppError::Invalid(error.to_string()).problem() },
            }
        };
        feed_event(socket, &answer)
    }

    /// Sends the client's place to the other members. Places beyond the budget are dropped: the next one replaces them.
    fn move_to(&mut self, place: StudyPlace) -> AppResult<()> {
        let is_long = place.path.len() > MAX_PLIES
            || place.path.iter().chain([&place.chapter]).any(|word| word.len() > MAX_WORD);
        if is_long {
            return Err(AppError::Invalid(format!(
                "expected a chapter and at most {MAX_PLIES} moves, each of at most {MAX_WORD} bytes"
            )));
        }
        let (Some(user), Some(present), true) = (self.visitor.user(), &mut self.present, self.is_member)
        else {
            return Ok(());
        };
        let charged = self.state.budgets.charge(Operation::StudyPlace, Some(&user.id), self.visitor.client());
        if let (Ok(()), Some(name)) = (charged, &user.name) {
            present.move_to(name, place);
        }
        Ok(())
    }

    async fn carry_out(&mut self, edits: &StudyEdits) -> AppResult<EditsDone> {
        if !self.guard.is_valid(&self.state, &self.visitor).await {
            return Err(AppError::SignIn);
        }
        perform(&self.state, &self.visitor, &self.id, edits).await
    }
}

/// Queues an event for the next flush.
fn feed_event(socket: &mut WebSocket, event: &StudyEvent) -> Option<()> {
    socket.feed_text(serde_json::to_string(event).ok()?.into());
    Some(())
}
