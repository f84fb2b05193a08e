//! WebSockets that send texts without a copy: an event is written from the one text that a game's followers share. The
//! library would copy each into a buffer of every socket, and keep that as long as its longest message for as long as the
//! socket is open. Not here: the loop of a socket (`connection`), and messages.

use crate::error::AppError;
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, header};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::io::IoSlice;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::time::{Instant, Interval, interval_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

pub(super) use tokio_tungstenite::tungstenite::protocol::CloseFrame;
pub(super) use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// How often a server pings a client, and how long the client may be silent.
const PING_INTERVAL: Duration = Duration::from_secs(5);
pub(super) const CLIENT_TIMEOUT: Duration = Duration::from_secs(20);
/// Sockets ping in such steps, so that one wake-up of the server serves many of them.
const PING_STEP: Duration = Duration::from_millis(100);

/// Size of a socket's read buffer, in bytes: most messages of clients have less than a hundred.
const READ_BUFFER: usize = 512;
/// Texts that one system call writes: mostly an answer and the event that it made.
const MAX_FRAMES_PER_WRITE: usize = 2;

/// A request to open a socket. Others are rejected as [`AppError::SocketOnly`].
pub(super) struct WebSocketUpgrade {
    on_upgrade: OnUpgrade,
    accept: HeaderValue,
}

/// An open socket.
pub(super) struct WebSocket<S = TokioIo<Upgraded>> {
    stream: WebSocketStream<S>,
    /// Texts for the next flush, each behind its head.
    texts: Vec<(FrameHeader, Utf8Bytes)>,
}

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
    /// Opens the socket, with at most `most_message` bytes in a message of the client, and runs until its future ends.
    pub(super) fn on_upgrade<F: Future<Output = ()> + Send + 'static>(
        self,
        most_message: usize,
        run: impl FnOnce(WebSocket) -> F + Send + 'static,
    ) -> Response<Body> {
        let Self { on_upgrade, accept } = self;
        // A frame is refused by its head: the library reserves memory for all of it before any of it has come.
        let config = WebSocketConfig::default()
            .max_frame_size(Some(most_message))
            .max_message_size(Some(most_message))
            .read_buffer_size(READ_BUFFER);
        tokio::spawn(async move {
            // The client may have gone.
            let Ok(upgraded) = on_upgrade.await else { return };
            let io = TokioIo::new(upgraded);
            let socket = WebSocketStream::from_raw_socket(io, Role::Server, Some(config)).await;
            run(WebSocket::new(socket)).await;
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

impl<S: AsyncRead + AsyncWrite + Unpin> WebSocket<S> {
    fn new(stream: WebSocketStream<S>) -> Self {
        Self { stream, texts: Vec::new() }
    }

    /// The next message of the client; none once the socket is closed. Cancel safe.
    pub(super) async fn recv(&mut self) -> Option<Result<Message, Error>> {
        self.stream.next().await
    }

    /// Queues a message for the next flush; texts with [`Self::feed_text`].
    pub(super) async fn feed(&mut self, message: Message) -> Result<(), Error> {
        self.stream.feed(message).await
    }

    /// Queues a text for the next flush.
    pub(super) fn feed_text(&mut self, text: Utf8Bytes) {
        self.texts.push((FrameHeader::new(text.len()), text));
    }

    /// Writes what is queued. Not cancel safe: a frame may have been written in part.
    pub(super) async fn flush(&mut self) -> Result<(), Error> {
        // The library's frames are written in whole before others.
        self.stream.flush().await?;
        let stream = self.stream.get_mut();
        for frames in self.texts.chunks(MAX_FRAMES_PER_WRITE) {
            let mut slices = [IoSlice::new(&[]); 2 * MAX_FRAMES_PER_WRITE];
            for (slices, (head, text)) in slices.chunks_exact_mut(2).zip(frames) {
                slices.copy_from_slice(&[IoSlice::new(head.bytes()), IoSlice::new(text.as_ref())]);
            }
            let mut rest = &mut slices[..2 * frames.len()];
            // An empty text has an empty slice at the end.
            while rest.iter().any(|slice| !slice.is_empty()) {
                let written = stream.write_vectored(rest).await?;
                if written == 0 {
                    return Err(std::io::Error::from(std::io::ErrorKind::WriteZero).into());
                }
                IoSlice::advance_slices(&mut rest, written);
            }
        }
        self.texts.clear();
        self.texts.shrink_to(2 * MAX_FRAMES_PER_WRITE);
        Ok(())
    }

    /// Sends a message behind what is queued.
    pub(super) async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.flush().await?;
        self.stream.send(message).await
    }
}

/// The times at which a socket that is opened now pings its client.
pub(super) fn ping_times() -> Interval {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    ping_times_from(*FIRST)
}

/// The same, in steps that began at a moment.
fn ping_times_from(first: Instant) -> Interval {
    let in_step = first.elapsed().as_nanos() % PING_STEP.as_nanos();
    interval_at(Instant::now() + PING_STEP - Duration::from_nanos(in_step as u64), PING_INTERVAL)
}

/// The head of a frame that is a whole text of the server's, which is not masked (RFC 6455, section 5.2).
#[derive(Debug)]
struct FrameHeader {
    bytes: [u8; 10],
    length: u8,
}

impl FrameHeader {
    fn new(text: usize) -> Self {
        let mut bytes = [0; 10];
        // The last frame of a message; a text.
        bytes[0] = 0x81;
        let length = match text {
            0..126 => {
                bytes[1] = text as u8;
                2
            }
            126..=0xffff => {
                bytes[1] = 126;
                bytes[2..4].copy_from_slice(&(text as u16).to_be_bytes());
                4
            }
            _ => {
                bytes[1] = 127;
                bytes[2..].copy_from_slice(&(text as u64).to_be_bytes());
                10
            }
        };
        Self { bytes, length }
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Bytes;
    use axum::http::Request;

    #[tokio::test(start_paused = true)]
    async fn sockets_ping_in_step() {
        let first = Instant::now();
        for late_ms in [1, 60, 99, 100, 12_345] {
            tokio::time::advance(Duration::from_millis(late_ms)).await;
            let opened = Instant::now();
            let mut times = ping_times_from(first);
            let (one, next) = (times.tick().await, times.tick().await);
            assert!(one > opened && one - opened <= PING_STEP, "{late_ms}");
            assert_eq!((one - first).as_nanos() % PING_STEP.as_nanos(), 0, "{late_ms}");
            assert_eq!(next - one, PING_INTERVAL);
        }
    }

    fn parts(headers: &[(&str, &str)]) -> Parts {
        let mut request = Request::get("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(()).unwrap().into_parts().0
    }

    #[tokio::test]
    async fn non_websocket_requests_are_rejected() {
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
    async fn texts_of_all_lengths_arrive_between_other_messages() {
        let (here, there) = tokio::io::duplex(1 << 10);
        let mut reader = WebSocketStream::from_raw_socket(there, Role::Client, None).await;
        let lengths = [0, 1, 125, 126, 4_096, 65_535, 65_536, 100_000];
        let text = |length: usize| "ä diamond, ".repeat(length / 12) + &"x".repeat(length % 12);
        let mut writer = WebSocket::new(WebSocketStream::from_raw_socket(here, Role::Server, None).await);
        let writing = tokio::spawn(async move {
            for length in lengths {
                writer.feed(Message::Ping(Bytes::from_static(b"between"))).await.unwrap();
                writer.feed_text(text(length).into());
            }
            writer.flush().await.unwrap();
            writer.feed_text("last".into());
            writer.send(Message::Close(None)).await.unwrap();
            writer
        });
        let mut received = Vec::new();
        loop {
            match reader.next().await.unwrap().unwrap() {
                Message::Text(text) => received.push(text.as_str().to_owned()),
                Message::Close(_) => break,
                _ => {}
            }
        }
        let expected: Vec<String> = lengths.map(text).into_iter().chain(["last".into()]).collect();
        assert_eq!(received, expected);
        drop(writing.await.unwrap());
    }
}
