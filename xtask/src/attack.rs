//! `cargo xtask attack`: the effect of attacks on the site on honest players. The attacks are in `attackers`; here are
//! their names, the bounds and the table.

use crate::attackers::{self, resident_mib};
use crate::process::{Failure, Outcome, cargo, missing, none_of, run};
use crate::web::TestServer;
use clap::Args;
use serde_json::Value;
use std::thread::JoinHandle;
use std::time::Duration;

/// `attack`.
#[derive(Args)]
pub(crate) struct Options {
    /// In small, for CI: a few seconds each, and nothing of what the tests do.
    #[arg(long)]
    quick: bool,
    /// Attack the program as it was built last.
    #[arg(long)]
    without_build: bool,
    /// How long each attack lasts, in seconds.
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<u32>,
    /// Only these attacks.
    scenarios: Vec<String>,
}

impl Options {
    /// In small, after the release build.
    pub(crate) fn quick() -> Self {
        Self { quick: true, without_build: true, seconds: None, scenarios: Vec::new() }
    }
}

/// The attacks and what each does.
const SCENARIOS: [(&str, &str); 16] = [
    ("none", "no attack"),
    ("registrations", "190 registrations a second from one address"),
    ("registrations-dropped", "the same, connections closed before the answer"),
    ("registrations-networks", "the same from 1,000 networks"),
    ("passwords", "wrong passwords for one name from 16 networks of an IPv6 /56"),
    ("engine", "1,000 games at level 8 from one address"),
    ("seeks", "205 guests with 5 correspondence seeks each, 150 listeners"),
    ("chat", "60 new guests a second chat about one game"),
    ("reads", "one address reads as fast as it can"),
    ("pictures", "200 PNGs wanted at once, from 25 networks"),
    ("frames", "60 sockets of one address with an unfinished frame of 15 MiB each"),
    ("pgn", "24 connections of one address have long games read"),
    ("documents", "one address reads the largest documents as fast as it can"),
    ("own-data", "40 exports at once of an account with 700 kB of studies"),
    ("study", "450 readers from one address of a study that is renamed five times a second"),
    ("connections", "700 connections from one /24, of 520 that there may be"),
];

/// Open files that the server may have when its connections are attacked: 80 of them are for other things.
const FEW_FILES: u32 = 600;

/// Limits: figure, description, maximum. The quick run checks only the memory, and that no honest player's request fails: a few
/// seconds on a shared machine are too short for a percentile.
const BOUNDS: [(&str, &str, f64); 4] = [
    ("move_ms", "99th percentile of a move", 100.0),
    ("sign_in_ms", "slowest sign-in", 2_000.0),
    ("engine_ms", "slowest answer of the engine", 5_000.0),
    ("peak_mib", "peak memory", 300.0),
];

/// The tests that kill the server, make its disk fail and cut off its commits: package, and module in its tests.
const FAULT_TESTS: [(&str, &str); 4] =
    [("lozenge", "serve"), ("lozenge", "backup"), ("lozenge", "disk_faults"), ("lozenge-server", "commits")];

/// How long a server rests before its memory is read again.
const COOLDOWN: Duration = Duration::from_secs(60);

/// Attacks a server of its own each time, and prints the table.
pub(crate) fn measure(options: &Options) -> Outcome {
    // As hosts build it; CI has no time for that.
    let profile = if options.quick { "release" } else { "dist" };
    if !options.without_build {
        run(&mut cargo(&["build", "--profile", profile]))?;
    }
    if let Some(unknown) =
        options.scenarios.iter().find(|name| SCENARIOS.iter().all(|(known, _)| known != name))
    {
        let known: Vec<&str> = SCENARIOS.iter().map(|(name, _)| *name).collect();
        return Err(Failure::new(format!("expected one of {}, found {unknown}", known.join(", "))));
    }
    let seconds = options.seconds.unwrap_or(if options.quick { 3 } else { 20 });
    let mut rows = Vec::new();
    for (name, what) in SCENARIOS {
        if !options.scenarios.is_empty() && options.scenarios.iter().all(|selected| selected != name) {
            continue;
        }
        let figures = attack(name, profile, seconds)?;
        println!("{name}: {}", figures.0);
        rows.push((what, figures.0, (!options.quick).then(|| rest(figures.1))));
    }
    let faults = print_table(rows, options.quick);
    if !options.quick && options.scenarios.is_empty() {
        kills_and_disk_faults()?;
    }
    none_of("bounds that were broken:", &faults)
}

