//! The review of a game as a job that any machine can do.

use super::{evaluate_with, review};
use lozenge_engine::{Engine, Signals};
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::Variant;
use lozenge_wire::review::GameReview;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game to be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewJob {
    /// Id of the variant.
    pub variant: String,
    /// Digest of its rules.
    pub digest: String,
    /// Where the game began, as FEN.
    pub fen: String,
    /// Its moves in long algebraic form.
    pub moves: Vec<String>,
    /// Nodes for each position.
    pub nodes: u64,
}

/// Why a job cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewFault {
    /// The game does not begin at a position of the variant.
    #[error("expected a position, found `{0}`")]
    Position(String),
    /// A move is not legal.
    #[error("expected a legal move at ply {ply}, found `{found}`")]
    Move {
        /// Its number, from 1.
        ply: usize,
        /// Its text.
        found: String,
    },
    /// The signals stopped it.
    #[error("the review was stopped")]
    Stopped,
}

impl ReviewJob {
    /// The job of reviewing a game.
    #[must_use]
    pub fn new(game: &Game, digest: String, nodes: u64) -> Self {
        let variant = game.variant();
        Self {
            variant: variant.id().to_owned(),
            digest,
            fen: game.start().fen(),
            moves: game.moves().iter().map(|&played| uci::write(variant, played)).collect(),
            nodes,
        }
    }

    /// The game.
    ///
    /// # Errors
    /// If it is not a game of this variant.
    pub fn game(&self, variant: &Arc<Variant>) -> Result<Game, ReviewFault> {
        let start = AnyPosition::from_fen(variant, &self.fen);
        let start = start.map_err(|_| ReviewFault::Position(self.fen.clone()))?;
        let mut game = Game::from_position(start);
        for (ply, text) in (1..).zip(&self.moves) {
            let fault = || ReviewFault::Move { ply, found: text.clone() };
            let played = uci::parse(game.position(), text).map_err(|_| fault())?;
            game.play(played).map_err(|_| fault())?;
        }
        Ok(game)
    }

    /// Reviews the game; names and result are those of a game without them. `progress` receives the number of positions done
    /// after each.
    ///
    /// # Errors
    /// If it is not a game of this variant, or `signals` stopped the review.
    pub fn run(
        &self,
        variant: &Arc<Variant>,
        engine: &mut Engine,
        signals: &Signals,
        progress: &mut dyn FnMut(usize),
    ) -> Result<GameReview, ReviewFault> {
        let game = self.game(variant)?;
        let evaluations = evaluate_with(engine, &game, self.nodes, signals, progress);
        Ok(review(&game, &evaluations.ok_or(ReviewFault::Stopped)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn a_job_is_the_review_of_its_game() {
        let variant = library::game("gardner").unwrap();
        let mut game = Game::new(&variant);
        for text in ["a2a3", "b4a3", "b1a3"] {
            game.play(uci::parse(game.position(), text).unwrap()).unwrap();
        }
        let job = ReviewJob::new(&game, "digest".into(), 500);
        let (mut engine, signals) = (Engine::new(1), Signals::default());
        let mut done = Vec::new();
        let made = job.run(&variant, &mut engine, &signals, &mut |count| done.push(count)).unwrap();
        let evaluations = super::super::evaluate(&mut engine, &game, 500, &signals).unwrap();
        assert_eq!((made, done), (review(&game, &evaluations), vec![1, 2, 3, 4]));
    }

    #[test]
    fn a_job_of_another_game_is_refused() {
        let variant = library::game("gardner").unwrap();
        let job = ReviewJob::new(&Game::new(&variant), "digest".into(), 500);
        let fault = |job: ReviewJob| job.game(&variant).unwrap_err();
        assert_eq!(fault(ReviewJob { fen: "x".into(), ..job.clone() }), ReviewFault::Position("x".into()));
        let moves = vec!["a2a3".into(), "a2a3".into()];
        assert_eq!(fault(ReviewJob { moves, ..job }), ReviewFault::Move { ply: 2, found: "a2a3".into() });
    }
}
