//! Diamond Ring Mitregi: pieces that go forward only, and promotion anywhere in the enemy camp.

use crate::board::{Board, Color, Offset, Piece, Shape, Square};
use crate::games::diamondring::{TORUS, distance_from_centre, in_camp, ring_destinations, ring_pawn_moves};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, along, leaps, line};
use crate::variant::Rules;
use crate::walker::Walker;

/// Diamond Ring Mitregi.
#[derive(Debug)]
pub(crate) struct Mitregi;

impl Rules for Mitregi {
    fn id(&self) -> &'static str {
        "diamondring-mitregi"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KSGMLNRBP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["2PRMSGMRP2/3PNBBNP3/p3PLLP3p/rp3PP3pr/mnp6pnm/kblp4plbg/sblp4plbs/mnp6pnm/rp3PP3pr/p3PLLP3p/3PNBBNP3/2PRMSKMRP2 w - - 0 1".into()]
    }

    /// The wing slides as a rook and the mitre as a bishop, every step forward. The gold steps along file and
    /// rank, and diagonally forward; the silver diagonally, and forward along file and rank.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        let steps = |steps: &[Offset]| leaps(board, from, piece, steps);
        match piece.letter {
            'L' => forward_slides(board, from, piece, &ORTHOGONAL),
            'M' => forward_slides(board, from, piece, &DIAGONAL),
            'G' => [steps(&ORTHOGONAL), steps(&forward_only(piece.color, from, &DIAGONAL))].concat(),
            'S' => [steps(&DIAGONAL), steps(&forward_only(piece.color, from, &ORTHOGONAL))].concat(),
            _ => ring_destinations(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    /// Obligatory on ending a move anywhere in the enemy camp, also when the move began there.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if !in_camp(piece.color.enemy(), to) {
            return "";
        }
        match piece.letter {
            'P' => "RBNLMGS",
            'L' => "R",
            'M' => "B",
            _ => "",
        }
    }
}

/// A step is forward when it takes a piece farther from its own centre, inside the camp as well as outside.
fn is_forward(color: Color, from: Square, to: Square) -> bool {
    distance_from_centre(color, to) > distance_from_centre(color, from)
}

/// Those of the steps that are forward.
fn forward_only(color: Color, from: Square, steps: &[Offset]) -> Vec<Offset> {
    let forward = |step: &Offset| TORUS.step(from, *step).is_some_and(|to| is_forward(color, from, to));
    steps.iter().copied().filter(forward).collect()
}

/// Slides as long as every step is forward.
fn forward_slides(board: &Board, from: Square, piece: Piece, directions: &[Offset]) -> Vec<Square> {
    let mut found = Vec::new();
    for direction in directions {
        let mut path = Vec::new();
        let mut here = from;
        for next in line(board, from, *direction) {
            if !is_forward(piece.color, here, next) {
                break;
            }
            path.push(next);
            here = next;
        }
        found.extend(along(board, piece, &path));
    }
    found
}
