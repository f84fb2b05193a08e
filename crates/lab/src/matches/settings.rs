//! The settings of a match: engines, variants, openings, limits, and adjudication.

use super::Adjudication;
use crate::openings::Plan;
use crate::players::{Greedy, Limit, Plain, Player, RandomMover, UciPlayer, UciSettings};
use crate::stats::Sprt;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use lozenge_tablebase::Tables;
use std::sync::Arc;
use std::time::Duration;

/// One of the two engines.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Its name in tables and games.
    pub name: String,
    /// The kind of player.
    pub kind: EngineKind,
    /// Its limit.
    pub limit: Limit,
}

/// A kind of player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineKind {
    /// A program that speaks UCI.
    Uci(UciSettings),
    /// A random mover with this seed.
    Random(u64),
    /// One that takes whatever it can, with this seed.
    Greedy(u64),
    /// The plain alpha-beta.
    Plain,
}

impl EngineSettings {
    /// The engine as a player.
    #[must_use]
    pub fn player(&self) -> Box<dyn Player> {
        match &self.kind {
            EngineKind::Uci(settings) => Box::new(UciPlayer::new(settings.clone())),
            EngineKind::Random(seed) => Box::new(RandomMover::new(*seed)),
            EngineKind::Greedy(seed) => Box::new(Greedy::new(*seed)),
            EngineKind::Plain => Box::new(Plain::new()),
        }
    }

    /// Whether the engine plays the same move in the same position every time, as far as its settings tell.
    fn is_deterministic(&self) -> bool {
        match self.kind {
            EngineKind::Random(_) | EngineKind::Greedy(_) | EngineKind::Plain => true,
            EngineKind::Uci(_) => self.limit.movetime.is_none() && self.limit.clock.is_none(),
        }
    }
}

/// The openings of a match.
#[derive(Clone, Debug)]
pub enum OpeningSource {
    /// At random positions.
    Random(Plan),
    /// At those of lists, one for each game, none empty.
    Lists(Vec<Vec<AnyPosition>>),
}

/// A match.
#[derive(Clone, Debug)]
pub struct MatchSettings {
    /// The two engines; results are seen from the first.
    pub engines: [EngineSettings; 2],
    /// The games.
    pub variants: Vec<Arc<Variant>>,
    /// Pairs of each game: the same opening with colors swapped (but see [`MatchSettings::is_self_play`]).
    pub pairs: u32,
    /// The openings.
    pub openings: OpeningSource,
    /// When a game is ended by the arbiter.
    pub adjudication: Adjudication,
    /// Endgame tables of any of the games: a position that they cover ends its game, unless the win would take longer than the
    /// count of moves allows.
    pub tables: Vec<Arc<Tables>>,
    /// By how much a clock may be overstepped before it counts.
    pub margin: Duration,
    /// How long an engine may take for a move that has no limit in time.
    pub move_timeout: Duration,
    /// Games at once.
    pub concurrency: usize,
    /// Ends the match when it has decided.
    pub sprt: Option<Sprt>,
}

impl MatchSettings {
    /// Whether a deterministic engine plays itself. Then both games of a pair would be the same game, so every game begins
    /// from an opening of its own.
    #[must_use]
    pub fn is_self_play(&self) -> bool {
        let [first, second] = &self.engines;
        first.kind == second.kind && first.limit == second.limit && first.is_deterministic()
    }

    /// How many openings each game of the match needs.
    #[must_use]
    pub fn opening_count(&self) -> usize {
        self.pairs as usize * if self.is_self_play() { 2 } else { 1 }
    }

    /// The number of the opening of a game.
    pub(super) fn opening_number(&self, pair: u32, swapped: bool) -> usize {
        if self.is_self_play() { pair as usize * 2 + usize::from(swapped) } else { pair as usize }
    }
}
