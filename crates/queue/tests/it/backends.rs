//! The back ends that the suite runs on: SQLite, PostgreSQL, and both behind NATS.

use lozenge_queue::{JobQueue, QueueSettings, Rows, SCHEMA};
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::task::JoinSet;

/// The lease of the tests, short so that its end can be waited for.
pub(crate) const LEASE: Duration = Duration::from_millis(800);

/// A queue, as the workers see it and as rows.
pub(crate) struct TestQueue {
    pub(crate) queue: Arc<dyn JobQueue>,
    pub(crate) rows: Rows,
    /// Background tasks, which end with the test.
    _tasks: JoinSet<()>,
    #[cfg(feature = "nats")]
    nats: Option<(lozenge_queue::Host, nats_server::Server)>,
    _folder: TempDir,
}

impl TestQueue {
    /// Waits until waiting jobs can be leased: through NATS they travel first.
    pub(crate) async fn settle(&self) {
        #[cfg(feature = "nats")]
        if self.nats.is_some() {
            tokio::time::sleep(Duration::from_millis(900)).await;
        }
    }
}

pub(crate) fn settings() -> QueueSettings {
    let ms = Duration::from_millis;
    QueueSettings { lease: LEASE, tries: 5, retry: ms(20), republish: 2 * LEASE }
}

/// Something that a test needs is not there: a failure in CI, otherwise the test is left out.
pub(crate) fn missing<T>(reason: &str) -> Option<T> {
    assert!(std::env::var_os("CI").is_none(), "{reason}");
    eprintln!("SKIPPED: {reason}");
    None
}

pub(crate) async fn sqlite_rows(folder: &Path) -> Rows {
    lozenge_queue::install_drivers();
    let url = format!("sqlite:{}?mode=rwc", folder.join("queue.sqlite").display());
    let pool = AnyPoolOptions::new()
        .max_connections(4)
        .after_connect(|connection, _| {
            Box::pin(async move {
                let set = "PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON;";
                connection.execute(set).await.map(|_| ())
            })
        })
        .connect(&url)
        .await
        .unwrap();
    // After a restart the tables are there already.
    let _ = pool.execute(SCHEMA).await;
    Rows::new(pool, false, None, settings())
}

async fn postgres_rows(folder: &Path) -> Option<Rows> {
    let Ok(server) = std::env::var("LOZENGE_TEST_POSTGRES") else {
        return missing("LOZENGE_TEST_POSTGRES names no server");
    };
    lozenge_queue::install_drivers();
    let name: String =
        folder.file_name()?.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect();
    let name = format!("queue_{}", name.to_lowercase());
    let mut connection = AnyConnection::connect(&server).await.unwrap();
    connection.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
    let url = format!("{}/{name}", server.rsplit_once('/')?.0);
    let pool = AnyPoolOptions::new().max_connections(4).connect(&url).await.unwrap();
    pool.execute(SCHEMA).await.unwrap();
    Some(Rows::new(pool, true, None, settings()))
}

