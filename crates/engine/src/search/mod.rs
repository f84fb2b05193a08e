//! The search: on several [`threads`], iterative deepening ([`root`]) of a principal variation
//! search ([`node`], its [`moves`] and its [`shortcuts`]) that ends in captures ([`quiescence`]).
//! Threads hand on what they have finished ([`relay`]) and keep out of each other's way ([`busy`]).
//! Pruning rules are named functions ([`pruning`]); what repeats is seen along the [`path`].

mod busy;
mod extension;
mod eyes;
mod moves;
mod node;
mod path;
mod pruning;
mod quiescence;
mod relay;
mod root;
mod shortcuts;
mod sums;
mod threads;

pub(crate) use sums::FeatureKeys;
pub(crate) use threads::{Outside, memories_for, think};

use crate::eval::{self, PawnMemory, Terrain, Values};
use crate::ordering::{
    BACK, Before, Collector, CorrectionPlaces, Corrections, History, Killers, Scored, Step,
};
use crate::score::{EVALUATION_LIMIT, MAX_PLY};
use crate::tunables::Tunables;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, MoveKind, Position};
use lozenge_rules::variant::{Draws, Limit, Rules, Stalemate};
use path::Path;
use pruning::Reductions;
use sums::Sums;
use threads::Shared;

/// The signals are looked at each time so many nodes have been searched.
const NODES_BETWEEN_SIGNALS: u64 = 32;
/// The clock is looked at each time so many nodes have been searched.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// One thread's search of one position.
struct Searcher<'a, const N: usize> {
    rules: &'a Rules<N>,
    values: &'a Values,
    feature_keys: &'a FeatureKeys,
    terrain: Terrain<N>,
    draws: DrawLimits,
    tunables: Tunables,
    reductions: Reductions,
    shared: &'a Shared<'a>,
    /// Number of this thread, from 0.
    thread: usize,
    history: &'a History,
    corrections: &'a Corrections,
    pawns: PawnMemory<N>,
    killers: Killers,
    path: Path,
    /// Moves of all nodes from the root to here, one after the other.
    list: Vec<Scored>,
    plies: Vec<Ply>,
    /// By ply: the best line found from there.
    lines: Vec<Vec<Move>>,
    nodes: u64,
    most_nodes: u64,
    deepest_ply: usize,
    /// Depth of the iteration, in plies.
    iteration: usize,
    /// No null move before this ply, while one is verified.
    no_null_before: usize,
    stopped: bool,
}

/// What is remembered of the node at each ply of the line that is being searched.
#[derive(Clone, Copy, Default, Debug)]
struct Ply {
    /// Corrected static evaluation; `None` in check.
    evaluation: Option<i32>,
    /// The move that is being searched from this node; `None` for a null move.
    step: Option<Step>,
    /// Where that move ends.
    arrived: Option<Square>,
    /// Whether that move is a null move.
    passed: bool,
    /// The move that a search for a second best leaves out.
    excluded: Option<Move>,
    /// How many of this node's children failed high.
    cutoffs: u32,
}

/// What the search takes for a draw: what may be claimed. Only where the root itself is beyond the
/// move count, and nobody has claimed, it goes on to the count that ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DrawLimits {
    /// Occurrences of a position; 0 for never.
    occurrences: u32,
    /// Moves by each side without pawn move or capture; 0 for never.
    moves: u32,
    stalemate: Stalemate,
}

impl DrawLimits {
    /// The limits at a root after so many moves without progress.
    fn new(draws: Draws, moves: u32) -> Self {
        let claimed = |limit: Limit| if limit.claim == 0 { limit.end } else { limit.claim };
        Self {
            occurrences: claimed(draws.repetition),
            moves: if moves >= claimed(draws.moves) { draws.moves.end } else { claimed(draws.moves) },
            stalemate: draws.stalemate,
        }
    }
}

