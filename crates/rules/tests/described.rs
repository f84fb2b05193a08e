//! The description of every built-in game, word for word, without the drawings: `testdata/described/en.txt`.

use lozenge_rules::variant::{describe, library};
use std::fmt::Write as _;

const EXPECTED: &str = include_str!("../../../testdata/described/en.txt");

/// Every text of every built-in game on a line of its own.
fn all_texts() -> String {
    let mut all = String::new();
    for id in library::ids() {
        let game = library::game(id).expect(id);
        let _ = writeln!(all, "# {id}");
        for text in describe::document(&game).map(describe::english).texts() {
            let _ = writeln!(all, "{}", text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    all
}

#[test]
fn every_game_is_described_as_before() {
    let texts = all_texts();
    if texts != EXPECTED {
        let now = std::env::temp_dir().join("lozenge-described-en.txt");
        std::fs::write(&now, &texts).expect("a file of the texts now");
        let other = texts.lines().zip(EXPECTED.lines()).find(|(found, expected)| found != expected);
        panic!("{other:#?}\nAll texts now: {}", now.display());
    }
}
