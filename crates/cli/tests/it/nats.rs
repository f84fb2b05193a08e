//! A real NATS for tests, and the processes that use it. Tests are left out where `nats-server` is not installed, which it has to be
//! in CI.

use std::fmt::Write as _;
use std::fs::File;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A process that ends with the test.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn spawn(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// The same, with its standard error in a file.
    fn spawn_with_log(command: &mut Command, log: &Path) -> Self {
        Self(command.stdout(Stdio::null()).stderr(File::create(log).unwrap()).spawn().unwrap())
    }

    /// Sends a signal, such as `STOP`.
    #[cfg(unix)]
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").arg(format!("-{name}")).arg(self.0.id().to_string()).status();
        assert!(sent.unwrap().success());
    }

    /// As `kill -9`.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// As a service manager ends it; its exit status.
    #[cfg(unix)]
    pub(crate) fn terminate(mut self) -> Option<i32> {
        self.signal("TERM");
        self.wait()
    }

    pub(crate) fn wait(&mut self) -> Option<i32> {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                return status.code();
            }
            assert!(Instant::now() < end, "the process does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server of NATS with JetStream in a folder, which requires a user and a password.
pub(crate) fn nats_server(port: u16, folder: &Path) -> Command {
    let mut command = Command::new("nats-server");
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "--user", "lozenge", "--pass", "p@ss"]);
    command.args(["-js", "-sd"]).arg(folder);
    command
}

/// The address of such a server.
pub(crate) fn address(port: u16) -> String {
    format!("nats://lozenge:p%40ss@127.0.0.1:{port}")
}

/// A server of NATS, with a folder for the test.
pub(crate) struct Nats {
    pub(crate) address: String,
    pub(crate) folder: TempDir,
    _server: Process,
}

impl Nats {
    pub(crate) fn start() -> Option<Self> {
        let folder = TempDir::new().unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = nats_server(port, &folder.path().join("nats"));
        let log = File::create(folder.path().join("nats.log")).unwrap();
        let Ok(child) = command.stdout(Stdio::null()).stderr(log).spawn() else {
            assert!(std::env::var_os("CI").is_none(), "nats-server is not installed");
            return None;
        };
        let server = Process(child);
        let end = Instant::now() + Duration::from_secs(10);
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "nats-server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Self { address: address(port), folder, _server: server })
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    /// Runs a command to its end, which has to come within three minutes: work on workers that are gone would wait for ever.
    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let mut command = assert_cmd::Command::from_std(self.command(arguments));
        let output = command.timeout(Duration::from_secs(180)).output().unwrap();
        let was_killed = output.status.code().is_none();
        assert!(!was_killed, "{arguments:?} does not end\n{output:?}\n{}", self.logs());
        output
    }

    /// The logs of NATS and the workers.
    fn logs(&self) -> String {
        let mut logs = String::new();
        for entry in self.folder.path().read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "log") {
                let text = std::fs::read_to_string(&path).unwrap();
                writeln!(logs, "{}:\n{text}", path.display()).unwrap();
            }
        }
        logs
    }

    pub(crate) fn worker(&self, name: &str) -> Process {
        self.worker_with(name, &[])
    }

    pub(crate) fn worker_with(&self, name: &str, extra: &[&str]) -> Process {
        let arguments = ["worker", "--nats", &self.address, "--threads", "1", "--name", name];
        let log = self.folder.path().join(format!("{name}.log"));
        Process::spawn_with_log(&mut self.command(&[&arguments[..], extra].concat()), &log)
    }
}
