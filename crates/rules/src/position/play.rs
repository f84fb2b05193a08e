//! Playing a move: a copy of the position is changed, the old one stays for undo.

use super::{Color, Move, MoveKind, Piece, Position, Role};
use crate::geometry::Square;
use crate::variant::{Rules, Stride};

/// Told about every man that a move takes off or puts on the board, in order: the seam for an
/// evaluation that is updated move by move. `()` does not listen.
pub trait Observer {
    /// A man leaves a square.
    fn lift(&mut self, piece: Piece, square: Square);
    /// A man arrives on a square.
    fn put(&mut self, piece: Piece, square: Square);
}

impl Observer for () {
    #[inline]
    fn lift(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn put(&mut self, _: Piece, _: Square) {}
}

impl<const N: usize> Position<N> {
    /// The position after a legal move of this position.
    #[inline]
    #[must_use]
    pub fn play(&self, rules: &Rules<N>, played: Move) -> Self {
        self.play_observed(rules, played, &mut ())
    }

    /// As [`play`](Self::play), telling `observer` what changes on the board.
    #[inline]
    #[must_use]
    pub fn play_observed(&self, rules: &Rules<N>, played: Move, observer: &mut impl Observer) -> Self {
        let mut after = *self;
        let Move { from, to, kind } = played;
        let Some(piece) = self.piece_at(from) else { return after };
        let us = self.turn;
        after.forget_en_passant(rules);
        after.halfmove_clock = self.halfmove_clock.saturating_add(1);
        let pawn = rules.man(piece).pawn;
        if pawn {
            after.halfmove_clock = 0;
        }
        match kind {
            MoveKind::Castling(number) => after.castle(rules, number, observer),
            MoveKind::EnPassant => {
                after.relocate(rules, piece, piece, from, to, observer);
                if let Some(step) = rules.double_step_across(!us, to) {
                    after.capture(rules, step.to, observer);
                }
            }
            MoveKind::Plain | MoveKind::Promotion(_) => {
                if self.colors[(!us).index()].contains(to) {
                    after.capture(rules, to, observer);
                }
                let becomes = match kind {
                    MoveKind::Promotion(role) => Piece::new(us, role),
                    _ => piece,
                };
                after.relocate(rules, piece, becomes, from, to, observer);
            }
            MoveKind::Fuse => after.fuse(rules, piece, from, to, observer),
            MoveKind::Split(leaver) => after.split(rules, piece, leaver, from, to, observer),
        }
        if after.rights != 0 {
            after.drop_rights(rules, from, to);
        }
        after.turn = !us;
        after.key ^= rules.keys.black_to_move;
        after.fullmove_number += u32::from(us == Color::Black);
        if kind == MoveKind::Plain
            && rules.man(piece).en_passant
            && let Some(Stride { crossed, .. }) =
                rules.strides[rules.slot(piece, from)].filter(|stride| stride.to == to)
        {
            after.en_passant = Some(crossed);
            if !after.en_passant_captures(rules).is_empty() {
                after.en_passant_counts = true;
                after.key ^= rules.keys.en_passant[crossed.index()];
            }
        }
        after
    }

    /// The position after the side to move passes: not a move of any game, but a tool of search.
    #[must_use]
    pub fn pass(&self, rules: &Rules<N>) -> Self {
        let mut after = *self;
        after.forget_en_passant(rules);
        after.turn = !self.turn;
        after.key ^= rules.keys.black_to_move;
        after.halfmove_clock = self.halfmove_clock.saturating_add(1);
        after.fullmove_number += u32::from(self.turn == Color::Black);
        after
    }

    #[inline]
    fn forget_en_passant(&mut self, rules: &Rules<N>) {
        if let Some(crossed) = self.en_passant.take() {
            if self.en_passant_counts {
                self.key ^= rules.keys.en_passant[crossed.index()];
            }
            self.en_passant_counts = false;
        }
    }

