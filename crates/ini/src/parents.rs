//! The games that Fairy-Stockfish has built in, as sections: those that a variant file can say.

use super::parse::{Section, sections};

const TEXT: &str = include_str!("parents.ini");

/// The section of a built-in game.
pub(crate) fn section(name: &str) -> Option<Section> {
    // Our own text: the tests read it.
    sections(TEXT).ok()?.into_iter().find(|section| section.name == name)
}

/// Their names.
///
/// ```
/// assert!(lozenge_ini::parents().contains(&"capablanca".to_owned()));
/// ```
#[must_use]
pub fn names() -> Vec<String> {
    sections(TEXT).unwrap_or_default().into_iter().map(|section| section.name).collect()
}
