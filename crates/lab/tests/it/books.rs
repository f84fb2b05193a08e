//! The books that ship: what the moves of their openings cost, by a deeper search than chose them. `LOZENGE_BOOKS` is the
//! number of games of each book, for `cargo xtask proof`.

use lozenge_engine::{Engine, Limits, Signals};
use lozenge_rules::library;
use lozenge_rules::notation::book::Book;
use lozenge_rules::position::Game;
use std::io::Write as _;
use std::path::Path;

/// Nodes of each search; the moves were chosen with 1,000.
const NODES: u64 = 20_000;
/// Plies in which the moves were chosen.
const PLIES: usize = 12;
/// A move that costs more than this share of the expected score is a mistake; moves were chosen that cost less than 0.1.
const MISTAKE: f64 = 0.25;

/// The most mistakes in a hundred moves. On the ring 1,000 nodes are few: there were 33 and 38 mistakes in two samples of 360 moves.
fn most_percent(id: &str) -> usize {
    if id == "diamondring" { 15 } else { 2 }
}

/// How many moves of the openings there are in every n-th game of a book, and how many of them are mistakes.
fn mistakes(id: &str, bytes: &[u8], games: usize) -> [usize; 2] {
    let variant = library::game(id).unwrap();
    let book = Book::parse(bytes).unwrap();
    let mut engine = Engine::new(4);
    let (mut moves, mut mistakes) = (0, 0);
    for number in (0..book.len()).step_by((book.len() / games).max(1)).take(games) {
        let played = book.game(&variant, number).unwrap().unwrap().game;
        let mut game = Game::from_position(played.positions().next().unwrap());
        for &next in played.moves().iter().take(PLIES) {
            let mut expected = |game: &Game| {
                let limits = Limits { nodes: Some(NODES), ..Limits::default() };
                engine.clear();
                let score = engine.search(game, &limits, &Signals::default(), &mut |_| {}).score;
                engine.chances(game.position()).expected_score(score)
            };
            let before = expected(&game);
            game.play(next).unwrap();
            let after = if game.outcome().is_some() { break } else { 1.0 - expected(&game) };
            moves += 1;
            if before - after > MISTAKE {
                mistakes += 1;
                let ply = game.moves().len();
                report(&format!("{id}, game {number}, ply {ply}: {before:.2} to {after:.2}"));
            }
        }
    }
    [moves, mistakes]
}

/// Prints a line, past the test harness, which captures the output of a passing test.
fn report(line: &str) {
    std::io::stderr().write_all(format!("{line}\n").as_bytes()).unwrap();
}

#[test]
fn openings_of_shipped_books_are_sound() {
    let games = std::env::var("LOZENGE_BOOKS").map_or(2, |games| games.parse().unwrap());
    let mut faults = Vec::new();
    for id in library::ids().take(library::OWN_GAMES) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../server/books/{id}.book"));
        let [moves, mistakes] = mistakes(id, &std::fs::read(path).unwrap(), games);
        report(&format!("{id}: {mistakes} of {moves} moves of the openings are mistakes"));
        // In a small sample one mistake proves nothing.
        if mistakes > 1 + moves * most_percent(id) / 100 {
            faults.push(format!("{id}: {mistakes} of {moves}"));
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}
