//! Where in a game a puzzle may be: a move after which one answer is far better than all others.

use super::{GAP, SECOND, SLACK, WINNING, two_lines};
use lozenge_engine::Engine;
use lozenge_rules::position::Game;

/// The move that makes the puzzle gives away at least this much of the expected score.
const GIVEN_AWAY: f64 = 0.2;

/// Numbers of the moves that may make puzzles, from 0.
pub(super) fn find(engine: &mut Engine, game: &Game, nodes: u64) -> Vec<usize> {
    engine.clear();
    let mut found = Vec::new();
    let mut played = Game::from_position(game.start().clone());
    let mut before = two_lines(engine, &played, nodes);
    for (ply, &next) in game.moves().iter().enumerate() {
        played.play_unchecked(next);
        let after = two_lines(engine, &played, nodes);
        if let (Some(before), Some(after)) = (&before, &after) {
            let given_away = after.first - (1.0 - before.first);
            let second = after.second.unwrap_or(1.0);
            let gap = after.first - second >= GAP - SLACK && second <= SECOND + SLACK;
            if gap && after.first >= WINNING - SLACK && given_away >= GIVEN_AWAY {
                found.push(ply);
            }
        }
        before = after;
    }
    found
}
