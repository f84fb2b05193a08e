//! `cargo xtask proof`: what takes too long for every change. Deep perft of every game, by
//! the generator and by the slow reference walker, two numbers that the whole chess world agrees on, and the puzzles.

use crate::ci::Steps;
use crate::process::{Outcome, cargo, program, run as run_command};
use crate::smoke::{self, released, says};
use crate::values;
use clap::Args;

/// `proof`.
#[derive(Args)]
pub(crate) struct Options {
    /// Counts of `testdata/perft/` up to this many nodes.
    #[arg(long, default_value_t = 400_000_000)]
    perft_nodes: u64,
    /// Counts of `testdata/perft/` up to this many nodes, by the slow reference walker.
    #[arg(long, default_value_t = 50_000)]
    walker_nodes: u64,
}

/// Position 2 of the Chess Programming Wiki's perft results.
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Runs the proofs.
pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::new();
    steps.run("perft of testdata", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-rules", "--test", "perft"]);
        run_command(command.env("LOZENGE_PERFT_NODES", options.perft_nodes.to_string()))
    })?;
    steps.run("perft of testdata by the walker", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-reference", "--test", "perft_files"]);
        run_command(command.env("LOZENGE_WALKER_NODES", options.walker_nodes.to_string()))
    })?;
    steps.run("games of variants.ini, eight walks each", || {
        let mut command = cargo(&["test", "--release", "-p", "lozenge-ini", "--test", "pyffish"]);
        run_command(command.env("LOZENGE_WALKS", "8"))
    })?;
    steps.run("values of chess from its games", values::check)?;
    steps.run("orthodox chess", || {
        run_command(&mut cargo(&["build", "--release", "-p", "lozenge", "--bins"]))?;
        let lozenge = released("lozenge")?;
        says(program(&lozenge).args(["perft", "chess", "6"]), "", &["Nodes searched: 119060324"])?;
        says(
            program(&lozenge).args(["perft", "chess", "4", "--fen", KIWIPETE]),
            "",
            &["Nodes searched: 4085603"],
        )
    })?;
    steps.run("puzzles", || smoke::puzzles(true))?;
    steps.finish();
    Ok(())
}
