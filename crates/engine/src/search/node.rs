//! One node of the principal variation search (Marsland and Campbell 1982; "PVS", wiki).

use super::{Searcher, Window, pruning};
use crate::Bound;
use crate::eval::Tally;
use crate::ordering::{self, Scored, exchange};
use crate::score::{DRAW, INFINITE, MAX_PLY, lost_at, to_node, to_root, won_at};
use crate::transposition::Hit;
use lozenge_rules::position::{Move, Position};
use lozenge_rules::variant::Stalemate;

/// What a node knows before it tries its moves.
struct Node {
    window: Window,
    depth: i32,
    ply: usize,
    /// Static evaluation; meaningless when `urgent`.
    evaluation: i32,
    /// In check, or the other side threatens to reach its goal: nothing is pruned.
    urgent: bool,
    improving: bool,
    remembered: Option<Move>,
}

impl<const N: usize> Searcher<'_, N> {
    /// The score of a position from its side to move, searched `depth` plies deep.
    pub(super) fn search(
        &mut self,
        position: &Position<N>,
        tally: &Tally,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        // Step 1. At the end of the line only captures are looked at.
        if depth <= 0 {
            return self.quiesce(position, tally, window, 0, ply, None);
        }
        self.enter(ply);
        if self.stopped {
            return DRAW;
        }
        // Step 2. The game may be over.
        if self.terrain.has_goals() && position.is_won_by_goal(self.rules) {
            return lost_at(ply);
        }
        if let Some(score) = self.drawn(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position, tally);
        }
        // Step 3. Mate distance pruning (wiki): a win found nearer to the root cannot be bettered.
        let mut window = window;
        window.alpha = window.alpha.max(lost_at(ply));
        window.beta = window.beta.min(won_at(ply + 1));
        if window.alpha >= window.beta {
            return window.alpha;
        }
        // Step 4. What is remembered may be enough.
        let hit = self.shared.table.probe(position.key());
        if let Some(score) = hit.filter(|_| !window.is_open()).and_then(|hit| cutoff(hit, window, depth, ply))
        {
            return score;
        }
        // Step 5. A goal within reach wins.
        if let Some(goal) = self.goal_in_one(position) {
            self.lines[ply].push(goal);
            return won_at(ply + 1);
        }
        // Step 6. Check, threat and static evaluation; urgent positions are searched a ply deeper.
        let check = position.is_check(self.rules);
        let urgent = check || self.terrain.threatens_goal(position, self.rules, !position.turn());
        let evaluation = match hit.and_then(|hit| hit.evaluation) {
            Some(evaluation) => evaluation,
            None => self.evaluate(position, tally),
        };
        self.evaluations[ply] = (!check).then_some(evaluation);
        let before = ply.checked_sub(2).and_then(|ply| self.evaluations[ply]);
        let improving = !check && before.is_some_and(|before| evaluation > before);
        let mut depth = depth;
        if urgent && ply < 2 * self.iteration {
            depth += 1;
        }
        let remembered = hit.and_then(|hit| hit.best);
        // Step 7. Whole nodes are pruned where the window is closed and nothing is urgent.
        if !window.is_open() && !urgent {
            let node = Node { window, depth, ply, evaluation, urgent, improving, remembered };
            if let Some(score) = self.prune(position, tally, &node) {
                return score;
            }
            if self.stopped {
                return DRAW;
            }
        }
        // Step 8. Internal iterative reduction (Schröder; wiki): without a remembered move the
        // ordering is poor, and the next iteration will do better.
        if depth >= 4 && remembered.is_none() {
            depth -= 1;
        }
        // Step 9. The moves.
        let node = Node { window, depth, ply, evaluation, urgent, improving, remembered };
        let base = self.list.len();
        let score = self.search_moves(position, tally, &node, base);
        self.list.truncate(base);
        score
    }

    /// Draws that need no search: repetition, move count, dead positions.
    pub(super) fn drawn(&self, position: &Position<N>, ply: usize) -> Option<i32> {
        if self.path.is_repeated(self.draws.occurrences) {
            return Some(DRAW);
        }
        let most = self.draws.moves;
        let counted = most > 0 && u32::from(position.halfmove_clock()) >= 2 * most;
        if !counted && !position.is_dead(self.rules) {
            return None;
        }
        // Mate comes before the count.
        if position.legal_moves(self.rules).is_empty() {
            Some(self.without_moves(position, ply))
        } else {
            Some(DRAW)
        }
    }

    /// The score where the side to move has no legal move.
    pub(super) fn without_moves(&self, position: &Position<N>, ply: usize) -> i32 {
        if position.is_won_by_goal(self.rules) || position.is_check(self.rules) {
            return lost_at(ply);
        }
        match self.draws.stalemate {
            Stalemate::Draw => DRAW,
            Stalemate::Loss => lost_at(ply),
            Stalemate::Win => won_at(ply),
        }
    }

    /// Step 7 in parts: reverse futility, razoring, null move.
    fn prune(&mut self, position: &Position<N>, tally: &Tally, node: &Node) -> Option<i32> {
        let Node { window: Window { alpha, beta }, depth, ply, evaluation, .. } = *node;
        if pruning::reverse_futility(&self.tunables, depth, evaluation, beta, node.improving) {
            return Some(evaluation);
        }
        if pruning::razoring(&self.tunables, depth, evaluation, alpha) {
            let score = self.quiesce(position, tally, Window::null(alpha), 0, ply, None);
            if self.stopped || score <= alpha {
                return Some(score);
            }
        }
        let officers = tally.officers[position.turn().index()];
        if ply < self.no_null_before || self.passed[ply] {
            return None;
        }
        let reduced = pruning::null_move(&self.tunables, depth, evaluation, beta, officers)?;
        let after = position.pass(self.rules);
        self.path.enter(after.key(), false);
        self.nodes += 1;
        self.passed[ply + 1] = true;
        let score = -self.search(&after, tally, Window::null(beta - 1).flipped(), reduced, ply + 1);
        self.passed[ply + 1] = false;
        self.path.leave();
        if self.stopped || score < beta {
            return None;
        }
        // A win found by passing is not proved.
        let score = if score >= crate::score::DECIDED { beta } else { score };
        if !pruning::null_move_needs_proof(self.values.squares(), officers, depth) {
            return Some(score);
        }
        let before = self.no_null_before;
        self.no_null_before = ply + reduced.max(1) as usize;
        let proof = self.search(position, tally, Window::null(beta - 1), reduced, ply);
        self.no_null_before = before;
        (!self.stopped && proof >= beta).then_some(score)
    }

    /// Steps 9 to 14: generates, orders and tries the moves of a node.
    fn search_moves(&mut self, position: &Position<N>, tally: &Tally, node: &Node, base: usize) -> i32 {
        let &Node { window, depth, ply, .. } = node;
        let (legal, _) = self.collect(position, false);
        if legal == 0 {
            return self.without_moves(position, ply);
        }
        self.order(position, base, node.remembered, ply);
        let end = self.list.len();
        let (mut alpha, mut best, mut best_move) = (window.alpha, -INFINITE, None);
        let mut quiets_tried = 0;
        for at in base..end {
            let Some(Scored { played, promise }) = ordering::pick(&mut self.list[..end], at) else { break };
            let number = at - base;
            let quiet = !ordering::is_noisy(position, played);
            // Step 10. Moves that cannot matter are left out, once something has been found that
            // does not lose at once.
            if best > -crate::score::DECIDED && !node.urgent {
                if quiet && self.leave_out_quiet(node, alpha, quiets_tried) {
                    continue;
                }
                if promise < ordering::BAD_CAPTURE / 2
                    && let Some(allowed) = pruning::exchange_allowed(&self.tunables, depth)
                    && exchange(position, self.rules, self.values, played) < allowed
                {
                    continue;
                }
            }
            // Step 11. The first move is searched in full; later ones must first show, reduced and
            // with a null window, that they are better.
            let (after, after_tally) = self.make(position, tally, played);
            let inner = Window { alpha, beta: window.beta };
            let reduction = self.reduction(position, node, played, number, quiet, promise);
            let score = self.try_move(&after, &after_tally, inner, depth - 1, reduction, ply, number == 0);
            self.path.leave();
            if self.stopped {
                return DRAW;
            }
            // Step 12. Better than what there was?
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(played);
                    alpha = score;
                    if window.is_open() {
                        self.update_line(ply, played);
                    }
                    if score >= window.beta {
                        if quiet {
                            self.reward(position, node, played, &RangeTried { base, at });
                        }
                        break;
                    }
                }
            }
            quiets_tried += usize::from(quiet);
        }
        // Step 13. Everything was left out: the best that is known.
        if best == -INFINITE {
            best = alpha;
        }
        // Step 14. Remember.
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha && window.is_open() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let evaluation = node.evaluation;
        self.shared.table.store(
            position.key(),
            Hit {
                best: best_move,
                score: to_node(best, ply),
                evaluation: Some(evaluation),
                depth,
                bound,
                principal: window.is_open(),
            },
        );
        best
    }

    /// Searches the position after a move: in full, or first reduced and with a null window.
    #[allow(clippy::too_many_arguments, reason = "one call in each of two loops, all plain numbers")]
    pub(super) fn try_move(
        &mut self,
        after: &Position<N>,
        tally: &Tally,
        window: Window,
        depth: i32,
        reduction: i32,
        ply: usize,
        first: bool,
    ) -> i32 {
        if first {
            return -self.search(after, tally, window.flipped(), depth, ply + 1);
        }
        let probe = Window::null(window.alpha).flipped();
        let mut score = -self.search(after, tally, probe, depth - reduction, ply + 1);
        if score > window.alpha && reduction > 0 && !self.stopped {
            score = -self.search(after, tally, probe, depth, ply + 1);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = -self.search(after, tally, window.flipped(), depth, ply + 1);
        }
        score
    }

    /// Step 10 for quiet moves: late move pruning and futility.
    fn leave_out_quiet(&self, node: &Node, alpha: i32, quiets_tried: usize) -> bool {
        let branching = self.values.branching();
        !node.window.is_open()
            && (quiets_tried >= pruning::quiet_moves_tried(node.depth, node.improving, branching)
                || pruning::futility(&self.tunables, node.depth, node.evaluation, alpha))
    }

    /// Plies by which a late move is reduced: less for good history and in open windows.
    fn reduction(
        &self,
        position: &Position<N>,
        node: &Node,
        played: Move,
        number: usize,
        quiet: bool,
        promise: i32,
    ) -> i32 {
        if node.depth < 3 || number < 2 || node.urgent || promise >= ordering::KILLER - 1 {
            return 0;
        }
        let mut reduction = self.reductions.get(node.depth, number);
        reduction -= i32::from(node.window.is_open());
        reduction += i32::from(!node.improving);
        if quiet {
            let history = position.piece_at(played.from).map_or(0, |man| self.history.get(man, played.to));
            reduction -= history / 6_000;
        } else {
            reduction -= 1;
        }
        reduction.clamp(0, node.depth - 2)
    }

    /// Gives each move of `list[base..]` its promise.
    pub(super) fn order(
        &mut self,
        position: &Position<N>,
        base: usize,
        remembered: Option<Move>,
        ply: usize,
    ) {
        let killers = self.killers.get(ply);
        for scored in &mut self.list[base..] {
            let played = scored.played;
            scored.promise = if Some(played) == remembered {
                ordering::REMEMBERED
            } else if ordering::is_noisy(position, played) {
                let promise = ordering::victim_attacker(position, self.values, played);
                let mover = position.piece_at(played.from).map_or(0, |man| self.values.man(man).exchange);
                let risky = ordering::taken(position, self.values, played) < mover;
                if risky && exchange(position, self.rules, self.values, played) < 0 {
                    ordering::BAD_CAPTURE + promise
                } else {
                    ordering::GOOD_CAPTURE + promise
                }
            } else if Some(played) == killers[0] {
                ordering::KILLER
            } else if Some(played) == killers[1] {
                ordering::KILLER - 1
            } else {
                position.piece_at(played.from).map_or(0, |man| self.history.get(man, played.to))
            };
        }
    }

    /// A quiet move was good enough: it becomes a killer, its history grows, and that of the quiet
    /// moves tried before it shrinks.
    fn reward(&mut self, position: &Position<N>, node: &Node, played: Move, tried: &RangeTried) {
        self.killers.add(node.ply, played);
        let bonus = (node.depth * node.depth * 16).min(1_600);
        for at in tried.base..=tried.at {
            let other = self.list[at].played;
            if ordering::is_noisy(position, other) {
                continue;
            }
            if let Some(piece) = position.piece_at(other.from) {
                self.history.update(piece, other.to, if other == played { bonus } else { -bonus });
            }
        }
    }
}

/// The part of the list that has been tried: `base..=at`.
struct RangeTried {
    base: usize,
    at: usize,
}

/// The remembered score, if it decides the node.
pub(super) fn cutoff(hit: Hit, window: Window, depth: i32, ply: usize) -> Option<i32> {
    let score = to_root(hit.score, ply);
    let decides = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    (hit.depth >= depth && decides).then_some(score)
}
