//! Fusion Chess, a game of this project: orthodox chess with cannons for queens, and men that fuse.

use crate::board::{Board, Man, Shape, Square};
use crate::castling::Castling;
use crate::game::Rules;
use crate::games::orthodox::{CHESS, last_rank, orthodox_pawn_moves};
use crate::games::ring_wildeurasian::hopping;
use crate::legal::Walker;
use crate::movement::{Deed, Move, ORTHOGONAL, line, orthodox};

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

    fn destinations(&self, board: &Board, from: Square, man: Man) -> Vec<Square> {
        let Some((one, other)) = parts(man.letter) else { return simple(board, from, man) };
        let mut found = simple(board, from, Man { letter: one, ..man });
        found.extend(simple(board, from, Man { letter: other, ..man }));
        found
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, man: Man) -> Vec<Move> {
        orthodox_pawn_moves(walker, from, man, true)
    }

    fn promotions(&self, man: Man, to: Square) -> &'static str {
        if man.letter == 'P' && to.rank == last_rank(self.shape(), man.color) { "RBNC" } else { "" }
    }

    /// A simple man joins a friend that it could take if the friend were an enemy; a part of a compound
    /// leaves it for an empty square.
    fn other_moves(&self, walker: &Walker, from: Square, man: Man) -> Vec<Move> {
        let board = &walker.board;
        let mut moves = Vec::new();
        if let Some((one, other)) = parts(man.letter) {
            for (leaver, stays) in [(one, other), (other, one)] {
                for to in simple(board, from, Man { letter: leaver, ..man }) {
                    if board.is_empty(to) {
                        let deed = Deed::Part { stays };
                        moves.push(Move { letter: Some(leaver), deed, ..Move::go(from, to) });
                    }
                }
            }
            return moves;
        }
        for to in simple(board, from, Man { color: man.color.enemy(), ..man }) {
            for (into, one, other) in COMPOUNDS {
                let friend = |letter| board.has_man(to, man.color, letter);
                if (man.letter == one && friend(other)) || (man.letter == other && friend(one)) {
                    moves.push(Move { deed: Deed::Fuse { into }, ..Move::go(from, to) });
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

/// The two parts of a compound; nothing for a simple man.
fn parts(letter: char) -> Option<(char, char)> {
    COMPOUNDS.iter().find(|(compound, ..)| *compound == letter).map(|(_, one, other)| (*one, *other))
}

/// The men of chess, and the cannon: it goes as a rook and takes over exactly one man.
fn simple(board: &Board, from: Square, man: Man) -> Vec<Square> {
    match man.letter {
        'C' => ORTHOGONAL.iter().flat_map(|d| hopping(board, man, &line(board, from, *d))).collect(),
        _ => orthodox(board, from, man),
    }
}
