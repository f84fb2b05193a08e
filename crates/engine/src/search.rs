//! The search: from a game and limits to a move.

use crate::{Bound, Limits, Score, Signals};
use lozenge_rules::position::{Game, Move};
use std::time::Duration;

/// One player: its memory of positions and its settings.
#[derive(Debug)]
pub struct Engine {
    hash_mib: usize,
}

/// What a search says while it runs, and at its end.
#[derive(Clone, Debug)]
pub struct Info {
    /// Iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Which of the best lines, from 1.
    pub multipv: usize,
    /// What the line is worth to the side to move.
    pub score: Score,
    /// Whether that is exact.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the transposition table is, in thousandths.
    pub hashfull: u32,
    /// The line.
    pub pv: Vec<Move>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The move to play; `None` where there is no legal move.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// What the position is worth to the side to move.
    pub score: Score,
    /// Nodes searched.
    pub nodes: u64,
    /// Deepest finished iteration.
    pub depth: u32,
}

impl Engine {
    /// An engine with a transposition table of so many MiB, at least 1.
    #[must_use]
    pub fn new(hash_mib: usize) -> Self {
        Self { hash_mib }
    }

    /// Changes the size of the transposition table and forgets everything.
    pub fn set_hash(&mut self, mib: usize) {
        self.hash_mib = mib;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {}

    /// Searches the position at the end of `game`; draws by repetition see the whole game. `inform`
    /// is called after each iteration and line. Returns when a limit is reached or on
    /// [`Signals::stop`]; a finished position gives no move.
    pub fn search(
        &mut self,
        game: &Game,
        _limits: &Limits,
        _signals: &Signals,
        inform: &mut dyn FnMut(&Info),
    ) -> Report {
        let best = game.position().legal_moves().first().copied();
        let score = Score::Centipawns(0);
        inform(&Info {
            depth: 1,
            seldepth: 1,
            multipv: 1,
            score,
            bound: Bound::Exact,
            nodes: 1,
            time: Duration::ZERO,
            hashfull: 0,
            pv: best.into_iter().collect(),
        });
        Report { best, ponder: None, score, nodes: 1, depth: 1 }
    }
}
