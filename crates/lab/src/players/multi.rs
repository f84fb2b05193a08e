//! Players of a game of four: what they do, and one that takes whatever it can. A program that speaks UCI is the other.

use super::{Limit, PlayerError};
use crate::rng::Rng;
use lozenge_rules::position::{AnyMultiPosition, Move, MoveKind, MultiGame};
use lozenge_rules::variant::MultiVariant;
use std::sync::Arc;

/// A player of a game of four.
pub trait MultiPlayer: Send {
    /// Prepares for a game and forgets earlier ones.
    ///
    /// # Errors
    /// When the player does not become ready.
    fn begin(&mut self, variant: &Arc<MultiVariant>) -> Result<(), PlayerError>;

    /// A move for the position at the end of the game, in long algebraic form.
    ///
    /// # Errors
    /// When the player does not move.
    fn think(&mut self, game: &MultiGame, limit: &Limit) -> Result<String, PlayerError>;
}

/// Takes the most valuable piece that it can take, promotes, or else moves at random: what a beginner does.
#[derive(Clone, Copy, Debug)]
pub struct Greedy {
    seed: u64,
    /// Whether it takes pieces at all.
    is_random: bool,
}

impl Greedy {
    /// A player with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, is_random: false }
    }

    /// One that only moves at random.
    #[must_use]
    pub const fn random(seed: u64) -> Self {
        Self { seed, is_random: true }
    }

    /// What a move takes and makes: a pawn counts 1, another piece 3, a dead one next to nothing.
    fn gain(position: &AnyMultiPosition, played: Move) -> u32 {
        let roles = position.variant().roles();
        let taken = position.piece_at(played.to).map_or(0, |piece| match piece.owner {
            None => 1,
            Some(_) if roles.info(piece.role).pawn => 10,
            Some(_) => 30,
        });
        taken + if matches!(played.kind, MoveKind::Promotion(_)) { 20 } else { 0 }
    }
}

impl MultiPlayer for Greedy {
    fn begin(&mut self, _: &Arc<MultiVariant>) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(&mut self, game: &MultiGame, _: &Limit) -> Result<String, PlayerError> {
        let position = game.position();
        let mut moves = position.legal_moves();
        moves.sort();
        let gain = |played: Move| if self.is_random { 0 } else { Self::gain(position, played) };
        let most = moves.iter().map(|&played| gain(played)).max();
        moves.retain(|&played| Some(gain(played)) == most);
        let mut rng = Rng::new(self.seed ^ position.key() ^ game.turns().len() as u64);
        Ok(written(position, rng.one_of(&moves).copied()))
    }
}

fn written(position: &AnyMultiPosition, best: Option<Move>) -> String {
    let write = |best| lozenge_rules::notation::uci::write_multi(position.variant(), best);
    best.map_or_else(|| "(none)".into(), write)
}
