//! The counts of the project's rules text, from the starting positions, as far as they take a few seconds; and
//! the best known counts of orthodox chess. Longer ones are in `testdata/perft`.

use lozenge_reference::{Variant, Walker};

fn check(id: &str, fen: Option<&str>, counts: &[u64]) {
    let game = Variant::by_id(id).expect("a known game");
    let fen = fen.map_or_else(|| game.start_fens()[0].clone(), String::from);
    let walker = Walker::from_fen(&game, &fen).expect("a readable position");
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(walker.perft(depth), *count, "{id} at depth {depth}");
    }
}

#[test]
fn diagonal() {
    check("diagonal", None, &[11, 121, 1_781, 25_642, 440_666]);
}

#[test]
fn diamondback() {
    check("diamondback", None, &[22, 486, 11_458, 270_190]);
}

#[test]
fn diamond() {
    check("diamond", None, &[8, 64, 608, 5_832, 69_536]);
}

#[test]
fn doublediamond() {
    check("doublediamond", None, &[25, 617, 16_993, 461_186]);
}

#[test]
fn diamondring() {
    check("diamondring", None, &[56, 3_148, 186_491]);
}

#[test]
fn the_diamondring_family() {
    check("diamondring-flat", None, &[52, 2_716]);
    check("diamondring-mitregi", None, &[40, 1_608]);
    check("diamondring-gryphon", None, &[76, 5_692]);
    check("diamondring-scout", None, &[40, 1_608]);
    check("diamondring-wolf", None, &[100, 9_679]);
    check("diamondring-wildeurasian", None, &[54, 2_879]);
    check("diamondring-fusion", None, &[94, 8_848]);
}

#[test]
fn chess() {
    check("chess", None, &[20, 400, 8_902, 197_281]);
}

#[test]
fn chess_kiwipete() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check("chess", Some(fen), &[48, 2_039, 97_862]);
}

#[test]
fn capablanca() {
    check("capablanca", None, &[28, 784, 25_228]);
}

#[test]
fn los_alamos() {
    check("losalamos", None, &[10, 100, 1_212, 14_332, 191_846]);
}

#[test]
fn gardner() {
    check("gardner", None, &[7, 53, 506, 4_775, 52_512]);
}

#[test]
fn legan() {
    check("legan", None, &[8, 64, 724, 8_138, 112_012]);
}

#[test]
fn divide_adds_up_to_perft() {
    for id in Variant::ids() {
        let game = Variant::by_id(id).expect("a known game");
        for fen in game.start_fens() {
            let walker = Walker::from_fen(&game, &fen).expect("a readable position");
            let divided = walker.divide(2);
            let names: Vec<String> = divided.iter().map(|(name, _)| name.clone()).collect();
            assert_eq!(names, walker.legal_moves(), "{id}");
            assert_eq!(divided.iter().map(|(_, count)| count).sum::<u64>(), walker.perft(2), "{id}");
        }
    }
}
