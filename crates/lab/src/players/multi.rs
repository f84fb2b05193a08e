//! Players of a game of four.

use super::{ClockTime, Limit, PlayerError};
use lozenge_rules::position::MultiGame;
use lozenge_rules::seat::BySeat;
use lozenge_rules::variant::MultiVariant;
use std::sync::Arc;

/// The limits of a player of a game of four for one move.
#[derive(Clone, Copy)]
pub struct MultiBudget<'a> {
    /// The player's own limit.
    pub limit: &'a Limit,
    /// The clocks of all seats, if the player has one.
    pub clocks: Option<BySeat<ClockTime>>,
}

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
    fn think(&mut self, game: &MultiGame, budget: MultiBudget<'_>) -> Result<String, PlayerError>;
}
