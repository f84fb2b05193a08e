//! The `lozenge` program: for now only `play`.

mod play;

use clap::Parser;

/// Chess on diamond boards.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// A game against the engine in the terminal
    Play(play::PlayArgs),
}

fn main() -> std::process::ExitCode {
    let Command::Play(args) = Arguments::parse().command;
    match play::run(args) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}
