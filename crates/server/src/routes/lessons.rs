//! The lessons of a game.

use super::input::Client;
use super::{AppResult, pages, variants};
use crate::auth::Visitor;
use crate::convert;
use crate::error::AppError;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use lozenge_wire::{Course, Problem};

/// The lessons of a game, made from its rules: positions with goals, by stages. Titles and texts are in the reader's language.
#[utoipa::path(get, operation_id = "lessons", path = "/api/lessons/{variant}", tag = "variants",
    params(("variant" = String, Path)),
    responses((status = 200, body = Course), (status = 404, body = Problem), (status = 503, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    Path(variant): Path<String>,
    headers: HeaderMap,
) -> AppResult<impl IntoResponse> {
    let variant = variants::find(&state, visitor.user().map(|user| user.id.as_str()), &variant).await?;
    let language = pages::language(&visitor, &headers);
    let digest = state.variants.digest(&variant);
    let rules = digest.clone();
    let make = move || {
        let course = convert::course(&variant, digest, language);
        let json = serde_json::to_vec(&course).map_err(|error| AppError::Internal(error.to_string()))?;
        Ok(json.into())
    };
    let json = state.pictures.lessons(client.address, rules, language.code(), make).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json))
}
