//! Step 7 of a node, whole-node pruning: reverse futility, razoring, null move and ProbCut may decide the
//! score without trying all moves.

use super::node_state::Node;
use super::{Accumulator, Searcher, Window, pruning};
use crate::Bound;
use crate::ordering::{self, Scored, exchange_wins};
use crate::score::{DECIDED, is_decided, to_node, to_root};
use crate::transposition::Hit;
use lozenge_rules::position::Position;

impl<const N: usize> Searcher<'_, N> {
    /// The score of the node, if a pruning rule decides it.
    pub(super) fn prune_node(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
    ) -> Option<i32> {
        let Node { window: Window { alpha, beta }, depth, ply, evaluation, .. } = *node;
        if pruning::reverse_futility(&self.tunables, depth, evaluation, beta, node.improving) {
            return Some(evaluation);
        }
        if pruning::razoring(&self.tunables, depth, evaluation, alpha) {
            let score = self.quiesce(position, accumulator, Window::null(alpha), 0, ply, None);
            if self.stopped || score <= alpha {
                return Some(score);
            }
        }
        if let Some(score) = self.try_null_move(position, accumulator, node) {
            return Some(score);
        }
        if self.stopped { None } else { self.probe_captures(position, accumulator, node) }
    }

    /// Null move: if passing is good enough, some move will be.
    fn try_null_move(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
    ) -> Option<i32> {
        let Node { window: Window { beta, .. }, depth, ply, evaluation, .. } = *node;
        let officers = accumulator.tally.officers[position.turn()];
        let null_move = ply.checked_sub(1).is_some_and(|ply| self.plies[ply].null_move);
        if ply < self.no_null_before || null_move {
            return None;
        }
        let reduced = pruning::null_move(&self.tunables, depth, evaluation, beta, officers)?;
        let after = position.pass(self.rules);
        self.prefetch(after.key());
        self.path.enter(after.key(), false);
        self.nodes += 1;
        self.plies[ply].null_move = true;
        self.plies[ply].step = None;
        let score =
            -self.search(&after, accumulator, Window::null(beta - 1).flipped(), reduced, ply + 1, !node.cut);
        self.plies[ply].null_move = false;
        self.path.leave();
        if self.stopped || score < beta {
            return None;
        }
        // A win found by passing is not proved.
        let score = if score >= DECIDED { beta } else { score };
        if !pruning::null_move_needs_proof(&self.tunables, self.values.squares(), officers, depth) {
            return Some(score);
        }
        let before = self.no_null_before;
        self.no_null_before = ply + reduced.max(1) as usize;
        let proof = self.search(position, accumulator, Window::null(beta - 1), reduced, ply, false);
        self.no_null_before = before;
        (!self.stopped && proof >= beta).then_some(score)
    }

    /// ProbCut (Buro 1995; wiki): a capture that wins by a margin in a shallower search would, most
    /// likely, also be good enough in the full one.
    fn probe_captures(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        node: &Node,
    ) -> Option<i32> {
        let Node { window: Window { beta, .. }, depth, ply, evaluation, .. } = *node;
        if depth < self.tunables.probcut_depth || is_decided(beta) {
            return None;
        }
        let bound =
            beta + self.tunables.probcut - if node.improving { self.tunables.probcut_improving } else { 0 };
        let reduction = self.tunables.probcut_reduction;
        // According to the table, ProbCut will fail.
        if node.hit.is_some_and(|hit| hit.depth > depth - reduction && to_root(hit.score, ply) < bound) {
            return None;
        }
        let start = self.moves.len();
        self.collect(position, true, ply);
        self.order(position, start, node.tt_move(), ply);
        let mut found = None;
        let end = self.moves.len();
        for at in start..end {
            let Some(Scored { played, .. }) = ordering::pick(&mut self.moves[..end], at) else { break };
            if !exchange_wins(position, self.rules, self.values, played, bound - evaluation) {
                continue;
            }
            let (after, after_accumulator) = self.make(position, accumulator, played, ply);
            let probe = Window::null(bound - 1).flipped();
            let mut score = -self.quiesce(&after, &after_accumulator, probe, 0, ply + 1, Some(played.to));
            if score >= bound && !self.stopped {
                score =
                    -self.search(&after, &after_accumulator, probe, depth - reduction, ply + 1, !node.cut);
            }
            self.path.leave();
            if self.stopped {
                break;
            }
            if score >= bound {
                let hit = Hit {
                    best: Some(played),
                    score: to_node(score, ply),
                    evaluation: node.raw,
                    depth: depth - reduction + 1,
                    bound: Bound::Lower,
                    principal: node.principal,
                };
                self.shared.table.store(self.shared.key(position.key()), hit);
                found = Some(if is_decided(score) { score } else { score - (bound - beta) });
                break;
            }
        }
        self.moves.truncate(start);
        found
    }
}
