//! Playing a move or going out, and what follows at once: the turn goes on, who is mated is taken off, who cannot move passes.

use super::MultiPosition;
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
        let restarts = tables.info(known).pawn || self.piece_at(to).is_some();
        after.halfmove_clock = if restarts { 0 } else { self.halfmove_clock.saturating_add(1) };
        let becomes = match kind {
            MoveKind::Promotion(role) => OwnedPiece { role, ..piece },
            _ => piece,
        };
        after.lift(rules, from);
        after.lift(rules, to);
        after.put(rules, becomes, to);
        if self.kings[self.turn] == from {
            after.kings[self.turn] = to;
        }
        after.turn_goes_on();
        after.resolve(rules);
        after
    }

    /// The resolved position in which the player to move has passed, although there may be moves: what a search compares them with.
    #[must_use]
    pub fn pass(&self, rules: &MultiRules<N>) -> Self {
        let mut after = *self;
        after.turn_goes_on();
        after.resolve(rules);
        after
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

    /// The turn goes to the next living player. The number grows when it reaches or crosses the first seat.
    fn turn_goes_on(&mut self) {
        loop {
            self.turn = self.turn.next();
            if self.turn == Seat::Red {
                self.fullmove_number = (self.fullmove_number + 1).min(MAX_FULLMOVE);
            }
            if self.living.contains(self.turn) || self.living.is_empty() {
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
        self.out[self.out().len()] = seat;
        self.living.remove(seat);
        self.kings[seat] = Default::default();
        self.halfmove_clock = 0;
        self.turn_goes_on();
    }

    /// Takes off who is mated and passes for who cannot move, until the player to move has a legal move or the game is over.
    pub(super) fn resolve(&mut self, rules: &MultiRules<N>) {
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
            self.turn_goes_on();
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
