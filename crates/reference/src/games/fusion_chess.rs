//! Fusion Chess, a game of this project: orthodox chess with cannons for queens, and pieces that fuse.

use crate::board::{Board, Piece, Shape, Square};
use crate::castling::Castling;
use crate::games::orthodox::{CHESS, last_rank, orthodox_pawn_moves};
use crate::games::ring_wildeurasian::hopping;
use crate::movement::{Move, MoveKind, ORTHOGONAL, line, orthodox};
use crate::variant::Rules;
use crate::walker::Walker;

/// Every compound and its two parts.
const COMPOUNDS: [(char, char, char); 6] =
    [('Q', 'R', 'B'), ('M', 'R', 'N'), ('A', 'B', 'N'), ('J', 'C', 'N'), ('T', 'C', 'B'), ('I', 'R', 'C')];

/// Fusion Chess.
#[derive(Debug)]
pub(crate) struct FusionChess;

impl Rules for FusionChess {
    fn id(&self) -> &'static str {
        "fusionchess"
    }

    fn shape(&self) -> &'static Shape {
        CHESS.shape()
    }

    fn letters(&self) -> &'static str {
        "KQRBNCMAJTIP"
    }

    fn start_fens(&self) -> Vec<String> {
        vec!["rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1".into()]
    }

    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        let Some((one, other)) = parts(piece.letter) else { return simple(board, from, piece) };
        let mut found = simple(board, from, Piece { letter: one, ..piece });
        found.extend(simple(board, from, Piece { letter: other, ..piece }));
        found
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        orthodox_pawn_moves(walker, from, piece, true)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        if piece.letter == 'P' && to.rank == last_rank(self.shape(), piece.color) { "RBNC" } else { "" }
    }

    /// A simple piece joins a friend that it could take if the friend were an enemy; a part of a compound
    /// leaves it for an empty square.
    fn other_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        let board = &walker.board;
        let mut moves = Vec::new();
        if let Some((one, other)) = parts(piece.letter) {
            for (leaver, stays) in [(one, other), (other, one)] {
                for to in simple(board, from, Piece { letter: leaver, ..piece }) {
                    if board.is_empty(to) {
                        let kind = MoveKind::Part { stays };
                        moves.push(Move { letter: Some(leaver), kind, ..Move::go(from, to) });
                    }
                }
            }
            return moves;
        }
        for to in simple(board, from, Piece { color: piece.color.enemy(), ..piece }) {
            for (into, one, other) in COMPOUNDS {
                let has_partner = |letter| board.has_piece(to, piece.color, letter);
                if (piece.letter == one && has_partner(other)) || (piece.letter == other && has_partner(one))
                {
                    moves.push(Move { kind: MoveKind::Fuse { into }, ..Move::go(from, to) });
                }
            }
        }
        moves
    }

    fn castlings(&self) -> &'static [Castling] {
        CHESS.castlings()
    }

    fn has_en_passant(&self) -> bool {
        true
    }
}

/// The two parts of a compound; nothing for a simple piece.
fn parts(letter: char) -> Option<(char, char)> {
    COMPOUNDS.iter().find(|(compound, ..)| *compound == letter).map(|(_, one, other)| (*one, *other))
}

/// The pieces of chess, and the cannon: it goes as a rook and takes over exactly one piece.
fn simple(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    match piece.letter {
        'C' => ORTHOGONAL.iter().flat_map(|d| hopping(board, piece, &line(board, from, *d))).collect(),
        _ => orthodox(board, from, piece),
    }
}
