//! A study's socket: clients send edits of its chapters and receive those of others. After a reconnect a client receives
//! what it has missed, and sends again what was not acknowledged; an edit that was sent twice is applied once.

use super::AppResult;
use super::connection::{Connection, Protocol, feed_event};
use super::input::{JsonBody, QueryParams};
use super::study_access;
use super::websocket::{WebSocket, WebSocketUpgrade};
use crate::auth::{CredentialGuard, Visitor};
use crate::budgets::Operation;
use crate::error::AppError;
use crate::limits::OpenStream;
use crate::state::AppState;
use crate::studies::{AppliedEdits, LiveStudy, PresentUser, StudyMessage};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_analysis::tree::MAX_PLIES;
use lozenge_wire::Problem;
use lozenge_wire::study::{EditsDone, RefusedEdit, StudyCommand, StudyEdits, StudyEvent, StudyPlace};
use serde::Deserialize;
use std::sync::Arc;

/// Largest message of a client, in bytes: a line of 600 half moves and two comments fit many times.
const MAX_MESSAGE: usize = 64 << 10;
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
    let me = study_access::account(visitor)?;
    study_access::writable(state, visitor, id).await?;
    let count = edits.edits.len() as u32;
    state.budgets.charge_times(Operation::StudyEdit, count, Some(&me.id), visitor.client())?;
    let AppliedEdits { number, seq, refused } =
        state.studies.edit(&state.studies.open(id), me, edits).await?;
    let refused = refused.into_iter().map(|(number, error)| {
        let problem = AppError::from(error).problem();
        RefusedEdit { number, problem }
    });
    Ok(EditsDone { number, seq, refused: refused.collect() })
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
    study_access::readable(&state, &visitor, &id).await?;
    let upgrade = upgrade?;
    let live = state.studies.open(&id);
    let place = live.places.take(visitor.client())?;
    Ok(upgrade.on_upgrade(MAX_MESSAGE, move |mut socket| async move {
        let present = visitor.id().map(|me| state.studies.enter(&live, me));
        let mut followed = FollowedStudy { live, id, present, is_member: false, change: 0 };
        let mut connection = Connection::new(state, visitor, guard, Some(place));
        metrics::gauge!("lozenge_study_sockets").increment(1.0);
        followed.run(&mut connection, &mut socket, after).await;
        metrics::gauge!("lozenge_study_sockets").decrement(1.0);
        drop(open);
    }))
}

struct FollowedStudy {
    live: Arc<LiveStudy>,
    id: String,
    present: Option<PresentUser>,
    /// Whether the client may know where members are.
    is_member: bool,
    /// The last change of the study that was sent.
    change: u64,
}

impl FollowedStudy {
    async fn run(
        &mut self,
        connection: &mut Connection,
        socket: &mut WebSocket,
        after: Option<u64>,
    ) -> Option<()> {
        let subscription = connection.state.studies.follow(&self.live, after).await.ok()?;
        self.send_study(connection, socket).await?;
        match subscription.missed {
            Some(missed) => missed.iter().for_each(|text| socket.feed_text((&**text).into())),
            None => feed_event(socket, &StudyEvent::Reload {})?,
        }
        connection.run(socket, self, subscription.messages).await
    }

    /// Sends the study without its moves; `None` if the client may not read it any more, or it is gone.
    async fn send_study(&mut self, connection: &Connection, socket: &mut WebSocket) -> Option<()> {
        let Connection { state, visitor, .. } = connection;
        let access = study_access::readable(state, visitor, &self.id).await.ok()?;
        let study = study_access::to_wire(state, &access).await.ok()?;
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
    async fn send_change(
        &mut self,
        connection: &Connection,
        socket: &mut WebSocket,
        change: u64,
    ) -> Option<()> {
        // Several changes may have been read at once.
        if change <= self.change {
            return Some(());
        }
        let outline = connection.state.studies.outline(&self.live, change).await.ok()?;
        self.change = outline.change;
        let (text, is_member) = study_access::changed_text(connection.visitor.id(), &outline).ok()?;
        socket.feed_text((&*text).into());
        self.set_member(socket, is_member);
        Some(())
    }

    /// Sends the client's place to the other members. Places beyond the budget are dropped: the next one replaces them.
    fn move_to(&mut self, connection: &Connection, place: StudyPlace) -> AppResult<()> {
        let is_long = place.path.len() > MAX_PLIES
            || place.path.iter().chain([&place.chapter]).any(|word| word.len() > MAX_WORD);
        if is_long {
            return Err(AppError::Invalid(format!(
                "expected a chapter and at most {MAX_PLIES} moves, each of at most {MAX_WORD} bytes"
            )));
        }
        let Connection { state, visitor, .. } = connection;
        let (Some(user), Some(present), true) = (visitor.user(), &mut self.present, self.is_member) else {
            return Ok(());
        };
        let charged = state.budgets.charge(Operation::StudyPlace, Some(&user.id), visitor.client());
        if let (Ok(()), Some(name)) = (charged, &user.name) {
            present.move_to(name, place);
        }
        Ok(())
    }
}

impl Protocol for FollowedStudy {
    type News = StudyMessage;
    type Event = StudyEvent;

    async fn forward(
        &mut self,
        connection: &Connection,
        socket: &mut WebSocket,
        message: StudyMessage,
    ) -> Option<()> {
        match message {
            StudyMessage::Edited(text) => socket.feed_text((&*text).into()),
            StudyMessage::Changed(change) => self.send_change(connection, socket, change).await?,
            StudyMessage::Missed => self.catch_up(connection, socket).await?,
            StudyMessage::Where(text) if self.is_member => socket.feed_text((&*text).into()),
            StudyMessage::Where(_) => {}
        }
        Some(())
    }

    async fn catch_up(&mut self, _: &Connection, socket: &mut WebSocket) -> Option<()> {
        feed_event(socket, &StudyEvent::Reload {})
    }

    async fn answer(&mut self, connection: &mut Connection, text: &str) -> AppResult<Option<StudyEvent>> {
        let command = serde_json::from_str(text).map_err(|error| AppError::Invalid(error.to_string()))?;
        Ok(match command {
            StudyCommand::Ping {} => Some(StudyEvent::Pong {}),
            StudyCommand::At(place) => {
                self.move_to(connection, place)?;
                None
            }
            StudyCommand::Edit(edits) => {
                if !connection.is_valid().await {
                    return Err(AppError::SignIn);
                }
                let Connection { state, visitor, .. } = connection;
                Some(StudyEvent::Done(perform(state, visitor, &self.id, &edits).await?))
            }
        })
    }

    fn refusal(_: &str, error: &AppError) -> StudyEvent {
        StudyEvent::Error { problem: error.problem() }
    }
}
