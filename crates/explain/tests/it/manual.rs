//! The manual of variant files, `docs/variants.md` and `docs/variants/`, is right. Its game is the built-in one, and its
//! drawings of directions are those of the notation. Its keys and messages are those of the program, and its limits are
//! those of the code.

use lozenge_explain::{Language, explain};
use lozenge_rules::geometry::{Frame, Vector};
use lozenge_rules::library;
use lozenge_rules::variant::{FaultKind, MAX_EXTENDS, MAX_FILE_BYTES, Variant, betza};

const TUTORIAL: &str = include_str!("../../../../docs/variants.md");
const REFERENCE: &str = include_str!("../../../../docs/variants/reference.md");
const BETZA: &str = include_str!("../../../../docs/variants/betza.md");
const LIMITS: &str = include_str!("../../../../docs/variants/limits.md");
const PAGES: [&str; 4] = [TUTORIAL, REFERENCE, BETZA, LIMITS];
const FILE: &str = include_str!("../../../../variants/examples/brilliant.toml");

/// The contents of the fenced blocks in a language, in order.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let open = format!("```{language}\n");
    text.split(&open).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

fn section(page: &'static str, title: &str) -> &'static str {
    let start = page.find(&format!("\n## {title}")).expect(title);
    let rest = &page[start + 1..];
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
        assert!(BETZA.contains(&drawn), "the manual should have\n{drawn}");
    }
}

#[test]
fn the_worked_example_is_the_built_in_game() {
    // All of the file but its first comment and its description.
    let (_, file) = FILE.split_once("\n\n").unwrap();
    let (before, rest) = file.split_once("about = \"\"\"\n").unwrap();
    let (_, after) = rest.split_once("\"\"\"\n").unwrap();
    let steps = blocks(TUTORIAL, "toml");
    assert!(steps.len() >= 6);
    assert_eq!(
        steps.join("\n"),
        format!("{before}{after}"),
        "the steps make variants/examples/brilliant.toml"
    );
    assert_eq!(library::game("brilliant").unwrap().name(), "Brilliant Chess");
}

#[test]
fn every_fragment_is_toml() {
    for block in PAGES.iter().flat_map(|page| blocks(page, "toml")) {
        if let Err(error) = toml::de::DeTable::parse(block) {
            panic!("{error}\n{block}");
        }
    }
}

#[test]
fn documented_messages_match_the_program() {
    let quoted = blocks(section(REFERENCE, "Messages"), "text").concat();
    let mut printed = String::new();
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
            printed.push_str(line);
        }
    }
    for line in quoted.lines() {
        assert!(printed.contains(line), "the program does not print\n{line}");
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
    for page in [REFERENCE, BETZA] {
        let now = with_pieces(page);
        if now != page {
            let path = std::env::temp_dir().join("lozenge-variants.md");
            std::fs::write(&path, &now).expect("a file of the page as it should be");
            panic!("The page as it should be: {}", path.display());
        }
    }
}

/// A page with the program's output for each piece that it shows.
fn with_pieces(page: &str) -> String {
    let mut parts = page.split("<!-- ");
    let mut now = parts.next().expect("text").to_owned();
    for part in parts {
        // The marks around the tables of keys.
        if part.starts_with("keys ") || part.starts_with("end ") {
            now += &format!("<!-- {part}");
            continue;
        }
        let (marker, rest) = part.split_once(" -->\n```text\n").expect("a block after the marker");
        let (_, after) = rest.split_once("\n```").expect("the end of the block");
        let (id, letter) = marker.split_once(' ').expect("a game and a letter");
        let drawn = show_output(id, letter.chars().next().expect("a letter"));
        now += &format!("<!-- {marker} -->\n```text\n{drawn}\n```{after}");
    }
    now
}

/// Every key that the rules read is in the reference, and so in the editor's table of keys, and no other.
#[test]
fn documented_keys_match_the_program() {
    for (table, text) in [
        ("file", "unknown = 1"),
        ("board", "[board]\nunknown = 1"),
        ("region", "[regions]\na = { unknown = 1 }"),
        ("distance", "[distance]\nunknown = 1"),
        ("roles", "[roles.K]\nunknown = 1"),
        ("group", "[[roles.K.moves]]\nunknown = 1"),
        ("start", "[start]\nunknown = 1"),
        ("shuffle", "[shuffle]\nunknown = 1"),
        ("promotion", "[[promotion]]\nunknown = 1"),
        ("goal", "[[goal]]\nunknown = 1"),
        ("castling", "[[castling]]\nunknown = 1"),
        ("draws", "[draws]\nunknown = 1"),
        ("seats", "[seats]\nunknown = 1"),
    ] {
        let Err(error) = Variant::parse("manual", text, &library::text) else { panic!("{text} is allowed") };
        let known = error.faults.into_iter().find_map(|fault| match fault.kind {
            FaultKind::UnknownKey { expected, .. } => Some(expected),
            _ => None,
        });
        let mut known = known.expect(table);
        let (_, rest) = REFERENCE.split_once(&format!("<!-- keys {table} -->\n")).expect(table);
        let (rows, _) = rest.split_once("<!-- end -->").expect(table);
        let key = |row: &'static str| row.strip_prefix("| `").and_then(|row| row.split('`').next());
        let mut documented: Vec<&str> = rows.lines().filter_map(key).collect();
        known.sort_unstable();
        documented.sort_unstable();
        assert_eq!(documented, known, "{table}");
    }
}

/// Every link from one page of the manual to another leads to a heading.
#[test]
fn links_between_the_pages_lead_to_headings() {
    let anchors = |page: &str| {
        let headings = page.lines().filter(|line| line.starts_with('#'));
        let words = headings.map(|line| line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-"));
        words.collect::<Vec<String>>()
    };
    for page in PAGES {
        for target in page.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let there = match file {
                "" => page,
                "variants/reference.md" | "reference.md" => REFERENCE,
                "variants/betza.md" | "betza.md" => BETZA,
                "variants/limits.md" | "limits.md" => LIMITS,
                _ => continue,
            };
            assert!(anchor.is_empty() || anchors(there).contains(&anchor.to_owned()), "{target}");
        }
    }
}

#[test]
fn extended_games_compile() {
    let extended: Vec<&str> =
        blocks(REFERENCE, "toml").into_iter().filter(|block| block.contains("extends =")).collect();
    assert!(!extended.is_empty());
    for text in extended {
        if let Err(error) = Variant::parse("manual", text, &library::text) {
            panic!("{error}\n{text}");
        }
    }
}

#[test]
fn documented_limits_match_the_code() {
    let limits = section(LIMITS, "Limits");
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
