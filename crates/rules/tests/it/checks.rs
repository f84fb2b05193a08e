//! Which moves give check, predicted before they are played.

use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Position, WidthVisitor};
use lozenge_rules::variant::Rules;

/// Compares predictions with the positions after the moves. Checks along trails may be missed.
struct Checks {
    trails: bool,
}

impl WidthVisitor for Checks {
    type Output = u32;
    fn visit<const N: usize>(self, start: &Position<N>, rules: &Rules<N>) -> u32 {
        let mut checks = 0;
        for step in 1..12 {
            let mut position = *start;
            for ply in 0..120 {
                let squares = position.check_squares(rules);
                let moves = position.legal_moves(rules);
                for &played in &moves {
                    let real = position.play(rules, played).is_check(rules);
                    let predicted = squares.gives_check(&position, rules, played);
                    assert!(predicted == real || (self.trails && real), "{played:?}: expected {real}");
                    checks += u32::from(predicted);
                }
                let Some(&played) = moves.get((ply * 7 + 3) * step % moves.len().max(1)) else { break };
                position = position.play(rules, played);
            }
        }
        checks
    }
}

#[test]
fn checks_are_predicted() {
    for (number, id) in library::ids().enumerate() {
        let trails = number >= library::OWN_GAMES && id != "chess";
        let checks = AnyPosition::start(&library::game(id).unwrap()).visit(Checks { trails });
        assert!(checks > 0, "{id}");
    }
}
