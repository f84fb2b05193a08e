//! API tokens that a user issues to programs, and revokes.

use super::AppResult;
use super::input::JsonBody;
use crate::auth::Visitor;
use crate::denial::Denial;
use crate::error::AppError;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use lozenge_game::text::is_one_line;
use lozenge_game::time::now_ms;
use lozenge_store::TokenOutcome;
use lozenge_wire::{NewToken, Problem, Scope, Token};

/// Most tokens of one user.
const MAX_TOKENS: i64 = 20;

/// One's own tokens, without their secrets.
#[utoipa::path(get, operation_id = "list_tokens", path = "/api/tokens", tag = "account",
    responses((status = 200, body = Vec<Token>), (status = 401, body = Problem)))]
pub(super) async fn list(State(state): State<AppState>, visitor: Visitor) -> AppResult<Json<Vec<Token>>> {
    let user = visitor.session_user()?;
    Ok(Json(state.store.tokens(&user.id).await?))
}

/// Creates a token. Only this answer contains the secret. The scope `bot` makes the account a bot's, which
/// only one can become that has not played yet.
#[utoipa::path(post, operation_id = "make_token", path = "/api/tokens", tag = "account", request_body = NewToken,
    responses((status = 201, body = Token), (status = 401, body = Problem), (status = 409, body = Problem)))]
pub(super) async fn make(
    State(state): State<AppState>,
    visitor: Visitor,
    JsonBody(request): JsonBody<NewToken>,
) -> AppResult<impl IntoResponse> {
    let user = visitor.session_user()?;
    if user.name.is_none() {
        return Err(AppError::SignIn);
    }
    let label = request.label.trim();
    if !(1..=60).contains(&label.chars().count()) || !is_one_line(label) || request.scopes.is_empty() {
        return Err(AppError::Invalid(
            "expected a label of 1 to 60 characters that are seen, and at least one scope".into(),
        ));
    }
    let bot = request.scopes.contains(&Scope::Bot);
    let secret = format!("loz_{}", lozenge_game::ids::secret());
    let mut token = Token {
        id: lozenge_game::ids::other(),
        label: label.to_owned(),
        scopes: request.scopes,
        created_at: now_ms(),
        secret: None,
    };
    match state.store.keep_token(&user.id, &token, &secret, MAX_TOKENS, bot).await? {
        TokenOutcome::Saved => {}
        TokenOutcome::TooMany => return Err(Denial::TooManyTokens.into()),
        TokenOutcome::HasPlayed => {
            return Err(Denial::HasPlayed.into());
        }
        TokenOutcome::NoUser => return Err(AppError::SignIn),
    }
    token.secret = Some(secret);
    Ok((StatusCode::CREATED, Json(token)))
}

/// Revokes a token.
#[utoipa::path(delete, operation_id = "revoke_token", path = "/api/tokens/{id}", tag = "account", params(("id" = String, Path)),
    responses((status = 204), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(super) async fn revoke(
    State(state): State<AppState>,
    visitor: Visitor,
    Path(id): Path<String>,
) -> AppResult<StatusCode> {
    let user = visitor.session_user()?;
    if state.store.revoke_token(&user.id, &id).await? {
        state.revocations.send(&user.id).await;
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(AppError::NotFound("token of yours"))
    }
}
