//! Playing a move: a copy of the position is changed, the old one stays for undo.

use super::{Move, MoveKind, Position};
use crate::geometry::Square;
use crate::piece::{Color, Piece, Role};
use crate::setup::MAX_FULLMOVE;
use crate::variant::Rules;
use arrayvec::ArrayVec;

/// Is called for every piece that a move takes off or puts on the board, in order: the interface for an
/// evaluation that is updated move by move. `()` does not listen.
pub trait Observer {
    /// A piece leaves a square.
    fn lift(&mut self, piece: Piece, square: Square);
    /// A piece arrives on a square.
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
        let pawn = rules.info(piece).pawn;
        if pawn {
            after.halfmove_clock = 0;
        }
        match kind {
            MoveKind::Castling(number) => after.castle(rules, number, observer),
            MoveKind::EnPassant => {
                after.relocate(rules, piece, piece, from, to, observer);
                after.capture(rules, self.en_passant_pawn, observer);
            }
            MoveKind::Plain | MoveKind::Promotion(_) => {
                if self.colors[us.opponent()].contains(to) {
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
            after.drop_rights(rules, piece, from, to);
        }
        after.turn = us.opponent();
        after.key ^= rules.keys.black_to_move;
        after.count_move(us);
        if kind == MoveKind::Plain
            && rules.info(piece).en_passant
            && rules.info(piece).stride_or_trail_squares.contains(from)
            && let Some(stride) = rules.info(piece).strides[from].iter().find(|stride| stride.to == to)
        {
            after.set_en_passant(rules, us, stride.crossed, to);
            after.key ^= after.en_passant_key(rules);
        }
        after
    }

    /// The key of the position after a move, found without making it. It is right if a piece moves, captures
    /// or is promoted, and no right to castle, no en passant square and no initial move comes or goes with
    /// it. It serves for early look-ups.
    #[inline]
    #[must_use]
    pub fn likely_key_after(&self, rules: &Rules<N>, played: Move) -> u64 {
        let Move { from, to, kind } = played;
        let key = self.key ^ rules.keys.black_to_move;
        let Some(piece) = self.piece_at(from) else { return key };
        let becomes = match kind {
            MoveKind::Promotion(role) => Piece::new(self.turn, role),
            _ => piece,
        };
        let captured = self.piece_at(to).map_or(0, |captured| rules.info(captured).keys[to]);
        key ^ rules.info(piece).keys[from] ^ rules.info(becomes).keys[to] ^ captured
    }

    /// The position after the side to move passes: not a move of any game, but a tool of search.
    #[must_use]
    pub fn pass(&self, rules: &Rules<N>) -> Self {
        let mut after = *self;
        after.forget_en_passant(rules);
        after.turn = self.turn.opponent();
        after.key ^= rules.keys.black_to_move;
        after.halfmove_clock = self.halfmove_clock.saturating_add(1);
        after.count_move(self.turn);
        after
    }

    /// The number goes on after Black's move, up to the greatest that FEN has.
    #[inline]
    fn count_move(&mut self, us: Color) {
        self.fullmove_number = (self.fullmove_number + u32::from(us == Color::Black)).min(MAX_FULLMOVE);
    }

    #[inline]
    fn forget_en_passant(&mut self, rules: &Rules<N>) {
        if self.en_passant.is_some() {
            self.key ^= self.en_passant_key(rules);
            self.clear_en_passant();
        }
    }

    #[inline]
    fn clear_en_passant(&mut self) {
        self.en_passant = None;
        self.en_passant_pawn = Square::new(0);
        self.en_passant_ambiguous = false;
    }

    /// Notes that the piece on `pawn` has just crossed a square with a double step, if it can be captured there.
    pub(super) fn set_en_passant(&mut self, rules: &Rules<N>, color: Color, crossed: Square, pawn: Square) {
        self.en_passant = Some(crossed);
        self.en_passant_pawn = pawn;
        self.en_passant_ambiguous = rules.shared_crossings[color].contains(crossed)
            && self.double_steppers(rules, color, crossed).len() > 1;
        if self.en_passant_captures(rules).is_empty() {
            self.clear_en_passant();
        }
    }

    /// The pieces of a color that, to judge by the board, may just have crossed a square with a double step.
    pub(super) fn double_steppers(
        &self,
        rules: &Rules<N>,
        color: Color,
        crossed: Square,
    ) -> ArrayVec<Square, 8> {
        let mut found = ArrayVec::new();
        for step in rules.double_steps_across(color, crossed) {
            let stepped = self.piece_at(step.to).is_some_and(|piece| {
                let info = rules.info(piece);
                piece.color() == color && info.en_passant && info.initial.contains(step.from)
            });
            let left = self.piece_at(step.from).is_none() && self.piece_at(step.crossed).is_none();
            if stepped && left && !found.contains(&step.to) && !found.is_full() {
                found.push(step.to);
            }
        }
        found
    }

    /// The hash of the en passant square, and of the piece that crossed it where it could have been another one.
    pub(super) fn en_passant_key(&self, rules: &Rules<N>) -> u64 {
        let Some(crossed) = self.en_passant else { return 0 };
        let keys = &rules.keys.en_passant;
        let pawn = if self.en_passant_ambiguous { keys[self.en_passant_pawn].rotate_left(1) } else { 0 };
        keys[crossed] ^ pawn
    }

    /// Takes the enemy piece off `square`, which restarts the count.
    #[inline]
    fn capture(&mut self, rules: &Rules<N>, square: Square, observer: &mut impl Observer) {
        if let Some(captured) = self.piece_at(square) {
            observer.lift(captured, square);
            self.lift(rules, captured, square);
            self.unmark_moved(rules, square);
            self.halfmove_clock = 0;
        }
    }

    /// Moves a piece to an empty square, where it may become another.
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
        let king = &mut self.kings[piece.color()];
        if *king == from {
            *king = to;
        }
    }

    /// The piece on `from` joins the own piece on `to`.
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

    /// A piece with an initial move that arrives on a starting square of its kind has moved.
    #[inline]
    fn mark_moved(&mut self, rules: &Rules<N>, piece: Piece, square: Square) {
        if rules.info(piece).initial.contains(square) {
            self.moved.insert(square);
            self.key ^= rules.keys.moved[square];
        }
    }

    #[inline]
    fn unmark_moved(&mut self, rules: &Rules<N>, square: Square) {
        if self.moved.contains(square) {
            self.moved.remove(square);
            self.key ^= rules.keys.moved[square];
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
    fn drop_rights(&mut self, rules: &Rules<N>, piece: Piece, from: Square, to: Square) {
        let mut remaining = rules.rights_kept[from] & rules.rights_kept[to];
        if piece.role() == rules.royal {
            remaining &= !rules.king_rights[piece.color()];
        }
        let dropped = self.rights & !remaining;
        if dropped != 0 {
            self.rights &= remaining;
            for bit in (0..16).filter(|bit| dropped >> bit & 1 != 0) {
                self.key ^= rules.keys.rights[bit];
            }
        }
    }
}
