//! Health checks and metrics for operators.

use super::AppResult;
use super::erased::get;
use crate::error::AppError;
use crate::state::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use lozenge_game::time::now_ms;
use lozenge_store::secret_digest;
use std::time::Duration;

pub(super) fn router() -> Router<AppState> {
    checks().route("/metrics", get(metrics_by_token))
}

/// Everything here, for an address of its own.
pub(crate) fn metrics_router() -> Router<AppState> {
    checks().route("/metrics", get(metrics))
}

fn checks() -> Router<AppState> {
    Router::new().route("/healthz", get(healthy)).route("/readyz", get(ready))
}

/// Whether a path is one that monitoring asks for: these are answered also when there is no room for anything else.
#[must_use]
pub(crate) fn is_health_check(path: &str) -> bool {
    matches!(path, "/healthz" | "/readyz" | "/metrics")
}

/// The process answers.
async fn healthy() -> &'static str {
    "ok\n"
}

/// Timeout of the database, shorter than that of the usual health checks.
const DATABASE_TIMEOUT: Duration = Duration::from_secs(1);

/// The database takes writes, too, and the server is not about to stop.
async fn ready(State(state): State<AppState>) -> impl IntoResponse {
    if state.closing.has_begun() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server is stopping\n");
    }
    if state.games.is_isolated() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the server cannot reach NATS, and others can\n");
    }
    let check = tokio::time::timeout(DATABASE_TIMEOUT, state.store.check_writable(now_ms())).await;
    let fault = match check {
        Ok(Ok(())) => return (StatusCode::OK, "ready\n"),
        Ok(Err(error)) => error,
        Err(_) => format!("no answer within {DATABASE_TIMEOUT:?}"),
    };
    tracing::warn!(error = fault, "not ready");
    (StatusCode::SERVICE_UNAVAILABLE, "the database does not take writes\n")
}

/// The same at the site's own address, with the token.
async fn metrics_by_token(State(state): State<AppState>, headers: HeaderMap) -> AppResult<impl IntoResponse> {
    let expected = state.config.metrics_token.as_deref().ok_or(AppError::NotFound("page of this address"))?;
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token =
        token.and_then(|value| value.split_once(' ')).map(|(_, token)| token.trim()).unwrap_or_default();
    // Compares hashes, so that the time it takes reveals nothing about the token.
    if secret_digest(token) != secret_digest(expected) {
        return Err(AppError::Token);
    }
    Ok(metrics(State(state)).await)
}

/// In the text form of Prometheus.
async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], state.metrics.render())
}
