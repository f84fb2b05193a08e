//! The root: iterative deepening with aspiration windows (wiki), MultiPV, and reports to the caller.

use super::context::Task;
use super::node_state::Attempt;
use super::progress::{ProgressState, SearchProgress};
use super::pruning::Reductions;
use super::root_state::{Confidence, Cursor, Interruption, Proof, RootState};
use super::shared_iteration::{RootMove, RootScore};
use super::slice::{Paused, Slice};
use super::{Accumulator, DrawLimits, Path, Ply, Searcher, Window};
use crate::eval::{BoardSets, EvaluationCache, PawnHashTable};
use crate::ordering::{self, Histories, Killers};
use crate::score::{DRAW, INFINITE, MAX_PLY, Score, is_decided, lost_at, won_at};
use crate::tunables::Tunables;
use crate::{Bound, CurrentMove, Info, Limits, SearchReport};
use lozenge_rules::position::{Color, Move, Outcome, Position};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Deepest iteration, in plies.
const MAX_DEPTH: u32 = MAX_PLY as u32 - 8;

/// Report bounds only in searches longer than this, so that they do not flood the caller.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_secs(2);

/// Result of one thread.
#[derive(Clone, Debug)]
pub(super) struct ThreadResult {
    line: Vec<Move>,
    pub(super) score: i32,
    /// Kind of the score: the search may have stopped while it widened a window.
    pub(super) bound: Bound,
    /// Deepest finished iteration.
    pub(super) depth: u32,
    deepest_ply: usize,
}

impl ThreadResult {
    /// The move to play.
    pub(super) fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }

    /// A result of one move.
    #[cfg(test)]
    pub(super) fn of(best: Move, score: i32, depth: u32) -> Self {
        Self { line: vec![best], score, bound: Bound::Exact, depth, deepest_ply: 0 }
    }

    /// The report of the result itself, for when no line of it was reported.
    pub(super) fn info<const N: usize>(&self, task: &Task<'_, N>) -> Info {
        Info {
            depth: self.depth.max(1),
            seldepth: self.deepest_ply.max(1) as u32,
            multipv: 1,
            score: Score::from_number(self.score),
            bound: self.bound,
            nodes: task.shared.nodes(),
            time: task.shared.time.elapsed(),
            hashfull: task.shared.table.fullness(),
            tbhits: task.shared.table_hits.load(Ordering::Relaxed),
            pv: self.line.clone(),
            current: None,
        }
    }

    /// The final report of the search.
    pub(super) fn report<const N: usize>(&self, task: &Task<'_, N>) -> SearchReport {
        SearchReport {
            best: self.best(),
            ponder: self.expected(task),
            score: Score::from_number(self.score),
            nodes: task.shared.nodes(),
            depth: self.depth,
        }
    }

    /// The expected reply: from the line, or else from the table.
    fn expected<const N: usize>(&self, task: &Task<'_, N>) -> Option<Move> {
        if let Some(&answer) = self.line.get(1) {
            return Some(answer);
        }
        let after = task.position.play(task.rules, self.best()?);
        let tt_move = task.shared.table.probe(task.shared.key(after.key()))?.best?;
        after.legal_moves(task.rules).contains(&tt_move).then_some(tt_move)
    }
}

