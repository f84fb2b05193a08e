//! `docs/variants.md` is right. Its game is the built-in one, and its drawings of directions are
//! those of the notation. Its messages are those of the program, and its limits are those of the
//! code.

use lozenge_explain::{Language, explain};
use lozenge_rules::geometry::{Frame, Vector};
use lozenge_rules::library;
use lozenge_rules::variant::{MAX_EXTENDS, MAX_FILE_BYTES, Variant, betza};

const MANUAL: &str = include_str!("../../../../docs/variants.md");
const FILE: &str = include_str!("../../../../variants/examples/brilliant.toml");

/// The contents of the fenced blocks in a language, in order.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let open = format!("```{language}\n");
    text.split(&open).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

fn section(title: &str) -> &'static str {
    let start = MANUAL.find(&format!("\n## {title}")).expect(title);
    let rest = &MANUAL[start + 1..];
    rest.find("\n## ").map_or(rest, |end| &rest[..end])
}

/// Diagrams of leaps side by side under their texts: `m`, `x`, `o`, the piece `#`.
fn diagrams(frame: Frame, texts: &[&str]) -> String {
    let mut lines = vec![String::new(); 6];
    for text in texts {
        let atoms = betza::parse(text).expect(text);
        let mark = |step: Vector| {
            let of = |pick: fn(&betza::Atom) -> bool| {
                atoms.iter().any(|atom| pick(atom) && atom.steps(frame).contains(&step))
            };
            match (of(|atom| atom.quiet), of(|atom| atom.capture)) {
                (true, true) => 'o',
                (true, false) => 'm',
                (false, true) => 'x',
                (false, false) => '.',
            }
        };
        lines[0] += &format!("{text:<12}");
        for (line, dy) in lines[1..].iter_mut().zip((-2..=2).rev()) {
            for dx in -2..=2 {
                line.push(if (dx, dy) == (0, 0) { '#' } else { mark(Vector::new(dx, dy)) });
                line.push(' ');
            }
            line.push_str("  ");
        }
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[test]
fn documented_direction_diagrams_match_the_notation() {
    let up = Frame::first(Vector::new(0, 1));
    let corner = Frame::first(Vector::new(1, 1));
    for (frame, texts) in [
        (up, ["fW", "fF", "fsW", "flF", "mfWcfF"]),
        (corner, ["fW", "fF", "sF", "flW", "mfFcfW"]),
        (up, ["fN", "ffN", "fsN", "fhN", "vN"]),
        (up, ["frN", "rfN", "lN", "flN", "sN"]),
        (corner, ["fN", "fsN", "fhN", "frN", "rfN"]),
    ] {
        let drawn = diagrams(frame, &texts);
        assert!(MANUAL.contains(&drawn), "the manual should have\n{drawn}");
    }
}

#[test]
fn the_worked_example_is_the_built_in_game() {
    let section = section("A game step by step");
    let blocks = blocks(section, "toml");
    let (whole, steps) = blocks.split_last().unwrap();
    assert_eq!(*whole, FILE, "the last block of the section is variants/examples/brilliant.toml");
    assert!(steps.len() >= 6);
    for step in steps {
        assert!(FILE.contains(step.trim()), "not in the file:\n{step}");
    }
    assert_eq!(library::game("brilliant").unwrap().name(), "Brilliant Chess");
}

#[test]
fn every_fragment_is_toml() {
    for block in blocks(MANUAL, "toml") {
        if let Err(error) = toml::de::DeTable::parse(block) {
            panic!("{error}\n{block}");
        }
    }
}

#[test]
fn documented_messages_match_the_program() {
    let quoted = blocks(section("Messages"), "text").concat();
    for (found, changed) in [
        ("royal = true\n", "royal = \"yes\"\n"),
        ("moves = \"FfsD\"", "moves = \"FfxD\""),
        ("a5 b6 c7..e7 f6 g5", "a5 b6 c7..e7 f6 g6"),
        ("**rkl**/", "**r1l**/"),
        ("picture = \"lapidary\"", "image = \"lapidary\""),
        ("[start]", "[begin]"),
    ] {
        assert!(FILE.contains(found), "{found}");
        let error = Variant::parse("brilliant.toml", &FILE.replacen(found, changed, 1), &library::text);
        let Err(error) = error else { panic!("{changed} is allowed") };
        for line in error.to_string().lines() {
            assert!(quoted.contains(line), "the manual should quote\n{line}");
        }
    }
}

/// The output of `lozenge variants show` for a piece: text and drawing.
fn show_output(id: &str, letter: char) -> String {
    let game = library::game(id).expect(id);
    let text = explain(&game, Language::English);
    let name = &game.roles().info(game.roles().role(letter).expect("a piece")).name;
    let start = text.find(&format!("\n{letter}  {name}\n")).expect(name) + 1;
    let heading = |line: &str| {
        let mut letters = line.chars();
        letters.next().is_some_and(|first| first.is_ascii_uppercase())
            && (letters.as_str().starts_with("  ") || line == "The rules")
    };
    let lines = text[start..].lines().enumerate();
    let block: Vec<&str> =
        lines.take_while(|&(number, line)| number == 0 || !heading(line)).map(|(_, line)| line).collect();
    block.join("\n").trim_end().to_owned()
}

/// After each `<!-- ID LETTER -->` the manual shows the program's output for that piece.
#[test]
fn documented_pieces_match_the_program_output() {
    let mut parts = MANUAL.split("<!-- ");
    let mut now = parts.next().expect("text").to_owned();
    for part in parts {
        let (marker, rest) = part.split_once(" -->\n```text\n").expect("a block after the marker");
        let (_, after) = rest.split_once("\n```").expect("the end of the block");
        let (id, letter) = marker.split_once(' ').expect("a game and a letter");
        let drawn = show_output(id, letter.chars().next().expect("a letter"));
        now += &format!("<!-- {marker} -->\n```text\n{drawn}\n```{after}");
    }
    if now != MANUAL {
        let path = std::env::temp_dir().join("lozenge-variants.md");
        std::fs::write(&path, &now).expect("a file of the manual as it should be");
        panic!("The manual as it should be: {}", path.display());
    }
}

#[test]
fn extended_games_compile() {
    let extended: Vec<&str> =
        blocks(MANUAL, "toml").into_iter().filter(|block| block.contains("extends =")).collect();
    assert!(!extended.is_empty());
    for text in extended {
        if let Err(error) = Variant::parse("manual", text, &library::text) {
            panic!("{error}\n{text}");
        }
    }
}

#[test]
fn documented_limits_match_the_code() {
    let limits = section("Limits");
    for (what, number) in [
        ("KiB", MAX_FILE_BYTES >> 10),
        ("games that extend one another", MAX_EXTENDS),
        ("bytes of Betza", betza::MAX_TEXT),
        ("legs in brackets", betza::MAX_LEGS),
        ("files and ranks", usize::from(lozenge_rules::geometry::shape::MAX_SIDE)),
        ("kinds of pieces", lozenge_rules::position::MAX_ROLES),
    ] {
        assert!(
            limits.lines().any(|line| line.contains(what) && line.contains(&format!(" {number} "))),
            "{what}: {number}"
        );
    }
}
