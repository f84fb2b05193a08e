//! The pages of the lessons: the games that can be learned, and the course of one.

use super::erased::get;
use super::pages::{Page, shared_frame, summaries};
use super::variants;
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, LearnGame};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Html;

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/learn", get(overview)).route("/learn/{id}", get(course))
}

async fn overview(State(state): State<AppState>, visitor: Visitor, headers: HeaderMap) -> Page {
    let game = |summary: lozenge_wire::VariantSummary| {
        let variant = state.variants.game(&summary.id)?;
        let levels = lozenge_lessons::built_in_levels(&summary.id)?;
        Some(LearnGame { digest: state.variants.digest(&variant), levels, summary })
    };
    let games: Vec<LearnGame> = summaries(&state).into_iter().filter_map(game).collect();
    let frame = shared_frame(&state, &visitor, &headers, "src/learn/list.ts")?;
    Ok(Html(views::learn(frame, &games).map_err(AppError::from)?))
}

async fn course(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    if state.store.is_banned(&id).await? {
        return Err(AppError::NotFound("variant of this id").into());
    }
    let variant = variants::find(&state, visitor.id(), &id).await?;
    let board = variants::board_of(&state, &variant).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/learn/main.tsx")?;
    Ok(Html(views::course(frame, &variant, &id, board).map_err(AppError::from)?))
}
