//! Diamond Ring without wraparound: the 12x12 square as drawn, whose edges no move crosses.

use crate::board::{Board, Color, Offset, Piece, Shape, Square};
use crate::games::diamondring::{
    DiamondRing, START, distance_from_camp, forward_capture, forward_steps, ring_destinations,
};
use crate::movement::{DIAGONAL, Move};
use crate::pawn::{captures, quiet};
use crate::variant::Rules;
use crate::walker::Walker;

static FLAT: Shape = Shape::rectangle(12, 12);

/// The flat Diamond Ring.
#[derive(Debug)]
pub(crate) struct Flat;

impl Rules for Flat {
    fn id(&self) -> &'static str {
        "diamondring-flat"
    }

    fn shape(&self) -> &'static Shape {
        &FLAT
    }

    fn letters(&self) -> &'static str {
        DiamondRing.letters()
    }

    fn start_fens(&self) -> Vec<String> {
        vec![START.into()]
    }

    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        ring_destinations(board, from, piece)
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let quiet_steps = forward_steps(&FLAT, piece.color, from);
        let capture_steps: Vec<Offset> = flat_capture(piece.color, from).into_iter().collect();
        [quiet(walker, piece, from, &quiet_steps), captures(walker, piece, from, &capture_steps)].concat()
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        DiamondRing.promotions(piece, to)
    }
}

/// The forward capture as on the torus. Where it would cross the edge, the pawn captures on the inner side of
/// that edge instead. That is the one diagonal neighbor there that is no nearer to its camp than the pawn
/// itself.
fn flat_capture(color: Color, from: Square) -> Option<Offset> {
    let on_the_torus = forward_capture(color, from)?;
    if FLAT.step(from, on_the_torus).is_some() {
        return Some(on_the_torus);
    }
    let no_nearer = |step: &Offset| {
        let neighbor = FLAT.step(from, *step);
        neighbor.is_some_and(|to| distance_from_camp(color, to) >= distance_from_camp(color, from))
    };
    DIAGONAL.into_iter().find(no_nearer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::sq;

    #[test]
    fn pawns_at_the_edge_capture_away_from_it() {
        for (from, to) in [("a9", "b8"), ("a4", "b5"), ("a1", "b2"), ("a12", "b11"), ("l3", "k4")] {
            let step = flat_capture(Color::White, sq(from)).unwrap();
            assert_eq!(FLAT.step(sq(from), step).unwrap().name(), to);
        }
        let step = flat_capture(Color::Black, sq("c12")).unwrap();
        assert_eq!(FLAT.step(sq("c12"), step).unwrap().name(), "d11");
    }

    #[test]
    fn pawn_at_the_edge_has_at_most_one_capture_away_from_it() {
        for color in [Color::White, Color::Black] {
            for square in FLAT.squares() {
                let Some(torus) = forward_capture(color, square) else { continue };
                let here = distance_from_camp(color, square);
                let inner = DIAGONAL.iter().filter_map(|step| FLAT.step(square, *step));
                let fit = inner.filter(|to| distance_from_camp(color, *to) >= here).count();
                if FLAT.step(square, torus).is_none() {
                    assert_eq!(fit, 1, "{}", square.name());
                }
            }
        }
    }
}
