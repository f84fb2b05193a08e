//! All data about a user as one JSON document, which is sent while it is read: it never is in memory as a whole. Not here:
//! the rows (`store`).

use super::{AppResult, challenges, game_list, push, security};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::state::AppState;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use lozenge_game::PresenceInfo;
use lozenge_game::time::now_ms;
use lozenge_store::{UserRow, write_json};
use lozenge_wire::{Problem, Scope};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

/// Parts of the document that wait for a slow reader.
const MAX_PENDING: usize = 4;
/// Bytes that are sent together, where they are not of one value.
const PART: usize = 16 << 10;
/// Rows that are read at once.
const PAGE: i64 = 50;

/// All data stored about the client, as one JSON document.
#[utoipa::path(get, operation_id = "my_data", path = "/api/account/data", tag = "account",
    responses((status = 200, body = serde_json::Value), (status = 401, body = Problem)))]
pub(super) async fn show(State(state): State<AppState>, visitor: Visitor) -> AppResult<impl IntoResponse> {
    visitor.may(Scope::Read)?;
    let user = visitor.user().ok_or(AppError::SignIn)?.clone();
    let export = state.limits.begin_export(&user.id)?;
    state.budgets.charge(Operation::OwnData, Some(&user.id), visitor.client())?;
    let (sender, receiver) = mpsc::channel(MAX_PENDING);
    tokio::spawn(async move {
        let mut document = Document { sender: sender.clone(), text: String::new() };
        let written = document.write(&state, &visitor, &user).await;
        if let Err(Stop::Failed(error)) = written {
            tracing::error!(%error, "an export of a user's data was cut off");
            // The reader learns that the document is incomplete.
            let _ = sender.send(Err(error)).await;
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"lozenge-data.json\""),
    ];
    // Another may begin as soon as the client has this one, or has disconnected.
    let parts = ReceiverStream::new(receiver).map(move |part| {
        let _running = &export;
        part
    });
    Ok((headers, Body::from_stream(parts)))
}

/// A chapter of a user's study.
#[derive(Serialize)]
struct OwnChapter {
    study: String,
    name: String,
    /// The moves, as the text of JSON that is stored.
    tree: String,
}

/// A user's edit of a study.
#[derive(Serialize)]
struct OwnEdit<'a> {
    study: &'a str,
    /// The edit, as the text of JSON that is stored.
    edit: &'a str,
    /// When, in Unix milliseconds.
    at: i64,
}

/// Why a document is not finished.
enum Stop {
    Failed(AppError),
    /// The client has disconnected.
    Gone,
}

impl<E: Into<AppError>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// A document while it is written.
struct Document {
    sender: mpsc::Sender<Result<Bytes, AppError>>,
    /// Text that has not been sent yet.
    text: String,
}

impl Document {
    async fn write(&mut self, state: &AppState, visitor: &Visitor, user: &UserRow) -> Result<(), Stop> {
        let store = &state.store;
        self.text.push('{');
        self.member("account", &security::describe(state, visitor).await?).await?;
        self.member("created_at", &user.created_at).await?;
        self.member("network", &store.network_of(&user.id).await?).await?;
        self.member("tokens", &store.tokens(&user.id).await?).await?;
        self.games(state, visitor, user).await?;
        self.member("chat", &store.chat_lines_by(&user.id).await?).await?;
        self.member("rating_history", &store.rating_histories(&user.id).await?).await?;
        let seeks = state.lobby.list(Some(&user.id)).into_iter().filter(|seek| seek.yours);
        self.member("seeks", &seeks.collect::<Vec<_>>()).await?;
        self.member("challenges", &challenges::open(state, &user.id).await?).await?;
        self.member("push_subscriptions", &push::settings(state, &user.id).await?.0.subscriptions).await?;
        self.member("reports", &store.reports_by(&user.id).await?).await?;
        self.member("variants", &store.variant_data(&user.id).await?).await?;
        self.studies(state, user).await?;
        self.member("lessons", &store.courses_of(&user.id, i64::MAX).await?).await?;
        self.member("puzzles", &store.puzzle_rounds(&user.id, i64::MAX, i64::MAX).await?).await?;
        self.text.push('}');
        self.send().await
    }

    /// Every game as its player sees it, by the record.
    async fn games(&mut self, state: &AppState, visitor: &Visitor, user: &UserRow) -> Result<(), Stop> {
        self.begin_list("games");
        for id in state.store.games_of(&user.id).await? {
            let me = user.id.clone();
            let game = game_list::written(state, visitor.client(), &id, move |game| {
                Some(write_json(&game.to_wire(game.side_of(&me), now_ms(), PresenceInfo::default())))
            });
            if let Some(game) = game.await? {
                self.item(&game).await?;
            }
        }
        self.text.push(']');
        Ok(())
    }

    async fn studies(&mut self, state: &AppState, user: &UserRow) -> Result<(), Stop> {
        let store = &state.store;
        self.comma();
        self.text.push_str("\"studies\":{");
        for (name, rows) in store.study_data(&user.id).await? {
            self.member(name, &rows).await?;
        }
        self.begin_list("chapters");
        for (study, chapter) in store.chapters_of_owner(&user.id).await? {
            if let Some((name, tree)) = store.chapter_text(&study, &chapter).await? {
                self.item(&write_json(&OwnChapter { study, name, tree })).await?;
            }
        }
        self.text.push(']');
        self.begin_list("edits");
        for study in store.studies_edited_by(&user.id).await? {
            let mut after = 0;
            loop {
                let edits = store.edits_by(&user.id, &study, after, PAGE).await?;
                let Some(last) = edits.last() else { break };
                after = last.seq;
                for edit in &edits {
                    self.item(&write_json(&OwnEdit { study: &study, edit: &edit.edit, at: edit.at })).await?;
                }
            }
        }
        self.text.push_str("]}");
        Ok(())
    }

    /// Adds a member to the object that is being written.
    async fn member(&mut self, name: &str, value: &impl Serialize) -> Result<(), Stop> {
        self.comma();
        self.text.push_str(&write_json(&name));
        self.text.push(':');
        self.text.push_str(&write_json(value));
        self.send_part().await
    }

    fn begin_list(&mut self, name: &str) {
        self.comma();
        self.text.push_str(&write_json(&name));
        self.text.push_str(":[");
    }

    /// Adds an item to the list that is being written.
    async fn item(&mut self, json: &str) -> Result<(), Stop> {
        self.comma();
        self.text.push_str(json);
        self.send_part().await
    }

    /// Separates what comes from what is there.
    fn comma(&mut self) {
        if !self.text.ends_with(['{', '[']) {
            self.text.push(',');
        }
    }

    /// Sends the text if it is long enough.
    async fn send_part(&mut self) -> Result<(), Stop> {
        if self.text.len() < PART { Ok(()) } else { self.send().await }
    }

    async fn send(&mut self) -> Result<(), Stop> {
        let part = Bytes::from(std::mem::take(&mut self.text));
        self.sender.send(Ok(part)).await.map_err(|_| Stop::Gone)
    }
}
