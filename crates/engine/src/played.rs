//! A game of any number of players, as the engine searches it.

use crate::{Engine, Info, Limits, SearchReport, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{Game, Move, MultiGame};

/// A game so far.
#[derive(Clone, Debug)]
pub enum Played {
    /// Of two players.
    Two(Game),
    /// Of four.
    Four(MultiGame),
}

impl Played {
    /// The game, if it is one of two players.
    #[must_use]
    pub const fn two(&self) -> Option<&Game> {
        match self {
            Self::Two(game) => Some(game),
            Self::Four(_) => None,
        }
    }

    /// The game, if it is one of four players.
    #[must_use]
    pub const fn four(&self) -> Option<&MultiGame> {
        match self {
            Self::Two(_) => None,
            Self::Four(game) => Some(game),
        }
    }

    /// How many half moves were played.
    #[must_use]
    pub fn plies(&self) -> usize {
        match self {
            Self::Two(game) => game.moves().len(),
            Self::Four(game) => game.turns().len(),
        }
    }

    /// The legal moves at its end.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        match self {
            Self::Two(game) => game.position().legal_moves(),
            Self::Four(game) => game.position().legal_moves(),
        }
    }

    /// A move in long algebraic form.
    #[must_use]
    pub fn write(&self, written: Move) -> String {
        match self {
            Self::Two(game) => uci::write(game.variant(), written),
            Self::Four(game) => uci::write_multi(game.position().variant(), written),
        }
    }

    /// Searches the position at its end.
    ///
    /// ```
    /// use lozenge_engine::{Engine, Limits, Played, Signals};
    /// use lozenge_rules::{library, position::MultiGame};
    /// let game = Played::Four(MultiGame::new(&library::multi_game("diamondring-four").unwrap()));
    /// let limits = Limits { nodes: Some(200), ..Limits::default() };
    /// let report = game.search(&mut Engine::new(1), &limits, &Signals::default(), &mut |_| {});
    /// assert!(report.best.is_some_and(|best| game.legal_moves().contains(&best)));
    /// ```
    pub fn search(
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

impl From<Game> for Played {
    fn from(game: Game) -> Self {
        Self::Two(game)
    }
}

impl From<MultiGame> for Played {
    fn from(game: MultiGame) -> Self {
        Self::Four(game)
    }
}
