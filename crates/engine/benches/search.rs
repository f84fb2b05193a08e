//! Speed of the search for each of our own games, beside a yardstick in the same run. The yardstick
//! is perft of orthodox chess by the crate cozy-chess, with bulk counting, from the start position.
//! Also the gain by a second thread (the time to the same depth), and how soon a stopped search
//! returns its move. `cargo bench -p lozenge-engine`.
//!
//! Machines are noisy: game and yardstick take turns, each for about half a second, and for each the
//! best of several rounds counts. Wall-clock time is useless where other programs use the
//! processors: measure on a quiet machine.
//! Not a test: nothing here can fail.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../../rules/benches/yardstick/mod.rs"]
mod yardstick;

use lozenge_engine::{Engine, Limits, Signals, bench};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Game};
use std::hint::black_box;
use std::time::{Duration, Instant};
use yardstick::cozy_perft;

/// The goals by game: the yardstick may be at most this many times as fast as the search.
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
    let filter: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let number =
        |name, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let games: Vec<_> = TARGETS
        .into_iter()
        .filter(|(id, _)| filter.as_ref().is_none_or(|filter| id.contains(filter.as_str())))
        .collect();
    speed(&games, number("ROUNDS", 5));
    let (threads, repeats) = (number("THREADS", 2), number("REPEATS", 3));
    if threads > 1 {
        gain(&games, threads as usize, repeats);
    }
    stopping(&games, threads as usize, number("STOPS", 20));
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

/// Time to depth on several threads, as a part of that on one: sums over all positions, the average of
/// several rounds for each. Also the nodes of each thread, as a part of those of the one.
fn gain(games: &[(&str, f64)], threads: usize, repeats: u32) {
    println!(
        "\n{:<14} {:>12} {:>12} {:>6} {:>6}",
        "game",
        "1 thread, ms",
        format!("{threads}, ms"),
        "part",
        "nodes"
    );
    let mut all = [0f64; 2];
    let (mut product, mut count) = ([0f64; 2], 0f64);
    for (id, _) in games {
        let (mut time, mut nodes) = ([0f64; 2], [0f64; 2]);
        for (_, depth, fen) in bench::positions().filter(|(game, ..)| game == id) {
            for _ in 0..repeats {
                for (which, threads) in [1, threads].into_iter().enumerate() {
                    let (searched, took) = search(id, fen, depth, threads);
                    time[which] += took.as_secs_f64() * 1e3 / f64::from(repeats);
                    nodes[which] += searched as f64 / threads as f64;
                }
            }
        }
        let parts = [time[1] / time[0], nodes[1] / nodes[0]];
        println!("{id:<14} {:>12.0} {:>12.0} {:>6.2} {:>6.2}", time[0], time[1], parts[0], parts[1]);
        (0..2).for_each(|which| all[which] += time[which]);
        (0..2).for_each(|which| product[which] += parts[which].ln());
        count += 1.0;
    }
    println!("{:<14} {:>12.0} {:>12.0} {:>6.2}", "together", all[0], all[1], all[1] / all[0]);
    let [time, nodes] = product.map(|product| (product / count).exp());
    println!("{:<14} {:>12} {:>12} {time:>6.2} {nodes:>6.2}", "geometric mean", "", "");
}

/// How long it takes from the signal until the move is there, in milliseconds: the median and the longest of
/// `stops` endless searches, each stopped at another moment.
fn stopping(games: &[(&str, f64)], threads: usize, stops: u32) {
    println!("\n{:<14} {:>8} {:>11} {:>12}", "game", "threads", "median, ms", "longest, ms");
    for (id, _) in games {
        for threads in [1, threads] {
            let game = Game::new(&library::game(id).unwrap());
            let mut engine = Engine::new(HASH_MIB);
            engine.set_threads(threads);
            let mut waits: Vec<f64> = (0..stops)
                .map(|number| {
                    let signals = Signals::default();
                    let remote = signals.clone();
                    let stopper = std::thread::spawn(move || {
                        std::thread::sleep(Duration::from_millis(50 + 7 * u64::from(number)));
                        let stopped = Instant::now();
                        remote.stop();
                        stopped
                    });
                    black_box(engine.search(&game, &Limits::default(), &signals, &mut |_| {}));
                    let answered = Instant::now();
                    answered.duration_since(stopper.join().unwrap()).as_secs_f64() * 1e3
                })
                .collect();
            waits.sort_by(f64::total_cmp);
            let (Some(longest), Some(median)) = (waits.last(), waits.get(waits.len() / 2)) else { return };
            println!("{id:<14} {threads:>8} {median:>11.2} {longest:>12.2}");
        }
    }
}

fn search(id: &str, fen: &str, depth: u32, threads: usize) -> (u64, Duration) {
    let position = AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
    let game = Game::from_position(position);
    let mut engine = Engine::new(HASH_MIB);
    engine.set_threads(threads);
    // Do not time the setup of the engine for a game, nor the first use of memory: both happen once in
    // a game.
    let limits = Limits { depth: Some(1), ..Limits::default() };
    engine.search(&game, &limits, &Signals::default(), &mut |_| {});
    engine.clear();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let begun = Instant::now();
    let report = engine.search(&game, &limits, &Signals::default(), &mut |_| {});
    (report.nodes, begun.elapsed())
}
