//! The solution of a puzzle: as long as each move of the solver is clearly best, against the best defense.

use super::{HOLDING, positions, search_position, two_lines};
use lozenge_engine::{Engine, Limits, Score, Signals};
use lozenge_rules::position::{AnyPosition, Game, Move};

/// Most moves of the solver.
const MAX_SOLUTION_MOVES: usize = 8;
/// Nodes of a shallow search: a move that it finds is obvious.
const SHALLOW_NODES: u64 = 1_000;
/// Static evaluation of the last position: at most this far below the expected score of the solution.
const STATIC_EVAL_MARGIN: f64 = 0.3;

/// The solution, which begins and ends with a move of the solver; `None` if no solution makes a puzzle.
pub(super) fn solve(
    engine: &mut Engine,
    before: &AnyPosition,
    lead: Move,
    nodes: u64,
    slack: f64,
) -> Option<Vec<Move>> {
    engine.clear();
    // The position alone: a solution must not depend on repetitions.
    let mut game = Game::from_position(before.clone());
    game.play(lead).ok()?;
    let mut line = Vec::new();
    // The plies before the first move that is only best because it wins by force: more is a solution only if the win is played out.
    let mut clear = 0;
    let mut expected_score = 0.0;
    for number in 0..MAX_SOLUTION_MOVES {
        let Some(found) = two_lines(engine, &game, nodes) else { break };
        if number == 0 {
            expected_score = found.first;
            if expected_score < HOLDING - slack {
                return None;
            }
        }
        // Every move that wins at once is accepted, so the best one need not be the only one.
        let wins = found.score == Score::Wins(1);
        if !wins && !found.is_unique(slack, true) {
            break;
        }
        if clear == line.len() && found.has_gap(slack) {
            clear += 2;
        }
        line.push(found.best);
        game.play_unchecked(found.best);
        if game.outcome().is_some() || game.claimable_draw().is_some() || is_repeated(&game) {
            break;
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let Some(reply) = engine.search(&game, &limits, &Signals::default(), &mut |_| {}).best else { break };
        line.push(reply);
        game.play_unchecked(reply);
    }
    if !game.position().status().is_win() {
        line.truncate(clear);
    }
    if line.len().is_multiple_of(2) {
        line.pop();
    }
    trim(before, lead, &mut line);
    let all = positions(before, lead, &line);
    let last = all.last()?;
    let won = last.status().is_win();
    if line.is_empty() || is_trivial(engine, lead, &line, &all) {
        return None;
    }
    (won || static_eval_agrees(engine, last, expected_score)).then_some(line)
}

/// Whether the position has been there before.
fn is_repeated(game: &Game) -> bool {
    game.keys().split_last().is_some_and(|(last, earlier)| earlier.contains(last))
}

/// Whether a solution is obvious and short. It is a single move that does not win at once, or it captures the piece
/// that has just moved and has at most one more move. `positions` are those before, between and after the moves of the
/// solution.
pub(super) fn is_trivial(engine: &mut Engine, lead: Move, line: &[Move], positions: &[AnyPosition]) -> bool {
    let won = positions.last().is_some_and(|last| last.status().is_win());
    let is_short = match line {
        [_] => true,
        [first, _, _] => first.to == lead.to,
        _ => false,
    };
    !won && is_short && is_obvious(engine, &positions[0], line[0])
}

/// Cuts forced moves off the end.
fn trim(before: &AnyPosition, lead: Move, line: &mut Vec<Move>) {
    while line.len() > 1 {
        let all = positions(before, lead, line);
        let last = &all[line.len() - 1];
        if last.legal_moves().len() > 1 || all[line.len()].status().is_win() {
            return;
        }
        line.truncate(line.len() - 2);
    }
}

/// Whether the static evaluation of the last position confirms the expected score; the other side is to move.
fn static_eval_agrees(engine: &mut Engine, last: &AnyPosition, expected_score: f64) -> bool {
    let score = engine.evaluate(last);
    1.0 - engine.chances(last).expected_score(score) > expected_score - STATIC_EVAL_MARGIN
}

/// Whether a shallow search finds this move.
fn is_obvious(engine: &mut Engine, start: &AnyPosition, played: Move) -> bool {
    search_position(engine, start, SHALLOW_NODES).best == Some(played)
}

/// A first guess of the rating, from the length of the solution and from how hard it is to see.
pub(super) fn rating(engine: &mut Engine, start: &AnyPosition, line: &[Move]) -> u32 {
    let obvious = line.first().is_some_and(|&first| is_obvious(engine, start, first));
    let moves = u32::try_from(line.len().div_ceil(2)).unwrap_or(u32::MAX);
    (900 + 200 * moves.min(8) + if obvious { 0 } else { 300 }).min(2_400)
}
