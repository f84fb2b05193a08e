//! The site's connections: accepting, serving and closing. axum's own server has no timeouts for reading requests and
//! writing responses, so a few slow clients could hold all connections. Not here: the addresses to listen on
//! (`cli`), what requests cost (`budgets`).

mod limiter;

pub use limiter::{Capacity, ConnectionLimiter, raise_file_limit};

use crate::routes::is_health_check;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{Request, Response, StatusCode, Version, header};
use axum::response::IntoResponse as _;
use axum::serve::{Listener as _, ListenerExt as _};
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use limiter::{ActiveRequest, ConnectionPermit};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::Sleep;
use tower::ServiceExt as _;

/// Timeout of a request's head, from the start of the connection or the end of the previous response; and of its body after
/// that, however many parts it comes in.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Largest head of a request, in bytes: a connection buffers no more, or a few hundred would fill the memory.
const MAX_HEAD_BYTES: usize = 32 << 10;

/// The beginning of hyper's answer to a larger one, and of ours, which is as long: every malformed head has the same status.
const HEAD_TOO_LARGE: &[u8] = b"HTTP/1.1 431";
const BAD_REQUEST: &[u8] = b"HTTP/1.1 400";

/// Timeout of a write.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// Timeout of a request on a reserved connection.
const RESERVE_REQUEST_TIMEOUT: Duration = Duration::from_secs(3);

/// The response on a connection beyond the limit.
const NO_ROOM: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nConnection: close\r\n\
    Content-Type: text/plain\r\nContent-Length: 21\r\n\r\ntoo many connections\n";

/// Serves until `stop` resolves, and then until every pending request is answered, but not longer than `grace`:
/// streams would go on for ever.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limiter: ConnectionLimiter,
    stop: impl Future<Output = ()>,
    grace: Duration,
) {
    let mut listener = listener.tap_io(|stream| {
        // A small message waits for no other to be acknowledged.
        drop(stream.set_nodelay(true));
        set_user_timeout(stream, WRITE_TIMEOUT);
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(REQUEST_TIMEOUT).max_buf_size(MAX_HEAD_BYTES);
    let mut reserve_http = http.clone();
    reserve_http.header_read_timeout(RESERVE_REQUEST_TIMEOUT);
    // True when it is time to end; every connection has a receiver.
    let (ending, _) = watch::channel(false);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Some(permit) = limiter.admit(address.ip()) else {
            // As far as it goes without waiting.
            let _ = stream.try_write(NO_ROOM);
            continue;
        };
        let http = if permit.reserved { &reserve_http } else { &http };
        let closing = Arc::clone(&permit.closing);
        let permit = Arc::new(permit);
        let stream = PermitStream { stream, permit: Arc::clone(&permit) };
        let router = router.clone();
        let service =
            service_fn(move |request| answer(router.clone(), Arc::clone(&permit), address, request));
        let mut connection = Box::pin(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
        let mut ended = ending.subscribe();
        tokio::spawn(async move {
            tokio::select! {
                // An error of the connection concerns only its client.
                _ = connection.as_mut() => return,
                () = closing.notified() => return,
                _ = ended.wait_for(|ended| *ended) => connection.as_mut().graceful_shutdown(),
            }
            drop(connection.await);
        });
    }
    drop(listener);
    ending.send_replace(true);
    let _ = tokio::time::timeout(grace, ending.closed()).await;
}

/// Answers a request. Its connection is active until the response has been sent.
async fn answer(
    router: Router,
    permit: Arc<ConnectionPermit>,
    address: SocketAddr,
    mut request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let active = permit.begin_request();
    let response = if let Err(fault) = check_size(&request).and_then(|()| check_host(&request)) {
        (StatusCode::BAD_REQUEST, [(header::CONNECTION, "close")], fault).into_response()
    } else if permit.reserved && !is_health_check(request.uri().path()) {
        let headers = [(header::RETRY_AFTER, "5"), (header::CONNECTION, "close")];
        (StatusCode::SERVICE_UNAVAILABLE, headers, "too many connections\n").into_response()
    } else {
        request.extensions_mut().insert(ConnectInfo::<SocketAddr>(address));
        let deadline = tokio::time::sleep(REQUEST_TIMEOUT);
        let limited = |body: Incoming| {
            // Most requests have none, and need no timer.
            if http_body::Body::is_end_stream(&body) {
                return Body::empty();
            }
            Body::new(LimitedBody { body, deadline: Box::pin(deadline) })
        };
        router.oneshot(request.map(limited)).await?
    };
    if response.status() == StatusCode::SWITCHING_PROTOCOLS {
        active.keep_active();
        return Ok(response);
    }
    Ok(response.map(|body| Body::new(GuardedBody { body, _request: active })))
}

/// Checks the size of a head that came as a whole: hyper limits only what it waits for.
fn check_size(request: &Request<Incoming>) -> Result<(), &'static str> {
    // Each field has a colon, a space and an end of line; the first line has two spaces, a version and an end.
    let fields = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    let size = request.method().as_str().len() + target + 12 + fields.sum::<usize>();
    if size <= MAX_HEAD_BYTES { Ok(()) } else { Err("expected a head of at most 32 KiB\n") }
}

/// Checks that a request names its host once, as HTTP/1.1 requires: proxies and this server could read two differently.
/// Health checks of proxies may be of HTTP/1.0.
fn check_host(request: &Request<Incoming>) -> Result<(), &'static str> {
    match request.headers().get_all(header::HOST).iter().count() {
        0 if request.version() >= Version::HTTP_11 => Err("expected a `Host`\n"),
        0 | 1 => Ok(()),
        _ => Err("expected one `Host`\n"),
    }
}

