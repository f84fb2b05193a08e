//! WebSockets whose buffers stay small. The library keeps a buffer of the longest message that it has sent for as long as the
//! socket is open; a whole game can have 300 KB, so long messages are sent in pieces. Not here: what sockets say.

use crate::error::AppError;
use axum::body::{Body, Bytes};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

pub(super) use tokio_tungstenite::tungstenite::protocol::CloseFrame;
pub(super) use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// What a socket reads at once, in bytes: most messages of clients have less than a hundred.
const READ: usize = 512;
/// What it collects before it writes, and the length of pieces, in bytes.
const WRITE: usize = 4 << 10;

/// A request to open a socket. Others are rejected as [`AppError::SocketOnly`].
pub(super) struct WebSocketUpgrade {
    on_upgrade: OnUpgrade,
    accept: HeaderValue,
}

/// An open socket.
pub(super) struct WebSocket(WebSocketStream<TokioIo<Upgraded>>);

impl<S: Sync> FromRequestParts<S> for WebSocketUpgrade {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        let headers = &parts.headers;
        let asks = parts.method == Method::GET
            && has_token(headers, header::CONNECTION, "upgrade")
            && has_token(headers, header::UPGRADE, "websocket")
            && has_token(headers, header::SEC_WEBSOCKET_VERSION, "13");
        let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|_| asks).ok_or(AppError::SocketOnly)?;
        let accept = HeaderValue::from_str(&derive_accept_key(key.as_bytes()));
        let accept = accept.map_err(|_| AppError::SocketOnly)?;
        let on_upgrade = parts.extensions.remove::<OnUpgrade>().ok_or(AppError::SocketOnly)?;
        Ok(Self { on_upgrade, accept })
    }
}

/// Whether a header has a token in its list, in letters of either case.
fn has_token(headers: &HeaderMap, name: HeaderName, token: &str) -> bool {
    let lists = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|found| found.trim().eq_ignore_ascii_case(token))
}

impl WebSocketUpgrade {
    /// Opens the socket, on which messages of the client have at most so many bytes, and runs until its future ends.
    pub(super) fn on_upgrade<F: Future<Output = ()> + Send + 'static>(
        self,
        most_message: usize,
        run: impl FnOnce(WebSocket) -> F + Send + 'static,
    ) -> Response<Body> {
        let Self { on_upgrade, accept } = self;
        let config = WebSocketConfig::default()
            .max_message_size(Some(most_message))
            .read_buffer_size(READ)
            .write_buffer_size(WRITE);
        tokio::spawn(async move {
            // The client may have gone.
            let Ok(upgraded) = on_upgrade.await else { return };
            let io = TokioIo::new(upgraded);
            let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
            run(WebSocket(socket)).await;
        });
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
        headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        response
    }
}

impl WebSocket {
    /// The next message of the client; none once the socket is closed. Cancel safe.
    pub(super) async fn recv(&mut self) -> Option<Result<Message, Error>> {
        self.0.next().await
    }

    /// Queues a message for the next flush.
    pub(super) async fn feed(&mut self, message: Message) -> Result<(), Error> {
        self.0.feed(message).await
    }

    /// Queues a text for the next flush; a long one is sent in pieces.
    pub(super) async fn feed_text(&mut self, text: Utf8Bytes) -> Result<(), Error> {
        if text.len() <= WRITE {
            return self.0.feed(Message::Text(text)).await;
        }
        for piece in pieces(text) {
            self.0.feed(piece).await?;
        }
        Ok(())
    }

    /// Writes what is queued.
    pub(super) async fn flush(&mut self) -> Result<(), Error> {
        self.0.flush().await
    }

    /// Sends a message at once.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.0.send(message).await
    }
}

/// A text as the frames of one message. Only the whole has to be text, not each piece.
fn pieces(text: Utf8Bytes) -> impl Iterator<Item = Message> {
    let bytes = Bytes::from(text);
    (0..bytes.len()).step_by(WRITE).map(move |begin| {
        let kind = if begin == 0 { Data::Text } else { Data::Continue };
        let end = bytes.len().min(begin + WRITE);
        Message::Frame(Frame::message(bytes.slice(begin..end), OpCode::Data(kind), end == bytes.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn parts(headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::get("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[tokio::test]
    async fn other_requests_than_for_sockets_are_rejected() {
        let good = [
            ("connection", "keep-alive, Upgrade"),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        assert!(has_token(&parts(&good).headers, header::CONNECTION, "upgrade"));
        for missing in 0..=good.len() {
            let mut headers = good.to_vec();
            if missing < good.len() {
                headers.remove(missing);
            }
            // The last has all headers, but no connection that could be upgraded.
            let rejected = WebSocketUpgrade::from_request_parts(&mut parts(&headers), &()).await;
            assert!(matches!(rejected, Err(AppError::SocketOnly)), "{headers:?}");
        }
    }

    #[tokio::test]
    async fn a_long_text_arrives_as_one_message() {
        let (here, there) = tokio::io::duplex(1 << 10);
        let mut reader = WebSocketStream::from_raw_socket(there, Role::Client, None).await;
        let text = "ä diamond, ".repeat(3_000);
        let mut writer = WebSocketStream::from_raw_socket(here, Role::Server, None).await;
        let sent = Utf8Bytes::from(text.clone());
        let writing = tokio::spawn(async move {
            for piece in pieces(sent) {
                writer.feed(piece).await.unwrap();
            }
            writer.flush().await.unwrap();
            writer
        });
        let received = reader.next().await.unwrap().unwrap();
        assert_eq!(received.into_text().unwrap().as_str(), text);
        drop(writing.await.unwrap());
    }
}
