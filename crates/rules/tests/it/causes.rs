//! Faults of variant files: each is reported at its cause and with the reason. A fault that only follows from another
//! is not reported.

use lozenge_rules::library;
use lozenge_rules::variant::Variant;

/// A built-in file with one part changed, and the faults it must give: the text at each fault's location, and its
/// message.
fn check(id: &str, found: &str, changed: &str, expected: &[(&str, &str)]) {
    let text = library::text(id).unwrap();
    assert!(text.contains(found), "{id} has no {found}");
    let text = text.replacen(found, changed, 1);
    let Err(error) = Variant::parse("f", &text, &library::text) else { panic!("{changed} is allowed") };
    let message = error.to_string();
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), expected.len(), "{changed}: {lines:#?}");
    for ((fault, line), (at, message)) in error.faults.iter().zip(lines).zip(expected) {
        let location = &fault.location;
        assert_eq!(line, format!("{location}: {message}"), "{changed}");
        let actual: String = text
            .lines()
            .nth(location.line as usize - 1)
            .unwrap()
            .chars()
            .skip(location.column as usize - 1)
            .collect();
        assert!(actual.starts_with(at), "{changed}: expected the place of {at}, found that of {actual}");
    }
}

#[test]
fn symmetry_faults_use_the_words_of_the_file() {
    let forward = "white = [0, 1], black = [0, -1]";
    let black = "expected [0, -1] as Black's forward: White's [0, 1] under the symmetry `mirror-ranks`, found [1, -1]";
    check("chess", forward, "white = [0, 1], black = [1, -1]", &[("[1, -1]", black)]);
    let step = "expected one step to a neighbor, such as [0, 1] or [1, 1], found";
    check(
        "chess",
        forward,
        "white = [0, 2], black = [0, -3]",
        &[("[0, 2]", &format!("{step} [0, 2]")), ("[0, -3]", &format!("{step} [0, -3]"))],
    );
    let fits = "expected a symmetry that lays every square onto a square, found";
    let hole = format!("{fits} `mirror-ranks`, which lays a1 onto a hole");
    check("chess", "........\n", "*.......\n", &[("mirror-ranks\"", &hole)]);
    let narrow = format!("{fits} `mirror-rising`, which needs as many files as ranks, on 12x11 cells");
    check("diamondring", "............\n............\n", "............\n", &[("mirror-rising\"", &narrow)]);
}

#[test]
fn an_unknown_word_hides_no_fault_of_the_board() {
    let words = "expected `turn` or `mirror-ranks` or `mirror-files` or `mirror-rising` or `mirror-falling`, found `turns`";
    check("diagonal", "\"turn\"", "\"turns\"", &[("turns\"", words)]);
    let words = "expected `none` or `files` or `ranks` or `both`, found `file`";
    check("cylinder", "wrap = \"files\"", "wrap = \"file\"", &[("file\"", words)]);
}

#[test]
fn list_faults_name_the_length() {
    let two = "expected two whole numbers";
    for (list, found) in
        [("[0, 1, 0]", "a list of 3 values"), ("[1]", "a list of 1 value"), ("[]", "an empty list")]
    {
        let message = format!("{two}, [files, ranks], found {found}");
        check("chess", "white = [0, 1]", &format!("white = {list}"), &[(list, &message)]);
    }
    let text = "expected a whole number, found the text `1`";
    check("chess", "white = [0, 1]", "white = [0, \"1\"]", &[("1\"]", text)]);
    check(
        "chess",
        "[draws]",
        "[draws]\nmoves = [50, 75, 100]\nrepetition = 3",
        &[
            ("[50", &format!("{two}, [claim, end]; 0 for never, found a list of 3 values")),
            ("3", &format!("{two}, [claim, end]; 0 for never, found the number 3")),
        ],
    );
}

