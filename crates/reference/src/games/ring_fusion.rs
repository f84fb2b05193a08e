//! Diamond Ring Fusion: two simple pieces may become one compound, and a compound may come apart again.

use crate::board::{Board, Piece, Shape, Square};
use crate::games::diamondring::{DiamondRing, START, TORUS, ring_destinations, ring_pawn_moves};
use crate::movement::{Move, MoveKind};
use crate::variant::Rules;
use crate::walker::Walker;

/// The letter of every compound and the two simple pieces it is made of.
const COMPOUNDS: [(char, [char; 2]); 17] = [
    ('Q', ['R', 'B']), // queen
    ('C', ['R', 'F']), // chatelaine
    ('I', ['R', 'E']), // infanta
    ('H', ['W', 'B']), // primate
    ('G', ['W', 'F']), // prince
    ('O', ['W', 'E']), // waffle
    ('U', ['D', 'B']), // inquisitor
    ('V', ['D', 'F']), // fezbaba
    ('A', ['D', 'E']), // alibaba
    ('M', ['R', 'N']), // marshal
    ('L', ['N', 'W']), // marshlander
    ('J', ['N', 'D']), // carpenter
    ('Z', ['W', 'D']), // wazbaba
    ('X', ['B', 'N']), // cardinal
    ('S', ['N', 'F']), // cardilander
    ('Y', ['N', 'E']), // kangaroo
    ('T', ['F', 'E']), // fearful
];

/// Diamond Ring Fusion.
#[derive(Debug)]
pub(crate) struct Fusion;

impl Rules for Fusion {
    fn id(&self) -> &'static str {
        "diamondring-fusion"
    }

    fn shape(&self) -> &'static Shape {
        &TORUS
    }

    fn letters(&self) -> &'static str {
        "KFWEDNRBPQCIHGOUVAMLJZXSYT"
    }

    fn start_fens(&self) -> Vec<String> {
        vec![START.into()]
    }

    /// A compound moves and captures as both its components.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square> {
        match components(piece.letter) {
            Some([one, other]) => {
                let as_one = ring_destinations(board, from, Piece { letter: one, ..piece });
                let as_other = ring_destinations(board, from, Piece { letter: other, ..piece });
                [as_one, as_other].concat()
            }
            None => ring_destinations(board, from, piece),
        }
    }

    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        ring_pawn_moves(walker, from, piece)
    }

    fn promotions(&self, piece: Piece, to: Square) -> &'static str {
        DiamondRing.promotions(piece, to)
    }

    /// Fusing and parting.
    fn other_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
        match components(piece.letter) {
            Some(pair) => partings(&walker.board, from, piece, pair),
            None => fusions(&walker.board, from, piece),
        }
    }
}

/// The two components of a compound; `None` for a simple piece.
fn components(letter: char) -> Option<[char; 2]> {
    COMPOUNDS.iter().find(|(compound, _)| *compound == letter).map(|(_, pair)| *pair)
}

/// The compound of two simple pieces, if the pair is listed. Kings, pawns and compounds are in no pair.
fn compound_of(one: char, other: char) -> Option<char> {
    let made_of = |pair: [char; 2]| pair == [one, other] || pair == [other, one];
    COMPOUNDS.iter().find(|(_, pair)| made_of(*pair)).map(|(compound, _)| *compound)
}

/// A simple piece may move onto a friendly simple piece, if the two make a compound.
fn fusions(board: &Board, from: Square, piece: Piece) -> Vec<Move> {
    // An enemy piece of the same kind on this square could take the friends that this piece can join.
    let reach = ring_destinations(board, from, Piece { color: piece.color.enemy(), ..piece });
    let mut moves = Vec::new();
    for to in reach {
        if let Some(partner) = board.get(to)
            && let Some(into) = compound_of(piece.letter, partner.letter)
        {
            moves.push(Move { kind: MoveKind::Fuse { into }, ..Move::go(from, to) });
        }
    }
    moves
}

/// A component may leave by its own move to an empty square; the other stays. The leaver's letter is written.
fn partings(board: &Board, from: Square, piece: Piece, [one, other]: [char; 2]) -> Vec<Move> {
    let mut moves = Vec::new();
    for (leaver, stays) in [(one, other), (other, one)] {
        for to in ring_destinations(board, from, Piece { letter: leaver, ..piece }) {
            if board.is_empty(to) {
                moves.push(Move {
                    letter: Some(leaver),
                    kind: MoveKind::Part { stays },
                    ..Move::go(from, to)
                });
            }
        }
    }
    moves
}
