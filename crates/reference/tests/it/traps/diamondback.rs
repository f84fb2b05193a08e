//! Diamondback Chess: what a pawn can do where, both castlings, both goals.

use lozenge_reference::Variant;

use super::{after, moves_from, walker};

#[test]
fn a_normal_pawn_captures_sideways_and_ahead_but_not_along_the_diagonal() {
    let free = walker("diamondback", "7k/8/8/8/3P4/8/8/K7 w - - 0 1");
    assert_eq!(moves_from(&free, "d4"), ["d5", "e4", "e5"]);
    let surrounded = walker("diamondback", "7k/8/8/2nnn3/2nPn3/2nnn3/8/K7 w - - 0 1");
    assert_eq!(moves_from(&surrounded, "d4"), ["d5", "e4"]);
}

#[test]
fn a_guard_steps_and_captures_along_its_diagonal() {
    let free = walker("diamondback", "7k/8/8/8/8/8/2P5/K7 w - - 0 1");
    assert_eq!(moves_from(&free, "c2"), ["b3", "c3", "d1", "d2", "d3"]);
    let surrounded = walker("diamondback", "7k/8/8/8/8/1nnn4/1nPn4/1nnn3K w - - 0 1");
    assert_eq!(moves_from(&surrounded, "c2"), ["b3", "c3", "d1", "d2"]);
    let both = walker("diamondback", "7k/8/8/nn6/Pn6/nn6/8/6K1 w - - 0 1");
    assert_eq!(moves_from(&both, "a4"), ["a5", "b3", "b4", "b5"]);
}

#[test]
fn a_wing_also_captures_along_the_long_diagonal() {
    let left = walker("diamondback", "7k/nn6/Pn6/nn6/8/8/8/6K1 w - - 0 1");
    assert_eq!(moves_from(&left, "a6"), ["a7", "b6", "b7"]);
    let right = walker("diamondback", "6k1/8/8/8/8/8/3nnn2/K2nPn2 w - - 0 1");
    assert_eq!(moves_from(&right, "e1"), ["e2", "f1", "f2"]);
}

#[test]
fn a_flank_also_captures_edgeward() {
    let left = walker("diamondback", "7k/8/nnn5/nPn5/nnn5/8/8/6K1 w - - 0 1");
    assert_eq!(moves_from(&left, "b5"), ["a6", "b6", "c5"]);
    let right = walker("diamondback", "7k/8/8/8/8/3nnn2/3nPn2/K2nnn2 w - - 0 1");
    assert_eq!(moves_from(&right, "e2"), ["e3", "f1", "f2"]);
    let both = walker("diamondback", "7k/8/8/8/8/nnn5/nPn5/n1n4K w - - 0 1");
    assert_eq!(moves_from(&both, "b2"), ["a3", "b3", "c1", "c2"]);
    let empty = walker("diamondback", "7k/8/8/8/8/8/1P6/7K w - - 0 1");
    assert_eq!(moves_from(&empty, "b2"), ["b3", "c2", "c3"]);
}

#[test]
fn black_pawns_have_the_rotated_abilities() {
    let guard = walker("diamondback", "7k/5p2/8/8/8/8/8/K7 b - - 0 1");
    assert_eq!(moves_from(&guard, "f7"), ["e6", "e7", "e8", "f6", "g6"]);
    let flank = walker("diamondback", "7k/8/5NNN/5NpN/5NNN/8/8/K7 b - - 0 1");
    assert_eq!(moves_from(&flank, "g5"), Vec::<String>::new());
    let flank = walker("diamondback", "k7/8/5NNN/5NpN/5NNN/8/8/6K1 b - - 0 1");
    assert_eq!(moves_from(&flank, "g5"), ["f5", "g4", "h4"]);
}

