//! Castling under FIDE's conditions: neither piece has moved, nothing stands between them, and the king does not
//! castle out of, through or into check. Diamondback's castling, which asks for less, is in its own file.

use crate::board::{Color, Square};
use crate::movement::{Move, MoveKind, line, piece};
use crate::walker::Walker;

/// One castling of one side.
#[derive(Debug)]
pub(crate) struct Castling {
    /// The letter of the right in the FEN.
    pub(crate) right: char,
    /// The side that castles.
    pub(crate) color: Color,
    /// Where the king stands before and after.
    pub(crate) king: (Square, Square),
    /// Where the rook stands before and after.
    pub(crate) rook: (Square, Square),
}

/// The castling as a move, if the right to it is left and its conditions hold. That the king may not end in
/// check is seen to where every move is tested for it.
pub(crate) fn fide_castling(walker: &Walker, castling: &Castling) -> Option<Move> {
    let (king_from, king_to) = castling.king;
    let (rook_from, rook_to) = castling.rook;
    let board = &walker.board;
    if !walker.rights.contains(&castling.right)
        || !board.has_piece(king_from, castling.color, 'K')
        || !board.has_piece(rook_from, castling.color, 'R')
    {
        return None;
    }
    let nothing_between = squares_between(walker, king_from, rook_from).iter().all(|s| board.is_empty(*s));
    if !nothing_between {
        return None;
    }
    let mut squares = vec![king_from];
    squares.extend(squares_between(walker, king_from, king_to));
    if squares.iter().any(|square| king_would_be_attacked(walker, castling, *square)) {
        return None;
    }
    Some(Move { kind: MoveKind::Castle { rook_from, rook_to }, ..Move::go(king_from, king_to) })
}

/// The squares strictly between two squares of one file or rank.
fn squares_between(walker: &Walker, from: Square, to: Square) -> Vec<Square> {
    let direction = ((to.file - from.file).signum(), (to.rank - from.rank).signum());
    line(&walker.board, from, direction).into_iter().take_while(|square| *square != to).collect()
}

/// Whether an enemy piece could take the king if it stood on a square of its way.
fn king_would_be_attacked(walker: &Walker, castling: &Castling, square: Square) -> bool {
    let mut after = walker.clone();
    after.board.set(castling.king.0, None);
    after.board.set(square, Some(piece(castling.color, 'K')));
    !after.attackers_of_king(castling.color).is_empty()
}
