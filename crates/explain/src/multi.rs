//! A game of three or four explained: turns, going out, places and draws in sentences of its own; boards and pieces as in a game of two.
//! The source of the sentences is the law of games of four.

use crate::diagram;
use crate::document::{Chapter, Diagram, Document, Part, Subject};
use crate::names::{names, spots};
use crate::rules::{castling_terms, castling_ways};
use crate::text::Text;
use crate::{origin, pieces};
use lozenge_rules::geometry::Coord;
use lozenge_rules::notation::drawing::{Canvas, EMPTY};
use lozenge_rules::position::{AnyMultiPosition, Color, Piece};
use lozenge_rules::seat::Seat;
use lozenge_rules::variant::{MultiVariant, Variant};
use std::sync::Arc;

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
    let mut pieces = pieces::pieces(variant, true);
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

/// The same with what only a plain text has: the start and every player's pawns drawn, readings, and the start for programs.
pub(crate) fn whole_document(game: &Arc<MultiVariant>) -> Document<Text> {
    let mut document = multi_document(game);
    let (variant, _) = game.pair(Seat::Red);
    for chapter in &mut document.chapters {
        match chapter.subject {
            Subject::Board => {
                chapter.parts.push(Part::Drawing(start(game)));
                chapter.parts.push(Part::Paragraph(vec![Text::OwnersOfFour]));
            }
            Subject::Pieces => chapter.parts.iter_mut().for_each(|part| draw_pawns(game, part)),
            _ => {}
        }
    }
    let mut add = |subject, part| {
        document.chapters.push(Chapter { subject, heading: Text::Heading(subject), parts: vec![part] });
    };
    if !variant.readings().is_empty() {
        add(Subject::Readings, Part::Points(crate::readings(variant)));
    }
    let values = vec![(Text::Id, game.id().to_owned()), (Text::StartLabel(None), game.start().to_owned())];
    add(Subject::Programs, Part::Values(values));
    document
}

/// The start, each piece with the letter of its owner.
fn start(game: &Arc<MultiVariant>) -> Diagram<Text> {
    let (position, shape) = (AnyMultiPosition::start(game), game.shape());
    let mut canvas = Canvas::default();
    let digits = shape.height().to_string().len();
    for rank in 0..shape.height() {
        let row = i32::from(shape.height() - 1 - rank);
        canvas.put(0, row, &format!("{:>digits$}", rank + 1));
        for file in 0..shape.width() {
            let column = digits as i32 + 2 + 3 * i32::from(file);
            let Some(square) = shape.at(Coord { file, rank }) else { continue };
            match position.piece_at(square) {
                Some(piece) => {
                    let letter = game.roles().info(piece.role).letter;
                    canvas.put(column, row, &format!("{}{letter}", piece.owner_letter()));
                }
                None => canvas.put(column + 1, row, &EMPTY.to_string()),
            }
        }
    }
    for file in 0..shape.width() {
        let column = digits as i32 + 3 + 3 * i32::from(file);
        canvas.put(column, i32::from(shape.height()) + 1, &char::from(b'a' + file).to_string());
    }
    Diagram { lines: canvas.lines(), caption: Text::OwnersOfFour, from: None }
}

/// Draws the pawns of the other players after Red's: they go other ways.
fn draw_pawns(game: &MultiVariant, part: &mut Part<Text>) {
    let Part::Piece(piece) = part else { return };
    let pawns = game.roles().iter().filter(|(_, info)| info.pawn && info.letter == piece.letter);
    for (role, _) in pawns {
        let others = game.seats().iter().filter(|seat| *seat != Seat::Red);
        piece.diagrams.extend(others.filter_map(|seat| {
            let (pair, color) = game.pair(seat);
            diagram::of_seat(pair, Piece::new(color, role), seat)
        }));
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
