//! The games to play for a report: how many, how strong, from which openings.

use lozenge_engine::skill::FULL_LEVEL;
use serde::{Deserialize, Serialize};

/// The games of a report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Different games at full strength, and as many at the weaker level.
    pub games: u32,
    /// Nodes for each move at full strength.
    pub nodes: u64,
    /// The weaker level, below [`FULL_LEVEL`].
    pub level: u8,
    /// Random seed.
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { games: 1_000, nodes: 2_000, level: 5, seed: 1 }
    }
}

/// Random plies at the beginning of an opening: few, because they move the result, and an even number.
pub(super) const RANDOM_PLIES: usize = 2;
/// Plies after those that are drawn by lot among the engine's moves, the better the likelier.
pub(super) const CHOSEN_PLIES: usize = 6;
/// Nodes of the search that rates the moves of such a ply.
pub(super) const CHOICE_NODES: u64 = 600;
/// Moves of such a ply to draw from.
pub(super) const CHOICE_LINES: usize = 6;
/// The centipawns by which a move must be worse to be drawn less often by a factor of e.
pub(super) const TEMPERATURE: f64 = 40.0;
/// Most centipawns by which an opening may change the score of the start; a tenth of that score is added.
pub(super) const MAX_CHANGE: i32 = 100;
/// Attempts for one opening.
pub(super) const ATTEMPTS: u32 = 40;
/// Games without a new one among them after which a game has no more openings.
pub(super) const MAX_DUPLICATES: u32 = 200;
/// Every n-th ply is searched for its two best moves.
pub(super) const SHARP_EVERY: usize = 8;
/// Plies after which a game counts as drawn, so that every report ends.
pub(super) const MAX_PLIES: usize = 2_000;
/// Memory of an engine in MiB: little, since it is cleared for each game.
pub(super) const HASH_MIB: usize = 1;

/// A part of the games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Both sides at full strength.
    Full,
    /// Both sides at the weaker level.
    Weak,
    /// Twice the nodes against the nodes.
    Double,
    /// Four times the nodes against the nodes.
    Quadruple,
}

impl Part {
    /// All parts, in the order in which they are played.
    pub const ALL: [Self; 4] = [Self::Full, Self::Weak, Self::Double, Self::Quadruple];

    /// Its games, in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "games at full strength",
            Self::Weak => "games at the weaker level",
            Self::Double => "twice the nodes",
            Self::Quadruple => "four times the nodes",
        }
    }
}

impl Plan {
    /// The number of games in a part. A variant with fewer different openings has fewer games.
    #[must_use]
    pub const fn games_of(&self, part: Part) -> u32 {
        match part {
            Part::Full | Part::Weak => self.games,
            Part::Double | Part::Quadruple => self.games.div_ceil(4) * 2,
        }
    }

    /// All games.
    #[must_use]
    pub fn total(&self) -> u64 {
        Part::ALL.iter().map(|&part| u64::from(self.games_of(part))).sum()
    }

    /// Nodes of the two sides of a part, the stronger first.
    pub(super) const fn nodes_of(&self, part: Part) -> [u64; 2] {
        match part {
            Part::Full | Part::Weak => [self.nodes; 2],
            Part::Double => [2 * self.nodes, self.nodes],
            Part::Quadruple => [4 * self.nodes, self.nodes],
        }
    }

    /// The plan with each value within its bounds.
    #[must_use]
    pub fn bounded(self) -> Self {
        Self {
            games: self.games.clamp(1, 1_000_000),
            nodes: self.nodes.clamp(1, u64::MAX / 8),
            level: self.level.min(FULL_LEVEL - 1),
            ..self
        }
    }
}
