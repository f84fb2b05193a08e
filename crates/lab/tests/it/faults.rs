//! Engines that fail: they lose the game, the record names the fault, and the match continues.

use crate::common::{LONG, fake, fake_settings, nodes, play, random, settings};
use lozenge_lab::matches::{
    Ending, EngineKind, EngineSettings, Faults, MatchError, MatchSettings, OpeningSource,
};
use lozenge_lab::players::Limit;
use lozenge_lab::stats::Points;
use lozenge_rules::library;
use lozenge_rules::position::AnyPosition;
use std::path::PathBuf;
use std::time::Duration;

/// Plays against a random mover; the fake engine has to lose every game so.
fn assert_loses(settings: &MatchSettings, ending: Ending, detail: &str) -> Faults {
    let (records, table, _) = play(settings).unwrap();
    let pairs = u64::from(settings.pairs);
    assert_eq!(records.len() as u64, pairs * 2, "the match goes on");
    for record in &records {
        assert_eq!((record.points, record.ending), (Points::Loss, ending), "{}", record.detail);
        assert!(record.detail.contains(detail), "{}", record.detail);
    }
    assert_eq!(table.total.pairs.0, [pairs, 0, 0, 0, 0]);
    assert_eq!(table.total.faults[1], Faults::default());
    table.total.faults[0]
}

fn against_random(engine: EngineSettings) -> MatchSettings {
    settings(engine, random("random", 1), &["diamond"], 2)
}

/// One pair: failing takes time here.
fn one_pair(engine: EngineSettings, move_timeout: Duration) -> MatchSettings {
    MatchSettings { move_timeout, pairs: 1, ..against_random(engine) }
}

/// Checks all cases at the same time: they wait more than they compute.
fn in_parallel<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

#[test]
fn a_crash_loses_and_is_counted() {
    let faults = assert_loses(&against_random(fake(&["crash", "3"])), Ending::Crash, "told to crash");
    assert_eq!(faults, Faults { crashes: 4, ..Faults::default() });
}

#[test]
fn an_illegal_move_loses_and_is_counted() {
    let faults = assert_loses(&against_random(fake(&["illegal", "2"])), Ending::IllegalMove, "`a1a1` in ");
    assert_eq!(faults, Faults { illegal_moves: 4, ..Faults::default() });
    assert_loses(&against_random(fake(&["none"])), Ending::IllegalMove, "`(none)` in ");
}

#[test]
fn silence_without_a_clock_is_a_hang() {
    let move_timeout = Duration::from_millis(300);
    in_parallel(["hang", "late", "flood"], |mode| {
        let faults = assert_loses(&one_pair(fake(&[mode, "2"]), move_timeout), Ending::Hang, "bestmove");
        assert_eq!(faults, Faults { hangs: 2, ..Faults::default() });
    });
}

#[test]
fn lateness_by_a_clock_is_a_time_loss() {
    let cases = [
        (Limit { movetime: Some(Duration::from_millis(300)), ..Limit::default() }, "late"),
        (Limit { clock: Some("0.3".parse().unwrap()), ..Limit::default() }, "hang"),
    ];
    in_parallel(cases, |(limit, mode)| {
        let engine = EngineSettings { limit, ..fake(&[mode]) };
        let faults = assert_loses(&one_pair(engine, LONG), Ending::TimeLoss, "");
        assert_eq!(faults, Faults { time_losses: 2, ..Faults::default() });
    });
}

/// The late engine has a rook and then a bare King; the other one wins only where it has the rook.
#[test]
fn lateness_is_a_draw_against_a_side_that_can_never_win() {
    let chess = library::game("chess").unwrap();
    let start = AnyPosition::from_fen(&chess, "7k/8/8/8/8/8/8/KR6 w - - 0 1").unwrap();
    let limit = Limit { movetime: Some(Duration::from_millis(300)), ..Limit::default() };
    let settings = MatchSettings {
        variants: vec![chess],
        openings: OpeningSource::Lists(vec![vec![start]]),
        ..one_pair(EngineSettings { limit, ..fake(&["late"]) }, LONG)
    };
    let (mut records, table, _) = play(&settings).unwrap();
    records.sort_by_key(|record| record.swapped);
    let results: Vec<_> = records.iter().map(|record| (record.points, record.ending)).collect();
    assert_eq!(results, [(Points::Draw, Ending::TimeLoss), (Points::Loss, Ending::TimeLoss)]);
    assert_eq!(table.total.faults, [Faults { time_losses: 2, ..Faults::default() }, Faults::default()]);
}

#[test]
fn invalid_uci_output_is_ignored() {
    let (records, table, _) = play(&against_random(fake(&["garbage"]))).unwrap();
    assert_eq!(table.total.faults, [Faults::default(); 2]);
    assert!(records.iter().all(|record| record.moves.len() > 10));
}

#[test]
fn unusable_engine_ends_the_match() {
    let missing = EngineSettings {
        kind: EngineKind::Uci(lozenge_lab::players::UciSettings {
            program: lozenge_protocol::client::Program {
                path: PathBuf::from("/no/such/engine"),
                arguments: vec![],
            },
            ..fake_settings(&[])
        }),
        ..fake(&[])
    };
    let with_startup_timeout = |mode: &str, millis| {
        let startup_timeout = Duration::from_millis(millis);
        let kind =
            EngineKind::Uci(lozenge_lab::players::UciSettings { startup_timeout, ..fake_settings(&[mode]) });
        EngineSettings { kind, ..fake(&[]) }
    };
    let cases = [
        (missing, "cannot start /no/such/engine"),
        (with_startup_timeout("mute", 100), "no uciok"),
        (with_startup_timeout("unready", 3_000), "no readyok"),
        (fake(&["foreign"]), "does not know the game diamond; it knows otherchess"),
    ];
    in_parallel(cases, |(engine, expected)| {
        let MatchError::Engine { engine, what } = play(&against_random(engine)).unwrap_err() else {
            panic!("expected a fault of the engine")
        };
        assert!(engine == "fake" && what.contains(expected), "{what}");
    });
}

#[test]
fn an_engine_can_have_its_own_name_for_a_game() {
    let mut named = fake_settings(&["foreign"]);
    named.variants.insert("diamond".into(), "otherchess".into());
    let engine = EngineSettings { kind: EngineKind::Uci(named), ..fake(&[]) };
    let (_, table, _) = play(&against_random(engine)).unwrap();
    assert_eq!(table.total.faults, [Faults::default(); 2]);
}

#[test]
fn engine_can_get_positions_without_history() {
    let with_history_setting = |forget_history| {
        let settings = lozenge_lab::players::UciSettings { forget_history, ..fake_settings(&["forgetful"]) };
        against_random(EngineSettings { kind: EngineKind::Uci(settings), ..fake(&[]) })
    };
    let (_, table, _) = play(&with_history_setting(true)).unwrap();
    assert_eq!(table.total.faults, [Faults::default(); 2]);
    let (records, ..) = play(&with_history_setting(false)).unwrap();
    assert!(records.iter().all(|record| record.ending == Ending::Crash));
}

#[test]
fn clock_limit_overrides_move_timeout() {
    // A clock longer than the move timeout holds.
    let limit = Limit { clock: Some("30".parse().unwrap()), ..nodes(10) };
    let engine = EngineSettings { limit, ..fake(&[]) };
    let settings = MatchSettings { move_timeout: Duration::from_millis(1), ..against_random(engine) };
    let (_, table, _) = play(&settings).unwrap();
    assert_eq!(table.total.faults[0], Faults::default());
    assert!(LONG > Duration::from_secs(30));
}
