//! The messages of all languages fit the code, and each other.

use super::{Language, SOURCES};
use fluent_bundle::FluentResource;
use lozenge_rules::library;
use std::collections::BTreeSet;

const CODE: [&str; 3] = [include_str!("mod.rs"), include_str!("phrases.rs"), include_str!("moves.rs")];

/// The messages of a source.
fn keys(source: &str) -> BTreeSet<&str> {
    source
        .lines()
        .filter_map(|line| line.split_once(" ="))
        .map(|(key, _)| key)
        .filter(|key| is_key(key))
        .collect()
}

fn is_key(text: &str) -> bool {
    let letters = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !text.is_empty() && text.chars().all(letters)
}

/// Whether the code has a text as a literal.
fn is_in_code(key: &str) -> bool {
    CODE.iter().any(|code| code.contains(&format!("\"{key}\"")))
}

#[test]
fn message_files_are_valid_fluent() {
    for source in SOURCES.concat() {
        let resource = FluentResource::try_new(source.to_owned());
        assert!(resource.is_ok(), "{:?}", resource.err().map(|(_, errors)| errors));
    }
}

/// A message stands in the code or in another message of its language; those that stand in the code are in every language.
#[test]
fn every_message_is_used_and_in_every_language() {
    let [english, german] = SOURCES.map(|sources| sources[0]);
    for (source, other) in [(english, german), (german, english)] {
        for key in keys(source) {
            let is_helper = source.contains(&format!("{{ {key} }}"));
            assert!(is_in_code(key) || is_helper, "{key} is not used");
            assert!(
                !is_in_code(key) || keys(other).contains(key) || is_helper,
                "{key} is in one language only"
            );
        }
    }
    let [english, german] = SOURCES.map(|sources| sources[1]);
    assert_eq!(keys(english), keys(german), "names");
}

/// All games of our own are translated. Any other translated game exists, and its translation is complete.
#[test]
fn all_texts_of_games_are_translated() {
    let [_, [_, _, games]] = SOURCES else { panic!("German has the games' own words") };
    let translated: Vec<&str> = keys(games).into_iter().filter_map(|key| key.strip_prefix("game-")).collect();
    for id in library::ids().take(library::OWN_GAMES) {
        assert!(translated.contains(&id), "{id}");
    }
    for id in translated {
        let game = library::game(id).expect(id);
        let readings = (1..).take_while(|&number| Language::German.reading(id, number).is_some()).count();
        assert_eq!(readings, game.readings().len(), "{id}");
        for (number, start) in game.starts().iter().enumerate().filter(|(_, start)| !start.name.is_empty()) {
            assert!(Language::German.start_name(id, number).is_some(), "{id}: {}", start.name);
        }
    }
}

#[test]
fn large_ordinals_are_written_in_digits() {
    let ordinal = |number: u32| Language::English.message("ordinal", [("number", number.into())]);
    let ordinals = [3, 13, 21, 22, 23, 111].map(ordinal);
    assert_eq!(ordinals, ["third", "13th", "21st", "22nd", "23rd", "111th"]);
}