#[test]
fn castling_out_of_check_and_across_attacked_squares() {
    let position = walker("diamondback", "1r5k/8/8/4b3/R7/8/8/K2R4 w - - 0 1");
    assert_eq!(position.status(), "check");
    assert_eq!(moves_from(&position, "a1"), ["a2", "a3", "a4", "c1", "d1"]);
    assert_eq!(after(&position, &["a1c1"]).fen(), "1r5k/8/8/4b3/R7/8/8/1RK5 b - - 1 1");
    assert_eq!(after(&position, &["a1a3"]).fen(), "1r5k/8/8/4b3/8/K7/R7/3R4 b - - 1 1");
    assert_eq!(after(&position, &["a1d1"]).fen(), "1r5k/8/8/4b3/R7/8/8/R2K4 b - - 1 1");
    assert_eq!(after(&position, &["a1a4"]).fen(), "1r5k/8/8/4b3/K7/8/8/R2R4 b - - 1 1");
}

#[test]
fn castling_may_not_end_in_check_and_needs_its_squares_empty() {
    let attacked = walker("diamondback", "2r4k/8/8/8/R7/8/8/K2R4 w - - 0 1");
    assert!(attacked.play("a1c1").is_none());
    assert!(attacked.play("a1d1").is_some());
    let blocked = walker("diamondback", "7k/8/8/8/R7/N7/8/K1NR4 w - - 0 1");
    assert_eq!(moves_from(&blocked, "a1"), ["a2", "b1", "b2"]);
}

#[test]
fn castling_does_not_depend_on_earlier_moves() {
    let position = walker("diamondback", "4r2k/8/8/7r/8/8/8/K2R4 w - - 0 1");
    let back_again = after(&position, &["d1d2", "h8g8", "d2d1", "g8h8", "a1b1"]);
    assert_eq!(moves_from(&back_again, "h8"), ["e8", "f8", "g7", "g8", "h5", "h6", "h7"]);
}

#[test]
fn the_king_wins_by_arriving_in_the_enemy_s_corner() {
    let bare = walker("diamondback", "8/6K1/8/8/8/k7/8/8 w - - 0 1");
    assert_eq!(bare.status(), "ongoing");
    let won = after(&bare, &["g7h8"]);
    assert_eq!(won.status(), "goal");
    assert!(won.legal_moves().is_empty());
    let black = walker("diamondback", "7K/8/8/8/8/8/1k6/8 b - - 0 1");
    assert_eq!(black.status(), "goal", "White's king has arrived");
    let guarded = walker("diamondback", "4r3/6K1/8/8/8/k7/8/8 w - - 0 1");
    assert!(guarded.play("g7h8").is_none());
}

#[test]
fn a_pawn_wins_in_the_corner_and_promotes_on_the_three_squares_each_side() {
    let position = walker("diamondback", "8/6P1/8/8/8/8/8/K1k5 w - - 0 1");
    assert_eq!(moves_from(&position, "g7"), ["g8b", "g8n", "g8q", "g8r", "h7b", "h7n", "h7q", "h7r", "h8"]);
    assert_eq!(after(&position, &["g7h8"]).status(), "goal");
    let far_edge = walker("diamondback", "3P4/2P5/7P/8/7P/8/8/K1k5 w - - 0 1");
    assert_eq!(moves_from(&far_edge, "c7"), ["c8", "d7"]);
    assert_eq!(moves_from(&far_edge, "d8"), ["e8b", "e8n", "e8q", "e8r"]);
    assert_eq!(moves_from(&far_edge, "h4"), ["h5b", "h5n", "h5q", "h5r"]);
}

#[test]
fn the_four_starts_swap_queen_and_light_squared_bishop() {
    let fens = Variant::by_id("diamondback").expect("a known game").start_fens();
    let squares = |fen: &str| {
        let rows: Vec<&str> = fen.split(['/', ' ']).collect();
        // h8 with its neighbors, then a1 with its neighbors: the pieces on g8, h7, g7, b1, a2, b2.
        let at = |row: usize, from_the_right: bool, place: usize| {
            let mut pieces = rows[row].chars();
            if from_the_right { pieces.nth_back(place) } else { pieces.nth(place) }.expect("a piece")
        };
        let black = [at(0, true, 1), at(1, true, 0), at(1, true, 1)];
        let white = [at(7, false, 1), at(6, false, 0), at(6, false, 1)];
        black.into_iter().chain(white).collect::<String>()
    };
    let pieces: Vec<String> = fens.iter().map(|fen| squares(fen)).collect();
    assert_eq!(pieces, ["qbbQBB", "qbbBQB", "bqbQBB", "bqbBQB"]);
}
