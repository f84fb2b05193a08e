//! The end of each line: captures and promotions until the position is quiet (Harris 1975;
//! "quiescence search", wiki), all evasions in check, and goals within reach.

use super::node::{cutoff, sharpened};
use super::pruning;
use super::{Accumulator, Searcher, Window};
use crate::Bound;
use crate::ordering::{self, Scored, exchange_wins};
use crate::score::{DECIDED, DRAW, INFINITE, MAX_PLY, lost_at, to_node, won_at};
use crate::transposition::Hit;
use lozenge_rules::geometry::Square;
use lozenge_rules::position::Position;

/// Most plies of quiescence: deeper, it returns the static evaluation.
const MAX_QUIESCENCE_PLIES: usize = 32;

impl<const N: usize> Searcher<'_, N> {
    /// The score of a position when captures are played out. `plies` counts from where quiescence
    /// began; `last` is where the last capture was.
    pub(super) fn quiesce(
        &mut self,
        position: &Position<N>,
        accumulator: &Accumulator,
        window: Window,
        plies: usize,
        ply: usize,
        last: Option<Square>,
    ) -> i32 {
        // Step 1. Limits, and the end of the game.
        self.enter(ply);
        if self.stopped {
            return DRAW;
        }
        if self.board_sets.has_goals() && position.is_won_by_goal(self.rules) {
            return lost_at(ply);
        }
        if plies == 0 {
            if let Some(score) = self.drawn(position, ply) {
                return score;
            }
        } else if position.is_dead(self.rules) {
            return DRAW;
        }
        if let Some(score) = self.table_score(position, ply) {
            return score;
        }
        if ply >= MAX_PLY - 1 || plies >= MAX_QUIESCENCE_PLIES {
            return self.evaluate(position, accumulator);
        }
        // Step 2. Transposition table cutoff. The entry is still on its way from memory: look for checks meanwhile.
        let check = position.is_check(self.rules);
        let hit = self.shared.table.probe(self.shared.key(position.key()));
        if let Some(score) = hit.filter(|_| !window.is_open()).and_then(|hit| cutoff(hit, window, 0, ply)) {
            return score;
        }
        // Step 3. A goal within reach wins.
        if let Some(goal) = self.goal_in_one(position, ply) {
            self.lines[ply].push(goal);
            return won_at(ply + 1);
        }
        // Step 4. Stand pat: the evaluation is a lower bound, unless something is urgent.
        let urgent = check
            || (plies == 0
                && self.board_sets.threatens_goal(position, self.rules, position.turn().opponent()));
        let raw = match hit.and_then(|hit| hit.evaluation) {
            Some(raw) => Some(raw),
            None if check => None,
            None => Some(self.evaluate(position, accumulator)),
        };
        let evaluation = raw.map_or(0, |raw| self.corrected(position, accumulator, raw, ply));
        let evaluation = hit.map_or(evaluation, |hit| sharpened(hit, evaluation, ply));
        let mut best = if urgent { -INFINITE } else { evaluation };
        if best >= window.beta {
            return best;
        }
        // Step 5. The captures, or every move.
        let start = self.moves.len();
        if !self.collect(position, !urgent, ply) && (urgent || position.has_no_move(self.rules)) {
            return self.without_moves(position, ply);
        }
        self.order(position, start, hit.and_then(|hit| hit.best), ply);
        let end = self.moves.len();
        let mut alpha = window.alpha.max(best);
        let mut best_move = None;
        for at in start..end {
            let Some(Scored { played, score: move_score }) = self.pick_move(position, at) else { break };
            if best > -DECIDED && !(urgent && plies == 0) {
                // Step 6. Skip moves that lose material (SEE) or cannot reach alpha (delta pruning), and, far
                // down, all but recaptures.
                let futility_value = evaluation
                    + self.tunables.delta
                    + ordering::taken(position, self.values, played)
                    + played.promotion().map_or(0, |role| self.values.material(role));
                if move_score < ordering::BAD_CAPTURE / 2
                    || (!check && futility_value <= alpha)
                    || pruning::skip_non_recapture(&self.tunables, plies, last, played.to)
                {
                    continue;
                }
                if move_score == ordering::TT_MOVE
                    && !exchange_wins(position, self.rules, self.values, played, 0)
                {
                    continue;
                }
            }
            let (after, after_accumulator) = self.make(position, accumulator, played, ply);
            let inner = Window { alpha, beta: window.beta }.flipped();
            let score = -self.quiesce(&after, &after_accumulator, inner, plies + 1, ply + 1, Some(played.to));
            self.path.leave();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(played);
                    if window.is_open() {
                        self.update_line(ply, played);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        self.moves.truncate(start);
        if self.stopped {
            return DRAW;
        }
        // A player who overlooks every move sees no mate.
        if best == -INFINITE {
            return self.evaluate(position, accumulator);
        }
        // Step 7. Store in the table.
        let bound = if best >= window.beta { Bound::Lower } else { Bound::Upper };
        let found = Hit {
            best: best_move,
            score: to_node(best, ply),
            evaluation: raw,
            depth: 0,
            bound,
            principal: hit.is_some_and(|hit| hit.principal),
        };
        self.shared.table.store(self.shared.key(position.key()), found);
        best
    }
}
