//! A player that chooses among the legal moves at random: the weakest opponent that follows the rules.

use super::{MoveBudget, Player, PlayerError, PlayerMove};
use crate::rng::Rng;
use lozenge_rules::notation::uci;
use lozenge_rules::position::Game;
use lozenge_rules::variant::Variant;
use std::sync::Arc;
use std::time::Instant;

/// A random mover. The position and its seed determine its choice, so that games can be repeated.
#[derive(Clone, Copy, Debug)]
pub struct Random {
    seed: u64,
}

impl Random {
    /// A random mover with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Player for Random {
    fn begin(&mut self, _: &Arc<Variant>) -> Result<(), PlayerError> {
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &MoveBudget<'_>) -> Result<PlayerMove, PlayerError> {
        let begun = Instant::now();
        let position = game.position();
        let mut moves = position.legal_moves();
        moves.sort();
        // The number of the ply is part of the seed: another move may follow in a repeated position.
        let mut rng = Rng::new(self.seed ^ position.key() ^ (game.moves().len() as u64));
        let best =
            rng.one_of(&moves).map_or_else(|| "(none)".into(), |&chosen| uci::write(game.variant(), chosen));
        Ok(PlayerMove { best, score: None, depth: None, nodes: None, time: begun.elapsed() })
    }
}
