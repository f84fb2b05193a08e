//! The move loop of a node: order, prune, extend, reduce and search moves, then update histories and the
//! table. Steps 9 to 18.

use super::extension::Singular;
use super::node_state::{
    Attempt, Candidate, InterruptedMoves, InterruptedNode, MoveLoop, Node, Stage, Trial,
};
use super::{Accumulator, Searcher, UNPROVED, Window, pruning};
use crate::Bound;
use crate::ordering::{self, Before, Scored, exchange_wins};
use crate::score::{DECIDED, DRAW, INFINITE, is_decided, to_node, won_at};
use crate::transposition::Hit;
use lozenge_rules::position::{CheckSquares, Move, Position};
use lozenge_rules::variant::Stalemate;

/// Least score of a quiet move that is ordered by history alone.
const QUIET_MIN: i32 = ordering::BAD_CAPTURE / 2;
/// End of these scores.
const QUIET_MAX: i32 = ordering::KILLER - 2;

/// Score of a deferred move: after all others.
const DEFERRED: i32 = i32::MIN / 2;

/// Verdict of move-loop pruning.
enum SkipMove {
    No,
    This,
    /// This move and all quiet ones after it.
    Quiets,
}

impl<const N: usize> Searcher<'_, N> {
    /// Generates, orders and tries the moves of a node.
    pub(super) fn search_moves(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
        start: usize,
    ) -> i32 {
        // Step 9. All legal moves.
        let &Node { window, ply, .. } = node;
        if !self.collect(position, false, ply) {
            return self.without_moves(position, ply);
        }
        // Try the TT move before ordering the others: it often cuts the node.
        let ordered = !self.move_to_front(start, node.tt_move());
        if ordered {
            self.order(position, start, None, ply);
        }
        let (best, best_move) = (-INFINITE, None);
        let state = MoveLoop {
            next: start,
            ordered,
            alpha: window.alpha,
            best,
            best_move,
            move_count: 0,
            quiets_tried: 0,
        };
        self.try_moves(position, accumulator, node, start, state, None)
    }

    /// Goes on with the moves of a node where the search was interrupted.
    #[cold]
    pub(super) fn resume_moves(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
        interrupted: InterruptedMoves,
    ) -> i32 {
        let InterruptedMoves { moves, line, mut state, mut trial } = interrupted;
        let start = self.moves.len();
        self.moves.extend_from_slice(&moves);
        self.lines[node.ply] = line;
        state.next += start;
        trial.at += start;
        let score = self.try_moves(position, accumulator, node, start, state, Some(trial));
        self.moves.truncate(start);
        score
    }

    /// Tries the moves of a node, `moves[start..]`; `pending`, which was interrupted, before the others.
    #[inline(always)]
    fn try_moves(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
        start: usize,
        state: MoveLoop,
        mut pending: Option<Trial>,
    ) -> i32 {
        let &Node { window, ply, .. } = node;
        let before = self.before(ply);
        let MoveLoop {
            mut next,
            mut ordered,
            mut alpha,
            mut best,
            mut best_move,
            mut move_count,
            mut quiets_tried,
        } = state;
        let mut checks = None;
        let must_mate =
            self.is_proving() && window.alpha >= won_at(ply + 3) && self.draws.stalemate == Stalemate::Draw;
        while pending.is_some() || next < self.moves.len() {
            let resumed = pending.is_some();
            let mut trial = match pending.take() {
                Some(trial) => trial,
                None => {
                    let at = next;
                    next += 1;
                    if !ordered && at > start {
                        self.order(position, at, None, ply);
                        ordered = true;
                    }
                    let Some(Scored { played, score: move_score }) = self.pick_move(position, at) else {
                        break;
                    };
                    if Some(played) == node.excluded {
                        continue;
                    }
                    let quiet = !ordering::is_noisy(position, played);
                    // The score of a quiet move that is nothing else is its history.
                    let history = match move_score {
                        QUIET_MIN..QUIET_MAX if quiet => move_score,
                        _ => self.history_of(position, played, quiet, &before),
                    };
                    let candidate = Candidate { played, move_score, move_count, quiet, history };
                    // A search for a mate needs only checks for the last move.
                    if must_mate && !self.gives_check(position, played, &mut checks) {
                        continue;
                    }
                    // Step 10. Move-loop pruning, once a move has been found that does not lose by force.
                    if best > -DECIDED && move_score != DEFERRED && !self.is_proving() {
                        match self.skip_move(position, node, &candidate, alpha, quiets_tried, &mut checks) {
                            SkipMove::No => {}
                            SkipMove::This => continue,
                            SkipMove::Quiets => {
                                self.skip_quiets(position, next, &mut checks);
                                continue;
                            }
                        }
                    }
                    Trial { at, candidate, attempt: None }
                }
            };
            let Trial { at, candidate, .. } = trial;
            let Candidate { played, move_score, quiet, .. } = candidate;
            let shared = self.shared;
            let abdada_key = self.abdada_key(position, played, node.depth);
            let is_under_way = trial.attempt.is_some();
            let attempt = match trial.attempt {
                Some(attempt) => attempt,
                None => {
                    // Step 11. The TT move may deserve more depth.
                    let mut depth = node.depth - 1;
                    if Some(played) == node.tt_move() {
                        let extension = self.extension(position, accumulator, node);
                        if self.stopped {
                            let state =
                                MoveLoop { next, ordered, alpha, best, best_move, move_count, quiets_tried };
                            self.keep_moves(position, node, start, state, trial);
                            return DRAW;
                        }
                        match extension {
                            Singular::Extend(plies) => depth += plies,
                            Singular::Decided(score) => return score,
                        }
                    }
                    // Step 12. Defer a move that another thread is searching.
                    if move_count > 0
                        && move_score != DEFERRED
                        && abdada_key.is_some_and(|key| shared.searching.contains(key))
                    {
                        self.moves.push(Scored { played, score: DEFERRED });
                        continue;
                    }
                    let reduction = self.reduction(node, &candidate);
                    Attempt { depth, reduction, first: move_count == 0, cut: node.cut }
                }
            };
            // Step 13. Search the first move in full, later moves reduced and with a null window first.
            let (after, after_accumulator) = self.make(position, accumulator, played, ply);
            let inner = Window { alpha, beta: window.beta };
            let guard = abdada_key.map(|key| shared.searching.start(key));
            let score = self.try_move(&after, &after_accumulator, inner, attempt, ply, is_under_way);
            drop(guard);
            self.path.leave();
            if self.stopped {
                let state = MoveLoop { next, ordered, alpha, best, best_move, move_count, quiets_tried };
                trial.attempt = Some(attempt);
                self.keep_moves(position, node, start, state, trial);
                return DRAW;
            }
            if resumed {
                self.interrupted.clear();
            }
            // Keep the moves tried at the front, in order, for the history updates.
            self.moves.swap(start + move_count, at);
            move_count += 1;
            // Step 14. Raise the best score and alpha.
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(played);
                    alpha = score;
                    if window.is_open() {
                        self.update_line(ply, played);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
            quiets_tried += usize::from(quiet);
        }
        // Step 15. All moves were pruned: fail low. A player who overlooks every move sees no mate.
        if best == -INFINITE {
            return if self.moves.len() == start { self.evaluate(position, accumulator) } else { alpha };
        }
        if self.is_proving() {
            // Where some moves were skipped, nothing is known below alpha; past the last node nothing is known at all.
            best = best.max(window.alpha);
            if self.nodes >= self.proof_end {
                return best;
            }
        }
        // Step 16. On a fail high, update the histories: bonus for the refutation, malus for moves before it.
        if best >= window.beta {
            if let Some(refutation) = best_move {
                self.update_histories(position, node, refutation, start, move_count, &before);
            }
            if let Some(above) = ply.checked_sub(1) {
                self.plies[above].cutoffs += 1;
            }
        }
        if node.excluded.is_some() {
            return best;
        }
        self.store_result(position, accumulator, node, best, best_move);
        best
    }

    /// Keeps the state of a node at its moves for when the search goes on.
    #[cold]
    fn keep_moves(
        &mut self,
        position: &Position<N>,
        node: &Node,
        start: usize,
        mut state: MoveLoop,
        mut trial: Trial,
    ) {
        if self.keeps_interrupted {
            state.next -= start;
            trial.at -= start;
            let moves = self.moves[start..].to_vec();
            let line = self.lines[node.ply].clone();
            let interrupted = InterruptedMoves { moves, line, state, trial };
            self.interrupted.push(InterruptedNode {
                key: position.key(),
                node: node.clone(),
                moves: Some(interrupted),
            });
        }
    }

    /// Steps 17 and 18: the correction of the evaluation, and the table.
    fn store_result(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
        best: i32,
        best_move: Option<Move>,
    ) {
        let &Node { window, ply, depth, .. } = node;
        let bound = window.bound_of(best);
        // Step 17. Only quiet positions tell something about the evaluation, and bounds only where
        // they contradict it.
        if let Some(evaluation) = self.plies[ply].evaluation {
            let noisy = best_move.is_some_and(|best| ordering::is_noisy(position, best));
            let bound_agrees = match bound {
                Bound::Exact => false,
                Bound::Lower => best <= evaluation,
                Bound::Upper => best >= evaluation,
            };
            if !noisy && !bound_agrees && !is_decided(best) {
                let places = self.correction_places(position, accumulator, ply);
                self.corrections.update(&places, best - evaluation, depth);
            }
        }
        // Step 18. A node is asked for again without its extension, so an entry claims the depth without it.
        let hit = Hit {
            best: best_move,
            score: to_node(best, ply),
            evaluation: node.raw,
            depth: depth.min(node.entered),
            bound,
            principal: node.principal,
        };
        let salt =
            if self.is_proving() && (bound == Bound::Upper) == (window.alpha > DRAW) { UNPROVED } else { 0 };
        self.shared.table.store(self.shared.key(position.key()) ^ salt, hit);
    }

    /// Searches the position after a move: in full, or first reduced and with a null window. `resumed` means that it
    /// was interrupted there.
    pub(super) fn try_move(
        &mut self,
        after: &Position<N>,
        accumulator: &Accumulator,
        window: Window,
        attempt: Attempt,
        ply: usize,
        resumed: bool,
    ) -> i32 {
        let Attempt { depth, reduction, first, cut } = attempt;
        if first {
            let cut = !window.is_open() && !cut;
            return -self.search(after, accumulator, window.flipped(), depth, ply + 1, cut);
        }
        let probe = Window::null(window.alpha).flipped();
        let (mut stage, mut depth) = if resumed { self.plies[ply].stage } else { (Stage::Reduced, depth) };
        let mut score = window.alpha;
        if stage == Stage::Reduced {
            self.plies[ply].stage = (stage, depth);
            if reduction > 0 {
                let reduced = (depth - reduction).max(1).min(depth);
                score = -self.search(after, accumulator, probe, reduced, ply + 1, true);
                if score > window.alpha && reduced < depth && !self.stopped {
                    // Far above alpha deserves a ply more.
                    depth += i32::from(score > window.alpha + self.tunables.deeper_margin);
                    stage = Stage::Full;
                }
            } else {
                stage = Stage::Full;
            }
        }
        if stage == Stage::Full {
            self.plies[ply].stage = (stage, depth);
            score = -self.search(after, accumulator, probe, depth, ply + 1, !cut);
        }
        let fails_high = score > window.alpha && score < window.beta && !self.stopped;
        if fails_high || stage == Stage::Open {
            self.plies[ply].stage = (Stage::Open, depth);
            score = -self.search(after, accumulator, window.flipped(), depth, ply + 1, false);
        }
        score
    }

    /// Whether a move gives check; `checks` keeps what all moves of a node share.
    fn gives_check(
        &self,
        position: &Position<N>,
        played: Move,
        checks: &mut Option<CheckSquares<N>>,
    ) -> bool {
        let checks = checks.get_or_insert_with(|| position.check_squares(self.rules));
        checks.gives_check(position, self.rules, played)
    }

    /// Removes the quiet moves that are ordered by history alone, from `begin` on; in the first iterations checks remain.
    fn skip_quiets(&mut self, position: &Position<N>, begin: usize, checks: &mut Option<CheckSquares<N>>) {
        let mut kept = begin;
        for at in begin..self.moves.len() {
            let Scored { played, score } = self.moves[at];
            if score < QUIET_MIN || (self.is_shallow() && self.gives_check(position, played, checks)) {
                self.moves.swap(kept, at);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
    }

    /// Step 10: late move pruning, futility, history and exchange. In the first iterations moves that give check are not skipped.
    fn skip_move(
        &self,
        position: &Position<N>,
        node: &Node,
        candidate: &Candidate,
        alpha: i32,
        quiets_tried: usize,
        checks: &mut Option<CheckSquares<N>>,
    ) -> SkipMove {
        let &Candidate { played, move_score, move_count, quiet, history } = candidate;
        if node.urgent || (self.is_shallow() && self.gives_check(position, played, checks)) {
            return SkipMove::No;
        }
        let tunables = &self.tunables;
        let reduced = (node.depth - self.reductions.get(node.depth, move_count) / 1024).max(0);
        if quiet {
            if !node.window.is_open() {
                let branching = self.values.branching();
                let most = pruning::quiet_moves_tried(tunables, node.depth, node.improving, branching);
                let is_late = quiets_tried >= most
                    || pruning::futility(tunables, reduced, node.evaluation, alpha, history)
                    || pruning::history(tunables, reduced, history);
                if is_late {
                    // Quiet moves are ordered by history, so the next ones would be skipped too.
                    return if move_score < QUIET_MAX { SkipMove::Quiets } else { SkipMove::This };
                }
            }
            let allowed =
                pruning::exchange_allowed_quiet(tunables, reduced).filter(|_| move_score < QUIET_MAX);
            return self.skip_losing(position, played, allowed);
        }
        if !node.window.is_open() && move_count > 0 {
            let gain = ordering::taken(position, self.values, played)
                + played.promotion().map_or(0, |role| self.values.material(role));
            if pruning::futility_of_capture(tunables, reduced, node.evaluation + gain, alpha, history) {
                return SkipMove::This;
            }
        }
        let allowed = pruning::exchange_allowed(tunables, node.depth, history);
        self.skip_losing(position, played, allowed.filter(|_| move_score < QUIET_MIN))
    }

    /// Skips a move that loses more than is allowed.
    fn skip_losing(&self, position: &Position<N>, played: Move, allowed: Option<i32>) -> SkipMove {
        let fair =
            allowed.is_none_or(|allowed| exchange_wins(position, self.rules, self.values, played, allowed));
        if fair { SkipMove::No } else { SkipMove::This }
    }

    /// Plies by which a late move is reduced: less for good history and on principal variations,
    /// more where a cut is expected.
    fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let &Candidate { move_count, quiet, history, move_score, .. } = candidate;
        let tunables = &self.tunables;
        let is_early =
            node.depth < tunables.reduction_depth || move_count < tunables.reduction_moves as usize;
        if is_early || node.urgent || self.is_proving() {
            return 0;
        }
        let mut reduction = self.reductions.get(node.depth, move_count);
        if !node.improving {
            reduction += tunables.reduction_worsening;
        }
        if node.principal {
            reduction -= tunables.reduction_principal;
        }
        if node.window.is_open() {
            reduction -= tunables.reduction_open;
        }
        if node.cut {
            reduction += tunables.reduction_cut;
        }
        if self.plies[node.ply + 1].cutoffs > tunables.reduction_many_cutoffs {
            reduction += tunables.reduction_cutoffs;
        }
        if move_score >= ordering::KILLER - 2 {
            reduction -= tunables.reduction_killer;
        }
        if quiet {
            reduction -= history * 1024 / tunables.reduction_history;
        } else {
            reduction -= tunables.reduction_capture + history * 1024 / tunables.reduction_history;
        }
        (reduction / 1024).clamp(0, node.depth - 2)
    }

    /// The history score of a move.
    #[inline]
    fn history_of(&self, position: &Position<N>, played: Move, quiet: bool, before: &Before) -> i32 {
        let Some(step) = self.step(position, played) else { return 0 };
        if quiet {
            self.history.score(step, before, self.tunables.continuation)
        } else {
            self.history.capture(step, position.piece_at(played.to))
        }
    }

    /// Moves the TT move, if it is one of `moves[start..]`, to its front.
    fn move_to_front(&mut self, start: usize, tt_move: Option<Move>) -> bool {
        let Some(tt_move) = tt_move else { return false };
        let rest = &mut self.moves[start..];
        let Some(at) = rest.iter().position(|scored| scored.played == tt_move) else { return false };
        rest[at].score = ordering::TT_MOVE;
        rest.swap(0, at);
        true
    }

    /// Gives each move of `moves[start..]` its score.
    pub(super) fn order(&mut self, position: &Position<N>, start: usize, tt_move: Option<Move>, ply: usize) {
        let killers = self.killers.get(ply);
        let before = self.before(ply);
        let counter = self.history.counter(&before);
        let mut moves = core::mem::take(&mut self.moves);
        for scored in &mut moves[start..] {
            let played = scored.played;
            scored.score = if Some(played) == tt_move {
                ordering::TT_MOVE
            } else if ordering::is_noisy(position, played) {
                let history = self.history_of(position, played, false, &before);
                let value = ordering::victim_attacker(position, self.values, played);
                ordering::GOOD_CAPTURE + value + history * self.tunables.capture_history / 16
            } else if Some(played) == killers[0] {
                ordering::KILLER
            } else if Some(played) == killers[1] {
                ordering::KILLER - 1
            } else if Some(played) == counter {
                ordering::KILLER - 2
            } else {
                self.history_of(position, played, true, &before)
            };
        }
        self.moves = moves;
    }

    /// Moves the best-scored move of `moves[at..]` to `at`. Whether a capture loses material is
    /// found out when its turn comes; if it does, it goes to the end.
    pub(super) fn pick_move(&mut self, position: &Position<N>, at: usize) -> Option<Scored> {
        loop {
            let found = ordering::pick(&mut self.moves, at)?;
            let unproved = (ordering::GOOD_CAPTURE / 2..ordering::TT_MOVE).contains(&found.score);
            if !unproved || !self.is_risky(position, found.played) {
                return Some(found);
            }
            if exchange_wins(position, self.rules, self.values, found.played, 0) {
                return Some(found);
            }
            self.moves[at].score += ordering::BAD_CAPTURE - ordering::GOOD_CAPTURE;
        }
    }

    /// Whether a capture could lose material at all.
    fn is_risky(&self, position: &Position<N>, played: Move) -> bool {
        let mover = position.piece_at(played.from).map_or(0, |piece| self.values.piece(piece).exchange);
        ordering::taken(position, self.values, played) < mover
    }

    /// Updates the histories after a fail high. A quiet refutation becomes killer and counter move. The
    /// refutation gets a bonus, the other moves tried, the first `move_count` of `moves[start..]`, a malus.
    fn update_histories(
        &mut self,
        position: &Position<N>,
        node: &Node,
        refutation: Move,
        start: usize,
        move_count: usize,
        before: &Before,
    ) {
        let quiet = !ordering::is_noisy(position, refutation);
        let bonus = pruning::history_bonus(&self.tunables, node.depth);
        let malus = -bonus;
        if quiet {
            self.killers.add(node.ply, refutation);
        }
        // In a search for a mate, most refutations are good for nothing else.
        if self.is_proving() {
            return;
        }
        if quiet {
            self.history.set_counter(before, refutation);
        }
        for at in start..start + move_count {
            let other = self.moves[at].played;
            let Some(step) = self.step(position, other) else { continue };
            let change = if other == refutation { bonus } else { malus };
            if ordering::is_noisy(position, other) {
                let victim = position.piece_at(other.to);
                self.history.update_capture(step, victim, change);
            } else if quiet {
                self.history.update(step, before, change);
            }
        }
    }

    /// Gives a quiet TT move a history bonus when the table cuts the node.
    pub(super) fn update_tt_move_history(
        &mut self,
        position: &Position<N>,
        hit: Option<Hit>,
        high: bool,
        depth: i32,
        ply: usize,
    ) {
        let Some(best) = hit.and_then(|hit| hit.best).filter(|_| high) else { return };
        if ordering::is_noisy(position, best) {
            return;
        }
        if let Some(step) = self.step(position, best) {
            let before = self.before(ply);
            let bonus =
                pruning::history_bonus(&self.tunables, depth) * self.tunables.history_bonus_table / 16;
            self.history.update(step, &before, bonus);
        }
    }
}
