//! A game of four explained: turns, going out, places and draws in sentences of its own; boards and pieces as in a game of two.
//! The source of the sentences is the law of games of four.

use crate::document::{Chapter, Document, Part, Subject};
use crate::names::{names, spots};
use crate::text::Text;
use crate::{origin, pieces};
use lozenge_rules::position::Color;
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiVariant, Variant};

/// The explanation of a game of four, not yet in words. Pieces are described as Red's.
///
/// ```
/// use lozenge_explain::{Language, multi_document};
/// use lozenge_rules::library;
/// let game = library::multi_game("diamondring-four").unwrap();
/// let words = multi_document(&game).map(|text| Language::English.text(game.id(), text));
/// assert_eq!(words.title, "Diamond Ring for Four");
/// ```
#[must_use]
pub fn multi_document(game: &MultiVariant) -> Document<Text> {
    let chapter = |subject, parts| Chapter { subject, heading: Text::Heading(subject), parts };
    let (variant, _) = game.pair(Seat::Red);
    let shape = variant.shape();
    let size = Text::Size {
        squares: shape.len(),
        files: shape.width(),
        ranks: shape.height(),
        gaps: shape.len() < usize::from(shape.width()) * usize::from(shape.height()),
    };
    let mut pieces = pieces::pieces(variant);
    pieces.insert(0, Part::Paragraph(vec![Text::AsRed]));
    let about = game.about();
    Document {
        title: game.name().into(),
        origin: origin(variant),
        about: (!about.trim().is_empty()).then(|| Text::About(about.into())),
        chapters: vec![
            chapter(Subject::Board, vec![Part::Paragraph(vec![size, Text::SeatsAround])]),
            chapter(Subject::Pieces, pieces),
            chapter(Subject::Rules, vec![Part::Points(rules(game, variant))]),
        ],
    }
}

fn rules(game: &MultiVariant, variant: &Variant) -> Vec<Text> {
    let teams = game.is_teams();
    let mut points =
        vec![Text::Turns, Text::Alliances { teams }, Text::CheckOfFour, Text::GoingOut { teams }];
    points.extend(variant.promotions().iter().map(|(pieces, on, to)| Text::PromotionOfRed {
        pieces: names(variant, *pieces),
        on: spots(variant.shape(), &on[Color::White]),
        to: names(variant, *to),
    }));
    points.push(Text::Passing { teams });
    let draws = game.draws();
    points.push(Text::DrawsOfFour {
        teams,
        moves: draws.moves.end as usize,
        occurrences: draws.repetition.end as usize,
    });
    points
}
