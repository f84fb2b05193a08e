//! Streams for programs: one JSON object a line, an empty line where nothing happens for a while.

use crate::limits::OpenStream;
use crate::state::AppState;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use lozenge_live::closing::CloseTimer;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

/// How often a quiet stream shows that it is still there.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(10);

/// Lines that may wait for a slow reader.
const MAX_PENDING: usize = 16;

/// The receiver of the lines.
pub(super) struct LineStream {
    sender: mpsc::Sender<Result<Bytes, Infallible>>,
    closing: CloseTimer,
    _open: OpenStream,
}

impl LineStream {
    /// Sends text that ends with a line; `None` once the client has disconnected.
    pub(super) async fn send(&self, text: String) -> Option<()> {
        self.sender.send(Ok(Bytes::from(text))).await.ok()
    }

    /// Until the client disconnects, or is to connect again because the server closes.
    pub(super) async fn closed(&self) {
        tokio::select! {
            () = self.sender.closed() => {}
            () = self.closing.elapsed() => {}
        }
    }
}

/// A stream: where its lines go, and the answer that carries them.
pub(super) fn stream(state: &AppState, open: OpenStream) -> (LineStream, Response) {
    let (sender, receiver) = mpsc::channel(MAX_PENDING);
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CACHE_CONTROL, "no-store")];
    (
        LineStream { sender, closing: state.closing.timer(), _open: open },
        (headers, Body::from_stream(ReceiverStream::new(receiver))).into_response(),
    )
}