#[test]
fn a_misspelled_key_is_reported_once_with_the_right_one() {
    let promotion =
        "expected one of `pieces`, `on`, `to`, `color`, found the key `men`; did you mean `pieces`?";
    check("chess", "pieces = \"P\"", "men = \"P\"", &[("men = ", promotion)]);
    let goal = "expected one of `pieces`, `on`, `color`, found the key `peices`; did you mean `pieces`?";
    check("brilliant", "pieces = \"K\"", "peices = \"K\"", &[("peices", goal)]);
    let color = "expected `white` or `black`, found `green`";
    check("chess", "to = \"QRBN\"", "to = \"QRBN\"\ncolor = \"green\"", &[("green", color)]);
    let castling = "expected one of `color`, `name`, `king`, `rook`, `piece`, `right`, `out_of_check`, `through_check`, \
                    found the key `man`; did you mean `piece`?";
    check("capablanca", "right = \"K\"", "right = \"K\"\nman = \"R\"", &[("man", castling)]);
}

#[test]
fn numbers_in_moves_are_quoted_whole() {
    let message = "in the moves `W300`: expected a range from 0 to 255, found `300`";
    check("chess", "moves = \"R\"", "moves = \"W300\"", &[("300\"", message)]);
}

#[test]
fn invalid_dead_material_is_reported_with_the_reason() {
    let sides = "expected two sides with ` v ` between, such as `KN v K`, found";
    for (changed, at, expected) in [
        ("KX v K", "X v K", "expected letters of this game's pieces, found `X`"),
        ("K v KX", "X\"", "expected letters of this game's pieces, found `X`"),
        ("Kn v K", "n v K", "expected letters of this game's pieces, found `n`"),
        ("N v K", "N v K", "expected one king, `K`, on each side, found none in `N`"),
        ("K v KNK", "KNK", "expected one king, `K`, on each side, found 2 in `KNK`"),
        ("KN v ", "\"", "expected one king, `K`, on each side, found no pieces"),
        ("KN", "KN", &format!("{sides} `KN`")),
        ("KN v K v K", "KN v K v K", &format!("{sides} `KN v K v K`")),
        ("KNNN v KBB", "KNNN", "expected at most 6 pieces on both sides, found 7"),
    ] {
        check("chess", "\"KN v K\"", &format!("\"{changed}\""), &[(at, expected)]);
    }
    // Without a king in the game, the fault is the missing king, not the material.
    check(
        "chess",
        "royal = true\n",
        "",
        &[("# Orthodox", "expected one piece with `royal = true`, found none")],
    );
}

#[test]
fn a_shuffle_with_castling_needs_all_that_castling_needs() {
    let place = "place = [\"B/B\", \"Q\", \"NN\", \"RKR\"]\n";
    let rule = format!("on = \"rank-1\"\n{place}king = \"g1/c1\"\nrook = \"f1/d1\"");
    let row = "expected squares side by side on one rank for each side, with castling, found";
    for (on, found) in [("a1..c1 e1..g1 a3 c3", "a1 and a3"), ("a1..d1 f1..h1 g3", "d1 and f1")] {
        let changed = rule.replace("rank-1", on).replace("f1/d1", "g1/c1");
        check("chess960", &rule, &changed, &[(on, &format!("{row} {found}"))]);
    }
    for (found, key) in [("king = \"g1/c1\"\n", "king"), ("rook = \"f1/d1\"\n", "rook")] {
        let message = format!("expected the key `{key}` (targets of short and long castling), found none");
        check("chess960", found, "", &[("[shuffle]", &message)]);
    }
    let rookless = |id: &str| {
        let text = library::text(id)?.replace("[roles.R]", "[roles.S]").replace("QRBN", "QSBN");
        Some(text.replace("rnbqkbnr", "snbqkbns").replace("RNBQKBNR", "SNBQKBNS").replace("RKR", "SKS"))
    };
    let error = Variant::parse("f", &rookless("chess960").unwrap(), &rookless).unwrap_err();
    let partner = "expected a piece with the letter `R` that the king castles with, found none";
    assert_eq!(error.faults.len(), 1, "{error}");
    assert!(error.to_string().ends_with(partner), "{error}");
}

