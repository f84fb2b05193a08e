//! Legal moves, one generator for all games. `safety` computes where pieces may end for the King's sake, `trail_safety`
//! also against pieces that capture along trails; fusing and splitting are in `fusing`.

use super::safety::KingSafety;
use super::trail_safety::TrailSafety;
use super::{Move, MoveKind, Position};
use crate::geometry::{Square, SquareSet};
use crate::piece::{Piece, Role, RoleSet};
use crate::variant::sliders::LineKind;
use crate::variant::{Castling, Occupancy, Rules};
use arrayvec::ArrayVec;

/// A receiver of legal moves, which counts, lists or orders them.
pub trait Sink<const N: usize> {
    /// The piece on `from` may go to each of `targets`, without promotion.
    fn targets(&mut self, from: Square, targets: SquareSet<N>);
    /// The piece on `from` may go to `to` and become any of `choices`, at least one.
    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet);
    /// A castling, an en passant capture, a fusion or a split.
    fn special(&mut self, special: Move);
    /// The piece on `from` may join the own piece on each of `targets`.
    #[inline]
    fn fusions(&mut self, from: Square, targets: SquareSet<N>) {
        targets.into_iter().for_each(|to| self.special(Move { from, to, kind: MoveKind::Fuse }));
    }
    /// This part of the compound on `from` may leave it for each of `targets`.
    #[inline]
    fn splits(&mut self, from: Square, leaver: Role, targets: SquareSet<N>) {
        targets.into_iter().for_each(|to| self.special(Move { from, to, kind: MoveKind::Split(leaver) }));
    }
}

/// Counts moves without making a list.
pub(crate) struct Count(pub(crate) u64);

impl<const N: usize> Sink<N> for Count {
    #[inline]
    fn targets(&mut self, _: Square, targets: SquareSet<N>) {
        self.0 += u64::from(targets.len());
    }
    #[inline]
    fn promotions(&mut self, _: Square, _: Square, choices: RoleSet) {
        self.0 += u64::from(choices.len());
    }
    #[inline]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
    #[inline]
    fn fusions(&mut self, _: Square, targets: SquareSet<N>) {
        self.0 += u64::from(targets.len());
    }
    #[inline]
    fn splits(&mut self, _: Square, _: Role, targets: SquareSet<N>) {
        self.0 += u64::from(targets.len());
    }
}

/// Passes on captures and promotions.
struct NoisyOnly<'a, S, const N: usize> {
    enemy: SquareSet<N>,
    sink: &'a mut S,
}

impl<S: Sink<N>, const N: usize> Sink<N> for NoisyOnly<'_, S, N> {
    fn targets(&mut self, from: Square, targets: SquareSet<N>) {
        self.sink.targets(from, targets & self.enemy);
    }
    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
        self.sink.promotions(from, to, choices);
    }
    fn special(&mut self, special: Move) {
        if special.kind == MoveKind::EnPassant {
            self.sink.special(special);
        }
    }
}

impl<const N: usize> Sink<N> for Vec<Move> {
    #[inline]
    fn targets(&mut self, from: Square, targets: SquareSet<N>) {
        targets.into_iter().for_each(|to| self.push(Move::plain(from, to)));
    }
    #[inline]
    fn promotions(&mut self, from: Square, to: Square, choices: RoleSet) {
        self.extend(choices.iter().map(|role| Move { from, to, kind: MoveKind::Promotion(role) }));
    }
    #[inline]
    fn special(&mut self, special: Move) {
        self.push(special);
    }
}

