//! The engine of this program as a player of games of four, without a process of its own.

use super::{MultiBudget, MultiPlayer, PlayerError};
use lozenge_engine::{Clock, Engine, Limits, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::MultiGame;
use lozenge_rules::variant::MultiVariant;
use std::sync::Arc;

/// Memory of the engine, in MiB.
const HASH_MIB: usize = 8;

/// The engine, on one thread.
#[derive(Debug)]
pub struct OwnPlayer(Engine);

impl OwnPlayer {
    /// A player.
    #[must_use]
    pub fn new() -> Self {
        Self(Engine::new(HASH_MIB))
    }
}

impl Default for OwnPlayer {
    fn default() -> Self {
        Self::new()
    }
}

impl MultiPlayer for OwnPlayer {
    fn begin(&mut self, _: &Arc<MultiVariant>) -> Result<(), PlayerError> {
        self.0.clear();
        Ok(())
    }

    fn think(&mut self, game: &MultiGame, budget: MultiBudget<'_>) -> Result<String, PlayerError> {
        let MultiBudget { limit, clocks } = budget;
        let clock = clocks.map(|clocks| clocks[game.position().turn()]).map(|own| Clock {
            remaining: own.remaining(),
            increment: own.increment(),
            moves_to_go: own.moves_left(),
        });
        let limits = Limits {
            nodes: limit.nodes,
            depth: limit.depth,
            movetime: limit.movetime,
            clock,
            ..Limits::default()
        };
        let best = self.0.search_multi(game, &limits, &Signals::default(), &mut |_| {}).best;
        Ok(best.map_or_else(|| "(none)".into(), |best| uci::write_multi(game.position().variant(), best)))
    }
}
