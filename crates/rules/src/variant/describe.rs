//! A game explained to people in plain text, from the compiled game: what it is, its board, each man
//! with its moves in words and drawn, and all other rules in sentences. Lines of at most
//! [`WIDTH`] columns; no color.

mod diagram;
mod men;
mod moves;
mod paths;
mod rules;
mod words;

use super::{Start, Variant, View};
use crate::geometry::Coord;
use crate::notation::drawing;
use crate::position::{Cell, Color, Piece};
use std::fmt::Write as _;
use words::{Page, count, list};

/// Most columns of a line.
pub const WIDTH: usize = 100;

/// The whole game as a text of some pages.
///
/// ```
/// use lozenge_rules::variant::{describe::describe, library};
/// let text = describe(&library::game("diagonal").unwrap());
/// assert!(text.starts_with("Diagonal Chess"));
/// ```
#[must_use]
pub fn describe(variant: &Variant) -> String {
    let mut page = Page::default();
    page.title(variant.name());
    page.paragraph(&origin(variant));
    page.paragraph(variant.about());
    page.heading("The board");
    page.paragraph(&board(variant));
    starts(variant, &mut page);
    camps(variant, &mut page);
    page.heading("The men");
    men::men(variant, &mut page);
    page.heading("The rules");
    rules::rules(variant, &mut page);
    if !variant.readings().is_empty() {
        page.heading("How unclear places are read");
        for reading in variant.readings() {
            page.item(reading);
        }
    }
    page.heading("For programs");
    page.verbatim(&[format!("id       {}", variant.id())]);
    for (number, Start { fen, .. }) in variant.starts().iter().enumerate() {
        let label = if variant.starts().len() > 1 { format!("start {number}") } else { "start".into() };
        page.verbatim(&[format!("{label:<8} {fen}")]);
    }
    page.text
}

/// Who, when, where.
fn origin(variant: &Variant) -> String {
    let mut text = String::new();
    if !variant.author().is_empty() {
        let _ = write!(text, "Invented by {}", variant.author());
        if let Some(year) = variant.year() {
            let _ = write!(text, ", {year}");
        }
        text.push_str(". ");
    } else if let Some(year) = variant.year() {
        let _ = write!(text, "First published in {year}. ");
    }
    if !variant.source().is_empty() {
        let _ = write!(text, "Source: {}.", variant.source());
    }
    text
}

/// Size, holes, joined edges, which way is forward, and how Black's side follows from White's.
fn board(variant: &Variant) -> String {
    let shape = variant.shape();
    let (width, height) = (shape.width(), shape.height());
    let at = |file: u8, rank: u8| Coord { file, rank };
    let (last_file, last_rank) = (char::from(b'a' + width - 1), height);
    let mut sentences = vec![format!(
        "{} on {} (a to {last_file}) and {}{}.",
        count(shape.len(), "square", "squares"),
        count(width.into(), "file", "files"),
        count(height.into(), "rank", "ranks"),
        if shape.len() < usize::from(width) * usize::from(height) {
            "; where nothing is drawn there is no square"
        } else {
            ""
        },
    )];
    let lake: Vec<String> = (1..height.max(1) - 1)
        .flat_map(|rank| (1..width.max(1) - 1).map(move |file| at(file, rank)))
        .filter(|&hole| shape.at(hole).is_none())
        .filter(|&Coord { file, rank }| {
            [at(file - 1, rank), at(file + 1, rank), at(file, rank - 1), at(file, rank + 1)]
                .iter()
                .all(|&beside| shape.at(beside).is_some())
        })
        .map(|hole| hole.to_string())
        .collect();
    if !lake.is_empty() {
        sentences.push(format!(
            "{} a hole inside the board: men that slide stop there as at the edge, men that leap pass over it.",
            if lake.len() == 1 { format!("{} is", lake[0]) } else { format!("Each of {} is", list(&lake, "and")) }
        ));
    }
    let wrap = shape.wrap();
    let files = format!("file {last_file} is next to file a");
    let ranks = format!("rank {last_rank} is next to rank 1");
    match (wrap.files, wrap.ranks) {
        (true, true) => sentences.push(format!("There is no edge: {files} and {ranks} (a torus).")),
        (true, false) => sentences.push(format!("The side edges are joined: {files} (a cylinder).")),
        (false, true) => sentences.push(format!("The near and far edges are joined: {ranks}.")),
        (false, false) => {}
    }
    if moves::uses_directions(variant) {
        sentences.push(words::forward(variant));
    }
    sentences.push(format!("Black's side {}.", words::symmetry(variant)));
    sentences.join(" ")
}

/// The first starting position drawn, and the others by what is different.
fn starts(variant: &Variant, page: &mut Page) {
    let starts = variant.starts();
    let Some(first) = starts.first() else { return };
    let Ok(setup) = crate::notation::fen::parse(variant.fen_context(), &first.fen) else { return };
    let shape = variant.shape();
    let drawing = drawing::board(variant, variant.view() == View::Diamond, false, |square| {
        match setup.at(shape.coord(square)) {
            Some(Cell::Man(piece)) => variant.men().letter(piece),
            _ => drawing::EMPTY,
        }
    });
    page.drawing(&drawing);
    let name = if first.name.is_empty() { String::new() } else { format!(" ({})", first.name) };
    let mut text = format!("The starting position{name}.");
    text += " Capitals are White's men, small letters Black's.";
    if starts.len() > 1 {
        let named: Vec<String> =
            starts.iter().enumerate().map(|(number, start)| format!("{number}: {}", start.name)).collect();
        let _ = write!(
            text,
            " There are {} starting positions ({}). Number 0 is drawn; a new game chooses one by lot unless told.",
            words::number(starts.len()),
            named.join("; ")
        );
    }
    page.paragraph(&text);
}

/// The distance from White's camp, drawn, in games where it matters.
fn camps(variant: &Variant, page: &mut Page) {
    let Some(distances) = variant.distances() else { return };
    let white = &distances[Color::White.index()];
    page.paragraph(
        "How far each square is from White's camp, which is marked 0; for Black the numbers are mirrored:",
    );
    let drawing = drawing::board(variant, variant.view() == View::Diamond, false, |square| {
        let distance = u32::from(white[square.index()]);
        char::from_digit(distance, 36).unwrap_or('+')
    });
    page.drawing(&drawing);
}

/// White's man of a role.
fn white(role: crate::position::Role) -> Piece {
    Piece::new(Color::White, role)
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
            for (_, info) in game.men().iter() {
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
    fn diagrams_are_drawn_from_the_tables() {
        assert!(text("diamondring").contains("    · o · · · o ·\n    · · · N"), "{}", text("diamondring"));
        assert!(text("chess").contains("    · · · i · · ·"));
        assert!(text("diamond").contains("    · m P m ·"), "a pawn below the Lake");
        for (id, man) in [("gryphon", 'G'), ("scout", 'Y'), ("wolf", 'X'), ("wildeurasian", 'C')] {
            let text = text(&format!("diamondring-{id}"));
            assert!(text.contains("with men in the way"), "{id}");
            assert!(text.contains(&format!("\n{man}  ")) && text.contains('X'), "{id}");
        }
    }
}
