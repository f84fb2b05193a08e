//! The values of positions.

use crate::{RESOURCES, generate, probe, tables};
use lozenge_rules::geometry::Square;
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Cell, Color, Piece, PlacedPiece, Position, Role, WidthVisitor};
use lozenge_rules::variant::Rules;
use lozenge_tablebase::{Census, Material, Tables, Value};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

#[test]
fn positions_of_tables_are_those_that_validation_accepts() {
    struct FromPieces<'a>(&'a [PlacedPiece], Color);
    impl WidthVisitor for FromPieces<'_> {
        type Output = bool;
        fn visit<const N: usize>(self, _: &Position<N>, rules: &Rules<N>) -> bool {
            Position::from_pieces(rules, self.0, self.1).is_some()
        }
    }
    let mut random = SplitMix64::seed_from_u64(38);
    let mut below = |most: usize| (random.next_u64() % most as u64) as usize;
    for game in ["diagonal", "diamondback", "diamond", "doublediamond", "diamondring", "chess"] {
        let game = library::game(game).unwrap();
        let start = AnyPosition::start(&game);
        let mut legal = 0;
        for _ in 0..3_000 {
            let mut setup = start.setup();
            setup.cells.iter_mut().filter(|cell| **cell != Cell::Hole).for_each(|cell| *cell = Cell::Empty);
            (setup.rights, setup.en_passant, setup.turn) = (0, None, Color::BOTH[below(2)]);
            let royal = game.roles().royal().unwrap();
            let mut pieces = Vec::new();
            for number in 0..4 {
                let role = if number < 2 { royal } else { Role::new(below(game.roles().len()) as u8) };
                let piece = Piece::new(Color::BOTH[(number + number / 2 * below(2)) % 2], role);
                let square = Square::new(below(game.shape().len()) as u8);
                let coord = game.shape().coord(square);
                if setup.at(coord) == Some(Cell::Empty) {
                    setup.set(coord, Cell::Piece(piece));
                    let moved = below(4) == 0;
                    if moved {
                        setup.moved.push(coord);
                    }
                    pieces.push(PlacedPiece { piece, square, moved });
                }
            }
            let expected = AnyPosition::from_setup(&game, &setup).is_ok();
            assert_eq!(start.visit(FromPieces(&pieces, setup.turn)), expected, "{} {pieces:?}", game.id());
            legal += u32::from(expected);
        }
        assert!(legal > 100, "{}: {legal}", game.id());
    }
}

/// The longest win of a class, in half moves, after a look at every position.
fn longest(game: &str, class: &str) -> (u16, Census) {
    let tables = tables(game, &[class]);
    let material = Material::parse(tables.variant(), class).unwrap();
    let census = tables.verify(&material, RESOURCES.threads).unwrap();
    let info = tables.list().into_iter().find(|info| info.material == tables.class_of(&material)).unwrap();
    (info.longest, census)
}

#[test]
fn orthodox_endings_take_as_long_as_is_known() {
    assert_eq!(longest("chess", "KQvK").0, 20);
    assert_eq!(longest("chess", "KRvK").0, 32);
    assert_eq!(longest("chess", "KNvK").1.wins, 0);
    assert_eq!(longest("chess", "KBvK").1.wins, 0);
}

#[test]
fn the_opposition_decides_a_pawn_ending() {
    let tables = tables("chess", &["KPvK"]);
    let won = |fen: &str| matches!(probe(&tables, fen), Some(Value::Win(_)));
    let lost = |fen: &str| matches!(probe(&tables, fen), Some(Value::Loss(_)));
    assert_eq!(probe(&tables, "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1"), Some(Value::Draw));
    assert!(lost("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1"));
    assert_eq!(probe(&tables, "8/4k3/8/4K3/4P3/8/8/8 w - - 0 1"), Some(Value::Draw));
    assert!(won("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1") && lost("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"));
    assert_eq!(probe(&tables, "k7/8/K7/P7/8/8/8/8 w - - 0 1"), Some(Value::Draw));
}

#[test]
fn on_forty_squares_archbishop_and_vizier_mate_and_rook_and_knight_do_not() {
    assert_eq!(longest("diamond", "KAvK").0, 26);
    assert_eq!(longest("diamond", "KVvK").0, 18);
    // There are mates that only a blunder allows, and none can be forced.
    assert!(longest("diamond", "KRvK").0 <= 1);
    assert!(longest("diamond", "KNvK").0 <= 1);
}