/// The body of a request, which fails if it is not complete in time.
struct LimitedBody {
    body: Incoming,
    deadline: Pin<Box<Sleep>>,
}

impl http_body::Body for LimitedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.deadline.as_mut().poll(context).is_ready() {
            let late = io::Error::new(io::ErrorKind::TimedOut, "the body of the request is not complete");
            return Poll::Ready(Some(Err(axum::Error::new(late))));
        }
        Pin::new(&mut self.body).poll_frame(context).map_err(axum::Error::new)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of a response. Its connection is active until this is dropped.
struct GuardedBody {
    body: Body,
    _request: ActiveRequest,
}

impl http_body::Body for GuardedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A connection and its permit, also after an upgrade to a WebSocket.
struct PermitStream {
    stream: TcpStream,
    #[allow(dead_code, reason = "dropped with the stream")]
    permit: Arc<ConnectionPermit>,
}

impl AsyncRead for PermitStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for PermitStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let bytes = if bytes.starts_with(HEAD_TOO_LARGE) { BAD_REQUEST } else { bytes };
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if slices.first().is_some_and(|slice| slice.starts_with(HEAD_TOO_LARGE)) {
            return Pin::new(&mut self.stream).poll_write(context, BAD_REQUEST);
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Closes connections whose other end has gone or stopped reading: the system ends one if sent data stays unacknowledged
/// for the timeout (`TCP_USER_TIMEOUT`). Other systems use their own, longer times.
fn set_user_timeout(stream: &TcpStream, timeout: Duration) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    drop(socket2::SockRef::from(stream).set_tcp_user_timeout(Some(timeout)));
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, timeout);
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use lozenge_game::TrustedProxies;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::oneshot;

    /// The server's responses on one connection until it closes, on a paused clock that advances when all tasks wait.
    async fn response(request: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let client_ip =
            |ConnectInfo(address): ConnectInfo<SocketAddr>| async move { address.ip().to_string() };
        let router = Router::new().route("/", get(client_ip));
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let limiter = ConnectionLimiter::new(Capacity::of_files(1_000), TrustedProxies::default());
        let server = tokio::spawn(serve(listener, router, limiter, stopped, Duration::from_secs(1)));
        let mut client = TcpStream::connect(address).await.expect("it listens");
        client.write_all(request.as_bytes()).await.expect("it is open");
        let mut bytes = Vec::new();
        // The connection is reset when the server has not read everything.
        let _ = client.read_to_end(&mut bytes).await;
        drop(stop);
        server.await.expect("it stops on the signal");
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[tokio::test(start_paused = true)]
    async fn incomplete_request_times_out() {
        for request in ["", "GET / HTT", "GET / HTTP/1.1\r\nHost: here\r\nX-Slow: "] {
            assert!(!response(request).await.contains("200 OK"), "{request:?}");
        }
    }

    #[tokio::test]
    async fn malformed_head_is_a_bad_request() {
        let large = format!("GET / HTTP/1.1\r\nHost: here\r\nA: {}", "x".repeat(40_000));
        for (request, status) in [
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: here\r\nHost: here\r\n\r\n", 400),
            ("GET / HTTP/1.0\r\nHost: here\r\nHost: there\r\n\r\n", 400),
            (&large, 400),
            // The health check of a proxy.
            ("GET / HTTP/1.0\r\n\r\n", 200),
            ("GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n", 200),
        ] {
            let response = response(request).await;
            let line = response.lines().next().unwrap_or_default();
            assert_eq!(line.split(' ').nth(1), Some(status.to_string().as_str()), "{request:.60?}: {line}");
        }
    }

    /// Each part comes in time, and the whole does not.
    #[tokio::test(start_paused = true)]
    async fn slow_body_times_out() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let received = |body: Bytes| async move { body.len().to_string() };
        let router = Router::new().route("/", axum::routing::post(received));
        let limiter = ConnectionLimiter::new(Capacity::of_files(1_000), TrustedProxies::default());
        let forever = std::future::pending();
        tokio::spawn(serve(listener, router, limiter, forever, Duration::from_secs(1)));
        let client = TcpStream::connect(address).await.expect("it listens");
        let (mut answers, mut parts) = client.into_split();
        let head = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n";
        parts.write_all(head).await.expect("it is open");
        let sending = tokio::spawn(async move {
            let mut sent = 0;
            while parts.write_all(b"x").await.is_ok() && sent < 1_000 {
                sent += 1;
                tokio::time::sleep(Duration::from_secs(2)).await;
            }
        });
        let mut answer = Vec::new();
        let _ = answers.read_to_end(&mut answer).await;
        sending.abort();
        let answer = String::from_utf8_lossy(&answer);
        assert!(!answer.contains("200 OK"), "{answer}");
    }

    #[tokio::test(start_paused = true)]
    async fn idle_connection_is_closed_after_the_response() {
        let response = response("GET / HTTP/1.1\r\nHost: here\r\n\r\n").await;
        assert!(response.starts_with("HTTP/1.1 200 OK") && response.ends_with("127.0.0.1"), "{response}");
    }

    #[tokio::test]
    async fn one_client_cannot_take_all_connections() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let router =
            Router::new().route("/", get(|| async { "page" })).route("/healthz", get(|| async { "well" }));
        let router = router.route("/stream", get(|| async { std::future::pending::<()>().await }));
        let capacity = Capacity { total: 4, reserve: 1, per_network: 4 };
        let limiter = ConnectionLimiter::new(capacity, TrustedProxies::private_ranges());
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let server =
            tokio::spawn(serve(listener, router, limiter.clone(), stopped, Duration::from_millis(10)));
        let fetch = async |path: &str| {
            let mut client = TcpStream::connect(address).await.expect("it listens");
            let text = format!("GET {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
            client.write_all(text.as_bytes()).await.expect("it is open");
            let mut answer = String::new();
            client.read_to_string(&mut answer).await.expect("it is closed in the end");
            answer
        };
        // Idle ones make room.
        let mut clients = Vec::new();
        for _ in 0..8 {
            clients.push(TcpStream::connect(address).await.expect("it listens"));
        }
        assert!(fetch("/").await.ends_with("page"));
        // Those that wait for an answer do not; health checks have room all the same.
        clients.clear();
        for _ in 0..4 {
            let mut client = TcpStream::connect(address).await.expect("it listens");
            client.write_all(b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\n").await.expect("it is open");
            clients.push(client);
        }
        while limiter.open().1 < 4 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let refused = fetch("/").await;
        assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("retry-after: 5"), "{refused}");
        assert!(fetch("/healthz").await.ends_with("well"));
        clients.clear();
        while !fetch("/").await.ends_with("page") {}
        drop(stop);
        server.await.expect("it stops on the signal");
    }

    /// In real time: only the system knows which bytes the reader has received.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn stalled_reader_is_disconnected() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let reader = TcpStream::connect(listener.local_addr().expect("it is bound")).await;
        let (mut writer, _) = listener.accept().await.expect("it is called");
        set_user_timeout(&writer, Duration::from_secs(1));
        let writing = async { while writer.write_all(&[b'x'; 1 << 16]).await.is_ok() {} };
        tokio::time::timeout(Duration::from_secs(60), writing).await.expect("it times out");
        drop(reader);
    }
}