/// File k has a letter that means the outermost rook in FEN, so that the rights of others could not be distinguished.
#[test]
fn a_shuffle_with_castling_has_no_square_of_file_k() {
    let text = |on: &str, targets: &str, fen: &str| {
        let board = "............\n".repeat(8);
        let chess = library::text("chess960").unwrap();
        let chess = chess.replace(
            "castling = []",
            "castling = []\nstart = { fen = \"FEN\" }\nboard.squares = \"\"\"\nBOARD\"\"\"",
        );
        let targets: Vec<&str> = targets.split(' ').collect();
        (chess.replace("FEN", fen).replace("BOARD", &board).replace("rank-1", on))
            .replace("g1/c1", targets[0])
            .replace("f1/d1", targets[1])
    };
    let inner =
        text("c1..j1", "i1/e1 h1/f1", "2rnbqkbnr2/2pppppppp2/12/12/12/12/2PPPPPPPP2/2RNBQKBNR2 w KQkq - 0 1");
    let game = Variant::parse("f", &inner, &library::text);
    assert!(game.is_ok(), "{game:?}");
    let outer =
        text("d1..k1", "j1/f1 i1/g1", "3rnbqkbnr1/3pppppppp1/12/12/12/12/3PPPPPPPP1/3RNBQKBNR1 w KQkq - 0 1");
    let error = Variant::parse("f", &outer, &library::text).unwrap_err();
    let expected =
        "expected no square of file k with castling: its letter means the outermost rook, found k1";
    assert_eq!(error.faults.len(), 1, "{error}");
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn references_to_an_unreadable_piece_cause_no_faults() {
    for (id, found, changed) in [
        ("chess", "[roles.Q]", "QQ"),
        ("chess", "[roles.K]", "k"),
        ("chess", "[roles.R]", "RR"),
        ("fusionchess", "[roles.M]", "MM"),
    ] {
        let message = format!("expected a capital letter A-Z as the piece's letter, found `{changed}`");
        check(id, found, &format!("[roles.{changed}]"), &[(&format!("{changed}]"), &message)]);
    }
    let name = "expected the key `name` (the piece's name), found none";
    check("chess", "name = \"Queen\"\n", "", &[("Q]", name)]);
    check("chess", "name = \"King\"\n", "", &[("K]", name)]);
    check(
        "chess",
        "royal = true",
        "royal = \"yes\"",
        &[("yes", "expected true or false, found the text `yes`")],
    );
}

#[test]
fn references_to_an_unreadable_part_cause_no_faults() {
    let king = "expected the key `king` (from-to), found none";
    check("chess", "king = \"e1-g1\"\n", "", &[("[[castling]]", king)]);
    let color = "expected `white` or `black`, found `whit`";
    check("chess", "color = \"white\"", "color = \"whit\"", &[("whit\"", color)]);
    let gain = "expected `any-gain` or `most-gain` or `level`, found `all-gain`";
    check("diamondring-flat", "\"any-gain\"", "\"all-gain\"\nfree = 2", &[("all-gain", gain)]);
    check(
        "diamondring",
        "from = \"centre\"",
        "form = \"centre\"",
        &[("form", "expected one of `from`, `free`, found the key `form`; did you mean `from`?")],
    );
    let area = "expected a square, a run `c9..i9`, `file-a`, `rank-2`, the name of a region, or `enemy:` and one, found `f13`";
    check("diamondring", "f1 g1 f12 g12", "f13", &[("f13", area)]);
    check("diamondring", "\"f1 g1 f12 g12\"", "1", &[("1", "expected a text in quotes, found the number 1")]);
    check(
        "diamondring",
        "within = 3",
        "within = \"3\"",
        &[("3\"", "expected a whole number, found the text `3`")],
    );
    check("diamondring", "\"most-gain\"\n", "1\n", &[("1", "expected a text in quotes, found the number 1")]);
    let quotes =
        "expected valid TOML, found a syntax error: string values must be quoted, expected literal string";
    check("chess", "royal = true", "royal = yes", &[("yes", quotes)]);
    check(
        "chess",
        "royal = true",
        "royal = true\nroyal = true",
        &[("royal = true", "`royal` is defined twice")],
    );
    check("chess", "[roles.Q]", "[board]\n[roles.Q]", &[("board]", "`[board]` is defined twice")]);
    let known = "expected the id of a built-in game, or of a file `diamondrin.toml` beside this one, found neither; \
                 did you mean `diamondring`?";
    check("diamondring-flat", "\"diamondring\"", "\"diamondrin\"", &[("diamondrin\"", known)]);
}

/// A table with an invalid name may be the one that others refer to.
#[test]
fn references_to_a_misnamed_table_cause_no_faults() {
    let key = |meant: &str, found: &str| {
        let keys = "`id`, `name`, `aliases`, `author`, `year`, `source`, `about`, `readings`, `options`, `board`, `regions`, \
`distance`, `roles`, `fusion`, `start`, `shuffle`, `promotion`, `goal`, `castling`, `draws`, `extends`, `players`, `teams`, `seats`";
        format!("expected one of {keys}, found the key `{found}`; did you mean `{meant}`?")
    };
    for (id, found, changed) in [
        ("chess", "[roles.Q]", "rolls"),
        ("chess", "[roles.K]", "role"),
        ("chess", "[[castling]]", "castlings"),
        ("diamondring", "[regions]", "region"),
        ("diamondring", "[distance]", "distances"),
    ] {
        let new = found.replace("roles", changed).replace("castling", changed);
        let new = new.replace("regions", changed).replace("distance", changed);
        let meant = found.trim_matches(['[', ']']).split('.').next().unwrap();
        check(id, found, &new, &[(changed, &key(meant, changed))]);
    }
    let table = "expected a table, found the number 5";
    check("diamondring-flat", "extends = ", "regions = 5\nextends = ", &[("5", table)]);
}

/// Other errors are reported as well.
#[test]
fn other_faults_are_reported_too() {
    let text = library::text("chess").unwrap();
    let text = text.replacen("[roles.Q]", "[roles.QQ]", 1).replacen("on = \"rank-8\"", "on = \"rank-9\"", 1);
    let text = text.replacen(" w KQkq - 0 1", " x KQkq j - 1", 1);
    let error = Variant::parse("f", &text, &library::text).unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines.len() == 5 && lines[4].contains("rank-9"), "{error}");
}

