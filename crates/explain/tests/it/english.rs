//! The built-in games as plain text in English: sentences that matter, and the form of the page.

use lozenge_explain::{Language, WIDTH, document, explain, explain_multi};
use lozenge_rules::library;
use lozenge_rules::variant::Variant;

fn text(id: &str) -> String {
    explain(&library::game(id).expect(id), Language::English)
}

/// The text without its line breaks and without the marks of diagrams beside it.
fn flat(id: &str) -> String {
    let text = text(id);
    let words = text.split_whitespace().filter(|word| !["·", "o", "m", "x", "i"].contains(word));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_explanation_fits_the_page_width() {
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
        ("doublediamond", "or a black one on file a or rank 1, must be promoted to a Queen, Marshall, Rook"),
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
        ("diamondring-scout", "in a zigzag, turning by a right angle at every step, left and right by turns"),
        ("diamondring-wildeurasian", "It may neither enter nor cross the opponent's camp;"),
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
fn path_sentences_name_the_first_step() {
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
        let document = document(&game).map(|text| Language::English.text("chess", text));
        let texts = document.texts();
        assert!(texts.iter().any(|text| text.contains(sentence)), "{betza}: {texts:#?}");
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

#[test]
fn promotions_and_goals_of_one_side_are_explained_for_it_alone() {
    let own = "extends = \"chess\"\nid = \"x\"\nname = \"X\"\n\n\
               [[promotion]]\npieces = \"P\"\non = \"rank-8\"\nto = \"QR\"\ncolor = \"white\"\n\n\
               [[promotion]]\npieces = \"P\"\non = \"rank-7 rank-8\"\nto = \"N\"\ncolor = \"black\"\n\n\
               [[goal]]\npieces = \"K\"\non = \"d5 e5\"\ncolor = \"black\"\n";
    let game = Variant::parse("own", own, &library::text).unwrap();
    let text = explain(&game, Language::English);
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for sentence in [
        "A white Pawn that arrives on rank 8 must be promoted to a Queen or Rook.",
        "A black Pawn that arrives on rank 1 or rank 2 must be promoted to a Knight.",
        "A black King that arrives on d4 or e4 by a legal move wins at once.",
    ] {
        assert!(words.contains(sentence), "{sentence}\n{text}");
    }
}

/// The plain text of a game of four draws the start, and the pawns of each player, who go different ways.
#[test]
fn games_of_more_players_draw_the_pawns_of_each() {
    for (id, start, seats) in [
        ("diamondring-four", "12   ·  · yP yR yE yK yW yE yR yP  ·  ·", 4),
        ("diamondring-teams", "12   ·  · yP yR yE yK yW yE yR yP  ·  ·", 4),
        ("fourplayerchess", "14           yR yN yB yK yQ", 4),
        ("threearmies", "12           yR yN yK yQ", 3),
    ] {
        let text = explain_multi(&library::multi_game(id).unwrap(), Language::English);
        assert!(text.contains(start), "{id}: {text}");
        let drawn = ["Blue from ", "Yellow from ", "Green from "].into_iter().filter(|of| text.contains(of));
        assert_eq!(drawn.count(), seats - 1, "{id}");
        assert!(text.contains("drawn as Red's") && !text.contains("White's"), "{id}");
    }
}
