//! `cargo xtask ci`: the steps and their order. Each step is implemented in the file of its subject.

use crate::changed::Change;
use crate::process::{
    Failure, Outcome, cargo, cargo_in_background, has_subcommand, missing, program, run as run_command,
    run_tests,
};
use crate::{attack, console, deploy, directions, fuzz, layers, python, smoke, sources, wasm, web};
use clap::Args;
use std::thread;
use std::time::{Duration, Instant};

/// `ci`.
#[derive(Args)]
pub(crate) struct Options {
    /// Skip `cargo test`, if it has just been run.
    #[arg(long)]
    without_tests: bool,
    /// Skip fuzzing.
    #[arg(long)]
    without_fuzz: bool,
    /// How long to fuzz each target.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    fuzz_seconds: u32,
    /// Begin with the step of this name, after a failure that is mended.
    #[arg(long, value_name = "STEP")]
    from: Option<String>,
    /// End before the step of this name, which has steps before and after it.
    #[arg(long, value_name = "STEP")]
    until: Option<String>,
    /// The tests as a command of the shell, in the place of `cargo test`.
    #[arg(long, value_name = "COMMAND")]
    tests: Option<String>,
    /// Only the steps that what differs from this commit can break, for example `main`.
    #[arg(long, value_name = "COMMIT")]
    changed: Option<String>,
    /// Also check the dependencies against the RustSec advisory database, which is downloaded.
    #[arg(long)]
    advisories: bool,
}

/// Runs all steps, the cheap ones first.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::between(options.from.clone(), options.until.clone());
    let change = options.changed.as_deref().map(Change::since).transpose()?;
    let affects = |packages: &[&str]| change.as_ref().is_none_or(|change| change.affects(packages));
    let packages = change.as_ref().map_or_else(|| vec!["--workspace".to_owned()], Change::arguments);
    let of_packages = |task: &str| {
        let mut command = cargo(&[task]);
        command.args(&packages);
        command
    };
    let builds = affects(&["lozenge"]);
    let site = affects(&["lozenge-server"]);
    steps.run("format", || {
        run_command(&mut cargo(&["fmt", "--check"]))?;
        run_command(&mut cargo(&["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"]))
    })?;
    steps.run("sources", sources::check)?;
    steps.run("directions of dependencies", directions::check)?;
    steps.run("layers of modules", layers::check)?;
    steps.run("licenses and sources of dependencies", || deny(options.advisories))?;
    steps.run("files for deployment", deploy::check)?;
    steps.run_if(site, "the packages of the pages", web::install)?;
    let parsers =
        affects(&["lozenge-rules", "lozenge-protocol", "lozenge-picture", "lozenge-ini", "lozenge-game"]);
    let fuzzed = parsers && !options.without_fuzz;
    let tested = !options.without_tests && !packages.is_empty();
    let clippy = || {
        let mut command = of_packages("clippy");
        if affects(&["xtask"]) {
            command.arg("--features=xtask/bindgen");
        }
        run_command(command.args(["--all-targets", "--", "-D", "warnings"]))
    };
    let tests = || match &options.tests {
        Some(command) => run_command(program("bash").args(["-euo", "pipefail", "-c", command])),
        None => run_command(&mut of_packages("test")),
    };
    let documentation =
        || run_command(of_packages("doc").arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"));
    // The module of the JavaScript package is linked by one thread. The server embeds it, so it comes before all that the server is
    // part of: otherwise that is compiled twice.
    steps.run_beside(&[
        &[(site || affects(&["lozenge-wasm"]), "the JavaScript package", &wasm::check)],
        // The unit tests read files of the server, messages and test data.
        &[
            (site, "the pages: types, linter, unit tests", &web::check),
            (fuzzed, "fuzz", &|| fuzz::all(options.fuzz_seconds)),
        ],
    ])?;
    // The release build takes the time that the rest leaves: compilers wait for single crates, and tests for each other.
    steps.run_beside(&[
        &[(builds, "release build", &|| run_command(&mut cargo_in_background(&["build", "--release"])))],
        &[
            (!packages.is_empty(), "clippy", &clippy),
            (tested, "tests", &tests),
            (affects(&["lozenge-rules", "lozenge-reference"]), "the walker", &walker),
            (!packages.is_empty(), "documentation", &documentation),
            (affects(&["lozenge-python"]), "the Python package", &python::check),
            (site, "the site on PostgreSQL", &web::postgres),
            (builds, "self-play", &smoke::self_play),
        ],
    ])?;
    steps.run_if(site, "small attacks", || attack::measure(&attack::Options::quick()))?;
    #[cfg(target_os = "linux")]
    steps.run_if(site, "chaos", || crate::chaos::run(&crate::chaos::Options::quick()?))?;
    steps.run_if(site, "the site in a browser", web::browser)?;
    // Bots wait for each other, and browsers for pages.
    steps.run_beside(&[
        &[(site, "the site in Firefox and WebKit", &web::other_browsers)],
        &[
            (site, "bots", &web::bots),
            (builds, "variant files", &smoke::variant_files),
            (builds, "smoke", &smoke::programs),
            (builds, "puzzles", &|| smoke::puzzles(false)),
            (builds, "console blocks of the documents", &console::check),
        ],
    ])?;
    steps.finish();
    Ok(())
}

