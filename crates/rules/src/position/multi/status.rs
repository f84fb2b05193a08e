//! How a position of four stands, the places of its players, and perft.

use super::MultiPosition;
use crate::position::Move;
use crate::seat::{BySeat, Seat, SeatSet};
use crate::variant::MultiRules;

/// How a position of four stands by itself, without the game's history.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MultiStatus {
    /// The game goes on.
    Ongoing,
    /// The game goes on; the player to move is in check.
    Check,
    /// One player or one team is left.
    Decided,
    /// The player to move has no legal move and is not in check, and the turn passes to no other player: a draw.
    Stalemate,
    /// The living have only their Kings: a draw.
    Dead,
}

impl MultiStatus {
    /// Whether the game is over.
    ///
    /// ```
    /// use lozenge_rules::position::MultiStatus;
    /// assert!(MultiStatus::Stalemate.is_over());
    /// assert!(!MultiStatus::Check.is_over());
    /// ```
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Decided | Self::Stalemate | Self::Dead)
    }
}

impl core::fmt::Display for MultiStatus {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Ongoing => "ongoing",
            Self::Check => "check",
            Self::Decided => "decided",
            Self::Stalemate => "stalemate",
            Self::Dead => "dead",
        })
    }
}

impl<const N: usize> MultiPosition<N> {
    /// How the position stands.
    #[must_use]
    pub fn status(&self, rules: &MultiRules<N>) -> MultiStatus {
        if self.is_decided(rules) {
            MultiStatus::Decided
        } else if !self.has_move(rules, self.turn) {
            MultiStatus::Stalemate
        } else if self.is_dead() {
            MultiStatus::Dead
        } else if self.is_attacked(rules, self.turn) {
            MultiStatus::Check
        } else {
            MultiStatus::Ongoing
        }
    }

    /// Whether these living players have only their Kings.
    pub(super) fn has_bare_kings(&self, seats: SeatSet) -> bool {
        seats.iter().all(|seat| self.pieces[seat].len() == 1)
    }

    /// Whether the living have only their Kings.
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.has_bare_kings(self.living)
    }

    /// Whether one player is left, or in teams a player has gone out.
    #[must_use]
    pub fn is_decided(&self, rules: &MultiRules<N>) -> bool {
        let least = if rules.is_teams { rules.seats.len() } else { 2 };
        self.living.len() < least
    }

    /// The places of the players if the game ends now, where everyone plays alone: the living by what they have on the
    /// board (a pawn 1, another piece 3, the King nothing), equals sharing a place, and then the others, first out last. An empty seat
    /// has place 0.
    #[must_use]
    pub fn ranking(&self, rules: &MultiRules<N>) -> BySeat<u8> {
        let material = BySeat::from_fn(|seat| self.material(rules, seat));
        let mut places = BySeat::from_fn(|seat| {
            let ahead = self.living.iter().filter(|other| material[*other] > material[seat]);
            if rules.seats.contains(seat) { 1 + ahead.count() as u8 } else { 0 }
        });
        for (place, &seat) in (1..=rules.seats.len() as u8).rev().zip(self.out()) {
            places[seat] = place;
        }
        places
    }

    fn material(&self, rules: &MultiRules<N>, seat: Seat) -> u32 {
        let worth = |square| {
            self.piece_at(square).map_or(0, |piece| {
                let (tables, known) = rules.piece(seat, piece.role);
                match (piece.role == rules.royal, tables.info(known).pawn) {
                    (true, _) => 0,
                    (false, true) => 1,
                    (false, false) => 3,
                }
            })
        };
        self.pieces[seat].into_iter().map(worth).sum()
    }

    /// The number of sequences of `depth` legal moves.
    #[must_use]
    pub fn perft(&self, rules: &MultiRules<N>, depth: u32) -> u64 {
        self.perft_until(rules, depth, &|| false).unwrap_or_default()
    }

    /// As [`perft`](Self::perft); `None` if `stop`, which is called at every node above the leaves, returned true.
    #[must_use]
    pub fn perft_until(&self, rules: &MultiRules<N>, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        if stop() {
            return None;
        }
        let moves = self.legal_moves(rules);
        if depth == 1 {
            return Some(moves.len() as u64);
        }
        moves.into_iter().map(|next| self.play(rules, next).perft_until(rules, depth - 1, stop)).sum()
    }

    /// For each legal move, the number of sequences of `depth` moves that begin with it, `depth >= 1`.
    #[must_use]
    pub fn divide(&self, rules: &MultiRules<N>, depth: u32) -> Vec<(Move, u64)> {
        let below = |next| self.play(rules, next).perft(rules, depth.saturating_sub(1));
        self.legal_moves(rules).into_iter().map(|next| (next, below(next))).collect()
    }
}
