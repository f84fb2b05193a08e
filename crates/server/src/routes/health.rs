//! For whoever looks after the server: is it alive, is it ready, how much does it do.

use crate::app::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;

pub(super) fn router() -> Router<AppState> {
    Router::new().route("/healthz", get(healthy)).route("/readyz", get(ready)).route("/metrics", get(metrics))
}

/// The process answers.
async fn healthy() -> &'static str {
    "ok\n"
}

/// The database answers, too.
async fn ready(State(state): State<AppState>) -> impl IntoResponse {
    match state.store.ping().await {
        Ok(()) => (StatusCode::OK, "ready\n"),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}

/// In the text form of Prometheus.
async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], state.metrics.render())
}
