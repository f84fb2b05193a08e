//! Counts positions with the reference walker, in the divide form: `perft GAME DEPTH [FEN]`.
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
    let [id, depth, fen @ ..] = arguments else {
        return Err(format!("usage: perft GAME DEPTH [FEN], with GAME one of {}", Variant::ids().join(" ")));
    };
    let game = Variant::by_id(id).ok_or_else(|| format!("no game is called `{id}`"))?;
    let depth = depth.parse().map_err(|_| format!("`{depth}` is not a depth"))?;
    let fen = if fen.is_empty() { game.start_fens().swap_remove(0) } else { fen.join(" ") };
    let mut total = 0;
    for (mv, count) in Walker::from_fen(&game, &fen)?.divide(depth) {
        println!("{mv}: {count}");
        total += count;
    }
    println!("\nNodes searched: {total}");
    Ok(())
}