/// The rows alone, swept as a server does.
fn local(rows: Rows, folder: TempDir) -> TestQueue {
    let mut tasks = JoinSet::new();
    let swept = rows.clone();
    tasks.spawn(async move {
        loop {
            swept.sweep().await.unwrap();
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    TestQueue {
        queue: Arc::new(rows.clone()),
        rows,
        _tasks: tasks,
        #[cfg(feature = "nats")]
        nats: None,
        _folder: folder,
    }
}

pub(crate) async fn sqlite() -> Option<TestQueue> {
    let folder = TempDir::new().unwrap();
    Some(local(sqlite_rows(folder.path()).await, folder))
}

pub(crate) async fn postgres() -> Option<TestQueue> {
    let folder = TempDir::new().unwrap();
    Some(local(postgres_rows(folder.path()).await?, folder))
}

#[cfg(feature = "nats")]
pub(crate) use nats_server::{nats, nats_postgres};

#[cfg(feature = "nats")]
pub(crate) mod nats_server {
    use super::{TestQueue, missing, postgres_rows, sqlite_rows};
    use async_trait::async_trait;
    use lozenge_queue::{Client, Host, RemoteQueue, Rows, Texts, Worker, WorkerBeat};
    use std::net::TcpListener;
    use std::path::PathBuf;
    use std::process::{Child, Command, Stdio};
    use std::sync::Arc;
    use std::time::Duration;
    use tempfile::TempDir;
    use tokio::task::JoinSet;

    /// A server of NATS of a test's own, which can be killed and started again.
    pub(crate) struct Server {
        port: u16,
        folder: PathBuf,
        child: Option<Child>,
    }

    impl Server {
        pub(crate) fn start(folder: PathBuf) -> Option<Self> {
            let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
            let mut server = Self { port, folder, child: None };
            server.start_again().then_some(server)
        }

        pub(crate) fn start_again(&mut self) -> bool {
            let (port, folder) = (self.port.to_string(), self.folder.join("nats"));
            let mut command = Command::new("nats-server");
            command.args(["-a", "127.0.0.1", "-p", &port, "--user", "lozenge", "--pass", "p@ss"]);
            command.args(["-js", "-sd"]).arg(folder);
            self.child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok();
            self.child.is_some()
        }

        /// As `kill -9`.
        pub(crate) fn kill(&mut self) {
            if let Some(mut child) = self.child.take() {
                let _ = child.kill();
                let _ = child.wait();
            }
        }

        pub(crate) async fn client(&self) -> Client {
            let address = format!("nats://lozenge:p%40ss@127.0.0.1:{}", self.port);
            for _ in 0..100 {
                if let Ok(client) = Client::connect(&address).await {
                    return client;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            panic!("nats-server does not answer at {address}");
        }
    }

    impl Drop for Server {
        fn drop(&mut self) {
            self.kill();
        }
    }

    pub(crate) struct NoTexts;

    #[async_trait]
    impl Texts for NoTexts {
        async fn texts(&self, digest: &str) -> Option<Vec<String>> {
            (digest == "known").then(|| vec!["text".into()])
        }
    }

    /// Announces a worker now and then, so that jobs are handed over.
    pub(crate) fn announce_worker(tasks: &mut JoinSet<()>, remote: Arc<RemoteQueue>) {
        tasks.spawn(async move {
            let worker = Worker::new("announced", &["any"], "1").unwrap();
            loop {
                remote.beat(&WorkerBeat { worker: worker.clone(), threads: 4, live: 0, busy: 0 }).await;
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        });
    }

    async fn remote(rows: Rows, folder: TempDir) -> Option<TestQueue> {
        let Some(server) = Server::start(folder.path().to_owned()) else {
            return missing("nats-server is not installed");
        };
        let client = server.client().await;
        let host = Host::start(client.clone(), "test", rows.clone(), Arc::new(NoTexts)).await.unwrap();
        let queue = Arc::new(RemoteQueue::new(client, "test").await.unwrap());
        assert_eq!(queue.texts("test", "known").await.unwrap(), Some(vec!["text".into()]));
        assert_eq!(queue.texts("test", "unknown").await.unwrap(), None);
        let mut tasks = JoinSet::new();
        announce_worker(&mut tasks, Arc::clone(&queue));
        while host.workers().present().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Some(TestQueue { queue, rows, _tasks: tasks, nats: Some((host, server)), _folder: folder })
    }

    pub(crate) async fn nats() -> Option<TestQueue> {
        let folder = TempDir::new().unwrap();
        remote(sqlite_rows(folder.path()).await, folder).await
    }

    pub(crate) async fn nats_postgres() -> Option<TestQueue> {
        let folder = TempDir::new().unwrap();
        remote(postgres_rows(folder.path()).await?, folder).await
    }
}
