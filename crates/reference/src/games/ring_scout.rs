//! Diamond Ring with scouts: sliders that turn at every step.

use crate::board::{Board, Offset, Piece, Shape, Square};
use crate::games::diamondring::{TORUS, is_enemy_centre, ring_destinations, ring_pawn_moves};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, along};
use crate::variant::Rules;
use crate::walker::Walker;

/// Diamond Ring Scout.
#[derive(Debug)]
pub(crate) struct Scout;

impl Rules for Scout {
    fn id(&self) -> &'static str {
        "diamondring-scout"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KFWYGNRBP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["2PRYFWYRP2/3PNBBNP3/p3PGGP3p/rp3PP3pr/ynp6pny/kbgp4pgbw/fbgp4pgbf/ynp6pny/rp3PP3pr/p3PGGP3p/3PNBBNP3/2PRYFKYRP2 w - - 0 1".into()]
    }

    /// The girlscout steps along file and rank by turns, the boyscout along the two diagonals by turns. Both
    /// may stop on any step.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match piece.letter {
            'G' => crooked_slides(board, from, piece, &ORTHOGONAL),
            'Y' => crooked_slides(board, from, piece, &DIAGONAL),
            _ => ring_destinations(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && is_enemy_centre(piece.color, to) { "RBNYGFW" } else { "" }
    }
}

/// Zigzags: a first step, then a turn of 90 degrees to the left or the right, then the first direction again,
/// and so on by turns. A path has at most eleven steps, and never crosses the square where it began.
fn crooked_slides(board: &Board, from: Square, piece: Piece, first_steps: &[Offset]) -> Vec<Square> {
    let mut found = Vec::new();
    for &(dx, dy) in first_steps {
        for turned in [(-dy, dx), (dy, -dx)] {
            let mut path = Vec::new();
            let mut here = from;
            for number in 0..11 {
                let step = if number % 2 == 0 { (dx, dy) } else { turned };
                let Some(next) = board.shape().step(here, step).filter(|next| *next != from) else { break };
                path.push(next);
                here = next;
            }
            found.extend(along(board, piece, &path));
        }
    }
    found
}
