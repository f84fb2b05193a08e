//! Perft of a built-in game from its start: `perft GAME DEPTH [FEN]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
use lozenge_rules::{notation::uci, position::AnyPosition, variant::library};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let started = std::time::Instant::now();
    let game = match library::recompile(&args[1]).unwrap() {
        Ok(g) => g,
        Err(e) => {
            println!("{e}");
            return;
        }
    };
    println!("loaded in {:?}, {} KiB", started.elapsed(), game.table_bytes() / 1024);
    let position = match args.get(3) {
        Some(fen) => AnyPosition::from_fen(&game, fen).unwrap(),
        None => AnyPosition::start(&game),
    };
    let depth: u32 = args[2].parse().unwrap();
    if std::env::var("DIVIDE").is_ok() {
        for (m, n) in position.divide(depth) {
            println!("{}: {n}", uci::write(&game, m));
        }
    }
    for depth in 1..=depth {
        let started = std::time::Instant::now();
        let nodes = position.perft(depth);
        println!("{depth} {nodes} {:.1} Mnps", nodes as f64 / started.elapsed().as_secs_f64() / 1e6);
    }
}
