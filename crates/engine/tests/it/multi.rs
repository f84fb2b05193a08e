//! Search with four players.

use lozenge_engine::{Engine, Info, Limits, Score, Signals};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyMultiPosition, MultiGame};

const GAMES: [&str; 2] = ["diamondring-four", "diamondring-teams"];

/// The move found, its score, and the reports.
fn search(engine: &mut Engine, game: &MultiGame, limits: &Limits) -> (String, Score, Vec<Info>) {
    let mut infos = Vec::new();
    let report = engine.search_multi(game, limits, &Signals::default(), &mut |info| infos.push(info.clone()));
    let best = report.best.map(|best| uci::write_multi(game.position().variant(), best));
    (best.unwrap_or_default(), report.score, infos)
}

/// The beginners' trap: Kings begin smothered, and the Knight e2-c3-b5 mates Blue unless a player prevents it.
#[test]
fn finds_the_beginners_trap() {
    let mut game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    game.play(uci::parse_multi(game.position(), "e2c3").unwrap()).unwrap();
    let mates = |game: &MultiGame| {
        let mate = uci::parse_multi(game.position(), "c3b5");
        mate.is_ok_and(|mate| game.position().play(mate).unwrap().living().len() == 3)
    };
    for _ in 0..3 {
        // A move that does not prevent the mate.
        let away = game.position().legal_moves().into_iter().find(|&next| {
            let mut then = game.clone();
            then.play(next).unwrap();
            while then.position().turn() != lozenge_rules::seat::Seat::Red {
                let any = then.position().legal_moves()[0];
                then.play(any).unwrap();
            }
            mates(&then)
        });
        game.play(away.unwrap()).unwrap();
    }
    assert!(mates(&game));
    let limits = Limits { depth: Some(4), ..Limits::default() };
    assert_eq!(search(&mut Engine::new(1), &game, &limits).0, "c3b5");
}

#[test]
fn reports_are_sorted_and_playable() {
    for id in GAMES {
        let mut engine = Engine::new(1);
        let game = MultiGame::new(&library::multi_game(id).unwrap());
        let limits = Limits { depth: Some(4), multipv: 3, ..Limits::default() };
        let (best, score, infos) = search(&mut engine, &game, &limits);
        let last: Vec<&Info> = infos.iter().filter(|info| info.depth == 4).collect();
        assert_eq!(last.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3], "{id}");
        assert_eq!(
            (last[0].score, &uci::write_multi(game.position().variant(), last[0].pv[0])),
            (score, &best)
        );
        let centipawns: Vec<i32> = last
            .iter()
            .map(|info| match info.score {
                Score::Centipawns(score) => score,
                other => panic!("{id}: {other:?}"),
            })
            .collect();
        assert!(centipawns.is_sorted_by(|better, worse| better >= worse), "{id}: {centipawns:?}");
        for info in &infos {
            let mut line = game.clone();
            for &next in &info.pv {
                line.play(next).unwrap_or_else(|error| panic!("{id}: {error}"));
            }
        }
    }
}

#[test]
fn limits_hold_and_searches_are_the_same_each_time() {
    for id in GAMES {
        let game = MultiGame::new(&library::multi_game(id).unwrap());
        for nodes in [1, 2, 500, 3_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let mut engine = Engine::new(1);
            let mut once = || {
                engine.clear();
                let report = engine.search_multi(&game, &limits, &Signals::default(), &mut |_| {});
                assert!(report.best.is_some() && report.nodes <= nodes, "{id} {nodes}: {report:?}");
                report
            };
            assert_eq!(once(), once(), "{id} {nodes}");
        }
    }
}

/// The engine plays games of two and of four in turn, and neither changes what it says in the other.
#[test]
fn games_of_two_and_of_four_do_not_mix() {
    let four = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    let two = lozenge_rules::position::Game::new(&library::game("diamondring").unwrap());
    let limits = Limits { depth: Some(3), ..Limits::default() };
    let mut engine = Engine::new(1);
    let of_two = |engine: &mut Engine| engine.search(&two, &limits, &Signals::default(), &mut |_| {});
    let first = (of_two(&mut engine), search(&mut engine, &four, &limits).0);
    let second = (of_two(&mut engine), search(&mut engine, &four, &limits).0);
    assert_eq!(first, second);
}

/// Every level moves, and nothing is searched where the game is over.
#[test]
fn every_level_moves() {
    let game = MultiGame::new(&library::multi_game("diamondring-four").unwrap());
    for level in 0..lozenge_engine::skill::FULL_LEVEL {
        let handicap = lozenge_engine::Handicap::at_level(level, 5);
        let (best, ..) = search(&mut Engine::new(1), &game, &Limits { handicap, ..Limits::default() });
        assert!(!best.is_empty(), "level {level}");
    }
    let mut over = game;
    assert!(over.resign() && over.resign() && over.resign());
    let limits = Limits { depth: Some(3), ..Limits::default() };
    assert_eq!(search(&mut Engine::new(1), &over, &limits).0, "");
}

/// Bare Kings but for one Rook: material decides the places of a draw, so the Rook's player keeps it.
#[test]
fn takes_what_decides_the_places() {
    let game = library::multi_game("diamondring-four").unwrap();
    let fen = "12/12/1gK8yK1/12/12/12/5rR6/12/6bN5/12/1bK8rK1/12 r - - 0 9 rbyg";
    let position = AnyMultiPosition::from_fen(&game, fen).unwrap();
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (best, ..) = search(&mut Engine::new(1), &MultiGame::from_position(position), &limits);
    assert!(best.starts_with("f6"), "{best}");
}
