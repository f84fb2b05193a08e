//! `cargo xtask bench`: the benchmark of the move generator twice, with the instructions of this
//! machine and without BMI2. `docs/speed.md` says what is measured.

use crate::process::{Failure, Outcome, cargo, read, root};
use clap::Args;

/// `bench`.
#[derive(Args)]
pub(crate) struct Options {
    /// Only games whose id contains this.
    game: Option<String>,
    /// Rounds; the best counts.
    #[arg(long, default_value_t = 12)]
    rounds: u32,
    /// Only with the instructions of this machine.
    #[arg(long)]
    native_only: bool,
}

/// The instructions of every x86-64 processor since 2009, without BMI2.
const PORTABLE: &str = "-C target-cpu=x86-64-v2";

/// Prints both tables.
pub(crate) fn run(options: &Options) -> Outcome {
    println!("=== with the instructions of this machine");
    println!("{}", table(options, false)?);
    if options.native_only {
        return Ok(());
    }
    if !cfg!(target_arch = "x86_64") {
        println!("There is no BMI2 on this machine to do without.");
        return Ok(());
    }
    println!("=== without BMI2");
    println!("{}", table(options, true)?);
    Ok(())
}

fn table(options: &Options, portable: bool) -> Result<String, Failure> {
    let mut command = cargo(&["bench", "-p", "lozenge-rules", "--bench", "perft", "--"]);
    command.args(options.game.as_deref()).env("ROUNDS", options.rounds.to_string());
    if portable {
        // A folder of its own, so that the two builds do not replace each other.
        command.env("RUSTFLAGS", PORTABLE).env("CARGO_TARGET_DIR", portable_folder());
    }
    read(&mut command)
}

fn portable_folder() -> std::path::PathBuf {
    let folder =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), std::path::PathBuf::from);
    root().join(folder).join("portable")
}
