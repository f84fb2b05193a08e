//! One node of the principal variation search (Marsland and Campbell 1982; "PVS", wiki), up
//! to the move loop. Steps 1 to 8; [`super::moves`] has the others.

use super::node_state::{InterruptedNode, Node};
use super::{Accumulator, Ply, Searcher, UNPROVED, Window, pruning};
use crate::Bound;
use crate::score::{DRAW, MAX_PLY, is_decided, lost_at, to_root, won_at};
use crate::transposition::Hit;
use lozenge_rules::position::Position;
use lozenge_rules::variant::Stalemate;

impl<const N: usize> Searcher<'_, N> {
    /// The score of a position from its side to move, searched `depth` plies deep. `cut` means that
    /// it is expected to fail high.
    pub(super) fn search(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        // Step 1. At the end of the line only captures are looked at.
        if depth <= 0 {
            return if self.is_proving() {
                self.end_of_proof(position, window, ply)
            } else {
                self.quiesce(position, accumulator, window, 0, ply, None)
            };
        }
        self.enter(ply);
        if self.stopped {
            return DRAW;
        }
        if let Some(InterruptedNode { node, moves, .. }) = self.next_interrupted(position, window, depth, ply)
        {
            return match moves {
                Some(moves) => self.resume_moves(position, accumulator, &node, moves),
                None => self.search_node(position, accumulator, node),
            };
        }
        if self.is_proving() && self.nodes >= self.proof_end {
            return not_proved(window);
        }
        // Step 2. The game may be over.
        if self.board_sets.has_goals() && position.is_won_by_goal(self.rules) {
            return lost_at(ply);
        }
        if let Some(score) = self.drawn(position, ply) {
            return score;
        }
        if self.plies[ply].excluded.is_none()
            && !self.is_proving()
            && let Some(score) = self.table_score(position, ply)
        {
            return score;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(position, accumulator);
        }
        // Step 3. Mate distance pruning (wiki): a win found nearer to the root cannot be bettered.
        let window = window.within_mates(ply);
        if window.alpha >= window.beta {
            return window.alpha;
        }
        // Step 4. Transposition table cutoff. The entry is still on its way from memory: look for checks meanwhile.
        let check = position.is_check(self.rules);
        let excluded = self.plies[ply].excluded;
        let hit = self.shared.table.probe(self.shared.key(position.key()));
        if excluded.is_none()
            && !window.is_open()
            && let Some(score) = self.cutoff(position, hit, window, depth, ply)
        {
            if !self.is_proving() {
                self.update_tt_move_history(position, hit, score >= window.beta, depth, ply);
            }
            return score;
        }
        // Step 5. A goal within reach wins.
        if let Some(goal) = self.goal_in_one(position, ply) {
            self.lines[ply].push(goal);
            return won_at(ply + 1);
        }
        // Step 6. Check, threat and static evaluation.
        let urgent =
            check || self.board_sets.threatens_goal(position, self.rules, position.turn().opponent());
        let mut node = Node {
            window,
            entered: depth,
            depth,
            ply,
            raw: None,
            evaluation: 0,
            urgent,
            improving: false,
            principal: window.is_open() || hit.is_some_and(|hit| hit.principal),
            cut,
            hit,
            excluded,
        };
        if self.is_proving() {
            self.plies[ply].evaluation = None;
        } else {
            self.assess(position, accumulator, &mut node, check);
        }
        self.plies[ply + 1].cutoffs = 0;
        // Urgent positions are searched a ply deeper.
        if urgent && ply < self.most_extended_ply() && !self.is_proving() {
            node.depth += 1;
        }
        self.search_node(position, accumulator, node)
    }

    /// Steps 7 and on.
    #[inline(always)]
    fn search_node(&mut self, position: &Position<N>, accumulator: &Accumulator, mut node: Node) -> i32 {
        // Step 7. Whole nodes are pruned where the window is closed and nothing is urgent, from some iteration on.
        let may_prune = !self.is_shallow() && !self.is_proving();
        if !node.window.is_open() && !node.urgent && node.excluded.is_none() && may_prune {
            let score = self.prune_node(position, accumulator, &node);
            if self.stopped {
                if self.keeps_interrupted {
                    self.interrupted.push(InterruptedNode { key: position.key(), node, moves: None });
                }
                return DRAW;
            }
            if let Some(score) = score {
                return score;
            }
        }
        // Step 8. Internal iterative reduction (Schröder; wiki): without a TT move the
        // ordering is poor, and the next iteration will do better.
        if node.depth >= self.tunables.internal_reduction_depth
            && node.tt_move().is_none()
            && node.excluded.is_none()
            && !self.is_proving()
        {
            node.depth -= 1;
        }
        // Step 9 and on. The moves.
        let start = self.moves.len();
        let score = self.search_moves(position, accumulator, &node, start);
        self.moves.truncate(start);
        score
    }

    /// The score from the table, if it decides the node. A search for a mate takes wins from ordinary entries, but no refutations,
    /// because ordinary searches prune. Its own refutations have other keys.
    fn cutoff(
        &self,
        position: &Position<N>,
        hit: Option<Hit>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<i32> {
        if !self.is_proving() {
            return cutoff(hit?, window, depth, ply);
        }
        let is_proof = |score: i32| is_decided(score) && (score >= window.beta) == (window.alpha > DRAW);
        let refuted = || self.shared.table.probe(self.shared.key(position.key()) ^ UNPROVED);
        hit.and_then(|hit| cutoff(hit, window, depth, ply))
            .filter(|&score| is_proof(score))
            .or_else(|| cutoff(refuted()?, window, depth, ply))
    }

    /// The end of a line in a search for a mate: whether the side to move has lost.
    fn end_of_proof(&mut self, position: &Position<N>, window: Window, ply: usize) -> i32 {
        self.enter(ply);
        if self.stopped {
            return DRAW;
        }
        if self.board_sets.has_goals() && position.is_won_by_goal(self.rules) {
            return lost_at(ply);
        }
        if position.has_no_move(self.rules) { self.without_moves(position, ply) } else { not_proved(window) }
    }

    /// The static evaluation, and whether it is better than at the last own move ("improving", wiki).
    fn assess(&mut self, position: &Position<N>, accumulator: &Accumulator, node: &mut Node, check: bool) {
        let ply = node.ply;
        if check {
            self.plies[ply].evaluation = None;
            return;
        }
        let raw = match node.hit.and_then(|hit| hit.evaluation) {
            Some(raw) => raw,
            None => self.evaluate(position, accumulator),
        };
        let corrected = self.corrected(position, accumulator, raw, ply);
        node.raw = Some(raw);
        node.evaluation = node.hit.map_or(corrected, |hit| sharpened(hit, corrected, ply));
        self.plies[ply].evaluation = Some(corrected);
        self.update_history_by_evaluation(ply, corrected);
        let earlier = |back: usize| ply.checked_sub(back).and_then(|ply| self.plies[ply].evaluation);
        node.improving = earlier(2).or_else(|| earlier(4)).is_some_and(|before| corrected > before);
    }

    /// Updates the history of the quiet move that led here by what it did to the static evaluation.
    fn update_history_by_evaluation(&self, ply: usize, evaluation: i32) {
        let Some(Ply { quiet: true, step: Some(step), evaluation: Some(before), .. }) =
            ply.checked_sub(1).map(|above| self.plies[above])
        else {
            return;
        };
        self.history.update_quiet(step, pruning::evaluation_bonus(&self.tunables, -evaluation - before));
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
}

/// The score of a node without a proved mate in a search for one: fail low for the side that wins, fail high for the other.
const fn not_proved(window: Window) -> i32 {
    if window.alpha > DRAW { window.alpha } else { window.beta }
}

/// The score from the table, if it decides the node.
pub(super) fn cutoff(hit: Hit, window: Window, depth: i32, ply: usize) -> Option<i32> {
    let score = to_root(hit.score, ply);
    let decides = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    (hit.depth >= depth && decides).then_some(score)
}

/// The score from the table in place of the evaluation, if its bound allows.
pub(super) fn sharpened(hit: Hit, evaluation: i32, ply: usize) -> i32 {
    let score = to_root(hit.score, ply);
    let improves = match hit.bound {
        Bound::Exact => true,
        Bound::Lower => score > evaluation,
        Bound::Upper => score < evaluation,
    };
    if improves && !is_decided(score) { score } else { evaluation }
}
