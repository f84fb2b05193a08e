//! The pages of puzzles: the overview of a game's puzzles, one puzzle, a streak.

use super::erased::get;
use super::input::QueryParams;
use super::page::{Page, PageError, frame, shared_frame};
use super::puzzles::{
    PuzzleGameQuery, PuzzleQuery, choose, daily_for, describe, find, of_today, rating, ratings_of, rounds_of,
    streak_of, themes_of,
};
use crate::auth::Visitor;
use crate::error::AppError;
use crate::state::AppState;
use crate::views::{self, PuzzleGame, PuzzlesPageData};
use axum::Router;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{Html, Redirect};
use lozenge_game::convert;
use lozenge_live::puzzles::line;
use lozenge_rules::library;
use lozenge_store::PuzzleRow;
use lozenge_wire::{PlayerKind, PuzzleStart, PuzzleStreak};
use serde::Deserialize;

pub(super) fn router() -> Router<AppState> {
    Router::new()
        .route("/puzzles", get(overview))
        .route("/puzzles/next", get(next))
        .route("/puzzles/daily", get(daily))
        .route("/puzzles/streak", get(streak))
        .route("/puzzles/storm", get(storm))
        .route("/puzzles/{id}", get(show))
}

/// Which game's puzzles.
#[derive(Debug, Deserialize)]
struct OverviewQuery {
    variant: Option<String>,
}

/// Most attempts of the overview.
const MAX_ATTEMPTS: usize = 12;

async fn overview(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(OverviewQuery { variant }): QueryParams<OverviewQuery>,
) -> Page {
    let counts = state.store.puzzle_counts().await?;
    let games: Vec<PuzzleGame> = library::ids()
        .filter_map(|id| {
            let (_, puzzles) = counts.iter().find(|(known, _)| known == id)?;
            let name = state.variants.game(id)?.name().to_owned();
            Some(PuzzleGame { id: id.into(), name, puzzles: puzzles.unsigned_abs() })
        })
        .collect();
    let chosen_game = variant.as_deref().map(|id| super::puzzles::game(&state, id)).transpose()?;
    let chosen = games.iter().find(|game| chosen_game.as_ref().is_some_and(|chosen| chosen.id() == game.id));
    let chosen = chosen.or(games.first()).map(|game| game.id.clone());
    let themes = match &chosen {
        Some(id) => themes_of(&state, id).await?,
        None => Vec::new(),
    };
    let daily = daily_for(&state, &visitor).await?;
    let (ratings, mut rounds) = match visitor.id() {
        Some(me) => (ratings_of(&state, me).await?, rounds_of(&state, me, i64::MAX).await?),
        None => Default::default(),
    };
    rounds.truncate(MAX_ATTEMPTS);
    let page = PuzzlesPageData { games, chosen, themes, daily, ratings, rounds };
    let frame = frame(&visitor, &headers, "src/common/plain.ts");
    Ok(Html(views::puzzles(frame, &page).map_err(AppError::from)?))
}

/// Leads to the next puzzle.
async fn next(
    State(state): State<AppState>,
    visitor: Visitor,
    QueryParams(query): QueryParams<PuzzleQuery>,
) -> Result<Redirect, PageError> {
    let row = choose(&state, &visitor, &query).await?;
    let theme = query.theme.map(|theme| {
        let query =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("theme", &theme).finish();
        format!("?{query}")
    });
    Ok(Redirect::to(&format!("/puzzles/{}{}", row.id, theme.unwrap_or_default())))
}

/// Leads to the puzzle of the day.
async fn daily(State(state): State<AppState>) -> Result<Redirect, PageError> {
    let row = of_today(&state, None).await?.ok_or(AppError::NotFound("puzzle of the day"))?;
    Ok(Redirect::to(&format!("/puzzles/{}", row.id)))
}

async fn streak(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(PuzzleGameQuery { variant }): QueryParams<PuzzleGameQuery>,
) -> Page {
    let streak = streak_of(&state, &variant).await?;
    let first = streak.puzzles.first().map(String::as_str).unwrap_or_default();
    let row = find(&state, first).await?;
    puzzle(&state, &visitor, &headers, &row, None, Some(streak)).await
}

async fn storm(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    QueryParams(PuzzleGameQuery { variant }): QueryParams<PuzzleGameQuery>,
) -> Page {
    let variant = super::puzzles::game(&state, &variant)?;
    let frame = shared_frame(&state, &visitor, &headers, "src/storm/main.tsx")?;
    Ok(Html(views::storm(frame, &variant, convert::board(&variant)).map_err(AppError::from)?))
}

/// The theme by which a puzzle was chosen.
#[derive(Debug, Deserialize)]
struct ThemeQuery {
    theme: Option<String>,
}

async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(id): Path<String>,
    QueryParams(ThemeQuery { theme }): QueryParams<ThemeQuery>,
) -> Page {
    let row = find(&state, &id).await?;
    puzzle(&state, &visitor, &headers, &row, theme, None).await
}

async fn puzzle(
    state: &AppState,
    visitor: &Visitor,
    headers: &HeaderMap,
    row: &PuzzleRow,
    theme: Option<String>,
    streak: Option<PuzzleStreak>,
) -> Page {
    let me = visitor.player().filter(|player| player.kind == PlayerKind::User);
    let rating = match me {
        Some(me) => Some(rating(state, state.store.puzzle_rating(&me.id, &row.variant).await?)),
        None => None,
    };
    let start = line(&state.store, &state.variants, row).await?.start;
    let board = convert::board(start.variant());
    let puzzle = describe(state, visitor, row).await?;
    let data = PuzzleStart { puzzle, theme, streak, rating };
    let themes = themes_of(state, &row.variant).await?;
    let frame = shared_frame(state, visitor, headers, "src/puzzles/main.tsx")?;
    Ok(Html(views::puzzle(frame, &data, &themes, board).map_err(AppError::from)?))
}
