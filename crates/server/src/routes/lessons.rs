//! The lessons of a game.

use super::input::Client;
use super::{AppResult, pages, variants};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::convert;
use crate::error::AppError;
use crate::heavy::HeavyKind;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use lozenge_wire::{Course, Problem};

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
