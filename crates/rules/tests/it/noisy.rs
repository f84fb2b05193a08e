//! Captures and promotions, generated alone.

use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Move, MoveKind, Position, WidthVisitor};
use lozenge_rules::variant::Rules;

/// Compares the generator of captures and promotions with those among all legal moves, in order, along pseudo-random
/// games; captures are preferred in every second one, so that few pieces remain. Returns how many it saw.
struct Noisy;

impl Noisy {
    fn is_noisy<const N: usize>(position: &Position<N>, played: Move) -> bool {
        match played.kind {
            MoveKind::EnPassant | MoveKind::Promotion(_) => true,
            MoveKind::Plain => position.pieces(position.turn().opponent()).contains(played.to),
            _ => false,
        }
    }
}

impl WidthVisitor for Noisy {
    type Output = usize;
    fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) -> usize {
        let mut seen = 0;
        for step in 1..12 {
            let mut position = *start;
            for ply in 0..160 {
                let moves = position.legal_moves(rules);
                let expected: Vec<Move> =
                    moves.iter().copied().filter(|&played| Self::is_noisy(&position, played)).collect();
                let mut found: Vec<Move> = Vec::new();
                position.generate_noisy(rules, &mut found);
                assert_eq!(found, expected);
                assert_eq!(position.has_no_move(rules), moves.is_empty());
                seen += found.len();
                let choices = if step % 2 == 0 && !found.is_empty() { &found } else { &moves };
                let Some(&played) = choices.get((ply * 7 + 3) * step % choices.len().max(1)) else { break };
                position = position.play(rules, played);
            }
        }
        seen
    }
}

#[test]
fn noisy_moves_are_those_among_all() {
    for id in library::ids() {
        let seen = AnyPosition::start(&library::game(id).unwrap()).visit(Noisy);
        assert!(seen > 0, "{id}");
    }
}

/// Positions that play seldom reaches: checks, promotions with and without a choice, en passant, no move at all.
#[test]
fn noisy_moves_of_rare_positions() {
    let positions = [
        ("chess", "7k/P1P5/8/3pP3/8/8/5p1p/K7 w - d6 0 1"),
        ("chess", "1n5k/P1P5/8/3pP3/8/8/5p1p/K3R1N1 b - - 0 1"),
        ("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        ("chess", "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"),
        (
            "diamond",
            "****1****/***2k***/**r2p1**/*3n1p1*/3p*1P2/*v1P1P2*/**2V1N**/***RK1***/****1**** w - - 3 23",
        ),
    ];
    for (id, fen) in positions {
        AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap().visit(Noisy);
    }
}
