//! The programs `lozenge` and `lozenge-engine`: argument parsing and composition, nothing else.
//!
//! Exit status: 0 done, 1 the work failed (one clear line on standard error), 2 wrong usage. When
//! the reader of the output has gone the programs end quietly with 0.

mod args;
mod commands;
mod error;
mod games;
mod interrupt;
mod numbers;
mod output;
mod play;

use args::{Arguments, Command, Serve, VariantsCommand};
use clap::{CommandFactory as _, Parser as _};
pub use error::CliError;
use lozenge_rules::notation::one_line::OneLine;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs `lozenge` with these arguments, the program's name first.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    // Without a command it is the site.
    let parsed = Arguments::try_parse_from(arguments).and_then(|arguments| match arguments.command {
        Some(command) => Ok(command),
        None => Serve::try_parse_from(["lozenge"]).map(|serve| Command::Serve(Box::new(serve.args))),
    });
    let command = match parsed {
        Ok(command) => command,
        Err(message) => {
            // Help goes to standard output, wrong usage to standard error; either may be closed.
            let _ = message.print();
            return ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2));
        }
    };
    finish(dispatch(command))
}

/// Runs `lozenge-engine`.
pub fn engine() -> ExitCode {
    finish(commands::engine::run())
}

fn dispatch(command: Command) -> Result<(), CliError> {
    match command {
        Command::Serve(args) => commands::serve::run(*args),
        Command::Backup(args) => commands::database::backup(&args),
        Command::Restore(args) => commands::database::restore(&args),
        Command::Reports(args) => commands::reports::run(&args),
        Command::Users(args) => commands::users::run(args),
        Command::Games(args) => commands::user_games::run(&args),
        Command::Studies(args) => commands::user_studies::run(&args),
        Command::Seeks(command) => commands::seeks::run(&command),
        Command::Jobs(args) => commands::jobs::run(&args),
        Command::Perft(args) => commands::position::perft(&args),
        Command::Moves(args) => commands::position::moves(&args),
        Command::Learn(args) => commands::learn::run(&args),
        Command::Variants(VariantsCommand::List { json }) => commands::variants::list(json),
        Command::Variants(VariantsCommand::Show { variant, json }) => {
            commands::variants::show(&variant, json)
        }
        Command::Variants(VariantsCommand::Check { files, json }) => commands::variants::check(&files, json),
        Command::Variants(VariantsCommand::Import { file, name }) => {
            commands::ini::import(&file, name.as_deref())
        }
        Command::Variants(VariantsCommand::Export { variant }) => commands::ini::export(&variant),
        Command::Variants(VariantsCommand::New { id }) => commands::variants::new(&id),
        Command::Engine => commands::engine::run(),
        Command::Bench { depth } => commands::engine::bench(depth),
        Command::Play(args) => play::run(args),
        Command::Match(args) => commands::matches::run(&args),
        Command::Render(args) => commands::render::run(&args),
        Command::Pgn(args) => commands::pgn::run(&args),
        Command::Analyse(args) => commands::analyse::run(&args),
        Command::Lab(command) => commands::lab::run(command),
        Command::Tables(command) => commands::tables::run(&command),
        #[cfg(feature = "nats")]
        Command::Worker(args) => commands::worker::run(args),
        Command::Completions { shell } => commands::help::completions(Arguments::command(), shell),
        Command::Man { command, output } => {
            commands::help::man(Arguments::command(), &command, output.as_deref())
        }
    }
}

fn finish(result: Result<(), CliError>) -> ExitCode {
    match result {
        Ok(()) | Err(CliError::OutputClosed) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{}", message(&error));
            if error.is_usage() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// The message on standard error: one line, with quoted text escaped. Faults of variant files are a list of lines that begin
/// with their locations, as editors expect.
fn message(error: &CliError) -> String {
    match error {
        CliError::Faults(faults) => faults.join("\n"),
        error => format!("error: {}", OneLine(error)),
    }
}
