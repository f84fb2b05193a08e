//! For whoever looks after the server: is it alive, is it ready, how much does it do.

use crate::app::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use std::time::Duration;

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/healthz", get(healthy)).route("/readyz", get(ready)).route("/metrics", get(metrics))
}

/// The process answers.
async fn healthy() -> &'static str {
    "ok\n"
}

/// How long the database may take to answer: whoever asks does not wait longer, either.
const PATIENCE: Duration = Duration::from_secs(1);

/// The database answers, too.
async fn ready(State(state): State<AppState>) -> impl IntoResponse {
    let asked = tokio::time::timeout(PATIENCE, state.store.ping()).await;
    let fault = match asked {
        Ok(Ok(())) => return (StatusCode::OK, "ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(_) => format!("no answer within {PATIENCE:?}"),
    };
    tracing::warn!(error = fault, "not ready");
    (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
}

/// In the text form of Prometheus.
async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], state.metrics.render())
}
