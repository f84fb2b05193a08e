//! The site's connections: accepted, served and given up. axum's own server sets no bound on how long a client may take
//! to say what it wants, so that a few of them could hold all connections for ever.

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
use tokio::net::TcpListener;
use tokio::sync::watch;
use tower::ServiceExt as _;

/// How long a client may take from the beginning of a connection, or from its last answer, until it has said what it
/// wants.
const PATIENCE: Duration = Duration::from_secs(30);

/// Serves until `stop` is over, and then until every request that was being answered is, but not longer than `grace`:
/// what streams would go on for ever.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    stop: impl Future<Output = ()>,
    grace: Duration,
) {
    // A small message waits for no other to be acknowledged.
    let mut listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpStream;
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
}
