//! Refused positions, with every reason at once; and the draws that need history.

use lozenge_rules::geometry::{Square, SquareSet};
use lozenge_rules::library;
use lozenge_rules::notation::{san, uci};
use lozenge_rules::position::{
    AnyPosition, DrawReason, Game, Move, Outcome, Position, PositionError, RoleSet, SetupFault, Sink, Status,
    WidthVisitor,
};
use lozenge_rules::variant::{Rules, Variant};
use std::sync::Arc;

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
    play_from(&library::game(id).unwrap(), fen, moves)
}

fn play_from(game: &Arc<Variant>, fen: &str, moves: &str) -> Game {
    let mut game = Game::from_position(AnyPosition::from_fen(game, fen).unwrap());
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
    let position = |fen: &str| AnyPosition::from_fen(&library::game("chess").unwrap(), fen).unwrap();
    let (key, fen) = (|fen: &str| position(fen).key(), |fen: &str| position(fen).fen());
    let unused = ["4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"];
    assert_eq!(key(unused[0]), key(unused[1]));
    assert_eq!((fen(unused[0]), fen(unused[1])), (unused[1].into(), unused[1].into()));
    let used = ["4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"];
    assert_ne!(key(used[0]), key(used[1]));
    // A capture that would uncover the king is no use of it.
    let pinned = ["8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"];
    assert_eq!(key(pinned[0]), key(pinned[1]));
    assert_eq!((fen(pinned[0]), fen(used[0])), (pinned[1].into(), used[0].into()));
    // As python-chess and pyffish write the position.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let moved = play("chess", start, "e2e4").position().fen();
    assert_eq!(moved, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
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

/// A built-in game with some parts of its file changed.
fn changed(id: &str, changes: &[(&str, &str)]) -> Arc<Variant> {
    let mut text = library::text(id).unwrap();
    for (found, instead) in changes {
        assert!(text.contains(found), "{id} has no {found}");
        text = text.replacen(found, instead, 1);
    }
    Variant::parse("f", &text, &library::text).unwrap_or_else(|error| panic!("{error}"))
}

/// The legal moves from a square in long algebraic form, sorted.
fn moves(position: &AnyPosition, from: &str) -> Vec<String> {
    let all = position.legal_moves().into_iter().map(|legal| uci::write(position.variant(), legal));
    let mut moves: Vec<String> = all.filter(|text| text.starts_with(from)).collect();
    moves.sort();
    moves
}

#[test]
fn castling_onto_a_neighboring_square_is_king_takes_rook() {
    let short = ("king = \"e1-g1\"\nrook = \"h1-f1\"", "king = \"e1-f1\"\nrook = \"h1-e1\"");
    let game = changed("chess", &[short]);
    let position = AnyPosition::from_fen(&game, "4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    assert_eq!(moves(&position, "e1"), ["e1d1", "e1d2", "e1e2", "e1f1", "e1f2", "e1h1"]);
    let after = |text: &str| position.play(uci::parse(&position, text).unwrap()).unwrap().fen();
    assert_eq!(after("e1f1"), "4k3/8/8/8/8/8/8/5K1R b - - 1 1");
    assert_eq!(after("e1h1"), "4k3/8/8/8/8/8/8/4RK2 b - - 1 1");
    let castled = uci::parse(&position, "e1h1").unwrap();
    assert_eq!(san::write(&position, castled), "O-O+");
    assert_eq!(san::parse(&position, "e1h1"), Ok(castled));
    // Where there is no doubt the King's move is written, as before.
    let orthodox = AnyPosition::from_fen(&library::game("chess").unwrap(), "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(moves(&orthodox.unwrap(), "e1g"), ["e1g1"]);
}

#[test]
fn castlings_that_are_written_alike_are_refused() {
    let text = library::text("chess").unwrap();
    let twice = text.replacen("king = \"e1-c1\"\nrook = \"a1-d1\"", "king = \"e1-g1\"\nrook = \"h1-f1\"", 1);
    let error = Variant::parse("f", &twice, &library::text).unwrap_err().to_string();
    assert!(error.contains("expected castlings that are written differently, found `e1h1` twice"), "{error}");
}

#[test]
fn a_promotion_may_be_declined_by_a_move_without_a_letter() {
    let game = changed("chess", &[("to = \"QRBN\"", "to = \"QP\"")]);
    let position = AnyPosition::from_fen(&game, "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(moves(&position, "b7"), ["b7b8", "b7b8q"]);
    let declined = uci::parse(&position, "b7b8").unwrap();
    assert_eq!((san::write(&position, declined), san::parse(&position, "b8")), ("b8".into(), Ok(declined)));
    assert_eq!(san::parse(&position, "b8=Q"), uci::parse(&position, "b7b8q").map_err(|_| unreachable!()));
    let after = position.play(declined).unwrap();
    assert_eq!(AnyPosition::from_fen(&game, &after.fen()).map(|read| read.fen()), Ok(after.fen()));
}

#[test]
fn promotions_and_goals_may_be_for_one_side_alone() {
    let text = "to = \"QN\"\ncolor = \"white\"\n\n[[promotion]]\npieces = \"P\"\non = \"rank-7 rank-8\"\nto = \"R\"\n\
                color = \"black\"\n\n[[goal]]\npieces = \"K\"\non = \"rank-5\"\ncolor = \"black\"";
    let game = changed("chess", &[("to = \"QRBN\"", text)]);
    let position = AnyPosition::from_fen(&game, "4k3/1P6/P7/8/8/4p3/8/K7 w - - 0 1").unwrap();
    assert_eq!(moves(&position, "b7"), ["b7b8n", "b7b8q"]);
    assert_eq!(moves(&position, "a6"), ["a6a7"]);
    let black = AnyPosition::from_fen(&game, "8/4k3/P7/8/8/4p3/8/K7 b - - 0 1").unwrap();
    assert_eq!(moves(&black, "e3"), ["e3e2r"]);
    let won = |fen: &str, text: &str| {
        let position = AnyPosition::from_fen(&game, fen).unwrap();
        position.play(uci::parse(&position, text).unwrap()).unwrap().status()
    };
    assert_eq!(won("8/8/8/4k3/8/P7/K7/8 b - - 0 1", "e5e4"), Status::Goal);
    assert_eq!(won("k7/p7/8/8/4K3/8/8/8 w - - 0 1", "e4e5"), Status::Ongoing);
}

#[test]
fn where_only_declining_is_possible_no_promotion_is_generated() {
    /// Counts moves, and expects promotions to have choices.
    struct Moves(u32);

    impl<const N: usize> Sink<N> for Moves {
        fn targets(&mut self, _: Square, targets: SquareSet<N>) {
            self.0 += targets.len();
        }

        fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
            assert!(!choices.is_empty(), "from {from:?} to {to:?}");
            self.0 += choices.len();
        }

        fn special(&mut self, _: Move) {
            self.0 += 1;
        }
    }

    impl WidthVisitor for Moves {
        type Output = u32;

        fn visit<const N: usize>(mut self, position: &Position<N>, rules: &Rules<N>) -> u32 {
            position.generate(rules, &mut self);
            self.0
        }
    }

    let game = changed("chess", &[("to = \"QRBN\"", "to = \"P\"")]);
    let position = AnyPosition::from_fen(&game, "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(moves(&position, "b7"), ["b7b8"]);
    assert_eq!(position.visit(Moves(0)), 6);
}

/// Chess in which pawns go diagonally and capture straight ahead, with double steps to both sides.
fn berolina() -> Arc<Variant> {
    changed("chess", &[("mfWcfFimfnD", "mfFcfWimfnA")])
}

#[test]
fn a_piece_may_have_double_steps_to_both_sides() {
    let game = berolina();
    let position = AnyPosition::start(&game);
    assert_eq!(moves(&position, "d2"), ["d2b4", "d2c3", "d2e3", "d2f4"]);
    // The pawn that has crossed e3 is captured where it stands.
    let game = play_from(&game, "4k3/8/8/8/4p3/8/3P1P2/4K3 w - - 0 1", "d2f4");
    assert_eq!(game.position().fen(), "4k3/8/8/8/4pP2/8/5P2/4K3 b - e3 0 1");
    let after = play_from(game.variant(), &game.position().fen(), "e4e3");
    assert_eq!(after.position().fen(), "4k3/8/8/8/8/4p3/5P2/4K3 w - - 0 2");
}

#[test]
fn fen_has_which_of_two_pieces_crossed_the_en_passant_square() {
    let game = play_from(&berolina(), "4k3/8/8/8/3Pp3/8/3P4/4K3 w - - 0 1", "d2f4");
    // Both pawns may have crossed e3: from d2 to f4, or from f2 to d4.
    assert_eq!(game.position().fen(), "4k3/8/8/8/3PpP2/8/8/4K3 b - e3f4 0 1");
    let read = |field: &str| {
        AnyPosition::from_fen(game.variant(), &format!("4k3/8/8/8/3PpP2/8/8/4K3 b - {field} 0 1"))
    };
    let capture = |field: &str| {
        let position = read(field).unwrap();
        position.assert_consistent();
        position.play(uci::parse(&position, "e4e3").unwrap()).unwrap().fen()
    };
    assert_eq!(capture("e3f4"), "4k3/8/8/8/3P4/4p3/8/4K3 w - - 0 2");
    assert_eq!(capture("e3d4"), "4k3/8/8/8/5P2/4p3/8/4K3 w - - 0 2");
    assert_ne!(read("e3f4").unwrap().key(), read("e3d4").unwrap().key());
    let error = read("e3").unwrap_err().to_string();
    assert!(error.contains("`e3f4` or `e3d4`"), "{error}");
    assert!(read("e3c4").is_err());
}

#[test]
fn en_passant_needs_first_moves_without_capture() {
    let text = library::text("chess").unwrap().replacen("imfnD", "inD", 1);
    let error = Variant::parse("f", &text, &library::text).unwrap_err().to_string();
    assert!(error.contains("expected first moves of two squares without capture"), "{error}");
}

#[test]
fn en_passant_is_only_where_there_is_a_double_step() {
    let game = changed("chess", &[("mfWcfFimfnD", "mfWcfF")]);
    assert!(game.en_passant_roles().is_empty());
    assert!(!berolina().en_passant_roles().is_empty());
}

/// The manual and `lozenge variants show` state that only the end of a leap counts.
#[test]
fn lame_leaps_cross_walls() {
    let knight = ("moves = \"N\"", "moves = \"nN\"\nwall = \"rank-3\"");
    let position =
        AnyPosition::from_fen(&changed("chess", &[knight]), "4k3/8/8/8/8/8/3N4/4K3 w - - 0 1").unwrap();
    assert_eq!(moves(&position, "d2"), ["d2b1", "d2c4", "d2e4", "d2f1"]);
}
