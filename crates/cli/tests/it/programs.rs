//! Runs the program, and returns or checks its output.

use assert_cmd::Command;
use std::path::Path;

/// Exit status, standard output, standard error.
pub(crate) type CommandOutput = (i32, String, String);

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lozenge"));
    command.args(arguments).timeout(std::time::Duration::from_secs(60));
    command
}

fn output_of(command: &mut Command) -> CommandOutput {
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

pub(crate) fn run(arguments: &[&str]) -> CommandOutput {
    output_of(&mut command(arguments))
}

/// Runs a command that must succeed.
pub(crate) fn succeed(arguments: &[&str]) -> String {
    let (status, out, error) = run(arguments);
    assert_eq!((status, error.as_str()), (0, ""), "{arguments:?}");
    out
}

/// Runs a command that must fail with status 1 and one line after `error: `.
pub(crate) fn fail(arguments: &[&str]) -> String {
    let (status, out, error) = run(arguments);
    assert_eq!((status, out.as_str()), (1, ""), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    let message = error.trim_end().strip_prefix("error: ");
    message.unwrap_or_else(|| panic!("{arguments:?}: no `error:` before {error}")).into()
}

/// Runs a command that must be refused as wrong usage.
pub(crate) fn usage_error(arguments: &[&str]) -> String {
    let (status, out, error) = run(arguments);
    assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
    error
}

pub(crate) fn game(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    root.join(name).to_str().unwrap().into()
}

/// Runs a command with a text on standard input.
pub(crate) fn with_input(arguments: &[&str], input: impl Into<Vec<u8>>) -> CommandOutput {
    output_of(command(arguments).write_stdin(input))
}

pub(crate) fn json(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_str(&succeed(arguments)).unwrap()
}
