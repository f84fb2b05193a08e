//! Development tasks: `cargo xtask ci`, `proof`, `bench`, `fuzz`, `load`, `attack`, `chaos`, `reference` and `wasm`. Each is
//! implemented in the file of its name; here is only the command line.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a tool for people at a terminal")]

mod attack;
mod attackers;
mod bench;
mod changed;
#[cfg(target_os = "linux")]
mod chaos;
mod ci;
mod console;
mod costly_attackers;
mod costs;
mod deploy;
mod directions;
mod fuzz;
mod http;
mod layers;
mod load;
mod process;
mod proof;
mod python;
mod reference;
mod smoke;
mod sources;
mod values;
mod wasm;
mod web;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Development tasks of Lozenge.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all checks that a change must pass.
    Ci(ci::Options),
    /// The long proofs: deep perft, by the generator and by the reference walker.
    Proof(proof::Options),
    /// The speed of the move generator, with BMI2 and without.
    Bench(bench::Options),
    /// Fuzz every target, or one.
    Fuzz(fuzz::Options),
    /// Measure how many simultaneous games the site handles.
    Load(load::Options),
    /// Attack the site and measure the effect on honest players.
    Attack(attack::Options),
    /// Measure what requests cost the server, beside their prices.
    Costs,
    /// Play on several servers while processes and connections between them fail, and check the record.
    #[cfg(target_os = "linux")]
    Chaos(chaos::Options),
    /// Write the tables of keys in docs/variants/reference.md.
    Reference,
    /// Build the package for JavaScript into target/npm/lozenge, and test it.
    Wasm(wasm::Options),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ci(options) => ci::run(&options),
        Task::Proof(options) => proof::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Load(options) => load::measure(&options),
        Task::Attack(options) => attack::measure(&options),
        Task::Costs => costs::measure(),
        #[cfg(target_os = "linux")]
        Task::Chaos(options) => chaos::run(&options),
        Task::Reference => reference::write(),
        Task::Wasm(options) => wasm::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nFAILED: {failure}");
            ExitCode::FAILURE
        }
    }
}
