//! `cargo xtask fuzz [SECONDS] [TARGET]`: every target of `fuzz/` for a while, on stable Rust, as
//! many at a time as there are processors.
//!
//! Inputs that earlier runs found are in `fuzz/corpus/`, which is not in the repository; the seeds in
//! the repository are in `fuzz/seeds/`.

use crate::process::{
    Failure, Outcome, cargo, has_subcommand, missing, read_stderr, root, run as run_command,
};
use clap::Args;
use std::slice::Iter;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};

/// `fuzz`.
#[derive(Args)]
pub(crate) struct Options {
    /// How long each target runs.
    #[arg(default_value_t = 60)]
    seconds: u32,
    /// Only this target: a file of `fuzz/fuzz_targets/`.
    target: Option<String>,
}

/// A find that needs more memory is a fault.
const MAX_MEMORY_MB: u32 = 1024;

/// A find that takes longer is a fault.
const MAX_SECONDS: u32 = 25;

/// `cargo xtask fuzz`.
pub(crate) fn run(options: &Options) -> Outcome {
    match &options.target {
        None => all(options.seconds),
        Some(target) => {
            let known = targets()?;
            if !known.contains(target) {
                return Err(Failure::new(format!("no target `{target}`; there are {}", known.join(", "))));
            }
            run_targets(std::slice::from_ref(target), options.seconds)
        }
    }
}

/// Fuzzes every target.
pub(crate) fn all(seconds: u32) -> Outcome {
    run_targets(&targets()?, seconds)
}

fn run_targets(targets: &[String], seconds: u32) -> Outcome {
    if !has_subcommand("fuzz") {
        return missing("cargo-fuzz", "cargo install --locked cargo-fuzz");
    }
    // Sanitizers need a nightly compiler; our code has almost no `unsafe` for them to check.
    run_command(&mut cargo(&["fuzz", "build", "--sanitizer", "none"]))?;
    let waiting = Mutex::new(targets.iter());
    let at_once = available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..at_once).map(|_| scope.spawn(|| fuzz_next(&waiting, seconds))).collect();
        lanes.into_iter().try_for_each(|lane| {
            lane.join().unwrap_or_else(|_| Err(Failure::new("internal error: a thread of the fuzzer failed")))
        })
    })
}

/// Fuzzes the targets that are still waiting, one after the other.
fn fuzz_next(waiting: &Mutex<Iter<'_, String>>, seconds: u32) -> Outcome {
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    while let Some(target) = next() {
        let corpus = format!("fuzz/corpus/{target}");
        std::fs::create_dir_all(root().join(&corpus))
            .map_err(|error| Failure::new(format!("{corpus}: {error}")))?;
        let seeds = format!("fuzz/seeds/{target}");
        let mut command = cargo(&["fuzz", "run", "--sanitizer", "none", target, &corpus, &seeds, "--"]);
        command.args([
            format!("-max_total_time={seconds}"),
            format!("-rss_limit_mb={MAX_MEMORY_MB}"),
            format!("-timeout={MAX_SECONDS}"),
            "-print_final_stats=1".into(),
            "-verbosity=0".into(),
        ]);
        // After a find no thread begins another target.
        let printed = read_stderr(&mut command).inspect_err(|_| while next().is_some() {})?;
        println!("{target}: {}", summary(&printed));
    }
    Ok(())
}

/// A summary of libFuzzer's final statistics.
fn summary(printed: &str) -> String {
    let of = |name: &str| {
        let line = printed.lines().find_map(|line| line.strip_prefix(name));
        line.map_or("?", str::trim)
    };
    let inputs = of("stat::number_of_executed_units:");
    let new = of("stat::new_units_added:");
    let memory = of("stat::peak_rss_mb:");
    format!("{inputs} inputs, {new} of them new, at most {memory} MB")
}

fn targets() -> Result<Vec<String>, Failure> {
    let folder = root().join("fuzz/fuzz_targets");
    let unreadable = |error| Failure::new(format!("{}: {error}", folder.display()));
    let mut targets = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if let (Some(name), Some("rs")) = (path.file_stem(), path.extension().and_then(|e| e.to_str())) {
            targets.push(name.to_string_lossy().into_owned());
        }
    }
    targets.sort();
    Ok(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_printed_in_one_line() {
        let printed = "stat::number_of_executed_units: 35732\nstat::average_exec_per_sec:     1701\n\
            stat::new_units_added:          2188\nstat::peak_rss_mb:              39\n";
        assert_eq!(summary(printed), "35732 inputs, 2188 of them new, at most 39 MB");
    }
}
