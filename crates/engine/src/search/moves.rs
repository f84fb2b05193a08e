//! The moves of a node: ordered, left out, extended, reduced, searched; and what is learnt from
//! them. Steps 9 to 18.

use super::extension::Singular;
use super::node::Node;
use super::{Searcher, Sums, Window, pruning};
use crate::Bound;
use crate::ordering::{self, Before, Scored, exchange_wins};
use crate::score::{DECIDED, DRAW, INFINITE, is_decided, to_node};
use crate::transposition::Hit;
use lozenge_rules::position::{Move, Position};

/// Promises of moves of which nothing is known but their history.
const QUIET_LEAST: i32 = ordering::BAD_CAPTURE / 2;
/// The end of these promises.
const QUIET_MOST: i32 = ordering::KILLER - 2;

/// Promise of a move that waited until another thread had searched it: after all others.
const DEFERRED: i32 = i32::MIN / 2;

/// The move that is tried.
struct Candidate {
    played: Move,
    promise: i32,
    /// How many were tried before it.
    number: usize,
    quiet: bool,
    /// What the histories know of it.
    history: i32,
}

/// What need not be searched.
enum LeaveOut {
    Nothing,
    This,
    /// This move and all quiet ones after it.
    Quiets,
}

/// How deep and how a move is searched.
#[derive(Clone, Copy)]
pub(super) struct Attempt {
    /// Depth in full, in plies.
    pub(super) depth: i32,
    /// Plies to take off at first.
    pub(super) reduction: i32,
    /// Whether it is the first move of its node.
    pub(super) first: bool,
    /// Whether the node expects to fail high.
    pub(super) cut: bool,
}

