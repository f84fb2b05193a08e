//! The games that can be played, and their boards.

use super::Answer;
use crate::app::AppState;
use crate::error::AppError;
use crate::hub::Variants;
use crate::shown;
use axum::Json;
use axum::extract::{Path, State};
use lozenge_rules::variant::{self, Variant, library};
use lozenge_wire::{Board, BoardView, Problem, VariantSummary};
use std::sync::Arc;

/// A game by id.
pub(super) fn find(state: &AppState, id: &str) -> Answer<Arc<Variant>> {
    state.variants.game(id).ok_or(AppError::NotFound("game of this id"))
}

/// What is said of a game in lists.
pub(crate) fn summary(variant: &Variant) -> VariantSummary {
    VariantSummary {
        id: variant.id().into(),
        name: variant.name().into(),
        author: variant.author().into(),
        year: variant.year(),
        about: variant.about().trim().replace('\n', " "),
        squares: variant.shape().len() as u32,
        starts: variant.starts().len() as u32,
        view: match variant.view() {
            variant::View::Diamond => BoardView::Diamond,
            variant::View::Square => BoardView::Square,
        },
        main: library::ids().take(library::OWN_GAMES).any(|id| id == variant.id()),
    }
}

/// The games that can be played here.
#[utoipa::path(get, path = "/api/variants", tag = "variants", responses((status = 200, body = Vec<VariantSummary>)))]
pub(super) async fn list(State(state): State<AppState>) -> Json<Vec<VariantSummary>> {
    Json(Variants::ids().filter_map(|id| state.variants.game(id)).map(|game| summary(&game)).collect())
}

/// One game.
#[utoipa::path(get, path = "/api/variants/{id}", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = VariantSummary), (status = 404, body = Problem)))]
pub(super) async fn show(State(state): State<AppState>, Path(id): Path<String>) -> Answer<Json<VariantSummary>> {
    Ok(Json(summary(&*find(&state, &id)?)))
}

/// The board of a game, as it is drawn.
#[utoipa::path(get, path = "/api/variants/{id}/board", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = Board), (status = 404, body = Problem)))]
pub(super) async fn board(State(state): State<AppState>, Path(id): Path<String>) -> Answer<Json<Board>> {
    Ok(Json(shown::board(&*find(&state, &id)?)))
}
