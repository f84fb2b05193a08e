//! The lessons of a game.

use super::input::{Client, JsonBody};
use super::{AppResult, pages, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use lozenge_analysis::lesson;
use lozenge_game::convert;
use lozenge_wire::{Course, LessonAttempt, LessonState, Problem};

/// The lessons of a game, made from its rules: positions with goals, by stages. Titles and texts are in the reader's language.
#[utoipa::path(get, operation_id = "lessons", path = "/api/lessons/{variant}", tag = "variants",
    params(("variant" = String, Path)),
    responses((status = 200, body = Course), (status = 404, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(variant): Path<String>,
    headers: HeaderMap,
) -> AppResult<Response> {
    let variant = variants::find(&state, visitor.user().map(|user| user.id.as_str()), &variant).await?;
    let language = pages::language(&visitor, &headers);
    let digest = state.variants.digest(&variant);
    let parts = format!("lessons {digest} {}", language.code());
    if let Some(known) = state.pages.known(&parts) {
        return Ok(known.answer(&headers));
    }
    state.budgets.charge_network(Operation::Lessons, client.address)?;
    let pages = state.pages.clone();
    // Another request may have made them while this one waited for its turn.
    let make = move || {
        let course = || serde_json::to_string(&convert::course(&variant, digest, language));
        pages.get_of_kind("application/json", &parts, course)
    };
    let made = client.while_waiting(state.heavy.run(client.address, HeavyKind::Lessons, make)).await?;
    Ok(made.map_err(|error| AppError::Internal(error.to_string()))?.answer(&headers))
}

/// A move of a learner in a level: whether it reaches the goal, and from where the level goes on. The level comes with each
/// request, so that nothing is kept of the learner.
#[utoipa::path(post, operation_id = "attempt_lesson", path = "/api/lessons/{variant}/attempt", tag = "variants",
    request_body = LessonAttempt, params(("variant" = String, Path)),
    responses((status = 200, body = LessonState), (status = 404, body = Problem), (status = 422, body = Problem),
        (status = 503, body = Problem)))]
pub(super) async fn attempt(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(variant): Path<String>,
    JsonBody(request): JsonBody<LessonAttempt>,
) -> AppResult<Json<LessonState>> {
    let variant = variants::find(&state, visitor.id(), &variant).await?;
    state.budgets.charge_network(Operation::LessonMove, client.address)?;
    let play = move || lesson::attempt(&variant, &request);
    let played = client.while_waiting(state.heavy.run(client.address, HeavyKind::Lessons, play)).await?;
    Ok(Json(played.map_err(|error| AppError::Invalid(error.to_string()))?))
}
