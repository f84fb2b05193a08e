//! A learner's attempt at a level: which moves lead on, and when it is done.

use crate::captures::keeps;
use crate::level::{Goal, Level};
use crate::sandbox::again;
use crate::winning::{mates, reaches, stops};
use lozenge_rules::geometry::Square;
use lozenge_rules::position::{AnyPosition, IllegalMove, Move, MoveKind, PositionError};
use lozenge_rules::variant::Variant;
use std::sync::Arc;

/// Where a learner is in a level. Levels that are a game are played elsewhere.
#[derive(Clone, Debug)]
pub struct Attempt {
    goal: Goal,
    position: AnyPosition,
    /// Where the piece stands that has to visit all stars.
    hero: Option<Square>,
    left: Vec<Square>,
    moves: u32,
}

/// What a move of the learner has led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// The goal is reached.
    Done,
    /// More moves are needed.
    Going,
    /// The move does not reach the goal, and the level does not go on after it: it has to be tried again. The attempt stays
    /// where it was.
    Missed,
}

impl Attempt {
    /// Begins a level.
    ///
    /// # Errors
    /// If the level is one of another game.
    pub fn new(variant: &Arc<Variant>, level: &Level) -> Result<Self, PositionError> {
        let position = AnyPosition::from_fen(variant, &level.fen)?;
        let hero = level.arrows.first().map(|&(from, _)| from);
        Ok(Self { goal: level.goal, position, hero, left: level.stars.clone(), moves: 0 })
    }

    /// The position, with the learner to move.
    #[must_use]
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The stars that are left.
    #[must_use]
    pub fn left(&self) -> &[Square] {
        &self.left
    }

    /// Moves of the learner so far, those included that missed.
    #[must_use]
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Plays a move of the learner.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn play(&mut self, played: Move) -> Result<Step, IllegalMove> {
        let after = self.position.play(played)?;
        self.moves += 1;
        if !matches!(self.goal, Goal::Stars | Goal::Capture) {
            return Ok(if reaches_goal(&self.position, played, self.goal) {
                Step::Done
            } else {
                Step::Missed
            });
        }
        if self.hero.is_some_and(|hero| hero != played.from) {
            return Ok(Step::Missed);
        }
        let left: Vec<Square> = self.left.iter().copied().filter(|&star| star != played.to).collect();
        if left.is_empty() {
            self.left = left;
            self.position = after;
            return Ok(Step::Done);
        }
        let Some(again) = again(&after) else { return Ok(Step::Missed) };
        (self.hero, self.left, self.position) = (Some(played.to), left, again);
        Ok(Step::Going)
    }

    /// The stars for an attempt of so many moves: three for par, two for up to half as many again, one for any other.
    #[must_use]
    pub fn rating(moves: u32, par: u32) -> u8 {
        match moves {
            moves if moves <= par => 3,
            moves if moves <= par + par.div_ceil(2) => 2,
            _ => 1,
        }
    }
}

/// Whether a single move reaches a goal that takes one.
fn reaches_goal(before: &AnyPosition, played: Move, goal: Goal) -> bool {
    match goal {
        Goal::Promote => matches!(played.kind, MoveKind::Promotion(_)),
        Goal::Castle => matches!(played.kind, MoveKind::Castling(_)),
        Goal::EnPassant => played.kind == MoveKind::EnPassant,
        Goal::Fuse => played.kind == MoveKind::Fuse,
        Goal::Check => before.play_unchecked(played).is_check(),
        Goal::Escape => true,
        Goal::Keep => keeps(before, played),
        Goal::Mate => mates(before, played),
        Goal::Reach => reaches(before, played),
        Goal::Stop => stops(before, played),
        Goal::Stars | Goal::Capture | Goal::Play { .. } => false,
    }
}
