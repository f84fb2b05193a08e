//! The program `lozenge-engine`: `lozenge engine` for GUIs that start engines without arguments.

use std::process::ExitCode;

fn main() -> ExitCode {
    lozenge_cli::engine()
}
