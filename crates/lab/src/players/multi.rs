//! Players of a game of four.

use super::{Limit, PlayerError};
use lozenge_rules::position::MultiGame;
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
