//! The games of four players: perft, who is mated, who passes, the places, FEN and its refusals.

use lozenge_reference::four::{End, FourGame, FourRules, FourWalker};

/// Rows without pieces, from rank 12 to rank 1, with some replaced.
fn board(rows: &[(usize, &str)]) -> String {
    let row = |rank: usize| rows.iter().find(|row| row.0 == rank).map_or("12", |row| row.1);
    (1..=12).rev().map(row).collect::<Vec<_>>().join("/")
}

fn start(rules: FourRules) -> FourWalker {
    FourWalker::from_fen(rules, &rules.start_fen()).expect("the start")
}

fn read(rules: FourRules, rows: &[(usize, &str)], fields: &str) -> FourWalker {
    FourWalker::from_fen(rules, &format!("{} {fields}", board(rows))).expect("a readable position")
}

fn play(mut walker: FourWalker, moves: &str) -> FourWalker {
    for mv in moves.split(' ') {
        walker = walker.play(mv).unwrap_or_else(|| panic!("{mv} is legal in {}", walker.fen()));
    }
    walker
}

/// The fields after the placement.
fn fields(walker: &FourWalker) -> String {
    walker.fen().split_once(' ').expect("a FEN").1.to_owned()
}

#[test]
fn perft_of_the_starts() {
    let four = start(FourRules::Free);
    assert_eq!([1, 2, 3, 4].map(|depth| four.perft(depth)), [26, 679, 17_732, 465_106]);
    let teams = start(FourRules::Teams);
    assert_eq!([1, 2, 3].map(|depth| teams.perft(depth)), [26, 679, 17_732]);
}

#[test]
fn the_start_is_written_as_the_law_writes_it() {
    let fen = FourRules::Free.start_fen();
    assert!(fen.starts_with("2yPyRyEyKyWyEyRyP2/3yPyNyByByNyP3/bP3yPyDyDyP3gP/"), "{fen}");
    assert!(fen.ends_with("/2rPrRrErWrKrErRrP2 r - - 0 1 rbyg"), "{fen}");
    assert_eq!(start(FourRules::Free).fen(), fen);
}

#[test]
fn beginners_trap() {
    let walker = play(start(FourRules::Free), "e2c3 a3a2 c12b12 l10l11 c3b5");
    assert_eq!(fields(&walker), "y - - 0 2 ryg/b", "Blue is checkmated and out");
    assert!(walker.fen().contains("/1dBdDdP4gPgDgBgW/"), "without the king on a7: {}", walker.fen());
    let teams = play(start(FourRules::Teams), "e2c3 a3a2 c12b12 l10l11 c3b5");
    assert_eq!((fields(&teams).as_str(), teams.status()), ("y - - 0 2 ryg/b", "decided"));
    assert!(teams.legal_moves().is_empty());
    let mut game = FourGame::new(start(FourRules::Teams));
    for mv in ["e2c3", "a3a2", "c12b12", "l10l11", "c3b5"] {
        assert!(game.play(mv), "{mv}");
    }
    assert_eq!((game.end(), game.result().as_str()), (Some(End::Decided), "1-0"));
}

/// Four kings, each in a corner behind three of its own pawns that can never move.
const WALLED_IN: [(usize, &str); 4] =
    [(12, "rKrP8bPbK"), (11, "rPrP8bPbP"), (2, "gPgP8yPyP"), (1, "gKgP8yPyK")];

#[test]
fn all_the_living_pass() {
    let now = read(FourRules::Free, &WALLED_IN, "g - - 7 9 rbyg");
    assert_eq!((fields(&now).as_str(), now.status()), ("g - - 7 9 rbyg", "stalemate"));
    assert_eq!(now.places(), Some([1, 1, 1, 1]));
    assert!(now.play("R").is_none() && now.legal_moves().is_empty());

    // The last move of all is Green's; the run of passes begins with Red, whose turn it was to be in round 10.
    let mut rows = WALLED_IN;
    rows[3].1 = "gK1gP7yPyK";
    let before = read(FourRules::Free, &rows, "g - - 7 9 rbyg");
    assert_eq!(before.status(), "ongoing");
    let after = play(before.clone(), "c1b1");
    assert_eq!((fields(&after).as_str(), after.status()), ("r - - 0 10 rbyg", "stalemate"));

    // Three pass, and it is Green's turn again.
    let after = play(before, "a1b1");
    assert_eq!((fields(&after).as_str(), after.status()), ("g - - 8 10 rbyg", "ongoing"));
}

#[test]
fn with_two_living_a_mover_without_a_move_draws() {
    let rows = [(12, "rKrP8bPbK"), (11, "rPrP8bPbP"), (6, "dN11")];
    let now = read(FourRules::Free, &rows, "b - - 3 9 rb/gy");
    assert_eq!((fields(&now).as_str(), now.status()), ("b - - 3 9 rb/gy", "stalemate"));
    assert_eq!(now.places(), Some([1, 1, 3, 4]));
}

