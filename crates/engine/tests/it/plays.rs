//! Whole games: against itself without an illegal move, and against a random mover, which it beats.

use crate::common::*;
use lozenge_engine::{Engine, Signals};
use lozenge_rules::library;
use lozenge_rules::position::{Color, Game, Outcome};

#[test]
fn plays_every_game_against_itself() {
    for id in library::ids() {
        let mut game = Game::new(&library::game(id).unwrap());
        let mut engine = Engine::new(1);
        while game.outcome().is_none() && game.moves().len() < 300 {
            let report = engine.search(&game, &nodes(500), &Signals::default(), &mut |_| {});
            game.play(report.best.unwrap()).unwrap_or_else(|error| panic!("{id}: {error}"));
        }
    }
}

#[test]
fn beats_a_random_mover() {
    let family = library::ids().filter(|id| id.starts_with("diamondring-")).filter_map(library::game);
    for variant in own_games().chain(family) {
        for (seed, engine_plays) in Color::BOTH.into_iter().enumerate() {
            let mut random = Random::new(seed as u64);
            let mut game = Game::new(&variant);
            let mut engine = Engine::new(4);
            while game.outcome().is_none() && game.moves().len() < 400 {
                let played = if game.position().turn() == engine_plays {
                    engine.search(&game, &nodes(1_000), &Signals::default(), &mut |_| {}).best.unwrap()
                } else {
                    let moves = game.position().legal_moves();
                    moves[random.below(moves.len())]
                };
                game.play(played).unwrap();
            }
            let won = matches!(game.outcome(), Some(Outcome::Win { winner, .. }) if winner == engine_plays);
            assert!(won, "{} {:?} {}", variant.id(), game.outcome(), game.position().fen());
        }
    }
}

#[test]
fn plays_a_legal_move_in_any_reachable_position() {
    let mut random = Random::new(64);
    for variant in library::ids().map(|id| library::game(id).unwrap()) {
        let mut engine = Engine::new(1);
        for _ in 0..4 {
            let mut game = Game::new(&variant);
            while game.outcome().is_none() && game.moves().len() < 160 {
                if random.below(4) == 0 {
                    let report = engine.search(&game, &nodes(150), &Signals::default(), &mut |_| {});
                    assert!(game.position().is_legal(report.best.unwrap()), "{}", game.position().fen());
                }
                let moves = game.position().legal_moves();
                game.play(moves[random.below(moves.len())]).unwrap();
            }
        }
    }
}
