//! Players: a program that speaks UCI, a random mover, one that takes whatever it can, and a plain alpha-beta search.
//!
//! A player receives a game and answers with a move as text; it does not validate moves. Players stay for many games, so
//! that a program starts once.

mod greedy;
mod limit;
mod multi;
mod own;
mod plain;
mod random;
mod uci;

pub use greedy::Greedy;
pub use limit::{ClockTime, Limit, LimitError, TimeControl};
pub use multi::{MultiBudget, MultiPlayer};
pub use own::OwnPlayer;
pub use plain::Plain;
pub use random::RandomMover;
pub use uci::{UciPlayer, UciSettings};

use lozenge_engine::Score;
use lozenge_rules::position::{ByColor, Color, Game};
use lozenge_rules::variant::Variant;
use std::sync::Arc;
use std::time::Duration;

/// The limits of a player for one move.
#[derive(Clone, Copy)]
pub struct MoveBudget<'a> {
    /// The player's own limit.
    pub limit: &'a Limit,
    /// The clocks of both sides, if the player has one.
    pub clocks: Option<ByColor<ClockTime>>,
    /// How long to wait for the move.
    pub timeout: Duration,
    /// Whether to end the match now.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}

impl MoveBudget<'_> {
    /// The clock of a side.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<ClockTime> {
        self.clocks.map(|clocks| clocks[color])
    }
}

/// A player's move and the result of its search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayerMove {
    /// The move in long algebraic form, or the text sent instead.
    pub best: String,
    /// The score from the player's side.
    pub score: Option<Score>,
    /// Depth reached, in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// How long it took.
    pub time: Duration,
}

/// Why a player did not move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// The program has ended; its last line.
    #[error("{0}")]
    Crashed(String),
    /// The player did not answer in time.
    #[error("{what}")]
    Timeout {
        /// The reason.
        what: String,
    },
    /// The match was interrupted.
    #[error("interrupted")]
    Interrupted,
}

/// A player of a match.
pub trait Player: Send {
    /// Prepares for a game and forgets earlier ones.
    ///
    /// # Errors
    /// When the player does not become ready.
    fn begin(&mut self, variant: &Arc<Variant>) -> Result<(), PlayerError>;

    /// A move for the position at the end of the game.
    ///
    /// # Errors
    /// When the player does not move.
    fn think(&mut self, game: &Game, budget: &MoveBudget<'_>) -> Result<PlayerMove, PlayerError>;
}
