//! Prints positions from random games of the reference walker: `positions GAME N SEED`. The same seed prints
//! the same positions everywhere.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;

use lozenge_reference::{Variant, Walker};

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
    let mut dice = Dice { state: seed };
    for _ in 0..count {
        println!("{}", random_position(&game, &mut dice)?.fen());
    }
    Ok(())
}

/// Plays between 4 and 123 random moves from a random start position; a game that ends before gives the last
/// position that still had a move.
fn random_position(game: &Variant, dice: &mut Dice) -> Result<Walker, String> {
    let starts = game.start_fens();
    let mut walker = Walker::from_fen(game, &starts[dice.below(starts.len())])?;
    let length = 4 + dice.below(120);
    for _ in 0..length {
        let moves = walker.legal_moves();
        let Some(next) = walker.play(&moves[dice.below(moves.len())]) else { break };
        if next.legal_moves().is_empty() {
            break;
        }
        walker = next;
    }
    Ok(walker)
}

/// The splitmix64 generator.
struct Dice {
    state: u64,
}

impl Dice {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}
