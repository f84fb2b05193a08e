//! Attacks and legal moves of a position of four.

use super::MultiPosition;
use crate::geometry::{Square, SquareSet};
use crate::piece::Role;
use crate::position::{Move, MoveKind};
use crate::seat::{OwnedPiece, Seat};
use crate::variant::MultiRules;
use crate::variant::sliders::LineKind;
use core::ops::ControlFlow;

const LINES: [LineKind; 2] = [LineKind::Orthogonal, LineKind::Diagonal];

impl<const N: usize> MultiPosition<N> {
    /// Whether the King of this player is attacked by a living player who is hostile.
    #[must_use]
    pub fn is_attacked(&self, rules: &MultiRules<N>, seat: Seat) -> bool {
        self.is_attacked_on(rules, seat, self.kings[seat], self.occupied(), SquareSet::EMPTY)
    }

    /// Whether this enemy alone could capture a player's King.
    pub(super) fn is_attacked_by(&self, rules: &MultiRules<N>, seat: Seat, enemy: Seat) -> bool {
        let others = self.living.iter().filter(|other| *other != enemy);
        let gone = others.fold(SquareSet::EMPTY, |gone, other| gone | self.pieces[other]);
        self.is_attacked_on(rules, seat, self.kings[seat], self.occupied(), gone)
    }

    /// Whether a living player who is hostile to this one could capture on `target` if `occupied` squares block and what
    /// stood on `gone` is captured. Only pieces on occupied squares count.
    fn is_attacked_on(
        &self,
        rules: &MultiRules<N>,
        seat: Seat,
        target: Square,
        occupied: SquareSet<N>,
        gone: SquareSet<N>,
    ) -> bool {
        self.enemies(rules, seat).iter().any(|enemy| {
            let (tables, color) = rules.of(enemy);
            let pieces = (self.pieces[enemy] & occupied).without(gone);
            let piece = |from| self.piece_at(from).map(|piece| rules.piece(enemy, piece.role).1);
            (tables.leap_attackers[color][target] & pieces).into_iter().any(|from| {
                piece(from).is_some_and(|piece| tables.leaps(piece, from).capture.contains(target))
            }) || LINES.into_iter().zip(self.sliders).any(|(lines, sliders)| {
                let sliders = sliders & pieces;
                tables.sliders.reach(target, lines).meets(sliders)
                    && tables.sliders.attacks(target, lines, occupied).meets(sliders)
            }) || (tables.trail_captures
                && (tables.capture_paths.attackers(color, target) & pieces).into_iter().any(|from| {
                    let (victim, none) = (SquareSet::of(target), SquareSet::EMPTY);
                    let captures =
                        |piece| tables.captures(piece, from, occupied.without(victim), victim, none);
                    piece(from).is_some_and(|piece| captures(piece).contains(target))
                }))
        })
    }

    /// Whether a living player who is hostile to this one could capture on a square, as if this player's piece stood there.
    #[must_use]
    pub fn could_be_captured(&self, rules: &MultiRules<N>, seat: Seat, square: Square) -> bool {
        let occupied = self.occupied() | SquareSet::of(square);
        self.is_attacked_on(rules, seat, square, occupied, SquareSet::of(square))
    }

    /// Calls a function with each piece of a player and the squares that it could go to on the turn, whether or not the King is
    /// safe then.
    pub fn for_each_reach(
        &self,
        rules: &MultiRules<N>,
        seat: Seat,
        mut found: impl FnMut(Square, Role, SquareSet<N>),
    ) {
        let victims = self.victims(rules, seat);
        let blocked = self.occupied().without(victims);
        for from in self.pieces[seat] {
            let Some(OwnedPiece { role, .. }) = self.piece_at(from) else { continue };
            let (tables, piece) = rules.piece(seat, role);
            found(from, role, tables.targets(piece, from, blocked, victims, SquareSet::EMPTY));
        }
    }

    /// All legal moves, in no particular order; none when the game is decided.
    #[must_use]
    pub fn legal_moves(&self, rules: &MultiRules<N>) -> Vec<Move> {
        self.moves_to(rules, None)
    }

    /// The legal moves that capture or promote, in no particular order.
    #[must_use]
    pub fn forcing_moves(&self, rules: &MultiRules<N>) -> Vec<Move> {
        self.moves_to(rules, Some(self.victims(rules, self.turn)))
    }

