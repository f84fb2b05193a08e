//! The progress of a measurement as a stream, for programs.

use super::Answer;
use super::lab::{readable, shown};
use super::lines::{self, KEEP_ALIVE, Lines};
use crate::auth::Visitor;
use crate::limits::OpenStream;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::response::Response;
use lozenge_wire::{Measurement, MeasurementState, Problem};
use std::time::{Duration, Instant};

/// How often the progress is looked at.
const EVERY: Duration = Duration::from_secs(1);

/// A measurement whenever it has changed, one JSON object a line, until it has ended; an empty line where nothing happens for a
/// while.
#[utoipa::path(get, operation_id = "stream_measurement", path = "/api/lab/{job}/stream", tag = "variants", params(("job" = String, Path)),
    responses((status = 200, body = Measurement, content_type = "application/x-ndjson"), (status = 404, body = Problem)))]
pub(super) async fn stream(
    State(state): State<AppState>,
    visitor: Visitor,
    open: OpenStream,
    Path(job): Path<String>,
) -> Answer<Response> {
    readable(&state, &visitor, &job).await?;
    let (lines, response) = lines::stream(open);
    tokio::spawn(async move { follow(&state, &visitor, &job, &lines).await });
    Ok(response)
}

/// Sends what changes until the measurement has ended, the client has gone, or may not look any more.
async fn follow(state: &AppState, visitor: &Visitor, job: &str, lines: &Lines) -> Option<()> {
    let (mut last, mut sent) = (None, Instant::now());
    loop {
        let row = readable(state, visitor, job).await.ok()?;
        let now = shown(state, visitor, row).await.ok()?;
        if last.as_ref() != Some(&now) {
            lines.send(serde_json::to_string(&now).ok()? + "\n").await?;
            sent = Instant::now();
        } else if sent.elapsed() > KEEP_ALIVE {
            lines.send("\n".into()).await?;
            sent = Instant::now();
        }
        if !matches!(now.state, MeasurementState::Waiting | MeasurementState::Running) {
            return Some(());
        }
        last = Some(now);
        tokio::select! {
            () = lines.closed() => return None,
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}
