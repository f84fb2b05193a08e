//! The reports of a search: while it runs, and at its end.

use crate::{Bound, Score};
use lozenge_rules::position::Move;
use std::time::Duration;

/// A report of a running search.
#[derive(Clone, Debug)]
pub struct Info {
    /// Iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Which of the best lines, from 1.
    pub multipv: usize,
    /// Score of the line for the side to move.
    pub score: Score,
    /// Whether that is exact.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables so far.
    pub tbhits: u64,
    /// The line.
    pub pv: Vec<Move>,
    /// In a report within an iteration, the root move that is being searched. The score and the line of such a
    /// report are those of the last one without.
    pub current: Option<CurrentMove>,
}

/// The root move that is being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CurrentMove {
    /// The move.
    pub played: Move,
    /// Its number in the order of the search, from 1.
    pub number: usize,
}

impl Info {
    /// The first move of the line and its score.
    pub(crate) fn headline(&self) -> (Option<Move>, Score, Bound) {
        (self.pv.first().copied(), self.score, self.bound)
    }

    /// Nodes per second so far.
    #[must_use]
    pub fn nodes_per_second(&self) -> u128 {
        // A first iteration may take less than the resolution of the clock.
        let nanos = if self.time.as_micros() == 0 { 1_000_000 } else { self.time.as_nanos() };
        u128::from(self.nodes) * 1_000_000_000 / nanos
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchReport {
    /// The move to play; `None` in a position without legal moves.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// Score of the position for the side to move; a bound where the search stopped before it had searched its best move exactly, as
    /// the last [`Info`] says.
    pub score: Score,
    /// Nodes searched.
    pub nodes: u64,
    /// Deepest finished iteration.
    pub depth: u32,
}
