//! Diamond Chess: pawns that turn aside, the Lake, promotion.

use super::{moves_from, walker};

#[test]
fn a_pawn_turns_aside_where_the_square_ahead_does_not_exist() {
    let position =
        walker("diamond", "****k****/***3***/**4P**/*P6*/P3*3P/*3P3*/**5**/***3***/****K**** w - - 0 1");
    assert_eq!(
        position.legal_moves(),
        ["a5b5", "b6c6", "e1d2", "e1e2", "e1f2", "e4d4", "e4f4", "g7f7", "i5h5"]
    );
}

#[test]
fn black_pawns_also_turn_aside() {
    let position =
        walker("diamond", "****k****/***3***/**5**/*3p3*/p3*3p/*p5p*/**p1p1p**/***3***/****K**** b - - 0 1");
    assert_eq!(moves_from(&position, "e6"), ["d6", "f6"]);
    assert_eq!(moves_from(&position, "a5"), ["b5"]);
    assert_eq!(moves_from(&position, "i5"), ["h5"]);
    assert_eq!(moves_from(&position, "b4"), ["c4"]);
    assert_eq!(moves_from(&position, "h4"), ["g4"]);
    assert_eq!(moves_from(&position, "c3"), ["d3"]);
    assert_eq!(moves_from(&position, "g3"), ["f3"]);
    assert_eq!(moves_from(&position, "e3"), ["e2a", "e2n", "e2r", "e2v"]);
}

#[test]
fn a_piece_ahead_does_not_let_a_pawn_turn_aside() {
    let position =
        walker("diamond", "****k****/***3***/**5**/*7*/4*4/*3n3*/**2P2**/***3***/****K**** w - - 0 1");
    assert_eq!(moves_from(&position, "e3"), Vec::<String>::new());
}

#[test]
fn a_pawn_at_the_lake_may_also_capture_diagonally_but_not_sideways() {
    let position =
        walker("diamond", "****k****/***3***/**5**/*7*/3r*3n/*2nP3*/**5**/***3***/****K**** w - - 0 1");
    assert_eq!(moves_from(&position, "e4"), ["d5", "f4"]);
}

#[test]
fn the_lake_stops_sliders_and_leapers_pass_over_it() {
    let position =
        walker("diamond", "****k****/***3***/**5**/*7*/R3*4/*4N2*/**A1V2**/***3***/****K**** w - - 0 1");
    assert_eq!(moves_from(&position, "a5"), ["b5", "c5", "d5"]);
    assert!(moves_from(&position, "f4").contains(&"d5".to_string()));
    assert!(moves_from(&position, "f4").contains(&"e6".to_string()));
    // The vizier's file ends at the Lake; the archbishop's diagonal too.
    let vizier = moves_from(&position, "e3");
    assert_eq!(vizier, ["d2", "d3", "d4", "e2", "e4", "f2", "f3", "g3"]);
    assert_eq!(moves_from(&position, "c3"), ["b4", "c4", "d2", "d3", "d4"]);
}

#[test]
fn promotion_on_the_squares_of_the_enemy_s_first_pieces() {
    let position =
        walker("diamond", "****1****/***r1r***/**PPPPP**/*7*/k3*4/*7*/**5**/***3***/****K**** w - - 0 1");
    assert_eq!(moves_from(&position, "c7"), ["d8a", "d8n", "d8r", "d8v"]);
    assert_eq!(moves_from(&position, "d7"), Vec::<String>::new());
    assert_eq!(moves_from(&position, "e7").len(), 12);
    let onto_e7 =
        walker("diamond", "****1****/***3***/**5**/*3P3*/k3*4/*7*/**5**/***3***/****K**** w - - 0 1");
    assert_eq!(moves_from(&onto_e7, "e6"), ["e7a", "e7n", "e7r", "e7v"]);
}

#[test]
fn bare_kings_are_dead_and_still_move() {
    let position = walker("diamond", "****k****/***3***/**5**/*7*/4*4/*7*/**5**/***3***/****K**** w - - 0 1");
    assert_eq!(position.status(), "dead");
    assert_eq!(position.legal_moves(), ["e1d2", "e1e2", "e1f2"]);
}
