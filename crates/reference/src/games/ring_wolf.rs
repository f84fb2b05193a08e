//! Diamond Ring with wolves and foxes: a step, a slide, and a step.

use crate::board::{Board, Offset, Piece, Shape, Square};
use crate::games::diamondring::{TORUS, is_enemy_centre, ring_destinations, ring_pawn_moves};
use crate::games::ring_gryphon::outward;
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, may_end_on};
use crate::variant::Rules;
use crate::walker::Walker;

/// Diamond Ring Wolf.
#[derive(Debug)]
pub(crate) struct Wolf;

impl Rules for Wolf {
    fn id(&self) -> &'static str {
        "diamondring-wolf"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KFWXONRBP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["2PRXFWXRP2/3PNBBNP3/p3POOP3p/rp3PP3pr/xnp6pnx/kbop4pobw/fbop4pobf/xnp6pnx/rp3PP3pr/p3POOP3p/3PNBBNP3/2PRXFKXRP2 w - - 0 1".into()]
    }

    /// The wolf: a diagonal step, a slide of zero or more along a file or rank that is a component of it, then
    /// one obligatory diagonal step at 45 degrees to the slide. The fox: a step along file or rank, a slide of
    /// zero or more along a diagonal that contains it, then one obligatory step along file or rank that is a
    /// component of the diagonal.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match piece.letter {
            'O' => three_legs(board, from, piece, &DIAGONAL),
            'X' => three_legs(board, from, piece, &ORTHOGONAL),
            _ => ring_destinations(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && is_enemy_centre(piece.color, to) { "RBNXOFW" } else { "" }
    }
}

/// First step, slide, last step: each leg at 45 degrees to the one before. Neither the first step nor the
/// slide may be stopped on, and their squares must be empty. After a slide of zero the last step goes on in
/// the first step's direction or at right angles to it. The two possible slides together allow just that.
/// Eleven steps in all at most.
fn three_legs(board: &Board, from: Square, piece: Piece, first_steps: &[Offset]) -> Vec<Square> {
    let mut found = Vec::new();
    for first in first_steps {
        for slide in outward(*first) {
            let mut here = board.shape().step(from, *first);
            for slid in 0.. {
                let steps_in_all = 1 + slid + 1;
                let Some(square) = here else { break };
                if steps_in_all > 11 || square == from || !board.is_empty(square) {
                    break;
                }
                for last in outward(slide) {
                    if let Some(to) = board.shape().step(square, last)
                        && to != from
                        && may_end_on(board, piece, to)
                    {
                        found.push(to);
                    }
                }
                here = board.shape().step(square, slide);
            }
        }
    }
    found
}
