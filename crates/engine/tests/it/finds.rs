//! Positions that the engine must solve: mates, goals, hanging pieces, draws.

use crate::common::*;
use lozenge_engine::{Engine, Limits, Score, Signals};
use lozenge_rules::library;
use lozenge_rules::position::{Outcome, Status};

#[test]
fn mate_in_one() {
    for (id, fen) in [
        ("diagonal", "3k4/R7/8/8/8/8/8/KR6 w - - 0 1"),
        ("diamondback", "3k4/R7/8/8/8/8/8/KR6 w - - 0 1"),
        ("diamond", "****k****/***3***/**1VK2**/*7*/4*4/*7*/**5**/***3***/****1**** w - - 0 1"),
        ("doublediamond", "**7/**7/9/9/9/3m5/1k7/7**/1K5** b - - 0 1"),
        ("diamondring", "12/12/12/4kNP5/4P7/3R3R4/12/12/1K10/12/5R6/12 w - - 0 1"),
        ("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("gardner", "k4/2Q2/1K3/5/5 w - - 0 1"),
    ] {
        let game = game(id, fen);
        let report = search(&game, &depth(4));
        let after = game.position().play(report.best.unwrap()).unwrap();
        assert_eq!((report.score, after.status()), (Score::Wins(1), Status::Checkmate), "{id} {fen}");
    }
}

#[test]
fn mate_in_two() {
    for (id, fen) in [
        ("diagonal", "2k5/8/6R1/8/8/8/8/K6R w - - 0 1"),
        ("diamondback", "2k5/8/6R1/8/8/8/8/K6R w - - 0 1"),
        ("diamond", "****1****/***2k***/**PP1p1**/*4Np1*/4*1P2/*7*/**5**/***1K1***/****1**** w - - 0 1"),
        ("diamondring", "12/12/12/4PNP5/4PkP5/3R3R4/12/12/1K10/12/8R3/12 w - - 0 1"),
        ("doublediamond", "**7/**7/9/9/9/3m5/1k7/7**/2K4** b - - 0 1"),
        ("chess", "2k5/8/6R1/8/8/8/8/K6R w - - 0 1"),
    ] {
        let game = game(id, fen);
        assert!(wins_within(game.position(), 2) && !wins_within(game.position(), 1), "{id} {fen}");
        let report = search(&game, &depth(7));
        assert_eq!(report.score, Score::Wins(2), "{id} {fen}");
        let mut played = game.clone();
        played.play(report.best.unwrap()).unwrap();
        assert_eq!(search(&played, &depth(7)).score, Score::Loses(1), "{id} {fen}");
    }
}

#[test]
fn goal_in_one() {
    for (id, fen, expected) in [
        ("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1", "g7h8"),
        ("diagonal", "8/8/8/4K3/8/2k5/1p6/8 b - - 0 1", "b2a1"),
        ("diamondback", "8/6K1/8/8/2k5/8/8/8 w - - 0 1", "g7h8"),
        ("diamondback", "8/7K/8/8/8/2k5/8/8 w - - 0 1", "h7h8"),
        ("diamondback", "8/8/8/8/8/8/1k6/6K1 b - - 0 1", "b2a1"),
    ] {
        let game = game(id, fen);
        let report = search(&game, &depth(4));
        assert_eq!((best(&game, &report).as_str(), report.score), (expected, Score::Wins(1)), "{id} {fen}");
    }
}

#[test]
fn a_threatened_goal_is_stopped() {
    // Only the rook can stop the pawn: by taking it or by standing on its goal.
    for fen in ["8/6P1/8/1K6/3k4/8/8/6r1 b - - 0 1", "r7/6P1/8/8/3k4/8/8/7K b - - 0 1"] {
        let game = game("diagonal", fen);
        for limits in [depth(1), depth(2), depth(6)] {
            let report = search(&game, &limits);
            assert!(!matches!(report.score, Score::Loses(_)), "{fen}");
            let after = game.position().play(report.best.unwrap()).unwrap();
            assert!(!wins_within(&after, 1), "{fen}: {}", best(&game, &report));
        }
    }
}

#[test]
fn captures_hanging_pieces() {
    for (id, fen, expected) in [
        ("diagonal", "3q3k/8/8/8/8/8/8/K2R4 w - - 0 1", "d1d8"),
        ("diamondback", "k7/8/8/8/3q4/8/8/K2R4 w - - 0 1", "d1d4"),
        ("diamond", "****k****/***3***/**a4**/*7*/4*4/*7*/**R4**/***3***/****K**** w - - 0 1", "c3c7"),
        ("doublediamond", "**6k/**7/9/9/m8/9/9/7**/R1K4** w - - 0 1", "a1a5"),
        // Two rooks, since one alone cannot mate on the torus.
        ("diamondring", "11R/12/12/12/12/8r3/12/8R3/12/1K10/12/5k6 w - - 0 1", "i5i7"),
    ] {
        let game = game(id, fen);
        for limits in [depth(1), depth(5)] {
            assert_eq!(best(&game, &search(&game, &limits)), expected, "{id} {fen}");
        }
    }
}

#[test]
fn saves_itself_by_perpetual_check() {
    let game = game("chess", "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1");
    let report = search(&game, &depth(8));
    assert_eq!((best(&game, &report).as_str(), report.score), ("h5e8", Score::Centipawns(0)));
}

#[test]
fn sees_repetition_with_the_game_and_avoids_it_when_winning() {
    // The same position for the second time; one more repetition allows a draw.
    let fen = "7k/8/8/8/8/8/Q7/K7 w - - 0 1";
    let mut game = game_after("chess", fen, "a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2 g8h8 a2b2");
    game.undo();
    assert_eq!(game.occurrences(), 3);
    for limits in [depth(1), depth(4), nodes(3_000)] {
        let report = search(&game, &limits);
        let mut next = game.clone();
        next.play(report.best.unwrap()).unwrap();
        assert_eq!(next.claimable_draw(), None, "{}", best(&game, &report));
    }
}

#[test]
fn returning_pawn_move_counts_as_repetition() {
    // The Guard pawns of Diamondback go to and fro along their diagonal; a pawn move restarts the
    // count of moves but not of repetitions.
    let fen = "7k/8/8/8/P7/8/8/K7 w - - 0 1";
    let game = game_after("diamondback", fen, "a4b3 h8g8 b3a4 g8h8 a4b3 h8g8 b3a4 g8h8");
    assert_eq!(game.occurrences(), 3);
    assert!(search(&game, &depth(6)).best.is_some());
}

#[test]
fn stalemate_is_scored_by_the_rules_of_the_game() {
    let game = game("chess", "k7/8/1Q6/8/8/8/8/K7 b - - 0 1");
    let report = search(&game, &depth(3));
    assert_eq!((report.best, report.score), (None, Score::Centipawns(0)));
    // White must not stalemate.
    let game = crate::common::game("chess", "k7/2Q5/8/8/8/8/8/K7 w - - 0 1");
    let report = search(&game, &depth(5));
    let after = game.position().play(report.best.unwrap()).unwrap();
    assert_ne!(after.status(), Status::Stalemate);
}

#[test]
fn a_position_without_legal_moves_gives_no_move() {
    for (id, fen, score) in [
        ("chess", "k7/2Q5/8/8/8/8/8/K7 b - - 0 1", Score::Centipawns(0)),
        ("diagonal", "7P/8/8/8/3k4/8/8/K7 b - - 0 1", Score::Loses(0)),
        ("chess", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", Score::Loses(0)),
    ] {
        let game = game(id, fen);
        assert!(game.outcome().is_some(), "{fen}");
        for limits in [depth(3), nodes(10)] {
            let report = search(&game, &limits);
            assert_eq!((report.best, report.ponder, report.score), (None, None, score), "{fen}");
        }
    }
}

#[test]
fn a_drawn_game_is_searched_on() {
    let dead = game("diagonal", "3k4/8/8/8/8/8/8/K7 w - - 0 1");
    let counted = game("chess", "7k/8/8/8/8/8/Q7/K7 w - - 150 120");
    let again = "a2b2 h8g8 b2a2 g8h8 ".repeat(4);
    let repeated = game_after("chess", "7k/8/8/8/8/8/Q7/K7 w - - 0 1", &again);
    for (game, wins) in [(dead, false), (counted, true), (repeated, true)] {
        assert!(matches!(game.outcome(), Some(Outcome::Draw(_))), "{}", game.position().fen());
        for limits in [depth(8), nodes(2_000)] {
            let report = search(&game, &limits);
            assert!(game.position().is_legal(report.best.unwrap()));
            // The draw is over: the search goes on for a win beyond it.
            assert_eq!(report.score != Score::Centipawns(0), wins, "{}", game.position().fen());
        }
    }
}

#[test]
fn every_reported_line_is_legal() {
    for variant in library::ids().map(|id| library::game(id).unwrap()) {
        let game = lozenge_rules::position::Game::new(&variant);
        let limits = Limits { multipv: 3, ..depth(5) };
        let mut lines = 0;
        Engine::new(1).search(&game, &limits, &Signals::default(), &mut |info| {
            lines += 1;
            let mut game = game.clone();
            for &played in &info.pv {
                game.play(played).unwrap();
            }
            if let Score::Wins(_) = info.score {
                assert!(matches!(game.outcome(), Some(Outcome::Win { .. })));
            }
        });
        assert!(lines >= 15, "{}", variant.id());
    }
}
