//! A site in memory and clients that send requests without sockets.

#![allow(dead_code, clippy::unwrap_used)]

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use lozenge_server::{Bounds, Config, Site};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::time::Duration;
use tempfile::TempDir;
use tower::ServiceExt as _;

/// A site with a database of its own: SQLite in a folder, or what `LOZENGE_TEST_POSTGRES` names.
pub(crate) struct TestServer {
    pub(crate) site: Site,
    pub(crate) router: Router,
    folder: TempDir,
}

impl TestServer {
    pub(crate) async fn new() -> Self {
        Self::with(|_| {}).await
    }

    /// A site with a configured public URL, as behind a proxy.
    pub(crate) async fn with_public_url(public_url: &str) -> Self {
        Self::with(|config| config.public_url = Some(public_url.to_owned())).await
    }

    /// A site that can send mail.
    pub(crate) async fn with_mail(mail: lozenge_server::Mailer) -> Self {
        Self::with(|config| config.mail = Some(mail)).await
    }

    /// A site with another configuration.
    pub(crate) async fn with(set_up: impl FnOnce(&mut Config)) -> Self {
        Self::at(TempDir::new().unwrap(), set_up).await
    }

    /// A site on this database.
    pub(crate) async fn on(database: String, folder: TempDir) -> Self {
        Self::at(folder, |config| config.database = database).await
    }

    pub(crate) async fn at(folder: TempDir, set_up: impl FnOnce(&mut Config)) -> Self {
        let engine = Bounds { time: Duration::from_millis(50), hash_mib: 1, ..Bounds::default() };
        let mut config = Config { engine, ..Config::new(database(folder.path()).await) };
        set_up(&mut config);
        let site = Site::open(config).await.unwrap();
        let router = site.router();
        Self { site, router, folder }
    }

    /// The same database, as after a restart of the server.
    pub(crate) async fn restart(self) -> Self {
        Self::at(self.stop().await, |_| {}).await
    }

    /// The same on another address of its database.
    pub(crate) async fn restart_on(self, database: String) -> Self {
        Self::on(database, self.stop().await).await
    }

    /// Stops the server; its database stays as long as the folder.
    pub(crate) async fn stop(self) -> TempDir {
        let Self { site, router, folder } = self;
        drop(router);
        site.close().await;
        folder
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }
}

/// Positions of chess in which the rooks win on the eighth rank: in two moves, and at once by either of them.
const PUZZLES: [&str; 2] =
    ["6k1/4bppp/8/8/8/8/R4PPP/4R1K1 b - - 0 1", "6k1/5ppp/p7/8/8/8/3R1PPP/4R1K1 b - - 0 1"];

/// A puzzle of Diamond Chess: position, lead, solution.
const DIAMOND_PUZZLE: [&str; 3] = [
    "****1****/***1v1***/**1p3**/*KpP4*/2P1*kp2/*2P1n2*/**2VR1**/***3***/****1**** b - - 1 35",
    "f5e6",
    "f3f4 g5f4 e3f4",
];

