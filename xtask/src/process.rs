//! Runs programs in the project's folder, and the error with which a task ends.

use serde_json::Value;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a task failed: one line or several.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// The result of a step.
pub(crate) type Outcome = Result<(), Failure>;

impl Failure {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Fails with all faults, one on each line, if there are any.
pub(crate) fn none_of(what: &str, faults: &[String]) -> Outcome {
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!("{what}\n  {}", faults.join("\n  "))))
}

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    // Cargo sets the variable when it runs this package; the constant serves a copied binary.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Whether this runs in continuous integration, where no step may be skipped.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// The running Cargo, in the project's folder.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = program(cargo);
    command.args(arguments);
    command
}

/// The running Cargo with the time that all other programs leave, where the system has `nice`.
pub(crate) fn cargo_in_background(arguments: &[&str]) -> Command {
    if !cfg!(unix) {
        return cargo(arguments);
    }
    let mut command = program("nice");
    command.args(["-n", "19"]).arg(cargo(&[]).get_program()).args(arguments);
    command
}

/// A program in the project's folder, without the variables that Cargo sets for this package.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.current_dir(root());
    for (key, _) in std::env::vars_os() {
        if key.to_str().is_some_and(|key| key.starts_with("CARGO_PKG_") || key == "CARGO_MANIFEST_DIR") {
            command.env_remove(key);
        }
    }
    command
}

/// Runs a command. Fails unless it succeeds.
pub(crate) fn run(command: &mut Command) -> Outcome {
    println!("$ {}", command_line(command));
    let status =
        command.status().map_err(|error| Failure::new(format!("{}: {error}", command_line(command))))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("{}: {status}", command_line(command)))) }
}

/// Runs the tests of the package in a folder again, those whose names contain one of the arguments, with an environment
/// variable. They are the programs that `cargo test --workspace` runs: with one package alone much would be compiled again.
pub(crate) fn run_tests(folder: &str, arguments: &[&str], variable: (&str, &str)) -> Outcome {
    let built = read(&mut cargo(&["test", "--workspace", "--no-run", "--message-format", "json"]))?;
    let folder = root().join(folder);
    let mut ran = 0;
    for test in built.lines().filter_map(|line| test_program(line, &folder)) {
        run(Command::new(test).args(arguments).current_dir(&folder).env(variable.0, variable.1))?;
        ran += 1;
    }
    if ran == 0 { Err(Failure::new(format!("no tests were built in {}", folder.display()))) } else { Ok(()) }
}

/// The test program of the package in a folder that a line of Cargo's messages is about.
fn test_program(message: &str, folder: &Path) -> Option<String> {
    let message: Value = serde_json::from_str(message).ok()?;
    let manifest = Path::new(message["manifest_path"].as_str()?);
    let test = message["profile"]["test"] == true && manifest.parent() == Some(folder);
    message["executable"].as_str().filter(|_| test).map(str::to_owned)
}

/// Runs a command and returns its standard output.
pub(crate) fn read(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(format!("{}: {error}", command_line(command))))?;
    if !output.status.success() {
        return Err(Failure::new(format!("{}: {}", command_line(command), output.status)));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::new(format!("{}: its output is not text", command_line(command))))
}

/// Runs a command and returns its standard error, which is printed only if the command fails.
pub(crate) fn read_stderr(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("{}: {error}", command_line(command))))?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        println!("{stderr}");
        return Err(Failure::new(format!("{}: {}", command_line(command), output.status)));
    }
    Ok(stderr)
}

/// Whether a subcommand of Cargo is installed, for example `fuzz`.
pub(crate) fn has_subcommand(name: &str) -> bool {
    cargo(&[name, "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether there is a program of this name.
pub(crate) fn is_installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Skips a step whose tool is missing; fails in CI.
pub(crate) fn missing(tool: &str, install_hint: &str) -> Outcome {
    if in_ci() {
        return Err(Failure::new(format!("{tool} is not installed ({install_hint})")));
    }
    println!("SKIPPED: {tool} is not installed ({install_hint})");
    Ok(())
}

fn command_line(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let mut text = name.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        let argument = argument.to_string_lossy();
        if argument.contains(' ') { text += &format!("'{argument}'") } else { text += &argument }
    }
    text
}