/// Searches on one thread until a limit is reached or another thread halts the search. A `slice` also ends after its
/// nodes or its time. It then has the state needed to resume the search, and `None` once the search has ended.
pub(super) fn explore<const N: usize>(
    task: &Task<'_, N>,
    thread: usize,
    histories: &Histories,
    on_info: &mut dyn FnMut(&Info),
    slice: Option<&mut Slice>,
) -> ThreadResult {
    let Task { position, rules, game, keys, limits, values, feature_keys, tunables, shared } = *task;
    let most_nodes = task.most_nodes(thread);
    let last_node = slice.as_ref().map_or(most_nodes, |slice| slice.last_node().min(most_nodes));
    let mut slice = slice;
    let keeps_interrupted = slice.is_some();
    let (root, interrupted, plies, killers, progress, nodes) =
        match slice.as_mut().and_then(|slice| slice.paused.take()) {
            Some(Paused { root, interrupted, plies, killers, progress, nodes }) => {
                (Some(root), interrupted, plies, killers, progress, nodes)
            }
            None => {
                let plies = vec![Ply::default(); MAX_PLY + 2];
                (None, Vec::new(), plies, Killers::new(), ProgressState::new(), 0)
            }
        };
    // The first iterations take some thousand nodes without most pruning.
    let has_shallow = most_nodes >= tunables.shallow_nodes as u64;
    let mut searcher = Searcher {
        rules,
        values,
        feature_keys,
        board_sets: BoardSets::new(values, rules),
        draws: DrawLimits::new(game.variant().draws(), u32::from(position.halfmove_clock()) / 2),
        tunables,
        reductions: Reductions::new(&tunables),
        shared,
        thread,
        history: &histories.history,
        corrections: &histories.corrections,
        pawns: PawnHashTable::new(),
        evaluations: EvaluationCache::new(),
        killers,
        path: Path::new(keys.iter().copied()),
        moves: Vec::with_capacity(4_096),
        plies,
        lines: vec![Vec::new(); MAX_PLY + 1],
        nodes,
        most_nodes: last_node,
        shallow_iterations: if has_shallow { tunables.shallow_iterations as usize } else { 0 },
        pause_at: slice.as_ref().and_then(|slice| slice.until),
        deepest_ply: 0,
        iteration: 0,
        no_null_before: 0,
        stopped: false,
        proof_end: 0,
        keeps_interrupted,
        interrupted,
        progress: SearchProgress::new(on_info, progress),
    };
    let (result, root) = Root::new(&mut searcher, position, limits, root).deepen();
    let Searcher { nodes, interrupted, plies, killers, progress, .. } = searcher;
    shared.count(thread, nodes);
    if let Some(slice) = slice
        && root.is_interrupted()
        && nodes < most_nodes
        && !shared.is_halted()
    {
        slice.paused = Some(Paused { root, interrupted, plies, killers, progress: progress.state, nodes });
    }
    result
}

/// The report on a game that is over and has no legal moves.
pub(super) fn finished(outcome: Outcome, turn: Color) -> SearchReport {
    let score = match outcome {
        Outcome::Draw(_) => Score::Centipawns(DRAW),
        Outcome::Win { winner, .. } if winner == turn => Score::Wins(1),
        Outcome::Win { .. } => Score::from_number(lost_at(0)),
    };
    SearchReport { best: None, ponder: None, score, nodes: 0, depth: 0 }
}

/// The iterations over the root's moves.
struct Root<'r, 'a, const N: usize> {
    searcher: &'r mut Searcher<'a, N>,
    position: &'r Position<N>,
    accumulator: Accumulator,
    limits: &'r Limits,
    state: RootState,
}

impl<'r, 'a, const N: usize> Root<'r, 'a, N> {
    /// A search from its beginning, or from where it was interrupted.
    fn new(
        searcher: &'r mut Searcher<'a, N>,
        position: &'r Position<N>,
        limits: &'r Limits,
        state: Option<RootState>,
    ) -> Self {
        let accumulator = Accumulator::of(position, searcher.values, searcher.feature_keys);
        if let Some(state) = state {
            return Self { searcher, position, accumulator, limits, state };
        }
        let tt_move =
            searcher.shared.table.probe(searcher.shared.key(position.key())).and_then(|hit| hit.best);
        searcher.collect(position, false, 0);
        searcher.order(position, 0, tt_move, 0);
        let mut scored_moves = core::mem::take(&mut searcher.moves);
        scored_moves.sort_by_key(|scored| core::cmp::Reverse(scored.score));
        let allowed = &limits.searchmoves;
        let any = scored_moves.iter().any(|scored| allowed.contains(&scored.played));
        let moves = scored_moves
            .drain(..)
            .map(|scored| scored.played)
            .filter(|played| !any || allowed.contains(played))
            .map(RootMove::new)
            .collect();
        searcher.moves = scored_moves;
        let confidence = Confidence::default();
        let state = RootState {
            moves,
            finished: 0,
            leader: None,
            confidence,
            proof: None,
            proved: None,
            interruption: None,
        };
        Self { searcher, position, accumulator, limits, state }
    }

    /// Step 1. Iterations of growing depth until a limit is reached.
    fn deepen(mut self) -> (ThreadResult, RootState) {
        let lines = self.limits.multipv.clamp(1, self.state.moves.len().max(1));
        let deepest = self.limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        // Timing alone makes the threads differ; a helper one ply ahead did not gain in tests.
        let ahead = self.searcher.thread as u32 % 2 * self.searcher.tunables.helper_ahead as u32;
        while self.state.finished < deepest {
            match self.iterate(self.state.finished + 1 + ahead, lines) {
                Some(depth) => self.state.finished = depth,
                None => break,
            }
            let RootState { moves, leader, confidence, .. } = &mut self.state;
            confidence.update(moves, *leader, self.searcher.nodes);
            if self.should_stop() {
                break;
            }
        }
        (self.result(), self.state)
    }

