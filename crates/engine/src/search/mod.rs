//! The search: several [`threads`], each with iterative deepening ([`root`]) of a principal variation search.
//! A [`node`] first tries whole-node pruning ([`prune_node`]), then its [`moves`]; every line ends in
//! [`quiescence`]. Threads share finished iterations ([`shared_iteration`]) and search different moves
//! ([`abdada`]). A search may be interrupted and go on ([`slice`]). Each pruning rule is a function of [`pruning`]; [`path`] detects repetitions.

mod abdada;
mod accumulator;
mod context;
mod extension;
mod handicap;
mod moves;
mod node;
mod node_state;
mod path;
mod progress;
mod prune_node;
mod pruning;
mod quiescence;
mod root;
mod root_state;
mod shared_iteration;
mod slice;
mod tablebase;
mod threads;

pub(crate) use accumulator::FeatureKeys;
pub(crate) use context::SearchContext;
pub use slice::Portion;
pub(crate) use slice::Slice;
pub(crate) use threads::{histories_for, think};

use crate::Bound;
use crate::eval::{self, BoardSets, EvaluationCache, PawnHashTable, Values};
use crate::ordering::{
    BACK, Before, Collector, CorrectionIndices, Corrections, GoalFinder, History, Killers, PieceTo, Scored,
    is_noisy,
};
use crate::score::{EVALUATION_LIMIT, MAX_PLY, lost_at, won_at};
use crate::tunables::Tunables;
use accumulator::Accumulator;
use context::SearchShared;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{Move, Position};
use lozenge_rules::variant::{Draws, Limit, Rules, Stalemate};
use node_state::{InterruptedNode, Stage};
use path::Path;
use progress::SearchProgress;
use pruning::Reductions;
use web_time::Instant;

/// Nodes between two checks of the signals.
const NODES_BETWEEN_SIGNALS: u64 = 32;
/// Nodes between two checks of the clock.
const NODES_BETWEEN_CLOCK_CHECKS: u64 = 512;

/// Keys of positions in which a search for a mate found none, so that they do not replace entries of other searches.
const UNPROVED: u64 = 0x9e37_79b9_7f4a_7c15;

/// One thread's search of one position.
struct Searcher<'a, const N: usize> {
    rules: &'a Rules<N>,
    values: &'a Values,
    feature_keys: &'a FeatureKeys,
    board_sets: BoardSets<N>,
    draws: DrawLimits,
    tunables: Tunables,
    reductions: Reductions,
    shared: &'a SearchShared<'a>,
    /// Number of this thread, from 0.
    thread: usize,
    history: &'a History,
    corrections: &'a Corrections,
    pawns: PawnHashTable<N>,
    evaluations: EvaluationCache,
    killers: Killers,
    path: Path,
    /// Moves of all nodes from the root to here, one after the other.
    moves: Vec<Scored>,
    plies: Vec<Ply>,
    /// By ply: the best line found from there.
    lines: Vec<Vec<Move>>,
    nodes: u64,
    most_nodes: u64,
    /// How many iterations prune less.
    shallow_iterations: usize,
    /// When the slice ends, if a slice is searched.
    pause_at: Option<Instant>,
    deepest_ply: usize,
    /// Depth of the iteration, in plies.
    iteration: usize,
    /// No null move before this ply, while one is verified.
    no_null_before: usize,
    stopped: bool,
    /// Number of nodes at which the search for a short mate ends; 0 outside of such a search.
    proof_end: u64,
    /// Whether nodes keep interrupted when the search stops.
    keeps_interrupted: bool,
    /// The nodes at which the search goes on, the one nearest to the root last.
    interrupted: Vec<InterruptedNode>,
    progress: SearchProgress<'a>,
}

/// State of the node at one ply of the current line (the "search stack").
#[derive(Clone, Copy, Default, Debug)]
struct Ply {
    /// Corrected static evaluation; `None` in check.
    evaluation: Option<i32>,
    /// The move that is being searched from this node; `None` for a null move.
    step: Option<PieceTo>,
    /// Whether that move neither captures nor promotes.
    quiet: bool,
    /// The destination of that move.
    arrived: Option<Square>,
    /// Whether that move is a null move.
    null_move: bool,
    /// The move that a singular search excludes.
    excluded: Option<Move>,
    /// How many of this node's children failed high.
    cutoffs: i32,
    /// Which search of that move is under way, and how deep the searches in full are.
    stage: (Stage, i32),
}

