//! Where we are and how programs are started there. Not here: which ones.

use crate::failure::{Failure, Outcome};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    // Cargo says where this package lies when it runs it; the constant serves a copied binary.
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Whether this is the machine of the continuous integration, where nothing may be skipped.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// The Cargo that runs us, in the project's folder.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = program(cargo);
    command.args(arguments);
    command
}

/// A program in the project's folder. What Cargo has told us about this package is not passed on.
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

/// Runs to the end; anything but success is a failure that names the command.
pub(crate) fn run(command: &mut Command) -> Outcome {
    println!("$ {}", shown(command));
    let status = command.status().map_err(|error| Failure::new(format!("{}: {error}", shown(command))))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("{}: {status}", shown(command)))) }
}

/// Runs to the end and gives what was written to standard output.
pub(crate) fn read(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| Failure::new(format!("{}: {error}", shown(command))))?;
    if !output.status.success() {
        return Err(Failure::new(format!("{}: {}", shown(command), output.status)));
    }
    String::from_utf8(output.stdout)
        .map_err(|_| Failure::new(format!("{}: its output is not text", shown(command))))
}

/// Runs to the end and gives what was written to standard error, which is shown only of a failure.
pub(crate) fn quiet(command: &mut Command) -> Result<String, Failure> {
    let output = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .output()
        .map_err(|error| Failure::new(format!("{}: {error}", shown(command))))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        println!("{said}");
        return Err(Failure::new(format!("{}: {}", shown(command), output.status)));
    }
    Ok(said)
}

/// Whether Cargo knows a subcommand, for example `fuzz`.
pub(crate) fn has_subcommand(name: &str) -> bool {
    cargo(&[name, "--version"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Without this tool a step is skipped, in CI it fails.
pub(crate) fn missing(tool: &str, how: &str) -> Outcome {
    if in_ci() {
        return Err(Failure::new(format!("{tool} is not installed ({how})")));
    }
    println!("SKIPPED: {tool} is not installed ({how})");
    Ok(())
}

fn shown(command: &Command) -> String {
    let name = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let mut text = name.to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        let argument = argument.to_string_lossy();
        if argument.contains(' ') { text += &format!("'{argument}'") } else { text += &argument }
    }
    text
}
