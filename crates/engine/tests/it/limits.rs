//! How a search is bounded, and that it is the same every time.

use crate::common::*;
use lozenge_engine::{Clock, Engine, Info, Limits, Score, Signals, Values};
use lozenge_rules::library;
use lozenge_rules::notation::uci;
use lozenge_rules::position::{AnyPosition, Game};
use lozenge_rules::variant::Variant;
use std::time::{Duration, Instant};

/// A search that takes this long has missed its signal or its limit. `cargo bench -p lozenge-engine` measures how soon a
/// search reacts.
const HANGS: Duration = Duration::from_secs(20);

#[test]
fn same_limits_same_nodes() {
    for variant in own_games() {
        let game = Game::new(&variant);
        for limits in [depth(6), nodes(7_777)] {
            let (first, second) = (search(&game, &limits), search(&game, &limits));
            assert_eq!((first.nodes, first.best), (second.nodes, second.best), "{}", variant.id());
            assert_eq!(first.score, second.score);
        }
    }
}

#[test]
fn cleared_engine_searches_like_a_new_one() {
    let mut engine = Engine::new(2);
    let mut counts = Vec::new();
    for id in ["diamond", "diagonal", "diamond"] {
        engine.clear();
        let game = Game::new(&library::game(id).unwrap());
        counts.push(engine.search(&game, &depth(6), &Signals::default(), &mut |_| {}).nodes);
    }
    assert_eq!(counts[0], counts[2]);
}

#[test]
fn node_limit_is_exact() {
    for variant in own_games() {
        let game = Game::new(&variant);
        for most in [1, 2, 100, 5_000] {
            let report = search(&game, &nodes(most));
            assert!(report.nodes <= most && report.nodes * 10 >= most * 9, "{} {most}", report.nodes);
            assert!(game.position().is_legal(report.best.unwrap()));
        }
    }
}

#[test]
fn immediate_stop_still_gives_a_move() {
    for variant in own_games() {
        let game = Game::new(&variant);
        let signals = Signals::default();
        signals.stop();
        let mut info_count = 0;
        let report = Engine::new(1).search(&game, &Limits::default(), &signals, &mut |_| info_count += 1);
        assert!(game.position().is_legal(report.best.unwrap()));
        assert!(info_count > 0);
    }
}

#[test]
fn stops_soon_after_the_signal_and_not_before() {
    for id in ["diagonal", "diamondring"] {
        let game = Game::new(&library::game(id).unwrap());
        let signals = Signals::default();
        let remote = signals.clone();
        let begun = Instant::now();
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(150));
            remote.stop();
        });
        let report = Engine::new(8).search(&game, &Limits::default(), &signals, &mut |_| {});
        let took = begun.elapsed();
        stopper.join().unwrap();
        assert!(report.best.is_some());
        assert!(took >= Duration::from_millis(150) && took < HANGS, "{took:?}");
    }
}

#[test]
fn search_without_limits_waits_for_stop_after_a_found_win() {
    let game = game("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1");
    let signals = Signals::default();
    let remote = signals.clone();
    let begun = Instant::now();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        remote.stop();
    });
    let report = Engine::new(1).search(&game, &Limits::default(), &signals, &mut |_| {});
    assert!(begun.elapsed() >= Duration::from_millis(200));
    stopper.join().unwrap();
    assert_eq!(report.score, Score::Wins(1));
}

#[test]
fn pondering_waits_for_the_hit_and_the_clock_runs_from_there() {
    let game = Game::new(&library::game("diamond").unwrap());
    let clock = Clock { remaining: Duration::from_secs(2), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let signals = Signals::new(true);
    let remote = signals.clone();
    let begun = Instant::now();
    let hitter = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        remote.hit();
    });
    let report = Engine::new(8).search(&game, &limits, &signals, &mut |_| {});
    let took = begun.elapsed();
    hitter.join().unwrap();
    assert!(report.best.is_some());
    assert!(took >= Duration::from_millis(300) && took < HANGS, "{took:?}");
}

#[test]
fn time_limits_are_kept() {
    let clock = |remaining| Clock {
        remaining: Duration::from_millis(remaining),
        increment: Duration::ZERO,
        moves_to_go: None,
    };
    for variant in own_games() {
        let game = Game::new(&variant);
        let movetime = Limits { movetime: Some(Duration::from_millis(60)), ..Limits::default() };
        let short = Limits { clock: Some(clock(300)), ..Limits::default() };
        let none = Limits { clock: Some(clock(0)), ..Limits::default() };
        for (limits, least) in [(movetime, 60), (short, 0), (none, 0)] {
            let begun = Instant::now();
            let report = search(&game, &limits);
            let took = begun.elapsed();
            assert!(report.best.is_some());
            assert!((Duration::from_millis(least)..HANGS).contains(&took), "{} {took:?}", variant.id());
        }
    }
}