/// A site with two puzzles of chess: one of two moves, one that is much harder, with a mate at once. Another one is illegal. And
/// one of Diamond Chess.
pub(crate) async fn with_puzzles() -> TestServer {
    let puzzle = |fen: &str, lead: &str, line: &[&str], theme: &str, rating: u32| {
        json!({"variant": "chess", "fen": fen, "lead": lead, "line": line, "themes": [theme], "rating": rating,
            "source": "a test"})
    };
    let diamond = json!({"variant": "diamond", "fen": DIAMOND_PUZZLE[0], "lead": DIAMOND_PUZZLE[1],
        "line": DIAMOND_PUZZLE[2].split(' ').collect::<Vec<_>>(), "themes": ["exchange"], "rating": 1200, "source": "a test"});
    let puzzles = json!([
        puzzle(PUZZLES[0], "e7c5", &["a2a5", "c5f8", "a5a8"], "fork", 1500),
        puzzle(PUZZLES[1], "a6a5", &["e1e8"], "mate", 2600),
        puzzle(PUZZLES[0], "e7e6", &["e1e8"], "pin", 1500),
        diamond,
    ]);
    let server =
        TestServer::with(|config| config.puzzles = [Cow::Owned(puzzles.to_string().into_bytes())].into())
            .await;
    for _ in 0..300 {
        let (status, _) = Browser::default().get(&server, "/api/puzzles/next?variant=diamond").await;
        if status == StatusCode::OK {
            return server;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("expected puzzles, found none after 15 seconds");
}

/// A client with an account.
pub(crate) async fn register(server: &TestServer, name: &str) -> Browser {
    let mut browser = Browser::default();
    let account = json!({"name": name, "password": "a long password"});
    let (status, problem) = browser.post(server, "/api/account/register", account).await;
    assert_eq!(status, StatusCode::OK, "{problem}");
    browser
}

/// The address of the database that belongs to a folder: SQLite in it, or with `LOZENGE_TEST_DATABASE=postgres` one of
/// its own on the server that `LOZENGE_TEST_POSTGRES` names.
pub(crate) async fn database(folder: &std::path::Path) -> String {
    if std::env::var("LOZENGE_TEST_DATABASE").as_deref() != Ok("postgres") {
        return lozenge_store::Store::sqlite_url(folder);
    }
    let postgres_url = std::env::var("LOZENGE_TEST_POSTGRES").expect("LOZENGE_TEST_POSTGRES names a server");
    postgres(folder, &postgres_url).await
}

/// The address of a database that belongs to a folder on a server of PostgreSQL.
pub(crate) async fn postgres(folder: &std::path::Path, postgres_url: &str) -> String {
    let name: String =
        folder.file_name().unwrap().to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect();
    let name = format!("lozenge_{}", name.to_lowercase());
    lozenge_store::install_drivers();
    let mut connection = <sqlx::AnyConnection as sqlx::Connection>::connect(postgres_url).await.unwrap();
    let statement = sqlx::AssertSqlSafe(format!("CREATE DATABASE {name}"));
    // After a restart it is there already.
    let _ = sqlx::query(statement).execute(&mut connection).await;
    format!("{}/{name}", postgres_url.rsplit_once('/').unwrap().0)
}

/// A client that keeps the session's cookie.
#[derive(Default)]
pub(crate) struct Browser {
    pub(crate) cookie: Option<String>,
    pub(crate) token: Option<String>,
}

impl Browser {
    pub(crate) async fn request(
        &mut self,
        server: &TestServer,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let response = self.raw(server, method, path, body).await;
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 8 << 20).await.unwrap();
        let value = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        (status, value)
    }

    pub(crate) async fn raw(
        &mut self,
        server: &TestServer,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Response<Body> {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, "test");
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = match body {
            Some(body) => {
                request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body.to_string()))
            }
            None => request.body(Body::empty()),
        };
        let response = server.router.clone().oneshot(request.unwrap()).await.unwrap();
        if let Some(cookie) = response.headers().get(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
            self.cookie = Some(cookie);
        }
        response
    }

    pub(crate) async fn get(&mut self, server: &TestServer, path: &str) -> (StatusCode, Value) {
        self.request(server, Method::GET, path, None).await
    }

    pub(crate) async fn post(&mut self, server: &TestServer, path: &str, body: Value) -> (StatusCode, Value) {
        self.request(server, Method::POST, path, Some(body)).await
    }
}

/// Both play their first moves: from then on a game counts.
pub(crate) async fn both_move(server: &TestServer, [white, black]: [&mut Browser; 2], id: &str) {
    for (ply, player) in [white, black].into_iter().enumerate() {
        let (_, game) = player.get(server, &format!("/api/games/{id}")).await;
        let action = json!({"type": "move", "move": game["state"]["moves"][0], "ply": ply});
        let (status, problem) = player.post(server, &format!("/api/games/{id}/actions"), action).await;
        assert_eq!(status, StatusCode::OK, "{problem}");
    }
}
