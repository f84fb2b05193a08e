//! The review of a game as a job that any machine can do.

use super::{evaluate_with, review};
use crate::job::{GameFault, WrittenGame};
use lozenge_engine::{Engine, Signals};
use lozenge_rules::position::Game;
use lozenge_rules::variant::Variant;
use lozenge_wire::review::GameReview;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game to be reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReviewJob {
    /// The game.
    #[serde(flatten)]
    pub game: WrittenGame,
    /// Nodes for each position.
    pub nodes: u64,
}

/// Why a job cannot be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReviewFault {
    /// It is not a game of the variant.
    #[error(transparent)]
    Game(#[from] GameFault),
    /// The signals stopped it.
    #[error("the review was stopped")]
    Stopped,
}

impl ReviewJob {
    /// The kind of these jobs.
    pub const KIND: &str = "review";

    /// The job of reviewing a game.
    #[must_use]
    pub fn new(game: &Game, digest: String, nodes: u64) -> Self {
        Self { game: WrittenGame::new(game, digest), nodes }
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
        let game = self.game.read(variant)?;
        let evaluations = evaluate_with(engine, &game, self.nodes, signals, progress);
        Ok(review(&game, &evaluations.ok_or(ReviewFault::Stopped)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;
    use lozenge_rules::notation::uci;

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
        let result = job.run(&variant, &mut engine, &signals, &mut |count| done.push(count)).unwrap();
        let evaluations = super::super::evaluate(&mut engine, &game, 500, &signals).unwrap();
        assert_eq!((result, done), (review(&game, &evaluations), vec![1, 2, 3, 4]));
    }
}
