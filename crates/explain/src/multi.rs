//! A game of three or four explained: turns, going out, places and draws in sentences of its own; boards and pieces as in a game of two.
//! The source of the sentences is the law of games of four.

use crate::document::{Chapter, Document, Part, Subject};
use crate::names::{names, spots};
use crate::rules::{castling_terms, castling_ways};
use crate::text::Text;
use crate::{origin, pieces};
use lozenge_rules::position::Color;
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiVariant, Variant};

/// The explanation of a game of three or four, not yet in words. Pieces are described as Red's.
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
            chapter(
                Subject::Board,
                vec![Part::Paragraph(vec![size, Text::SeatsAround { players: seats(game) }])],
            ),
            chapter(Subject::Pieces, pieces),
            chapter(Subject::Rules, vec![Part::Points(rules(game, variant))]),
        ],
    }
}

fn seats(game: &MultiVariant) -> usize {
    game.seats().len() as usize
}

fn castlings(game: &MultiVariant, points: &mut Vec<Text>) {
    let mut all = Vec::new();
    for seat in game.seats().iter() {
        let (pair, color) = game.pair(seat);
        let own: Vec<_> =
            pair.castling_terms().into_iter().filter(|terms| terms.info.color == color).collect();
        if !own.is_empty() {
            points.push(Text::CastlingOfSeat(seat, castling_ways(pair, &own, color)));
        }
        all.extend(own);
    }
    if !all.is_empty() {
        points.push(castling_terms(game.pair(Seat::Red).0, &all));
    }
}

fn rules(game: &MultiVariant, variant: &Variant) -> Vec<Text> {
    let teams = game.is_teams();
    let mut points = vec![
        Text::Turns { players: seats(game) },
        Text::Alliances { players: seats(game), teams },
        Text::CheckOfFour,
        Text::GoingOut { teams },
    ];
    points.extend(variant.promotions().iter().map(|(pieces, on, to)| Text::PromotionOfRed {
        pieces: names(variant, *pieces),
        on: spots(variant.shape(), &on[Color::White]),
        to: names(variant, *to),
    }));
    if !variant.en_passant_roles().is_empty() {
        points.push(Text::EnPassantOfFour(names(variant, variant.en_passant_roles())));
    }
    castlings(game, &mut points);
    points.push(Text::Passing { teams });
    let draws = game.draws();
    points.push(Text::DrawsOfFour {
        teams,
        moves: draws.moves.end as usize,
        occurrences: draws.repetition.end as usize,
    });
    points
}
