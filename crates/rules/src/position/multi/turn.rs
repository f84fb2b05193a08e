//! Playing a move or going out, and what follows at once: the turn goes on, who is mated is taken off, who cannot move passes.

use super::{MultiPosition, Offer};
use crate::position::{Move, MoveKind};
use crate::seat::{OwnedPiece, Seat};
use crate::setup::MAX_FULLMOVE;
use crate::variant::MultiRules;

impl<const N: usize> MultiPosition<N> {
    /// The position after a legal move of this position.
    #[must_use]
    pub fn play(&self, rules: &MultiRules<N>, played: Move) -> Self {
        let mut after = *self;
        let Move { from, to, kind } = played;
        let Some(piece) = self.piece_at(from) else { return after };
        let (tables, known) = rules.piece(self.turn, piece.role);
        let info = tables.info(known);
        let restarts = info.pawn || self.captured(rules, played).next().is_some();
        after.halfmove_clock = if restarts { 0 } else { self.halfmove_clock.saturating_add(1) };
        let becomes = match kind {
            MoveKind::Promotion(role) => OwnedPiece { role, ..piece },
            _ => piece,
        };
        after.lift(rules, from);
        if let MoveKind::Castling(number) = kind
            && let Some((_, castling)) = rules.castlings.get(usize::from(number))
        {
            let rook = self.piece_at(castling.rook_from);
            after.lift(rules, castling.rook_from);
            rook.into_iter().for_each(|rook| after.put(rules, rook, castling.rook_to));
        } else {
            after.lift(rules, to);
            self.taken_in_passing(rules, played).into_iter().for_each(|pawn| after.lift(rules, pawn));
        }
        after.put(rules, becomes, to);
        if self.kings[self.turn] == from {
            after.kings[self.turn] = to;
        }
        if self.rights != 0 {
            after.drop_rights(rules, self.rights_lost(rules, played));
        }
        if kind == MoveKind::Plain
            && info.en_passant
            && let Some(stride) = info.strides[from].iter().find(|stride| stride.to == to)
        {
            after.set_offer(rules, self.turn, Some(Offer { crossed: stride.crossed, pawn: to }));
        }
        after.turn_goes_on(rules);
        after.resolve(rules);
        after
    }

    /// The resolved position in which the player to move has passed, although there may be moves: what a search compares them with.
    #[must_use]
    pub fn pass(&self, rules: &MultiRules<N>) -> Self {
        let mut after = *self;
        after.turn_goes_on(rules);
        after.resolve(rules);
        after
    }

    /// The rights to castle that a move loses: with the King, or with a rook that leaves or is captured.
    fn rights_lost(&self, rules: &MultiRules<N>, Move { from, to, .. }: Move) -> u16 {
        let touches = |square| square == from || square == to;
        let lost = rules
            .castlings
            .iter()
            .filter(|(_, castling)| touches(castling.king_from) || touches(castling.rook_from));
        lost.fold(0, |all, (_, castling)| all | castling.right.unwrap_or(0))
    }

    /// The position after the player to move has resigned or run out of time; `None` when the game is over. In a game of
    /// teams the partner has agreed.
    #[must_use]
    pub fn play_exit(&self, rules: &MultiRules<N>) -> Option<Self> {
        if self.status(rules).is_over() {
            return None;
        }
        let mut after = *self;
        after.go_out(rules);
        after.resolve(rules);
        Some(after)
    }

    /// The turn goes to the next living player, whose double step can no longer be answered. The number grows when it reaches or
    /// crosses the first seat.
    fn turn_goes_on(&mut self, rules: &MultiRules<N>) {
        loop {
            self.turn = self.turn.next();
            if self.turn == Seat::Red {
                self.fullmove_number = (self.fullmove_number + 1).min(MAX_FULLMOVE);
            }
            if self.living.contains(self.turn) || self.living.is_empty() {
                if self.offers[self.turn].is_some() {
                    self.set_offer(rules, self.turn, None);
                }
                return;
            }
        }
    }

    /// The King of the player to move leaves the board, the other pieces are dead, and the turn goes on.
    fn go_out(&mut self, rules: &MultiRules<N>) {
        let seat = self.turn;
        for square in self.pieces[seat] {
            let Some(piece) = self.piece_at(square) else { continue };
            self.lift(rules, square);
            if square != self.kings[seat] {
                self.put(rules, OwnedPiece { owner: None, ..piece }, square);
            }
        }
        if let Some(place) = self.out.get_mut(usize::from(self.out_count)) {
            *place = seat;
            self.out_count += 1;
        }
        self.living.remove(seat);
        self.kings[seat] = Default::default();
        let own = rules.castlings.iter().filter(|(owner, _)| *owner == seat);
        let rights = own.fold(0, |all, (_, castling)| all | castling.right.unwrap_or(0));
        self.drop_rights(rules, rights);
        self.halfmove_clock = 0;
        self.turn_goes_on(rules);
    }

    /// Takes off who is mated and passes for who cannot move, until the player to move has a legal move or the game is over.
    pub(super) fn resolve(&mut self, rules: &MultiRules<N>) {
        self.pass_and_take_off(rules);
        for seat in self.living.iter() {
            if self.offers[seat].is_some_and(|offer| !self.is_answerable(rules, seat, offer)) {
                self.set_offer(rules, seat, None);
            }
        }
    }

    /// Whether the piece of a double step still stands there, and a hostile player whose turn comes before its own player's has a piece
    /// that captures on the square it crossed.
    fn is_answerable(&self, rules: &MultiRules<N>, seat: Seat, Offer { crossed, pawn }: Offer) -> bool {
        let stands = self.piece_at(pawn).is_some_and(|piece| {
            let (tables, known) = rules.piece(seat, piece.role);
            piece.owner == Some(seat) && tables.info(known).en_passant
        });
        let captures = |enemy: Seat| {
            let (tables, color) = rules.of(enemy);
            (tables.leap_attackers[color][crossed] & self.pieces[enemy]).into_iter().any(|from| {
                self.piece_at(from).is_some_and(|piece| {
                    let (_, known) = rules.piece(enemy, piece.role);
                    tables.info(known).en_passant && tables.leaps(known, from).capture.contains(crossed)
                })
            })
        };
        let enemies = self.enemies(rules, seat);
        let before = core::iter::successors(Some(self.turn), |turn| Some(turn.next()));
        stands && before.take_while(|turn| *turn != seat).any(|turn| enemies.contains(turn) && captures(turn))
    }

    fn pass_and_take_off(&mut self, rules: &MultiRules<N>) {
        // The player and the move with which the run of passes began, and its length.
        let mut run = (self.turn, self.fullmove_number, 0);
        while !self.is_decided(rules) && !self.has_move(rules, self.turn) {
            if self.is_attacked(rules, self.turn) {
                self.go_out(rules);
                run = (self.turn, self.fullmove_number, 0);
                continue;
            }
            if !self.may_pass(rules) {
                return;
            }
            self.turn_goes_on(rules);
            run.2 += 1;
            if run.2 == self.living.len() {
                (self.turn, self.fullmove_number) = (run.0, run.1);
                return;
            }
        }
    }

    /// Whether the turn passes from a player who has no legal move and is not in check: alone while three are living, in teams
    /// if the partner has a move or is in check.
    fn may_pass(&self, rules: &MultiRules<N>) -> bool {
        if !rules.is_teams {
            return self.living.len() >= 3;
        }
        let partner = self.turn.next().next();
        self.is_attacked(rules, partner) || self.has_move(rules, partner)
    }
}