    /// One iteration. Returns its depth, or the depth of the one that another thread has finished
    /// meanwhile; `None` when the search was stopped.
    fn iterate(&mut self, depth: u32, lines: usize) -> Option<u32> {
        let mut resumed = self.state.interruption.take();
        let proof = self.state.proof.take();
        if resumed.is_none() && proof.is_none() {
            self.state.leader = self.state.moves.first().map(|first| first.played);
            for root_move in &mut self.state.moves {
                root_move.previous = root_move.score;
            }
        }
        self.searcher.iteration = depth as usize;
        if resumed.is_none()
            && let Some(moves) = self.mate_to_prove(depth)
        {
            self.prove_mate(moves, proof);
            if self.searcher.stopped {
                return self.adopt();
            }
        }
        for number in resumed.map_or(0, |resumed| resumed.line)..lines {
            self.searcher.deepest_ply = resumed.map_or(0, |resumed| resumed.deepest_ply);
            self.search_with_aspiration(depth, number, resumed.take());
            if self.searcher.stopped {
                let adopted = self.adopt();
                if let Some(depth) = adopted {
                    (0..lines).for_each(|number| self.report(depth, number));
                }
                return adopted;
            }
            if number == 0 {
                self.restore_mate();
            }
            // A later line may turn out better than an earlier one, which then comes after it.
            let value = self.state.moves.get(number).and_then(RootMove::value);
            let place = self.state.moves[..number].partition_point(|root_move| root_move.value() >= value);
            self.state.moves[..=number].sort_by_key(|root_move| core::cmp::Reverse(root_move.value()));
            (place..=number).for_each(|number| self.report(depth, number));
        }
        let shared = self.searcher.shared;
        if shared.searching.is_enabled() {
            shared.iteration.publish(depth, &self.state.moves);
        }
        Some(depth)
    }

    /// Adopts the iteration that another thread finished first, if that stopped this one.
    fn adopt(&mut self) -> Option<u32> {
        let searcher = &mut *self.searcher;
        if searcher.shared.is_halted() || searcher.nodes >= searcher.most_nodes || !searcher.is_outpaced() {
            return None;
        }
        searcher.stopped = false;
        (self.state.proof, self.state.interruption) = (None, None);
        Some(searcher.shared.iteration.adopt(&mut self.state.moves))
    }

    /// Whether to stop deepening.
    fn should_stop(&mut self) -> bool {
        let (depth, confidence) = (self.state.finished, &self.state.confidence);
        let Some(best) = self.state.moves.first() else { return true };
        let Some(score) = best.value() else { return true };
        if let (Some(max_moves), Score::Wins(moves)) = (self.limits.mate, Score::from_number(score))
            && moves <= max_moves
        {
            return true;
        }
        // Helper threads continue until the main thread stops.
        if self.searcher.thread > 0 {
            return false;
        }
        let time = &self.searcher.shared.time;
        if !time.counts() {
            return time.is_over();
        }
        // A forced move needs no search, a proved win only little.
        let is_forced = self.state.moves.len() == 1 && depth >= 4;
        let decided = is_decided(score) && depth as i32 > 2 * (crate::score::WIN - score.abs());
        is_forced || decided || time.is_enough(confidence.percent(&self.searcher.tunables))
    }

    /// The length in moves of the mate that is sought before this iteration, if one is: an iteration without pruning would
    /// have found it two plies ago. It is shorter than the mate that is known.
    fn mate_to_prove(&self, depth: u32) -> Option<usize> {
        let score = self.state.moves.first()?.previous?.value;
        let (moves, tunables) = (depth as usize / 2, &self.searcher.tunables);
        let sought = !depth.is_multiple_of(2)
            && (1..=tunables.proof_moves as usize).contains(&moves)
            && (tunables.proof_score..won_at(2 * moves - 1)).contains(&score)
            && self.searcher.shared.handicap_state.is_none();
        sought.then_some(moves)
    }

