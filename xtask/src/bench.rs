//! `cargo xtask bench`: the benchmark of the move generator twice, with the instructions of this
//! machine and without BMI2; and the engine in JavaScript beside the native one without BMI2. `docs/speed.md` says what is
//! measured. With `--jobs-only` what a job costs on workers of NATS, for `docs/hosting.md`.

use crate::process::{Failure, Outcome, cargo, read, root};
use crate::wasm;
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
    /// Only the engine in JavaScript.
    #[arg(long)]
    javascript_only: bool,
    /// Only what a job costs besides its work, on workers of NATS (needs `nats-server`).
    #[arg(long)]
    jobs_only: bool,
}

/// The instructions of every x86-64 processor since 2009, without BMI2.
const PORTABLE: &str = "-C target-cpu=x86-64-v2";

/// Prints both tables.
pub(crate) fn run(options: &Options) -> Outcome {
    if options.javascript_only {
        return javascript(options);
    }
    if options.jobs_only {
        println!("{}", read(&mut cargo(&["bench", "--quiet", "-p", "lozenge", "--bench", "jobs"]))?);
        return Ok(());
    }
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
    javascript(options)
}

/// The speed of the search in the JavaScript package under Node, as a part of that of the native engine without BMI2. They take
/// turns, and the best round of each counts.
fn javascript(options: &Options) -> Outcome {
    println!("=== the engine in JavaScript");
    if !wasm::make()? {
        return Ok(());
    }
    let mut best: Vec<(String, [f64; 2])> = Vec::new();
    for _ in 0..options.rounds.div_ceil(3) {
        for (which, speeds) in [native_speeds(options)?, node_speeds()?].into_iter().enumerate() {
            for (game, speed) in speeds {
                if which == 0 && !best.iter().any(|(known, _)| *known == game) {
                    best.push((game.clone(), [0.0; 2]));
                }
                if let Some((_, speeds)) = best.iter_mut().find(|(known, _)| *known == game) {
                    speeds[which] = f64::max(speeds[which], speed);
                }
            }
        }
    }
    println!("| game | native, nodes/s | Node, nodes/s | ratio |\n|---|---|---|---|");
    for (game, [native, node]) in best {
        println!("| {game} | {native:.0} | {node:.0} | {:.2} |", node / native);
    }
    Ok(())
}

/// Nodes per second by game, one round.
fn native_speeds(options: &Options) -> Result<Vec<(String, f64)>, Failure> {
    let mut command = cargo(&["bench", "--quiet", "-p", "lozenge-engine", "--bench", "search", "--"]);
    command.args(options.game.as_deref());
    command.env("ROUNDS", "1").env("THREADS", "1").env("STOPS", "0");
    if cfg!(target_arch = "x86_64") {
        command.env("RUSTFLAGS", PORTABLE).env("CARGO_TARGET_DIR", portable_folder());
    }
    Ok(speeds(&read(&mut command)?))
}

/// The same in Node: the same positions and depths.
fn node_speeds() -> Result<Vec<(String, f64)>, Failure> {
    let script = "import { bench } from './node.js';\
        for (const game of ['diagonal', 'diamondback', 'diamond', 'doublediamond', 'diamondring'])\
        console.log(game, bench(game, 3).nodesPerSecond);";
    let mut node = wasm::node();
    node.args(["--input-type=module", "--eval", script]).current_dir(wasm::package());
    Ok(speeds(&read(&mut node)?))
}

/// Lines that begin with a game and its nodes per second.
fn speeds(text: &str) -> Vec<(String, f64)> {
    let speed = |line: &str| {
        let mut words = line.split_whitespace();
        let (game, speed) = (words.next()?, words.next()?.parse().ok()?);
        Some((game.to_owned(), speed))
    };
    text.lines().filter_map(speed).collect()
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
