//! Properties of the evaluation in all games and positions.

use super::*;
use crate::Engine;
use crate::score::Score;
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Color, Game, Move, Setup, WidthVisitor};
use lozenge_rules::position::{Cell, Role};
use lozenge_rules::variant::Variant;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use std::sync::Arc;

struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0.next_u64() as usize % limit
    }
}

fn games() -> impl Iterator<Item = Arc<Variant>> {
    library::ids().map(|id| library::game(id).unwrap())
}

/// Calls `look` with the positions of random games and the moves that led to them.
fn walk(variant: &Arc<Variant>, games: usize, look: &mut dyn FnMut(&AnyPosition, Option<Move>)) {
    let mut random = Random::new(variant.shape().len() as u64);
    for _ in 0..games {
        let mut game = Game::new(variant);
        while game.outcome().is_none() && game.moves().len() < 200 {
            let moves = game.position().legal_moves();
            let played = moves[random.below(moves.len())];
            look(game.position(), Some(played));
            game.play(played).unwrap();
        }
        look(game.position(), None);
    }
}

struct Tallies<'a>(&'a Values, Option<Move>);

impl WidthVisitor for Tallies<'_> {
    type Output = ();
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) {
        let Self(values, Some(played)) = self else { return };
        let mut observer = TallyObserver { tally: Tally::of(position, values), values };
        let after = position.play_observed(rules, played, &mut observer);
        assert_eq!(observer.tally, Tally::of(&after, values));
    }
}

#[test]
fn incremental_tally_equals_tally_of_position() {
    for variant in games() {
        let values = Values::new(&variant);
        walk(&variant, 6, &mut |position, played| position.visit(Tallies(&values, played)));
    }
}

/// Checks that explanation, coefficients and evaluation agree.
struct Same<'a>(&'a Values);

impl WidthVisitor for Same<'_> {
    type Output = bool;
    fn visit<const N: usize>(self, position: &Position<N>, rules: &Rules<N>) -> bool {
        let Self(values) = self;
        let board_sets = BoardSets::new(values, rules);
        let tally = Tally::of(position, values);
        let pawns = Pawns::new(position, values, &board_sets);
        let score = evaluate(position, rules, values, &board_sets, &tally, &pawns);
        let white = if position.turn() == Color::White { score } else { -score };
        let explained = explain(position, rules, values);
        assert_eq!(explained.score, white);
        let sum: i32 =
            explained.terms.iter().map(|term| term.mixed[Color::White] - term.mixed[Color::Black]).sum();
        // Mixing rounds each term.
        let slack = 2 * explained.terms.len() as i32 / GRAIN + 2;
        let scaled = sum / GRAIN * explained.scale / FULL_SCALE;
        assert!((scaled - white).abs() <= slack, "{scaled} {white}");
        explained.scale < FULL_SCALE
    }
}

#[test]
fn explanation_sums_to_evaluation() {
    let mut count = 0;
    for variant in games() {
        let values = Values::new(&variant);
        let mut engine = Engine::new(1);
        walk(&variant, 4, &mut |position, _| {
            position.visit(Same(&values));
            let coefficients = values.coefficients(position);
            let Score::Centipawns(score) = engine.evaluate(position) else { panic!("no mate here") };
            let white = if position.turn() == Color::White { score } else { -score };
            assert_eq!(coefficients.score, white);
            // The coefficients alone give the score again.
            let mut sum = Taper::ZERO;
            for &(feature, times) in &coefficients.counts {
                sum += values.weights()[feature] * times;
            }
            let again = sum.at(coefficients.phase) / GRAIN * coefficients.scale / FULL_SCALE;
            assert_eq!(again.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT), white, "{}", position.fen());
            count += 1;
        });
    }
    assert!(count > 3_000, "{count}");
}

/// The same position with colors exchanged and the board mapped onto itself by the game's symmetry.
fn mirrored(position: &AnyPosition) -> Option<AnyPosition> {
    let variant = position.variant();
    let (shape, symmetry) = (variant.shape(), variant.symmetry());
    let place = |coord| symmetry.coord(coord, shape.width(), shape.height());
    let setup = position.setup();
    let width = usize::from(setup.width);
    let moved = setup.moved.iter().map(|&coord| place(coord)).collect();
    let turn = setup.turn.opponent();
    let mut mirrored = Setup { turn, moved, rights: 0, en_passant: None, ..setup.clone() };
    for (at, &cell) in setup.cells.iter().enumerate() {
        let coord = lozenge_rules::geometry::Coord { file: (at % width) as u8, rank: (at / width) as u8 };
        let cell = match cell {
            Cell::Piece(piece) => Cell::Piece(Piece::new(piece.color().opponent(), piece.role())),
            other => other,
        };
        mirrored.set(place(coord), cell);
    }
    AnyPosition::from_setup(variant, &mirrored).ok()
}

