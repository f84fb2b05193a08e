//! A move of a learner in a level of the lessons, in the wire's words. Not here: how levels are made, and when they are done.

use crate::position::{castlings, check_square, legal, step};
use lozenge_lessons::{Attempt, AttemptStep, Goal};
use lozenge_rules::geometry::Square;
use lozenge_rules::library::AnyGame;
use lozenge_rules::notation::turn;
use lozenge_rules::position::{GamePosition, Move, MultiTurn};
use lozenge_wire::analysis::Step;
use lozenge_wire::{LessonAttempt, LessonGoal, LessonResult, LessonState};

/// Why a request is no attempt at a level.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LessonError {
    /// The FEN is no position of the game.
    #[error("{0}")]
    Position(String),
    /// A square that the game does not have.
    #[error("expected a square of the game, found `{0}`")]
    Square(String),
    /// More stars than squares.
    #[error("expected at most {most} stars, found {found}")]
    Stars {
        /// Squares of the game.
        most: usize,
        /// Stars of the request.
        found: usize,
    },
    /// The level is a game, which is played elsewhere.
    #[error("expected a level with a goal on the board, found a game")]
    Game,
    /// A resignation or time-out, of which levels know nothing.
    #[error("expected a move, found a resignation or time-out")]
    Exit,
    /// The move cannot be read, or is illegal.
    #[error("{0}")]
    Move(String),
}

/// Plays a move of a learner.
///
/// # Errors
/// If the request is not one about the game, or the move is illegal.
pub fn attempt(game: &AnyGame, request: &LessonAttempt) -> Result<LessonState, LessonError> {
    let start = GamePosition::from_fen(game, &request.fen)
        .map_err(|error| LessonError::Position(error.to_string()))?;
    let most = game.shape().len();
    if request.stars.len() > most {
        return Err(LessonError::Stars { most, found: request.stars.len() });
    }
    let square = |name: &String| game.shape().named(name).ok_or_else(|| LessonError::Square(name.clone()));
    let stars: Vec<Square> = request.stars.iter().map(square).collect::<Result<_, _>>()?;
    let hero = request.hero.as_ref().map(square).transpose()?;
    let mut attempt = Attempt::at(start.clone(), goal(request.goal)?, hero, stars);
    let Some(words) = &request.played else {
        return Ok(state(&attempt, LessonResult::Going, Vec::new()));
    };
    let read = turn::parse_uci(&start, words).or_else(|_| turn::parse_san(&start, words));
    let MultiTurn::Move(played) = read.map_err(|error| LessonError::Move(error.to_string()))? else {
        return Err(LessonError::Exit);
    };
    let outcome = attempt.play(played).map_err(|error| LessonError::Move(error.to_string()))?;
    let mut steps = vec![played_step(&start, played)];
    let result = match outcome {
        AttemptStep::Done => LessonResult::Done,
        AttemptStep::Going => LessonResult::Going,
        AttemptStep::Missed => {
            let after = start.play_unchecked(MultiTurn::Move(played));
            steps.extend(attempt.punishment(played).map(|reply| played_step(&after, reply)));
            LessonResult::Missed
        }
    };
    Ok(state(&attempt, result, steps))
}

fn state(attempt: &Attempt, result: LessonResult, steps: Vec<Step>) -> LessonState {
    let now = attempt.position();
    let game = now.variant();
    let shape = game.shape();
    // Also where neither side could win: a lone King has stars to collect.
    let mut moves = now.legal_moves();
    moves.retain(|played| attempt.hero().is_none_or(|hero| hero == played.from));
    LessonState {
        result,
        fen: now.fen(),
        check: check_square(now),
        legal: legal(now, &moves),
        castlings: castlings(now, &moves),
        stars: attempt.left().iter().map(|&star| shape.name(star)).collect(),
        hero: attempt.hero().map(|hero| shape.name(hero)),
        steps,
    }
}

fn played_step(before: &GamePosition, played: Move) -> Step {
    let turn = MultiTurn::Move(played);
    step(before, turn, &before.play_unchecked(turn))
}

fn goal(goal: LessonGoal) -> Result<Goal, LessonError> {
    Ok(match goal {
        LessonGoal::Stars => Goal::Stars,
        LessonGoal::Capture => Goal::Capture,
        LessonGoal::Promote => Goal::Promote,
        LessonGoal::Castle => Goal::Castle,
        LessonGoal::EnPassant => Goal::EnPassant,
        LessonGoal::Fuse => Goal::Fuse,
        LessonGoal::Check => Goal::Check,
        LessonGoal::Escape => Goal::Escape,
        LessonGoal::Keep => Goal::Keep,
        LessonGoal::Mate => Goal::Mate,
        LessonGoal::Reach => Goal::Reach,
        LessonGoal::Stop => Goal::Stop,
        LessonGoal::Play { .. } => return Err(LessonError::Game),
    })
}
