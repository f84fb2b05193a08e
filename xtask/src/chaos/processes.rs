//! The processes of a site on several machines, all on this one: PostgreSQL, NATS, servers and workers, which can be killed,
//! paused and started again. A process that ends by itself is started again, as service managers do.

use crate::process::Failure;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often this searches for processes that have ended.
const POLL_INTERVAL: Duration = Duration::from_millis(200);
/// The pause before one is started again.
const RESTART_DELAY: Duration = Duration::from_millis(500);

/// One of the processes. Clones are the same.
#[derive(Clone, Debug)]
pub(super) struct Process(Arc<Mutex<Inner>>);

#[derive(Debug)]
struct Inner {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    /// The user and group that it runs as, if not as ours.
    user: Option<(u32, u32)>,
    /// Its output.
    log: PathBuf,
    child: Option<Child>,
    /// Since when it is to run.
    desired_since: Option<Instant>,
    /// How often it ended by itself.
    ended: u32,
}

impl Process {
    pub(super) fn new(name: &str, program: PathBuf, arguments: Vec<String>, folder: &Path) -> Self {
        let log = folder.join(format!("{name}.log"));
        let name = name.to_owned();
        let (child, desired_since) = (None, None);
        Self(Arc::new(Mutex::new(Inner {
            name,
            program,
            arguments,
            user: None,
            log,
            child,
            desired_since,
            ended: 0,
        })))
    }

    fn run_as(self, user: Option<(u32, u32)>) -> Self {
        self.lock().user = user;
        self
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn name(&self) -> String {
        self.lock().name.clone()
    }

    /// Its output until now.
    pub(super) fn log(&self) -> String {
        std::fs::read(&self.lock().log)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default()
    }

    /// How often it ended by itself.
    pub(super) fn ended(&self) -> u32 {
        self.lock().ended
    }

    /// Whether it is to run.
    pub(super) fn should_run(&self) -> bool {
        self.lock().desired_since.is_some()
    }

    /// Starts it, and lets it be started again whenever it ends.
    pub(super) fn start(&self) -> Result<(), Failure> {
        let mut inner = self.lock();
        inner.desired_since = Some(Instant::now());
        inner.spawn()
    }

    /// Ends it as `kill -9` does, until it is started again.
    pub(super) fn kill(&self) {
        let family = self.family();
        self.lock().end();
        // Its children see that it has gone, and end. If they are paused, no other process would resume them.
        family.into_iter().skip(1).for_each(|pid| send(pid, Signal::CONT));
    }

    /// Asks it to end, and waits for that; after the timeout it is killed. Returns whether it ended by itself.
    pub(super) async fn terminate(&self, timeout: Duration) -> bool {
        self.lock().desired_since = None;
        self.signal(Signal::TERM);
        let end = Instant::now() + timeout;
        while Instant::now() < end {
            if self.lock().has_ended() {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.kill();
        false
    }

    /// Pauses it, with the processes that it has started.
    pub(super) fn pause(&self) {
        let all = self.family();
        all.into_iter().for_each(|pid| send(pid, Signal::STOP));
    }

    /// Resumes it.
    pub(super) fn go_on(&self) {
        let all = self.family();
        all.into_iter().for_each(|pid| send(pid, Signal::CONT));
    }

    /// Kills one of the processes that it has started, if there is one. PostgreSQL then starts again by itself.
    pub(super) fn kill_child(&self, number: usize) {
        let family = self.family();
        let children = family.get(1..).unwrap_or_default();
        if let Some(child) = children.get(number % children.len().max(1)) {
            send(*child, Signal::KILL);
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(child) = &self.lock().child {
            send(child.id(), signal);
        }
    }

    /// Its process, and those that it has started.
    fn family(&self) -> Vec<u32> {
        let Some(own) = self.lock().child.as_ref().map(Child::id) else { return Vec::new() };
        let mut family = vec![own];
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let pid = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let parent = stat.rsplit_once(')').and_then(|(_, fields)| fields.split_whitespace().nth(1));
            if let (Some(pid), Some(parent)) = (pid, parent)
                && parent.parse() == Ok(own)
            {
                family.push(pid);
            }
        }
        family
    }

    /// Starts it again if it has ended although it should run.
    fn restart_if_ended(&self) {
        let mut inner = self.lock();
        if inner.desired_since.is_some_and(|since| since.elapsed() > RESTART_DELAY) && inner.has_ended() {
            inner.ended += 1;
            inner.desired_since = Some(Instant::now());
            // It is tried again at the next check.
            let _ = inner.spawn();
        }
    }
}

impl Inner {
    fn spawn(&mut self) -> Result<(), Failure> {
        let failure = |error: io::Error| Failure::new(format!("{}: {error}", self.program.display()));
        let log = OpenOptions::new().create(true).append(true).open(&self.log).map_err(failure)?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::null());
        command.stdout(File::try_clone(&log).map_err(failure)?).stderr(log);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        self.child = Some(command.spawn().map_err(failure)?);
        Ok(())
    }

    fn has_ended(&mut self) -> bool {
        self.child.as_mut().is_none_or(|child| matches!(child.try_wait(), Ok(Some(_))))
    }

    fn end(&mut self) {
        self.desired_since = None;
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.end();
    }
}

fn send(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // It may have ended.
        let _ = kill_process(pid, signal);
    }
}

/// Starts processes again that have ended.
pub(super) async fn supervise(all: Vec<Process>) {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        all.iter().for_each(Process::restart_if_ended);
    }
}

