//! Where pawns go: away from their camp.

use super::{FLAT, FourRules, Seat};
use crate::board::Square;
use crate::movement::{DIAGONAL, ORTHOGONAL};

impl FourRules {
    /// Without capture: one orthogonal step to a square farther from the camp.
    pub(super) fn pawn_steps(self, seat: Seat, from: Square) -> Vec<Square> {
        let here = self.distance(seat, from);
        let neighbors = ORTHOGONAL.into_iter().filter_map(|step| FLAT.step(from, step));
        neighbors.filter(|to| self.distance(seat, *to) > here).collect()
    }

    /// The one square where a pawn captures: of its four diagonal neighbors, also those beyond the edge, the farthest
    /// from the camp, if it is farther than where the pawn stands. Of equals it is the one on the board. If the farthest
    /// lies beyond the edge, it is the neighbor on the board that is no nearer to the camp than the pawn.
    pub(super) fn pawn_capture(self, seat: Seat, from: Square) -> Option<Square> {
        let here = self.distance(seat, from);
        let neighbors = DIAGONAL.map(|(dx, dy)| Square { file: from.file + dx, rank: from.rank + dy });
        let greatest = neighbors.iter().map(|to| self.distance(seat, *to)).max()?;
        if greatest <= here {
            return None;
        }
        let on_board: Vec<Square> = neighbors.into_iter().filter(|to| FLAT.contains(*to)).collect();
        let farthest = on_board.iter().find(|to| self.distance(seat, **to) == greatest);
        let inner = || on_board.iter().find(|to| self.distance(seat, **to) >= here);
        farthest.or_else(inner).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sq;

    #[test]
    fn captures_at_the_edges() {
        let check = |rules: FourRules, seat, from, expected| {
            let to = rules.pawn_capture(seat, sq(from)).map(Square::name);
            assert_eq!(to.as_deref(), expected, "{seat:?} {from}");
        };
        check(FourRules::Free, Seat::Red, "c1", Some("b2"));
        check(FourRules::Free, Seat::Red, "a1", Some("b2"));
        check(FourRules::Free, Seat::Red, "a9", Some("b10"));
        check(FourRules::Free, Seat::Red, "d12", Some("c11"));
        check(FourRules::Free, Seat::Red, "f5", Some("e6"));
        check(FourRules::Free, Seat::Red, "f1", None);
        check(FourRules::Free, Seat::Blue, "a3", Some("b2"));
        check(FourRules::Teams, Seat::Red, "a9", Some("b8"));
        check(FourRules::Teams, Seat::Yellow, "a4", Some("b5"));
        check(FourRules::Teams, Seat::Red, "a1", Some("b2"));
        check(FourRules::Teams, Seat::Red, "a12", Some("b11"));
        check(FourRules::Teams, Seat::Red, "l3", Some("k4"));
        check(FourRules::Teams, Seat::Green, "c12", Some("d11"));
    }

    /// The law names one square; here it is checked that there is never a second one, and that no pawn is stuck.
    #[test]
    fn there_is_one_capture_and_a_step_wherever_a_pawn_may_stand_outside_its_camp() {
        for rules in [FourRules::Free, FourRules::Teams] {
            for seat in Seat::ALL {
                for square in FLAT.squares() {
                    let here = rules.distance(seat, square);
                    let steps = rules.pawn_steps(seat, square).len();
                    if rules.promotes(seat, square) || here == 0 {
                        continue;
                    }
                    let name = square.name();
                    assert!((1..=3).contains(&steps), "{rules:?} {seat:?} {name}");
                    let far = |(dx, dy)| {
                        rules.distance(seat, Square { file: square.file + dx, rank: square.rank + dy })
                    };
                    let greatest = DIAGONAL.map(far).into_iter().max().unwrap();
                    let inner = DIAGONAL.into_iter().filter(|step| FLAT.step(square, *step).is_some());
                    let (best, fit) = inner
                        .filter(|step| far(*step) >= here)
                        .partition::<Vec<_>, _>(|step| far(*step) == greatest);
                    assert!(
                        best.len() == 1 || (best.is_empty() && fit.len() == 1),
                        "{rules:?} {seat:?} {name}"
                    );
                }
            }
        }
    }
}
