//! Prints positions from random games of the reference walker: `positions GAME N SEED`. The same seed prints
//! the same positions everywhere.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use lozenge_reference::{Variant, Walker};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [id, count, seed] = arguments else {
        return Err(format!("usage: positions GAME N SEED, with GAME one of {}", Variant::ids().join(" ")));
    };
    let game = Variant::by_id(id).ok_or_else(|| format!("no game is called `{id}`"))?;
    let count: u32 = count.parse().map_err(|_| format!("`{count}` is not a number"))?;
    let seed = seed.parse().map_err(|_| format!("`{seed}` is not a number"))?;
    let mut random = SplitMix64::seed_from_u64(seed);
    for _ in 0..count {
        println!("{}", random_position(&game, &mut random)?.fen());
    }
    Ok(())
}

/// Plays between 4 and 123 random moves from a random start position; a game that ends before gives the last
/// position that still had a move.
fn random_position(game: &Variant, random: &mut SplitMix64) -> Result<Walker, String> {
    let starts = game.start_fens();
    let mut walker = Walker::from_fen(game, &starts[below(random, starts.len())])?;
    let length = 4 + below(random, 120);
    for _ in 0..length {
        let moves = walker.legal_moves();
        let Some(next) = walker.play(&moves[below(random, moves.len())]) else { break };
        if next.legal_moves().is_empty() {
            break;
        }
        walker = next;
    }
    Ok(walker)
}

/// A number below `limit`.
fn below(random: &mut SplitMix64, limit: usize) -> usize {
    (random.next_u64() % limit.max(1) as u64) as usize
}