/// A PostgreSQL server with an empty database of its own.
#[derive(Debug)]
pub(super) struct Postgres {
    pub(super) process: Process,
    pub(super) port: u16,
    psql: PathBuf,
}

impl Postgres {
    /// Makes the database and starts the server.
    pub(super) fn start(folder: &Path, port: u16) -> Result<Self, Failure> {
        let failure = |error: io::Error| Failure::new(format!("PostgreSQL: {error}"));
        let home = folder.join("postgres");
        std::fs::create_dir(&home).map_err(failure)?;
        // PostgreSQL does not run as root.
        let root = std::fs::metadata("/proc/self").map_err(failure)?.uid() == 0;
        let user = root.then(nobody_user).transpose()?;
        if let Some((user, group)) = user {
            chown(&home, Some(user), Some(group)).map_err(failure)?;
        }
        let data = home.join("data");
        let mut make = Command::new(tool("initdb")?);
        make.arg("--pgdata").arg(&data).args(["--username=lozenge", "--auth=trust", "--no-sync"]);
        if let Some((user, group)) = user {
            make.uid(user).gid(group);
        }
        let output = make.current_dir(&home).stdin(Stdio::null()).output().map_err(failure)?;
        if !output.status.success() {
            return Err(Failure::new(format!("initdb: {}", String::from_utf8_lossy(&output.stderr))));
        }
        let mut arguments = vec!["-D".to_owned(), data.display().to_string(), "-p".into(), port.to_string()];
        arguments.extend(["-k".into(), home.display().to_string()]);
        // Killed processes lose nothing that the system has; only a loss of power would need `fsync`.
        for setting in [
            "listen_addresses=127.0.0.1",
            "fsync=off",
            "max_connections=200",
            "idle_in_transaction_session_timeout=2s",
        ] {
            arguments.extend(["-c".to_owned(), setting.to_owned()]);
        }
        let process = Process::new("postgres", tool("postgres")?, arguments, folder).run_as(user);
        process.start()?;
        Ok(Self { process, port, psql: tool("psql")? })
    }

    /// Whether it answers.
    pub(super) fn is_ready(&self) -> bool {
        self.query("SELECT 1").is_ok()
    }

    /// The rows of a query as text: columns end with tabs, rows with lines.
    pub(super) fn query(&self, query: &str) -> Result<String, Failure> {
        let mut psql = Command::new(&self.psql);
        psql.args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-U", "lozenge", "-d", "postgres"]);
        psql.args(["-X", "-A", "-t", "-q", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-c", query]);
        psql.env("PGCONNECT_TIMEOUT", "3").stdin(Stdio::null());
        let output = psql.output().map_err(|error| Failure::new(format!("psql: {error}")))?;
        if !output.status.success() {
            return Err(Failure::new(format!("psql: {}", String::from_utf8_lossy(&output.stderr))));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// A program of PostgreSQL: on the path, or where Debian has it.
fn tool(name: &str) -> Result<PathBuf, Failure> {
    let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .collect();
    folders.sort();
    folders.reverse();
    if let Some(path) = std::env::var_os("PATH") {
        folders.extend(std::env::split_paths(&path));
    }
    let found = folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file());
    found.ok_or_else(|| Failure::new(format!("{name} is not installed (Debian: postgresql)")))
}

/// The ids of the user `nobody` and of its group.
fn nobody_user() -> Result<(u32, u32), Failure> {
    let id = |option: &str| -> Option<u32> {
        let output = Command::new("id").args([option, "nobody"]).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse().ok()
    };
    id("-u").zip(id("-g")).ok_or_else(|| Failure::new("expected a user called nobody"))
}

/// Whether PostgreSQL and NATS are installed.
pub(super) fn are_installed() -> bool {
    let nats = Command::new("nats-server").arg("--version").stdout(Stdio::null()).status();
    nats.is_ok() && tool("initdb").is_ok() && tool("psql").is_ok()
}

/// The first port to listen on, and the first that the system gives to connections where its range cannot be read.
const FIRST_PORT: u16 = 10_000;
const FIRST_EPHEMERAL_PORT: u16 = 32_768;

/// Ports to listen on, below those that the system gives to connections. Otherwise a link that tries to reach a server that
/// does not listen yet could get the server's port from the system, and be connected to itself.
#[derive(Debug)]
pub(super) struct Ports(std::ops::Range<u16>);

impl Ports {
    /// Other ones for each process.
    pub(super) fn new() -> Self {
        let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
        let end = range.split_whitespace().next().and_then(|first| first.parse().ok());
        let end = end.filter(|end| *end > FIRST_PORT).unwrap_or(FIRST_EPHEMERAL_PORT);
        let start = u32::from(FIRST_PORT) + std::process::id() * 16 % (u32::from(end - FIRST_PORT) / 2);
        Self(u16::try_from(start).unwrap_or(FIRST_PORT)..end)
    }

    /// A port that is free and has not been given out.
    pub(super) fn free(&mut self) -> Result<u16, Failure> {
        let is_free = |port: &u16| std::net::TcpListener::bind(("127.0.0.1", *port)).is_ok();
        self.0.find(is_free).ok_or_else(|| Failure::new("expected a free port, found none"))
    }
}