/// The two bounds of a search: scores between them are of interest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// The window that only asks whether a score is above `alpha`.
    const fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The same window as the other side sees it.
    const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// Whether exact scores are wanted.
    const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Begins a node: counts its ply and ends the search when a limit is reached.
    #[inline]
    fn enter(&mut self, ply: usize) {
        self.deepest_ply = self.deepest_ply.max(ply);
        self.lines[ply].clear();
        if self.nodes >= self.most_nodes {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_SIGNALS) {
            self.look();
        }
    }

    /// Looks at the signals and now and then at the clock. With more threads than processors it is
    /// whichever thread runs that notices the time.
    #[cold]
    fn look(&mut self) {
        if self.shared.is_halted() || self.is_overtaken() {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.shared.count(self.thread, self.nodes);
            if self.shared.watch.is_over() {
                self.shared.halt();
                self.stopped = true;
            }
        }
    }

    /// Whether another thread has finished the iteration that this one is at.
    fn is_overtaken(&self) -> bool {
        self.shared.relay.depth() as usize >= self.iteration
    }

    /// The position after a move, its sums, and the step on the path. [`Path::leave`] undoes it.
    #[inline]
    fn make(&mut self, position: &Position<N>, sums: &Sums, played: Move, ply: usize) -> (Position<N>, Sums) {
        self.nodes += 1;
        self.plies[ply].step = self.step(position, played);
        self.plies[ply].arrived = Some(played.to);
        // By the time the position is made and summed up, what is remembered of it is near.
        self.shared.table.prefetch(self.shared.key(position.likely_key_after(self.rules, played)));
        let (after, sums) = sums.play(position, self.rules, self.values, self.feature_keys, played);
        self.path.enter(after.key(), !self.is_final(position, played));
        (after, sums)
    }

    /// What stands for a move among those that the threads are searching; `None` where it is not worth
    /// the trouble.
    #[inline]
    fn busy_key(&self, position: &Position<N>, played: Move, depth: i32) -> Option<u64> {
        let worth = depth >= self.tunables.defer_depth && self.shared.busy.is_shared();
        worth.then(|| position.likely_key_after(self.rules, played))
    }

    /// The move as the histories see it.
    #[inline]
    fn step(&self, position: &Position<N>, played: Move) -> Option<Step> {
        position.piece_at(played.from).map(|piece| self.history.step(piece, played.to))
    }

    /// The moves that led to a node, by [`BACK`].
    #[inline]
    fn before(&self, ply: usize) -> Before {
        BACK.map(|back| ply.checked_sub(back).and_then(|ply| self.plies[ply].step))
    }

    /// Whether a move can never be taken back: a capture, a promotion, or the move of a pawn, unless
    /// the pawns of this game come back.
    fn is_final(&self, position: &Position<N>, played: Move) -> bool {
        if matches!(played.kind, MoveKind::Promotion(_)) || crate::ordering::is_capture(position, played) {
            return true;
        }
        !self.values.pawns_return()
            && position.piece_at(played.from).is_some_and(|piece| self.values.man(piece).pawn)
    }

    /// Static evaluation from the side to move, as it is.
    fn evaluate(&mut self, position: &Position<N>, sums: &Sums) -> i32 {
        let error = self.shared.sight.as_ref().map_or(0, |sight| sight.error(position.key()));
        let Self { rules, values, terrain, pawns, .. } = self;
        let pawns = pawns.get(sums.features.pawns, position, values, terrain);
        let judged = eval::evaluate(position, rules, values, terrain, &sums.tally, pawns);
        (judged + error).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Static evaluation, corrected by what search has found in similar positions.
    fn corrected(&self, position: &Position<N>, sums: &Sums, raw: i32, ply: usize) -> i32 {
        let Tunables { correction_pawns, correction_men, correction_moves, .. } = self.tunables;
        let places = self.correction_places(position, sums, ply);
        let weights = [correction_pawns, correction_men, correction_moves];
        (raw + self.corrections.get(&places, weights)).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Where corrections for a node are kept.
    fn correction_places(&self, position: &Position<N>, sums: &Sums, ply: usize) -> CorrectionPlaces {
        let [last, before, _] = self.before(ply);
        Corrections::places(&sums.features, position.turn().index(), [last, before])
    }

    /// Appends the legal moves to the list, or only captures and promotions, but for those that a
    /// weak player overlooks. Returns how many are legal.
    fn collect(&mut self, position: &Position<N>, noisy_only: bool, ply: usize) -> u32 {
        let base = self.list.len();
        let (list, values) = (&mut self.list, self.values);
        let mut collector = Collector::new(list, position, values, &self.terrain, noisy_only, false);
        position.generate(self.rules, &mut collector);
        let legal = collector.legal;
        if self.shared.sight.is_some() {
            self.overlook(position, base, ply);
        }
        legal
    }

    /// A move of the side to move that wins at once by reaching a goal.
    fn goal_in_one(&mut self, position: &Position<N>, ply: usize) -> Option<Move> {
        if !self.terrain.is_at_gate(position, position.turn()) {
            return None;
        }
        let base = self.list.len();
        let (list, values) = (&mut self.list, self.values);
        let mut collector = Collector::new(list, position, values, &self.terrain, true, true);
        position.generate(self.rules, &mut collector);
        let goal = collector.goal.filter(|&goal| !self.overlooks(position, goal, ply));
        self.list.truncate(base);
        goal
    }

    /// The best line from `ply` is this move and the best line after it.
    fn update_line(&mut self, ply: usize, played: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(played);
        if let Some(rest) = after.first() {
            line.extend_from_slice(&rest[..rest.len().min(MAX_PLY)]);
        }
    }
}
