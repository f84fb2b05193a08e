//! Orthodox chess and the example games: what each does differently.

use super::{after, moves_from, walker};

#[test]
fn chess_castling_passant_and_mate() {
    let castling = walker("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    assert_eq!(moves_from(&castling, "e1"), ["c1", "d1", "d2", "e2", "f1", "f2", "g1"]);
    assert_eq!(after(&castling, &["e1g1", "e8c8"]).fen(), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
    let attacked_b1 = walker("chess", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    assert!(attacked_b1.play("e1c1").is_some(), "only the rook crosses b1");
    let passant = walker("chess", "4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1");
    let passant = after(&passant, &["d2d4"]);
    assert_eq!(passant.fen(), "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1");
    assert_eq!(after(&passant, &["e4d3"]).fen(), "4k3/8/8/8/8/3p4/8/4K3 w - - 0 2");
    let fool = after(
        &walker("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"),
        &["f2f3", "e7e5", "g2g4", "d8h4"],
    );
    assert_eq!((fool.status(), fool.checkers()), ("checkmate", vec!["h4".to_string()]));
    assert_eq!(walker("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").status(), "stalemate");
    assert_eq!(walker("chess", "7k/8/6K1/8/8/8/8/8 b - - 0 1").status(), "dead");
}

#[test]
fn the_target_is_written_after_every_double_step() {
    let position = walker("chess", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1");
    assert_eq!(after(&position, &["d2d4"]).fen(), "4k3/8/8/8/3P4/8/8/4K3 b - - 0 1");
}

#[test]
fn cylinder_lines_and_captures_cross_the_edge() {
    let rook = walker("cylinder", "8/4k3/8/8/R7/8/8/3K4 w - - 0 1");
    assert_eq!(moves_from(&rook, "a4").len(), 7 + 7);
    let pawn = walker("cylinder", "8/4k3/8/7n/P7/8/8/3K4 w - - 0 1");
    assert_eq!(moves_from(&pawn, "a4"), ["a5", "h5"]);
    let passant = after(&walker("cylinder", "8/4k2p/8/P7/8/8/8/3K4 b - - 0 1"), &["h7h5"]);
    assert_eq!(moves_from(&passant, "a5"), ["a6", "h6"]);
    assert_eq!(after(&passant, &["a5h6"]).fen(), "8/4k3/7P/8/8/8/8/3K4 b - - 0 2");
}

#[test]
fn cylinder_lines_are_open_from_the_start() {
    // The diagonal from d1 around the edge to e8: the queen pins the f-pawn as soon as the c-pawn has gone.
    let start = walker("cylinder", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
    let position = after(&start, &["c2c3"]);
    assert!(moves_from(&position, "f7").is_empty());
    let position = after(&start, &["g2g3"]);
    assert!(moves_from(&position, "d7").is_empty());
}

#[test]
fn capablanca_kings_castle_three_squares() {
    let position = walker("capablanca", "r4k3r/10/10/10/10/10/10/R4K3R w KQkq - 0 1");
    assert_eq!(after(&position, &["f1i1", "f8c8"]).fen(), "2kr5r/10/10/10/10/10/10/R6RK1 w - - 2 2");
    let through = walker("capablanca", "7r2/4k5/10/10/10/10/10/R4K3R w KQ - 0 1");
    assert!(through.play("f1i1").is_none(), "h1 is attacked");
    assert!(through.play("f1c1").is_some());
    let promotion = walker("capablanca", "10/4P5/10/10/10/k9/10/5K4 w - - 0 1");
    assert_eq!(moves_from(&promotion, "e7"), ["e8a", "e8b", "e8c", "e8n", "e8q", "e8r"]);
}

#[test]
fn small_boards_have_no_double_step() {
    let small = walker("losalamos", "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1");
    assert_eq!(moves_from(&small, "a2"), ["a3"]);
    let promotion = walker("losalamos", "6/1P3k/6/6/6/K5 w - - 0 1");
    assert_eq!(moves_from(&promotion, "b5"), ["b6n", "b6q", "b6r"]);
    let promotion = walker("gardner", "5/1P2k/5/5/K4 w - - 0 1");
    assert_eq!(moves_from(&promotion, "b4"), ["b5b", "b5n", "b5q", "b5r"]);
}

#[test]
fn legan_pawns_go_up_and_left() {
    let figure = walker("legan", "k7/8/8/8/5n2/4nP2/8/7K w - - 0 1");
    assert_eq!(moves_from(&figure, "f3"), ["e3", "e4", "f4"]);
    let promotion = walker("legan", "8/1P6/8/8/8/k7/8/7K w - - 0 1");
    assert_eq!(moves_from(&promotion, "b7"), ["a8b", "a8n", "a8q", "a8r"]);
    let black = walker("legan", "k7/8/8/8/6p1/8/8/K7 b - - 0 1");
    assert_eq!(moves_from(&black, "g4"), ["h3b", "h3n", "h3q", "h3r"]);
}
