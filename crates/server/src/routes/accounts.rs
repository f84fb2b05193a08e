//! Who asks: register, sign in and out, settings.

use super::Answer;
use crate::account::{self, Visitor};
use crate::app::AppState;
use crate::error::AppError;
use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use lozenge_wire::{Account, Credentials, Problem, Settings};

async fn describe(state: &AppState, visitor: &Visitor) -> Answer<Account> {
    let ratings = match visitor.user() {
        Some(user) => state.store.ratings(&user.id).await?,
        None => Vec::new(),
    };
    Ok(Account { player: visitor.player(), settings: visitor.settings(), ratings })
}

/// Whoever asks.
#[utoipa::path(get, path = "/api/account", tag = "account", responses((status = 200, body = Account)))]
pub(super) async fn me(State(state): State<AppState>, visitor: Visitor) -> Answer<Json<Account>> {
    Ok(Json(describe(&state, &visitor).await?))
}

/// Gives a guest a name and a password; the guest's games stay.
#[utoipa::path(post, path = "/api/account/register", tag = "account", request_body = Credentials,
    responses((status = 200, body = Account), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(super) async fn register(
    State(state): State<AppState>,
    mut visitor: Visitor,
    credentials: Result<Json<Credentials>, JsonRejection>,
) -> Answer<Json<Account>> {
    let Json(Credentials { name, password }) = credentials.map_err(|error| AppError::Invalid(error.body_text()))?;
    if !account::is_name(&name) {
        return Err(AppError::Invalid("expected a name of 2 to 20 letters, digits, _ or -".into()));
    }
    if !account::is_password(&password) {
        return Err(AppError::Invalid("expected a password of 8 to 200 characters".into()));
    }
    if visitor.user().is_some_and(|user| user.name.is_some()) {
        return Err(AppError::Conflict("expected a guest, found somebody who is signed in"));
    }
    let hash = account::hash(password).await?;
    let guest = visitor.ensure(&state).await?;
    if !state.store.name_user(&guest.id, &name, &hash).await? {
        return Err(AppError::Conflict("expected a name that is free, found one that is taken"));
    }
    let user = state.store.user(&guest.id).await?.ok_or(AppError::NotFound("user"))?;
    visitor.sign_in(user).await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// Signs in.
#[utoipa::path(post, path = "/api/account/sign-in", tag = "account", request_body = Credentials,
    responses((status = 200, body = Account), (status = 401, body = Problem)))]
pub(super) async fn sign_in(
    State(state): State<AppState>,
    mut visitor: Visitor,
    credentials: Result<Json<Credentials>, JsonRejection>,
) -> Answer<Json<Account>> {
    let Json(Credentials { name, password }) = credentials.map_err(|error| AppError::Invalid(error.body_text()))?;
    let user = state.store.user_named(&name).await?;
    let kept = user.as_ref().and_then(|user| user.password.clone());
    let (true, Some(user)) = (account::verify(password, kept).await?, user) else {
        return Err(AppError::Credentials);
    };
    visitor.sign_in(user).await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// Signs out.
#[utoipa::path(post, path = "/api/account/sign-out", tag = "account", responses((status = 200, body = Account)))]
pub(super) async fn sign_out(State(state): State<AppState>, mut visitor: Visitor) -> Answer<Json<Account>> {
    visitor.sign_out().await?;
    Ok(Json(describe(&state, &visitor).await?))
}

/// Keeps what whoever asks likes.
#[utoipa::path(put, path = "/api/account/settings", tag = "account", request_body = Settings,
    responses((status = 200, body = Account), (status = 422, body = Problem)))]
pub(super) async fn settings(
    State(state): State<AppState>,
    mut visitor: Visitor,
    settings: Result<Json<Settings>, JsonRejection>,
) -> Answer<Json<Account>> {
    let Json(settings) = settings.map_err(|error| AppError::Invalid(error.body_text()))?;
    let me = visitor.ensure(&state).await?;
    let text = serde_json::to_string(&settings).map_err(|error| AppError::Invalid(error.to_string()))?;
    state.store.set_settings(&me.id, &text).await?;
    let ratings = state.store.ratings(&me.id).await?;
    Ok(Json(Account { player: Some(me), settings, ratings }))
}
