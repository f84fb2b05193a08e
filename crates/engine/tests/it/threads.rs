//! Several threads on one position: legal, complete, ended by every limit; and one thread, which is
//! the same every time.

use crate::common::*;
use lozenge_engine::{Clock, Engine, HashRefused, Limits, Score, SearchReport, Signals};
use lozenge_rules::library;
use lozenge_rules::position::Game;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

fn engine(threads: usize) -> Engine {
    let mut engine = Engine::new(4);
    engine.set_threads(threads);
    engine
}

fn search_on(threads: usize, game: &Game, limits: &Limits) -> SearchReport {
    engine(threads).search(game, limits, &Signals::default(), &mut |_| {})
}

#[test]
fn any_number_of_threads_plays_legal_moves_within_the_limits() {
    for variant in own_games() {
        let game = Game::new(&variant);
        for threads in [2, 3, 16] {
            for limits in [depth(1), depth(6), nodes(20), nodes(20_011)] {
                let report = search_on(threads, &game, &limits);
                assert!(game.position().is_legal(report.best.unwrap()), "{} {threads}", variant.id());
                if let Some(most) = limits.nodes {
                    assert!(report.nodes <= most, "{} of {most}", report.nodes);
                }
                if let (Some(best), Some(ponder)) = (report.best, report.ponder) {
                    assert!(game.position().play_unchecked(best).is_legal(ponder));
                }
            }
        }
    }
}

#[test]
fn several_threads_find_the_same_scores() {
    for (id, fen, limits, score) in [
        ("diagonal", "2k5/8/6R1/8/8/8/8/K6R w - - 0 1", depth(10), Score::Wins(2)),
        ("diagonal", "8/6P1/8/8/3k4/8/8/K7 w - - 0 1", depth(4), Score::Wins(1)),
        (
            "diamondring",
            "12/12/12/4PNP5/4PkP5/3R3R4/12/12/1K10/12/8R3/12 w - - 0 1",
            depth(7),
            Score::Wins(2),
        ),
        ("chess", "6k1/6p1/8/7Q/8/8/qr6/7K w - - 0 1", depth(9), Score::Centipawns(0)),
    ] {
        let game = game(id, fen);
        for threads in [2, 5] {
            let report = search_on(threads, &game, &limits);
            assert_eq!(report.score, score, "{id} {fen} on {threads} threads");
        }
    }
}

#[test]
fn last_info_has_the_move_played() {
    let game = Game::new(&library::game("diamond").unwrap());
    for threads in [1, 2, 7] {
        let mut last = None;
        let report = engine(threads).search(&game, &nodes(30_000), &Signals::default(), &mut |info| {
            assert!(info.nodes <= 30_000);
            last = info.pv.first().copied();
        });
        assert_eq!(report.best, last, "{threads} threads");
    }
}

#[test]
fn one_thread_is_the_same_after_many() {
    let game = Game::new(&library::game("diamondback").unwrap());
    let single = search_on(1, &game, &nodes(30_000));
    let mut engine = engine(4);
    engine.search(&game, &nodes(30_000), &Signals::default(), &mut |_| {});
    engine.set_threads(1);
    engine.clear();
    let again = engine.search(&game, &nodes(30_000), &Signals::default(), &mut |_| {});
    assert_eq!((single.best, single.score, single.nodes), (again.best, again.score, again.nodes));
}

/// A search that only a signal or the clock ends does end, with a move, also with far more threads
/// than processors. The test asserts only that no thread waits forever; the time depends on the
/// machine.
#[test]
fn many_threads_stop_at_once() {
    let game = Game::new(&library::game("doublediamond").unwrap());
    let mut engine = engine(64);
    for round in 0..4 {
        let signals = Signals::new(round % 2 == 1);
        let remote = signals.clone();
        let info_count = AtomicU32::new(0);
        let report = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(30));
                remote.hit();
                remote.stop();
            });
            engine.search(&game, &Limits::default(), &signals, &mut |_| {
                info_count.fetch_add(1, Ordering::Relaxed);
            })
        });
        assert!(game.position().is_legal(report.best.unwrap()));
        assert!(info_count.into_inner() > 0);
    }
    let clock = Clock { remaining: Duration::from_millis(40), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    let report = engine.search(&game, &limits, &Signals::default(), &mut |_| {});
    assert!(report.best.is_some());
}

#[test]
fn hash_can_be_resized_and_a_refused_size_changes_nothing() {
    let game = Game::new(&library::game("diamond").unwrap());
    let mut engine = engine(2);
    for mib in [1, 2, 3, 64, 200] {
        assert_eq!(engine.set_hash(mib), Ok(()));
        assert!(engine.search(&game, &depth(5), &Signals::default(), &mut |_| {}).best.is_some());
        engine.clear();
    }
    let impossible = usize::MAX >> 20;
    assert_eq!(engine.set_hash(impossible), Err(HashRefused { mib: impossible }));
    assert!(engine.search(&game, &depth(5), &Signals::default(), &mut |_| {}).best.is_some());
    assert_eq!(Engine::new(impossible).hash(), 1);
}