#[test]
fn every_fault_is_reported_on_one_line() {
    let file = "the name of a region, or `enemy:` and one, found";
    for (found, changed, at, expected) in [
        (
            "\"Chess\"",
            r#""Che\nss""#,
            "Che",
            r"expected a name of at most 80 characters on one line, without quotes, found `Che\nss`",
        ),
        (
            "\"chess\"",
            r#""che\u0007ss\r""#,
            "che",
            r"expected 1 to 40 small letters, digits and `-`, found `che\u{7}ss\r`",
        ),
        (
            "\"rank-8\"",
            r#""rank\u00008""#,
            "rank",
            &format!(r"expected a square, a run `c9..i9`, `file-a`, `rank-2`, {file} `rank\u{{0}}8`"),
        ),
        (
            "moves = \"R\"",
            r#"moves = "R\nB""#,
            r"\nB",
            r"in the moves `R\nB`: expected an atom: W F D N A H C Z G K R B Q or (m,n), found `\n`",
        ),
    ] {
        check("chess", found, changed, &[(at, expected)]);
    }
}

/// Reads a file that finds the others by their ids; the messages.
fn messages(text: &str, others: &[(&str, &str)]) -> Vec<String> {
    let lookup = |id: &str| {
        let other = others.iter().find(|(other, _)| *other == id);
        other.map(|(_, text)| (*text).to_owned()).or_else(|| library::text(id))
    };
    match Variant::parse("own.toml", text, &lookup) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn circular_and_long_chains_of_files_have_their_own_messages() {
    let circle = messages("extends = \"a\"", &[("a", "extends = \"b\""), ("b", "extends = \"a\"")]);
    let expected = "own.toml:1:12: expected a game that does not extend this one, found `own.toml` < `a.toml` < \
                    `b.toml` < `a.toml` (inherited from b.toml:1:12)";
    assert!(circle.iter().any(|message| message == expected), "{circle:#?}");
    let row: Vec<(String, String)> =
        (0..10).map(|n| (format!("g{n}"), format!("extends = \"g{}\"", n + 1))).collect();
    let row: Vec<(&str, &str)> = row.iter().map(|(id, text)| (id.as_str(), text.as_str())).collect();
    let long = messages("extends = \"g0\"", &row);
    assert!(
        long.iter()
            .any(|message| message.contains("expected at most 8 games that extend one another, found")),
        "{long:#?}"
    );
}

#[test]
fn inherited_faults_are_reported_in_the_own_file() {
    let own = "extends = \"chess\"\nid = \"x\"\nname = \"X\"\n[roles]\nQ = false\n";
    let found = messages(own, &[]);
    assert!(!found.is_empty());
    for message in found {
        assert!(message.starts_with("own.toml:1:12: expected "), "{message}");
        assert!(message.contains(" (inherited from chess.toml:"), "{message}");
    }
}

#[test]
fn inherited_wall_can_be_removed() {
    let own = "extends = \"diamondring-wildeurasian\"\nid = \"x\"\nname = \"X\"\n[roles.Q]\nwall = false\n";
    let game = Variant::parse("own.toml", own, &library::text).unwrap();
    assert!(game.roles().info(game.roles().role('Q').unwrap()).wall.is_none());
}

#[test]
fn inherited_promotions_and_castlings_can_be_removed() {
    let own = "extends = \"chess\"\nid = \"x\"\nname = \"X\"\npromotion = []\ncastling = []\n\
               start = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\"\n";
    let game = Variant::parse("own.toml", own, &library::text).unwrap();
    assert!(game.promotions().is_empty() && game.castlings().is_empty());
}

#[test]
fn starting_positions_cannot_be_removed() {
    let own = "extends = \"chess\"\nid = \"x\"\nname = \"X\"\nstart = []\n";
    assert_eq!(messages(own, &[]), ["own.toml:4:9: expected at least one starting position, found none"]);
}

#[test]
fn backtick_is_not_a_piece_letter() {
    check(
        "gardner",
        "rnbqk/",
        "rnb`k/",
        &[("`k/", "expected a piece (BKNPQR), a number of empty squares, `*` or `/`, found ```")],
    );
}

#[test]
fn an_unknown_table_does_not_hide_that_there_is_no_royal_piece() {
    let keys = "expected one of `id`, `name`, `aliases`, `author`, `year`, `source`, `about`, `readings`, `options`, `board`, \
                `regions`, `distance`, `roles`, `fusion`, `start`, `shuffle`, `promotion`, `goal`, `castling`, `draws`, \
                `extends`, `players`, `teams`, `seats`, found the key `rules`; did you mean `roles`?";
    let king = "expected one piece with `royal = true`, found none";
    let file = library::text("chess").unwrap();
    check("chess", "royal = true", "", &[("# Orthodox", king)]);
    let text = file.replacen("royal = true", "", 1) + "\n[rules]\nstrict = true\n";
    let found = messages(&text, &[]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].ends_with(king) && found[1].ends_with(keys), "{found:#?}");
}

