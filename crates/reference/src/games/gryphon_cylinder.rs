//! Gryphon Cylinder, a game of this project: gryphons and boyscouts on a board whose sides are joined.

use crate::board::{Board, Offset, Piece, Shape, Square};
use crate::games::orthodox::{CYLINDER, last_rank, orthodox_pawn_moves};
use crate::movement::{DIAGONAL, Move, along, orthodox};
use crate::variant::Rules;
use crate::walker::Walker;

/// Gryphon Cylinder.
#[derive(Debug)]
pub(crate) struct GryphonCylinder;

impl Rules for GryphonCylinder {
    fn id(&self) -> &'static str {
        "gryphoncylinder"
    }

    fn shape(&self) -> &'static Shape {
        CYLINDER.shape()
    }

    fn letters(&self) -> &'static str {
        "KGRYNP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["rnygkynr/pppppppp/8/8/8/8/PPPPPPPP/RNYGKYNR w - - 0 1".into()]
    }

    /// The gryphon takes one diagonal step and goes on outward along file or rank; the boyscout zigzags
    /// along the diagonals, but never onto the last rank. A path has seven steps at most, one less than
    /// the way round, and never comes back to a square it has been on.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        let mut found = Vec::new();
        match piece.letter {
            'G' => {
                for (dx, dy) in DIAGONAL {
                    for outward in [(dx, 0), (0, dy)] {
                        let steps: Vec<Offset> = [vec![(dx, dy)], vec![outward; 6]].concat();
                        found.extend(along(board, piece, &path(board, from, &steps)));
                    }
                }
            }
            'Y' => {
                for (dx, dy) in DIAGONAL {
                    for turned in [(-dy, dx), (dy, -dx)] {
                        let (one, other) = ((dx, dy), turned);
                        let mut squares = path(board, from, &[one, other, one, other, one, other, one]);
                        let closed = last_rank(board.shape(), piece.color);
                        let open = squares.iter().take_while(|square| square.rank != closed).count();
                        squares.truncate(open);
                        found.extend(along(board, piece, &squares));
                    }
                }
            }
            _ => found = orthodox(board, from, piece),
        }
        found
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        orthodox_pawn_moves(walker, from, piece, true)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && to.rank == last_rank(self.shape(), piece.color) { "GRN" } else { "" }
    }

    fn has_en_passant(&self) -> bool {
        true
    }
}

/// The squares of a path of these steps, up to the edge or to where it would meet itself.
fn path(board: &Board, from: Square, steps: &[Offset]) -> Vec<Square> {
    let mut path = Vec::new();
    let mut here = from;
    for step in steps {
        let Some(next) = board.shape().step(here, *step) else { break };
        if next == from || path.contains(&next) {
            break;
        }
        path.push(next);
        here = next;
    }
    path
}
