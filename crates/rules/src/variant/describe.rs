//! A game explained to people, from the compiled game: what it is, its board, each piece with its moves in words and
//! drawn, and all other rules in sentences. What is to be said is decided once, as a [`Document`] of [`Text`]s, and
//! then said in a language: in English here, in others by whoever knows them. Then it is set: as plain text here.

mod diagram;
pub mod document;
mod english;
pub mod motion;
mod moves;
mod paths;
mod pieces;
mod places;
mod plain;
mod rules;
pub mod text;
mod words;

pub use english::english;
pub use plain::{WIDTH, text as plain_text};

use super::{Variant, View};
use crate::geometry::{Coord, Square};
use crate::notation::drawing;
use crate::position::{Cell, Color};
use document::{Chapter, Diagram, Document, Part, Subject};
use text::{StartName, Text, file_letter};

/// The whole game as a text of some pages, in English.
///
/// ```
/// use lozenge_rules::variant::{describe::describe, library};
/// let text = describe(&library::game("diagonal").unwrap());
/// assert!(text.starts_with("Diagonal Chess"));
/// ```
#[must_use]
pub fn describe(variant: &Variant) -> String {
    plain_text(&document(variant).map(english))
}

/// Everything that is to be said of a game.
#[must_use]
pub fn document(variant: &Variant) -> Document<Text> {
    let chapter = |subject, parts| Chapter { subject, heading: Text::Heading(subject), parts };
    let mut chapters = vec![
        chapter(Subject::Board, board(variant)),
        chapter(Subject::Pieces, pieces::pieces(variant)),
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

/// Who, when, where.
fn origin(variant: &Variant) -> Vec<Text> {
    let (author, source) = (variant.author(), variant.source());
    let first = match variant.year() {
        year if !author.is_empty() => Some(Text::InventedBy { author: author.into(), year }),
        year => year.map(Text::PublishedIn),
    };
    first.into_iter().chain((!source.is_empty()).then(|| Text::Source(source.into()))).collect()
}

/// Size, holes, joined edges, which way is forward, how Black's side follows from White's; the starting positions.
fn board(variant: &Variant) -> Vec<Part<Text>> {
    let shape = variant.shape();
    let (width, height) = (shape.width(), shape.height());
    let mut sentences = vec![Text::Size {
        squares: shape.len(),
        files: width,
        ranks: height,
        gaps: shape.len() < usize::from(width) * usize::from(height),
    }];
    let holes = holes(variant);
    if !holes.is_empty() {
        sentences.push(Text::Holes(holes));
    }
    let wrap = shape.wrap();
    if wrap.files || wrap.ranks {
        let files = wrap.files.then(|| file_letter(width - 1));
        sentences.push(Text::Joined { files, ranks: wrap.ranks.then_some(height) });
    }
    if moves::uses_directions(variant) {
        sentences.push(Text::Forward(words::forward(variant)));
    }
    sentences.push(Text::BlackSide(words::black_side(variant)));
    let mut parts = vec![Part::Paragraph(sentences)];
    starts(variant, &mut parts);
    distances(variant, &mut parts);
    parts
}

/// Places without a square that have squares on all four sides.
fn holes(variant: &Variant) -> Vec<String> {
    let shape = variant.shape();
    let (width, height) = (shape.width(), shape.height());
    let at = |file: u8, rank: u8| Coord { file, rank };
    (1..height.max(1) - 1)
        .flat_map(|rank| (1..width.max(1) - 1).map(move |file| at(file, rank)))
        .filter(|&hole| shape.at(hole).is_none())
        .filter(|&Coord { file, rank }| {
            [at(file - 1, rank), at(file + 1, rank), at(file, rank - 1), at(file, rank + 1)]
                .iter()
                .all(|&beside| shape.at(beside).is_some())
        })
        .map(|hole| hole.to_string())
        .collect()
}

/// The first starting position drawn, and the others by what is different.
fn starts(variant: &Variant, parts: &mut Vec<Part<Text>>) {
    let starts = variant.starts();
    let Some(first) = starts.first() else { return };
    let Ok(setup) = crate::notation::fen::parse(variant.fen_context(), &first.fen) else { return };
    let shape = variant.shape();
    let named = |(number, start): (usize, &super::Start)| StartName { number, name: start.name.clone() };
    let names: Vec<StartName> = starts.iter().enumerate().map(named).collect();
    let caption = Text::Start(names.first().filter(|first| !first.name.is_empty()).cloned());
    parts.push(drawn(variant, caption.clone(), |square| match setup.at(shape.coord(square)) {
        Some(Cell::Piece(piece)) => variant.roles().letter(piece),
        _ => drawing::EMPTY,
    }));
    let mut sentences = vec![caption, Text::Capitals];
    if names.len() > 1 {
        sentences.push(Text::Starts(names));
    }
    parts.push(Part::Paragraph(sentences));
}

/// The distance from White's camp, drawn, in games where it matters.
fn distances(variant: &Variant, parts: &mut Vec<Part<Text>>) {
    let Some(distances) = variant.distances() else { return };
    let white = &distances[Color::White.index()];
    parts.push(Part::Paragraph(vec![Text::Distances]));
    parts.push(drawn(variant, Text::Distances, |square| {
        let distance = u32::from(white[square.index()]);
        char::from_digit(distance, 36).unwrap_or('+')
    }));
}

/// The whole board with a sign on each square.
fn drawn(variant: &Variant, caption: Text, sign: impl Fn(Square) -> char) -> Part<Text> {
    let drawing = drawing::board(variant, variant.view() == View::Diamond, false, sign);
    Part::Drawing(Diagram { lines: drawing.lines().map(String::from).collect(), caption, from: None })
}

fn readings(variant: &Variant) -> Vec<Text> {
    let reading = |(index, text): (usize, &String)| Text::Reading { number: index + 1, text: text.clone() };
    variant.readings().iter().enumerate().map(reading).collect()
}

/// What the game and its positions are called by programs.
fn values(variant: &Variant) -> Vec<(Text, String)> {
    let starts = variant.starts();
    let label = |number: usize| Text::StartLabel((starts.len() > 1).then_some(number));
    let start = |(number, start): (usize, &super::Start)| (label(number), start.fen.clone());
    let id = (Text::Id, variant.id().to_owned());
    core::iter::once(id).chain(starts.iter().enumerate().map(start)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::library;

    fn text(id: &str) -> String {
        describe(&library::game(id).unwrap())
    }

    /// The text without its line breaks and without the marks of diagrams beside it.
    fn flat(id: &str) -> String {
        let text = text(id);
        let words = text.split_whitespace().filter(|word| !["·", "o", "m", "x", "i"].contains(word));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_game_fits_the_page() {
        for id in library::ids() {
            let text = text(id);
            for line in text.lines() {
                let fen = line.starts_with("start");
                assert!(fen || line.chars().count() <= WIDTH, "{id}: {line}");
                assert_eq!(line, line.trim_end(), "{id}");
            }
            assert!(!text.contains("\n\n\n"), "{id}");
            let game = library::game(id).unwrap();
            for (_, info) in game.roles().iter() {
                assert!(text.contains(&format!("\n{}  {}\n", info.letter, info.name)), "{id} {}", info.name);
            }
        }
    }

    #[test]
    fn key_sentences() {
        for (id, sentence) in [
            (
                "diagonal",
                "Moves without capturing one square straight forward; captures one square half left or half right forward.",
            ),
            ("diagonal", "by a long knight's leap (three squares along a file or rank and one to the side)"),
            (
                "diagonal",
                "on a8, g8, h1 or h7 a Queen, Rook, Bishop or Knight; on b8, f8, h2 or h6 a Rook, Bishop or Knight;",
            ),
            (
                "diagonal",
                "A white Pawn that arrives on h8 by a legal move wins at once, and so does a black Pawn on a1.",
            ),
            ("diamondback", "From a4, b3, c2 and d1 it also moves or captures one square sideways."),
            ("diamondback", "From file b it also captures one square sideways to the left."),
            ("diamondback", "King a1 and Rook d1 trade places"),
            (
                "diamondback",
                "the King may castle out of check and across attacked squares, but may not end in check",
            ),
            ("diamondback", "There are four starting positions (0: canonical; 1: White's queen"),
            ("diamondback", "A white King or Pawn that arrives on h8"),
            (
                "diamond",
                "Where there is no square straight ahead, it also moves without capturing one square sideways.",
            ),
            ("diamond", "e5 is a hole inside the board"),
            ("diamond", "any number of squares diagonally or one square along files and ranks."),
            (
                "doublediamond",
                "or a black one on file a or rank 1, must be promoted to a Queen, Marshall, Rook",
            ),
            ("doublediamond", "long (O-O-O), King a1 to a3 and Rook a5 to a2"),
            ("doublediamond", "En passant: directly after a Pawn"),
            (
                "diamondring",
                "There is no edge: file l is next to file a and rank 12 is next to rank 1 (a torus).",
            ),
            ("diamondring", "The starting position (reconstruction)."),
            ("chess", "King and Knight against King"),
            (
                "diamondring-gryphon",
                "one square diagonally, where it may end, then one or more squares along a file or rank outward at 45 degrees",
            ),
            (
                "diamondring-wolf",
                "one square diagonally without ending there, then one square diagonally at a right angle",
            ),
            (
                "diamondring-scout",
                "in a zigzag, turning by a right angle at every step, left and right by turns",
            ),
            ("diamondring-wildeurasian", "Closed to it: the enemy's camp."),
            ("diamondring-mitregi", "farther from the center of its own camp"),
            (
                "diamondring-flat",
                "From file a and file l it also captures one square diagonally, but only to a square just as far",
            ),
            ("diamondring-fusion", "Rook and Bishop in one: moves and captures as both."),
            ("diamondring-fusion", "Rook and Bishop make a Queen; "),
            ("legan", "half left forward is to the left along a rank, half right forward is up a file"),
        ] {
            assert!(flat(id).contains(sentence), "{id}: {sentence}");
        }
    }

    #[test]
    fn paths_say_where_they_begin() {
        let chess = library::text("chess").unwrap();
        for (betza, sentence) in [
            (
                "[fF-fR]",
                "captures one square diagonally forward without ending there, then one or more squares along",
            ),
            ("[F-fR]", "captures one square diagonally without ending there"),
            (
                "[K-fW]",
                "along a file or rank straight on, or one square diagonally without ending there, then one",
            ),
        ] {
            let file = chess.replace("moves = \"N\"", &format!("moves = \"{betza}\""));
            let game = Variant::parse("chess", &file, &library::text).unwrap();
            let said: Vec<String> = document(&game).map(english).texts().into_iter().cloned().collect();
            assert!(said.iter().any(|text| text.contains(sentence)), "{betza}: {said:#?}");
        }
    }

    #[test]
    fn diagrams_are_drawn_from_the_tables() {
        assert!(text("diamondring").contains("    · o · · · o ·\n    · · · N"), "{}", text("diamondring"));
        assert!(text("chess").contains("    · · · i · · ·"));
        assert!(text("diamond").contains("    · m P m ·"), "a pawn below the Lake");
        for (id, piece) in [("gryphon", 'G'), ("scout", 'Y'), ("wolf", 'X'), ("wildeurasian", 'C')] {
            let text = text(&format!("diamondring-{id}"));
            assert!(text.contains("with pieces in the way"), "{id}");
            assert!(text.contains(&format!("\n{piece}  ")) && text.contains('X'), "{id}");
        }
    }
}
