//! The games being played, as a list and as a stream.

use super::lines::{self, KEEP_ALIVE};
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use lozenge_wire::{GameSummary, LiveEvent};
use tokio::sync::broadcast::error::RecvError;

/// The public games being played: at most 24, whose players are there.
#[utoipa::path(get, operation_id = "list_live_games", path = "/api/games/live", tag = "games",
    responses((status = 200, body = Vec<GameSummary>)))]
pub(super) async fn list(State(state): State<AppState>) -> Json<Vec<GameSummary>> {
    Json(state.showcase.list(&state.games).await)
}

/// The public games being played, as they begin, move and end, one message a line: first up to 24 of them whose players
/// are there, then the changes, at most one a second for each game; an empty line every ten seconds.
#[utoipa::path(get, operation_id = "stream_live_games", path = "/api/games/live/stream", tag = "games",
    responses((status = 200, body = LiveEvent, content_type = "application/x-ndjson")))]
pub(super) async fn stream(State(state): State<AppState>, open: OpenStream) -> Response {
    let (mut line, mut messages) = state.showcase.follow(&state.games).await;
    let (lines, answer) = lines::stream(&state, open);
    tokio::spawn(async move {
        loop {
            if lines.send(line.to_string()).await.is_none() {
                return;
            }
            line = tokio::select! {
                () = lines.closed() => return,
                received = tokio::time::timeout(KEEP_ALIVE, messages.recv()) => match received {
                    Err(_) => "\n".into(),
                    Ok(Ok(line)) => line,
                    Ok(Err(RecvError::Closed)) => return,
                    // The client was too slow to receive all events: send all games again.
                    Ok(Err(RecvError::Lagged(_))) => {
                        let (all, anew) = state.showcase.follow(&state.games).await;
                        messages = anew;
                        all
                    }
                },
            };
        }
    });
    answer
}
