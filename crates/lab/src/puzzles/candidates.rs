//! Where in a game a puzzle may be: a move after which one answer is far better than all others.

use super::{Effort, GAP, HOLDING, SECOND, SLACK, TwoLines, two_lines};
use crate::rng::Rng;
use lozenge_engine::{Engine, Score};
use lozenge_rules::position::{Game, Move};

/// The move that makes the puzzle gives away at least this much of the expected score.
const MIN_SCORE_LOSS: f64 = 0.2;

/// A move that may make a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Candidate {
    /// Moves of the game before it.
    pub(super) ply: usize,
    /// The move: that of the game or, where mistakes are tried, another.
    pub(super) lead: Move,
}

/// The moves that may make puzzles.
pub(super) fn find(engine: &mut Engine, game: &Game, effort: Effort) -> Vec<Candidate> {
    engine.clear();
    let mut rng = Rng::new(game.moves().len() as u64);
    let mut found = Vec::new();
    let mut played = Game::from_position(game.start().clone());
    let mut before = two_lines(engine, &played, effort.screen);
    for (ply, &next) in game.moves().iter().enumerate() {
        if let Some(before) = before.filter(|before| !matches!(before.score, Score::Loses(_))) {
            for lead in mistakes(&played, next, effort.mistakes, &mut rng) {
                let mut after = played.clone();
                after.play_unchecked(lead);
                let answer = two_lines(engine, &after, effort.screen);
                if answer.is_some_and(|answer| is_candidate(before, answer, effort)) {
                    found.push(Candidate { ply, lead });
                }
            }
        }
        played.play_unchecked(next);
        let after = two_lines(engine, &played, effort.screen);
        if let (Some(before), Some(after)) = (before, after)
            && (is_candidate(before, after, effort) || (effort.quiet && is_threat(&played, after)))
        {
            found.push(Candidate { ply, lead: next });
        }
        before = after;
    }
    found
}

/// `count` legal moves, or all if there are fewer, without the move of the game.
fn mistakes(game: &Game, played: Move, count: usize, rng: &mut Rng) -> Vec<Move> {
    let mut others = game.position().legal_moves();
    others.retain(|&other| other != played);
    let count = count.min(others.len());
    (0..count).map(|_| others.swap_remove(rng.below(others.len()))).collect()
}

fn is_candidate(before: TwoLines, after: TwoLines, effort: Effort) -> bool {
    if effort.quiet && matches!(after.score, Score::Wins(_)) {
        return false;
    }
    // A move that allows mate, for example.
    if after.only_win && !matches!(before.score, Score::Loses(_)) {
        return true;
    }
    let given_away = after.first - (1.0 - before.first);
    leaves_one_answer(after) && given_away >= MIN_SCORE_LOSS
}

/// Whether the last move of a game is no mistake, neither check nor capture, and has one answer only.
fn is_threat(game: &Game, after: TwoLines) -> bool {
    let position = game.position();
    let captures = || {
        let before = game.position_at(game.moves().len() - 1)?;
        Some(before.is_capture(*game.moves().last()?))
    };
    leaves_one_answer(after)
        && !matches!(after.score, Score::Wins(_))
        && !position.is_check()
        && captures() == Some(false)
        && !position.is_capture(after.best)
}

/// Whether all moves but the best lose what it holds.
fn leaves_one_answer(after: TwoLines) -> bool {
    let second = after.second.unwrap_or(1.0);
    let gap = after.first - second >= GAP - SLACK && second <= SECOND + SLACK;
    gap && after.first >= HOLDING - SLACK
}
