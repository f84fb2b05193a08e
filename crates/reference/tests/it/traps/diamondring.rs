//! Diamond Ring Chess: lines that return to their start, and pawns whose forward depends on distance.

use super::{after, moves_from, walker};

/// A board of twelve ranks, all empty but those given from the top, by rank number.
pub(crate) fn ring(ranks: &[(usize, &str)], side: &str) -> String {
    let mut rows = ["12"; 12];
    for (rank, row) in ranks {
        rows[12 - rank] = row;
    }
    format!("{} {side} - - 0 1", rows.join("/"))
}

#[test]
fn a_rook_reaches_every_other_square_of_its_lines_once() {
    let position = walker("diamondring", &ring(&[(9, "8k3"), (6, "3R8"), (1, "K11")], "w"));
    assert_eq!(moves_from(&position, "d6").len(), 22);
    let bishop = walker("diamondring", &ring(&[(9, "7k4"), (6, "3B8"), (1, "K11")], "w"));
    assert_eq!(moves_from(&bishop, "d6").len(), 21, "its two diagonals cross again at j12");
}

#[test]
fn a_rook_checks_both_ways_round() {
    // The bishop on b5 shields one side only.
    let position = walker("diamondring", &ring(&[(5, "Rb2k7"), (1, "6K5")], "b"));
    assert_eq!(position.checkers(), ["a5"]);
    assert!(position.play("b5c4").is_none());
    assert!(position.play("e5e6").is_some());
    assert!(position.play("e5f5").is_none());
    assert!(position.play("e5d5").is_none());
    // With a piece on either side there is no check, and both pieces are pinned.
    let shielded = walker("diamondring", &ring(&[(5, "Rb2k1n5"), (1, "6K5")], "b"));
    assert!(!shielded.in_check());
    assert!(moves_from(&shielded, "b5").is_empty());
    assert!(moves_from(&shielded, "g5").is_empty());
}

#[test]
fn lines_go_around_the_corner() {
    let position = walker("diamondring", &ring(&[(12, "11B"), (3, "2k9"), (7, "6K5")], "b"));
    assert_eq!(position.checkers(), ["l12"]);
    let position = walker("diamondring", &ring(&[(12, "11N"), (2, "k11"), (7, "6K5")], "b"));
    assert_eq!(position.checkers(), ["l12"]);
}

#[test]
fn a_pawn_has_two_moves_and_one_capture() {
    let free = walker("diamondring", &ring(&[(9, "8k3"), (4, "3P8"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&free, "d4"), ["c4", "d5"]);
    let among_enemies = [(9, "8k3"), (5, "2nnn7"), (4, "2nPn7"), (3, "2nnn7"), (1, "6K5")];
    let position = walker("diamondring", &ring(&among_enemies, "w"));
    assert_eq!(moves_from(&position, "d4"), ["c5"]);
}

#[test]
fn a_pawn_on_the_enemy_s_centre_lines_has_one_move_and_one_capture() {
    let free = walker("diamondring", &ring(&[(9, "8k3"), (3, "P11"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&free, "a3"), ["a4"]);
    let among_enemies = [(9, "8k3"), (4, "nn9n"), (3, "Pn9n"), (2, "nn9n"), (1, "6K5")];
    let position = walker("diamondring", &ring(&among_enemies, "w"));
    assert_eq!(moves_from(&position, "a3"), ["l4"]);
    let along_rank_6 = [(9, "8k3"), (7, "1nnn8"), (6, "1nPn8"), (5, "1nnn8"), (1, "6K5")];
    assert_eq!(moves_from(&walker("diamondring", &ring(&along_rank_6, "w")), "c6"), ["b7"]);
    let black = [(12, "1NNN8"), (11, "1NpN8"), (10, "1NNN8"), (7, "k11"), (6, "9K2")];
    assert_eq!(moves_from(&walker("diamondring", &ring(&black, "b")), "c11"), ["d12"]);
}

#[test]
fn a_pawn_on_its_own_centre_lines_has_one_capture_outward() {
    let position = walker("diamondring", &ring(&[(9, "10k1"), (5, "4nnn5"), (4, "4nPn5"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&position, "f4"), ["e5"]);
}

#[test]
fn pawn_promotes_to_any_piece_but_a_king_on_the_enemy_centre() {
    let position = walker("diamondring", &ring(&[(9, "8k3"), (6, "1P10"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&position, "b6"), ["a6b", "a6d", "a6e", "a6f", "a6n", "a6r", "a6w"]);
    let by_capture = walker("diamondring", &ring(&[(9, "8k3"), (6, "11n"), (5, "P11"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&by_capture, "a5").len(), 14);
    let black = walker("diamondring", &ring(&[(12, "7p4"), (9, "8k3"), (5, "6K5")], "b"));
    assert_eq!(moves_from(&black, "h12").len(), 7);
    assert_eq!(
        after(&black, &["h12g12w"]).fen(),
        ring(&[(12, "6w5"), (9, "8k3"), (5, "6K5")], "w").replace("0 1", "0 2")
    );
}
