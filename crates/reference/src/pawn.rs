//! Pawn moves that several games share: steps without capture, steps that only capture, en passant. The
//! steps themselves belong to the games.

use crate::board::{Offset, Piece, Square};
use crate::movement::{Move, MoveKind};
use crate::variant::Rules;
use crate::walker::Walker;

/// The moves of a piece to one square: one for each piece that it may promote to there, or the plain move where
/// it does not promote. Promotion is obligatory, so the plain move is not among the promotions.
pub(crate) fn with_promotions(rules: &dyn Rules, piece: Piece, from: Square, to: Square) -> Vec<Move> {
    let letters = rules.promotions(piece, to);
    if letters.is_empty() {
        return vec![Move::go(from, to)];
    }
    letters.chars().map(|letter| Move { letter: Some(letter), ..Move::go(from, to) }).collect()
}

/// Steps that may only be made to an empty square. The steps are given as this pawn makes them.
pub(crate) fn quiet(walker: &Walker, piece: Piece, from: Square, steps: &[Offset]) -> Vec<Move> {
    let mut moves = Vec::new();
    for step in steps {
        if let Some(to) = walker.board.shape().step(from, *step)
            && walker.board.is_empty(to)
        {
            moves.extend(with_promotions(walker.rules, piece, from, to));
        }
    }
    moves
}

/// Steps that may only be made by taking an enemy piece.
pub(crate) fn captures(walker: &Walker, piece: Piece, from: Square, steps: &[Offset]) -> Vec<Move> {
    let mut moves = Vec::new();
    for step in steps {
        if let Some(to) = walker.board.shape().step(from, *step)
            && walker.board.has(to, piece.color.enemy())
        {
            moves.extend(with_promotions(walker.rules, piece, from, to));
        }
    }
    moves
}

/// Two forward steps at once, both squares empty. The caller decides whether the pawn still has the
/// right to it.
pub(crate) fn double_step(walker: &Walker, from: Square, forward: Offset) -> Option<Move> {
    let crossed = walker.board.shape().step(from, forward)?;
    let to = walker.board.shape().step(crossed, forward)?;
    if walker.board.is_empty(crossed) && walker.board.is_empty(to) {
        return Some(Move { kind: MoveKind::DoubleStep { crossed }, ..Move::go(from, to) });
    }
    None
}

/// Directly after an enemy pawn's double step it may be captured on the square it crossed: it stands one of
/// its own forward steps beyond that square.
pub(crate) fn en_passant(
    walker: &Walker,
    piece: Piece,
    from: Square,
    capture_steps: &[Offset],
    enemy_forward: Offset,
) -> Option<Move> {
    let crossed = walker.en_passant?;
    let victim = walker.board.shape().step(crossed, enemy_forward)?;
    let reaches = capture_steps.iter().any(|step| walker.board.shape().step(from, *step) == Some(crossed));
    if piece.color == walker.to_move
        && reaches
        && walker.board.is_empty(crossed)
        && walker.board.has_piece(victim, piece.color.enemy(), 'P')
    {
        return Some(Move { kind: MoveKind::EnPassant { victim }, ..Move::go(from, crossed) });
    }
    None
}
