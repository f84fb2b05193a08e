//! A player that chooses among the legal moves at random: the weakest opponent that follows the rules. It plays games of two and
//! of four.

use super::{MoveBudget, MultiBudget, MultiPlayer, Player, PlayerError, PlayerMove};
use crate::rng::Rng;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{Game, Move, MultiGame};
use lozenge_rules::variant::{MultiVariant, Variant};
use std::sync::Arc;
use std::time::Instant;

/// A random mover. The position and its seed determine its choice, so that games can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct RandomMover {
    seed: u64,
}

impl RandomMover {
    /// A random mover with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    fn choose(self, mut moves: Vec<Move>, salt: u64) -> Option<Move> {
        moves.sort();
        Rng::new(self.seed ^ salt).one_of(&moves).copied()
    }
}

impl Player for RandomMover {
    fn begin(&mut self, _: &Arc<Variant>) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &MoveBudget<'_>) -> Result<PlayerMove, PlayerError> {
        let begun = Instant::now();
        let position = game.position();
        // The number of the ply is part of the seed: another move may follow in a repeated position.
        let chosen = self.choose(position.legal_moves(), position.key() ^ game.moves().len() as u64);
        let best = chosen.map_or_else(|| "(none)".into(), |chosen| uci::write(game.variant(), chosen));
        Ok(PlayerMove { best, score: None, depth: None, nodes: None, time: begun.elapsed() })
    }
}

impl MultiPlayer for RandomMover {
    fn begin(&mut self, _: &Arc<MultiVariant>) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(&mut self, game: &MultiGame, _: MultiBudget<'_>) -> Result<String, PlayerError> {
        let position = game.position();
        let chosen = self.choose(position.legal_moves(), position.key() ^ game.turns().len() as u64);
        Ok(chosen.map_or_else(|| "(none)".into(), |chosen| uci::write_multi(position.variant(), chosen)))
    }
}
