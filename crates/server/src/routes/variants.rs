//! The games that can be played, and their boards.

use super::input::QueryParams;
use super::{Answer, games};
use crate::convert;
use crate::error::AppError;
use crate::games::Variants;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::IntoResponse;
use lozenge_rules::geometry::Square;
use lozenge_rules::library;
use lozenge_rules::position::Piece;
use lozenge_rules::variant::{self, Variant};
use lozenge_wire::{Board, BoardView, Color, Diagram, Problem, VariantSummary};
use serde::Deserialize;
use std::sync::Arc;
use utoipa::IntoParams;

/// A game by id.
pub(super) fn find(state: &AppState, id: &str) -> Answer<Arc<Variant>> {
    state.variants.game(id).ok_or(AppError::NotFound("variant of this id"))
}

/// A game in lists.
pub(crate) fn summary(variant: &Variant) -> VariantSummary {
    VariantSummary {
        id: variant.id().into(),
        name: variant.name().into(),
        author: variant.author().into(),
        year: variant.year(),
        about: variant.about().trim().replace('\n', " "),
        squares: variant.shape().len() as u32,
        starts: variant.starts().len() as u32,
        start_names: start_names(variant),
        array: array(variant),
        view: match variant.view() {
            variant::View::Diamond => BoardView::Diamond,
            variant::View::Square => BoardView::Square,
        },
        main: library::ids().take(library::OWN_GAMES).any(|id| id == variant.id()),
    }
}

/// The names of the starting positions, if there are several and each has a name.
fn start_names(variant: &Variant) -> Vec<String> {
    let starts = variant.starts();
    if starts.len() < 2 || starts.iter().any(|start| start.name.is_empty()) {
        return Vec::new();
    }
    starts.iter().map(|start| start.name.clone()).collect()
}

/// The name of a game's only starting position, if it has one.
pub(crate) fn array(variant: &Variant) -> Option<String> {
    match variant.starts() {
        [only] if !only.name.is_empty() => Some(only.name.clone()),
        _ => None,
    }
}

/// The games that can be played here.
#[utoipa::path(get, operation_id = "list_variants", path = "/api/variants", tag = "variants", responses((status = 200, body = Vec<VariantSummary>)))]
pub(super) async fn list(State(state): State<AppState>) -> Json<Vec<VariantSummary>> {
    Json(Variants::ids().filter_map(|id| state.variants.game(id)).map(|game| summary(&game)).collect())
}

/// One game.
#[utoipa::path(get, operation_id = "show_variant", path = "/api/variants/{id}", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = VariantSummary), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Answer<Json<VariantSummary>> {
    Ok(Json(summary(&*find(&state, &id)?)))
}

/// The board of a game, as it is drawn.
#[utoipa::path(get, operation_id = "show_board", path = "/api/variants/{id}/board", tag = "variants", params(("id" = String, Path)),
    responses((status = 200, body = Board), (status = 404, body = Problem)))]
pub(super) async fn board(State(state): State<AppState>, Path(id): Path<String>) -> Answer<Json<Board>> {
    Ok(Json(convert::board(&find(&state, &id)?)))
}

/// Which start.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct Start {
    /// Number of one of the game's own starts, from 0.
    start: Option<u32>,
    /// Another position in which the game is not over.
    fen: Option<String>,
    /// Squares in the colors of their side instead of pieces: for pictures of less than about 100 pixels.
    #[serde(default)]
    thumbnail: bool,
}

/// The start of a game as SVG: its usual one, another of its own by number, or a position that a game can begin from.
#[utoipa::path(get, operation_id = "picture_start", path = "/api/variants/{id}/picture.svg", tag = "variants", params(("id" = String, Path), Start),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn picture(
    State(state): State<AppState>,
    Path(id): Path<String>,
    QueryParams(Start { start, fen, thumbnail }): QueryParams<Start>,
) -> Answer<impl IntoResponse> {
    let variant = find(&state, &id)?;
    let position = games::start_position(&variant, fen.as_deref(), start)?;
    let view = lozenge_picture::BoardView {
        coordinates: false,
        ghosts: false,
        theme: lozenge_picture::Theme::Clear,
        thumbnail,
        ..lozenge_picture::BoardView::of(&variant)
    };
    let picture = lozenge_picture::svg(&lozenge_picture::scene(&position, &view));
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=3600")], picture))
}

/// A piece and its square.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct ManAt {
    /// Id of its role.
    role: String,
    /// Number of its square.
    square: u16,
    /// Its color.
    color: Color,
}

/// The moves of a piece that stands alone on a square.
#[utoipa::path(get, operation_id = "show_diagram", path = "/api/variants/{id}/diagram", tag = "variants", params(("id" = String, Path), ManAt),
    responses((status = 200, body = Diagram), (status = 404, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn diagram(
    State(state): State<AppState>,
    Path(id): Path<String>,
    QueryParams(man): QueryParams<ManAt>,
) -> Answer<Json<Diagram>> {
    let variant = find(&state, &id)?;
    let roles: Vec<String> = variant.roles().iter().map(|(_, info)| convert::role_id(&info.name)).collect();
    let role = variant.roles().iter().map(|(role, _)| role).zip(&roles).find(|(_, id)| **id == man.role);
    let (role, _) = role.ok_or_else(|| {
        AppError::Invalid(format!("expected one of {}, found {}", roles.join(", "), man.role))
    })?;
    let squares: Vec<_> = variant.shape().squares().collect();
    let from = squares.get(usize::from(man.square)).ok_or_else(|| {
        AppError::Invalid(format!("expected a square of 0 to {}, found {}", squares.len() - 1, man.square))
    })?;
    let reach = variant.reach(Piece::new(convert::rules_color(man.color), role), *from);
    let numbers = |squares: Vec<Square>| squares.into_iter().map(|square| square.index() as u16).collect();
    Ok(Json(Diagram {
        quiet: numbers(reach.quiet),
        capture: numbers(reach.capture),
        first: numbers(reach.first),
        over: numbers(reach.over),
    }))
}
