//! The pages' own checks: compiler, linter and unit tests with npm, and a real browser against a real server. Not here: how
//! the pages are built into the program (`crates/server/build.rs`).

use crate::process::{Failure, Outcome, in_ci, is_installed, missing, root, run, run_tests};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(root().join("web"));
    command
}

/// The packages that the pages need. The server's build takes those that were installed for the same lock file.
pub(crate) fn install() -> Outcome {
    run(&mut npm(&["ci", "--no-audit", "--no-fund"]))?;
    let web = root().join("web");
    std::fs::copy(web.join("package-lock.json"), web.join("node_modules/.lozenge-lock"))
        .map(drop)
        .map_err(|error| Failure::new(format!("web/package-lock.json: {error}")))
}

/// Types, linter, unit tests.
pub(crate) fn check() -> Outcome {
    run(&mut npm(&["run", "check"]))?;
    run(&mut npm(&["test"]))
}

/// The site with an empty database, stopped when it is dropped.
pub(crate) struct TestServer {
    child: Child,
    /// Its URL, such as `http://127.0.0.1:4711`.
    pub(crate) address: String,
    _data: tempfile::TempDir,
}

impl TestServer {
    /// Of the release build.
    pub(crate) fn start() -> Result<Self, Failure> {
        Self::start_with("release", &[])
    }

    /// Of the build in this folder of the target directory, with further options.
    pub(crate) fn start_with(folder: &str, options: &[&str]) -> Result<Self, Failure> {
        let mut program = Command::new(crate::smoke::built(folder, "lozenge")?);
        program.args(["serve", "--listen", "127.0.0.1:0"]).args(options);
        Self::spawn(program)
    }

    /// The same, with at most `files` open files, which bounds its connections.
    pub(crate) fn with_few_files(folder: &str, files: u32) -> Result<Self, Failure> {
        let mut shell = Command::new("sh");
        shell.args(["-c", "ulimit -n $0 && exec \"$@\"", &files.to_string()]);
        shell.arg(crate::smoke::built(folder, "lozenge")?).args(["serve", "--listen", "127.0.0.1:0"]);
        Self::spawn(shell)
    }

    fn spawn(mut program: Command) -> Result<Self, Failure> {
        let data =
            tempfile::tempdir().map_err(|error| Failure::new(format!("a temporary folder: {error}")))?;
        let mut child = program
            .arg("--no-table-generation")
            .arg("--data")
            .arg(data.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::new(format!("{}: {error}", program.get_program().display())))?;
        let mut line = String::new();
        if let Some(output) = child.stdout.take() {
            BufReader::new(output).read_line(&mut line).map_err(|error| Failure::new(error.to_string()))?;
        }
        let address = line.split_whitespace().last().unwrap_or_default().to_owned();
        Ok(Self { child, address, _data: data })
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The board and the site in a real browser, which has to be there in CI; elsewhere its absence is printed.
pub(crate) fn browser() -> Outcome {
    if !is_installed("chromium") {
        return missing("chromium", "Debian: chromium, and chromium-headless-shell, which is quicker");
    }
    std::thread::scope(|scope| {
        let boards = scope.spawn(|| named(&mut npm(&["run", "test:browser"])));
        let site = site();
        let boards =
            boards.join().unwrap_or_else(|_| Err(Failure::new("the tests of the boards ended by a panic")));
        boards.and(site)
    })
}

/// The site: two files of tests at a time, each on a server that no other uses meanwhile. Tests that kill their server start the
/// program themselves.
fn site() -> Outcome {
    let servers = [TestServer::start()?, TestServer::start()?];
    let addresses = servers.each_ref().map(|server| server.address.as_str()).join(" ");
    let program = crate::smoke::built("release", "lozenge")?;
    named(npm(&["run", "test:site"]).env("LOZENGE_SITE", addresses).env("LOZENGE_PROGRAM", program))
}

/// Runs tests. Their lines come in one piece at the end; the failure names the tests that failed.
fn named(tests: &mut Command) -> Outcome {
    let output =
        tests.env("NO_COLOR", "1").output().map_err(|error| Failure::new(format!("npm: {error}")))?;
    let lines = String::from_utf8_lossy(&output.stdout);
    println!("{lines}{}", String::from_utf8_lossy(&output.stderr));
    let failed: Vec<String> =
        lines.lines().filter(|line| line.starts_with(" FAIL ")).map(str::to_owned).collect();
    if output.status.success() {
        Ok(())
    } else {
        Err(Failure::new(format!("{}\n{}", output.status, failed.join("\n"))))
    }
}

/// The site in Firefox and in WebKit, as far as they are there; CI needs both.
pub(crate) fn other_browsers() -> Outcome {
    for (tool, package) in [
        ("firefox-esr", "Debian: firefox-esr"),
        ("geckodriver", "cargo install --locked geckodriver"),
        ("WebKitWebDriver", "Debian: webkit2gtk-driver"),
    ] {
        if !is_installed(tool) {
            missing(tool, package)?;
        }
    }
    // Their windows are on a screen without a monitor.
    if !is_installed("xvfb-run") {
        return missing("xvfb-run", "Debian: xvfb");
    }
    let server = TestServer::start()?;
    run(npm(&["run", "test:browsers"]).env("LOZENGE_SITE", &server.address))
}

/// The two example bots play a game each.
pub(crate) fn bots() -> Outcome {
    let server = TestServer::start()?;
    run(Command::new(crate::smoke::tested("examples/bot")?).args([&server.address, "diagonal"]))?;
    run(Command::new("python3").arg(root().join("examples/bot.py")).arg(&server.address))
}

/// The server's tests again, on PostgreSQL: on the server that `LOZENGE_TEST_POSTGRES` names, which is required in
/// CI.
pub(crate) fn postgres() -> Outcome {
    if std::env::var_os("LOZENGE_TEST_POSTGRES").is_none() {
        if in_ci() {
            return Err(Failure::new("LOZENGE_TEST_POSTGRES names no server".to_owned()));
        }
        println!("SKIPPED: LOZENGE_TEST_POSTGRES names no server");
        return Ok(());
    }
    run_tests("crates/server", &[], ("LOZENGE_TEST_DATABASE", "postgres"))
}
