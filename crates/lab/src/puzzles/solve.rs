//! The solution of a puzzle: as long as each move of the solver is clearly best, against the best defense.

use super::{SLACK, WINNING, expected, positions, two_lines};
use lozenge_engine::{Engine, Limits, Score, Signals};
use lozenge_rules::position::{AnyPosition, Game, Move, Status};

/// Most moves of the solver.
const LONGEST: usize = 8;
/// Nodes of a first look at the position: who finds the move with them has not worked hard.
const GLANCE: u64 = 1_000;

/// The solution, which begins and ends with a move of the solver; `None` if there is none that makes a puzzle.
pub(super) fn solve(engine: &mut Engine, before: &AnyPosition, lead: Move, nodes: u64) -> Option<Vec<Move>> {
    engine.clear();
    // The position alone: a solution must not depend on what has been repeated.
    let mut game = Game::from_position(before.clone());
    game.play(lead).ok()?;
    // Most candidates fail, and most of those already with a tenth of the effort.
    let first_look = two_lines(engine, &game, nodes / 10)?;
    if first_look.first < WINNING - SLACK || !first_look.is_unique(SLACK) {
        return None;
    }
    let mut line = Vec::new();
    for number in 0..LONGEST {
        let Some(found) = two_lines(engine, &game, nodes) else { break };
        if number == 0 && found.first < WINNING {
            return None;
        }
        // Every move that wins at once is accepted, so the best one need not be the only one.
        let wins = found.score == Score::Wins(1);
        if !wins && !found.is_unique(0.0) {
            break;
        }
        line.push(found.best);
        game.play_unchecked(found.best);
        if game.outcome().is_some() || game.claimable_draw().is_some() {
            break;
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let Some(reply) = engine.search(&game, &limits, &Signals::default(), &mut |_| {}).best else { break };
        line.push(reply);
        game.play_unchecked(reply);
    }
    if line.len().is_multiple_of(2) {
        line.pop();
    }
    trim(before, lead, &mut line);
    let all = positions(before, lead, &line);
    let last = all.last()?;
    let won = matches!(last.status(), Status::Checkmate | Status::Goal);
    // One move is a puzzle only if it ends the game.
    if line.is_empty() || (line.len() == 1 && !won) {
        return None;
    }
    (won || is_settled(engine, last)).then_some(line)
}

/// Cuts forced moves off the end.
fn trim(before: &AnyPosition, lead: Move, line: &mut Vec<Move>) {
    while line.len() > 1 {
        let all = positions(before, lead, line);
        let last = &all[line.len() - 1];
        if last.legal_moves().len() > 1
            || matches!(all[line.len()].status(), Status::Checkmate | Status::Goal)
        {
            return;
        }
        line.truncate(line.len() - 2);
    }
}

/// Whether the last position looks won at first sight, too: the side to move has lost.
fn is_settled(engine: &mut Engine, last: &AnyPosition) -> bool {
    let score = engine.evaluate(last);
    expected(engine, last, score) < 0.5
}

/// A first guess of the rating, from the length of the solution and from how hard it is to see.
pub(super) fn rating(engine: &mut Engine, start: &AnyPosition, line: &[Move]) -> u32 {
    engine.clear();
    let limits = Limits { nodes: Some(GLANCE), ..Limits::default() };
    let game = Game::from_position(start.clone());
    let seen = engine.search(&game, &limits, &Signals::default(), &mut |_| {}).best == line.first().copied();
    let moves = u32::try_from(line.len().div_ceil(2)).unwrap_or(u32::MAX);
    (900 + 200 * moves.min(8) + if seen { 0 } else { 300 }).min(2_400)
}
