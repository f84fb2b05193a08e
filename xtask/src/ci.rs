//! `cargo xtask ci`: the steps and their order. Each step is implemented in the file of its subject.

use crate::changed::Change;
use crate::process::{Failure, Outcome, cargo, has_subcommand, missing, run as run_command, run_tests};
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
    /// Only the steps that what differs from this commit can break, for example `main`.
    #[arg(long, value_name = "COMMIT")]
    changed: Option<String>,
    /// Also check the dependencies against the RustSec advisory database, which is downloaded.
    #[arg(long)]
    advisories: bool,
}

/// Runs all steps, the cheap ones first.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::from(options.from.clone());
    let change = options.changed.as_deref().map(Change::since).transpose()?;
    let affects = |packages: &[&str]| change.as_ref().is_none_or(|change| change.affects(packages));
    let packages = change.as_ref().map_or_else(|| vec!["--workspace".to_owned()], Change::arguments);
    let of_packages = |task: &str| {
        let mut command = cargo(&[task]);
        command.args(&packages);
        command
    };
    let program = affects(&["lozenge"]);
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
    steps.run_if(!packages.is_empty(), "clippy", || {
        let mut command = of_packages("clippy");
        if affects(&["xtask"]) {
            command.arg("--features=xtask/bindgen");
        }
        run_command(command.args(["--all-targets", "--", "-D", "warnings"]))
    })?;
    let tests = !options.without_tests && !packages.is_empty();
    steps.run_if(tests, "tests", || run_command(&mut of_packages("test")))?;
    // The unit tests read files of the server, messages and test data.
    steps.run_if(site, "the pages: types, linter, unit tests", web::check)?;
    steps.run_if(affects(&["lozenge-rules", "lozenge-reference"]), "the walker", walker)?;
    steps.run_if(affects(&["lozenge-python"]), "the Python package", python::check)?;
    // The module of the JavaScript package is linked by one thread. It comes before the release build, so that its pages have the
    // engine, which the tests of the site need, too.
    steps.run_beside(&[
        &[(site, "the site on PostgreSQL", web::postgres), (program, "self-play", smoke::self_play)],
        &[(site || affects(&["lozenge-wasm"]), "the JavaScript package", wasm::check)],
    ])?;
    steps.run_if(!packages.is_empty(), "documentation", || {
        run_command(of_packages("doc").arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.run_if(program, "release build", || run_command(&mut cargo(&["build", "--release"])))?;
    steps.run_if(site, "small attacks", || attack::measure(&attack::Options::quick()))?;
    #[cfg(target_os = "linux")]
    steps.run_if(site, "chaos", || crate::chaos::run(&crate::chaos::Options::quick()?))?;
    steps.run_if(site, "the site in a browser", web::browser)?;
    // Bots wait for each other, and browsers for pages.
    steps.run_beside(&[
        &[(site, "the site in Firefox and WebKit", web::other_browsers)],
        &[(site, "bots", web::bots)],
    ])?;
    steps.run_if(program, "variant files", smoke::variant_files)?;
    steps.run_if(program, "smoke", smoke::programs)?;
    steps.run_if(program, "puzzles", || smoke::puzzles(false))?;
    steps.run_if(program, "console blocks of the documents", console::check)?;
    let parsers =
        affects(&["lozenge-rules", "lozenge-protocol", "lozenge-picture", "lozenge-ini", "lozenge-game"]);
    steps.run_if(parsers && !options.without_fuzz, "fuzz", || fuzz::all(options.fuzz_seconds))?;
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
type Step = (bool, &'static str, fn() -> Outcome);

/// Runs steps, with a heading and a time for each, and lists the times at the end.
pub(crate) struct Steps {
    started: Instant,
    taken: Vec<(&'static str, Duration)>,
    /// The step to begin with.
    from: Option<String>,
}

impl Steps {
    /// Begins with the step of this name, or with the first.
    pub(crate) fn from(step: Option<String>) -> Self {
        Self { started: Instant::now(), taken: Vec::new(), from: step }
    }

    /// Runs a step; its failure carries its name.
    pub(crate) fn run(&mut self, name: &'static str, step: impl FnOnce() -> Outcome) -> Outcome {
        if self.from.as_ref().is_some_and(|from| from != name) {
            return Ok(());
        }
        self.from = None;
        println!("\n=== {name}");
        let started = Instant::now();
        let result = step();
        let taken = started.elapsed();
        println!("--- {name}: {:.1} s", taken.as_secs_f64());
        self.taken.push((name, taken));
        result.map_err(|failure| Failure::new(format!("{name}: {failure}")))
    }

    /// Runs a step if a condition holds.
    fn run_if(&mut self, condition: bool, name: &'static str, step: impl FnOnce() -> Outcome) -> Outcome {
        if !condition && self.from.as_deref() != Some(name) {
            return Ok(());
        }
        self.run(name, step)
    }

    /// Runs lanes of steps beside each other, in each lane one step after the other. Their times overlap.
    fn run_beside(&mut self, lanes: &[&[Step]]) -> Outcome {
        let mut chosen = Vec::new();
        for lane in lanes {
            let mut rest = Self::from(None);
            let mut steps = Vec::new();
            for &(condition, name, step) in *lane {
                let begins = self.from.as_deref() == Some(name);
                if begins || (condition && self.from.is_none()) {
                    self.from = None;
                    steps.push((name, step));
                }
            }
            chosen.push(move || {
                let outcome = steps.into_iter().try_for_each(|(name, step)| rest.run(name, step));
                (rest.taken, outcome)
            });
        }
        let done: Vec<_> = thread::scope(|scope| {
            let running: Vec<_> = chosen.into_iter().map(|lane| scope.spawn(lane)).collect();
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
        println!("\n=== all checks passed");
        for (name, taken) in &self.taken {
            println!("{:>8.1} s  {name}", taken.as_secs_f64());
        }
        println!("{:>8.1} s  total", self.started.elapsed().as_secs_f64());
    }
}
