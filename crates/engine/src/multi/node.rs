//! One node of the search with four players: principal variation search with reductions and pruning.

use super::Searcher;
use super::node_state::{Entered, InterruptedNode, MoveLoop, Stage};
use crate::Bound;
use crate::ordering::{Scored, pick};
use crate::score::{DECIDED, INFINITE, MAX_PLY, is_decided, lost_at, to_node, to_root, won_at};
use crate::skill::MoveTraits;
use crate::transposition::Hit;
use lozenge_rules::position::{Move, MultiPosition};

/// Depth up to which a good evaluation ends the node, and what each ply must be ahead, in centipawns.
const STATIC_PRUNING: (i32, i32) = (4, 110);

/// Depth up to which quiet moves are skipped that could not reach the window, and what each ply may gain.
const FUTILITY: (i32, i32) = (3, 130);

/// Where a node is in the tree, and what led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePlace {
    /// Plies that are left.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether one of the others has chosen freely since the root player's turn.
    pub(super) spent: bool,
    /// Whether the move before was a null move.
    pub(super) after_null: bool,
}

impl<const N: usize> Searcher<'_, N> {
    /// The score of a position for the side to move, within the window or a bound beyond it. Goes on with a node that was
    /// interrupted.
    pub(super) fn search(
        &mut self,
        position: &MultiPosition<N>,
        node: NodePlace,
        (mut alpha, mut beta): (i32, i32),
    ) -> i32 {
        if let Some(InterruptedNode { ply, entered, moves }) = self.interrupted.pop() {
            debug_assert_eq!(ply, node.ply);
            return match moves {
                Some(moves) => self.search_moves(position, node, entered, moves),
                None => self.search_entered(position, node, entered),
            };
        }
        let NodePlace { mut depth, ply, spent, .. } = node;
        let check = position.is_attacked(self.rules, position.turn());
        if check && ply + 1 < MAX_PLY / 2 && depth < 3 {
            depth += 1;
        }
        if depth <= 0 || ply + 1 >= MAX_PLY {
            return self.quiesce(position, ply, (alpha, beta));
        }
        if self.pauses() {
            return 0;
        }
        self.lines[ply].clear();
        if self.count(ply) {
            return 0;
        }
        if let Some(score) = self.settled(position, ply) {
            return score;
        }
        alpha = alpha.max(lost_at(ply));
        beta = beta.min(won_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let is_principal = beta - alpha > 1;
        let hit = self.table.probe(self.key(position, spent));
        if let Some(hit) = hit.filter(|hit| hit.depth >= depth && !is_principal) {
            let score = to_root(hit.score, ply);
            let fits = match hit.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if fits {
                return score;
            }
        }
        let known = hit.and_then(|hit| hit.evaluation);
        let evaluation = if check { None } else { Some(known.unwrap_or_else(|| self.evaluate(position))) };
        if let Some(standing) = evaluation.filter(|_| !is_principal) {
            let (most, margin) = STATIC_PRUNING;
            if depth <= most && standing - margin * depth >= beta && !is_decided(beta) {
                return standing;
            }
        }
        self.search_entered(position, node, Entered { depth, window: (alpha, beta), check, hit, evaluation })
    }

    /// The null move, and then the moves.
    fn search_entered(&mut self, position: &MultiPosition<N>, node: NodePlace, entered: Entered) -> i32 {
        let Entered { window: (alpha, beta), hit, evaluation, .. } = entered;
        if let Some(standing) = evaluation.filter(|_| beta - alpha == 1) {
            if let Some(score) = self.null_move(position, node, (standing, beta)) {
                return score;
            }
            if self.stopped {
                return self.interrupt(node, entered, None);
            }
        }
        let moves = position.legal_moves(self.rules);
        if moves.is_empty() {
            return self.draw(position) * self.sign(position);
        }
        let moves = self.scored(position, moves, hit.and_then(|hit| hit.best), node.ply);
        let state = MoveLoop {
            moves,
            at: 0,
            stage: None,
            alpha,
            best: -INFINITE,
            best_move: None,
            tried: Vec::new(),
        };
        self.search_moves(position, node, entered, state)
    }

    /// Keeps the state of a node if its search only pauses.
    fn interrupt(&mut self, node: NodePlace, entered: Entered, moves: Option<MoveLoop>) -> i32 {
        if self.paused {
            self.interrupted.push(InterruptedNode { ply: node.ply, entered, moves });
        }
        0
    }

    /// The move loop, from its beginning or from where it was interrupted.
    fn search_moves(
        &mut self,
        position: &MultiPosition<N>,
        node: NodePlace,
        entered: Entered,
        mut state: MoveLoop,
    ) -> i32 {
        let NodePlace { ply, spent, .. } = node;
        let Entered { depth, window: (before, beta), check, evaluation, .. } = entered;
        let is_principal = beta - before > 1;
        let replies_once = self.replies_once(position);
        for at in state.at..state.moves.len() {
            let resumed = state.stage.take();
            // A move that was interrupted has been picked.
            let picked =
                if resumed.is_some() { state.moves.get(at).copied() } else { pick(&mut state.moves, at) };
            let Some(Scored { played, .. }) = picked else { break };
            if replies_once && spent && at > 0 {
                break;
            }
            if at > 0 && self.overlooks(position, played, ply) {
                continue;
            }
            let is_quiet = self.gain(position, played) == 0;
            let can_skip = is_quiet && !is_principal && state.best > -DECIDED && resumed.is_none();
            if let Some(standing) = evaluation.filter(|_| can_skip) {
                let (most, margin) = FUTILITY;
                let is_late = state.tried.len() as i32 > 6 + 4 * depth * depth;
                if depth <= most && (is_late || standing + margin * depth <= state.alpha) {
                    continue;
                }
            }
            let child = position.play(self.rules, played);
            self.path.push(child.key());
            let spent = replies_once && (spent || at > 0) && !self.side.contains(child.turn());
            let reduction =
                if is_quiet && !check && depth >= 3 { reduction(depth, at, is_principal) } else { 0 };
            let below = NodePlace { depth: depth - 1, ply: ply + 1, spent, after_null: false };
            let mut stage = resumed.unwrap_or(if at == 0 { Stage::First } else { Stage::Reduced });
            let score = self.try_move(position, &child, below, (&mut stage, reduction), (state.alpha, beta));
            self.path.pop();
            if self.stopped {
                (state.at, state.stage) = (at, Some(stage));
                return self.interrupt(node, entered, Some(state));
            }
            if score > state.best {
                state.best = score;
                if score > state.alpha {
                    state.alpha = score;
                    state.best_move = Some(played);
                    self.extend_line(ply, played);
                }
            }
            if score >= beta {
                if is_quiet {
                    self.learn(position, played, &state.tried, ply, depth);
                }
                break;
            }
            if is_quiet {
                state.tried.push(played);
            }
        }
        let MoveLoop { best, best_move, .. } = state;
        let bound = if best >= beta {
            Bound::Lower
        } else if best > before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let hit = Hit {
            best: best_move,
            score: to_node(best, ply),
            evaluation,
            depth,
            bound,
            principal: is_principal,
        };
        self.table.store(self.key(position, spent), hit);
        best
    }

    /// Searches a move from a stage on: at first with a null window and reduced if it is not the first one. If the search is
    /// interrupted, `stage` is where.
    pub(super) fn try_move(
        &mut self,
        position: &MultiPosition<N>,
        child: &MultiPosition<N>,
        below: NodePlace,
        (stage, reduction): (&mut Stage, i32),
        (alpha, beta): (i32, i32),
    ) -> i32 {
        loop {
            let (window, less) = match *stage {
                Stage::First | Stage::Open => ((alpha, beta), 0),
                Stage::Reduced => ((alpha, alpha + 1), reduction),
                Stage::Full => ((alpha, alpha + 1), 0),
            };
            let node = NodePlace { depth: below.depth - less, ..below };
            let score =
                self.below(position, child, window, |search, window| search.search(child, node, window));
            *stage = match *stage {
                _ if self.stopped => return score,
                Stage::Reduced if score > alpha && reduction > 0 => Stage::Full,
                Stage::Reduced | Stage::Full if score > alpha && score < beta => Stage::Open,
                _ => return score,
            };
        }
    }

    /// Passing instead of moving: if even that fails high, the node does (wiki: null move pruning).
    fn null_move(
        &mut self,
        position: &MultiPosition<N>,
        NodePlace { depth, ply, spent, after_null }: NodePlace,
        (standing, beta): (i32, i32),
    ) -> Option<i32> {
        if after_null || depth < 3 || standing < beta || is_decided(beta) || !self.has_officers(position) {
            return None;
        }
        let child = position.pass(self.rules);
        self.path.push(child.key());
        let below = NodePlace { depth: depth - 3 - depth / 6, ply: ply + 1, spent, after_null: true };
        let score = self
            .below(position, &child, (beta - 1, beta), |search, window| search.search(&child, below, window));
        self.path.pop();
        (score >= beta && !self.stopped).then_some(if is_decided(score) { beta } else { score })
    }

    /// Whether the player to move has more than a King and pawns.
    fn has_officers(&self, position: &MultiPosition<N>) -> bool {
        let seat = position.turn();
        let mut roles = position.pieces(seat).into_iter().filter_map(|square| position.piece_at(square));
        roles.any(|piece| self.values.is_officer(piece.role))
    }

    /// Whether a node belongs to a player who is assumed to reply only once in a round.
    fn replies_once(&self, position: &MultiPosition<N>) -> bool {
        !self.rules.is_teams() && !self.side.contains(position.turn())
    }

    /// Whether a player with a handicap overlooks a move.
    pub(super) fn overlooks(&self, position: &MultiPosition<N>, played: Move, ply: usize) -> bool {
        let Some(handicap) = &self.handicap else { return false };
        let Some(piece) = position.piece_at(played.from) else { return false };
        let traits = MoveTraits {
            piece: self.rules.piece(position.turn(), piece.role).1,
            from: played.from,
            to: played.to,
            distance: self.values.king_steps(played.from, played.to),
            capture: position.captured(self.rules, played).next().is_some(),
            recapture: false,
        };
        handicap.overlooks(traits, ply)
    }
}

/// Plies by which a quiet move late in the order is searched less deep.
fn reduction(depth: i32, number: usize, is_principal: bool) -> i32 {
    let late = match number {
        0..=2 => 0,
        3..=7 => 1,
        8..=19 => 2,
        _ => 3,
    };
    (late + i32::from(late > 0 && depth >= 8) - i32::from(is_principal)).clamp(0, depth - 2)
}
