//! Files of games of three and four: their faults, each at its place.

use lozenge_rules::library::{self, AnyGame};
use lozenge_rules::variant::{MultiVariant, Variant};

/// The faults of a game of four in whose file a text is replaced, with the place of each.
fn faults(id: &str, old: &str, new: &str) -> Vec<String> {
    let text = library::text(id).expect("a built-in game");
    assert!(text.contains(old), "{old}");
    match AnyGame::parse("f", &text.replacen(old, new, 1), &library::text) {
        Ok(_) => Vec::new(),
        Err(error) => error.faults.iter().map(ToString::to_string).collect(),
    }
}

#[test]
fn faults_of_files_for_four() {
    let check = |id, old, new, expected: &[&str]| {
        assert_eq!(faults(id, old, new), expected, "{new}");
    };
    let four = "diamondring-four";
    check(four, "players = 4", "players = 5", &["f:20:11: expected 2, 3 or 4 players, found 5"]);
    let three = faults(four, "players = 4", "players = 3");
    assert_eq!(three[0], "f:26:10: expected no seat for Green in a game of three players, found one");
    let owner = "an owner (rby, or d for a dead piece), a number of empty squares, `*` or `/`, found `g`";
    assert_eq!(three[1], format!("f:59:54: expected {owner}"));
    check(
        "diamondring-teams",
        "players = 4",
        "players = 3",
        &["f:19:11: expected no teams in a game of three players, found `red yellow`"],
    );
    check(four, "players = 4", "players = \"4\"", &["f:20:12: expected a whole number, found the text `4`"]);
    check(
        four,
        "players = 4",
        "players = 4\ncastling = [{ color = \"white\", name = \"short\", king = \"g1-h1\", rook = \"i1-f1\", right = \"k\" }]",
        &[
            "f:21:24: expected `red` or `blue` or `yellow` or `green`, found `white`",
            "f:21:89: expected one capital letter for this right, found `k`",
        ],
    );
    check(
        four,
        "dead = []",
        "dead = [\"K v K\"]",
        &[
            "f:70:10: expected no dead material (bare kings are always a draw) in a game of four players, found one",
        ],
    );
    check(four, "betza = \"mW\"", "betza = \"mWimfnD\"", &[]);
    check(
        four,
        "\"turn\"",
        "\"mirror-ranks\"",
        &[
            "f:23:1: expected three symmetries of which each two, one after the other, are the third, found others",
        ],
    );
    check(
        "threearmies",
        "\"mirror-rising\"",
        "\"turn\"",
        &["f:17:1: expected a symmetry of its own for each seat, found the same one twice"],
    );
    check(
        four,
        "yellow = \"turn\"\n",
        "",
        &[
            "f:23:1: expected the key `yellow` (the symmetry that lays Red's side onto this one, in the table `seats`), found none",
        ],
    );
    check(
        "fourplayerchess",
        "moves = \"N\"",
        "moves = \"NimfnD\"",
        &[
            "f:64:8: expected first moves only of pieces that cannot come back to where they have them, found `N` of Red, which can",
        ],
    );
    check(four, " rbyg\"", " rbyg/\"", &["f:59:215: expected no `/` while no player is out, found one"]);
    check(
        four,
        "rWrKrE",
        "rWrNrE",
        &["f:59:8: in the starting position: expected exactly one king of Red, found 0"],
    );
    check(
        "diamondring-teams",
        "\"red yellow\", \"blue green\"",
        "\"red blue\", \"yellow green\"",
        &["f:19:11: expected the teams \"red yellow\" and \"blue green\", found `red blue`, `yellow green`"],
    );
    // Red's rook gives check to Green on i3, and so does Blue's, if it is there.
    let start = library::multi_game(four).expect("built in").start().to_owned();
    let with = |rank: &str| format!("12/12/12/yK11/{rank}/12/12/6bK5/12/3rR4gK3/12/rK11 r - - 0 1 rbyg");
    assert_eq!(faults(four, &start, &with("12")), [""; 0]);
    let found = "expected Green to be in check from at most one player, found Red and Blue";
    assert_eq!(faults(four, &start, &with("8bR3")), [format!("f:59:8: in the starting position: {found}")]);
    check(
        "diamondring-teams",
        "\"red yellow\", \"blue green\"",
        "\"red yellow\", \"blue yellow\"",
        &["f:19:11: expected the teams \"red yellow\" and \"blue green\", found `red yellow`, `blue yellow`"],
    );
    let mixed = faults("diamondring-teams", "players = 4", "players = 2");
    assert_eq!(mixed[0], "f:19:11: expected no team in a game of two players, found one");
    assert_eq!(mixed[1], "f:22:1: expected no table `seats` in a game of two players, found one");
}

/// A game of two refuses a file for four, whatever else is in it.
#[test]
fn games_of_four_are_no_games_of_two() {
    for id in library::multi_ids() {
        let text = library::text(id).expect("a built-in game");
        let players = library::multi_game(id).expect("a built-in game").seats().len();
        let expected = format!(
            "expected a game of two players, found one of {}",
            ["three", "four"][players as usize - 3]
        );
        let error = Variant::parse("f", &text, &library::text).expect_err(id).to_string();
        assert!(error.ends_with(&expected), "{error}");
        assert!(library::game(id).is_none() && library::ids().all(|known| known != id));
        let extended = format!("extends = \"{id}\"\nid = \"own\"\nname = \"Own\"\n");
        let error = Variant::parse("f", &extended, &library::text).expect_err(id).to_string();
        assert!(error.contains(&expected), "{error}");
        assert!(matches!(AnyGame::parse("f", &extended, &library::text), Ok(AnyGame::Four(_))));
    }
    let error = MultiVariant::parse("f", &library::text("chess").expect("chess"), &library::text);
    assert!(
        error.expect_err("chess").to_string().ends_with("expected a game of four players, found one of two")
    );
}
