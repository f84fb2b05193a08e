//! The site's connections: accepted, served and given up. axum's own server sets no bound on how long a client may take
//! to say what it wants or to take what it is told, so that a few of them could hold all connections for ever.

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::Request;
use axum::serve::{Listener as _, ListenerExt as _};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt as _;

/// How long a client may take from the beginning of a connection, or from its last answer, until it has said what it
/// wants.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long what is told to a client may wait to be taken.
const WAITING: Duration = Duration::from_secs(60);

/// Serves until `stop` is over, and then until every request that was being answered is, but not longer than `grace`:
/// what streams would go on for ever.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()>,
    grace: Duration,
) {
    let mut listener = listener.tap_io(|stream| {
        // A small message waits for no other to be acknowledged.
        drop(stream.set_nodelay(true));
        give_up_after(stream, WAITING);
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    // Told when it is time to end; every connection has a receiver.
    let (ending, _) = watch::channel(false);
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, address) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let known = move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo::<SocketAddr>(address));
            request
        };
        let service = TowerToHyperService::new(router.clone().map_request(known));
        let mut connection = Box::pin(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
        let mut ended = ending.subscribe();
        tokio::spawn(async move {
            tokio::select! {
                // How it ended is between the two ends: whoever has gone is told nothing.
                _ = connection.as_mut() => return,
                _ = ended.wait_for(|ended| *ended) => connection.as_mut().graceful_shutdown(),
            }
            drop(connection.await);
        });
    }
    drop(listener);
    ending.send_replace(true);
    let _ = tokio::time::timeout(grace, ending.closed()).await;
}

/// Has the system end a connection on which nothing that was sent has been taken for so long, whether the other end has
/// gone or does not read. Where the system cannot, it keeps its own, longer times.
fn give_up_after(stream: &TcpStream, waiting: Duration) {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    drop(socket2::SockRef::from(stream).set_tcp_user_timeout(Some(waiting)));
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let _ = (stream, waiting);
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::sync::oneshot;

    /// What a server that is asked this over one connection says until it closes it, on a clock that jumps whenever
    /// everybody waits.
    async fn said(asked: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let whose = |ConnectInfo(address): ConnectInfo<SocketAddr>| async move { address.ip().to_string() };
        let router = Router::new().route("/", get(whose));
        let (stop, stopped) = oneshot::channel::<()>();
        let stopped = async { drop(stopped.await) };
        let server = tokio::spawn(serve(listener, router, stopped, Duration::from_secs(1)));
        let mut client = TcpStream::connect(address).await.expect("it listens");
        client.write_all(asked.as_bytes()).await.expect("it is open");
        let mut told = String::new();
        client.read_to_string(&mut told).await.expect("it is closed in the end");
        drop(stop);
        server.await.expect("it stops when asked to");
        told
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_does_not_say_what_they_want_is_given_up() {
        for asked in ["", "GET / HTT", "GET / HTTP/1.1\r\nHost: here\r\nX-Slow: "] {
            assert!(!said(asked).await.contains("200 OK"), "{asked:?}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_asks_no_more_is_given_up_after_the_answer() {
        let told = said("GET / HTTP/1.1\r\nHost: here\r\n\r\n").await;
        assert!(told.starts_with("HTTP/1.1 200 OK") && told.ends_with("127.0.0.1"), "{told}");
    }

    /// On the clock of the system, which alone knows what has been taken.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn whoever_does_not_take_what_they_are_told_is_given_up() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let reader = TcpStream::connect(listener.local_addr().expect("it is bound")).await;
        let (mut writer, _) = listener.accept().await.expect("it is called");
        give_up_after(&writer, Duration::from_secs(1));
        let told = async { while writer.write_all(&[b'x'; 1 << 16]).await.is_ok() {} };
        tokio::time::timeout(Duration::from_secs(60), told).await.expect("it is given up");
        drop(reader);
    }
}
