//! The program `lozenge`: see `lozenge_cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    lozenge_cli::run(std::env::args_os())
}
