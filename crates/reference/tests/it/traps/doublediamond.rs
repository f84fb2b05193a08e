//! Double Diamond: en passant, the initial move taken literally, castling along two edges.

use super::{after, moves_from, walker};

#[test]
fn en_passant_as_in_the_figure() {
    let before = walker("doublediamond", "**6k/**4p2/9/3b1P3/3P5/9/9/7**/K6** b - - 0 1");
    let position = after(&before, &["g8e6"]);
    assert_eq!(position.fen(), "**6k/**7/9/3bpP3/3P5/9/9/7**/K6** w - f7 0 2");
    assert_eq!(moves_from(&position, "f6"), ["f7", "g7"]);
    assert_eq!(moves_from(&position, "d5"), ["d6"], "its way is blocked, but it may take the bishop");
    assert_eq!(after(&position, &["f6f7"]).fen(), "**6k/**7/5P3/3b5/3P5/9/9/7**/K6** b - - 0 2");
    let too_late = after(&position, &["a1b1", "i9i8"]);
    assert_eq!(moves_from(&too_late, "f6"), ["g7"]);
}

#[test]
fn en_passant_may_not_uncover_the_king() {
    // Both pawns leave the sixth rank at once, and the rook on i6 then attacks the king on a6.
    let before = walker("doublediamond", "**6k/**4p2/9/K4P2r/9/9/9/7**/7** b - - 0 1");
    let position = after(&before, &["g8e6"]);
    assert!(position.play("f6f7").is_none());
}

#[test]
fn a_double_step_needs_both_squares_empty() {
    let position = walker("doublediamond", "**6k/**7/9/9/2n6/4n4/9/1PPP3**/K6** w - - 0 1");
    assert_eq!(moves_from(&position, "b2"), ["c3", "d4"]);
    assert_eq!(moves_from(&position, "c2"), ["d3"], "e4 is occupied");
    assert_eq!(moves_from(&position, "d2"), ["e3", "f4"]);
}

#[test]
fn a_pawn_that_captured_onto_a_starting_square_has_no_double_step() {
    let before = walker("doublediamond", "**6k/**7/9/9/9/9/1n7/1PP4**/K6** w - - 0 1");
    let position = after(&before, &["b2b3", "i9i8"]);
    assert_eq!(position.fen(), "**7/**6k/9/9/9/9/1P7/2P4**/K6** w - - 1 2 b3");
    assert_eq!(moves_from(&position, "b3"), ["c4"]);
    assert_eq!(moves_from(&position, "c2"), ["d3", "e4"]);
    let forgotten = walker("doublediamond", "**7/**6k/9/9/9/9/1P7/2P4**/K6** w - - 1 2");
    assert_eq!(moves_from(&forgotten, "b3"), ["c4", "d5"]);
    let read_back = walker("doublediamond", &position.fen());
    assert_eq!(read_back.fen(), position.fen());
    assert_eq!(moves_from(&read_back, "b3"), ["c4"]);
    let gone = after(&position, &["b3c4"]);
    assert_eq!(gone.fen(), "**7/**6k/9/9/9/2P6/9/2P4**/K6** b - - 0 2");
}

#[test]
fn captured_pawn_loses_its_moved_mark() {
    let position = walker("doublediamond", "**6k/**7/9/9/2n6/9/1P7/7**/6K** b - - 0 1 b3");
    assert_eq!(after(&position, &["c5b3"]).fen(), "**6k/**7/9/9/9/9/1n7/7**/6K** w - - 0 2");
}

#[test]
fn both_castlings_of_both_sides() {
    let position = walker("doublediamond", "**2r3k/**7/9/9/R7r/9/9/7**/K3R2** w KQkq - 0 1");
    assert_eq!(moves_from(&position, "a1"), ["a2", "a3", "b1", "b2", "c1"]);
    let short = after(&position, &["a1c1"]);
    assert_eq!(short.fen(), "**2r3k/**7/9/9/R7r/9/9/7**/1RK4** b kq - 1 1");
    assert_eq!(moves_from(&short, "i9"), ["g9", "h8", "h9", "i7", "i8"]);
    let long = after(&position, &["a1a3", "i9g9"]);
    assert_eq!(long.fen(), "**4kr1/**7/9/9/8r/9/K8/R6**/4R2** w - - 2 2");
    let black_long = after(&position, &["a5a4", "i9i7"]);
    assert_eq!(black_long.fen(), "**2r4/**6r/8k/9/9/R8/9/7**/K3R2** w K - 2 2");
}

#[test]
fn castling_rights_are_lost_with_king_and_rook() {
    let position = walker("doublediamond", "**2r3k/**7/9/9/R7r/9/9/7**/K3R2** w KQkq - 0 1");
    assert_eq!(after(&position, &["e1e9"]).fen(), "**2R3k/**7/9/9/R7r/9/9/7**/K6** b Qq - 0 1");
    assert_eq!(after(&position, &["a1b1"]).fen(), "**2r3k/**7/9/9/R7r/9/9/7**/1K2R2** b kq - 1 1");
}

#[test]
fn castling_not_out_of_through_or_into_check() {
    let through = walker("doublediamond", "**6k/**7/1r7/9/R8/9/9/7**/K3R2** w KQ - 0 1");
    assert!(through.play("a1c1").is_none());
    assert!(through.play("a1a3").is_some());
    let into = walker("doublediamond", "**6k/**7/2r6/9/R8/9/9/7**/K3R2** w KQ - 0 1");
    assert!(into.play("a1c1").is_none());
    let out_of = walker("doublediamond", "**6k/**7/9/9/R3b4/9/9/7**/K3R2** w KQ - 0 1");
    assert_eq!(out_of.status(), "check");
    assert_eq!(moves_from(&out_of, "a1"), ["a2", "b1"]);
    let attacked_rook = walker("doublediamond", "**6k/**7/4r4/9/R8/9/9/7**/K3R2** w KQ - 0 1");
    assert!(attacked_rook.play("a1c1").is_some());
}

#[test]
fn a_bishop_s_side_step_neither_captures_nor_checks() {
    let position = walker("doublediamond", "**7/**7/9/4k4/4B4/9/4n4/7**/K6** b - - 0 1");
    assert!(!position.in_check());
    let white = walker("doublediamond", "**7/**7/9/9/3nB4/9/k8/7**/6K** w - - 0 1");
    let moves = moves_from(&white, "e5");
    assert!(!moves.contains(&"d5".to_string()));
    for side_step in ["e4", "e6", "f5"] {
        assert!(moves.contains(&side_step.to_string()), "{side_step}");
    }
}

#[test]
fn promotion_on_the_enemy_s_l() {
    let position = walker("doublediamond", "**7/**P6/k8/9/9/9/7P1/7**/K6** w - - 0 1");
    assert_eq!(moves_from(&position, "c8"), ["d9b", "d9m", "d9n", "d9q", "d9r"]);
    assert_eq!(moves_from(&position, "h3"), ["i4b", "i4m", "i4n", "i4q", "i4r"]);
}
