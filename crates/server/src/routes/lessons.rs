//! The lessons of a game.

use super::input::{Client, JsonBody};
use super::{AppResult, page, variants};
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
use lozenge_game::time::now_ms;
use lozenge_rules::library::AnyGame;
use lozenge_store::CourseRow;
use lozenge_wire::{Course, CourseProgress, LessonAttempt, LessonProgress, LessonState, Problem, Scope};
use std::collections::HashSet;

/// Most levels of a course, and most bytes of a level's id.
const MAX_LEVELS: usize = 64;
const MAX_LEVEL_ID: usize = 40;
/// Most courses of a profile.
const MAX_COURSES: i64 = 100;

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
    let game = variants::find_any(&state, visitor.user().map(|user| user.id.as_str()), &variant).await?;
    let language = page::language(&visitor, &headers);
    let digest = state.variants.any_digest(&game);
    let parts = format!("lessons {digest} {}", language.code());
    if let Some(known) = state.pages.known(&parts) {
        return Ok(known.answer(&headers));
    }
    state.budgets.charge_network(Operation::Lessons, client.address)?;
    let pages = state.pages.clone();
    // Another request may have made them while this one waited for its turn.
    let make = move || {
        let course = || serde_json::to_string(&convert::course(&game, digest, language));
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
    let game = variants::find_any(&state, visitor.id(), &variant).await?;
    state.budgets.charge_network(Operation::LessonMove, client.address)?;
    let play = move || lesson::attempt(&game, &request);
    let played = client.while_waiting(state.heavy.run(client.address, HeavyKind::Lessons, play)).await?;
    Ok(Json(played.map_err(|error| AppError::Invalid(error.to_string()))?))
}

/// Adds levels that the client has solved to its account, and answers with all that it has solved of this course. Of each level
/// the most stars count, so the same can be sent again. Levels that the course does not have are left out.
#[utoipa::path(put, operation_id = "lesson_progress", path = "/api/lessons/{variant}/progress", tag = "variants",
    request_body = LessonProgress, params(("variant" = String, Path)),
    responses((status = 200, body = LessonProgress), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(super) async fn progress(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(id): Path<String>,
    JsonBody(LessonProgress { mut stars }): JsonBody<LessonProgress>,
) -> AppResult<Json<LessonProgress>> {
    visitor.may(Scope::Play)?;
    let me = visitor.user().filter(|user| user.name.is_some()).ok_or(AppError::SignIn)?;
    let game = variants::find_any(&state, Some(&me.id), &id).await?;
    if stars.len() > MAX_LEVELS || !stars.iter().all(|(level, stars)| is_solved_level(level, *stars)) {
        let expected = format!("expected at most {MAX_LEVELS} ids of levels, each with 1 to 3 stars");
        return Err(AppError::Invalid(expected));
    }
    let digest = state.variants.any_digest(&game);
    let levels = levels(&state, client, &game, &digest).await?;
    stars.retain(|level, _| levels.contains(level));
    let stars = state.store.add_lesson_stars(&me.id, &id, &digest, &stars, now_ms()).await?;
    Ok(Json(LessonProgress { stars }))
}

/// The ids of the levels of a game's course, which are made once.
async fn levels(
    state: &AppState,
    client: Client,
    game: &AnyGame,
    digest: &str,
) -> AppResult<HashSet<String>> {
    let parts = format!("levels {digest}");
    let made = match state.pages.known(&parts) {
        Some(known) => known,
        None => {
            state.budgets.charge_network(Operation::Lessons, client.address)?;
            let (pages, game) = (state.pages.clone(), game.clone());
            let make = move || {
                let course = lozenge_lessons::course(&game);
                let ids = course.stages.iter().flat_map(|stage| stage.with_ids(&game)).map(|(id, _)| id);
                let ids: Vec<String> = ids.collect();
                pages.get_of_kind("application/json", &parts, || serde_json::to_string(&ids))
            };
            let made =
                client.while_waiting(state.heavy.run(client.address, HeavyKind::Lessons, make)).await?;
            made.map_err(|error| AppError::Internal(error.to_string()))?
        }
    };
    serde_json::from_slice(made.text()).map_err(|error| AppError::Internal(error.to_string()))
}

/// A user's progress in the courses of built-in games as they are now, the latest first.
pub(super) async fn courses_of(state: &AppState, user: &str) -> AppResult<Vec<CourseProgress>> {
    let rows = state.store.courses_of(user, MAX_COURSES).await?;
    let course = |row: CourseRow| {
        let game = state.variants.any_game(&row.variant)?;
        let of = lozenge_lessons::built_in_levels(&row.variant)?;
        (state.variants.any_digest(&game) == row.digest).then(|| CourseProgress {
            variant_name: game.name().to_owned(),
            levels: u32::try_from(row.levels).unwrap_or(u32::MAX).min(of),
            of,
            stars: u32::try_from(row.stars).unwrap_or(u32::MAX).min(3 * of),
            variant: row.variant,
        })
    };
    Ok(rows.into_iter().filter_map(course).collect())
}

/// Whether this can be a solved level: its id, and its stars.
fn is_solved_level(level: &str, stars: u8) -> bool {
    let is_id = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=MAX_LEVEL_ID).contains(&level.len()) && level.bytes().all(is_id) && (1..=3).contains(&stars)
}