    /// Step 2. A search for a mate in at most `moves` moves, in a won position. There the reductions of quiet moves hide it, for
    /// many other moves win, too. No move is pruned or reduced, but only mates count: most nodes are cut early.
    fn prove_mate(&mut self, moves: usize, proof: Option<Proof>) {
        let plies = 2 * moves - 1;
        let window = Window::null(won_at(plies) - 1);
        let begun = self.searcher.nodes;
        let Proof { at: first, end } = proof.unwrap_or_else(|| {
            self.prepare_ply();
            // A fixed number of nodes, at most a part of the limits.
            let Tunables { proof_nodes, proof_part, .. } = self.searcher.tunables;
            let limit = self.limits.nodes.map(|nodes| nodes / proof_part as u64);
            let timed = self.searcher.shared.time.nodes_in_part(begun, proof_part as u32);
            Proof { at: 0, end: begun + limit.into_iter().chain(timed).fold(proof_nodes as u64, u64::min) }
        });
        self.searcher.proof_end = end;
        for at in first..self.state.moves.len() {
            let searcher = &mut *self.searcher;
            let root_move = &mut self.state.moves[at];
            let before = searcher.nodes;
            let (after, accumulator) = searcher.make(self.position, &self.accumulator, root_move.played, 0);
            let score = -searcher.search(&after, &accumulator, window.flipped(), plies as i32 - 1, 1, false);
            searcher.path.leave();
            root_move.nodes += searcher.nodes - before;
            if searcher.stopped {
                self.state.proof = Some(Proof { at, end });
                break;
            }
            searcher.interrupted.clear();
            if score >= window.beta {
                root_move.line = vec![root_move.played];
                root_move.previous = Some(RootScore::exact(score));
                root_move.score = root_move.previous;
                self.state.proved = Some((root_move.played, score));
                self.state.moves[..=at].rotate_right(1);
                break;
            }
            if searcher.nodes >= end {
                break;
            }
        }
        self.searcher.proof_end = 0;
    }

    /// Restores a proved mate that the iteration did not see, because it prunes.
    fn restore_mate(&mut self) {
        let Some((played, score)) = self.state.proved else { return };
        let moves = &mut self.state.moves;
        let is_seen = moves.first().is_some_and(|best| best.value() >= Some(score));
        let at = moves.iter().position(|root_move| root_move.played == played);
        if let (false, Some(at)) = (is_seen, at) {
            moves[at].score = Some(RootScore::exact(score));
            moves[at].line = vec![played];
            moves[..=at].rotate_right(1);
        }
    }

    /// Step 3. The line of this number (from 0) is searched with a narrow window around its last
    /// score, which is widened until the score lies in it.
    fn search_with_aspiration(&mut self, depth: u32, number: usize, resumed: Option<Interruption>) {
        let previous = self.state.moves.get(number).and_then(|root_move| Some(root_move.previous?.value));
        let mut width = self.searcher.tunables.aspiration;
        let mut window = Window { alpha: -INFINITE, beta: INFINITE };
        if let Some(previous) = previous
            && depth >= self.searcher.tunables.aspiration_depth as u32
            && !is_decided(previous)
        {
            window =
                Window { alpha: (previous - width).max(-INFINITE), beta: (previous + width).min(INFINITE) };
        }
        if let Some(resumed) = resumed {
            (window, width) = (resumed.window, resumed.width);
        }
        let mut cursor = resumed.map(|resumed| resumed.cursor);
        loop {
            let searched = self.search_root(window, depth as i32, number, cursor.take());
            // A stable sort: moves that are only known to be no better keep their order. An interrupted search finds
            // the moves that it has still to search where they were.
            self.state.moves[number..].sort_by_key(|root_move| core::cmp::Reverse(root_move.value()));
            let score = match searched {
                Ok(score) => score,
                Err(cursor) => {
                    let deepest_ply = self.searcher.deepest_ply;
                    self.state.interruption =
                        Some(Interruption { line: number, window, width, deepest_ply, cursor });
                    return;
                }
            };
            width = width.saturating_mul(self.searcher.tunables.aspiration_growth) / 100;
            let wide = width > self.searcher.tunables.aspiration_wide;
            if score <= window.alpha && window.alpha > -INFINITE {
                self.report_bound(depth, number);
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = if wide { -INFINITE } else { (score - width).max(-INFINITE) };
            } else if score >= window.beta && window.beta < INFINITE {
                self.report_bound(depth, number);
                window.beta = if wide { INFINITE } else { (score + width).min(INFINITE) };
                // A search that stops before it knows more has this bound at least.
                self.state.moves[number].previous = self.state.moves[number].score;
            } else {
                return;
            }
        }
    }

