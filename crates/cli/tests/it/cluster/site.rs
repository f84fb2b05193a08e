//! Servers on one PostgreSQL and one NATS, each of them behind links that can be cut.

use super::link::Link;
use crate::common::Server;
use crate::nats::{address, nats_server};
use serde_json::Value;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The lease of the tests: games are taken over after this and a little more.
pub(super) const LEASE: Duration = Duration::from_millis(1_000);

/// Longest time until a game goes on after its server has died.
pub(super) const TAKE_OVER: Duration = Duration::from_secs(5);

/// A server of NATS that can be killed and started again.
pub(super) struct Nats {
    port: u16,
    child: Option<Child>,
}

impl Nats {
    pub(super) fn start() -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut nats = Self { port, child: None };
        nats.start_again().then_some(nats)
    }

    pub(super) fn start_again(&mut self) -> bool {
        let folder = std::env::temp_dir().join(format!("lozenge-nats-{}", self.port));
        let mut command = nats_server(self.port, &folder);
        self.child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok();
        let end = Instant::now() + Duration::from_secs(10);
        while self.child.is_some() && std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < end, "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.is_some()
    }

    pub(super) fn address(&self) -> String {
        address(self.port)
    }

    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(std::env::temp_dir().join(format!("lozenge-nats-{}", self.port)));
    }
}

/// The lease as an argument.
fn lease() -> String {
    format!("{}ms", LEASE.as_millis())
}

/// A database of a test's own, with NATS.
pub(super) struct Site {
    database: String,
    pub(super) connection: AnyConnection,
    pub(super) nats: Nats,
    folder: TempDir,
}

impl Site {
    pub(super) async fn new() -> Option<Self> {
        let Ok(server) = std::env::var("LOZENGE_TEST_POSTGRES") else {
            assert!(std::env::var_os("CI").is_none(), "LOZENGE_TEST_POSTGRES names no server");
            return None;
        };
        let Some(nats) = Nats::start() else {
            assert!(std::env::var_os("CI").is_none(), "nats-server is not installed");
            return None;
        };
        let folder = TempDir::new().unwrap();
        let name = folder.path().file_name().unwrap().to_string_lossy().to_lowercase();
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        lozenge_store::install_drivers();
        let mut connection = AnyConnection::connect(&server).await.unwrap();
        let statement = AssertSqlSafe(format!("CREATE DATABASE cluster_{name}"));
        sqlx::query(statement).execute(&mut connection).await.unwrap();
        let database = format!("{}/cluster_{name}", server.rsplit_once('/').unwrap().0);
        let connection = AnyConnection::connect(&database).await.unwrap();
        Some(Self { database, connection, nats, folder })
    }

    /// A link to NATS for one server.
    pub(super) async fn link_to_nats(&self) -> Link {
        Link::open("to NATS".into(), self.nats.port).await.unwrap()
    }

    /// A link to PostgreSQL for one server.
    pub(super) async fn link_to_postgres(&self) -> Link {
        let (address, _) = self.database.rsplit_once('/').unwrap();
        let port = address.rsplit_once(':').map_or(5432, |(_, port)| port.parse().unwrap());
        Link::open("to PostgreSQL".into(), port).await.unwrap()
    }

    pub(super) fn command(&self, database: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--database", database]);
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// A server without NATS.
    pub(super) fn lone_server(&self) -> Command {
        self.command(&self.database, &[])
    }

    pub(super) fn server(&self, name: &str) -> Server {
        self.server_behind(name, None, None)
    }

    /// A server that reaches NATS, PostgreSQL or both through links.
    pub(super) fn server_behind(&self, name: &str, nats: Option<&Link>, postgres: Option<&Link>) -> Server {
        let nats = address(nats.map_or(self.nats.port, |link| link.port));
        let database = postgres.map_or_else(
            || self.database.clone(),
            |link| {
                let (scheme, rest) = self.database.split_once("://").unwrap();
                let (authority, name) = rest.split_once('/').unwrap();
                let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
                format!("{scheme}://{user}@127.0.0.1:{}/{name}", link.port)
            },
        );
        let mut command = self.command(&database, &["--node-id", name, "--lease", &lease()]);
        command.env("LOZENGE_NATS", nats);
        Server::spawn(command)
    }

    /// The command of a server.
    pub(super) fn server_command(&self, name: &str) -> Command {
        let mut command = self.command(&self.database, &["--node-id", name, "--lease", &lease()]);
        command.env("LOZENGE_NATS", self.nats.address());
        command
    }

    /// The file for the log of a server.
    pub(super) fn log(&self) -> std::path::PathBuf {
        self.folder.path().join("log")
    }

    pub(super) async fn number(&mut self, statement: &'static str) -> i64 {
        let (number,): (i64,) = sqlx::query_as(statement).fetch_one(&mut self.connection).await.unwrap();
        number
    }

    /// The name of the server that owns a game, if one that lives does.
    pub(super) async fn owner(&mut self, game: &str) -> Option<String> {
        let row: Option<(String,)> = sqlx::query_as(
            "SELECT nodes.id FROM games JOIN nodes ON nodes.incarnation = games.owner \
             WHERE games.id = $1 AND nodes.dead = 0",
        )
        .bind(game.to_owned())
        .fetch_optional(&mut self.connection)
        .await
        .unwrap();
        row.map(|(id,)| id)
    }

    /// The moves of a game in the record, and whether its events have numbers without a gap.
    pub(super) async fn record(&mut self, game: &str) -> Vec<Value> {
        let rows: Vec<(i64, String)> =
            sqlx::query_as("SELECT seq, fact FROM facts WHERE game = $1 ORDER BY seq")
                .bind(game.to_owned())
                .fetch_all(&mut self.connection)
                .await
                .unwrap();
        assert!(rows.iter().enumerate().all(|(index, (seq, _))| *seq == index as i64 + 1), "{rows:?}");
        rows.iter().map(|(_, fact)| serde_json::from_str(fact).unwrap()).collect()
    }
}

/// Sends a signal to a server.
pub(super) fn signal(server: &Server, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &server.id().to_string()]).status().unwrap();
    assert!(sent.success());
}
