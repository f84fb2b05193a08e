//! The Diamond Ring family where its rules have corners: the flat board's edges, promotion in a whole
//! camp, walls, screens, and pieces that come apart.

use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Color, Piece, Status};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

fn game(name: &str) -> Arc<Variant> {
    library::game(&format!("diamondring-{name}")).unwrap()
}

fn position(name: &str, placement: &str) -> AnyPosition {
    AnyPosition::from_fen(&game(name), placement)
        .unwrap_or_else(|error| panic!("{name}: {placement}: {error}"))
}

/// The legal moves from a square, in long algebraic form.
fn moves(position: &AnyPosition, from: &str) -> String {
    let variant = position.variant();
    let from = variant.shape().named(from).unwrap();
    let mut texts: Vec<String> = (position.legal_moves().iter())
        .filter(|legal| legal.from == from)
        .map(|&legal| uci::write(variant, legal))
        .collect();
    texts.sort();
    texts.join(" ")
}

#[test]
fn flat_has_the_distances_of_the_ring() {
    let ring = library::game("diamondring").unwrap();
    assert_eq!(game("flat").distances().unwrap(), ring.distances().unwrap());
    assert!(!game("flat").shape().wrap().files && !game("flat").shape().wrap().ranks);
}

#[test]
fn flat_pawns_capture_on_the_inner_side_of_the_edge() {
    let flat = game("flat");
    let pawn = flat.roles().role('P').unwrap();
    let captures = |color, from: &str| -> Vec<String> {
        let reach = flat.reach(Piece::new(color, pawn), flat.shape().named(from).unwrap());
        reach.capture.iter().map(|&square| flat.shape().name(square)).collect()
    };
    for (from, to) in [("a9", "b8"), ("a4", "b5"), ("a1", "b2"), ("a12", "b11"), ("l3", "k4"), ("g4", "h5")] {
        assert_eq!(captures(Color::White, from), [to], "{from}");
    }
    assert_eq!(captures(Color::Black, "c12"), ["d11"]);
    assert!(captures(Color::White, "f2").is_empty(), "inside the camp");
}

#[test]
fn mitregi_promotes_wherever_a_move_ends_in_the_camp() {
    // A Mitre set up inside the camp is promoted by its next move there, a Gold never.
    let inside = position("mitregi", "9k2/12/12/12/3P8/12/6K5/12/12/1L9M/12/12 w - - 0 1");
    assert!(moves(&inside, "l3").contains("l3a4b"), "{}", moves(&inside, "l3"));
    assert!(moves(&inside, "b3").contains("b3b4r"), "{}", moves(&inside, "b3"));
    // A Pawn is refused there, as everywhere.
    let error = AnyPosition::from_fen(&game("mitregi"), "9k2/12/12/12/12/12/6K5/12/12/11P/12/12 w - - 0 1");
    assert!(error.unwrap_err().to_string().contains("expected no P of White on l3"));
}

#[test]
fn mitregi_pieces_go_forward_inside_their_camp_too() {
    // A Wing in the camp, where the pawns' distance is 0: up to the middle rank and to the far file, where the
    // enemy camp begins.
    let wing = position("mitregi", "12/12/12/12/12/9k2/12/12/12/5L6/12/6K5 w - - 0 1");
    assert_eq!(moves(&wing, "f3"), "f3a3r f3b3 f3c3 f3d3 f3e3 f3f4 f3f5 f3f6");
}

#[test]
fn camp_is_a_wall_to_queens_but_not_to_rooks() {
    // The Queen on a1 faces the King in its camp along the file and does not check it.
    let fen = "12/12/12/12/12/12/k11/12/12/12/12/Q5K5 b - - 0 1";
    assert_eq!(position("wildeurasian", fen).checkers().len(), 0);
    // A rook does.
    let fen = "12/12/12/12/12/12/k11/12/12/12/12/R5K5 b - - 0 1";
    assert_eq!(position("wildeurasian", fen).checkers().len(), 1);
}

#[test]
fn cannon_gives_check_over_a_screen() {
    // Cannon d4, screen f4, King h4: the pawn f4 is the screen, and may leave the rank to end the check.
    let checked = position("wildeurasian", "6K5/12/12/12/12/12/12/12/3C1p1k4/12/12/12 b - - 0 1");
    assert_eq!(checked.status(), Status::Check);
    assert_eq!(checked.checkers().len(), 1);
}

#[test]
fn components_leave_without_capture() {
    // The Chatelaine (rook and ferz) on e4: as a whole, by her Rook, by her Ferz; f5 is taken only whole.
    let compound = position("fusion", "12/12/12/12/12/9k2/12/5n6/4C7/12/12/6K5 w - - 5 1");
    let list = moves(&compound, "e4");
    for (text, legal) in [
        ("e4f5", true),
        ("e4f5f", false),
        ("e4d5f", true),
        ("e4d5r", false),
        ("e4e5r", true),
        ("e4e5f", false),
    ] {
        assert_eq!(list.split(' ').any(|other| other == text), legal, "{text}: {list}");
    }
    // The Fearful's parts (ferz and elephant) never share a square; the Prince's do not either, but a
    // Waffle's and a Queen's moves are all different moves.
    let played = compound.play(uci::parse(&compound, "e4d5f").unwrap()).unwrap();
    assert_eq!(played.fen(), "12/12/12/12/12/9k2/12/3F1n6/4R7/12/12/6K5 b - - 6 1");
    played.assert_consistent();
    let fused = position("fusion", "12/12/12/12/12/9k2/12/3F1n6/4R7/12/12/6K5 w - - 6 1");
    assert_eq!(moves(&fused, "d5").split(' ').filter(|text| *text == "d5e4").count(), 1);
    let joined = fused.play(uci::parse(&fused, "d5e4").unwrap()).unwrap();
    assert_eq!(joined.fen(), "12/12/12/12/12/9k2/12/5n6/4C7/12/12/6K5 b - - 7 1");
    joined.assert_consistent();
}

#[test]
fn a_pinned_compound_may_leave_a_part_behind() {
    // The black rook pins the Chatelaine on g4 to the file: her Ferz may leave, since the Rook stays.
    // The other way round the torus the Knight stands between.
    let pinned = position("fusion", "12/6N5/12/12/6r5/k11/12/12/6C5/12/12/6K5 w - - 0 1");
    let list = moves(&pinned, "g4");
    assert!(list.contains("g4h5f") && list.contains("g4f3f"), "{list}");
    assert!(!list.split(' ').any(|text| text == "g4h5"), "{list}");
    assert!(list.contains("g4h4r"), "{list}");
    // In check she interposes, and so may either part alone.
    let checked = position("fusion", "12/6N5/12/12/6r5/k11/12/12/5C6/12/12/6K5 w - - 0 1");
    let list = moves(&checked, "f4");
    assert_eq!(list, "f4g3 f4g3f f4g4 f4g4r f4g5 f4g5f");
}
