//! Diamond Ring Wildeurasian: pieces that capture by hopping, and three to which the enemy camp is a wall.

use crate::board::{Board, Offset, Piece, Shape, Square};
use crate::games::diamondring::{TORUS, in_camp, is_enemy_centre, ring_destinations, ring_pawn_moves};
use crate::movement::{DIAGONAL, Move, ORTHOGONAL, along, leaps, line, oblique};
use crate::variant::Rules;
use crate::walker::Walker;

/// Diamond Ring Wildeurasian.
#[derive(Debug)]
pub(crate) struct Wildeurasian;

impl Rules for Wildeurasian {
    fn id(&self) -> &'static str {
        "diamondring-wildeurasian"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KQTGCANRBP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["2PRAGQARP2/3PNBBNP3/p3PCCP3p/rp3PP3pr/anp6pna/kbcp4pcbq/tbcp4pcbg/anp6pna/rp3PP3pr/p3PCCP3p/3PNBBNP3/2PRATKARP2 w - - 0 1".into()]
    }

    /// Cannon: along files and ranks; arrow: along diagonals; tank: both, outside the enemy camp. Queen: rook
    /// and bishop outside the enemy camp. Gnu: the knight's leaps and the (3,1) leaps that do not land in the
    /// enemy camp.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        let full_line = |direction: &Offset| line(board, from, *direction);
        let up_to_the_camp = |direction: &Offset| before_enemy_camp(piece, line(board, from, *direction));
        let all_directions = [ORTHOGONAL, DIAGONAL].concat();
        match piece.letter {
            'C' => ORTHOGONAL.iter().flat_map(|d| hopping(board, piece, &full_line(d))).collect(),
            'A' => DIAGONAL.iter().flat_map(|d| hopping(board, piece, &full_line(d))).collect(),
            'T' => all_directions.iter().flat_map(|d| hopping(board, piece, &up_to_the_camp(d))).collect(),
            'Q' => all_directions.iter().flat_map(|d| along(board, piece, &up_to_the_camp(d))).collect(),
            'G' => {
                let steps = [oblique(2, 1), oblique(3, 1)].concat();
                let landings = leaps(board, from, piece, &steps).into_iter();
                landings.filter(|to| !in_camp(piece.color.enemy(), *to)).collect()
            }
            _ => ring_destinations(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && is_enemy_centre(piece.color, to) { "RBNCA" } else { "" }
    }
}

/// The part of a line before its first square in the enemy camp. A piece set up inside the camp therefore gets
/// nowhere within it.
fn before_enemy_camp(piece: Piece, line: Vec<Square>) -> Vec<Square> {
    line.into_iter().take_while(|square| !in_camp(piece.color.enemy(), *square)).collect()
}

/// Goes without capture over empty squares; captures the first enemy behind exactly one piece of either color,
/// the screen, all other squares on the way being empty.
pub(crate) fn hopping(board: &Board, piece: Piece, line: &[Square]) -> Vec<Square> {
    let mut squares = line.iter().copied();
    let mut found: Vec<Square> = Vec::new();
    for square in squares.by_ref() {
        if !board.is_empty(square) {
            break; // the screen
        }
        found.push(square);
    }
    let first_behind_screen = squares.find(|square| !board.is_empty(*square));
    found.extend(first_behind_screen.filter(|square| board.has(*square, piece.color.enemy())));
    found
}
