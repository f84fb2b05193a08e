//! The programs `lozenge` and `lozenge-engine`: argument parsing and composition, nothing else.
//!
//! Exit status: 0 done, 1 the work failed (one clear line on standard error), 2 wrong usage. When
//! nobody reads the output any more the programs end quietly with 0.

mod args;
mod commands;
mod error;
mod games;
mod output;
pub mod play;
mod render;

use args::{Arguments, Command, VariantsCommand};
use clap::Parser;
pub use error::CliError;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs `lozenge` with these arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(message) => {
            // Help goes to standard output, wrong usage to standard error; either may be closed.
            let _ = message.print();
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2));
        }
    };
    finish(dispatch(arguments.command))
}

/// Runs `lozenge-engine`.
pub fn engine() -> ExitCode {
    finish(commands::engine::run())
}

fn dispatch(command: Option<Command>) -> Result<(), CliError> {
    match command {
        None => play::run(play::PlayArgs::default()),
        Some(Command::Perft(args)) => commands::perft::run(&args),
        Some(Command::Moves(args)) => commands::moves::run(&args),
        Some(Command::Variants(VariantsCommand::List)) => commands::variants::list(),
        Some(Command::Variants(VariantsCommand::Show { variant })) => commands::variants::show(&variant),
        Some(Command::Variants(VariantsCommand::Check { file })) => commands::variants::check(&file),
        Some(Command::Variants(VariantsCommand::New { id })) => commands::variants::new(&id),
        Some(Command::Engine) => commands::engine::run(),
        Some(Command::Bench { depth }) => commands::bench::run(depth),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Render(args)) => render::run(&args),
    }
}

fn finish(result: Result<(), CliError>) -> ExitCode {
    match result {
        Ok(()) | Err(CliError::OutputClosed) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}
