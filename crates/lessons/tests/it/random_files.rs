//! Variant files made at random of those that are known: each has a course with levels that can be solved, in bounded time.

use crate::courses::fewest;
use lozenge_lessons::{Goal, course};
use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::collections::BTreeSet;

const FILES: usize = 200;

/// The value of a line that defines how a piece moves.
fn moves_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("moves = \"").or_else(|| line.strip_prefix("betza = \""))?;
    rest.strip_suffix('"')
}

/// A file with the moves of others, and without some of its lines.
fn mix(text: &str, moves: &[&str], random: &mut SplitMix64) -> String {
    let mut below = |bound: usize| (random.next_u64() % bound as u64) as usize;
    let mut mixed = String::new();
    for line in text.lines() {
        match moves_of(line) {
            Some(own) if below(3) == 0 => {
                mixed += &line.replace(&format!("\"{own}\""), &format!("\"{}\"", moves[below(moves.len())]));
            }
            _ if below(60) == 0 => {}
            _ => mixed += line,
        }
        mixed.push('\n');
    }
    mixed
}

#[test]
fn random_variant_files_have_courses_that_can_be_solved() {
    let texts: Vec<String> = library::ids().filter_map(library::text).collect();
    let known: BTreeSet<&str> = texts.iter().flat_map(|text| text.lines()).filter_map(moves_of).collect();
    let moves: Vec<&str> = known.into_iter().collect();
    assert!(moves.len() > 20, "{moves:?}");
    let mut random = SplitMix64::seed_from_u64(200);
    let mut compiled = BTreeSet::new();
    while compiled.len() < FILES {
        let text = &texts[(random.next_u64() % texts.len() as u64) as usize];
        let mixed = mix(text, &moves, &mut random);
        let Ok(game) = Variant::parse("mixed", &mixed, &library::text) else { continue };
        if !compiled.insert(mixed.clone()) {
            continue;
        }
        let game = AnyGame::Two(game);
        let course = course(&game);
        let count = course.levels(&game).count();
        assert!((1..=40).contains(&count), "{count} levels of\n{mixed}");
        for (id, level) in course.levels(&game) {
            let position = AnyPosition::from_fen(game.two().unwrap(), &level.fen).unwrap();
            if !matches!(level.goal, Goal::Play { .. }) {
                assert_eq!(fewest(&position, level), Some(level.par), "{id}: {}, of\n{mixed}", level.fen);
            }
        }
    }
}