/// One attack on a new server: its figures and the server.
fn attack(name: &str, profile: &str, seconds: u32) -> Result<(Value, TestServer), Failure> {
    let server = if name == "connections" {
        TestServer::with_few_files(profile, FEW_FILES)?
    } else {
        TestServer::start_with(profile, &["--trusted-proxies", "127.0.0.0/8"])?
    };
    let figures = attackers::run(&server.address, server.id(), name, Duration::from_secs(seconds.into()))?;
    Ok((figures, server))
}

/// The server's memory after a rest, in MiB.
fn rest(server: TestServer) -> JoinHandle<u64> {
    std::thread::spawn(move || {
        std::thread::sleep(COOLDOWN);
        resident_mib(server.id())
    })
}

/// Prints the table, and returns the bounds that were broken.
fn print_table(rows: Vec<(&str, Value, Option<JoinHandle<u64>>)>, quick: bool) -> Vec<String> {
    let mut faults = Vec::new();
    println!(
        "\n| attack | requests | refused | move, 99 % | sign-in | engine's move | page, PNG, chat | peak memory | 60 s later |\n\
         |---|---|---|---|---|---|---|---|---|"
    );
    for (what, figures, rest) in rows {
        let ms = |name: &str| match figures[name].as_f64() {
            Some(ms) if ms < 1_000.0 => format!("{ms:.0} ms"),
            Some(ms) => format!("{:.1} s", ms / 1e3),
            None => "none".to_owned(),
        };
        let later = match rest.map(JoinHandle::join) {
            Some(Ok(mib)) => format!("{mib} MiB"),
            _ => String::new(),
        };
        println!(
            "| {what} | {} | {} | {} | {} | {} | {} | {} MiB | {later} |",
            figures["asked"],
            figures["refused"],
            ms("move_ms"),
            ms("sign_in_ms"),
            ms("engine_ms"),
            ms("other_ms"),
            figures["peak_mib"],
        );
        for (key, name, bound) in BOUNDS {
            match figures[key].as_f64() {
                Some(found) if found < bound || (quick && key != "peak_mib") => {}
                Some(found) => faults.push(format!("{what}: {name} {found:.0}, bound {bound:.0}")),
                None => faults.push(format!("{what}: {name}: nothing was measured")),
            }
        }
        if let Some(first) = figures["faults"][0].as_str() {
            faults.push(format!(
                "{what}: {} requests of honest players failed: {first}",
                figures["fault_count"]
            ));
        }
    }
    faults
}

/// Runs the fault tests repeatedly: the server is killed, the disk fails, the answer to a commit is lost.
fn kills_and_disk_faults() -> Outcome {
    for (package, module) in FAULT_TESTS {
        let mut command = cargo(&["test", "--release", "--package", package, "--test", "it"]);
        command.arg(format!("{module}::"));
        run(command.env("LOZENGE_KILL_ROUNDS", "40"))?;
    }
    if std::env::var_os("LOZENGE_TEST_POSTGRES").is_some() {
        return Ok(());
    }
    // The test of commits has passed without doing anything.
    missing("a PostgreSQL server, whose commits are cut off,", "LOZENGE_TEST_POSTGRES names it")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::root;

    #[test]
    fn files_of_the_fault_tests_exist() {
        let crates = root().join("crates");
        for (package, module) in FAULT_TESTS {
            let folder = if package == "lozenge" { "cli" } else { package.trim_start_matches("lozenge-") };
            let file = crates.join(folder).join("tests/it").join(module).with_extension("rs");
            assert!(file.is_file(), "{package} has no tests of {module}");
        }
    }
}