#[test]
fn no_single_piece_mates_on_the_ring() {
    for class in ["KRvK", "KBvK", "KEvK"] {
        let (longest, census) = longest("diamondring", class);
        assert_eq!((longest, census.wins, census.losses), (0, 0, 0), "{class}");
    }
}

#[test]
fn every_class_of_three_pieces_agrees_with_its_moves() {
    for game in ["diamondback", "diamond"] {
        let game = library::game(game).unwrap();
        let mut tables = Tables::new(&game);
        for material in tables.classes(3).unwrap() {
            generate(&mut tables, &material).unwrap();
            let census = tables.verify(&material, RESOURCES.threads).unwrap();
            assert!(census.wins + census.losses + census.draws > 0, "{}", material.name(&game));
        }
    }
}

#[test]
fn a_king_on_the_enemy_corner_has_won() {
    let tables = tables("diamondback", &["KvK"]);
    // White's King has just arrived on h8; Black has lost. One move earlier White wins.
    assert_eq!(probe(&tables, "7K/8/8/8/8/8/3k4/8 b - - 0 1"), Some(Value::Loss(0)));
    assert_eq!(probe(&tables, "8/6K1/8/8/8/8/1k6/8 w - - 0 1"), Some(Value::Win(1)));
    assert_eq!(probe(&tables, "8/6K1/8/8/8/8/1k6/8 b - - 0 1"), Some(Value::Win(1)));
}

#[test]
fn a_pawn_one_step_from_its_goal_wins() {
    let tables = tables("diagonal", &["KPvK"]);
    assert_eq!(probe(&tables, "8/6P1/8/8/8/8/k7/2K5 w - - 0 1"), Some(Value::Win(1)));
    assert_eq!(probe(&tables, "7P/8/8/8/8/8/k7/2K5 b - - 0 1"), Some(Value::Loss(0)));
}

#[test]
fn colors_may_be_exchanged() {
    let tables = tables("diamond", &["KAvK"]);
    let white = probe(&tables, "****k****/***3***/**5**/*7*/4*4/*7*/**1A3**/***3***/****K**** w - - 0 1");
    let black = probe(&tables, "****k****/***3***/**1a3**/*7*/4*4/*7*/**5**/***3***/****K**** b - - 0 1");
    assert!(matches!(white, Some(Value::Win(_))), "{white:?}");
    assert_eq!(white, black);
}

#[test]
fn a_pawn_that_has_captured_its_way_home_has_no_double_step() {
    // KPvK of Double Diamond has both: with the seventh field and without.
    let tables = tables("doublediamond", &["KPvK"]);
    // b3 is a starting square.
    let value = |moved: &str| probe(&tables, &format!("**7/**7/9/9/9/9/1P7/7**/K5k** w - - 0 1{moved}"));
    let [unmoved, moved] = [value(""), value(" b3")];
    assert!(unmoved.is_some() && moved.is_some());
    assert!(unmoved.unwrap().rank() > moved.unwrap().rank(), "{unmoved:?} {moved:?}");
}

#[test]
fn castling_rights_and_missing_classes_have_no_value() {
    let tables = tables("chess", &["KRvK"]);
    assert_eq!(probe(&tables, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    assert!(probe(&tables, "4k3/8/8/8/8/8/8/4K2R w - - 0 1").is_some());
    assert_eq!(probe(&tables, "4k3/8/8/8/8/8/8/4K2Q w - - 0 1"), None);
}

#[test]
fn the_best_moves_come_first() {
    let tables = tables("chess", &["KQvK"]);
    let position = AnyPosition::from_fen(tables.variant(), "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1").unwrap();
    let moves = tables.moves(&position).unwrap().unwrap();
    let (best, value) = moves[0];
    assert_eq!((uci::write(tables.variant(), best).as_str(), value), ("g1g7", Value::Win(1)));
    // A queen that is given away draws.
    assert!(moves.iter().any(|(_, value)| *value == Value::Draw));
    assert!(moves.windows(2).all(|pair| pair[0].1.rank() >= pair[1].1.rank()));
}
