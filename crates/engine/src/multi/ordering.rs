//! The order of moves with four players: captures by what they gain, killer moves, and quiet moves by the history of each seat.

use super::Searcher;
use crate::ordering::{BAD_CAPTURE, GOOD_CAPTURE, KILLER, Scored, TT_MOVE};
use crate::score::MAX_PLY;
use lozenge_rules::position::{Move, MultiPosition, Role};
use lozenge_rules::seat::{OwnedPiece, SEATS, Seat};

/// Squares that a table of histories has for each piece.
const SQUARES: usize = 256;

/// Largest entry of a history.
const MOST: i32 = 1 << 14;

/// The gain of capturing a dead piece, in centipawns: only room.
const DEAD_PIECE: i32 = 20;

/// Quiet moves that were good elsewhere in the tree.
#[derive(Debug)]
pub(super) struct Quiets {
    /// By ply, the latest first.
    killers: Vec<[Option<Move>; 2]>,
    /// By seat, role and destination.
    history: Vec<i32>,
    roles: usize,
}

impl Quiets {
    /// Nothing known yet.
    pub(super) fn new(roles: usize) -> Self {
        Self { killers: vec![[None; 2]; MAX_PLY + 1], history: vec![0; SEATS * roles * SQUARES], roles }
    }

    fn index(&self, seat: Seat, role: Role, to: usize) -> usize {
        (seat.index() * self.roles + role.index()) * SQUARES + to
    }

    fn update(&mut self, index: usize, bonus: i32) {
        let entry = &mut self.history[index];
        *entry += bonus - *entry * bonus.abs() / MOST;
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// The moves with their ordering scores.
    pub(super) fn scored(
        &self,
        position: &MultiPosition<N>,
        moves: Vec<Move>,
        first: Option<Move>,
        ply: usize,
    ) -> Vec<Scored> {
        let score = |played: Move| Scored { played, score: self.order(position, played, first, ply) };
        moves.into_iter().map(score).collect()
    }

    fn order(&self, position: &MultiPosition<N>, played: Move, first: Option<Move>, ply: usize) -> i32 {
        if first == Some(played) {
            return TT_MOVE;
        }
        let Some(piece) = position.piece_at(played.from) else { return 0 };
        let gain = self.gain(position, played);
        if gain > 0 {
            let bonus = if self.loses_exchange(position, played) { BAD_CAPTURE } else { GOOD_CAPTURE };
            return bonus + 16 * gain - self.values.exchange(piece.role).min(4_000) / 4;
        }
        match self.quiets.killers[ply].iter().position(|&killer| killer == Some(played)) {
            Some(number) => KILLER - number as i32,
            None => self.quiets.history[self.quiets.index(position.turn(), piece.role, played.to.index())],
        }
    }

    /// The gain of a move at once, in centipawns; 0 for a quiet move.
    pub(super) fn gain(&self, position: &MultiPosition<N>, played: Move) -> i32 {
        let worth = |victim: OwnedPiece| match victim.owner {
            Some(_) => self.values.exchange(victim.role),
            None => DEAD_PIECE,
        };
        let captured: i32 = position.captured(self.rules, played).map(worth).sum();
        let promoted = played.promotion().map_or(0, |role| self.values.exchange(role) / 2);
        captured + promoted
    }

    /// Whether a capture gives a more valuable piece for a protected one.
    pub(super) fn loses_exchange(&self, position: &MultiPosition<N>, played: Move) -> bool {
        let Some(piece) = position.piece_at(played.from) else { return false };
        let is_king = position.king(position.turn()) == Some(played.from);
        let worth = self.values.exchange(piece.role);
        !is_king
            && worth > self.gain(position, played)
            && position.could_be_captured(self.rules, position.turn(), played.to)
    }

    /// Learns from a quiet move that failed high, and from those that were tried before it.
    pub(super) fn learn(
        &mut self,
        position: &MultiPosition<N>,
        best: Move,
        tried: &[Move],
        ply: usize,
        depth: i32,
    ) {
        let killers = &mut self.quiets.killers[ply];
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        let bonus = (depth * depth * 16).min(1_600);
        let index = |played: Move| {
            let piece = position.piece_at(played.from)?;
            Some(self.quiets.index(position.turn(), piece.role, played.to.index()))
        };
        let (good, bad) = (index(best), tried.iter().filter_map(|&played| index(played)).collect::<Vec<_>>());
        good.into_iter().for_each(|index| self.quiets.update(index, bonus));
        bad.into_iter().for_each(|index| self.quiets.update(index, -bonus));
    }
}
