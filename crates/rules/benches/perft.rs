//! Perft of every game beside a yardstick in the same run. The yardstick is orthodox chess by the
//! crate cozy-chess, with bulk counting, on its start and Kiwipete; for the Diamond Ring family it
//! is Diamond Ring. `cargo bench -p lozenge-rules`.
//!
//! Machines are noisy: game and yardstick take turns, and for each the best of several rounds counts.
//! Not a test: nothing here can fail.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod yardstick;

use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};
use yardstick::cozy_perft;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// Target speeds of the family, as fractions of Diamond Ring's speed.
const OF_RING: [(&str, f64); 7] = [
    ("flat", 0.4),
    ("mitregi", 0.4),
    ("gryphon", 0.4),
    ("scout", 0.2),
    ("wolf", 0.2),
    ("wildeurasian", 0.2),
    ("fusion", 0.4),
];

/// One thing to time: a name, a target ratio if the project has one, and what to run.
struct Subject {
    name: String,
    target: Option<f64>,
    run: Box<dyn Fn() -> u64>,
    best: Duration,
    nodes: u64,
}

fn main() {
    let filter: Option<String> = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let rounds: u32 = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let mut subjects = vec![yardstick()];
    for (id, depth, target) in [
        ("diagonal", 4, Some(0.75)),
        ("diamondback", 3, Some(0.6)),
        ("diamond", 5, Some(0.65)),
        ("doublediamond", 3, Some(0.55)),
        ("diamondring", 3, Some(0.5)),
        ("diamondring-flat", 3, None),
        ("diamondring-mitregi", 3, None),
        ("diamondring-gryphon", 3, None),
        ("diamondring-scout", 3, None),
        ("diamondring-wolf", 2, None),
        ("diamondring-wildeurasian", 3, None),
        ("diamondring-fusion", 3, None),
        ("chess", 4, None),
    ] {
        if filter.as_ref().is_none_or(|filter| id.contains(filter.as_str())) {
            subjects.push(game(id, depth, target));
        }
    }
    for _ in 0..rounds {
        for subject in &mut subjects {
            let started = Instant::now();
            subject.nodes = black_box((subject.run)());
            subject.best = subject.best.min(started.elapsed());
        }
    }
    report(&subjects);
    loading();
}

fn yardstick() -> Subject {
    let boards = [cozy_chess::Board::default(), KIWIPETE.parse().unwrap()];
    let run = move || cozy_perft(&boards[0], 5) + cozy_perft(&boards[1], 4);
    Subject { name: "cozy-chess".into(), target: None, run: Box::new(run), best: Duration::MAX, nodes: 0 }
}

fn game(id: &str, depth: u32, target: Option<f64>) -> Subject {
    let variant = library::game(id).unwrap();
    let positions = positions(&variant);
    let run = move || positions.iter().map(|position| position.perft(depth)).sum();
    Subject { name: id.into(), target, run: Box::new(run), best: Duration::MAX, nodes: 0 }
}

/// The start and five positions from play: after 8, 16, 24, 32 and 40 plies of pseudo-random moves.
/// They are the same in every run, from games that have not ended by then.
fn positions(variant: &Arc<Variant>) -> Vec<AnyPosition> {
    let mut positions = vec![AnyPosition::start(variant)];
    let mut seed = 1u64;
    for plies in [8, 16, 24, 32, 40] {
        positions.push(loop {
            let mut position = AnyPosition::start(variant);
            for _ in 0..plies {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let moves = position.legal_moves();
                let Some(&next) = moves.get((seed >> 33) as usize % moves.len().max(1)) else { break };
                position = position.play_unchecked(next);
            }
            if !position.legal_moves().is_empty() {
                break position;
            }
        });
    }
    positions
}

fn report(subjects: &[Subject]) {
    let speed = |subject: &Subject| subject.nodes as f64 / subject.best.as_secs_f64() / 1e6;
    let yardstick = speed(&subjects[0]);
    let ring = subjects.iter().find(|subject| subject.name == "diamondring").map(speed);
    println!("BMI2 (PEXT): {}", if cfg!(target_feature = "bmi2") { "yes" } else { "no" });
    println!(
        "{:<24} {:>12} {:>8} {:>7} {:>7} {:>8} {:>7}",
        "game", "nodes", "Mnps", "ratio", "target", "of ring", "target"
    );
    for subject in subjects {
        let target = subject.target.map_or_else(String::new, |target| format!("{target:.2}"));
        let (name, nodes, speed) = (&subject.name, subject.nodes, speed(subject));
        print!("{name:<24} {nodes:>12} {speed:>8.1} {:>7.3} {target:>7}", speed / yardstick);
        let wanted = OF_RING.iter().find(|(id, _)| name.strip_prefix("diamondring-") == Some(id));
        match (ring, wanted) {
            (Some(ring), Some((_, wanted))) => println!(" {:>8.3} {wanted:>7.2}", speed / ring),
            _ => println!(),
        }
    }
}

/// Time to load each game, all tables built, and the memory of its tables.
fn loading() {
    println!("\n{:<24} {:>9} {:>11}", "game", "load ms", "tables KiB");
    for id in library::ids() {
        let load = || {
            let started = Instant::now();
            let variant = black_box(library::recompile(id).unwrap().unwrap());
            (started.elapsed(), variant.table_bytes())
        };
        let (time, bytes) = (0..5).map(|_| load()).min().unwrap();
        println!("{id:<24} {:>9.2} {:>11}", time.as_secs_f64() * 1e3, bytes / 1024);
    }
}
