//! Pictures of pieces that users draw: sent, cleaned, shown, deleted.

use super::input::{Client, JsonBody};
use super::{AppResult, studio};
use crate::auth::Visitor;
use crate::budgets::Operation;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use lozenge_game::time::now_ms;
use lozenge_picture::{PieceSet, sprite_with};
use lozenge_store::PictureRow;
use lozenge_wire::{NewPiecePicture, OwnPiecePicture, PiecePicture, Problem, Scope};

/// A picture shows nothing but its own shapes, wherever it is opened.
const POLICY: &str =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

/// Cleans an SVG and keeps it as the picture of a piece. Nothing but its shapes is kept, in shades from dark to light.
#[utoipa::path(post, operation_id = "send_picture", path = "/api/pictures", tag = "studio", request_body = NewPiecePicture,
    responses((status = 201, body = PiecePicture), (status = 401, body = Problem), (status = 409, body = Problem),
        (status = 422, body = Problem)))]
pub(super) async fn send(
    State(state): State<AppState>,
    visitor: Visitor,
    client: Client,
    JsonBody(new): JsonBody<NewPiecePicture>,
) -> AppResult<impl IntoResponse> {
    visitor.may(Scope::Play)?;
    let me = studio::account(&visitor)?;
    state.budgets.charge_network(Operation::Picture, client.address)?;
    let cleaned = client.while_waiting(state.studio.clean(client.address, new.svg)).await?;
    let digest = lozenge_game::convert::sha256(cleaned.svg.as_bytes());
    let row = PictureRow { digest, owner: me.id.clone(), svg: cleaned.svg, at: now_ms() };
    if !state.store.keep_picture(&row).await? {
        return Err(Denial::TooManyPictures.into());
    }
    Ok((StatusCode::CREATED, Json(PiecePicture { digest: row.digest, left_out: cleaned.left_out })))
}

/// One's own pictures, the latest first.
#[utoipa::path(get, operation_id = "list_pictures", path = "/api/pictures", tag = "studio",
    responses((status = 200, body = Vec<OwnPiecePicture>), (status = 401, body = Problem)))]
pub(super) async fn list(
    State(state): State<AppState>,
    visitor: Visitor,
) -> AppResult<Json<Vec<OwnPiecePicture>>> {
    visitor.may(Scope::Play)?;
    let rows = state.store.pictures_of(&studio::account(&visitor)?.id).await?.into_iter();
    let own = rows.map(|row| OwnPiecePicture { digest: row.digest, published: row.games > 0, at: row.at });
    Ok(Json(own.collect()))
}

/// A picture as SVG with two symbols: the digest with `-white` and with `-black`.
#[utoipa::path(get, operation_id = "show_picture", path = "/api/pictures/{digest}", tag = "studio", params(("digest" = String, Path)),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = Problem)))]
pub(super) async fn show(
    State(state): State<AppState>,
    Path(digest): Path<String>,
) -> AppResult<impl IntoResponse> {
    let drawing = state.drawings.get(&digest).await?.ok_or(AppError::NotFound("picture of this digest"))?;
    let svg = sprite_with(PieceSet::Classic, [digest.as_str()], &std::iter::once(drawing).collect());
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, svg))
}

/// Deletes a picture of one's own. A published version that has it keeps it.
#[utoipa::path(delete, operation_id = "delete_picture", path = "/api/pictures/{digest}", tag = "studio", params(("digest" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn delete(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(digest): Path<String>,
) -> AppResult<StatusCode> {
    visitor.may(Scope::Play)?;
    if !state.store.drop_picture(&digest, &studio::account(&visitor)?.id).await? {
        return Err(AppError::NotFound("picture of yours"));
    }
    state.drawings.forget(&digest);
    Ok(StatusCode::NO_CONTENT)
}
