//! Matches for tests: short ones between players whose faults are known.

use lozenge_lab::matches::{
    Adjudication, EngineKind, EngineSettings, GameRecord, MatchEnd, MatchError, MatchProgress, MatchSettings,
    OpeningSource, Table, run,
};
use lozenge_lab::openings::Plan;
use lozenge_lab::players::{Limit, UciSettings};
use lozenge_protocol::client::Program;
use lozenge_rules::library;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Long enough for any program on any machine.
pub(crate) const LONG: Duration = Duration::from_secs(60);

/// A limit that nothing but the plain player feels.
pub(crate) fn nodes(nodes: u64) -> Limit {
    Limit { nodes: Some(nodes), ..Limit::default() }
}

/// The settings of the fake engine with these arguments.
pub(crate) fn fake_settings(arguments: &[&str]) -> UciSettings {
    UciSettings {
        program: Program {
            path: PathBuf::from(env!("CARGO_BIN_EXE_lozenge-fake-engine")),
            arguments: arguments.iter().map(ToString::to_string).collect(),
        },
        options: Vec::new(),
        variants: BTreeMap::new(),
        variant_path: None,
        forget_history: false,
        startup_timeout: LONG,
    }
}

/// The fake engine with these arguments.
pub(crate) fn fake(arguments: &[&str]) -> EngineSettings {
    EngineSettings { name: "fake".into(), kind: EngineKind::Uci(fake_settings(arguments)), limit: nodes(100) }
}

/// A random mover.
pub(crate) fn random(name: &str, seed: u64) -> EngineSettings {
    EngineSettings { name: name.into(), kind: EngineKind::Random(seed), limit: nodes(100) }
}

/// The plain player.
pub(crate) fn plain(most: u64) -> EngineSettings {
    EngineSettings { name: "plain".into(), kind: EngineKind::Plain, limit: nodes(most) }
}

/// A match of few short games.
pub(crate) fn settings(
    first: EngineSettings,
    second: EngineSettings,
    ids: &[&str],
    pairs: u32,
) -> MatchSettings {
    MatchSettings {
        engines: [first, second],
        variants: ids.iter().map(|id| library::game(id).unwrap()).collect(),
        pairs,
        openings: OpeningSource::Random(Plan { nodes: 50, ..Plan::default() }),
        adjudication: Adjudication { max_plies: Some(40), ..Adjudication::default() },
        tables: Vec::new(),
        margin: Duration::from_millis(10),
        move_timeout: LONG,
        concurrency: 1,
        sprt: None,
    }
}

/// Plays a match to its end.
pub(crate) fn play(settings: &MatchSettings) -> Result<(Vec<GameRecord>, Table, MatchEnd), MatchError> {
    play_on(settings, &[], usize::MAX)
}

/// Resumes a match after these games, and interrupts it after `most` more.
pub(crate) fn play_on(
    settings: &MatchSettings,
    known: &[GameRecord],
    most: usize,
) -> Result<(Vec<GameRecord>, Table, MatchEnd), MatchError> {
    let records = std::sync::Mutex::new(Vec::new());
    let mut report = |progress: MatchProgress<'_>| {
        let MatchProgress::Finished { record, .. } = progress;
        records.lock().unwrap().push(record.clone());
        Ok(())
    };
    let interrupted = || records.lock().unwrap().len() >= most;
    let (table, end) = run(settings, known, &mut report, &interrupted)?;
    Ok((records.into_inner().unwrap(), table, end))
}

/// The games without what differs from run to run, in the order of the match.
pub(crate) fn normalized(mut records: Vec<GameRecord>) -> Vec<GameRecord> {
    for record in &mut records {
        record.begun = 0;
        for entry in &mut record.moves {
            entry.millis = 0;
        }
    }
    records.sort_by_key(|record| (record.game.clone(), record.pair, record.swapped));
    records
}
