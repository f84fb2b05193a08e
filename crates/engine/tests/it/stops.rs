//! A search that stops in the middle of an iteration reports a score that it has found.

use crate::common::*;
use lozenge_engine::{Bound, Engine, Info, Score, SearchReport, Signals};
use lozenge_rules::position::Game;

/// Quiet and sharp positions after random moves: the same every time.
fn random_games() -> Vec<Game> {
    let mut random = Random::new(360);
    let mut games = Vec::new();
    for variant in own_games() {
        for plies in [6, 17, 30] {
            let mut game = Game::new(&variant);
            while game.moves().len() < plies {
                let moves = game.position().legal_moves();
                game.play(moves[random.below(moves.len())]).unwrap();
                if game.outcome().is_some() {
                    game = Game::new(&variant);
                }
            }
            games.push(game);
        }
    }
    games
}

fn sign(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score.signum(),
        Score::Wins(_) => 1,
        Score::Loses(_) => -1,
    }
}

/// A search of at most `most` nodes, and the lines that it reported.
fn search_and_listen(game: &Game, most: u64) -> (SearchReport, Vec<Info>) {
    let mut infos: Vec<Info> = Vec::new();
    let report = Engine::new(1).search(game, &nodes(most), &Signals::default(), &mut |info| {
        if info.current.is_none() {
            infos.push(info.clone());
        }
    });
    (report, infos)
}

#[test]
fn a_stop_at_any_node_reports_no_default_score() {
    let mut changes = 0;
    for game in random_games() {
        for most in (40..2_600).step_by(31) {
            let (report, infos) = search_and_listen(&game, most);
            let place = format!("{} {} {most}: {report:?}", game.variant().id(), game.position().fen());
            let is_finished =
                |info: &&Info| info.depth == report.depth && info.nodes < most && info.bound == Bound::Exact;
            let Some(finished) = infos.iter().rfind(is_finished) else {
                continue;
            };
            if sign(report.score) == sign(finished.score) {
                continue;
            }
            // The score is another one because of another line, which the last report shows.
            changes += 1;
            let last = infos.last().unwrap();
            assert_eq!((last.score, last.pv.first().copied()), (report.score, report.best), "{place}");
            if last.bound != Bound::Exact {
                continue;
            }
            assert_ne!(last.pv, finished.pv, "{place}");
            // It is the value of the end of that line, not a default. A line that the table cut short ends elsewhere.
            let mut end = game.clone();
            last.pv.iter().for_each(|&played| end.play(played).unwrap());
            let is_drawn = end.outcome().is_some() || end.claimable_draw().is_some() || end.occurrences() > 1;
            assert!(report.score != Score::Centipawns(0) || is_drawn || last.pv.len() > 1, "{place}");
        }
    }
    assert!(changes > 20, "{changes}");
}

/// A search that ends while it widens its window knows a bound only, beyond the last exact score, and says so.
#[test]
fn stop_in_a_widened_window_reports_a_bound() {
    let mut bounds = [0, 0];
    for variant in own_games() {
        let mut random = Random::new(8);
        let mut engine = Engine::new(1);
        let mut game = Game::new(&variant);
        for limit in (0..120).map(|number| 600 + 13 * number) {
            if game.outcome().is_some() {
                game = Game::new(&variant);
            }
            let (mut exact, mut last) = (None, None);
            let report = engine.search(&game, &nodes(limit), &Signals::default(), &mut |info| {
                if info.bound == Bound::Exact {
                    exact = Some(info.score);
                }
                last = Some((info.score, info.bound));
            });
            let (Some(Score::Centipawns(exact)), Some((Score::Centipawns(score), bound))) = (exact, last)
            else {
                continue;
            };
            assert_eq!(report.score, Score::Centipawns(score));
            match bound {
                Bound::Exact => {}
                Bound::Lower => bounds[0] += usize::from(score > exact),
                Bound::Upper => bounds[1] += usize::from(score < exact),
            }
            let beyond = bound == Bound::Exact || score != exact;
            assert!(beyond, "{}: {score} is a bound of {exact}", game.position().fen());
            let moves = game.position().legal_moves();
            game.play(moves[random.below(moves.len())]).unwrap();
        }
    }
    assert!(bounds.iter().all(|&count| count > 10), "{bounds:?}");
}
