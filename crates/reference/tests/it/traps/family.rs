//! The Diamond Ring family: what each game changes.

use super::diamondring::ring;
use super::{after, moves_from, walker};

/// How many squares a piece on d6 reaches on a torus that is empty but for two kings out of its way.
fn reach(id: &str, piece: char) -> usize {
    let row = format!("3{piece}8");
    moves_from(&walker(id, &ring(&[(12, "6K4k"), (6, &row)], "w")), "d6").len()
}

#[test]
fn flat_lines_end_at_the_edge() {
    let position = walker("diamondring-flat", &ring(&[(9, "8k3"), (3, "R11"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&position, "a3").len(), 11 + 11);
    let blocked = walker("diamondring-flat", &ring(&[(9, "8k3"), (3, "RN10"), (1, "6K5")], "w"));
    assert_eq!(moves_from(&blocked, "a3").len(), 11);
}

#[test]
fn flat_pawns_at_the_edge_capture_away_from_it() {
    let among_enemies = [(10, "nn10"), (9, "Pn10"), (8, "nn10"), (3, "8k3"), (1, "6K5")];
    assert_eq!(moves_from(&walker("diamondring-flat", &ring(&among_enemies, "w")), "a9"), ["b8"]);
    let farther_in = [(10, "nnn9"), (9, "nPn9"), (8, "nnn9"), (3, "8k3"), (1, "6K5")];
    assert_eq!(moves_from(&walker("diamondring-flat", &ring(&farther_in, "w")), "b9"), ["a8"]);
}

#[test]
fn mitregi_wings_and_mitres_go_forward_only_and_promote_in_the_camp() {
    let position = walker("diamondring-mitregi", &ring(&[(12, "9k2"), (6, "6K5"), (3, "11M")], "w"));
    assert_eq!(moves_from(&position, "l3"), ["a4b"]);
    let wing = walker("diamondring-mitregi", &ring(&[(12, "9k2"), (6, "6K5"), (3, "1L10")], "w"));
    // Along the rank forward ends at the file of the enemy's centre; up the file where rank 6 is reached.
    assert_eq!(moves_from(&wing, "b3"), ["a3r", "b4r", "b5r", "b6r"]);
    let outside = walker("diamondring-mitregi", &ring(&[(12, "9k2"), (7, "10K1"), (3, "4L7")], "w"));
    assert_eq!(moves_from(&outside, "e3"), ["a3r", "b3", "c3", "d3", "e4", "e5", "e6"]);
}

#[test]
fn mitregi_gold_and_silver() {
    let gold = walker("diamondring-mitregi", &ring(&[(12, "9k2"), (7, "10K1"), (3, "3G8")], "w"));
    assert_eq!(moves_from(&gold, "d3"), ["c3", "c4", "d2", "d4", "e3"]);
    let silver = walker("diamondring-mitregi", &ring(&[(12, "9k2"), (7, "10K1"), (3, "3S8")], "w"));
    assert_eq!(moves_from(&silver, "d3"), ["c2", "c3", "c4", "d4", "e2", "e4"]);
}

#[test]
fn mitregi_pawns_promote_on_entering_the_camp() {
    let position = walker("diamondring-mitregi", &ring(&[(12, "9k2"), (6, "3PK7")], "w"));
    assert_eq!(moves_from(&position, "d6"), ["c6b", "c6g", "c6l", "c6m", "c6n", "c6r", "c6s"]);
}

#[test]
fn gryphons_and_anchorites_bend_after_one_step() {
    assert_eq!(reach("diamondring-gryphon", 'G'), 40);
    assert_eq!(reach("diamondring-gryphon", 'A'), 40);
    // A piece on the corner of every path stops them all.
    let shut_in = [(12, "6K4k"), (7, "2P1P7"), (6, "3G8"), (5, "2P1P7")];
    assert!(moves_from(&walker("diamondring-gryphon", &ring(&shut_in, "w")), "d6").is_empty());
}

#[test]
fn scouts_turn_at_every_step() {
    assert_eq!(reach("diamondring-scout", 'G'), 60);
    assert_eq!(reach("diamondring-scout", 'Y'), 30);
}

#[test]
fn wolves_and_foxes_may_not_stop_before_their_last_step() {
    assert_eq!(reach("diamondring-wolf", 'O'), 62);
    let shut_in = [(12, "6K4k"), (7, "2n1n7"), (6, "3O8"), (5, "2n1n7")];
    assert!(moves_from(&walker("diamondring-wolf", &ring(&shut_in, "w")), "d6").is_empty());
    let shut_in = [(12, "6K4k"), (7, "3n8"), (6, "2nXn7"), (5, "3n8")];
    assert!(moves_from(&walker("diamondring-wolf", &ring(&shut_in, "w")), "d6").is_empty());
    // One way out: over e7, with pieces on all squares of its two slides.
    let one_way = [(12, "6K4k"), (8, "4N7"), (7, "2n2N6"), (6, "3O8"), (5, "2n1n7")];
    let position = walker("diamondring-wolf", &ring(&one_way, "w"));
    assert_eq!(moves_from(&position, "d6"), ["d8", "f6", "f8"]);
}

#[test]
fn cannons_capture_behind_one_screen() {
    let position = walker(
        "diamondring-wildeurasian",
        &ring(&[(12, "6K4k"), (4, "3C1n2b3"), (5, "3P8"), (3, "3P8")], "w"),
    );
    // Behind the pawns on d5 and d3 each is the other's back, so the file offers nothing.
    assert_eq!(moves_from(&position, "d4"), ["a4", "b4", "c4", "e4", "f4", "i4", "j4", "k4", "l4"]);
}

#[test]
fn cannon_without_a_screen_does_not_attack() {
    let no_screen = walker("diamondring-wildeurasian", &ring(&[(12, "6K5"), (4, "3C3k4")], "b"));
    assert!(!no_screen.in_check());
    let screen = walker("diamondring-wildeurasian", &ring(&[(12, "6K5"), (4, "3C1p1k4")], "b"));
    assert_eq!(screen.checkers(), ["d4"]);
    // With a second piece between, the way is shut on this side; on the other there is no screen.
    let two = walker("diamondring-wildeurasian", &ring(&[(12, "6K5"), (4, "3Cpp1k4")], "b"));
    assert!(!two.in_check());
}

#[test]
fn the_enemy_camp_is_a_wall_to_queen_tank_and_gnu() {
    let position = walker("diamondring-wildeurasian", &ring(&[(6, "k11"), (1, "Q5K5")], "w"));
    let moves = moves_from(&position, "a1");
    let on_file: Vec<&String> = moves.iter().filter(|to| to.starts_with('a')).collect();
    assert_eq!(on_file, ["a11", "a12", "a2"]);
    let near = walker("diamondring-wildeurasian", &ring(&[(6, "k11"), (2, "Q11"), (1, "6K5")], "b"));
    assert!(!near.in_check());
    let inside = walker("diamondring-wildeurasian", &ring(&[(6, "9k2"), (4, "Q11"), (12, "6K5")], "w"));
    let moves = moves_from(&inside, "a4");
    assert!(moves.contains(&"b3".to_string()) && moves.contains(&"c2".to_string()));
    for within in ["a3", "a5", "b4", "b5", "l3", "l4", "l5"] {
        assert!(!moves.contains(&within.to_string()), "{within}");
    }
    let gnu = walker("diamondring-wildeurasian", &ring(&[(6, "9k2"), (2, "1G10"), (12, "6K5")], "w"));
    let moves = moves_from(&gnu, "b2");
    for (to, outside) in [("a4", false), ("c4", true), ("a5", false), ("c5", false), ("d3", true)] {
        assert_eq!(moves.contains(&to.to_string()), outside, "{to}");
    }
    let white_rook = walker("diamondring-wildeurasian", &ring(&[(6, "k11"), (1, "R5K5")], "b"));
    assert_eq!(white_rook.checkers(), ["a1"], "other pieces are not kept out");
}

#[test]
fn simple_pieces_fuse_and_compounds_split() {
    let position = walker("diamondring-fusion", &ring(&[(12, "6K4k"), (6, "3B8"), (4, "3R8")], "w"));
    let fused = after(&position, &["d4d6"]);
    assert_eq!(fused.fen(), ring(&[(12, "6K4k"), (6, "3Q8")], "b").replace("0 1", "1 1"));
    let again = after(&fused, &["l12l11"]);
    let moves = moves_from(&again, "d6");
    for mv in ["d7", "d7r", "e7", "e7b"] {
        assert!(moves.contains(&mv.to_string()), "{mv}");
    }
    assert!(!moves.contains(&"e7r".to_string()));
    let parted = after(&again, &["d6d7r"]);
    assert_eq!(
        parted.fen(),
        ring(&[(11, "11k"), (12, "6K5"), (7, "3R8"), (6, "3B8")], "b").replace("0 1", "3 2")
    );
}

#[test]
fn other_pieces_do_not_fuse() {
    // Rook and wazir are no pair; pawns, kings and compounds are in none.
    let ranks = [(12, "6K4k"), (8, "3P8"), (6, "1W1R1G6"), (4, "3W8")];
    let position = walker("diamondring-fusion", &ring(&ranks, "w"));
    assert_eq!(moves_from(&position, "d6"), ["c6", "d5", "d7", "e6"]);
    let by_king = walker("diamondring-fusion", &ring(&[(12, "5KW4k"), (1, "5R6")], "w"));
    assert!(!moves_from(&by_king, "f12").contains(&"g12".to_string()));
    assert!(!moves_from(&by_king, "f1").contains(&"f12".to_string()));
}

#[test]
fn component_that_leaves_neither_captures_nor_fuses() {
    let ranks = [(12, "6K4k"), (8, "3n8"), (6, "3M8"), (4, "3E8")];
    let moves = moves_from(&walker("diamondring-fusion", &ring(&ranks, "w")), "d6");
    assert!(moves.contains(&"d8".to_string()), "the marshal captures");
    for never in ["d8r", "d4", "d4r"] {
        assert!(!moves.contains(&never.to_string()), "{never}");
    }
    assert!(moves.contains(&"e8n".to_string()));
}
