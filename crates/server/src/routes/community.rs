//! Feedback on studies and on games that users have made: likes, reports, and comments on games.

use super::input::{Client, JsonBody, QueryParams};
use super::study_access::{self, account};
use super::{AppResult, variants};
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use lozenge_game::text::is_one_line;
use lozenge_game::time::now_ms;
use lozenge_store::{CommentRow, ContentKind, UserRow, VariantRow};
use lozenge_wire::study::StudyReport;
use lozenge_wire::{NewComment, PlayerKind, Problem, VariantComment, VariantReport};
use serde::Deserialize;
use utoipa::IntoParams;

/// Most characters of a comment, and of the reason of a report.
const MAX_COMMENT: usize = 2_000;
const MAX_REASON: usize = 500;
/// Longest id of a comment, in characters.
const MAX_ID: usize = 40;
/// Comments of one answer.
const PAGE: i64 = 50;

/// The user with an account who asks, and the game.
async fn about(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<(UserRow, VariantRow)> {
    let me = account(visitor)?;
    Ok((me.clone(), variants::published(state, Some(&me.id), id).await?))
}

/// The user with an account who asks, and the id in the database of a study or a game that the user may see.
async fn content(
    state: &AppState,
    visitor: &Visitor,
    kind: ContentKind,
    id: &str,
) -> AppResult<(String, String)> {
    let me = account(visitor)?;
    let row = match kind {
        ContentKind::Study => study_access::readable(state, visitor, id).await?.row.id,
        ContentKind::Variant => variants::published(state, Some(&me.id), id).await?.id,
    };
    Ok((me.id.clone(), row))
}

async fn set_like(
    state: &AppState,
    visitor: &Visitor,
    kind: ContentKind,
    id: &str,
    like: bool,
) -> AppResult<StatusCode> {
    let (me, row) = content(state, visitor, kind, id).await?;
    state.store.like(kind, &row, &me, like, now_ms()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Likes a game that a user has made.
#[utoipa::path(put, operation_id = "like_variant", path = "/api/variants/{id}/like", tag = "variants", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn like_variant(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    set_like(&state, &visitor, ContentKind::Variant, &id, true).await
}

/// Takes a like back.
#[utoipa::path(delete, operation_id = "unlike_variant", path = "/api/variants/{id}/like", tag = "variants", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn unlike_variant(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    set_like(&state, &visitor, ContentKind::Variant, &id, false).await
}

/// Likes a study.
#[utoipa::path(put, operation_id = "like_study", path = "/api/studies/{id}/like", tag = "studies", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem)))]
pub(super) async fn like_study(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    set_like(&state, &visitor, ContentKind::Study, &id, true).await
}

/// Takes a like back.
#[utoipa::path(delete, operation_id = "unlike_study", path = "/api/studies/{id}/like", tag = "studies", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem)))]
pub(super) async fn unlike_study(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    set_like(&state, &visitor, ContentKind::Study, &id, false).await
}

/// The comments to list.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct BeforeQuery {
    /// Only comments written before this moment, in Unix milliseconds.
    before: Option<i64>,
}

/// The comments on a game, the latest first.
#[utoipa::path(get, operation_id = "list_comments", path = "/api/variants/{id}/comments", tag = "variants", params(("id" = String, Path), BeforeQuery),
    responses((status = 200, body = Vec<VariantComment>), (status = 404, body = Problem)))]
pub(super) async fn comments(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    QueryParams(BeforeQuery { before }): QueryParams<BeforeQuery>,
) -> AppResult<Json<Vec<VariantComment>>> {
    let row = variants::published(&state, visitor.id(), &id).await?;
    let found = state.store.comments(&row.id, before.unwrap_or(i64::MAX), PAGE).await?;
    Ok(Json(found.into_iter().map(|comment| to_wire(comment, &row, visitor.id())).collect()))
}

fn to_wire(comment: CommentRow, row: &VariantRow, reader: Option<&str>) -> VariantComment {
    let removable = reader.is_some_and(|reader| reader == comment.author || reader == row.owner);
    let author_kind = if comment.author.is_empty() { PlayerKind::Guest } else { PlayerKind::User };
    let CommentRow { id, author_name: author, text, at, .. } = comment;
    VariantComment { id, author, author_kind, text, at, removable }
}

