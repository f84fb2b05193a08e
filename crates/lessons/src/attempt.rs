//! A learner's attempt at a level: which moves lead on, and when it is done.

use crate::captures::keeps;
use crate::learner::{LEARNER, Learned as _};
use crate::level::{Goal, Level};
use crate::winning::{mates, reaches, stops};
use lozenge_rules::geometry::Square;
use lozenge_rules::library::AnyGame;
use lozenge_rules::position::{Color, GamePosition, GamePositionError, IllegalMove, Move, Piece};
use lozenge_rules::seat::OwnedPiece;
use std::cmp::Reverse;

/// Where a learner is in a level. Levels that are a game are played elsewhere.
#[derive(Clone, Debug)]
pub struct Attempt {
    goal: Goal,
    position: GamePosition,
    /// Where the piece stands that has to visit all stars.
    hero: Option<Square>,
    left: Vec<Square>,
    moves: u32,
}

/// The result of a move of the learner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttemptStep {
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
    pub fn new(game: &AnyGame, level: &Level) -> Result<Self, GamePositionError> {
        let position = GamePosition::from_fen(game, &level.fen)?;
        Ok(Self::at(position, level.goal, level.hero(), level.stars.clone()))
    }

    /// An attempt that has come to a position, in which these stars are left. `hero` is where the piece stands that has to
    /// visit them; without one any piece may.
    #[must_use]
    pub fn at(position: GamePosition, goal: Goal, hero: Option<Square>, left: Vec<Square>) -> Self {
        Self { goal, position, hero, left, moves: 0 }
    }

    /// The position, with the learner to move.
    #[must_use]
    pub fn position(&self) -> &GamePosition {
        &self.position
    }

    /// Where the piece stands that has to visit all stars.
    #[must_use]
    pub fn hero(&self) -> Option<Square> {
        self.hero
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
    pub fn play(&mut self, played: Move) -> Result<AttemptStep, IllegalMove> {
        if !self.position.legal_moves().contains(&played) {
            return Err(IllegalMove(played));
        }
        self.moves += 1;
        if !matches!(self.goal, Goal::Stars | Goal::Capture) {
            return Ok(if reaches_goal(&self.position, played, self.goal) {
                AttemptStep::Done
            } else {
                AttemptStep::Missed
            });
        }
        if self.hero.is_some_and(|hero| hero != played.from) {
            return Ok(AttemptStep::Missed);
        }
        let left: Vec<Square> = self.left.iter().copied().filter(|&star| star != played.to).collect();
        if left.is_empty() {
            self.left = left;
            self.position = self.position.after(played);
            return Ok(AttemptStep::Done);
        }
        let Some(again) = self.position.again(played) else { return Ok(AttemptStep::Missed) };
        (self.hero, self.left, self.position) = (Some(played.to), left, again);
        Ok(AttemptStep::Going)
    }

    /// The next player's answer to a move that missed: it wins at once, or captures a piece that cannot be won back. `None` if
    /// there is no such answer, or only the learner moves in this level.
    #[must_use]
    pub fn punishment(&self, missed: Move) -> Option<Move> {
        let is_legal = self.position.legal_moves().contains(&missed);
        if !is_legal || matches!(self.goal, Goal::Stars | Goal::Capture) {
            return None;
        }
        let after = self.position.after(missed);
        if !after.enemies().contains(&after.mover()) {
            return None;
        }
        let replies = after.legal_moves();
        if let Some(&win) = replies.iter().find(|&&reply| is_lost_by(&after, reply)) {
            return Some(win);
        }
        let captured = |reply: &Move| {
            let piece = after.piece(reply.to)?;
            (piece.owner == Some(LEARNER)).then(|| mobility(&after, piece))
        };
        // Where nothing may be lost, every capture is a punishment.
        let wins = |reply: &Move| self.goal == Goal::Keep || !is_recaptured(&after, *reply);
        let captures = replies.into_iter().filter_map(|reply| Some((captured(&reply)?, Reverse(reply))));
        captures.filter(|(_, Reverse(reply))| wins(reply)).max().map(|(_, Reverse(reply))| reply)
    }

    /// The stars for an attempt by its number of moves: three for par, two for up to half as many again, one for any other.
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
fn reaches_goal(before: &GamePosition, played: Move, goal: Goal) -> bool {
    match goal {
        Goal::Promote => played.is_promotion(),
        Goal::Castle => played.is_castling(),
        Goal::EnPassant => played.is_en_passant(),
        Goal::Fuse => played.is_fusion(),
        Goal::Check => before.checks(played) || mates(before, played),
        Goal::Escape => true,
        Goal::Keep => keeps(before, played),
        Goal::Mate => mates(before, played),
        Goal::Reach => reaches(before, played),
        Goal::Stop => stops(before, played),
        Goal::Stars | Goal::Capture | Goal::Play { .. } => false,
    }
}

/// Whether the learner has lost by an enemy's move. In a game of more players that is seen on the learner's turn.
fn is_lost_by(before: &GamePosition, reply: Move) -> bool {
    let after = before.after(reply);
    match &after {
        GamePosition::Two(after) => after.status().is_win(),
        GamePosition::Four(_) => after.is_out_at_turn(),
    }
}

/// Whether the learner could capture on the same square.
fn is_recaptured(before: &GamePosition, capture: Move) -> bool {
    let after = before.after(capture).at_turn(LEARNER);
    after.is_some_and(|after| after.legal_moves().iter().any(|reply| reply.to == capture.to))
}

/// How far a piece reaches on the empty board, from all squares together. It serves as the value of the piece.
fn mobility(position: &GamePosition, piece: OwnedPiece) -> usize {
    let game = position.variant();
    let known = Piece::new(Color::White, piece.role);
    let reach = |from| game.first_pair().reach(known, from).capture.len();
    game.shape().squares().map(reach).sum()
}
