//! Endgame tables: the value of a position with few pieces, and of its moves; drills with positions that they have as won.

use super::input::{Client, QueryParams};
use super::{AppResult, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::AnyPosition;
use lozenge_tablebase::Value;
use lozenge_wire::{
    DrillClass, DrillPosition, Drills, Problem, TableCategory, TableCoverage, TableMove, TablePosition,
};
use serde::Deserialize;
use utoipa::IntoParams;

/// The position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct TableQuery {
    /// The position.
    fen: String,
}

/// The games that have endgame tables, and how many pieces a position may have.
#[utoipa::path(get, operation_id = "list_tables", path = "/api/tables", tag = "tables",
    responses((status = 200, body = Vec<TableCoverage>)))]
pub(super) async fn list(State(state): State<AppState>) -> Json<Vec<TableCoverage>> {
    let coverage = state.endgames.coverage();
    let mut games: Vec<TableCoverage> = coverage
        .map(|(variant, pieces)| TableCoverage { variant: variant.into(), pieces: pieces as u32 })
        .collect();
    games.sort_by(|one, other| one.variant.cmp(&other.variant));
    Json(games)
}

/// The value of a position with best play, clock and repetitions ignored, and of every legal move: positions of at most
/// three pieces of the built-in games, and those that the host has tables for. Refused to players of a live game of the same
/// rules against a person until it is over.
#[utoipa::path(get, operation_id = "look_up_table", path = "/api/tables/{variant}", tag = "tables",
    params(("variant" = String, Path), TableQuery),
    responses((status = 200, body = TablePosition), (status = 403, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(variant): Path<String>,
    QueryParams(query): QueryParams<TableQuery>,
) -> AppResult<Json<TablePosition>> {
    let variant = variants::find(&state, visitor.user().map(|user| user.id.as_str()), &variant).await?;
    let position =
        AnyPosition::from_fen(&variant, &query.fen).map_err(|error| AppError::Invalid(error.to_string()))?;
    variants::refuse_live(&state, &visitor, variant.id()).await?;
    state.budgets.charge_network(Operation::Table, client.address)?;
    let found = client.while_waiting(state.endgames.look_up(client.address, position.clone())).await?;
    let Some((value, moves)) = found else { return Err(AppError::NotFound("endgame table")) };
    let moves = moves.into_iter().map(|(legal, value)| TableMove {
        uci: uci::write(&variant, legal),
        san: san::write(&position, legal),
        category: category(value),
        distance: value.distance(),
    });
    Ok(Json(TablePosition { category: category(value), distance: value.distance(), moves: moves.collect() }))
}

fn category(value: Value) -> TableCategory {
    match value {
        Value::Win(_) => TableCategory::Win,
        Value::Loss(_) => TableCategory::Loss,
        Value::Draw => TableCategory::Draw,
    }
}

/// The classes of endings of a game that one side can win, but not with every move.
#[utoipa::path(get, operation_id = "drills", path = "/api/drills/{variant}", tag = "tables",
    params(("variant" = String, Path)),
    responses((status = 200, body = Drills), (status = 404, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)))]
pub(super) async fn drills(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(variant): Path<String>,
) -> AppResult<Json<Drills>> {
    let variant = variants::find(&state, visitor.id(), &variant).await?;
    state.budgets.charge_network(Operation::Table, client.address)?;
    let drills = client.while_waiting(state.endgames.drills(client.address, &variant)).await?;
    let classes = drills.into_iter().map(|drill| DrillClass { name: drill.class, longest: drill.longest });
    Ok(Json(Drills { classes: classes.collect() }))
}

/// A random position of a class for White to win. `GET /api/tables/{variant}` has the best defense.
#[utoipa::path(get, operation_id = "draw_drill", path = "/api/drills/{variant}/{class}", tag = "tables",
    params(("variant" = String, Path), ("class" = String, Path, description = "The pieces, such as `KRvK`")),
    responses((status = 200, body = DrillPosition), (status = 404, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)))]
pub(super) async fn draw_drill(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path((variant, class)): Path<(String, String)>,
) -> AppResult<Json<DrillPosition>> {
    let variant = variants::find(&state, visitor.id(), &variant).await?;
    state.budgets.charge_network(Operation::Drill, client.address)?;
    let drawn = client.while_waiting(state.endgames.draw(client.address, &variant, class)).await?;
    let (position, distance) = drawn.ok_or(AppError::NotFound("drill of this class"))?;
    Ok(Json(DrillPosition { fen: position.fen(), distance }))
}
