//! `cargo xtask ci`: the steps and their order. What a step does is in the file of its subject.

use crate::failure::Outcome;
use crate::room::{cargo, run as run_command};
use crate::steps::Steps;
use crate::{attack, console, deny, directions, fuzz, layers, selfplay, smoke, sources, web};
use clap::Args;

/// `ci`.
#[derive(Args)]
pub(crate) struct Options {
    /// Leave `cargo test` out, where it has just been run.
    #[arg(long)]
    without_tests: bool,
    /// Leave the fuzzing out.
    #[arg(long)]
    without_fuzz: bool,
    /// How long each target is fuzzed.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    fuzz_seconds: u32,
    /// Also compare the dependencies with the public list of known faults, which is fetched.
    #[arg(long)]
    advisories: bool,
}

/// Runs every step; the cheap ones come first.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::new();
    steps.run("format", || {
        run_command(&mut cargo(&["fmt", "--check"]))?;
        run_command(&mut cargo(&["fmt", "--check", "--manifest-path", "fuzz/Cargo.toml"]))
    })?;
    steps.run("sources", sources::check)?;
    steps.run("directions of dependencies", directions::check)?;
    steps.run("layers of modules", layers::check)?;
    steps.run("licenses and origins", || deny::check(options.advisories))?;
    steps.run("clippy", || {
        run_command(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
    })?;
    if !options.without_tests {
        steps.run("tests", || run_command(&mut cargo(&["test", "--workspace"])))?;
    }
    steps.run("the pages: types, linter, unit tests", web::check)?;
    steps.run("the site on PostgreSQL", web::postgres)?;
    steps.run("self-play", selfplay::play)?;
    steps.run("documentation", || {
        run_command(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.run("release build", || run_command(&mut cargo(&["build", "--release"])))?;
    steps.run("attacks in small", || attack::measure(&attack::Options::quick()))?;
    steps.run("the site in a browser", web::browser)?;
    steps.run("bots", web::bots)?;
    steps.run("variant files", smoke::variant_files)?;
    steps.run("smoke", smoke::programs)?;
    steps.run("conversations in the documents", console::check)?;
    if !options.without_fuzz {
        steps.run("fuzz", || fuzz::all(options.fuzz_seconds))?;
    }
    steps.finish();
    Ok(())
}
