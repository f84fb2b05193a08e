//! A connection between two processes that can be cut: a port that passes everything on to another one. When held, it passes
//! nothing on and closes nothing, as an unplugged cable. When refused, it closes open and new connections. Also used by
//! `crates/cli/tests/it/cluster/`.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Most bytes passed on at a time.
const BUFFER: usize = 16 << 10;
/// How long a connection to the other end may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How a link is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// Nothing passes, and neither end notices.
    Hold,
    /// Connections are reset, and new ones closed at once.
    Refuse,
    /// Connections are reset once; new ones pass.
    Reset,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    hold: bool,
    refuse: bool,
    /// How often connections were reset.
    resets: u64,
}

/// A port of this machine that leads to another one.
#[derive(Debug)]
pub(super) struct Link {
    /// Its ends, for the report.
    pub(super) name: String,
    /// The port that it listens on.
    pub(super) port: u16,
    state: watch::Sender<State>,
}

impl Link {
    /// Opens a link to a port, which need not be open yet.
    pub(super) async fn open(name: String, to: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let port = listener.local_addr()?.port();
        let state = watch::Sender::new(State::default());
        tokio::spawn(accept(listener, to, state.subscribe()));
        Ok(Self { name, port, state })
    }

    /// Cuts it.
    pub(super) fn cut(&self, cut: Cut) {
        self.state.send_modify(|state| match cut {
            Cut::Hold => state.hold = true,
            Cut::Refuse => (state.refuse, state.resets) = (true, state.resets + 1),
            Cut::Reset => state.resets += 1,
        });
    }

    /// Heals it. Held data arrives.
    pub(super) fn heal(&self) {
        self.state.send_modify(|state| (state.hold, state.refuse) = (false, false));
    }
}

async fn accept(listener: TcpListener, to: u16, state: watch::Receiver<State>) {
    loop {
        match listener.accept().await {
            Ok((client, _)) => drop(tokio::spawn(carry(client, to, state.clone()))),
            // Too many open files: some will be closed.
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

/// Carries one connection until both ends have closed it or it is reset.
async fn carry(mut client: TcpStream, to: u16, state: watch::Receiver<State>) {
    let (refused, resets) = {
        let state = state.borrow();
        (state.refuse, state.resets)
    };
    let mut watched = state.clone();
    let was_reset = !refused
        && tokio::select! {
            _ = watched.wait_for(|state| state.resets != resets) => true,
            // An end that is gone needs no further answer.
            _ = pass(&mut client, to, state) => false,
        };
    if refused || was_reset {
        // Closed by a reset, as by a firewall.
        let _ = client.set_zero_linger();
    }
}

async fn pass(client: &mut TcpStream, to: u16, mut state: watch::Receiver<State>) -> io::Result<()> {
    let _ = state.wait_for(|state| !state.hold).await;
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, TcpStream::connect(("127.0.0.1", to))).await;
    let mut server = connected.map_err(io::Error::from)??;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (from_client, to_client) = client.split();
    let (from_server, to_server) = server.split();
    tokio::try_join!(pump(from_client, to_server, state.clone()), pump(from_server, to_client, state))?;
    Ok(())
}

async fn pump(
    mut from: tokio::net::tcp::ReadHalf<'_>,
    mut to: tokio::net::tcp::WriteHalf<'_>,
    mut state: watch::Receiver<State>,
) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER];
    loop {
        let read = from.read(&mut buffer).await?;
        let _ = state.wait_for(|state| !state.hold).await;
        if read == 0 {
            return to.shutdown().await;
        }
        to.write_all(&buffer[..read]).await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::time::timeout;

    async fn echo() -> u16 {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    tokio::io::copy(&mut from, &mut to).await
                });
            }
        });
        port
    }

    async fn round_trip(stream: &mut TcpStream, word: &[u8; 4]) -> io::Result<[u8; 4]> {
        stream.write_all(word).await?;
        let mut answer = [0; 4];
        stream.read_exact(&mut answer).await?;
        Ok(answer)
    }

    #[tokio::test]
    async fn a_link_passes_holds_resets_and_refuses() {
        let link = Link::open("test".into(), echo().await).await.unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", link.port)).await.unwrap();
        assert_eq!(round_trip(&mut stream, b"here").await.unwrap(), *b"here");
        link.cut(Cut::Hold);
        let waiting = timeout(Duration::from_millis(100), round_trip(&mut stream, b"held")).await;
        assert!(waiting.is_err(), "a held link passes nothing");
        link.heal();
        let mut late = [0; 4];
        stream.read_exact(&mut late).await.unwrap();
        assert_eq!(late, *b"held");
        link.cut(Cut::Reset);
        assert!(round_trip(&mut stream, b"gone").await.is_err());
        let mut stream = TcpStream::connect(("127.0.0.1", link.port)).await.unwrap();
        assert_eq!(round_trip(&mut stream, b"back").await.unwrap(), *b"back");
        link.cut(Cut::Refuse);
        let mut refused = TcpStream::connect(("127.0.0.1", link.port)).await.unwrap();
        assert!(round_trip(&mut refused, b"none").await.is_err());
    }
}
