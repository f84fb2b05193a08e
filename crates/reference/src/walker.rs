//! A position: the legal moves, the position after a move, and its status (goal, mate, stalemate, dead, check). Draws by
//! claim, count or repetition are not the walker's business. A move is legal when no enemy piece could take
//! the mover's king after it; there is no other test.

use std::collections::BTreeSet;

use crate::board::{Board, Color, Piece, Square};
use crate::movement::{Move, MoveKind};
use crate::variant::{Rules, moves_of_piece};

/// A position of a game, with everything that a FEN holds.
#[derive(Clone, Debug)]
pub struct Walker {
    pub(crate) rules: &'static dyn Rules,
    pub(crate) board: Board,
    pub(crate) to_move: Color,
    /// The castling rights that are left, as letters of the FEN.
    pub(crate) rights: Vec<char>,
    /// The square that a pawn crossed by a double step in the move before.
    pub(crate) en_passant: Option<Square>,
    /// The pawns that stand on a starting square of their color without being unmoved.
    pub(crate) moved_pawns: BTreeSet<Square>,
    /// Moves of either side since the last capture or pawn move.
    pub(crate) halfmove_clock: u32,
    /// The number of the move, counted up after Black's.
    pub(crate) move_number: u32,
}

impl Walker {
    /// The legal moves in long algebraic form (from, to, promotion letter in lower case; castling as the king
    /// goes), sorted, each once.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut texts: Vec<String> = self.legal().iter().map(Move::text).collect();
        texts.sort();
        texts
    }

    /// The position after a move in long algebraic form, or nothing where it is not legal.
    pub fn play(&self, mv: &str) -> Option<Walker> {
        self.legal().iter().find(|legal| legal.text() == mv).map(|legal| self.after(legal))
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        !self.attackers_of_king(self.to_move).is_empty()
    }

    /// The squares of the enemy pieces that attack the king of the side to move, sorted by name.
    pub fn checkers(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.attackers_of_king(self.to_move).iter().map(|square| square.name()).collect();
        names.sort();
        names
    }

    /// One of `goal`, `checkmate`, `stalemate`, `dead`, `check`, `ongoing`: the first that holds, in this
    /// order. A dead position still lists its legal moves.
    pub fn status(&self) -> &'static str {
        if self.is_won_by_goal() {
            return "goal";
        }
        match (self.legal().is_empty(), self.in_check()) {
            (true, true) => "checkmate",
            (true, false) => "stalemate",
            (false, _) if self.is_dead() => "dead",
            (false, true) => "check",
            (false, false) => "ongoing",
        }
    }

    /// Whether the side that has just moved has a piece on a square where that piece wins.
    pub(crate) fn is_won_by_goal(&self) -> bool {
        let winner = self.to_move.enemy();
        self.board
            .pieces()
            .into_iter()
            .any(|(square, piece)| piece.color == winner && self.rules.is_goal(piece, square))
    }

    /// Bare kings are a dead position in every game in which a bare king cannot win.
    fn is_dead(&self) -> bool {
        self.rules.bare_kings_are_dead() && self.board.pieces().iter().all(|(_, piece)| piece.letter == 'K')
    }

    /// The legal moves. A position won by goal has none.
    pub(crate) fn legal(&self) -> BTreeSet<Move> {
        if self.is_won_by_goal() {
            return BTreeSet::new();
        }
        self.pseudo_legal().into_iter().filter(|mv| self.leaves_king_safe(mv)).collect()
    }

    /// The pseudo-legal moves of the side to move: its king may be left in check. A set, because a piece on
    /// a board that wraps around may reach a square by two ways, and that is one move.
    fn pseudo_legal(&self) -> BTreeSet<Move> {
        let mut moves = BTreeSet::new();
        for (from, piece) in self.board.pieces() {
            if piece.color == self.to_move {
                moves.extend(moves_of_piece(self, from, piece));
            }
        }
        moves.extend(self.rules.castling_moves(self));
        moves
    }

    /// A move may not leave one's own king attacked.
    fn leaves_king_safe(&self, mv: &Move) -> bool {
        self.after(mv).attackers_of_king(self.to_move).is_empty()
    }

    /// The squares of the enemy pieces that could take the king of a color, were it their turn.
    pub(crate) fn attackers_of_king(&self, color: Color) -> Vec<Square> {
        let Some(king) = self.board.king(color) else { return Vec::new() };
        let mut attackers = Vec::new();
        for (from, piece) in self.board.pieces() {
            if piece.color != color && moves_of_piece(self, from, piece).iter().any(|mv| mv.to == king) {
                attackers.push(from);
            }
        }
        attackers
    }

    /// The position after a move that one of this side's pieces can make.
    pub(crate) fn after(&self, mv: &Move) -> Walker {
        let mut next = self.clone();
        next.en_passant = None;
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if let Some(piece) = self.board.get(mv.from) {
            next.carry_out(mv, piece);
            next.forget_rights(mv);
            next.remember_moved_pawns(mv, piece);
            let captures = self.board.has(mv.to, piece.color.enemy());
            if piece.letter == 'P' || captures {
                next.halfmove_clock = 0;
            }
        }
        if self.to_move == Color::Black {
            next.move_number = self.move_number.saturating_add(1);
        }
        next.to_move = self.to_move.enemy();
        next
    }

    /// Moves the pieces on the board.
    fn carry_out(&mut self, mv: &Move, piece: Piece) {
        let becomes = |letter| Some(Piece { color: piece.color, letter });
        self.board.set(mv.from, None);
        match mv.kind {
            MoveKind::Go => self.board.set(mv.to, becomes(mv.letter.unwrap_or(piece.letter))),
            MoveKind::DoubleStep { crossed } => {
                self.board.set(mv.to, Some(piece));
                self.en_passant = Some(crossed);
            }
            MoveKind::EnPassant { victim } => {
                self.board.set(victim, None);
                self.board.set(mv.to, Some(piece));
            }
            MoveKind::Castle { rook_from, rook_to } => {
                self.board.set(rook_from, None);
                self.board.set(mv.to, Some(piece));
                self.board.set(rook_to, becomes('R'));
            }
            MoveKind::Fuse { into } => self.board.set(mv.to, becomes(into)),
            MoveKind::Part { stays } => {
                self.board.set(mv.from, becomes(stays));
                self.board.set(mv.to, becomes(mv.letter.unwrap_or(piece.letter)));
            }
        }
    }

    /// A castling right is gone as soon as its king or rook leaves its square or is taken on it.
    fn forget_rights(&mut self, mv: &Move) {
        for castling in self.rules.castlings() {
            let homes = [castling.king.0, castling.rook.0];
            if homes.contains(&mv.from) || homes.contains(&mv.to) {
                self.rights.retain(|right| *right != castling.right);
            }
        }
    }

    /// A pawn that has moved onto a starting square of its color has moved, and has no double step there.
    fn remember_moved_pawns(&mut self, mv: &Move, piece: Piece) {
        if piece.letter == 'P' && self.rules.is_remembered_pawn_square(piece.color, mv.to) {
            self.moved_pawns.insert(mv.to);
        }
        let board = &self.board;
        let rules = self.rules;
        self.moved_pawns.retain(|square| {
            board.get(*square).is_some_and(|piece| {
                piece.letter == 'P' && rules.is_remembered_pawn_square(piece.color, *square)
            })
        });
    }
}