impl<const N: usize> Searcher<'_, N> {
    /// Generates, orders and tries the moves of a node.
    pub(super) fn search_moves(
        &mut self,
        position: &Position<N>,
        sums: &Sums,
        node: &Node,
        base: usize,
    ) -> i32 {
        // Step 9. All legal moves.
        let &Node { window, ply, .. } = node;
        let legal = self.collect(position, false, ply);
        if legal == 0 {
            return self.without_moves(position, ply);
        }
        // The remembered move is tried before the others are even looked at: often it is enough.
        let mut ordered = !self.put_first(base, node.remembered());
        if ordered {
            self.order(position, base, None, ply);
        }
        let before = self.before(ply);
        let (mut alpha, mut best, mut best_move) = (window.alpha, -INFINITE, None);
        let (mut number, mut quiets_tried) = (0, 0);
        let mut next = base;
        while next < self.list.len() {
            let at = next;
            next += 1;
            if !ordered && at > base {
                self.order(position, at, None, ply);
                ordered = true;
            }
            let Some(Scored { played, promise }) = self.pick_move(position, at) else { break };
            if Some(played) == node.excluded {
                continue;
            }
            let quiet = !ordering::is_noisy(position, played);
            // The promise of a quiet move that is nothing else is its history.
            let history = match promise {
                QUIET_LEAST..QUIET_MOST if quiet => promise,
                _ => self.known_of(position, played, quiet, &before),
            };
            let candidate = Candidate { played, promise, number, quiet, history };
            // Step 10. Moves that cannot matter are left out, once something has been found that
            // does not lose at once.
            if best > -DECIDED && promise != DEFERRED {
                match self.leave_out(position, node, &candidate, alpha, quiets_tried) {
                    LeaveOut::Nothing => {}
                    LeaveOut::This => continue,
                    LeaveOut::Quiets => {
                        self.drop_quiets(next);
                        continue;
                    }
                }
            }
            // Step 11. The remembered move may deserve more depth.
            let mut depth = node.depth - 1;
            if Some(played) == node.remembered() {
                match self.extension(position, sums, node) {
                    Singular::Extend(plies) => depth += plies,
                    Singular::Decided(score) => return score,
                }
                if self.stopped {
                    return DRAW;
                }
            }
            // Step 12. What another thread is searching comes last.
            let shared = self.shared;
            let busy = self.busy_key(position, played, node.depth);
            if number > 0 && promise != DEFERRED && busy.is_some_and(|key| shared.busy.contains(key)) {
                self.list.push(Scored { played, promise: DEFERRED });
                continue;
            }
            // Step 13. The first move is searched in full; later ones must first show, reduced and
            // with a null window, that they are better.
            let reduction = self.reduction(node, &candidate);
            let (after, after_sums) = self.make(position, sums, played, ply);
            let inner = Window { alpha, beta: window.beta };
            let attempt = Attempt { depth, reduction, first: number == 0, cut: node.cut };
            let entered = busy.map(|key| shared.busy.enter(key));
            let score = self.try_move(&after, &after_sums, inner, attempt, ply);
            drop(entered);
            self.path.leave();
            if self.stopped {
                return DRAW;
            }
            // What was tried lies at the front of the list, in order.
            self.list.swap(base + number, at);
            number += 1;
            // Step 14. Better than what there was?
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
        // Step 15. Everything was left out: the best that is known.
        if best == -INFINITE {
            return alpha;
        }
        // Step 16. What was good is remembered by its kind, and what was tried before it was not.
        if best >= window.beta {
            if let Some(refutation) = best_move {
                self.reward(position, node, refutation, base, number, &before);
            }
            if let Some(above) = ply.checked_sub(1) {
                self.plies[above].cutoffs += 1;
            }
        }
        if node.excluded.is_some() {
            return best;
        }
        self.learn(position, sums, node, best, best_move);
        best
    }

    /// Steps 17 and 18: the correction of the evaluation, and the table.
    fn learn(
        &mut self,
        position: &Position<N>,
        sums: &Sums,
        node: &Node,
        best: i32,
        best_move: Option<Move>,
    ) {
        let &Node { window, ply, depth, .. } = node;
        let bound = if best >= window.beta {
            Bound::Lower
        } else if best > window.alpha && window.is_open() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Step 17. Only quiet positions say something of the evaluation, and bounds only where they
        // contradict it.
        if let Some(evaluation) = self.plies[ply].evaluation {
            let noisy = best_move.is_some_and(|best| ordering::is_noisy(position, best));
            let silent = match bound {
                Bound::Exact => false,
                Bound::Lower => best <= evaluation,
                Bound::Upper => best >= evaluation,
            };
            if !noisy && !silent && !is_decided(best) {
                let places = self.correction_places(position, sums, ply);
                self.corrections.learn(&places, best - evaluation, depth);
            }
        }
        // Step 18.
        let hit = Hit {
            best: best_move,
            score: to_node(best, ply),
            evaluation: node.raw,
            depth,
            bound,
            principal: node.principal,
        };
        self.shared.table.store(self.shared.key(position.key()), hit);
    }

    /// Searches the position after a move: in full, or first reduced and with a null window.
    pub(super) fn try_move(
        &mut self,
        after: &Position<N>,
        sums: &Sums,
        window: Window,
        attempt: Attempt,
        ply: usize,
    ) -> i32 {
        let Attempt { depth, reduction, first, cut } = attempt;
        if first {
            let cut = !window.is_open() && !cut;
            return -self.search(after, sums, window.flipped(), depth, ply + 1, cut);
        }
        let probe = Window::null(window.alpha).flipped();
        let mut depth = depth;
        let mut score;
        if reduction > 0 {
            let reduced = (depth - reduction).max(1).min(depth);
            score = -self.search(after, sums, probe, reduced, ply + 1, true);
            if score > window.alpha && reduced < depth && !self.stopped {
                // Far above alpha deserves a ply more.
                depth += i32::from(score > window.alpha + self.tunables.deeper_margin);
                score = -self.search(after, sums, probe, depth, ply + 1, !cut);
            }
        } else {
            score = -self.search(after, sums, probe, depth, ply + 1, !cut);
        }
        if score > window.alpha && score < window.beta && !self.stopped {
            score = -self.search(after, sums, window.flipped(), depth, ply + 1, false);
        }
        score
    }

    /// Takes the moves of which nothing is known but their history off the list from `begin` on.
    fn drop_quiets(&mut self, begin: usize) {
        let mut kept = begin;
        for at in begin..self.list.len() {
            if self.list[at].promise < QUIET_LEAST {
                self.list.swap(kept, at);
                kept += 1;
            }
        }
        self.list.truncate(kept);
    }

    /// Step 10: late move pruning, futility, history and exchange.
    fn leave_out(
        &self,
        position: &Position<N>,
        node: &Node,
        candidate: &Candidate,
        alpha: i32,
        quiets_tried: usize,
    ) -> LeaveOut {
        if node.urgent {
            return LeaveOut::Nothing;
        }
        let &Candidate { played, promise, number, quiet, history } = candidate;
        let tunables = &self.tunables;
        let reduced = (node.depth - self.reductions.get(node.depth, number) / 1024).max(0);
        if quiet {
            if !node.window.is_open() {
                let branching = self.values.branching();
                let most = pruning::quiet_moves_tried(tunables, node.depth, node.improving, branching);
                if quiets_tried >= most
                    || pruning::futility(tunables, reduced, node.evaluation, alpha, history)
                    || pruning::history(tunables, reduced, history)
                {
                    // Quiet moves come by history, so what holds for this one holds for the next.
                    return if promise < QUIET_MOST { LeaveOut::Quiets } else { LeaveOut::This };
                }
            }
            let allowed = pruning::exchange_allowed_quiet(tunables, reduced).filter(|_| promise < QUIET_MOST);
            return self.leave_out_losing(position, played, allowed);
        }
        if !node.window.is_open() && number > 0 {
            let gain = ordering::taken(position, self.values, played)
                + played.promotion().map_or(0, |role| self.values.material(role));
            if pruning::futility_of_capture(tunables, reduced, node.evaluation + gain, alpha, history) {
                return LeaveOut::This;
            }
        }
        let allowed = pruning::exchange_allowed(tunables, node.depth, history);
        self.leave_out_losing(position, played, allowed.filter(|_| promise < QUIET_LEAST))
    }

    /// Leaves out a move that loses more than is allowed.
    fn leave_out_losing(&self, position: &Position<N>, played: Move, allowed: Option<i32>) -> LeaveOut {
        let fair =
            allowed.is_none_or(|allowed| exchange_wins(position, self.rules, self.values, played, allowed));
        if fair { LeaveOut::Nothing } else { LeaveOut::This }
    }

    /// Plies by which a late move is reduced: less for good history and on principal variations,
    /// more where a cut is expected.
    fn reduction(&self, node: &Node, candidate: &Candidate) -> i32 {
        let &Candidate { number, quiet, history, promise, .. } = candidate;
        if node.depth < 3 || number < 2 || node.urgent {
            return 0;
        }
        let tunables = &self.tunables;
        let mut reduction = self.reductions.get(node.depth, number);
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
        if self.plies[node.ply + 1].cutoffs > 3 {
            reduction += tunables.reduction_cutoffs;
        }
        if promise >= ordering::KILLER - 2 {
            reduction -= tunables.reduction_killer;
        }
        if quiet {
            reduction -= history * 1024 / tunables.reduction_history;
        } else {
            reduction -= tunables.reduction_capture + history * 1024 / tunables.reduction_history;
        }
        (reduction / 1024).clamp(0, node.depth - 2)
    }

    /// What the histories know of a move.
    #[inline]
    fn known_of(&self, position: &Position<N>, played: Move, quiet: bool, before: &Before) -> i32 {
        let Some(step) = self.step(position, played) else { return 0 };
        if quiet {
            self.history.promise(step, before, self.tunables.continuation)
        } else {
            self.history.capture(step, position.piece_at(played.to))
        }
    }

    /// Moves the remembered move, if it is one of `list[base..]`, to its front.
    fn put_first(&mut self, base: usize, remembered: Option<Move>) -> bool {
        let Some(remembered) = remembered else { return false };
        let rest = &mut self.list[base..];
        let Some(at) = rest.iter().position(|scored| scored.played == remembered) else { return false };
        rest[at].promise = ordering::REMEMBERED;
        rest.swap(0, at);
        true
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
        let before = self.before(ply);
        let counter = self.history.counter(&before);
        let mut list = core::mem::take(&mut self.list);
        for scored in &mut list[base..] {
            let played = scored.played;
            scored.promise = if Some(played) == remembered {
                ordering::REMEMBERED
            } else if ordering::is_noisy(position, played) {
                let history = self.known_of(position, played, false, &before);
                let value = ordering::victim_attacker(position, self.values, played);
                ordering::GOOD_CAPTURE + value + history * self.tunables.capture_history / 16
            } else if Some(played) == killers[0] {
                ordering::KILLER
            } else if Some(played) == killers[1] {
                ordering::KILLER - 1
            } else if Some(played) == counter {
                ordering::KILLER - 2
            } else {
                self.known_of(position, played, true, &before)
            };
        }
        self.list = list;
    }

    /// Moves the most promising move of `list[at..]` to `at`. Whether a capture loses material is
    /// found out when its turn comes; if it does, it goes to the end.
    pub(super) fn pick_move(&mut self, position: &Position<N>, at: usize) -> Option<Scored> {
        loop {
            let found = ordering::pick(&mut self.list, at)?;
            let unproved = (ordering::GOOD_CAPTURE / 2..ordering::REMEMBERED).contains(&found.promise);
            if !unproved || !self.is_risky(position, found.played) {
                return Some(found);
            }
            if exchange_wins(position, self.rules, self.values, found.played, 0) {
                return Some(found);
            }
            self.list[at].promise += ordering::BAD_CAPTURE - ordering::GOOD_CAPTURE;
        }
    }

    /// Whether a capture could lose material at all.
    fn is_risky(&self, position: &Position<N>, played: Move) -> bool {
        let mover = position.piece_at(played.from).map_or(0, |man| self.values.man(man).exchange);
        ordering::taken(position, self.values, played) < mover
    }

    /// A move was good enough. A quiet one becomes a killer and the answer to the move before; its
    /// histories grow, and those of what was tried before it, the first `number` moves of
    /// `list[base..]`, shrink.
    fn reward(
        &mut self,
        position: &Position<N>,
        node: &Node,
        refutation: Move,
        base: usize,
        number: usize,
        before: &Before,
    ) {
        let quiet = !ordering::is_noisy(position, refutation);
        let bonus = pruning::history_bonus(&self.tunables, node.depth);
        if quiet {
            self.killers.add(node.ply, refutation);
            self.history.set_counter(before, refutation);
        }
        for at in base..base + number {
            let other = self.list[at].played;
            let Some(step) = self.step(position, other) else { continue };
            let good = other == refutation;
            if ordering::is_noisy(position, other) {
                let victim = position.piece_at(other.to);
                self.history.update_capture(step, victim, if good { bonus } else { -bonus });
            } else if quiet {
                self.history.update(step, before, if good { bonus } else { -bonus });
            }
        }
    }

    /// The table decided a node: a quiet move that it remembers as a refutation is rewarded again.
    pub(super) fn reward_remembered(
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
            let bonus = pruning::history_bonus(&self.tunables, depth) / 2;
            self.history.update(step, &before, bonus);
        }
    }
}