#[test]
fn searchmoves_restricts_the_root() {
    let game = Game::new(&library::game("diamondback").unwrap());
    for text in ["a4a3", "b4c5"] {
        let Ok(only) = uci::parse(game.position(), text) else { continue };
        let limits = Limits { searchmoves: vec![only], ..depth(4) };
        assert_eq!(search(&game, &limits).best, Some(only));
    }
}

#[test]
fn several_lines_best_first() {
    let game = Game::new(&library::game("doublediamond").unwrap());
    let limits = Limits { multipv: 4, ..depth(5) };
    let mut last: Vec<Info> = Vec::new();
    let report = Engine::new(4).search(&game, &limits, &Signals::default(), &mut |info| {
        if info.depth == 5 {
            // A line that turns out better than those before it moves them down, and they are reported again.
            last.retain(|line| line.multipv < info.multipv);
            last.push(info.clone());
        }
    });
    assert_eq!(last.len(), 4);
    assert_eq!(last.iter().map(|info| info.multipv).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(report.best, last[0].pv.first().copied());
    for pair in last.windows(2) {
        let (Score::Centipawns(better), Score::Centipawns(worse)) = (pair[0].score, pair[1].score) else {
            panic!("no mate here");
        };
        assert!(better >= worse && pair[0].pv[0] != pair[1].pv[0]);
    }
    // More lines than moves.
    let limits = Limits { multipv: 500, ..depth(2) };
    assert!(search(&game, &limits).best.is_some());
}

#[test]
fn mate_limit_ends_the_search() {
    let game = game("chess", "2k5/8/6R1/8/8/8/8/K6R w - - 0 1");
    let report = search(&game, &Limits { mate: Some(2), ..Limits::default() });
    assert_eq!(report.score, Score::Wins(2));
}

/// The largest board, crowded: 16 by 16 squares, joined at the sides, 208 pieces.
const CROWD: &str = r#"
id = "crowd"
name = "Crowd"

[board]
squares = """
................
................
................
................
................
................
................
................
................
................
................
................
................
................
................
................
"""
wrap = "files"
symmetry = "mirror-ranks"
forward = { white = [0, 1], black = [0, -1] }

[roles.K]
name = "King"
picture = "king"
royal = true
moves = "K"

[roles.Q]
name = "Queen"
picture = "queen"
moves = "Q"

[roles.C]
name = "Cannon"
picture = "cannon"
moves = "mRcpR"

[roles.N]
name = "Knight"
picture = "knight"
moves = "N"

[roles.P]
name = "Pawn"
picture = "pawn"
pawn = true
moves = "mfWcfF"

[start]
fen = "qqqqqqqqkqqqqqqq/qqqqqqqqqqqqqqqq/cncncncncncncncn/nnnnnnnnnnnnnnnn/qqqqqqqqqqqqqqqq/pppppppppppppppp/pp12pp/16/16/PP12PP/PPPPPPPPPPPPPPPP/QQQQQQQQQQQQQQQQ/NNNNNNNNNNNNNNNN/CNCNCNCNCNCNCNCN/QQQQQQQQQQQQQQQQ/QQQQQQQQKQQQQQQQ w - - 0 1"

[[promotion]]
pieces = "P"
on = "rank-16"
to = "QCN"
"#;

#[test]
fn the_largest_board_crowded() {
    let variant = Variant::parse("crowd", CROWD, &|_| None).unwrap_or_else(|error| panic!("{error}"));
    let values = Values::new(&variant);
    assert!(values.branching() > 100);
    let game = Game::new(&variant);
    for limits in [depth(2), nodes(20_000)] {
        let report = search(&game, &limits);
        assert!(game.position().is_legal(report.best.unwrap()));
    }
}

#[test]
fn the_deepest_search_needs_little_stack() {
    let search_deep = || {
        let crowd = Variant::parse("crowd", CROWD, &|_| None).unwrap_or_else(|error| panic!("{error}"));
        let fen = "8k7/16/16/16/16/16/16/16/16/16/16/16/3p12/3P12/16/8K7 w - - 0 1";
        let position = AnyPosition::from_fen(&crowd, fen).unwrap();
        // Locked pawns and two Kings: every iteration is cheap, so the plies run out.
        let report = search(&Game::from_position(position), &nodes(300_000));
        assert!(report.depth >= 20, "{}", report.depth);
    };
    let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(search_deep).unwrap();
    thread.join().unwrap();
}