impl<const N: usize> Position<N> {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self, rules: &Rules<N>) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.generate(rules, &mut moves);
        moves
    }

    /// How many legal moves there are.
    #[must_use]
    pub fn count_moves(&self, rules: &Rules<N>) -> u64 {
        let mut count = Count(0);
        self.generate(rules, &mut count);
        count.0
    }

    /// Whether there is no legal move. Stops at the first piece that has one.
    #[must_use]
    pub fn has_no_move(&self, rules: &Rules<N>) -> bool {
        if rules.needs_trail_safety || self.is_won_by_goal(rules) {
            return self.count_moves(rules) == 0;
        }
        let mut count = Count(0);
        let safety = self.safety(rules);
        if !safety.king_must_move() {
            let mut pieces = self.own();
            pieces.remove(self.king(self.turn));
            for from in pieces {
                let Some(piece) = self.piece_at(from) else { continue };
                let targets = self.targets(rules, piece, from) & safety.allowed(from);
                self.emit::<false>(rules, piece, from, targets, &mut count);
                if count.0 > 0 {
                    return false;
                }
            }
        }
        self.king_moves::<false>(rules, &mut count);
        self.special_moves::<false>(rules, safety.check, &mut count);
        count.0 == 0
    }

    /// Gives every legal move to `sink`, each exactly once; none in a position won by goal.
    #[inline]
    pub fn generate(&self, rules: &Rules<N>, sink: &mut impl Sink<N>) {
        self.generate_some::<false>(rules, sink);
    }

    /// Gives every legal move that changes the material by capture or promotion to `sink`, in the same order as
    /// [`generate`](Self::generate).
    #[inline]
    pub fn generate_noisy(&self, rules: &Rules<N>, sink: &mut impl Sink<N>) {
        self.generate_some::<true>(rules, sink);
    }

    #[inline(always)]
    fn generate_some<const NOISY: bool>(&self, rules: &Rules<N>, sink: &mut impl Sink<N>) {
        if self.is_won_by_goal(rules) {
            return;
        }
        if rules.needs_trail_safety {
            if NOISY {
                self.generate_with_trails(rules, &mut NoisyOnly { enemy: self.enemy(), sink });
            } else {
                self.generate_with_trails(rules, sink);
            }
            return;
        }
        let safety = self.safety(rules);
        self.king_moves::<NOISY>(rules, sink);
        if !safety.king_must_move() {
            self.piece_moves::<NOISY>(rules, &safety, sink);
        }
        self.special_moves::<NOISY>(rules, safety.check, sink);
    }

    /// The same in games with pieces that capture along trails, or that fuse. Never inlined: the other
    /// games should not pay for its size.
    #[inline(never)]
    fn generate_with_trails(&self, rules: &Rules<N>, sink: &mut impl Sink<N>) {
        let mut trail_safety = TrailSafety::new(self.safety(rules));
        if self.narrow_by_trails(rules, &mut trail_safety).is_err() {
            self.generate_by_making(rules, sink);
            return;
        }
        self.king_moves::<false>(rules, sink);
        if !trail_safety.king_must_move() {
            self.piece_moves::<false>(rules, &trail_safety, sink);
            if !rules.fusions.is_empty() {
                self.fusing_moves(rules, &trail_safety, sink);
            }
        }
        self.special_moves::<false>(rules, trail_safety.check(), sink);
    }

    #[inline]
    fn king_moves<const NOISY: bool>(&self, rules: &Rules<N>, sink: &mut impl Sink<N>) {
        let from = self.king(self.turn);
        let Some(piece) = self.piece_at(from) else { return };
        let mut targets = self.targets(rules, piece, from);
        if NOISY {
            targets &= self.enemy() | rules.info(piece).promotes;
        }
        let mut lifted = self.occupied();
        lifted.remove(from);
        let mut safe = SquareSet::EMPTY;
        targets
            .into_iter()
            .for_each(|to| safe.insert_if(to, !self.is_attacked(rules, to, self.turn.opponent(), lifted)));
        self.emit::<NOISY>(rules, piece, from, safe, sink);
    }

    /// Moves of all pieces but the King, castling and en passant apart; `NOISY` leaves out those to empty squares without
    /// promotion.
    #[inline]
    fn piece_moves<const NOISY: bool>(
        &self,
        rules: &Rules<N>,
        safety: &impl KingSafety<N>,
        sink: &mut impl Sink<N>,
    ) {
        let (own, enemy) = (self.own(), self.enemy());
        let occupied = own | enemy;
        let empty = !occupied;
        let mut pieces = own;
        pieces.remove(self.king(self.turn));
        let [orthogonal, diagonal] = self.sliders;
        pieces.without(orthogonal | diagonal).into_iter().for_each(|from| {
            let Some(piece) = self.piece_at(from) else { return };
            let info = rules.info(piece);
            let leaps = &info.leaps[from];
            let mut targets = leaps.capture & enemy;
            if !NOISY {
                targets |= leaps.quiet & empty;
            } else if !info.promotes.is_empty() {
                targets |= leaps.quiet & empty & info.promotes;
            }
            if info.stride_or_trail_squares.contains(from) {
                let occupancy = Occupancy { occupied, enemy };
                targets |= rules.stride_and_trail_targets(piece, from, occupancy, self.moved);
            }
            self.emit::<NOISY>(rules, piece, from, targets & safety.allowed(from), sink);
        });
        (pieces & (orthogonal | diagonal)).into_iter().for_each(|from| {
            let Some(piece) = self.piece_at(from) else { return };
            let info = rules.info(piece);
            let wanted = enemy | info.promotes;
            let reaches = |lines| !NOISY || rules.sliders.reach(from, lines).meets(wanted);
            let mut targets = SquareSet::EMPTY;
            if info.orthogonal && reaches(LineKind::Orthogonal) {
                targets |= rules.sliders.attacks(from, LineKind::Orthogonal, occupied);
            }
            if info.diagonal && reaches(LineKind::Diagonal) {
                targets |= rules.sliders.attacks(from, LineKind::Diagonal, occupied);
            }
            targets = targets.without(own);
            if info.leaps_at_all {
                let leaps = &info.leaps[from];
                targets |= (leaps.quiet & empty) | (leaps.capture & enemy);
            }
            if info.stride_or_trail_squares.contains(from) {
                let occupancy = Occupancy { occupied, enemy };
                targets |= rules.stride_and_trail_targets(piece, from, occupancy, self.moved);
            }
            if NOISY {
                targets &= wanted;
            }
            self.emit::<NOISY>(rules, piece, from, targets & safety.allowed(from), sink);
        });
    }

    /// Everywhere a piece may go if the King's safety did not matter.
    #[inline]
    pub(crate) fn targets(&self, rules: &Rules<N>, piece: Piece, from: Square) -> SquareSet<N> {
        rules.targets(
            piece,
            from,
            self.pieces(piece.color()),
            self.pieces(piece.color().opponent()),
            self.moved,
        )
    }

    /// Splits off the targets where the piece is promoted; `NOISY` leaves out the empty ones where it is not.
    #[inline(always)]
    fn emit<const NOISY: bool>(
        &self,
        rules: &Rules<N>,
        piece: Piece,
        from: Square,
        targets: SquareSet<N>,
        sink: &mut impl Sink<N>,
    ) {
        let info = rules.info(piece);
        let wanted = |targets: SquareSet<N>| if NOISY { targets & self.enemy() } else { targets };
        let promoted = targets & info.promotes;
        if promoted.is_empty() {
            sink.targets(from, wanted(targets));
            return;
        }
        // A piece that may stay what it is declines by a move without promotion.
        sink.targets(from, wanted(targets.without(promoted.without(info.declines))));
        for to in promoted {
            let choices = info.choices[to];
            if !choices.is_empty() {
                sink.promotions(from, to, choices);
            }
        }
    }

    #[inline]
    fn special_moves<const NOISY: bool>(&self, rules: &Rules<N>, check: bool, sink: &mut impl Sink<N>) {
        if self.en_passant.is_some() {
            for capture in self.en_passant_captures(rules) {
                sink.special(capture);
            }
        }
        if NOISY {
            return;
        }
        for (number, castling) in rules.castlings.iter().enumerate() {
            if castling.color == self.turn && self.may_castle(rules, castling, check) {
                let kind = MoveKind::Castling(number as u8);
                sink.special(Move { from: castling.king_from, to: castling.king_to, kind });
            }
        }
    }

    /// The legal en passant captures. Rare, so each is made and looked at.
    pub(crate) fn en_passant_captures(&self, rules: &Rules<N>) -> ArrayVec<Move, 16> {
        let mut captures = ArrayVec::new();
        let Some(to) = self.en_passant else { return captures };
        for from in rules.leap_attackers[self.turn][to] & self.own() {
            let captures_there = self.piece_at(from).is_some_and(|piece| {
                rules.info(piece).en_passant && rules.leaps(piece, from).capture.contains(to)
            });
            let capture = Move { from, to, kind: MoveKind::EnPassant };
            if captures_there && self.is_safe_after(rules, capture) && !captures.is_full() {
                captures.push(capture);
            }
        }
        captures
    }

    fn may_castle(&self, rules: &Rules<N>, castling: &Castling<N>, check: bool) -> bool {
        let occupied = self.occupied();
        let mut lifted = occupied;
        lifted.remove(castling.king_from);
        self.king(self.turn) == castling.king_from
            && castling.right.is_none_or(|right| self.rights & right != 0)
            && self.piece_at(castling.rook_from) == Some(castling.rook)
            && !castling.empty.meets(occupied)
            && (castling.out_of_check || !check)
            && castling
                .safe
                .into_iter()
                .all(|square| !self.is_attacked(rules, square, self.turn.opponent(), lifted))
            && self.king_is_safe_castled(rules, castling)
    }

    fn king_is_safe_castled(&self, rules: &Rules<N>, castling: &Castling<N>) -> bool {
        let mut after = *self;
        let king = Piece::new(self.turn, rules.royal);
        after.lift(rules, king, castling.king_from);
        after.lift(rules, castling.rook, castling.rook_from);
        after.put(rules, king, castling.king_to);
        after.put(rules, castling.rook, castling.rook_to);
        !after.is_attacked(rules, castling.king_to, self.turn.opponent(), after.occupied())
    }

    /// Whether the mover's King is not attacked after a pseudo-legal move.
    fn is_safe_after(&self, rules: &Rules<N>, candidate: Move) -> bool {
        let after = self.play(rules, candidate);
        !after.is_attacked(rules, after.king(self.turn), after.turn, after.occupied())
    }

    /// Tries each pseudo-legal move: for positions in which too many things at once depend on which
    /// piece leaves a square.
    fn generate_by_making(&self, rules: &Rules<N>, sink: &mut impl Sink<N>) {
        for from in self.own() {
            let Some(piece) = self.piece_at(from) else { continue };
            let safe = |targets: SquareSet<N>, kind: MoveKind| -> SquareSet<N> {
                let safe = |&to: &Square| self.is_safe_after(rules, Move { from, to, kind });
                targets.into_iter().filter(safe).collect()
            };
            let targets = safe(self.targets(rules, piece, from), MoveKind::Plain);
            self.emit::<false>(rules, piece, from, targets, sink);
            if piece.role() == rules.royal {
                continue;
            }
            sink.fusions(from, safe(self.fusion_targets(rules, piece, from), MoveKind::Fuse));
            for (leaver, targets) in self.split_targets(rules, piece, from) {
                sink.splits(from, leaver, safe(targets, MoveKind::Split(leaver)));
            }
        }
        self.special_moves::<false>(rules, self.is_check(rules), sink);
    }
}
