//! Openings by random moves. They are used only if our own engine sees neither side much better, and
//! each only once.

use crate::rng::Rng;
use lozenge_engine::{Engine, Limits, Score, Signals};
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::Arc;

/// Attempts for one opening. Then the most balanced one is used, even if it is not new: small games
/// have few openings.
const ATTEMPTS: usize = 500;
/// Hash table of the engine that evaluates openings, in MiB.
const HASH: usize = 2;

/// How random openings are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Random seed.
    pub seed: u64,
    /// Random plies; `None`: as many as are usual for the board.
    pub plies: Option<u32>,
    /// Nodes of the search that evaluates an opening.
    pub nodes: u64,
    /// Least score, in centipawns, that counts as unbalanced.
    pub balance: u32,
}

impl Default for Plan {
    fn default() -> Self {
        Self { seed: 1, plies: None, nodes: 5_000, balance: 100 }
    }
}

/// The usual number of random plies for a board of this size: 6 on small ones, 8 on medium ones and 12 on
/// large ones, where it takes longer until the camps meet.
#[must_use]
pub const fn usual_plies(squares: usize) -> u32 {
    match squares {
        0..=48 => 6,
        49..=100 => 8,
        _ => 12,
    }
}

/// An endless sequence of openings of one game.
#[derive(Debug)]
pub struct RandomOpenings {
    starts: Vec<AnyPosition>,
    plan: Plan,
    plies: u32,
    rng: Rng,
    engine: Engine,
    seen: HashSet<u64>,
}

impl RandomOpenings {
    /// The openings of a game that follow from a plan.
    #[must_use]
    pub fn new(variant: &Arc<Variant>, plan: Plan) -> Self {
        // Different variants get different numbers, in any order.
        let name = variant.id().bytes().fold(plan.seed, |seed, byte| seed.rotate_left(7) ^ u64::from(byte));
        Self {
            starts: starts(variant),
            plan,
            plies: plan.plies.unwrap_or_else(|| usual_plies(variant.shape().len())),
            rng: Rng::new(name),
            engine: Engine::new(HASH),
            seen: HashSet::new(),
        }
    }

    /// The next opening.
    ///
    /// # Panics
    /// Never: a compiled variant has a start.
    pub fn next_opening(&mut self) -> AnyPosition {
        let mut best: Option<(u32, AnyPosition)> = None;
        for _ in 0..ATTEMPTS {
            let Some(game) = random_opening(&self.starts, self.plies, &mut self.rng) else { continue };
            let position = game.position();
            if self.seen.contains(&position.key()) {
                continue;
            }
            let lead = self.lead(&game);
            if lead < self.plan.balance {
                best = Some((lead, position.clone()));
                break;
            }
            if best.as_ref().is_none_or(|(least, _)| lead < *least) {
                best = Some((lead, position.clone()));
            }
        }
        let chosen = best.map_or_else(|| self.starts[0].clone(), |(_, position)| position);
        self.seen.insert(chosen.key());
        chosen
    }

    /// By how much one side is better, in centipawns.
    fn lead(&mut self, game: &Game) -> u32 {
        self.engine.clear();
        let limits = Limits { nodes: Some(self.plan.nodes), ..Limits::default() };
        // Search the position without its history.
        let game = Game::from_position(game.position().clone());
        match self.engine.search(&game, &limits, &Signals::default(), &mut |_| {}).score {
            Score::Centipawns(score) => score.unsigned_abs(),
            Score::Wins(_) | Score::Loses(_) => u32::MAX,
        }
    }
}

/// All positions that a game may begin with.
pub(crate) fn starts(variant: &Arc<Variant>) -> Vec<AnyPosition> {
    (0..variant.starts().len()).filter_map(|number| AnyPosition::start_number(variant, number)).collect()
}

/// Random plies from one of the starts; `None` when the game was over before.
pub(crate) fn random_opening(starts: &[AnyPosition], plies: u32, rng: &mut Rng) -> Option<Game> {
    let mut game = Game::from_position(rng.one_of(starts)?.clone());
    for _ in 0..plies {
        let mut moves = game.position().legal_moves();
        // The order of generated moves is not part of the rules' interface.
        moves.sort();
        game.play(*rng.one_of(&moves)?).ok()?;
    }
    (game.outcome().is_none() && game.claimable_draw().is_none()).then_some(game)
}