    /// Step 4. The moves of the root from the given number on, as in any node of the principal
    /// variation; or those from the cursor on, where they were interrupted.
    ///
    /// # Errors
    /// Where the search stopped.
    fn search_root(
        &mut self,
        window: Window,
        depth: i32,
        number: usize,
        cursor: Option<Cursor>,
    ) -> Result<i32, Cursor> {
        let mut resumed = cursor.is_some();
        let Cursor { at: first_at, mut alpha, mut best } = cursor.unwrap_or_else(|| {
            self.prepare_ply();
            for root_move in &mut self.state.moves[number..] {
                root_move.score = None;
            }
            Cursor { at: number, alpha: window.alpha, best: -INFINITE }
        });
        // Defer a move that another thread is searching once, until the others have been tried.
        let mut queue: VecDeque<(usize, bool)> =
            (first_at..self.state.moves.len()).map(|at| (at, at > number)).collect();
        while let Some((at, may_defer)) = queue.pop_front() {
            let played = self.state.moves[at].played;
            let first = at == number;
            let shared = self.searcher.shared;
            let abdada_key = self.searcher.abdada_key(self.position, played, depth);
            if may_defer && abdada_key.is_some_and(|key| shared.searching.contains(key)) {
                queue.push_back((at, false));
                continue;
            }
            let quiet = !ordering::is_noisy(self.position, played);
            let before = self.searcher.nodes;
            let (after, accumulator) = self.searcher.make(self.position, &self.accumulator, played, 0);
            let Tunables { reduction_depth, root_reduction_moves, .. } = self.searcher.tunables;
            let is_late = depth >= reduction_depth && at - number >= root_reduction_moves as usize;
            let reduction = if is_late && quiet && !self.searcher.is_shallow() {
                (self.searcher.reductions.get(depth, at - number) / 1024 - 1).clamp(0, depth - 2)
            } else {
                0
            };
            let inner = Window { alpha, beta: window.beta };
            let attempt = Attempt { depth: depth - 1, reduction, first, cut: false };
            self.searcher.progress.set_current_move(depth as u32, CurrentMove { played, number: at + 1 });
            let guard = abdada_key.map(|key| shared.searching.start(key));
            let score = self.searcher.try_move(&after, &accumulator, inner, attempt, 0, resumed);
            resumed = false;
            drop(guard);
            self.searcher.path.leave();
            self.state.moves[at].nodes += self.searcher.nodes - before;
            if self.searcher.stopped {
                return Err(Cursor { at, alpha, best });
            }
            self.searcher.interrupted.clear();
            best = best.max(score);
            if first || score > alpha {
                let root_move = &mut self.state.moves[at];
                root_move.score = Some(RootScore { value: score, bound: window.bound_of(score) });
                root_move.deepest_ply = self.searcher.deepest_ply;
                root_move.line.clear();
                root_move.line.push(played);
                root_move.line.extend_from_slice(&self.searcher.lines[1]);
            }
            if score > alpha {
                alpha = score;
                if score >= window.beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    /// Fills the search stack at the root for the nodes below.
    fn prepare_ply(&mut self) {
        let searcher = &mut *self.searcher;
        let raw = searcher.evaluate(self.position, &self.accumulator);
        let check = self.position.is_check(searcher.rules);
        let corrected = searcher.corrected(self.position, &self.accumulator, raw, 0);
        searcher.plies[0].evaluation = (!check).then_some(corrected);
        searcher.killers.clear(1);
        searcher.plies[1].cutoffs = 0;
    }

    /// Reports a bound, in long searches.
    fn report_bound(&mut self, depth: u32, number: usize) {
        if self.searcher.shared.time.elapsed() >= REPORT_BOUNDS_AFTER {
            self.report(depth, number);
        }
    }

    fn report(&mut self, depth: u32, number: usize) {
        let Some(root_move) = self.state.moves.get(number) else { return };
        let Some(score) = root_move.newest() else { return };
        self.searcher.shared.count(self.searcher.thread, self.searcher.nodes);
        let info = Info {
            depth,
            seldepth: root_move.deepest_ply.max(1) as u32,
            multipv: number + 1,
            score: Score::from_number(score.value),
            bound: score.bound,
            nodes: self.searcher.shared.nodes(),
            time: self.searcher.shared.time.elapsed(),
            hashfull: self.searcher.shared.table.fullness(),
            tbhits: self.searcher.shared.table_hits.load(Ordering::Relaxed),
            pv: root_move.line.clone(),
            current: None,
        };
        self.searcher.progress.report(info);
    }

    /// Step 5. The best move so far; there is one even if the first iteration was aborted.
    fn result(&mut self) -> ThreadResult {
        let depth = self.state.finished;
        let Some(best) = self.state.moves.first() else {
            return ThreadResult {
                line: Vec::new(),
                score: DRAW,
                bound: Bound::Exact,
                depth,
                deepest_ply: 0,
            };
        };
        let (newest, line, deepest_ply) = (best.newest(), best.line.clone(), best.deepest_ply);
        let RootScore { value: score, bound } = newest
            .unwrap_or_else(|| RootScore::exact(self.searcher.evaluate(self.position, &self.accumulator)));
        ThreadResult { line, score, bound, depth, deepest_ply }
    }
}
