//! A player that chooses among the legal moves by lot: the weakest opponent that plays by the rules.

use super::{Absence, Allowance, Player, Thought};
use crate::openings::Lot;
use lozenge_rules::notation::uci;
use lozenge_rules::position::Game;
use lozenge_rules::variant::Variant;
use std::sync::Arc;
use std::time::Instant;

/// A random mover. Its choice follows from the position and its seed, so that games can be repeated.
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
    fn begin(&mut self, _: &Arc<Variant>) -> Result<(), Absence> {
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &Allowance<'_>) -> Result<Thought, Absence> {
        let begun = Instant::now();
        let position = game.position();
        let mut moves = position.legal_moves();
        moves.sort();
        // The number of the ply belongs to the seed: in a repeated position another move may follow.
        let mut lot = Lot::new(self.seed ^ position.key() ^ (game.moves().len() as u64));
        let best =
            lot.one_of(&moves).map_or_else(|| "(none)".into(), |&chosen| uci::write(game.variant(), chosen));
        Ok(Thought { best, score: None, depth: None, nodes: None, time: begun.elapsed() })
    }
}
