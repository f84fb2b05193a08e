//! The state of a search at its root, from iteration to iteration. Not here: the iterations (`root`).

use super::Window;
use super::shared_iteration::RootMove;
use crate::Tunables;
use crate::time::steady_percent;
use lozenge_rules::position::Move;

/// Stability of the best move and of the score, for time management.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Confidence {
    /// Iterations since another move was best.
    steady: u32,
    /// How far the score has fallen below the average of the iterations before, in centipawns.
    fallen: i32,
    /// The average, falling off by half with each iteration.
    average: Option<i32>,
    /// Thousandths of all nodes that were searched behind the best move.
    effort: u32,
}

impl Confidence {
    /// Updates after an iteration.
    pub(super) fn update(&mut self, moves: &[RootMove], leader: Option<Move>, nodes: u64) {
        let Some(best) = moves.first() else { return };
        let Some(score) = best.value() else { return };
        self.steady = if Some(best.played) == leader { self.steady + 1 } else { 0 };
        let average = self.average.unwrap_or(score);
        self.fallen = average - score;
        self.average = Some((average + score) / 2);
        self.effort = (best.nodes * 1_000 / nodes.max(1)) as u32;
    }

    /// The part of the usual time to take, in hundredths. Less for a move that has been best for
    /// long and has taken most of the nodes ("node time management", Koivisto 2021); more while the
    /// score falls.
    pub(super) fn percent(&self, tunables: &Tunables) -> u32 {
        let steady = steady_percent(self.steady) as i32;
        let effort = (tunables.time_effort_base - (tunables.time_effort * self.effort as i32) / 1_000)
            .max(tunables.time_effort_least);
        let fallen = (100 + self.fallen * tunables.time_fallen / 16)
            .clamp(tunables.time_fallen_least, tunables.time_fallen_most);
        (steady * effort * fallen / 10_000).clamp(tunables.time_least, tunables.time_most) as u32
    }
}

/// The state of a search at its root.
#[derive(Clone, Debug)]
pub(super) struct RootState {
    pub(super) moves: Vec<RootMove>,
    /// Deepest finished iteration.
    pub(super) finished: u32,
    /// The best move before the iteration that is being searched.
    pub(super) leader: Option<Move>,
    pub(super) confidence: Confidence,
    /// Where the search for a short mate was interrupted.
    pub(super) proof: Option<Proof>,
    /// The move that mates, and the score of that mate, once such a search has proved one.
    pub(super) proved: Option<(Move, i32)>,
    /// Where the iteration was interrupted.
    pub(super) interruption: Option<Interruption>,
}

impl RootState {
    /// Whether the search was interrupted.
    pub(super) const fn is_interrupted(&self) -> bool {
        self.proof.is_some() || self.interruption.is_some()
    }
}

/// Where an iteration was interrupted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Interruption {
    /// Number of the line, from 0.
    pub(super) line: usize,
    pub(super) window: Window,
    /// How far the window is widened next.
    pub(super) width: i32,
    pub(super) deepest_ply: usize,
    pub(super) cursor: Cursor,
}

/// Where the search for a short mate stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    /// Index of the move that is searched next.
    pub(super) at: usize,
    /// Number of nodes at which it ends.
    pub(super) end: u64,
}

/// Where a search of the root moves stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// Index of the move that is searched next.
    pub(super) at: usize,
    pub(super) alpha: i32,
    pub(super) best: i32,
}