/// Comments on a game.
#[utoipa::path(post, operation_id = "comment_variant", path = "/api/variants/{id}/comments", tag = "variants", params(("id" = String, Path)),
    request_body = NewComment, responses((status = 201, body = VariantComment), (status = 401, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn comment(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(id): Path<String>,
    JsonBody(new): JsonBody<NewComment>,
) -> AppResult<impl IntoResponse> {
    let (me, row) = about(&state, &visitor, &id).await?;
    let text = new.text.trim();
    let count = text.chars().count();
    if !(1..=MAX_COMMENT).contains(&count) || !text.lines().any(is_one_line) {
        return Err(AppError::Invalid(format!(
            "expected a text of 1 to {MAX_COMMENT} characters, found {count}"
        )));
    }
    if me.muted_until.is_some_and(|until| until > now_ms()) {
        return Err(Denial::CommentsMuted.into());
    }
    state.limits.check_comment(&me.id, client.address)?;
    let comment = CommentRow {
        id: lozenge_game::ids::other(),
        author: me.id.clone(),
        author_name: me.player().name,
        text: text.to_owned(),
        at: now_ms(),
    };
    if !state.store.keep_comment(&row.id, &comment).await? {
        return Err(Denial::TooManyComments.into());
    }
    Ok((StatusCode::CREATED, Json(to_wire(comment, &row, Some(&me.id)))))
}

/// Deletes a comment: one's own, or one on one's own game.
#[utoipa::path(delete, operation_id = "delete_comment", path = "/api/variants/{id}/comments/{comment}", tag = "variants",
    params(("id" = String, Path), ("comment" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn remove(
    State(state): State<AppState>,
    visitor: Visitor,
    Path((id, comment)): Path<(String, String)>,
) -> AppResult<StatusCode> {
    let (me, row) = about(&state, &visitor, &id).await?;
    if state.store.drop_comment(&row.id, &comment, &me.id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(AppError::NotFound("comment that you may delete"))
    }
}

/// Keeps a report of a study, a game, or a comment on a game (empty for the game itself) for the host of the site.
async fn report(
    state: &AppState,
    visitor: &Visitor,
    kind: ContentKind,
    (id, comment): (&str, &str),
    reason: &str,
) -> AppResult<StatusCode> {
    let (me, row) = content(state, visitor, kind, id).await?;
    let reason = reason.trim();
    let count = reason.chars().count();
    if !(1..=MAX_REASON).contains(&count) {
        return Err(AppError::Invalid(format!(
            "expected a reason of 1 to {MAX_REASON} characters, found {count}"
        )));
    }
    if comment.len() > MAX_ID {
        return Err(AppError::NotFound("comment of this id"));
    }
    state.limits.check_report(&me)?;
    state.store.report(kind, &row, comment, &me, reason, now_ms()).await?;
    match kind {
        ContentKind::Study => {
            tracing::info!(study = id, "a study was reported: `lozenge studies list --reported` shows it");
        }
        ContentKind::Variant => {
            tracing::info!(variant = id, "a game was reported: `lozenge games list --reported` shows it");
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Reports a game, or a comment on it, to the host of the site.
#[utoipa::path(post, operation_id = "report_variant", path = "/api/variants/{id}/report", tag = "variants", params(("id" = String, Path)),
    request_body = VariantReport, responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn report_variant(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(new): JsonBody<VariantReport>,
) -> AppResult<StatusCode> {
    let comment = new.comment.unwrap_or_default();
    report(&state, &visitor, ContentKind::Variant, (&id, &comment), &new.reason).await
}

/// Reports a study to the host of the site.
#[utoipa::path(post, operation_id = "report_study", path = "/api/studies/{id}/report", tag = "studies", params(("id" = String, Path)),
    request_body = StudyReport, responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn report_study(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
    JsonBody(new): JsonBody<StudyReport>,
) -> AppResult<StatusCode> {
    report(&state, &visitor, ContentKind::Study, (&id, ""), &new.reason).await
}
