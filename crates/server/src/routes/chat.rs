//! Reports of chat. The chat itself goes by the game's socket and actions.

use super::{AppResult, games};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use lozenge_game::time::now_ms;
use lozenge_live::games::Audience;
use lozenge_wire::{Problem, Reported, Scope, Status};

/// Reports a line of chat to the moderators of this site. Its author, room, text and time are stored for them. Reporting a
/// line again changes nothing.
#[utoipa::path(post, operation_id = "report_line", path = "/api/games/{id}/chat/{number}/report", tag = "games",
    params(("id" = String, Path), ("number" = i64, Path, description = "The line's number, as its event has it")),
    responses((status = 201, body = Reported), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 429, body = Problem)))]
pub(super) async fn report(
    State(state): State<AppState>,
    mut visitor: Visitor,
    Path((id, number)): Path<(String, String)>,
) -> AppResult<(StatusCode, Json<Reported>)> {
    visitor.may(Scope::Play)?;
    let live = games::readable(&state, &visitor, &id).await?;
    let (plays, over) = {
        let inner = live.lock().await;
        (games::side(&visitor, &inner.machine).is_some(), inner.machine.status() == Status::Finished)
    };
    let number: i64 = number.parse().map_err(|_| AppError::NotFound("line of this number"))?;
    let line = state.store.chat_line(&id, number).await?;
    // A line that one may not read is not there.
    let line = line
        .filter(|line| Audience::of(line.room).includes(plays, over))
        .ok_or(AppError::NotFound("line of this number"))?;
    if visitor.user().is_some_and(|me| me.id == line.author) {
        return Err(Denial::OwnLine.into());
    }
    let me = visitor.ensure(&state).await?;
    state.limits.check_report(&me.id)?;
    let kept = state.store.keep_report(&line, number, &me, now_ms()).await?;
    // Either may have gone, with the account, while this was on its way.
    for person in [&me.id, &line.author] {
        if state.store.user(person).await?.is_none() {
            state.store.erase_author(person).await?;
        }
    }
    if kept {
        metrics::counter!("lozenge_chat_reports").increment(1);
        tracing::info!(game = id, number, "a line of chat was reported: `lozenge reports` shows it");
    }
    let words = "Thank you. The moderators of this site can now read the line and see its author.".into();
    Ok((StatusCode::CREATED, Json(Reported { from: line.author_name, text: line.line, words })))
}
