//! Diamond Ring with gryphons and anchorites: sliders that bend after their first step.

use crate::board::{Board, Offset, Piece, Shape, Square};
use crate::games::diamondring::{TORUS, is_enemy_centre, ring_destinations, ring_pawn_moves};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, along};
use crate::variant::Rules;
use crate::walker::Walker;

/// Diamond Ring Gryphon.
#[derive(Debug)]
pub(crate) struct Gryphon;

impl Rules for Gryphon {
    fn id(&self) -> &'static str {
        "diamondring-gryphon"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KFWAGNRBP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["2PRAFWARP2/3PNBBNP3/p3PGGP3p/rp3PP3pr/anp6pna/kbgp4pgbw/fbgp4pgbf/anp6pna/rp3PP3pr/p3PGGP3p/3PNBBNP3/2PRAFKARP2 w - - 0 1".into()]
    }

    /// The gryphon takes one diagonal step and then slides on outward along file or rank. The anchorite takes
    /// one step along file or rank and then slides on outward along a diagonal. Both may stop on the first
    /// step.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match piece.letter {
            'G' => bent_slides(board, from, piece, &DIAGONAL),
            'A' => bent_slides(board, from, piece, &ORTHOGONAL),
            _ => ring_destinations(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && is_enemy_centre(piece.color, to) { "RBNAGFW" } else { "" }
    }
}

/// The two directions at 45 degrees to a step, that is, the two ways to go on outward after it.
pub(crate) fn outward((dx, dy): Offset) -> [Offset; 2] {
    match (dx, dy) {
        (_, 0) => [(dx, 1), (dx, -1)],
        (0, _) => [(1, dy), (-1, dy)],
        _ => [(dx, 0), (0, dy)],
    }
}

/// A first step, then a slide in one of the directions outward from it; eleven steps in all at most, and never
/// over the square where the path began.
fn bent_slides(board: &Board, from: Square, piece: Piece, first_steps: &[Offset]) -> Vec<Square> {
    let mut found = Vec::new();
    for first in first_steps {
        for direction in outward(*first) {
            let mut path = Vec::new();
            let mut next = board.shape().step(from, *first);
            while let Some(square) = next
                && path.len() < 11
                && square != from
            {
                path.push(square);
                next = board.shape().step(square, direction);
            }
            found.extend(along(board, piece, &path));
        }
    }
    found
}
