//! The search: on several [`threads`], iterative deepening ([`root`]) of a principal variation search ([`node`]) that ends
//! in captures ([`quiescence`]). Pruning rules are named functions ([`pruning`]); what repeats is
//! seen along the [`path`].

mod node;
mod path;
mod pruning;
mod quiescence;
mod root;
mod threads;

pub(crate) use threads::{Outside, think};

use crate::eval::{self, Listener, Tally, Terrain, Values};
use crate::ordering::{Collector, History, Killers, Scored};
use crate::score::MAX_PLY;
use crate::tunables::Tunables;
use lozenge_rules::position::{Move, MoveKind, Position};
use lozenge_rules::variant::{Draws, Limit, Rules, Stalemate};
use path::Path;
use pruning::Reductions;
use threads::Shared;

/// The signals are looked at each time so many nodes have been searched.
const NODES_BETWEEN_SIGNALS: u64 = 32;
/// The clock is looked at each time so many nodes have been searched.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// One thread's search of one position.
struct Searcher<'a, const N: usize> {
    rules: &'a Rules<N>,
    values: &'a Values,
    terrain: Terrain<N>,
    draws: DrawLimits,
    tunables: Tunables,
    reductions: Reductions,
    shared: &'a Shared<'a>,
    /// Number of this thread, from 0.
    thread: usize,
    history: &'a mut History,
    killers: Killers,
    path: Path,
    /// Moves of all nodes from the root to here, one after the other.
    list: Vec<Scored>,
    /// By ply: static evaluation, `None` in check.
    evaluations: Vec<Option<i32>>,
    /// By ply: whether the move before was a null move.
    passed: Vec<bool>,
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
        if self.shared.is_halted() {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.shared.count(self.thread, self.nodes);
            if self.shared.watch.is_over() {
                self.shared.halt();
                self.stopped = true;
            }
        }
    }

    /// The position after a move, its sums, and the step on the path. [`Path::leave`] undoes it.
    #[inline]
    fn make(&mut self, position: &Position<N>, tally: &Tally, played: Move) -> (Position<N>, Tally) {
        self.nodes += 1;
        let mut listener = Listener { tally: *tally, values: self.values };
        let after = position.play_observed(self.rules, played, &mut listener);
        self.path.enter(after.key(), !self.is_final(position, played));
        (after, listener.tally)
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

    /// Static evaluation from the side to move.
    fn evaluate(&self, position: &Position<N>, tally: &Tally) -> i32 {
        eval::evaluate(position, self.rules, self.values, &self.terrain, &self.tunables, tally)
    }

    /// Appends the legal moves to the list. Returns how many are legal, and a move that wins by
    /// reaching a goal, if there is one.
    fn collect(&mut self, position: &Position<N>, noisy_only: bool) -> (u32, Option<Move>) {
        let mut collector = Collector::new(&mut self.list, position, self.values, &self.terrain, noisy_only);
        position.generate(self.rules, &mut collector);
        (collector.legal, collector.goal)
    }

    /// A move of the side to move that wins at once by reaching a goal.
    fn goal_in_one(&mut self, position: &Position<N>) -> Option<Move> {
        if !self.terrain.is_at_gate(position, position.turn()) {
            return None;
        }
        let base = self.list.len();
        let (_, goal) = self.collect(position, true);
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