#[test]
fn evaluation_is_color_symmetric() {
    for variant in games() {
        let mut engine = Engine::new(1);
        let mut count = 0;
        walk(&variant, 5, &mut |position, _| {
            let Some(mirror) = mirrored(position) else { return };
            assert_eq!(
                engine.evaluate(position),
                engine.evaluate(&mirror),
                "{} {}",
                variant.id(),
                position.fen()
            );
            count += 1;
        });
        assert!(count > 100, "{} {count}", variant.id());
    }
}

#[test]
fn mating_pieces_are_found_by_retrograde_analysis() {
    let letters = |id: &str, mates: bool| -> String {
        let variant = library::game(id).unwrap();
        let values = Values::derived(&variant);
        let officers = variant
            .roles()
            .iter()
            .filter(|(role, info)| !info.royal && !info.pawn && values.mates_alone(*role) == mates);
        officers.map(|(_, info)| info.letter).collect()
    };
    // Known from complete tables: on the 40 squares with the lake a rook does not mate; on the
    // torus, no piece does alone.
    for (id, mating, others) in [
        ("chess", "QR", "BN"),
        ("diagonal", "QR", "BN"),
        ("diamond", "AV", "NR"),
        ("diamondring", "", "BDEFNRW"),
        ("cylinder", "Q", "BNR"),
    ] {
        assert_eq!((letters(id, true).as_str(), letters(id, false).as_str()), (mating, others), "{id}");
    }
}

fn white_score(id: &str, fen: &str) -> i32 {
    let position = AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap();
    Engine::new(1).explain(&position).score
}

#[test]
fn endings_without_mate_are_scaled_down() {
    let diamond = |piece: &str| {
        white_score(
            "diamond",
            &format!("****k****/***3***/**5**/*7*/4*4/*7*/**{piece}4**/***3***/****K**** w - - 0 1"),
        )
    };
    for (piece, drawn) in [("R", true), ("N", true), ("A", false), ("V", false)] {
        assert_eq!(diamond(piece) < 60, drawn, "{piece} {}", diamond(piece));
    }
    let ring = |pieces: &str| {
        white_score("diamondring", &format!("{pieces}/12/12/12/12/6k5/12/12/12/12/12/5K6 w - - 0 1"))
    };
    assert!(ring("R11") < 80 && ring("B11") < 80, "{} {}", ring("R11"), ring("B11"));
    assert!(ring("RR10") > 300);
    // A pawn that can still be promoted counts.
    assert!(white_score("chess", "4k3/8/8/8/8/8/4P3/3BK3 w - - 0 1") > 200);
    assert!(white_score("chess", "4k3/8/8/8/8/8/4p3/3BK3 w - - 0 1") < 60);
}

#[test]
fn a_passed_pawn_is_one_that_no_pawn_can_stop() {
    let passed = |id: &str, fen: &str| {
        let variant = library::game(id).unwrap();
        let position = AnyPosition::from_fen(&variant, fen).unwrap();
        let values = Values::derived(&variant);
        let counts = values.coefficients(&position).counts;
        let passed = |&&(feature, _): &&(usize, i32)| {
            (features::PASSED..features::PASSED + features::DISTANCES).contains(&feature)
        };
        counts
            .iter()
            .filter(passed)
            .map(|&(feature, count)| (feature - features::PASSED + 1, count))
            .collect::<Vec<_>>()
    };
    // Orthodox chess: beside, before and behind.
    assert_eq!(passed("chess", "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1"), [(3, 1)]);
    assert_eq!(passed("chess", "4k3/8/3p4/8/4P3/8/8/4K3 w - - 0 1"), []);
    assert_eq!(passed("chess", "4k3/2p5/8/4P3/8/8/8/4K3 w - - 0 1"), [(3, 1), (5, -1)]);
    // Along the diagonal of Diagonal Chess: c3 has five moves to h8, and an enemy pawn captures
    // along files and ranks.
    assert_eq!(passed("diagonal", "k7/8/8/8/8/2P5/8/K7 w - - 0 1"), [(5, 1)]);
    assert_eq!(passed("diagonal", "k7/8/6p1/8/8/2P5/8/K7 w - - 0 1"), []);
}

#[test]
fn weights_of_another_size_or_none_change_nothing() {
    let variant = library::game("chess").unwrap();
    let mut values = Values::derived(&variant);
    let before = values.clone();
    values.set_weights(Vec::new());
    assert_eq!(values, before);
    values.set_weights(vec![Taper::ZERO; 100_000]);
    assert!(values.weights().iter().all(|&weight| weight == Taper::ZERO));
    assert_eq!(values.material(Role::new(0)).max(10), values.material(Role::new(0)));
}
