//! The site that is played on: which processes there are, how they are linked, and where players reach it.

use super::link::Link;
use super::processes::{Ports, Postgres, Process, supervise};
use crate::http::Site;
use crate::process::Failure;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long the processes may take to start.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// All processes and the links between them.
pub(super) struct Cluster {
    pub(super) postgres: Postgres,
    pub(super) nats: Process,
    pub(super) servers: Vec<Process>,
    pub(super) workers: Vec<Process>,
    pub(super) links: Vec<Arc<Link>>,
    /// Where players reach each server: through a link.
    pub(super) sites: Vec<Site>,
    /// The folder of the streams of NATS.
    pub(super) streams: std::path::PathBuf,
    supervisor: tokio::task::JoinHandle<()>,
}

impl Cluster {
    /// Starts everything, and waits until the servers answer.
    pub(super) async fn start(
        program: &Path,
        folder: &Path,
        servers: usize,
        workers: usize,
        lease: Duration,
    ) -> Result<Self, Failure> {
        let mut ports = Ports::new();
        let (postgres_port, nats_port) = (ports.free()?, ports.free()?);
        let postgres = Postgres::start(folder, postgres_port)?;
        let streams = folder.join("streams");
        let arguments = ["-a", "127.0.0.1", "-p", &nats_port.to_string(), "-js", "-sd"].map(str::to_owned);
        let arguments = [&arguments[..], &[streams.display().to_string()]].concat();
        let nats = Process::new("nats", "nats-server".into(), arguments, folder);
        nats.start()?;
        wait("PostgreSQL", || postgres.is_ready()).await?;
        let mut links = Vec::new();
        let mut link = async |name: String, to: u16| -> Result<u16, Failure> {
            let link =
                Link::open(name, to).await.map_err(|error| Failure::new(format!("a link: {error}")))?;
            let port = link.port;
            links.push(Arc::new(link));
            Ok(port)
        };
        let (mut all_servers, mut sites) = (Vec::new(), Vec::new());
        for number in 1..=servers {
            let name = format!("server-{number}");
            let port = ports.free()?;
            let database = link(format!("{name} to PostgreSQL"), postgres_port).await?;
            let to_nats = link(format!("{name} to NATS"), nats_port).await?;
            let outside = link(format!("players to {name}"), port).await?;
            let mut arguments: Vec<String> =
                ["serve", "--no-table-generation", "--trusted-proxies", "127.0.0.0/8"]
                    .map(str::to_owned)
                    .into();
            let mut set = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
            set("--listen", format!("127.0.0.1:{port}"));
            set("--data", folder.join(&name).display().to_string());
            set("--database", format!("postgres://lozenge@127.0.0.1:{database}/postgres"));
            set("--nats", format!("nats://127.0.0.1:{to_nats}"));
            if servers > 1 {
                set("--node-id", name.clone());
                set("--node-address", format!("http://127.0.0.1:{outside}"));
                set("--lease", format!("{}s", lease.as_secs()));
            }
            all_servers.push(Process::new(&name, program.to_owned(), arguments, folder));
            sites.push(Site { address: SocketAddr::from((Ipv4Addr::LOCALHOST, outside)), direct: false });
        }
        let mut all_workers = Vec::new();
        for number in 1..=workers {
            let name = format!("worker-{number}");
            let to_nats = link(format!("{name} to NATS"), nats_port).await?;
            let address = format!("nats://127.0.0.1:{to_nats}");
            let arguments = ["worker", "--nats", &address, "--name", &name, "--threads", "1", "--grace", "2"];
            let arguments = arguments.map(str::to_owned).into();
            all_workers.push(Process::new(&name, program.to_owned(), arguments, folder));
        }
        let all = [&[postgres.process.clone(), nats.clone()][..], &all_servers, &all_workers].concat();
        let supervisor = tokio::spawn(supervise(all));
        // The first makes the tables.
        for (server, site) in all_servers.iter().zip(&sites) {
            server.start()?;
            is_ready(*site, server).await?;
        }
        for worker in &all_workers {
            worker.start()?;
        }
        Ok(Self {
            postgres,
            nats,
            servers: all_servers,
            workers: all_workers,
            links,
            sites,
            streams,
            supervisor,
        })
    }

    /// All processes.
    pub(super) fn processes(&self) -> Vec<Process> {
        [&[self.postgres.process.clone(), self.nats.clone()][..], &self.servers, &self.workers].concat()
    }

    /// Waits until PostgreSQL answers.
    pub(super) async fn database_answers(&self) -> Result<(), Failure> {
        wait("PostgreSQL", || self.postgres.is_ready()).await
    }

    /// Restarts one of the servers, alone, so that it knows only what is in the database.
    pub(super) async fn restart_alone(&self) -> Result<Site, Failure> {
        self.servers.iter().for_each(Process::kill);
        let (Some(server), Some(site)) = (self.servers.first(), self.sites.first()) else {
            return Err(Failure::new("expected a server"));
        };
        server.start()?;
        is_ready(*site, server).await?;
        Ok(*site)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.supervisor.abort();
        for process in self.processes() {
            process.go_on();
            process.kill();
        }
    }
}

async fn wait(what: &str, mut is_ready: impl FnMut() -> bool) -> Result<(), Failure> {
    let end = Instant::now() + START_TIMEOUT;
    while !is_ready() {
        if Instant::now() > end {
            return Err(Failure::new(format!("{what} does not answer within {START_TIMEOUT:?}")));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

async fn is_ready(site: Site, server: &Process) -> Result<(), Failure> {
    let end = Instant::now() + START_TIMEOUT;
    loop {
        let response = site.request(site.player(0), "GET", "/readyz", None, None).await;
        if response.is_ok_and(|answer| answer.status == 200) {
            return Ok(());
        }
        if Instant::now() > end {
            let (name, log) = (server.name(), server.log());
            return Err(Failure::new(format!(
                "{name} is not ready within {START_TIMEOUT:?}; its log:\n{log}"
            )));
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