#[test]
fn teams_pass_while_the_partner_could_move() {
    let shut_in = [(12, "yK11"), (11, "7gR4"), (7, "7gK4"), (6, "1bR3bK6"), (2, "7gR4"), (1, "rK11")];
    let now = read(FourRules::Teams, &shut_in, "r - - 3 9 rbyg");
    assert_eq!((fields(&now).as_str(), now.status()), ("r - - 3 9 rbyg", "stalemate"));
    assert_eq!(now.places(), None);
    let mut with_pawn = shut_in;
    with_pawn[3].1 = "1bR3bK4yP1";
    let now = read(FourRules::Teams, &with_pawn, "r - - 3 9 rbyg");
    assert_eq!((fields(&now).as_str(), now.status()), ("b - - 3 9 rbyg", "ongoing"));
    // Who is in check could move if the turn were theirs, or is mated when it is.
    let mut mated = shut_in;
    mated[0].1 = "yK10gR";
    let now = read(FourRules::Teams, &mated, "r - - 3 9 rbyg");
    assert_eq!(fields(&now), "b - - 3 9 rbyg");
}

#[test]
fn an_exit_opens_a_king_to_check_which_waits_for_its_turn() {
    let rows = [(12, "1yK10"), (6, "rR4bK5gK"), (1, "7rK4")];
    let now = read(FourRules::Free, &rows, "b - - 5 9 rbyg");
    assert_eq!(now.status(), "check");
    let now = play(now, "R");
    assert_eq!((fields(&now).as_str(), now.status()), ("y - - 0 9 ryg/b", "ongoing"));
    assert!(now.fen().contains("/rR10gK/"), "{}", now.fen());
    let now = play(now, "b12b11");
    assert_eq!(now.status(), "check");
    assert!(now.legal_moves().iter().all(|mv| mv.starts_with("l6") && !mv.ends_with("k6")));
    // Kings are never captured: Red has no move onto Green's king.
    let red = read(FourRules::Free, &[(12, "1yK10"), (6, "rR10gK"), (1, "7rK4")], "r - - 5 9 ryg/b");
    assert!(!red.legal_moves().contains(&"a6l6".to_owned()));
}

#[test]
fn dead_pieces_block_and_are_captured_and_give_no_check() {
    let rows = [(12, "yK11"), (6, "rR1dR8gK"), (3, "7dR4"), (1, "7rK4")];
    let now = read(FourRules::Free, &rows, "r - - 5 9 ryg/b");
    assert_eq!(now.status(), "ongoing");
    assert!(
        now.legal_moves().contains(&"a6c6".to_owned()) && !now.legal_moves().contains(&"a6d6".to_owned())
    );
    assert_eq!(fields(&play(now, "a6c6")), "y - - 0 9 ryg/b");
}

#[test]
fn places_rank_survivors_by_material() {
    let rows = [(12, "yK11"), (6, "rR1dR8gK"), (3, "7dR4"), (1, "7rK4")];
    let now = read(FourRules::Free, &rows, "y - - 5 9 ryg/b");
    let mut game = FourGame::new(now);
    game.agree();
    assert_eq!((game.end(), game.result().as_str()), (Some(End::Agreement), "1-4-2-2"));
    let bare = read(FourRules::Free, &[(12, "yK11"), (6, "dR11"), (1, "7rK4")], "y - - 5 9 ry/gb");
    assert_eq!((bare.status(), bare.places()), ("dead", Some([1, 3, 1, 4])));
    assert_eq!(bare.legal_moves().len(), 3);
    let last = play(bare, "R");
    assert_eq!((fields(&last).as_str(), last.status()), ("r - - 0 10 r/gby", "decided"));
    assert_eq!(last.places(), Some([1, 3, 2, 4]));
}

#[test]
fn draws_by_count_and_repetition() {
    let rows = [(12, "yK10yN"), (1, "7rK4")];
    let now = read(FourRules::Free, &rows, "y - - 98 9 ry/gb");
    let mut game = FourGame::new(now);
    assert!(game.play("a12a11") && game.end().is_none());
    assert!(game.play("h1h2"));
    assert_eq!(game.end(), Some(End::Moves));
    assert_eq!(game.result(), "2-3-1-4");
    assert!(!game.play("a11a12"));

    let mut game = FourGame::new(read(FourRules::Free, &rows, "y - - 0 9 ry/gb"));
    for _ in 0..2 {
        assert_eq!(game.end(), None);
        assert!(game.play("a12a11") && game.play("h1h2") && game.play("a11a12") && game.play("h2h1"));
    }
    assert_eq!(game.end(), Some(End::Repetition));
}