/// More positions and larger counts beside the reference walker than `cargo test` takes; `proof` takes four times as many.
fn walker() -> Outcome {
    run_tests("crates/rules", &["walker::"], ("LOZENGE_WALKS", "4"))?;
    run_tests("crates/reference", &["perft_files::"], ("LOZENGE_WALKER_NODES", "10000"))
}

/// Checks the dependencies against `deny.toml` with cargo-deny.
fn deny(advisories: bool) -> Outcome {
    if !has_subcommand("deny") {
        return missing("cargo-deny", "cargo install --locked cargo-deny");
    }
    run_command(&mut cargo(&["deny", "--log-level", "error", "check", "bans", "licenses", "sources"]))?;
    if advisories {
        run_command(&mut cargo(&["deny", "check", "advisories"]))?;
    }
    Ok(())
}

/// A step that may be left out: whether it runs, its name, and what it does.
type Step<'a> = (bool, &'static str, &'a (dyn Fn() -> Outcome + Sync));

/// Runs steps, with a heading and a time for each, and lists the times at the end.
pub(crate) struct Steps {
    started: Instant,
    taken: Vec<(&'static str, Duration)>,
    /// The step to begin with, until it has begun.
    from: Option<String>,
    /// The step to end before.
    until: Option<String>,
    /// Whether that step was reached.
    ended: bool,
}

impl Steps {
    /// Begins with the step of the first name, or with the first; ends before the step of the second name, or with the last.
    pub(crate) fn between(from: Option<String>, until: Option<String>) -> Self {
        Self { started: Instant::now(), taken: Vec::new(), from, until, ended: false }
    }

    /// Whether a step is to be run; its condition counts for nothing where it is the one to begin with.
    fn begins(&mut self, condition: bool, name: &str) -> bool {
        self.ended |= self.until.as_deref() == Some(name);
        let is_first = self.from.as_deref() == Some(name);
        if is_first {
            self.from = None;
        }
        !self.ended && (is_first || (condition && self.from.is_none()))
    }

    /// Runs a step; its failure carries its name.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Outcome) -> Outcome {
        self.run_if(true, name, step)
    }

    /// Runs a step if a condition holds.
    fn run_if(&mut self, condition: bool, name: &'static str, step: impl FnOnce() -> Outcome) -> Outcome {
        if !self.begins(condition, name) {
            return Ok(());
        }
        let (taken, outcome) = run_timed(name, step);
        self.taken.push((name, taken));
        outcome
    }

    /// Runs lanes of steps beside each other, in each lane one step after the other. Their times overlap.
    fn run_beside(&mut self, lanes: &[&[Step<'_>]]) -> Outcome {
        let chosen: Vec<Vec<_>> = lanes
            .iter()
            .map(|lane| lane.iter().filter(|step| self.begins(step.0, step.1)).collect())
            .collect();
        let run_lane = |lane: Vec<&Step<'_>>| {
            let mut taken = Vec::new();
            let outcome = lane.into_iter().try_for_each(|&(_, name, step)| {
                let (time, outcome) = run_timed(name, step);
                taken.push((name, time));
                outcome
            });
            (taken, outcome)
        };
        let done: Vec<_> = thread::scope(|scope| {
            let running: Vec<_> = chosen.into_iter().map(|lane| scope.spawn(|| run_lane(lane))).collect();
            running.into_iter().map(thread::ScopedJoinHandle::join).collect()
        });
        done.into_iter().try_for_each(|lane| {
            let (taken, outcome) = lane.map_err(|_| Failure::new("internal error: a step panicked"))?;
            self.taken.extend(taken);
            outcome
        })
    }

    /// Prints the times of all steps.
    pub(crate) fn finish(self) {
        match &self.until {
            Some(step) => println!("\n=== all checks before {step} passed"),
            None => println!("\n=== all checks passed"),
        }
        for (name, taken) in &self.taken {
            println!("{:>8.1} s  {name}", taken.as_secs_f64());
        }
        println!("{:>8.1} s  total", self.started.elapsed().as_secs_f64());
    }
}

/// Runs a step with a heading, and prints and returns how long it took.
fn run_timed(name: &str, step: impl FnOnce() -> Outcome) -> (Duration, Outcome) {
    println!("\n=== {name}");
    let started = Instant::now();
    let outcome = step().map_err(|failure| Failure::new(format!("{name}: {failure}")));
    let taken = started.elapsed();
    println!("--- {name}: {:.1} s", taken.as_secs_f64());
    (taken, outcome)
}
