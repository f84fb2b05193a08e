//! Which of one's browsers get push messages.

use super::AppResult;
use super::input::JsonBody;
use crate::auth::Visitor;
use crate::error::AppError;
use crate::push::{is_endpoint, subscription_id, valid_keys};
use crate::state::AppState;
use crate::views::Texts;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use lozenge_game::time::now_ms;
use lozenge_store::PushRow;
use lozenge_wire::{NewPushSubscription, Problem, PushSettings, PushSubscription};

pub(super) async fn settings(state: &AppState, user: &str) -> AppResult<Json<PushSettings>> {
    let rows = state.store.push_of(user).await?;
    let subscriptions = rows
        .into_iter()
        .map(|PushRow { id, endpoint, created_at, .. }| PushSubscription { id, endpoint, created_at })
        .collect();
    Ok(Json(PushSettings { key: state.push_key.public(), subscriptions }))
}

/// The browsers that get push messages for the client, and the server's key for more.
#[utoipa::path(get, operation_id = "push_settings", path = "/api/account/push", tag = "account",
    responses((status = 200, body = PushSettings), (status = 401, body = Problem)))]
pub(super) async fn show(State(state): State<AppState>, visitor: Visitor) -> AppResult<Json<PushSettings>> {
    let me = visitor.session_user()?;
    settings(&state, &me.id).await
}

/// Sends push messages to a browser from now on: when it is one's turn in a correspondence game, and for challenges. A player
/// has at most 10 browsers; the oldest makes room.
#[utoipa::path(put, operation_id = "subscribe_push", path = "/api/account/push", tag = "account",
    request_body = NewPushSubscription,
    responses((status = 200, body = PushSettings), (status = 401, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn subscribe(
    State(state): State<AppState>,
    visitor: Visitor,
    headers: HeaderMap,
    JsonBody(request): JsonBody<NewPushSubscription>,
) -> AppResult<Json<PushSettings>> {
    let me = visitor.session_user()?;
    if !is_endpoint(&request.endpoint) {
        return Err(AppError::Invalid("expected the https address of a push service".into()));
    }
    if !valid_keys(&request.keys.p256dh, &request.keys.auth) {
        return Err(AppError::Invalid(
            "expected a public key on P-256 and a secret of 16 bytes, in base64url".into(),
        ));
    }
    let accepts = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    let texts = Texts::choose(visitor.settings().language.as_deref(), accepts.unwrap_or_default());
    let row = PushRow {
        id: subscription_id(&request.endpoint),
        owner: me.id.clone(),
        endpoint: request.endpoint,
        p256dh: request.keys.p256dh,
        auth: request.keys.auth,
        language: texts.code(),
        epoch: me.epoch,
        created_at: now_ms(),
    };
    state.store.keep_push(&row).await?;
    settings(&state, &me.id).await
}

/// Unsubscribes a browser from push messages.
#[utoipa::path(delete, operation_id = "unsubscribe_push", path = "/api/account/push/{id}", tag = "account",
    params(("id" = String, Path)), responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn unsubscribe(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    let me = visitor.session_user()?;
    if state.store.drop_push(&me.id, &id).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(AppError::NotFound("push subscription"))
    }
}