#[test]
fn time_against_bare_kings_in_teams() {
    let rows = [(12, "yK10yN"), (6, "bK10gK"), (1, "7rK4")];
    let now = read(FourRules::Teams, &rows, "r - - 0 9 rbyg");
    let mut game = FourGame::new(now.clone());
    assert!(game.play("T"));
    assert_eq!((game.end(), game.result().as_str()), (Some(End::Dead), "1/2-1/2"));
    assert_eq!(game.position().fen(), now.fen(), "nobody is taken off");
    let mut game = FourGame::new(now);
    assert!(game.play("h1h2") && game.play("T"));
    assert_eq!((game.end(), game.result().as_str()), (Some(End::Decided), "1-0"));
}

#[test]
fn everything_wrong_with_a_fen_is_reported_at_once() {
    let check = |rules, rows: &[(usize, &str)], fields: &str, expected: &[&str]| {
        let fen = format!("{} {fields}", board(rows));
        let faults = FourWalker::from_fen(rules, &fen).expect_err(&fen).0;
        assert_eq!(faults, expected, "{fen}");
    };
    let rows = [(12, "yK10dK"), (11, "1gK10"), (6, "1rP4bR5"), (1, "rK1rK6rP2")];
    check(
        FourRules::Free,
        &rows,
        "b - - 0 1 ryg/b",
        &[
            "Blue is out and cannot be on the turn",
            "Red has 2 kings, not one",
            "Blue is out and has a piece on g6",
            "the king on l12 is dead",
            "the kings of Yellow and Green stand side by side",
        ],
    );
    check(
        FourRules::Free,
        &[],
        "w KQ e3 -1 0 rrx/",
        &[
            "the mover is `r`, `b`, `y` or `g`",
            "there is no castling rights in this game: `-`, not `KQ`",
            "there is no en passant in this game: `-`, not `e3`",
            "the halfmove clock is a number from 0 to 65535, not `-1`",
            "the move number is a number from 1 to 1000000, not `0`",
            "`r` stands twice among the players `rrx/`",
            "`x` is no player in `rrx/`",
            "`b` is missing among the players `rrx/`",
            "`y` is missing among the players `rrx/`",
            "`g` is missing among the players `rrx/`",
            "there is no `/` among the players while nobody is out: `rrx/`",
        ],
    );
    let kings = [(12, "5yK6"), (6, "bK10gK"), (1, "6rK5")];
    check(
        FourRules::Free,
        &kings,
        "r - - 0 1 rgyb",
        &["the living are written in the order `rbyg`, not `rgyb`"],
    );
    check(FourRules::Free, &kings, "r - - 0 1", &["a FEN of four players has 7 fields, not 6"]);
    check(
        FourRules::Free,
        &[(12, "rQ11"), (1, "13")],
        "r - - 0 1 rbyg",
        &["rank 12: no piece follows `r`", "rank 1: a run of 13 empty squares does not fit"],
    );
    let mut pawn = kings;
    pawn[0].1 = "rP4yK6";
    check(FourRules::Free, &pawn, "r - - 0 1 rbyg", &["a pawn of Red is promoted on a12"]);
    read(FourRules::Teams, &pawn, "r - - 0 1 rbyg");
    let mut check_before = kings;
    check_before[1].1 = "bK5rP3rRgK";
    check(FourRules::Teams, &check_before, "r - - 0 1 rbyg", &["Green has just moved and is in check"]);
    read(FourRules::Free, &check_before, "r - - 0 1 rbyg");
    read(FourRules::Teams, &check_before, "y - - 0 1 rbyg");
    check(
        FourRules::Teams,
        &[(12, "5yK6"), (1, "6rK5")],
        "r - - 0 1 ry/bg",
        &["in teams the first player who goes out ends the game"],
    );
}

/// Partners may stand side by side.
#[test]
fn kings_of_partners_may_touch() {
    let rows = [(6, "bK10gK"), (2, "6yK5"), (1, "6rK5")];
    assert_eq!(read(FourRules::Teams, &rows, "r - - 0 1 rbyg").status(), "dead");
}

#[test]
fn random_games_are_written_as_they_are_read() {
    let mut state = 4_u64;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    for rules in [FourRules::Free, FourRules::Teams] {
        for _ in 0..4 {
            let mut walker = start(rules);
            for _ in 0..80 {
                let again = FourWalker::from_fen(rules, &walker.fen()).expect("a written position");
                assert_eq!((again.fen(), again.status()), (walker.fen(), walker.status()));
                let moves = walker.legal_moves();
                assert_eq!(moves.is_empty(), ["decided", "stalemate"].contains(&walker.status()));
                let Some(mv) = moves.get(below(moves.len().max(1))) else { break };
                walker = walker.play(mv).expect("a legal move");
            }
        }
    }
}
