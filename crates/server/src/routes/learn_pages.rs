//! The pages of the lessons: the games that can be learned, the course of one, its endings to be won, and
//! the names of its squares.

use super::erased::get;
use super::page::{Page, all_summaries, shared_frame};
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
use lozenge_rules::library::AnyGame;
use lozenge_wire::Board;

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
        let game = state.variants.any_game(&summary.id)?;
        let levels = lozenge_lessons::built_in_levels(&summary.id)?;
        let course = progress.iter().find(|course| course.variant == summary.id);
        let solved = course.map_or((0, 0), |course| (course.levels, course.stars));
        Some(LearnGame { digest: state.variants.any_digest(&game), levels, solved, summary })
    };
    let games: Vec<LearnGame> = all_summaries(&state).into_iter().filter_map(game).collect();
    let frame = shared_frame(&state, &visitor, &headers, "src/learn/list.ts")?;
    Ok(Html(views::learn(frame, &games).map_err(AppError::from)?))
}

/// A game that the visitor may learn, and its board.
async fn game(state: &AppState, visitor: &Visitor, id: &str) -> AppResult<(AnyGame, Board)> {
    if state.store.is_banned(id).await? {
        return Err(AppError::NotFound("variant of this id"));
    }
    let game = variants::find_any(state, visitor.id(), id).await?;
    let board = variants::board_of(state, game.clone()).await?;
    Ok((game, board))
}

async fn course(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    let (learned, board) = game(&state, &visitor, &id).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/learn/main.tsx")?;
    let has_drills = learned.two().is_some_and(|game| drills::has_drills(game));
    let practice = (has_drills, state.store.has_puzzles(&id).await?);
    let page = views::course(frame, learned.first_pair(), &id, board, practice).map_err(AppError::from)?;
    Ok(Html(page))
}

async fn coordinates(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Page {
    let (learned, board) = game(&state, &visitor, &id).await?;
    let frame = shared_frame(&state, &visitor, &headers, "src/coordinates/main.tsx")?;
    Ok(Html(views::coordinates(frame, learned.first_pair(), &id, board).map_err(AppError::from)?))
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
