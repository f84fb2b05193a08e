//! The root with four players: iterative deepening, MultiPV, and reports to the caller.

use super::node::NodePlace;
use super::node_state::Stage;
use super::ordering::Quiets;
use super::root_state::{LineSearch, MultiPaused, RootMove, RootState};
use super::values::side;
use super::{MAX_DEPTH, MultiValues, Searcher, SliceEnd};
use crate::score::{DECIDED, INFINITE, MAX_PLY, Score, WIN};
use crate::search::Slice;
use crate::skill::HandicapState;
use crate::time::{Budget, TimeManager, steady_percent};
use crate::transposition::TranspositionTable;
use crate::{Bound, Info, Limits, SearchReport, Signals};
use lozenge_rules::position::{Move, MultiGame, MultiPosition, MultiWidthVisitor};
use lozenge_rules::variant::MultiRules;
use web_time::Instant;

/// Mixed with a root player into keys.
const ROOT_SALT: u64 = 0x9E37_79B9_7F4A_7C15;

/// Input of a search.
pub(crate) struct MultiContext<'a> {
    pub(crate) game: &'a MultiGame,
    pub(crate) limits: &'a Limits,
    pub(crate) signals: &'a Signals,
    pub(crate) on_info: &'a mut dyn FnMut(&Info),
    pub(crate) values: &'a MultiValues,
    pub(crate) table: &'a TranspositionTable,
    /// The slice to search; the whole search without one.
    pub(crate) slice: Option<&'a mut Slice<MultiPaused>>,
}

/// Searches the position at the end of a game: the whole search, or a slice of it.
pub(crate) fn think(context: MultiContext<'_>) -> SearchReport {
    context.game.position().visit(Think { context })
}

struct Think<'a> {
    context: MultiContext<'a>,
}

