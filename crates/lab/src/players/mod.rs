//! Those who play: a program that speaks UCI, a random mover, and a plain alpha-beta.
//!
//! A player is given a game and says a move as text; it judges nothing. Players stay for many games, so
//! that a program is started once.

mod limit;
mod plain;
mod random;
mod uci;

pub use limit::{ClockTime, Limit, LimitError, TimeControl};
pub use plain::Plain;
pub use random::Random;
pub use uci::{UciPlayer, UciSettings};

use lozenge_engine::Score;
use lozenge_rules::position::{Color, Game};
use lozenge_rules::variant::Variant;
use std::sync::Arc;
use std::time::Duration;

/// What a player may use for a move.
#[derive(Clone, Copy)]
pub struct Allowance<'a> {
    /// The player's own limit.
    pub limit: &'a Limit,
    /// Its clock and the other's, if it has one.
    pub clocks: Option<[ClockTime; 2]>,
    /// When to give up waiting.
    pub most: Duration,
    /// Whether the match is to end now.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}

impl Allowance<'_> {
    /// The clock of a side.
    #[must_use]
    pub fn clock(&self, color: Color) -> Option<ClockTime> {
        self.clocks.map(|clocks| clocks[color.index()])
    }
}

/// A player's move and what it thought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The move in long algebraic form, or whatever was said instead.
    pub best: String,
    /// What the position is worth to the player.
    pub score: Option<Score>,
    /// Depth reached, in plies.
    pub depth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// How long it took.
    pub time: Duration,
}

/// Why there is no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Absence {
    /// The program has ended; what it said last.
    Crashed(String),
    /// Nothing came in the time allowed.
    Late {
        /// What is wrong, in words.
        what: String,
    },
    /// The match was interrupted.
    Interrupted,
}

/// One who plays.
pub trait Player: Send {
    /// Makes ready for a game: afterwards nothing is remembered of earlier ones.
    ///
    /// # Errors
    /// When the player does not get ready.
    fn begin(&mut self, variant: &Arc<Variant>) -> Result<(), Absence>;

    /// A move for the position at the end of the game.
    ///
    /// # Errors
    /// When there is none.
    fn think(&mut self, game: &Game, allowance: &Allowance<'_>) -> Result<Thought, Absence>;
}
