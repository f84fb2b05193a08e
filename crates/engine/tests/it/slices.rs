//! Searches in slices find what whole searches find, with about as many nodes.

use lozenge_engine::{Engine, Limits, Portion, Score, SearchReport, Signals, SlicedSearch, bench};
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Game, MultiGame, Played};
use std::time::{Duration, Instant};

fn game(id: &str, fen: &str) -> Game {
    Game::from_position(AnyPosition::from_fen(&library::game(id).unwrap(), fen).unwrap())
}

/// Searches to the end in slices of `nodes` nodes.
fn sliced(game: &Game, limits: &Limits, nodes: u64) -> (SearchReport, u64) {
    sliced_any(&game.clone().into(), limits, nodes)
}

fn sliced_any(game: &Played, limits: &Limits, nodes: u64) -> (SearchReport, u64) {
    let (mut engine, signals) = (Engine::new(16), Signals::default());
    let mut search = SlicedSearch::new(game.clone(), limits.clone());
    let mut slices = 1;
    loop {
        match engine.search_slice(&mut search, Portion::Nodes(nodes), &signals, &mut |_| {}) {
            Some(report) => return (report, slices),
            None => slices += 1,
        }
    }
}

#[test]
fn slices_cost_less_than_one_node_in_twenty() {
    let (mut whole, mut in_slices) = (0, 0);
    for (id, depth, fen) in bench::positions() {
        let game = game(id, fen);
        let limits = Limits { depth: Some(depth - 4), ..Limits::default() };
        let report = Engine::new(16).search(&game, &limits, &Signals::default(), &mut |_| {});
        let (again, slices) = sliced(&game, &limits, 3_000);
        assert_eq!(again.depth, report.depth, "{id} {fen}");
        assert!(slices > again.nodes / 3_500, "{id} {fen}");
        whole += report.nodes;
        in_slices += again.nodes;
    }
    assert!(in_slices * 20 < whole * 21, "{in_slices} nodes in slices, {whole} without");
}

#[test]
fn limits_hold_over_all_slices() {
    let game = Game::new(&library::game("diamond").unwrap());
    let limits = Limits { nodes: Some(20_000), multipv: 3, ..Limits::default() };
    let (report, slices) = sliced(&game, &limits, 900);
    assert!((20_000..20_050).contains(&report.nodes), "{}", report.nodes);
    assert_eq!(slices, 23);
    // A win that is found ends the search of a mate.
    let won = self::game("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1");
    let (report, _) = sliced(&won, &Limits { mate: Some(1), ..Limits::default() }, 10);
    assert_eq!(report.score, Score::Wins(1));
    let finished = self::game("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(sliced(&finished, &Limits::default(), 10).0.best, None);
}

#[test]
fn a_short_mate_is_found_in_slices() {
    let game =
        game("diamond", "****1****/***3***/**1p3**/*r6*/4*k3/*2p4*/**1a3**/***3***/****K**** b - - 3 27");
    let limits = Limits { depth: Some(7), ..Limits::default() };
    for nodes in [30, 200, 100_000] {
        assert_eq!(sliced(&game, &limits, nodes).0.score, Score::Wins(3), "{nodes}");
    }
}

#[test]
fn a_paused_search_can_be_stopped_and_still_has_its_best_move() {
    let game = Game::new(&library::game("diamondring").unwrap());
    let (mut engine, signals) = (Engine::new(16), Signals::default());
    let mut search = SlicedSearch::new(game, Limits::default());
    let mut last = None;
    for _ in 0..5 {
        let report = engine.search_slice(&mut search, Portion::Nodes(2_000), &signals, &mut |info| {
            last = info.pv.first().copied().filter(|_| info.multipv == 1);
        });
        assert!(report.is_none());
    }
    signals.stop();
    let report = engine.search_slice(&mut search, Portion::Nodes(2_000), &signals, &mut |_| {});
    let report = report.expect("it was stopped");
    assert!(report.nodes < 10_200, "{}", report.nodes);
    assert_eq!(report.best, last);
}

#[test]
fn slices_end_in_time_and_time_is_counted_over_them() {
    let game = Game::new(&library::game("diamondback").unwrap());
    let (mut engine, signals) = (Engine::new(16), Signals::default());
    let limits = Limits { movetime: Some(Duration::from_millis(300)), ..Limits::default() };
    let mut search = SlicedSearch::new(game, limits);
    let begun = Instant::now();
    let mut slices = 0;
    let portion = Portion::Time(Duration::from_millis(30));
    while engine.search_slice(&mut search, portion, &signals, &mut |_| {}).is_none() {
        slices += 1;
    }
    // At most ten of 30 ms; fewer where the machine takes the processor away in one of them.
    assert!((1..=12).contains(&slices), "{slices}");
    assert!(begun.elapsed() >= Duration::from_millis(300));
}

/// A search with four players pauses between two nodes only: slices find the same with the same nodes.
#[test]
fn slices_of_games_of_four_are_the_whole_search() {
    for (id, expected) in
        [("diamondring-four", 26_525), ("diamondring-teams", 49_256), ("fourplayerchess", 11_667)]
    {
        let game = Played::Four(MultiGame::new(&library::multi_game(id).unwrap()));
        let limits = Limits { depth: Some(6), multipv: 2, ..Limits::default() };
        let report = Engine::new(16).search_played(&game, &limits, &Signals::default(), &mut |_| {});
        assert_eq!(report.nodes, expected, "{id}");
        for nodes in [9, 250, 3_000] {
            let (again, slices) = sliced_any(&game, &limits, nodes);
            assert_eq!(again, report, "{id} in slices of {nodes}");
            assert!(slices > report.nodes / nodes / 40, "{id}: {slices} slices of {nodes}");
        }
    }
}

#[test]
fn limits_of_games_of_four_hold_over_all_slices() {
    let game = Played::Four(MultiGame::new(&library::multi_game("diamondring-four").unwrap()));
    let limits = Limits { nodes: Some(9_000), multipv: 3, ..Limits::default() };
    let (report, slices) = sliced_any(&game, &limits, 1_000);
    assert_eq!(report.nodes, 9_000);
    assert!((8..=10).contains(&slices), "{slices}");

    let (mut engine, signals) = (Engine::new(16), Signals::default());
    let mut search = SlicedSearch::new(game, Limits::default());
    let mut last = None;
    for _ in 0..4 {
        let report = engine.search_slice(&mut search, Portion::Nodes(2_000), &signals, &mut |info| {
            last = info.pv.first().copied();
        });
        assert!(report.is_none());
    }
    signals.stop();
    let report = engine.search_slice(&mut search, Portion::Nodes(0), &signals, &mut |_| {});
    let report = report.expect("it was stopped");
    assert!(report.nodes < 9_000 && last.is_some(), "{}", report.nodes);
    assert_eq!(report.best, last);
}
