//! The rules of a game as the walker queries them ([`Rules`]). Not here: the games (`games`).

use std::fmt::Debug;

use crate::board::{Board, Color, Piece, Shape, Square};
use crate::castling::{Castling, fide_castling};
use crate::movement::Move;
use crate::pawn::with_promotions;
use crate::walker::Walker;

/// The rules of one game, as queries of the walker. The default methods hold for most games.
pub(crate) trait Rules: Debug + Sync {
    /// The id, as on the command line.
    fn id(&self) -> &'static str;

    /// The board.
    fn shape(&self) -> &'static Shape;

    /// The capital letters of the pieces of the game.
    fn letters(&self) -> &'static str;

    /// The positions in which a game may begin, the usual one first.
    fn start_fens(&self) -> Vec<String>;

    /// The squares that a piece other than a pawn could go to or take on, the safety of its king left aside.
    fn destinations(&self, board: &Board, from: Square, piece: Piece) -> Vec<Square>;

    /// The moves of a pawn, the safety of its king left aside.
    fn pawn_moves(&self, walker: &Walker, from: Square, piece: Piece) -> Vec<Move>;

    /// The promotion choices of a piece that arrives on a square, as capital letters; empty where it does not promote.
    fn promotions(&self, piece: Piece, to: Square) -> &'static str;

    /// Moves besides those by movement and capture: only games with fusing have them.
    fn other_moves(&self, _walker: &Walker, _from: Square, _piece: Piece) -> Vec<Move> {
        Vec::new()
    }

    /// The castlings that need a right of the FEN.
    fn castlings(&self) -> &'static [Castling] {
        &[]
    }

    /// The castling moves of the side to move; that it may not end in check is tested later.
    fn castling_moves(&self, walker: &Walker) -> Vec<Move> {
        let own = self.castlings().iter().filter(|castling| castling.color == walker.to_move);
        own.filter_map(|castling| fide_castling(walker, castling)).collect()
    }

    /// Whether pawns of this game may make a double step, so that the FEN may name an en passant target.
    fn has_en_passant(&self) -> bool {
        false
    }

    /// Whether a pawn that arrives here by moving must be recorded as moved, because unmoved pawns of its
    /// color begin the game here (Double Diamond's seventh FEN field).
    fn is_remembered_pawn_square(&self, _color: Color, _square: Square) -> bool {
        false
    }

    /// Whether a piece that arrives here wins at once.
    fn is_goal(&self, _piece: Piece, _square: Square) -> bool {
        false
    }

    /// Whether two bare kings are a dead position. They are in every game where a bare king cannot win.
    fn bare_kings_are_dead(&self) -> bool {
        true
    }
}

/// All moves of a piece but castling, the safety of its king left aside.
pub(crate) fn moves_of_piece(walker: &Walker, from: Square, piece: Piece) -> Vec<Move> {
    let rules = walker.rules;
    if piece.letter == 'P' {
        return rules.pawn_moves(walker, from, piece);
    }
    let mut moves = Vec::new();
    for to in rules.destinations(&walker.board, from, piece) {
        moves.extend(with_promotions(rules, piece, from, to));
    }
    moves.extend(rules.other_moves(walker, from, piece));
    moves
}

/// The rules of one game.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    pub(crate) rules: &'static dyn Rules,
}

impl Variant {
    /// The id of this game.
    pub fn id(&self) -> &'static str {
        self.rules.id()
    }

    /// The positions in which this game may begin, the usual one first.
    pub fn start_fens(&self) -> Vec<String> {
        self.rules.start_fens()
    }
}
