//! PostgreSQL behind a proxy that cuts the connection while a transaction commits: the answer to COMMIT is lost, the
//! COMMIT itself, or both. The site looks up what became of the move, and the game goes on. `LOZENGE_TEST_POSTGRES`
//! names the PostgreSQL server, which has to be there in CI.

use crate::common::{Browser, TestServer};
use axum::http::StatusCode;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

/// The fate of the next COMMIT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// Nothing.
    No,
    /// It is carried out, and its answer lost.
    Answer,
    /// It is lost itself.
    Commit,
    /// The connection is cut at once, and PostgreSQL carries it out a little later.
    Late,
    /// It is carried out, its answer lost, and then PostgreSQL cannot be reached any more.
    Everything,
    /// PostgreSQL cannot be reached.
    Down,
}

/// A proxy in front of PostgreSQL.
struct Proxy {
    cut: Arc<watch::Sender<Cut>>,
    address: String,
}

impl Proxy {
    async fn start(postgres: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let cut = Arc::new(watch::Sender::new(Cut::No));
        let shared = Arc::clone(&cut);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let (postgres, shared) = (postgres.clone(), Arc::clone(&shared));
                tokio::spawn(async move {
                    let mut down = shared.subscribe();
                    tokio::select! {
                        _ = forward(client, &postgres, &shared) => {}
                        _ = down.wait_for(|cut| *cut == Cut::Down) => {}
                    }
                });
            }
        });
        Self { cut, address }
    }
}

/// Forwards traffic both ways until a COMMIT is to be cut. Dropping it cuts the connection.
async fn forward(client: TcpStream, postgres: &str, cut: &watch::Sender<Cut>) -> std::io::Result<()> {
    let (mut from_client, to_client) = client.into_split();
    let (from_server, mut to_server) = TcpStream::connect(postgres).await?.into_split();
    let (mute, muted) = watch::channel(false);
    let mut back = JoinSet::new();
    back.spawn(forward_replies(from_server, to_client, muted));
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = from_client.read(&mut buffer).await?;
        if length == 0 {
            return Ok(());
        }
        let bytes = &buffer[..length];
        // A statement that is a transaction by itself carries the events; others are committed.
        let commits = bytes.windows(7).any(|window| window == b"COMMIT\0")
            || bytes.windows(9).any(|window| window == b"\"facts\":[");
        let now = *cut.borrow();
        if !commits || now == Cut::No {
            to_server.write_all(bytes).await?;
            continue;
        }
        // The answer is dropped; the connection stays open until it is cut.
        mute.send_replace(true);
        sleep(Duration::from_millis(50)).await;
        cut.send_replace(Cut::No);
        match now {
            Cut::Late => {
                let bytes = bytes.to_vec();
                tokio::spawn(async move {
                    sleep(Duration::from_millis(700)).await;
                    to_server.write_all(&bytes).await.unwrap();
                    sleep(Duration::from_millis(700)).await;
                });
            }
            Cut::Answer | Cut::Everything => {
                to_server.write_all(bytes).await?;
                sleep(Duration::from_millis(300)).await;
            }
            Cut::No | Cut::Commit | Cut::Down => {}
        }
        if now == Cut::Everything {
            cut.send_replace(Cut::Down);
        }
        return Ok(());
    }
}

/// Forwards PostgreSQL's replies until it is muted; the connection stays open.
async fn forward_replies(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut muted: watch::Receiver<bool>,
) {
    tokio::select! {
        _ = tokio::io::copy(&mut from, &mut to) => return,
        _ = muted.wait_for(|muted| *muted) => {}
    }
    std::future::pending().await
}

struct Match {
    server: TestServer,
    players: [Browser; 2],
    path: String,
}

impl Match {
    async fn history(&mut self) -> (usize, Value) {
        let (_, game) = self.players[0].get(&self.server, &self.path).await;
        (game["history"].as_array().map_or(usize::MAX, Vec::len), game)
    }

    /// The next move of the game as the server shows it.
    async fn play(&mut self) -> StatusCode {
        let (ply, game) = self.history().await;
        let moves = game["state"]["moves"].as_array().unwrap();
        let action = json!({"type": "move", "move": moves[ply % moves.len()], "ply": ply});
        let path = format!("{}/actions", self.path);
        self.players[ply % 2].post(&self.server, &path, action).await.0
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lost_commit_reply_neither_blocks_the_game_nor_loses_a_move() {
    let Ok(postgres_url) = std::env::var("LOZENGE_TEST_POSTGRES") else {
        assert!(std::env::var_os("CI").is_none(), "LOZENGE_TEST_POSTGRES names no server");
        return;
    };
    let folder = tempfile::TempDir::new().unwrap();
    let database = crate::common::postgres(folder.path(), &postgres_url).await;
    let (scheme, rest) = database.split_once("://").unwrap();
    let (authority, name) = rest.split_once('/').unwrap();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let proxy = Proxy::start(host.to_owned()).await;
    let server = TestServer::on(format!("{scheme}://{user}@{}/{name}", proxy.address), folder).await;
    let mut players = [Browser::default(), Browser::default()];
    let body = json!({"variant": "diamond", "opponent": {"kind": "link"}, "side": "white"});
    let (_, created) = players[0].post(&server, "/api/games", body).await;
    let path = format!("/api/games/{}", created["id"].as_str().unwrap());
    players[1].post(&server, &format!("{path}/join"), json!({})).await;
    let mut game = Match { server, players, path };
    let mut plies = 0;
    for cut in [Cut::No, Cut::Answer, Cut::Commit, Cut::Late, Cut::No, Cut::Answer, Cut::Late, Cut::Commit] {
        proxy.cut.send_replace(cut);
        assert_eq!(game.play().await, StatusCode::OK, "{cut:?}");
        plies += 1;
        assert_eq!(game.history().await.0, plies, "{cut:?}");
        assert_eq!(*proxy.cut.borrow(), Cut::No, "{cut:?} has happened");
    }
    // The server cannot look it up for a while: the move is refused, and is there afterwards.
    proxy.cut.send_replace(Cut::Everything);
    assert_eq!(game.play().await, StatusCode::SERVICE_UNAVAILABLE);
    proxy.cut.send_replace(Cut::No);
    let began = Instant::now();
    while game.history().await.0 != plies + 1 {
        assert!(began.elapsed() < Duration::from_secs(60), "the game is read again");
        sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(game.play().await, StatusCode::OK);
    // The record is the same.
    let (in_memory, _) = game.history().await;
    let Match { server, mut players, path } = game;
    let (_, again) = players[0].get(&server.restart_on(database).await, &path).await;
    assert_eq!(again["history"].as_array().unwrap().len(), in_memory);
    assert_eq!(in_memory, plies + 2);
}
