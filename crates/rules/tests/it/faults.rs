//! Faults in the parts of a variant file that define how pieces turn, fuse, gain distance and meet
//! walls: one message each, at its location.

use lozenge_rules::library;
use lozenge_rules::variant::Variant;

/// A built-in file with one part changed, and the messages it must give, without the file's name.
fn check(id: &str, found: &str, changed: &str, expected: &[&str]) {
    let text = library::text(id).unwrap();
    assert!(text.contains(found), "{id} has no {found}");
    let error = Variant::parse("f", &text.replacen(found, changed, 1), &library::text);
    let Err(error) = error else { panic!("{changed} is allowed") };
    let messages: Vec<String> = error
        .faults
        .iter()
        .map(|fault| fault.to_string().splitn(4, ':').nth(3).unwrap().trim().to_owned())
        .collect();
    assert_eq!(messages, expected, "{changed}");
}

#[test]
fn fusions() {
    let file = "fusionchess";
    for (changed, expected) in [
        (
            "M = \"RP\"",
            "expected pieces that are neither king nor pawn, without first moves or en passant, found `RP`",
        ),
        (
            "M = \"RK\"",
            "expected pieces that are neither king nor pawn, without first moves or en passant, found `RK`",
        ),
        ("M = \"RNB\"", "expected the letters of two pieces of this game, the parts, found `RNB`"),
        ("M = \"RX\"", "expected the letters of two pieces of this game, the parts, found `RX`"),
        ("M = \"BR\"", "expected each pair of pieces once, found `RB`"),
        ("M = 2", "expected a text in quotes, found the number 2"),
    ] {
        check(file, "M = \"RN\"", changed, &[expected]);
    }
    check(file, "M = \"RN\"", "M = \"QN\"", &["expected a compound that is no part of another, found `Q`"]);
    check(
        file,
        "pieces = \"P\"",
        "pieces = \"PN\"",
        &[
            "expected pieces that are not promoted and have no goal, found `RN`",
            "expected pieces that are not promoted and have no goal, found `BN`",
            "expected pieces that are not promoted and have no goal, found `CN`",
        ],
    );
    check(
        file,
        "M = \"RN\"\n",
        "",
        &["expected the key `moves` (the piece's moves in Betza notation), found none"],
    );
}

#[test]
fn walls_and_distances() {
    check(
        "gryphoncylinder",
        "wall = \"rank-8\"",
        "wall = \"rank-9\"",
        &["expected a rank of the board, `rank-2`, found `rank-9`"],
    );
    check("diamondring-mitregi", "\nfree = 0", "\nfree = 65", &["expected a number from 0 to 64, found 65"]);
    check(
        "diamondring-flat",
        "on = \"file-a file-l\"\ngain = \"level\"",
        "free = 0",
        &["expected `free` beside a `gain`, which it is for, found no `gain`"],
    );
    check(
        "diamondring-flat",
        "betza = \"cF\"\non = \"file-a file-l\"",
        "betza = \"cB\"",
        &["expected single steps or leaps with `level`, found `cB`"],
    );
}

#[test]
fn paths() {
    let start = "in the moves";
    for (changed, expected) in [
        ("[F]", "`[F]`: expected `-` or `?` and another leg, found `]`"),
        ("[F?fR", "`[F?fR`: expected `-`, `?` or `]`, found the end"),
        ("[F?pR]", "`[F?pR]`: expected a direction (f b l r v s h) or an atom, found `p`"),
        ("[N-fR]", "`[N-fR]`: expected `]`: nothing follows a leg of oblique leaps, found `-`"),
        (
            "zN0",
            "`zN0`: expected a rider along files and ranks or diagonals after `z`: zR zB zW3 zDD, found `zN0`",
        ),
        (
            "p[F?fR]",
            "`p[F?fR]`: expected only m, c and i before a path in [ ]: its legs do not hop, found `p`",
        ),
    ] {
        let message = format!("{start} {expected}");
        check("gryphoncylinder", "[F?fR]", changed, &[message.as_str()]);
    }
}

/// Found by fuzzing: a game has room for the letters A to Z, and a table more is a mistake in a letter.
#[test]
fn more_pieces_than_letters() {
    check(
        "diamondring-fusion",
        "[roles.Q]",
        "[roles.QQ]\nname = \"No\"\nmoves = \"W\"\n\n[roles.Q]",
        &["expected a capital letter A-Z as the piece's letter, found `QQ`"],
    );
}

/// A file that would need more memory than it should is refused, quickly.
#[test]
fn variants_with_excessive_move_paths_are_refused() {
    let monster = "diamondring-gryphon";
    let text = library::text(monster).unwrap();
    for moves in ["[Q-sQ-sQ-sQ]", "[Q?sQ?sQ]"] {
        let error = Variant::parse("f", &text.replacen("[F?fR]", moves, 1), &library::text).unwrap_err();
        let message = error.to_string();
        assert!(message.contains("steps in all"), "{message}");
    }
}

/// The games of the library are far from the bound, and each of these files is refused before the work that it would be.
#[test]
fn compile_bombs_are_refused_at_their_piece() {
    for moves in ["[K-K-K-K]", "[K-K-K-Q]", "[R?fB]"] {
        let roles: String = ('A'..='Y')
            .filter(|letter| *letter != 'K')
            .map(|letter| format!("[roles.{letter}]\nname = \"Piece {letter}\"\nmoves = \"{moves}\"\n\n"))
            .collect();
        let text = format!(
            "id = \"bomb\"\nname = \"Bomb\"\n\n[board]\nsquares = \"\"\"\n{}\"\"\"\nwrap = \"both\"\n\n[roles.K]\n\
             name = \"King\"\nroyal = true\nmoves = \"K\"\n\n{roles}[start]\nfen = \"8k7/{}K15 w - - 0 1\"\n",
            "................\n".repeat(16),
            "16/".repeat(14),
        );
        let Err(error) = Variant::parse("f", &text, &library::text) else { panic!("{moves} is compiled") };
        let message = error.to_string();
        assert!(message.contains("steps in all") && message.contains("of this piece"), "{moves}: {message}");
        // A site that accepted such a game with an earlier bound still reads it.
        let stored = text.replace("[K-K-K-K]", "m[K-K-K-K]");
        if stored != text {
            assert!(Variant::parse("f", &stored, &library::text).is_err());
            assert_eq!(Variant::parse_stored("f", &stored, &library::text).map(|_| ()), Ok(()));
        }
    }
}

/// A file of many groups of moves that bend at every step is refused, however few squares they reach.
#[test]
fn many_groups_of_costly_moves_are_refused() {
    for moves in ["[F?fR?sF]", "zR"] {
        let groups = format!("{{ betza = \"{moves}\" }}, ").repeat(32);
        let roles: String = ('A'..='Y')
            .filter(|letter| *letter != 'K')
            .map(|letter| format!("[roles.{letter}]\nname = \"Piece {letter}\"\nmoves = [{groups}]\n\n"))
            .collect();
        let text = format!(
            "id = \"hostile\"\nname = \"Hostile\"\n\n[board]\nsquares = \"\"\"\n{}\"\"\"\nwrap = \"both\"\n\n\
             [roles.K]\nname = \"King\"\nroyal = true\nmoves = \"K\"\n\n{roles}[start]\nfen = \"k15/{}K15 w - - 0 1\"\n",
            "................\n".repeat(16),
            "16/".repeat(14),
        );
        let message = Variant::parse("f", &text, &library::text).unwrap_err().to_string();
        assert!(message.contains("steps in all"), "{moves}: {message}");
    }
}
