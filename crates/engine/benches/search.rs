//! Speed of the search for each of the own games, beside a yardstick in the same run: perft of
//! orthodox chess by the crate cozy-chess, with bulk counting, from the start position. And what a
//! second thread brings: the time to the same depth. `cargo bench -p lozenge-engine`.
//!
//! Machines are noisy: game and yardstick take turns, each for about half a second, and for each the
//! best of several rounds counts. Where other programs want the processors, time on the wall says
//! nothing: measure on a quiet machine.
//! Not a test: nothing here can fail.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../../rules/benches/yardstick/mod.rs"]
mod yardstick;

use lozenge_engine::{Engine, Limits, Signals, bench};
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::library;
use std::hint::black_box;
use std::time::{Duration, Instant};
use yardstick::cozy_perft;

/// Of the yardstick's speed, one part in so many is wanted.
const TARGETS: [(&str, f64); 5] = [
    ("diagonal", 250.0),
    ("diamondback", 250.0),
    ("diamond", 250.0),
    ("doublediamond", 350.0),
    ("diamondring", 500.0),
];

/// Size of the transposition table, in MiB.
const HASH_MIB: usize = 16;

fn main() {
    let only: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let number = |name, usual| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let games: Vec<_> = TARGETS
        .into_iter()
        .filter(|(id, _)| only.as_ref().is_none_or(|only| id.contains(only.as_str())))
        .collect();
    speed(&games, number("ROUNDS", 5));
    let (threads, repeats) = (number("THREADS", 2), number("REPEATS", 3));
    if threads > 1 {
        gain(&games, threads as usize, repeats);
    }
}

/// Nodes per second on one thread.
fn speed(games: &[(&str, f64)], rounds: u32) {
    let board = cozy_chess::Board::default();
    let mut yardstick = 0f64;
    let mut best = vec![0f64; games.len()];
    for _ in 0..rounds {
        let begun = Instant::now();
        let nodes = black_box(cozy_perft(&board, 6));
        yardstick = yardstick.max(nodes as f64 / begun.elapsed().as_secs_f64());
        for ((id, _), best) in games.iter().zip(&mut best) {
            let (mut nodes, mut time) = (0, Duration::ZERO);
            for (_, depth, fen) in bench::positions().filter(|(game, ..)| game == id) {
                let (searched, took) = search(id, fen, depth.saturating_sub(3), 1);
                nodes += searched;
                time += took;
            }
            *best = best.max(nodes as f64 / time.as_secs_f64());
        }
    }
    println!("cozy-chess perft: {:.1} M/s", yardstick / 1e6);
    println!("{:<14} {:>10} {:>9} {:>8}", "game", "nodes/s", "ratio", "target");
    for ((id, target), speed) in games.iter().zip(&best) {
        println!(
            "{id:<14} {speed:>10.0} {:>9} {:>8}",
            format!("1/{:.0}", yardstick / speed),
            format!("1/{target}")
        );
    }
}

/// Time to depth on several threads, as a part of that on one: sums over all positions, the best of
/// several rounds for each.
fn gain(games: &[(&str, f64)], threads: usize, repeats: u32) {
    println!("\n{:<14} {:>12} {:>12} {:>6}", "game", "1 thread, ms", format!("{threads}, ms"), "part");
    let (mut all_one, mut all_many, mut product, mut count) = (0f64, 0f64, 0f64, 0f64);
    for (id, _) in games {
        let (mut one, mut many) = (0f64, 0f64);
        for (_, depth, fen) in bench::positions().filter(|(game, ..)| game == id) {
            let time = |threads| {
                let times = (0..repeats).map(|_| search(id, fen, depth, threads).1.as_secs_f64() * 1e3);
                times.collect::<Vec<_>>()
            };
            // One thread is the same every time, so its best round counts; several are not, so the
            // average does.
            one += time(1).into_iter().fold(f64::MAX, f64::min);
            many += time(threads).iter().sum::<f64>() / f64::from(repeats);
        }
        println!("{id:<14} {one:>12.0} {many:>12.0} {:>6.2}", many / one);
        (all_one, all_many) = (all_one + one, all_many + many);
        (product, count) = (product + (many / one).ln(), count + 1.0);
    }
    println!("{:<14} {all_one:>12.0} {all_many:>12.0} {:>6.2}", "together", all_many / all_one);
    println!("geometric mean of the games: {:.2}", (product / count).exp());
}

fn search(id: &str, fen: &str, depth: u32, threads: usize) -> (u64, Duration) {
    let position = AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
    let game = Game::from_position(position);
    let mut engine = Engine::new(HASH_MIB);
    engine.set_threads(threads);
    // What the engine learns of a game, and memory that is used for the first time, are no part of the
    // search: both come once in a game.
    let limits = Limits { depth: Some(1), ..Limits::default() };
    engine.search(&game, &limits, &Signals::default(), &mut |_| {});
    engine.clear();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let begun = Instant::now();
    let report = engine.search(&game, &limits, &Signals::default(), &mut |_| {});
    (report.nodes, begun.elapsed())
}
