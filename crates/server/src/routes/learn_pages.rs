//! The pages of the lessons: the games that can be learned, the course of one, its endings to be won, and
//! the names of its squares.

use super::erased::get;
use super::pages::{Page, shared_frame, summaries};
use super::{AppResult, lessons, variants};
use crate::auth::Visitor;
use crate::drills;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, LearnGame};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Html;
use lozenge_rules::variant::Variant;
use lozenge_wire::Board;
use std::sync::Arc;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/learn", get(overview))
        .route("/learn/{id}", get(course))
        .route("/learn/{id}/endings", get(endings))
        .route("/learn/{id}/coordinates", get(coordinates))
}

async fn overview(State(state): State<AppState>, visitor: Visitor, headers: HeaderMap) -> Page {
    let progress = match visitor.user() {
        Some(user) => lessons::courses_of(&state, &user.id).await?,
        None => Vec::new(),
    };
    let game = |summary: lozenge_wire::VariantSummary| {
        let variant = state.variants.game(&summary.id)?;
        let levels = lozenge_lessons::built_in_levels(&summary.id)?;
        let course = progress.iter().find(|course| course.variant == summary.id);
        let solved = course.map_or((0, 0), |course| (course.levels, course.stars));
        Some(LearnGame { digest: state.variants.digest(&variant), levels, solved, summary })
    };
    let games: Vec<LearnGame> = summaries(&state).into_iter().filter_map(game).collect();
    let frame = shared_frame(&state, &visitor, &headers, "src/learn/list.ts")?;
    Ok(Html(views::learn(frame, &games).map_err(AppError::from)?))
}

/// A game that the visitor may learn, and its board.
async fn game(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<(Arc<Variant>, Board)> {
    if state.store.is_banned(id).await? {
        return Err(AppError::NotFound("variant of this id"));
    }
    let variant = variants::find(state, visitor.id(), id).await?;
    let board = variants::board_of(state, &variant).await?;
    Ok((variant, board))
}

async fn course(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    let (variant, board) = game(&state, &visitor, &id).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/learn/main.tsx")?;
    let practice = (drills::has_drills(&variant), state.store.has_puzzles(&id).await?);
    Ok(Html(views::course(frame, &variant, &id, board, practice).map_err(AppError::from)?))
}

async fn coordinates(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    let (variant, board) = game(&state, &visitor, &id).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/coordinates/main.tsx")?;
    Ok(Html(views::coordinates(frame, &variant, &id, board).map_err(AppError::from)?))
}

async fn endings(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    let variant = state.variants.game(&id).filter(|game| drills::has_drills(game));
    let variant = variant.ok_or(AppError::NotFound("endings of this game"))?;
    let board = variants::board_of(&state, &variant).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/drills/main.tsx")?;
    Ok(Html(views::endings(frame, &variant, board).map_err(AppError::from)?))
}
