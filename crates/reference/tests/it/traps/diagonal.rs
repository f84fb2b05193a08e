//! Diagonal Chess: camels, choices of promotion by square, the goal.

use super::{moves_from, walker};

#[test]
fn pawn_and_knight_move_as_in_the_figure() {
    let figure = walker("diagonal", "7k/5N2/8/8/8/8/3P4/K7 w - - 0 1");
    assert_eq!(moves_from(&figure, "f7"), ["c6", "c8", "e4", "g4"]);
    assert_eq!(moves_from(&figure, "d2"), ["e3"]);
    let with_targets = walker("diagonal", "7k/8/8/8/8/3nn3/3Pn3/K7 w - - 0 1");
    assert_eq!(moves_from(&with_targets, "d2"), ["d3", "e2"]);
}

#[test]
fn promotion_is_obligatory_and_the_choice_depends_on_the_square() {
    let top = walker("diagonal", "nnnnnnn1/PPPPPPP1/8/8/8/8/8/K6k w - - 0 1");
    assert_eq!(moves_from(&top, "a7"), ["a8b", "a8n", "a8q", "a8r"]);
    assert_eq!(moves_from(&top, "b7"), ["b8b", "b8n", "b8r"]);
    assert_eq!(moves_from(&top, "c7"), ["c8b", "c8n"]);
    assert_eq!(moves_from(&top, "d7"), ["d8n"]);
    assert_eq!(moves_from(&top, "e7"), ["e8b", "e8n"]);
    assert_eq!(moves_from(&top, "f7"), ["f8b", "f8n", "f8r"]);
    assert_eq!(moves_from(&top, "g7"), ["g8b", "g8n", "g8q", "g8r", "h8"]);

    let right = walker("diagonal", "k7/6Pn/6Pn/6Pn/6Pn/6Pn/6Pn/K5Pn w - - 0 1");
    assert_eq!(moves_from(&right, "g7"), ["h7b", "h7n", "h7q", "h7r", "h8"]);
    assert_eq!(moves_from(&right, "g6"), ["h6b", "h6n", "h6r"]);
    assert_eq!(moves_from(&right, "g5"), ["h5b", "h5n"]);
    assert_eq!(moves_from(&right, "g4"), ["h4n"]);
    assert_eq!(moves_from(&right, "g3"), ["h3b", "h3n"]);
    assert_eq!(moves_from(&right, "g2"), ["h2b", "h2n", "h2r"]);
    assert_eq!(moves_from(&right, "g1"), ["h1b", "h1n", "h1q", "h1r"]);
}

#[test]
fn black_promotes_on_the_rotated_squares() {
    let black = walker("diagonal", "K7/8/8/8/8/8/1pp2pp1/7k b - - 0 1");
    assert_eq!(moves_from(&black, "b2"), ["a1"]);
    assert_eq!(moves_from(&black, "c2"), ["b1b", "b1n", "b1q", "b1r"]);
    assert_eq!(moves_from(&black, "f2"), ["e1n"]);
    assert_eq!(moves_from(&black, "g2"), ["f1b", "f1n"]);
}

#[test]
fn a_pawn_in_the_corner_wins_at_once() {
    let white = walker("diagonal", "8/6P1/8/8/8/8/7k/K7 w - - 0 1");
    let won = white.play("g7h8").expect("the pawn may go to its goal");
    assert_eq!(won.status(), "goal");
    assert!(won.legal_moves().is_empty());
    assert_eq!(won.perft(1), 0);
    assert_eq!(won.fen(), "7P/8/8/8/8/8/7k/K7 b - - 0 1");

    let black = walker("diagonal", "7k/8/8/8/8/8/1p6/3K4 b - - 0 1");
    assert_eq!(black.play("b2a1").expect("the pawn may go to its goal").status(), "goal");
}

#[test]
fn move_to_the_goal_must_be_legal() {
    let in_check = walker("diagonal", "8/6P1/8/r7/8/8/7k/K7 w - - 0 1");
    assert_eq!(in_check.status(), "check");
    assert!(in_check.play("g7h8").is_none());
    assert_eq!(in_check.checkers(), ["a5"]);
}