impl MultiWidthVisitor for Think<'_> {
    type Output = SearchReport;
    fn visit<const N: usize>(self, position: &MultiPosition<N>, rules: &MultiRules<N>) -> SearchReport {
        let MultiContext { game, limits, signals, on_info, values, table, mut slice } = self.context;
        let begun = slice.as_ref().map_or_else(Instant::now, |slice| slice.begun);
        let time = TimeManager::new(Budget::new(limits), signals, begun);
        let root = position.turn();
        let handicap = limits.handicap.map(|handicap| HandicapState::new(handicap, position.key()));
        let root_salt = if rules.is_teams() { 0 } else { ROOT_SALT.rotate_left(root.index() as u32 * 16) };
        let fewest = |handicap: crate::Handicap| handicap.nodes(values.branching());
        let most_nodes = limits.nodes.into_iter().chain(limits.handicap.map(fewest)).min();
        let draws = game.position().variant().draws();
        let (state, interrupted, quiets, lines, nodes, deepest_ply) =
            match slice.as_mut().and_then(|slice| slice.paused.take()) {
                Some(MultiPaused { root, interrupted, quiets, lines, nodes, deepest_ply }) => {
                    (Some(root), interrupted, quiets, lines, nodes, deepest_ply)
                }
                None => {
                    let quiets = Quiets::new(game.position().variant().roles().len());
                    (None, Vec::new(), quiets, vec![Vec::new(); MAX_PLY + 1], 0, 0)
                }
            };
        let mut searcher = Searcher {
            rules,
            values,
            king_zones: values.king_zones(),
            table,
            time: &time,
            root,
            side: side(rules, root),
            salt: root_salt ^ handicap.as_ref().map_or(0, HandicapState::salt),
            handicap,
            most_plies: draws.moves.end,
            repetitions_count: draws.repetition.end > 0,
            path: game.keys().to_vec(),
            quiets,
            lines,
            nodes,
            most_nodes: most_nodes.unwrap_or(u64::MAX),
            deepest_ply,
            // A search may be stopped between two slices.
            stopped: state.is_some() && time.is_over(),
            slice_end: SliceEnd {
                begun: nodes,
                node: slice.as_ref().map_or(u64::MAX, |slice| nodes.saturating_add(slice.nodes)),
                until: slice.as_ref().and_then(|slice| slice.until),
            },
            paused: false,
            interrupted,
        };
        let mut state = state.unwrap_or_else(|| searcher.begin(position, limits));
        searcher.deepen(position, limits, &mut state, on_info);
        let report = searcher.report(position, &state);
        let Searcher { quiets, lines, nodes, deepest_ply, paused, interrupted, .. } = searcher;
        let Some(slice) = slice else {
            let unlimited = limits.depth.is_none()
                && most_nodes.is_none()
                && limits.movetime.is_none()
                && limits.clock.is_none()
                && limits.mate.is_none();
            time.wait(unlimited);
            return report;
        };
        if paused {
            slice.paused = Some(MultiPaused { root: state, interrupted, quiets, lines, nodes, deepest_ply });
        }
        report
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// The state before the first iteration.
    fn begin(&self, position: &MultiPosition<N>, limits: &Limits) -> RootState {
        let legal = position.legal_moves(self.rules);
        let wanted = |played: &Move| limits.searchmoves.is_empty() || limits.searchmoves.contains(played);
        let legal: Vec<Move> = legal.into_iter().filter(wanted).collect();
        let seen: Vec<Move> =
            legal.iter().copied().filter(|&played| !self.overlooks(position, played, 0)).collect();
        let seen = if seen.is_empty() { legal } else { seen };
        let mut moves: Vec<RootMove> = self
            .scored(position, seen, None, 0)
            .into_iter()
            .map(|scored| RootMove { played: scored.played, score: scored.score, line: vec![scored.played] })
            .collect();
        moves.sort_by_key(|root_move| -root_move.score);
        let standing = self.evaluate(position);
        moves.iter_mut().for_each(|root_move| root_move.score = standing);
        RootState { moves, depth: 1, line: 0, leader: None, finished: 0, steady: 0, search: None }
    }

    /// Iterative deepening, from its beginning or from where it was interrupted.
    fn deepen(
        &mut self,
        position: &MultiPosition<N>,
        limits: &Limits,
        state: &mut RootState,
        on_info: &mut dyn FnMut(&Info),
    ) {
        let deepest = limits.depth.map_or(MAX_DEPTH, |depth| (depth as i32).clamp(1, MAX_DEPTH));
        let lines = limits.multipv.clamp(1, state.moves.len().max(1));
        while state.depth <= deepest && !state.moves.is_empty() && !self.stopped {
            let leader = *state.leader.get_or_insert(state.moves[0].played);
            while state.line < lines {
                if !self.search_line(position, state) {
                    break;
                }
                let line = state.line;
                state.moves[..=line].sort_by_key(|root_move| -root_move.score);
                if line + 1 == lines {
                    for (number, root_move) in (1..=lines).zip(&state.moves) {
                        on_info(&self.info(root_move, state.depth, number, position));
                    }
                }
                state.line += 1;
            }
            if self.stopped {
                return;
            }
            state.finished = state.depth;
            state.steady = if state.moves[0].played == leader { state.steady + 1 } else { 0 };
            (state.depth, state.line, state.leader) = (state.depth + 1, 0, None);
            let percent = steady_percent(state.steady);
            let mate = limits.mate.is_some_and(|most| {
                matches!(self.as_score(state.moves[0].score, position), Score::Wins(moves) if moves <= most)
            });
            if mate || self.time.is_enough(percent) || (state.moves.len() == 1 && self.time.counts()) {
                return;
            }
        }
    }

    /// The result of the search.
    fn report(&self, position: &MultiPosition<N>, state: &RootState) -> SearchReport {
        let best = state.moves.first();
        let score = best.map_or_else(|| self.evaluate(position), |best| best.score);
        SearchReport {
            best: best.map(|best| best.played),
            ponder: best.and_then(|best| best.line.get(1).copied()),
            score: self.as_score(score, position),
            nodes: self.nodes,
            depth: state.finished as u32,
        }
    }

    /// Searches for the best of the moves from a line on and moves it there; false if the search was stopped before one was found,
    /// or pauses.
    fn search_line(&mut self, position: &MultiPosition<N>, state: &mut RootState) -> bool {
        let (line, depth) = (state.line, state.depth);
        let center = state.moves[line].score;
        let mut search = state.search.take().unwrap_or_else(|| LineSearch::new(line, center, depth));
        loop {
            let found = self.search_root_moves(position, state, &mut search);
            if self.paused {
                state.search = Some(search);
                return false;
            }
            let Some(score) = found else { return false };
            let width = search.width * 3;
            let (mut low, mut high) = search.window;
            if score <= low && low > -INFINITE {
                low = if width > 1_000 { -INFINITE } else { score - width };
            } else if score >= high && high < INFINITE {
                high = if width > 1_000 { INFINITE } else { score + width };
            } else {
                return true;
            }
            search = LineSearch { width, ..LineSearch::within((low, high), line) };
        }
    }

    /// One search of the moves from a line on in a window. The best is moved there. `None` if it was stopped before the first move
    /// was searched; a better move found before the stop counts. If it pauses, `search` is where.
    fn search_root_moves(
        &mut self,
        position: &MultiPosition<N>,
        state: &mut RootState,
        search: &mut LineSearch,
    ) -> Option<i32> {
        let (line, (low, high)) = (state.line, search.window);
        let moves = &mut state.moves;
        for at in search.at..moves.len() {
            search.at = at;
            let child = position.play(self.rules, moves[at].played);
            let node = NodePlace { depth: state.depth - 1, ply: 1, spent: false, after_null: false };
            self.path.push(child.key());
            let score = self.try_move(position, &child, node, (&mut search.stage, 0), (search.alpha, high));
            self.path.pop();
            if self.stopped {
                let best = search.best;
                return if best > low { Some(high.min(best)) } else { None }.filter(|_| at > line);
            }
            search.best = search.best.max(score);
            if score > search.alpha || at == line {
                search.alpha = search.alpha.max(score);
                moves[at].score = score;
                let below = std::mem::take(&mut self.lines[1]);
                moves[at].line.truncate(1);
                moves[at].line.extend_from_slice(&below);
                self.lines[1] = below;
                moves[line..=at].rotate_right(1);
            }
            if score >= high {
                break;
            }
            search.stage = Stage::Reduced;
        }
        Some(search.best)
    }

    fn info(&self, best: &RootMove, depth: i32, multipv: usize, position: &MultiPosition<N>) -> Info {
        Info {
            depth: depth as u32,
            seldepth: self.deepest_ply as u32 + 1,
            multipv,
            score: self.as_score(best.score, position),
            bound: Bound::Exact,
            nodes: self.nodes,
            time: self.time.elapsed(),
            hashfull: self.table.fullness(),
            tbhits: 0,
            pv: best.line.clone(),
            current: None,
        }
    }

    /// The score as callers see it. A win is counted in rounds of those who are living now.
    fn as_score(&self, score: i32, position: &MultiPosition<N>) -> Score {
        let rounds = |plies: i32| (plies.max(0) as u32).div_ceil(position.living().len().max(1));
        if score >= DECIDED {
            Score::Wins(rounds(WIN - score).max(1))
        } else if score <= -DECIDED {
            Score::Loses(rounds(WIN + score))
        } else {
            Score::Centipawns(score)
        }
    }
}
