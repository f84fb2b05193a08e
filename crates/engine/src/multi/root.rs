//! The root with four players: iterative deepening, MultiPV, and reports to the caller.

use super::node::Node;
use super::ordering::Quiets;
use super::values::side;
use super::{MAX_DEPTH, MultiValues, Searcher};
use crate::score::{DECIDED, INFINITE, MAX_PLY, Score, WIN};
use crate::skill::HandicapState;
use crate::time::{Budget, TimeManager};
use crate::transposition::TranspositionTable;
use crate::{Bound, Info, Limits, SearchReport, Signals};
use lozenge_rules::position::{Move, MultiGame, MultiPosition, MultiWidthVisitor};
use lozenge_rules::variant::MultiRules;
use web_time::Instant;

/// Half the width of the first window around the last score, in centipawns.
const WINDOW: i32 = 40;

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
}

/// Searches the position at the end of a game.
pub(crate) fn think(context: MultiContext<'_>) -> SearchReport {
    context.game.position().visit(Think { context })
}

struct Think<'a> {
    context: MultiContext<'a>,
}

impl MultiWidthVisitor for Think<'_> {
    type Output = SearchReport;
    fn visit<const N: usize>(self, position: &MultiPosition<N>, rules: &MultiRules<N>) -> SearchReport {
        let MultiContext { game, limits, signals, on_info, values, table } = self.context;
        let time = TimeManager::new(Budget::new(limits), signals, Instant::now());
        let root = position.turn();
        let handicap = limits.handicap.map(|handicap| HandicapState::new(handicap, position.key()));
        let root_salt = if rules.is_teams() { 0 } else { ROOT_SALT.rotate_left(root.index() as u32 * 16) };
        let fewest = |handicap: crate::Handicap| handicap.nodes(values.branching());
        let most_nodes = limits.nodes.into_iter().chain(limits.handicap.map(fewest)).min();
        let draws = game.position().variant().draws();
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
            path: game.positions().iter().map(|position| position.key()).collect(),
            quiets: Quiets::new(game.position().variant().roles().len()),
            lines: vec![Vec::new(); MAX_PLY + 1],
            nodes: 0,
            most_nodes: most_nodes.unwrap_or(u64::MAX),
            deepest_ply: 0,
            stopped: false,
        };
        let report = searcher.deepen(position, limits, on_info);
        let unlimited = limits.depth.is_none()
            && most_nodes.is_none()
            && limits.movetime.is_none()
            && limits.clock.is_none()
            && limits.mate.is_none();
        time.wait(unlimited);
        report
    }
}

/// A root move and what is known of it.
struct RootMove {
    played: Move,
    /// That of the last iteration in which it was the best of its line.
    score: i32,
    line: Vec<Move>,
}

impl<const N: usize> Searcher<'_, N> {
    /// Iterative deepening.
    fn deepen(
        &mut self,
        position: &MultiPosition<N>,
        limits: &Limits,
        on_info: &mut dyn FnMut(&Info),
    ) -> SearchReport {
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
        let deepest = limits.depth.map_or(MAX_DEPTH, |depth| (depth as i32).clamp(1, MAX_DEPTH));
        let lines = limits.multipv.clamp(1, moves.len().max(1));
        let (mut finished, mut steady) = (0, 0);
        for depth in 1..=deepest {
            if moves.is_empty() {
                break;
            }
            let leader = moves[0].played;
            for line in 0..lines {
                if !self.search_line(position, &mut moves, line, depth) {
                    break;
                }
                moves[..=line].sort_by_key(|root_move| -root_move.score);
                if line + 1 == lines {
                    for (number, root_move) in (1..=lines).zip(&moves) {
                        on_info(&self.info(root_move, depth, number, position));
                    }
                }
            }
            if self.stopped {
                break;
            }
            finished = depth;
            steady = if moves[0].played == leader { steady + 1 } else { 0 };
            let percent = [150, 120, 100, 85, 75][usize::min(steady, 4)];
            let mate = limits.mate.is_some_and(
                |most| matches!(self.as_score(moves[0].score, position), Score::Wins(moves) if moves <= most),
            );
            if mate || self.time.is_enough(percent) || (moves.len() == 1 && self.time.counts()) {
                break;
            }
        }
        let best = moves.first();
        SearchReport {
            best: best.map(|best| best.played),
            ponder: best.and_then(|best| best.line.get(1).copied()),
            score: self.as_score(best.map_or(standing, |best| best.score), position),
            nodes: self.nodes,
            depth: finished as u32,
        }
    }

    /// Searches for the best of `moves[line..]` and moves it to `line`; false if the search was stopped before one was found.
    fn search_line(
        &mut self,
        position: &MultiPosition<N>,
        moves: &mut [RootMove],
        line: usize,
        depth: i32,
    ) -> bool {
        let mut width = WINDOW;
        let center = moves[line].score;
        let (mut low, mut high) = if depth < 4 || center.abs() >= DECIDED {
            (-INFINITE, INFINITE)
        } else {
            (center - width, center + width)
        };
        loop {
            let Some(score) = self.search_moves(position, moves, line, depth, (low, high)) else {
                return false;
            };
            width *= 3;
            if score <= low && low > -INFINITE {
                low = if width > 1_000 { -INFINITE } else { score - width };
            } else if score >= high && high < INFINITE {
                high = if width > 1_000 { INFINITE } else { score + width };
            } else {
                return true;
            }
        }
    }

    /// One search of `moves[line..]` in a window. The best is moved to `line`. `None` if it was stopped before the first move
    /// was searched; a better move found before the stop counts.
    fn search_moves(
        &mut self,
        position: &MultiPosition<N>,
        moves: &mut [RootMove],
        line: usize,
        depth: i32,
        (low, high): (i32, i32),
    ) -> Option<i32> {
        let mut alpha = low;
        let mut best = -INFINITE;
        for at in line..moves.len() {
            let played = moves[at].played;
            let child = position.play(self.rules, played);
            let node = Node { depth: depth - 1, ply: 1, spent: false, after_null: false };
            self.path.push(child.key());
            let search = |search: &mut Self, window| {
                search.below(position, &child, window, |search, window| search.search(&child, node, window))
            };
            let mut score =
                if at == line { search(self, (alpha, high)) } else { search(self, (alpha, alpha + 1)) };
            if at > line && score > alpha && score < high && !self.stopped {
                score = search(self, (alpha, high));
            }
            self.path.pop();
            if self.stopped {
                return if best > low { Some(high.min(best)) } else { None }.filter(|_| at > line);
            }
            if score > best {
                best = score;
            }
            if score > alpha || at == line {
                alpha = alpha.max(score);
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
        }
        Some(best)
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
