//! Engines that fail: they lose the game, the record names the fault, and the match continues.

use crate::common::{LONG, fake, fake_settings, nodes, play, random, settings};
use lozenge_lab::matches::{Ending, EngineSettings, Faults, Kind, MatchError, Settings};
use lozenge_lab::players::Limit;
use lozenge_lab::stats::Points;
use std::path::PathBuf;
use std::time::Duration;

/// Plays against a random mover; the fake engine has to lose every game so.
fn loses(settings: &Settings, ending: Ending, detail: &str) -> Faults {
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

fn against_random(engine: EngineSettings) -> Settings {
    settings(engine, random("random", 1), &["diamond"], 2)
}

/// One pair: failing takes time here.
fn slowly(engine: EngineSettings, patience: Duration) -> Settings {
    Settings { patience, pairs: 1, ..against_random(engine) }
}

/// Checks all cases at the same time: they wait more than they compute.
fn together<T: Send>(cases: impl IntoIterator<Item = T>, check: impl Fn(T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| check(case));
        }
    });
}

#[test]
fn a_crash_loses_and_is_counted() {
    let faults = loses(&against_random(fake(&["crash", "3"])), Ending::Crash, "told to crash");
    assert_eq!(faults, Faults { crashes: 4, ..Faults::default() });
}

#[test]
fn an_illegal_move_loses_and_is_counted() {
    let faults = loses(&against_random(fake(&["illegal", "2"])), Ending::IllegalMove, "`a1a1` in ");
    assert_eq!(faults, Faults { illegal_moves: 4, ..Faults::default() });
    loses(&against_random(fake(&["none"])), Ending::IllegalMove, "`(none)` in ");
}

#[test]
fn silence_without_a_clock_is_a_hang() {
    let patience = Duration::from_millis(300);
    together(["hang", "late", "flood"], |mode| {
        let faults = loses(&slowly(fake(&[mode, "2"]), patience), Ending::Hang, "bestmove");
        assert_eq!(faults, Faults { hangs: 2, ..Faults::default() });
    });
}

#[test]
fn lateness_by_a_clock_is_a_time_loss() {
    let cases = [
        (Limit { movetime: Some(Duration::from_millis(300)), ..Limit::default() }, "late"),
        (Limit { clock: Some("0.3".parse().unwrap()), ..Limit::default() }, "hang"),
    ];
    together(cases, |(limit, mode)| {
        let engine = EngineSettings { limit, ..fake(&[mode]) };
        let faults = loses(&slowly(engine, LONG), Ending::TimeLoss, "");
        assert_eq!(faults, Faults { time_losses: 2, ..Faults::default() });
    });
}

#[test]
fn talk_that_is_no_uci_is_passed_over() {
    let (records, table, _) = play(&against_random(fake(&["garbage"]))).unwrap();
    assert_eq!(table.total.faults, [Faults::default(); 2]);
    assert!(records.iter().all(|record| record.moves.len() > 10));
}

#[test]
fn an_engine_that_cannot_play_at_all_ends_the_match() {
    let missing = EngineSettings {
        kind: Kind::Uci(lozenge_lab::players::UciSettings {
            program: lozenge_protocol::client::Program {
                path: PathBuf::from("/no/such/engine"),
                arguments: vec![],
            },
            ..fake_settings(&[])
        }),
        ..fake(&[])
    };
    let impatient = |mode: &str, millis| {
        let patience = Duration::from_millis(millis);
        let kind = Kind::Uci(lozenge_lab::players::UciSettings { patience, ..fake_settings(&[mode]) });
        EngineSettings { kind, ..fake(&[]) }
    };
    let cases = [
        (missing, "cannot start /no/such/engine"),
        (impatient("mute", 100), "no uciok"),
        (impatient("unready", 3_000), "no readyok"),
        (fake(&["foreign"]), "does not know the game diamond; it knows otherchess"),
    ];
    together(cases, |(engine, expected)| {
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
    let engine = EngineSettings { kind: Kind::Uci(named), ..fake(&[]) };
    let (_, table, _) = play(&against_random(engine)).unwrap();
    assert_eq!(table.total.faults, [Faults::default(); 2]);
}

#[test]
fn engine_can_get_positions_without_history() {
    let forgetful = |forget_history| {
        let settings = lozenge_lab::players::UciSettings { forget_history, ..fake_settings(&["forgetful"]) };
        against_random(EngineSettings { kind: Kind::Uci(settings), ..fake(&[]) })
    };
    let (_, table, _) = play(&forgetful(true)).unwrap();
    assert_eq!(table.total.faults, [Faults::default(); 2]);
    let (records, ..) = play(&forgetful(false)).unwrap();
    assert!(records.iter().all(|record| record.ending == Ending::Crash));
}

#[test]
fn patience_is_for_thinking_only_where_nothing_else_says_how_long() {
    // A clock that is longer than the patience holds.
    let limit = Limit { clock: Some("30".parse().unwrap()), ..nodes(10) };
    let engine = EngineSettings { limit, ..fake(&[]) };
    let settings = Settings { patience: Duration::from_millis(1), ..against_random(engine) };
    let (_, table, _) = play(&settings).unwrap();
    assert_eq!(table.total.faults[0], Faults::default());
    assert!(LONG > Duration::from_secs(30));
}
