//! The game that a task works on: of two players, or of four.

use lozenge_engine::{Engine, Info, Limits, SearchReport, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{Game, Move, MultiGame};

/// A game so far.
#[derive(Clone, Debug)]
pub(crate) enum Played {
    /// Of two players.
    Two(Game),
    /// Of four.
    Four(MultiGame),
}

impl Played {
    /// The legal moves at its end.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        match self {
            Self::Two(game) => game.position().legal_moves(),
            Self::Four(game) => game.position().legal_moves(),
        }
    }

    /// A move in long algebraic form.
    pub(crate) fn write(&self, written: Move) -> String {
        match self {
            Self::Two(game) => uci::write(game.variant(), written),
            Self::Four(game) => uci::write_multi(game.position().variant(), written),
        }
    }

    /// Searches the position at its end.
    pub(crate) fn search(
        &self,
        engine: &mut Engine,
        limits: &Limits,
        signals: &Signals,
        on_info: &mut dyn FnMut(&Info),
    ) -> SearchReport {
        match self {
            Self::Two(game) => engine.search(game, limits, signals, on_info),
            Self::Four(game) => engine.search_multi(game, limits, signals, on_info),
        }
    }
}
