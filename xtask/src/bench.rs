//! `cargo xtask bench`: the benchmark of the move generator twice, with the instructions of this
//! machine and without BMI2; and the engine in JavaScript beside the native one without BMI2. `docs/speed.md` explains
//! the figures. With `--jobs-only` what a job costs on workers of NATS, for `docs/hosting/several-machines.md`.

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
/// turns, and the best round of each counts. Node compiles a module as it runs, so that the first search of a game is shown beside
/// the later ones.
fn javascript(options: &Options) -> Outcome {
    println!("=== the engine in JavaScript");
    if !wasm::make()? {
        return Ok(());
    }
    let mut native = Vec::new();
    let mut node = Vec::new();
    for _ in 0..options.rounds.div_ceil(3) {
        keep_best(&mut native, native_speeds(options)?);
        keep_best(&mut node, node_speeds()?);
    }
    println!(
        "| game | native, nodes/s | Node, nodes/s | ratio | ratio of the first search |\n|---|---|---|---|---|"
    );
    for (game, [native]) in native {
        let Some((_, [first, later])) = node.iter().find(|(known, _)| *known == game) else { continue };
        println!("| {game} | {native:.0} | {later:.0} | {:.2} | {:.2} |", later / native, first / native);
    }
    Ok(())
}

/// Games with nodes per second, measured in `N` ways.
type Speeds<const N: usize> = Vec<(String, [f64; N])>;

/// Raises the best speeds to those of one more round.
fn keep_best<const N: usize>(best: &mut Speeds<N>, round: Speeds<N>) {
    for (game, speeds) in round {
        match best.iter_mut().find(|(known, _)| *known == game) {
            Some((_, best)) => best.iter_mut().zip(speeds).for_each(|(best, speed)| *best = best.max(speed)),
            None => best.push((game, speeds)),
        }
    }
}

/// One round of the native engine.
fn native_speeds(options: &Options) -> Result<Speeds<1>, Failure> {
    let mut command = cargo(&["bench", "--quiet", "-p", "lozenge-engine", "--bench", "search", "--"]);
    command.args(options.game.as_deref());
    command.env("ROUNDS", "1").env("THREADS", "1").env("STOPS", "0");
    if cfg!(target_arch = "x86_64") {
        command.env("RUSTFLAGS", PORTABLE).env("CARGO_TARGET_DIR", portable_folder());
    }
    Ok(speeds(&read(&mut command)?))
}

/// The same in Node, the same positions and depths: the first search of each game, and the better of two after it.
fn node_speeds() -> Result<Speeds<2>, Failure> {
    let script = "import { bench } from './node.js';\
        for (const game of ['diagonal', 'diamondback', 'diamond', 'doublediamond', 'diamondring']) {\
        const speed = () => bench(game, 3).nodesPerSecond;\
        console.log(game, speed(), Math.max(speed(), speed())); }";
    let mut node = wasm::node();
    node.args(["--input-type=module", "--eval", script]).current_dir(wasm::package());
    Ok(speeds(&read(&mut node)?))
}

/// Lines that begin with a game and its speeds.
fn speeds<const N: usize>(text: &str) -> Speeds<N> {
    let line_speeds = |line: &str| {
        let mut words = line.split_whitespace();
        let game = words.next()?.to_owned();
        let speeds: Vec<f64> = words.by_ref().take(N).map_while(|word| word.parse().ok()).collect();
        Some((game, speeds.try_into().ok()?))
    };
    text.lines().filter_map(line_speeds).collect()
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
