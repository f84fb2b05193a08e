//! Players with a handicap: they overlook moves, but announce no mate that the rules do not know.

use crate::common::*;
use lozenge_engine::{Engine, Handicap, Limits, Score, SearchReport, Signals};
use lozenge_rules::position::{Game, Outcome};

fn search_at(engine: &mut Engine, game: &Game, level: u8) -> SearchReport {
    let limits = Limits { handicap: Handicap::at_level(level, 5), nodes: Some(2_000), ..Limits::default() };
    engine.search(game, &limits, &Signals::default(), &mut |_| {})
}

#[test]
fn mate_in_one_of_a_handicapped_player_is_mate() {
    let mut announced = 0;
    for variant in own_games() {
        for level in [1, 2, 3] {
            let mut engine = Engine::new(1);
            let mut random = Random::new(u64::from(level));
            for _ in 0..6 {
                let mut game = Game::new(&variant);
                while game.outcome().is_none() && game.moves().len() < 120 {
                    let report = search_at(&mut engine, &game, level);
                    let moves = game.position().legal_moves();
                    let wins = report.score == Score::Wins(1);
                    let played = match report.best {
                        Some(best) if wins || random.below(8) > 0 => best,
                        _ => moves[random.below(moves.len())],
                    };
                    game.play(played).unwrap();
                    if wins {
                        announced += 1;
                        let won = matches!(game.outcome(), Some(Outcome::Win { .. }));
                        assert!(won, "{} level {level}: {}", variant.id(), game.position().fen());
                    }
                }
            }
        }
    }
    assert!(announced > 10, "{announced}");
}

#[test]
fn handicap_does_not_depend_on_threads() {
    for variant in own_games() {
        let game = Game::new(&variant);
        let mut engines = [Engine::new(1), Engine::new(1)];
        engines[1].set_threads(2);
        let [one, two] = engines.each_mut().map(|engine| search_at(engine, &game, 3));
        assert_eq!(one, two, "{}", variant.id());
    }
}