    /// Takes the enemy man off `square`, which restarts the count.
    #[inline]
    fn capture(&mut self, rules: &Rules<N>, square: Square, observer: &mut impl Observer) {
        if let Some(captured) = self.piece_at(square) {
            observer.lift(captured, square);
            self.lift(rules, captured, square);
            self.unmark_moved(rules, square);
            self.halfmove_clock = 0;
        }
    }

    /// Moves a man to an empty square, where it may become another.
    #[inline]
    fn relocate(
        &mut self,
        rules: &Rules<N>,
        piece: Piece,
        becomes: Piece,
        from: Square,
        to: Square,
        observer: &mut impl Observer,
    ) {
        observer.lift(piece, from);
        self.lift(rules, piece, from);
        self.unmark_moved(rules, from);
        observer.put(becomes, to);
        self.put(rules, becomes, to);
        self.mark_moved(rules, becomes, to);
        let king = &mut self.kings[piece.color().index()];
        if *king == from {
            *king = to;
        }
    }

    /// The man on `from` joins the own man on `to`.
    #[inline(never)]
    fn fuse(
        &mut self,
        rules: &Rules<N>,
        piece: Piece,
        from: Square,
        to: Square,
        observer: &mut impl Observer,
    ) {
        let Some(joined) = self.piece_at(to) else { return };
        let Some(into) = rules.fusions.together(piece.role(), joined.role()) else { return };
        observer.lift(joined, to);
        self.lift(rules, joined, to);
        self.relocate(rules, piece, Piece::new(piece.color(), into), from, to, observer);
    }

    /// A part leaves the compound on `from` for the empty square `to`.
    #[inline(never)]
    fn split(
        &mut self,
        rules: &Rules<N>,
        piece: Piece,
        leaver: Role,
        from: Square,
        to: Square,
        observer: &mut impl Observer,
    ) {
        let Some(rest) = rules.fusions.rest(piece.role(), leaver) else { return };
        let (leaver, rest) = (Piece::new(piece.color(), leaver), Piece::new(piece.color(), rest));
        self.relocate(rules, piece, leaver, from, to, observer);
        observer.put(rest, from);
        self.put(rules, rest, from);
    }

    /// A man with an initial move that arrives on a starting square of its kind has moved.
    #[inline]
    fn mark_moved(&mut self, rules: &Rules<N>, piece: Piece, square: Square) {
        if rules.man(piece).initial.contains(square) {
            self.moved.insert(square);
            self.key ^= rules.keys.moved[square.index()];
        }
    }

    #[inline]
    fn unmark_moved(&mut self, rules: &Rules<N>, square: Square) {
        if self.moved.contains(square) {
            self.moved.remove(square);
            self.key ^= rules.keys.moved[square.index()];
        }
    }

    fn castle(&mut self, rules: &Rules<N>, number: u8, observer: &mut impl Observer) {
        let castling = &rules.castlings[usize::from(number)];
        let king = Piece::new(self.turn, rules.royal);
        observer.lift(castling.rook, castling.rook_from);
        self.lift(rules, castling.rook, castling.rook_from);
        self.unmark_moved(rules, castling.rook_from);
        self.relocate(rules, king, king, castling.king_from, castling.king_to, observer);
        observer.put(castling.rook, castling.rook_to);
        self.put(rules, castling.rook, castling.rook_to);
        self.mark_moved(rules, castling.rook, castling.rook_to);
    }

    #[inline]
    fn drop_rights(&mut self, rules: &Rules<N>, from: Square, to: Square) {
        let kept = rules.rights_kept[from.index()] & rules.rights_kept[to.index()];
        let dropped = self.rights & !kept;
        if dropped != 0 {
            self.rights &= kept;
            for bit in (0..16).filter(|bit| dropped >> bit & 1 != 0) {
                self.key ^= rules.keys.rights[bit];
            }
        }
    }
}
