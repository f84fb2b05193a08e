//! Every line that cannot be translated is named, and texts that are no game are refused with the line and column.

use lozenge_ini::{export, import};
use lozenge_rules::library;
use lozenge_rules::variant::Variant;

/// The names of the untranslated parts, with their lines.
fn untranslated(text: &str) -> Vec<String> {
    let imported = import(text, None).unwrap();
    // The translated rest is a valid game.
    Variant::parse("imported", &imported.text, &|_| None)
        .unwrap_or_else(|error| panic!("{error}\n{}", imported.text));
    imported.untranslated.iter().map(ToString::to_string).collect()
}

#[test]
fn untranslatable_lines_are_listed() {
    let text = "[x:chess]\npieceDrops = true\ncapturesToHand = true\nextinctionPieceTypes = q\nnewKey = 3\n\
                promotedPieceType = p:g\npieceToCharTable = -\npawnTypes = p\nmustCapture = false\ncustomPiece3 = a:xK\n";
    let found = untranslated(text);
    for (line, key) in [
        (2, "pieceDrops"),
        (3, "capturesToHand"),
        (4, "extinctionPieceTypes"),
        (5, "newKey"),
        (6, "promotedPieceType"),
        (10, "customPiece3"),
    ] {
        let begins = format!("line {line}: `{key}`: ");
        assert!(found.iter().any(|fault| fault.starts_with(&begins)), "{begins}\n{found:#?}");
    }
    assert_eq!(found.len(), 6, "{found:#?}");
}

#[test]
fn comment_after_a_value_is_not_read_as_moves() {
    let found = untranslated("[x:chess]\ncustomPiece1 = a:NN # Nightrider\n");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("line 2: `customPiece1`: "), "{found:?}");
}

#[test]
fn untranslatable_en_passant_is_listed() {
    let found = untranslated("[x:chess]\ndoubleStepRegionWhite = *2 *3\ndoubleStepRegionBlack = *7 *6\n");
    assert!(found.iter().any(|fault| fault.contains("more than once")), "{found:?}");
    let found = untranslated("[x:chess]\npromotionRegionWhite = *6 *7 *8\npromotionRegionBlack = *1 *2 *3\n");
    assert!(found.iter().any(|fault| fault.contains("crosses a promotion square")), "{found:?}");
}

#[test]
fn invalid_games_are_refused() {
    for (text, part) in [
        ("", "found none"),
        ("[x]\nrook = r\n", "a game without one"),
        ("[x:chess]\nking = k:pX\n", "line 2: `king`: `p` before `X`"),
        ("[x:chess]\nmaxFile = 99\n", "at most 16 files"),
        ("[x:chess]\nstartFen = 8/8\n", "8 files and 8 ranks"),
        ("[x:xiangqi]\n", "`xiangqi`"),
        ("[x:chess]\nking = k \n", "line 2: `king`: a piece without moves"),
        (
            "[x]\nking = k\nmaxFile = 2\nmaxRank = 2\nstartFen = k*/1K w - - 0 1\n",
            "line 5: expected a board that is laid",
        ),
        ("[x:chess]\nking\n", "line 2"),
        (
            "[x:chess]\nstartFen = 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1\n",
            "line 2: the game that results is refused",
        ),
        (
            "[x:chess]\nstartFen = 4k3/8/8/8/4P3/8/8/4K3 w - - 0 1\nflagPiece = p\nflagRegion = e4\n",
            "expected no P of White on its goal e4",
        ),
    ] {
        let error = import(text, None).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn keys_are_read_as_fairy_stockfish_reads_them() {
    for (text, part) in [
        // A key behind a space and a value before one are others.
        ("[x:chess]\n castling = false\n", "line 2: ` castling`: no key"),
        ("[x:chess]\ncastling = True\n", "line 2: `castling`: expected `true` or `false`, found `True`"),
        ("[x:chess]\ndragon = d\n", "line 2: `dragon`: no key"),
        ("[x:chess]\npromotionPieceTypes = qx\n", "found `x`, where the list ends"),
        ("[x:chess]\nqueen = -\n", "`startFen`: no piece has the letter `Q`"),
        ("[x:chess]\npieceDrops = false\nextinctionValue = none\npieceToCharTable = -\n", ""),
        ("[x:chess]\nconnectHorizontal = false\n", "`connectHorizontal`: changes nothing without `connectN`"),
        ("[x:chess]\nchess960 = true\n", "`chess960`"),
        ("[x:chess]\nbishop = -\njanggiCannon = b\n", "line 3: `janggiCannon`"),
        ("[x:chess]\ncastlingKingPiece = q\n", "`castlingKingPiece`"),
        ("[x:chess]\nnMoveRuleTypes = n\n", "`nMoveRuleTypes`: all moves of a pawn"),
        (
            "[x:chess]\nmobilityRegionWhiteRook = *1 *8\nmobilityRegionBlackRook = *8 *1\n",
            "may cross squares",
        ),
    ] {
        let imported = import(text, None).unwrap();
        let found: Vec<String> = imported.untranslated.iter().map(ToString::to_string).collect();
        let found = found.join("; ");
        assert!(found.is_empty() == part.is_empty() && found.contains(part), "{text}: {found}");
    }
}

#[test]
fn id_of_a_built_in_game_is_not_taken_again() {
    let imported = import("[gardner:chess]\n", None).unwrap();
    assert_eq!((imported.id.as_str(), imported.name.as_str()), ("gardner-2", "gardner"));
    let imported = import("[My_gardner:chess]\n", None).unwrap();
    assert_eq!((imported.id.as_str(), imported.name.as_str()), ("my-gardner", "My_gardner"));
}

#[test]
fn untranslatable_rules_are_listed_on_export() {
    let untranslated_keys = |id: &str| {
        let found = export(&library::game(id).unwrap());
        found.untranslated.iter().map(|missing| missing.what.clone()).collect::<Vec<_>>()
    };
    assert_eq!(untranslated_keys("chess"), [""; 0]);
    assert!(untranslated_keys("diamondring").contains(&"wrap".to_owned()));
    assert!(untranslated_keys("diagonal").contains(&"forward".to_owned()));
    assert!(untranslated_keys("fusionchess").contains(&"fusion".to_owned()));
}
