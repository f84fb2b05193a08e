//! Step 7 of a node: what may decide it without trying its moves: razoring, reverse futility, null
//! move, and captures that win by far.

use super::node::Node;
use super::{Searcher, Sums, Window, pruning};
use crate::Bound;
use crate::ordering::{self, Scored, exchange_wins};
use crate::score::{DECIDED, is_decided, to_node, to_root};
use crate::transposition::Hit;
use lozenge_rules::position::Position;

impl<const N: usize> Searcher<'_, N> {
    /// The score of the node, if a shortcut finds one.
    pub(super) fn take_shortcut(&mut self, position: &Position<N>, sums: &Sums, node: &Node) -> Option<i32> {
        let Node { window: Window { alpha, beta }, depth, ply, evaluation, .. } = *node;
        if pruning::reverse_futility(&self.tunables, depth, evaluation, beta, node.improving) {
            return Some(evaluation);
        }
        if pruning::razoring(&self.tunables, depth, evaluation, alpha) {
            let score = self.quiesce(position, sums, Window::null(alpha), 0, ply, None);
            if self.stopped || score <= alpha {
                return Some(score);
            }
        }
        if let Some(score) = self.pass(position, sums, node) {
            return Some(score);
        }
        if self.stopped { None } else { self.probe_captures(position, sums, node) }
    }

    /// Null move: if passing is good enough, some move will be.
    fn pass(&mut self, position: &Position<N>, sums: &Sums, node: &Node) -> Option<i32> {
        let Node { window: Window { beta, .. }, depth, ply, evaluation, .. } = *node;
        let officers = sums.tally.officers[position.turn().index()];
        let passed = ply.checked_sub(1).is_some_and(|ply| self.plies[ply].passed);
        if ply < self.no_null_before || passed {
            return None;
        }
        let reduced = pruning::null_move(&self.tunables, depth, evaluation, beta, officers)?;
        let after = position.pass(self.rules);
        self.shared.table.prefetch(self.shared.key(after.key()));
        self.path.enter(after.key(), false);
        self.nodes += 1;
        self.plies[ply].passed = true;
        self.plies[ply].step = None;
        let score = -self.search(&after, sums, Window::null(beta - 1).flipped(), reduced, ply + 1, !node.cut);
        self.plies[ply].passed = false;
        self.path.leave();
        if self.stopped || score < beta {
            return None;
        }
        // A win found by passing is not proved.
        let score = if score >= DECIDED { beta } else { score };
        if !pruning::null_move_needs_proof(self.values.squares(), officers, depth) {
            return Some(score);
        }
        let before = self.no_null_before;
        self.no_null_before = ply + reduced.max(1) as usize;
        let proof = self.search(position, sums, Window::null(beta - 1), reduced, ply, false);
        self.no_null_before = before;
        (!self.stopped && proof >= beta).then_some(score)
    }

    /// ProbCut (Buro 1995; wiki): a capture that wins by a margin in a shallower search would, most
    /// likely, also be good enough in the full one.
    fn probe_captures(&mut self, position: &Position<N>, sums: &Sums, node: &Node) -> Option<i32> {
        let Node { window: Window { beta, .. }, depth, ply, evaluation, .. } = *node;
        if depth < self.tunables.probcut_depth || is_decided(beta) {
            return None;
        }
        let bound = beta + self.tunables.probcut - if node.improving { 40 } else { 0 };
        // What is remembered says that it will not.
        if node.hit.is_some_and(|hit| hit.depth >= depth - 3 && to_root(hit.score, ply) < bound) {
            return None;
        }
        let base = self.list.len();
        self.collect(position, true, ply);
        self.order(position, base, node.remembered(), ply);
        let mut found = None;
        let end = self.list.len();
        for at in base..end {
            let Some(Scored { played, .. }) = ordering::pick(&mut self.list[..end], at) else { break };
            if !exchange_wins(position, self.rules, self.values, played, bound - evaluation) {
                continue;
            }
            let (after, after_sums) = self.make(position, sums, played, ply);
            let probe = Window::null(bound - 1).flipped();
            let mut score = -self.quiesce(&after, &after_sums, probe, 0, ply + 1, Some(played.to));
            if score >= bound && !self.stopped {
                score = -self.search(&after, &after_sums, probe, depth - 4, ply + 1, !node.cut);
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
                    depth: depth - 3,
                    bound: Bound::Lower,
                    principal: node.principal,
                };
                self.shared.table.store(self.shared.key(position.key()), hit);
                found = Some(if is_decided(score) { score } else { score - (bound - beta) });
                break;
            }
        }
        self.list.truncate(base);
        found
    }
}
