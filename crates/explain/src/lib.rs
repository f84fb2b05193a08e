//! A compiled game explained to people: its origin, its board, each piece with its moves in words and drawings, and all
//! other rules in sentences. The content is decided once, as a [`Document`] of [`Text`]s; a [`Language`] puts it into
//! words; `plain` sets it as plain text. Not here: pages; the meaning of a rule.

mod board;
mod diagram;
pub mod document;
mod language;
pub mod motion;
mod moves;
mod multi;
mod names;
mod pieces;
mod plain;
mod rules;
pub mod text;

pub use language::{Catalog, Language};
pub use multi::multi_document;
pub use plain::{WIDTH, text as plain_text};

use document::{Chapter, Document, Part, Subject};
use lozenge_rules::position::Role;
use lozenge_rules::variant::{MultiVariant, Start, Variant};
use std::sync::Arc;
use text::Text;

/// The whole game as a plain text of some pages.
///
/// ```
/// use lozenge_explain::{Language, explain};
/// use lozenge_rules::library;
/// let text = explain(&library::game("diagonal").unwrap(), Language::English);
/// assert!(text.starts_with("Diagonal Chess"));
/// ```
#[must_use]
pub fn explain(variant: &Variant, language: Language) -> String {
    plain_text(&document(variant).map(|text| language.text(variant.id(), text)))
}

/// The same for a game of three or four, with the start and the pawns of every player drawn.
///
/// ```
/// use lozenge_explain::{Language, explain_multi};
/// use lozenge_rules::library;
/// let text = explain_multi(&library::multi_game("diamondring-four").unwrap(), Language::English);
/// assert!(text.contains("Green from "), "{text}");
/// ```
#[must_use]
pub fn explain_multi(game: &Arc<MultiVariant>, language: Language) -> String {
    plain_text(&multi::whole_document(game).map(|text| language.text(game.id(), text)))
}

/// The explanation of a game, not yet in words.
#[must_use]
pub fn document(variant: &Variant) -> Document<Text> {
    let chapter = |subject, parts| Chapter { subject, heading: Text::Heading(subject), parts };
    let mut chapters = vec![
        chapter(Subject::Board, board::board(variant)),
        chapter(Subject::Pieces, pieces::pieces(variant, false)),
        chapter(Subject::Rules, vec![Part::Points(rules::rules(variant))]),
    ];
    if !variant.readings().is_empty() {
        chapters.push(chapter(Subject::Readings, vec![Part::Points(readings(variant))]));
    }
    chapters.push(chapter(Subject::Programs, vec![Part::Values(values(variant))]));
    let about = variant.about();
    Document {
        title: variant.name().into(),
        origin: origin(variant),
        about: (!about.trim().is_empty()).then(|| Text::About(about.into())),
        chapters,
    }
}

/// How a piece moves, in sentences that are not yet in words.
///
/// # Panics
/// When the role is of another game.
///
/// ```
/// use lozenge_explain::{Language, piece_moves};
/// use lozenge_rules::library;
/// let game = library::game("diamond").unwrap();
/// let texts = piece_moves(&game, game.roles().role('N').unwrap());
/// assert!(Language::English.text(game.id(), &texts[0]).contains("knight of chess"));
/// ```
#[must_use]
pub fn piece_moves(variant: &Variant, role: Role) -> Vec<Text> {
    moves::moves(variant, role, variant.roles().info(role))
}

/// The inventor, the year and the source.
fn origin(variant: &Variant) -> Vec<Text> {
    let (author, source) = (variant.author(), variant.source());
    let first = match variant.year() {
        year if !author.is_empty() => Some(Text::InventedBy { author: author.into(), year }),
        year => year.map(Text::PublishedIn),
    };
    first.into_iter().chain((!source.is_empty()).then(|| Text::Source(source.into()))).collect()
}

fn readings(variant: &Variant) -> Vec<Text> {
    let reading = |(index, text): (usize, &String)| Text::Reading { number: index + 1, text: text.clone() };
    variant.readings().iter().enumerate().map(reading).collect()
}

/// The game's id and the FENs of its starting positions, for programs.
fn values(variant: &Variant) -> Vec<(Text, String)> {
    let starts = variant.starts();
    let label = |number: usize| Text::StartLabel((starts.len() > 1).then_some(number));
    let start = |(number, start): (usize, &Start)| (label(number), start.fen.clone());
    let id = (Text::Id, variant.id().to_owned());
    let listed = |&(number, _): &(usize, &Start)| !variant.is_shuffled() || number == variant.usual_start();
    core::iter::once(id).chain(starts.iter().enumerate().filter(listed).map(start)).collect()
}