/// Limits at which the search scores a draw: those at which a player may claim one. If the root is already
/// beyond the claimable move count, the count that ends the game applies; beyond that, none does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct DrawLimits {
    /// Occurrences of a position; 0 for never.
    occurrences: u32,
    /// Moves by each side without pawn move or capture; 0 for never.
    moves: u32,
    stalemate: Stalemate,
}

impl DrawLimits {
    /// The limits at a root that `moves` moves without progress precede.
    fn new(draws: Draws, moves: u32) -> Self {
        let claimed = |limit: Limit| if limit.claim == 0 { limit.end } else { limit.claim };
        Self {
            occurrences: claimed(draws.repetition),
            moves: [claimed(draws.moves), draws.moves.end]
                .into_iter()
                .find(|&most| moves < most)
                .unwrap_or(0),
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

    /// The window without scores that no node at this ply can have.
    fn within_mates(self, ply: usize) -> Self {
        Self { alpha: self.alpha.max(lost_at(ply)), beta: self.beta.min(won_at(ply + 1)) }
    }

    /// The same window as the other side sees it.
    const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }

    /// What a score says that was searched with this window.
    const fn bound_of(self, score: i32) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// Whether exact scores are wanted.
    const fn is_open(self) -> bool {
        self.beta - self.alpha > 1
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Enters a node: counts its ply and stops the search when a limit is reached.
    #[inline]
    fn enter(&mut self, ply: usize) {
        self.deepest_ply = self.deepest_ply.max(ply);
        self.lines[ply].clear();
        if self.nodes >= self.most_nodes {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_SIGNALS) {
            self.check_limits();
        }
    }

    /// Checks the signals, and at times the clock. Every thread does: with more threads than processors
    /// the first one may not be running when time is up.
    #[cold]
    fn check_limits(&mut self) {
        if self.shared.is_halted() || self.is_outpaced() {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_CLOCK_CHECKS) {
            self.shared.count(self.thread, self.nodes);
            if self.shared.time.is_over() {
                self.shared.halt();
                self.stopped = true;
            } else if self.pause_at.is_some_and(|at| Instant::now() >= at) {
                self.stopped = true;
            } else if self.thread == 0 {
                self.progress.tick(self.shared);
            }
        }
    }

    /// The node at which the search was interrupted, if it is the next one.
    #[inline]
    fn next_interrupted(
        &mut self,
        position: &Position<N>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<InterruptedNode> {
        let excluded = self.plies[ply].excluded;
        let window = window.within_mates(ply);
        self.interrupted.pop_if(|node| node.is_of(position.key(), window, depth, ply, excluded))
    }

    /// Whether the iteration is one of the first, which prune less.
    #[inline]
    const fn is_shallow(&self) -> bool {
        self.iteration <= self.shallow_iterations
    }

    /// The ply from which nothing is extended.
    #[inline]
    const fn most_extended_ply(&self) -> usize {
        self.tunables.extension_plies as usize * self.iteration
    }

    /// Whether the search is one for a short mate, which prunes and reduces nothing.
    #[inline]
    const fn is_proving(&self) -> bool {
        self.proof_end > 0
    }

    /// Whether another thread has finished the iteration that this thread is searching.
    fn is_outpaced(&self) -> bool {
        self.shared.iteration.depth() as usize >= self.iteration
    }

    /// Makes a move: the position after it and its accumulator. [`Path::leave`] undoes the entry in the path.
    #[inline]
    fn make(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        played: Move,
        ply: usize,
    ) -> (Position<N>, Accumulator) {
        self.nodes += 1;
        self.plies[ply].step = self.step(position, played);
        let quiet = !is_noisy(position, played);
        self.plies[ply].quiet = quiet;
        self.plies[ply].arrived = Some(played.to);
        // The entries arrive while the position and its accumulator are computed.
        self.prefetch(position.likely_key_after(self.rules, played));
        let (after, accumulator) =
            accumulator.play(position, self.rules, self.values, self.feature_keys, played);
        self.path.enter(after.key(), quiet && !self.is_irreversible(position, played));
        (after, accumulator)
    }

    /// Prefetches what the tables know of the position with this key.
    #[inline]
    fn prefetch(&self, key: u64) {
        self.shared.table.prefetch(self.shared.key(key));
        self.evaluations.prefetch(key);
    }

    /// Key of a move in the table of moves being searched; `None` with one thread or at low depth.
    #[inline]
    fn abdada_key(&self, position: &Position<N>, played: Move, depth: i32) -> Option<u64> {
        let defers = depth >= self.tunables.defer_depth && self.shared.searching.is_enabled();
        defers.then(|| position.likely_key_after(self.rules, played))
    }

    /// The move as the histories see it.
    #[inline]
    fn step(&self, position: &Position<N>, played: Move) -> Option<PieceTo> {
        position.piece_at(played.from).map(|piece| self.history.step(piece, played.to))
    }

    /// The moves that led to a node, by [`BACK`].
    #[inline]
    fn before(&self, ply: usize) -> Before {
        BACK.map(|back| ply.checked_sub(back).and_then(|ply| self.plies[ply].step))
    }

    /// Whether a quiet move can never be taken back: the move of a pawn, unless the pawns of this game come back.
    fn is_irreversible(&self, position: &Position<N>, played: Move) -> bool {
        !self.values.pawns_return()
            && position.piece_at(played.from).is_some_and(|piece| self.values.piece(piece).pawn)
    }

    /// Static evaluation from the side to move, uncorrected.
    fn evaluate(&mut self, position: &Position<N>, accumulator: &Accumulator) -> i32 {
        let error = self.shared.handicap_state.as_ref().map_or(0, |state| state.error(position.key()));
        let Self { rules, values, board_sets, pawns, evaluations, .. } = self;
        let evaluation = evaluations.get(position.key(), || {
            let pawns = pawns.get(accumulator.features.pawns, position, values, board_sets);
            eval::evaluate(position, rules, values, board_sets, &accumulator.tally, pawns)
        });
        (evaluation + error).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Static evaluation with correction history applied.
    fn corrected(&self, position: &Position<N>, accumulator: &Accumulator, raw: i32, ply: usize) -> i32 {
        let Tunables { correction_pawns, correction_pieces, correction_moves, .. } = self.tunables;
        let places = self.correction_places(position, accumulator, ply);
        let weights = [correction_pawns, correction_pieces, correction_moves];
        (raw + self.corrections.get(&places, weights)).clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Entries of the correction history for a node.
    fn correction_places(
        &self,
        position: &Position<N>,
        accumulator: &Accumulator,
        ply: usize,
    ) -> CorrectionIndices {
        let [last, before, _] = self.before(ply);
        Corrections::indices(&accumulator.features, position.turn(), [last, before])
    }

    /// Appends the legal moves, or only captures and best promotions, without those that a player with a
    /// handicap overlooks. Returns whether there are any, overlooked or not.
    fn collect(&mut self, position: &Position<N>, noisy_only: bool, ply: usize) -> bool {
        let start = self.moves.len();
        let mut collector = Collector::new(&mut self.moves, self.values, noisy_only);
        if noisy_only {
            position.generate_noisy(self.rules, &mut collector);
        } else {
            position.generate(self.rules, &mut collector);
        }
        let any = self.moves.len() > start;
        if self.shared.handicap_state.is_some() {
            self.overlook(position, start, ply);
        }
        any
    }

    /// A move of the side to move that wins at once by reaching a goal.
    fn goal_in_one(&self, position: &Position<N>, ply: usize) -> Option<Move> {
        if !self.board_sets.is_at_gate(position, position.turn()) {
            return None;
        }
        let mut finder = GoalFinder::new(position, &self.board_sets);
        position.generate(self.rules, &mut finder);
        finder.goal.filter(|&goal| !self.overlooks(position, goal, ply))
    }

    /// Updates the principal variation: this move, then the line of the next ply.
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