#[test]
fn an_unreadable_letter_does_not_hide_the_other_letters() {
    let file = library::text("chess").unwrap();
    let text = file.replacen("[start]", "[roles.\"+P\"]\nname = \"Tokin\"\nmoves = \"K\"\n\n[start]", 1);
    let text = text.replacen("rnbqkbnr/", "rnbqkbxr/", 1);
    let found = messages(&text, &[]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().any(|message| message.contains("as the piece's letter, found `+P`")), "{found:#?}");
    assert!(found.iter().any(|message| message.contains("expected a piece (BKNPQR)")), "{found:#?}");
}

#[test]
fn pieces_need_moves_and_a_unique_name() {
    let moves = "expected moves in Betza notation such as `K` or `mfWcfF`, found none";
    check("chess", "moves = \"Q\"", "moves = \"\"", &[("\"", moves)]);
    let group = "expected at least one group of moves, found none";
    check("chess", "moves = \"Q\"", "moves = []", &[("Q]", group)]);
    let name = "expected a name that no other piece has, found `Knight`, the name of `N`";
    check("chess", "name = \"Queen\"", "name = \"Knight\"", &[("Knight\"", name)]);
}

#[test]
fn unsupported_rules_are_named() {
    for (key, rules) in [("drops", "drops"), ("pocket", "drops"), ("checks", "counters"), ("pass", "passing")]
    {
        let found = messages(&format!("{key} = true\n{}", library::text("chess").unwrap()), &[]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert!(found[0].ends_with(&format!("; variant files cannot express {rules}")), "{found:#?}");
    }
}
