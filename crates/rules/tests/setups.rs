//! What is refused as a position, with every reason at once; and the draws that need history.
#![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, DrawReason, Game, Outcome, PositionError, SetupFault, Status};
use lozenge_rules::variant::library;

fn faults(id: &str, fen: &str) -> Vec<SetupFault> {
    match AnyPosition::from_fen(&library::game(id).unwrap(), fen) {
        Err(PositionError::Setup(error)) => error.faults,
        other => panic!("{fen}: {other:?}"),
    }
}

/// The reasons, each named by a word of its text.
fn check(id: &str, fen: &str, words: &[&str]) {
    let found: Vec<String> = faults(id, fen).iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), words.len(), "{id}: {fen}: {found:?}");
    for word in words {
        assert!(found.iter().any(|fault| fault.contains(word)), "{id}: {fen}: no {word} in {found:?}");
    }
}

#[test]
fn all_reasons_at_once() {
    check("diagonal", "8/8/8/8/8/8/8/8 w - - 0 1", &["king of White", "king of Black"]);
    check("diagonal", "kk5P/7P/8/8/8/8/8/K7 w - - 0 1", &["king of Black", "on h7", "goal h8"]);
    check("diagonal", "7k/8/8/8/8/8/8/K6q b - - 0 1", &["White, who has just moved"]);
    check(
        "diamond",
        "****k****/***3***/**5**/*7*/9/*7*/**5**/***3***/****K**** w - - 0 1",
        &["hole `*` at e5"],
    );
    check(
        "diamond",
        "****k****/***3***/**5**/*7*/4*3*/*7*/**5**/***3***/****K**** w - - 0 1",
        &["square at i5"],
    );
    check("chess", "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", &["right `Q`"]);
    check("chess", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", &["en passant target e6"]);
    check("doublediamond", "**6k/**7/9/9/9/9/9/MP5**/KQ5** w - - 0 1 c2", &["c2 (seventh field)"]);
    check("diamondback", "k6K/8/8/8/8/8/8/8 w - - 0 1", &["goal h8"]);
}

#[test]
fn a_goal_by_the_last_move_is_a_finished_game() {
    for (id, fen) in [
        ("diagonal", "k6P/8/8/8/8/8/8/K7 b - - 0 1"),
        ("diagonal", "7k/8/8/8/8/8/7K/p7 w - - 0 1"),
        ("diamondback", "k6K/8/8/8/8/8/8/8 b - - 0 1"),
    ] {
        let position = AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
        assert_eq!(position.status(), Status::Goal, "{fen}");
        assert!(position.legal_moves().is_empty() && position.perft(3) == 0, "{fen}");
    }
}

fn play(id: &str, fen: &str, moves: &str) -> Game {
    let mut game = Game::from_position(AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap());
    for text in moves.split(' ') {
        let played = uci::parse(game.position(), text).unwrap();
        game.play(played).unwrap();
    }
    game
}

#[test]
fn repetition() {
    let start = library::game("diamond").unwrap().starts()[0].fen.clone();
    let round = "e2f4 e8f6 f4e2 f6e8";
    let times = |count: usize| play("diamond", &start, &vec![round; count].join(" "));
    assert_eq!(times(1).occurrences(), 2);
    assert_eq!((times(1).claimable_draw(), times(1).outcome()), (None, None));
    assert_eq!(times(2).claimable_draw(), Some(DrawReason::Repetition));
    assert_eq!(times(2).outcome(), None);
    assert_eq!(times(4).outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
    // Legal moves stay as they are.
    assert_eq!(times(4).position().legal_moves().len(), 8);
    // Castling rights count, and so does a pawn that has moved onto a starting square.
    let rights = play("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "h1h2 e8e7 h2h1 e7e8");
    assert_eq!(rights.occurrences(), 1);
}

#[test]
fn an_en_passant_target_counts_only_where_it_can_be_used() {
    let key = |fen: &str| AnyPosition::from_fen(&library::game("chess").unwrap(), fen).unwrap().key();
    let unused = ["4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"];
    assert_eq!(key(unused[0]), key(unused[1]));
    let used = ["4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"];
    assert_ne!(key(used[0]), key(used[1]));
    // A capture that would uncover the king is no use of it.
    let pinned = ["8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"];
    assert_eq!(key(pinned[0]), key(pinned[1]));
}

#[test]
fn move_counts() {
    let quiet = "7k/8/8/8/8/8/8/KR6 w - - ";
    let after = |clock: u32| play("diagonal", &format!("{quiet}{clock} 90"), "a1a2");
    assert_eq!((after(98).claimable_draw(), after(98).outcome()), (None, None));
    assert_eq!((after(99).claimable_draw(), after(99).outcome()), (Some(DrawReason::MoveCount), None));
    assert_eq!(after(148).outcome(), None);
    assert_eq!(after(149).outcome(), Some(Outcome::Draw(DrawReason::MoveCount)));
    // Mate comes before the count.
    let mate = play("chess", "7k/R7/8/8/8/8/8/KR6 w - - 149 90", "b1b8");
    assert!(matches!(mate.outcome(), Some(Outcome::Win { .. })));
    // A Guard's slide is a pawn move and restarts the count.
    let guard = play("diamondback", "7k/8/8/8/8/2P5/8/K7 w - - 40 90", "c3d3");
    assert_eq!(guard.position().halfmove_clock(), 0);
}

#[test]
fn counters_stay_where_they_can_be_read() {
    let last = "7k/8/8/8/8/8/8/KR6 b - - 65535 1000000";
    let game = library::game("diagonal").unwrap();
    let position = AnyPosition::from_fen(&game, last).unwrap();
    let played = uci::parse(&position, "h8g8").unwrap();
    let after = position.play(played).unwrap();
    assert!(after.fen().ends_with(" 65535 1000000"), "{}", after.fen());
    assert_eq!(AnyPosition::from_fen(&game, &after.fen()).map(|read| read.fen()), Ok(after.fen()));
}