    /// All legal moves, or only promotions and the moves to some squares.
    fn moves_to(&self, rules: &MultiRules<N>, squares: Option<SquareSet<N>>) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        if !self.is_decided(rules) {
            let _ = self.each_move(rules, self.turn, squares, |legal| {
                moves.push(legal);
                ControlFlow::Continue(())
            });
        }
        moves
    }

    /// Whether this player has a legal move, or would have one on the turn.
    pub(super) fn has_move(&self, rules: &MultiRules<N>, seat: Seat) -> bool {
        self.each_move(rules, seat, None, |_| ControlFlow::Break(())).is_break()
    }

    /// Calls a function with each legal move that a player has or would have on the turn, until it breaks; with `squares` only
    /// with promotions and the moves there.
    fn each_move(
        &self,
        rules: &MultiRules<N>,
        seat: Seat,
        squares: Option<SquareSet<N>>,
        mut found: impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (tables, _) = rules.of(seat);
        let (king, occupied, own) = (self.kings[seat], self.occupied(), self.pieces[seat]);
        let check = self.is_attacked(rules, seat);
        // Of the own pieces only those that the King sees along a line can uncover it there.
        let seen = LINES.into_iter().map(|lines| tables.sliders.attacks(king, lines, occupied));
        let shields = own & seen.fold(SquareSet::EMPTY, |all, seen| all | seen);
        let victims = self.victims(rules, seat);
        let blocked = occupied.without(victims);
        let enemies = self.enemies(rules, seat).iter().filter_map(|enemy| self.offers[enemy]);
        let crossed: SquareSet<N> = enemies.map(|offer| offer.crossed).collect();
        if squares.is_none() {
            self.each_castling(rules, seat, check, &mut found)?;
        }
        for from in own {
            let Some(piece) = self.piece_at(from) else { continue };
            let (_, piece) = rules.piece(seat, piece.role);
            let info = tables.info(piece);
            let targets = tables.targets(piece, from, blocked, victims, SquareSet::EMPTY);
            // Where it captures in passing, perhaps together with a piece that stands there.
            let passing = if info.en_passant {
                (tables.leaps(piece, from).capture & crossed).without(blocked)
            } else {
                SquareSet::EMPTY
            };
            let targets = targets | passing;
            let targets = squares.map_or(targets, |squares| targets & (squares | info.promotes | passing));
            let needs_test = check || from == king || tables.trail_captures || shields.contains(from);
            for to in targets {
                let takes = passing.contains(to);
                if needs_test || takes {
                    let mut after = occupied | SquareSet::of(to);
                    after.remove(from);
                    if takes {
                        after = after.without(self.offered(rules, seat, to));
                    }
                    let safe = if from == king { to } else { king };
                    if self.is_attacked_on(rules, seat, safe, after, SquareSet::of(to)) {
                        continue;
                    }
                }
                if info.promotes.contains(to) {
                    for role in info.choices[to].iter() {
                        found(Move { from, to, kind: MoveKind::Promotion(role) })?;
                    }
                    if !info.declines.contains(to) {
                        continue;
                    }
                }
                let kind = if takes { MoveKind::EnPassant } else { MoveKind::Plain };
                found(Move { from, to, kind })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls a function with each legal castling of a player, until it breaks.
    fn each_castling(
        &self,
        rules: &MultiRules<N>,
        seat: Seat,
        check: bool,
        found: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let occupied = self.occupied();
        for (number, (owner, castling)) in rules.castlings.iter().enumerate() {
            let (from, to) = (castling.king_from, castling.king_to);
            let rook = OwnedPiece { owner: Some(seat), role: castling.rook.role() };
            let is_open = *owner == seat
                && castling.right.is_none_or(|right| self.rights & right != 0)
                && self.kings[seat] == from
                && self.piece_at(castling.rook_from) == Some(rook)
                && !castling.empty.meets(occupied)
                && (castling.out_of_check || !check);
            if !is_open {
                continue;
            }
            let without_king = occupied.without(SquareSet::of(from));
            let is_attacked =
                |square, occupied| self.is_attacked_on(rules, seat, square, occupied, SquareSet::EMPTY);
            let after = without_king.without(SquareSet::of(castling.rook_from))
                | SquareSet::of(to)
                | SquareSet::of(castling.rook_to);
            if !castling.safe.into_iter().any(|square| is_attacked(square, without_king))
                && !is_attacked(to, after)
            {
                found(Move { from, to, kind: MoveKind::Castling(number as u8) })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The pieces that a player may capture: hostile ones other than Kings, and dead ones.
    fn victims(&self, rules: &MultiRules<N>, seat: Seat) -> SquareSet<N> {
        let mut victims = self.dead;
        for enemy in self.enemies(rules, seat).iter() {
            victims |= self.pieces[enemy];
            victims.remove(self.kings[enemy]);
        }
        victims
    }
}
