//! Some games of a match as a job that any machine can do: it has all that the result depends on. Played with limits in nodes
//! or plies, it has the same result on every machine with the same engine.

use super::arbiter::{self, Pairing};
use super::record::GameRecord;
use super::settings::{EngineKind, EngineSettings, MatchSettings, OpeningSource};
use super::{Adjudication, WrittenScore};
use crate::openings::Plan;
use crate::players::{Limit, Player, PlayerError, UciSettings};
use crate::stats::Points;
use lozenge_protocol::client::Program;
use lozenge_rules::position::AnyPosition;
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// An engine that every machine has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PortableKind {
    /// The engine of this program.
    Own {
        /// Options to set, in order.
        options: Vec<(String, String)>,
        /// Whether it gets each position without the moves that led there.
        forget_history: bool,
    },
    /// A random mover with this seed.
    Random(u64),
    /// One that takes whatever it can, with this seed.
    Greedy(u64),
    /// The plain alpha-beta.
    Plain,
}

/// One of the two engines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PortableEngine {
    /// Its name in tables and games.
    pub name: String,
    /// The kind of engine.
    pub kind: PortableKind,
    /// Its limit.
    pub limit: Limit,
}

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairGame {
    /// Number of the pair.
    pub pair: u32,
    /// Whether the second engine has White.
    pub swapped: bool,
    /// The opening, as FEN.
    pub fen: String,
}

/// Games of a match, whole pairs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PairsJob {
    /// The engines.
    pub engines: [PortableEngine; 2],
    /// Id of the variant.
    pub variant: String,
    /// Digest of its rules.
    pub digest: String,
    /// The games, in order.
    pub games: Vec<PairGame>,
    /// When the arbiter ends a game.
    pub adjudication: Adjudication,
    /// By how much a clock may be overstepped.
    pub margin: Duration,
    /// How long an engine may take for a move that has no limit in time.
    pub patience: Duration,
}

/// The engine of this program on the machine that does a job.
#[derive(Clone, Debug)]
pub struct OwnEngine {
    /// How it is started.
    pub program: Program,
    /// The file of the variant, if it is not built in.
    pub variant_file: Option<String>,
}

/// Why an engine cannot play on other machines.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected the engines `this`, `plain` or `random`, which every machine has, found `{0}`")]
pub struct NotPortable(String);

/// Why a job has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PairsFault {
    /// It was stopped.
    #[error("the games were stopped")]
    Stopped,
    /// An opening is not a position of the variant.
    #[error("expected an opening, found `{0}`")]
    Opening(String),
    /// An engine failed: a sign of a fault of the machine rather than of the engine.
    #[error("{engine}: {what}")]
    Engine {
        /// Its name.
        engine: String,
        /// The reason.
        what: String,
    },
}

impl PortableEngine {
    /// An engine of a match, if every machine has it. `own` is the program that stands for this one.
    ///
    /// # Errors
    /// If it is another program.
    pub fn new(engine: &EngineSettings, own: &Path) -> Result<Self, NotPortable> {
        let kind = match &engine.kind {
            EngineKind::Random(seed) => PortableKind::Random(*seed),
            EngineKind::Greedy(seed) => PortableKind::Greedy(*seed),
            EngineKind::Plain => PortableKind::Plain,
            EngineKind::Uci(uci) if is_own(uci, own) => {
                PortableKind::Own { options: uci.options.clone(), forget_history: uci.forget_history }
            }
            EngineKind::Uci(uci) => return Err(NotPortable(uci.program.path.display().to_string())),
        };
        Ok(Self { name: engine.name.clone(), kind, limit: engine.limit.clone() })
    }

    fn settings(&self, own: &OwnEngine, startup_timeout: Duration) -> EngineSettings {
        let kind = match &self.kind {
            PortableKind::Random(seed) => EngineKind::Random(*seed),
            PortableKind::Greedy(seed) => EngineKind::Greedy(*seed),
            PortableKind::Plain => EngineKind::Plain,
            PortableKind::Own { options, forget_history } => EngineKind::Uci(UciSettings {
                program: own.program.clone(),
                options: options.clone(),
                variants: BTreeMap::new(),
                variant_path: own.variant_file.clone(),
                forget_history: *forget_history,
                startup_timeout,
            }),
        };
        EngineSettings { name: self.name.clone(), kind, limit: self.limit.clone() }
    }

    /// Whether it plays the same moves on every machine.
    fn is_reproducible(&self) -> bool {
        let timed = self.limit.movetime.is_some() || self.limit.clock.is_some();
        let threads = |(name, value): &(String, String)| name.eq_ignore_ascii_case("Threads") && value != "1";
        match &self.kind {
            PortableKind::Own { options, .. } => !timed && !options.iter().any(threads),
            PortableKind::Random(_) | PortableKind::Greedy(_) | PortableKind::Plain => !timed,
        }
    }
}

fn is_own(uci: &UciSettings, own: &Path) -> bool {
    uci.program.path == own && uci.program.arguments == ["engine"] && uci.variants.is_empty()
}

impl PairsJob {
    /// The kind of these jobs.
    pub const KIND: &str = "pairs";

    /// Whether the games are the same on every machine.
    #[must_use]
    pub fn is_reproducible(&self) -> bool {
        self.engines.iter().all(PortableEngine::is_reproducible)
    }

    /// Plays the games. `stop` ends them when it returns true; `progress` receives the number of games done after each.
    ///
    /// # Errors
    /// If an engine failed, or the games were stopped.
    pub fn play(
        &self,
        variant: &Arc<Variant>,
        own: &OwnEngine,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &dyn Fn(usize),
    ) -> Result<Vec<GameRecord>, PairsFault> {
        let settings = self.settings(variant, own);
        let mut players: [Box<dyn Player>; 2] = [0, 1].map(|engine| settings.engines[engine].player());
        for (player, engine) in players.iter_mut().zip(&self.engines) {
            player.begin(variant).map_err(|error| match error {
                PlayerError::Interrupted => PairsFault::Stopped,
                error => PairsFault::Engine { engine: engine.name.clone(), what: error.to_string() },
            })?;
        }
        let mut records = Vec::with_capacity(self.games.len());
        for game in &self.games {
            let opening = AnyPosition::from_fen(variant, &game.fen);
            let opening = opening.map_err(|_| PairsFault::Opening(game.fen.clone()))?;
            let pairing = Pairing { variant: 0, pair: game.pair, swapped: game.swapped };
            let record = arbiter::play(&settings, pairing, &opening, &mut players, stop);
            let record = record.ok_or(PairsFault::Stopped)?;
            if let (Some(failed_engine), true) = (record.failed_engine(), self.is_reproducible()) {
                let engine = self.engines[failed_engine].name.clone();
                return Err(PairsFault::Engine {
                    engine,
                    what: format!("{}: {}", record.ending.words(), record.detail),
                });
            }
            records.push(record);
            progress(records.len());
        }
        Ok(records)
    }

    fn settings(&self, variant: &Arc<Variant>, own: &OwnEngine) -> MatchSettings {
        MatchSettings {
            engines: [0, 1].map(|engine: usize| self.engines[engine].settings(own, self.patience)),
            variants: vec![Arc::clone(variant)],
            pairs: 1,
            // Each game has its own.
            openings: OpeningSource::Random(Plan::default()),
            adjudication: self.adjudication,
            tables: Vec::new(),
            margin: self.margin,
            move_timeout: self.patience,
            concurrency: 1,
            sprt: None,
        }
    }
}

/// The fingerprint of games: a digest of everything but times. Two machines must get the same one.
#[must_use]
pub fn fingerprint(records: &[GameRecord]) -> String {
    type Played<'r> = (&'r str, Option<WrittenScore>, Option<u32>, Option<u64>);
    type Game<'r> = (&'r str, u32, bool, &'r str, Points, Vec<Played<'r>>);
    let game = |record: &GameRecord| -> String {
        let moves =
            record.moves.iter().map(|played| (&*played.text, played.score, played.depth, played.nodes));
        let game: Game<'_> =
            (&record.game, record.pair, record.swapped, &record.fen, record.points, moves.collect());
        // The types have no case that could fail.
        serde_json::to_string(&game).unwrap_or_default() + record.ending.words()
    };
    let text: String = records.iter().map(game).collect();
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_rules::library;

    fn engine(kind: PortableKind, limit: Limit) -> PortableEngine {
        PortableEngine { name: "engine".into(), kind, limit }
    }

    fn job(kind: PortableKind) -> PairsJob {
        let variant = library::game("gardner").unwrap();
        let fen = AnyPosition::start(&variant).fen();
        let limit = Limit { nodes: Some(200), ..Limit::default() };
        PairsJob {
            engines: [engine(kind, limit.clone()), engine(PortableKind::Random(1), limit)],
            variant: "gardner".into(),
            digest: "digest".into(),
            games: [false, true].map(|swapped| PairGame { pair: 3, swapped, fen: fen.clone() }).into(),
            adjudication: Adjudication { max_plies: Some(60), ..Adjudication::default() },
            margin: Duration::from_millis(50),
            patience: Duration::from_secs(10),
        }
    }

    fn own() -> OwnEngine {
        let program = Program { path: "/nonexistent".into(), arguments: Vec::new() };
        OwnEngine { program, variant_file: None }
    }

    #[test]
    fn job_is_reproducible() {
        let variant = library::game("gardner").unwrap();
        let play = || job(PortableKind::Plain).play(&variant, &own(), &|| false, &|_| {}).unwrap();
        let (mut first, second) = (play(), play());
        assert_eq!(
            first.iter().map(|record| (record.pair, record.swapped)).collect::<Vec<_>>(),
            [(3, false), (3, true)]
        );
        assert_eq!(fingerprint(&first), fingerprint(&second));
        first[0].moves[0].millis += 1;
        first[0].begun += 1;
        assert_eq!(fingerprint(&first), fingerprint(&second), "time does not count");
        first[0].moves[0].nodes = Some(7);
        assert_ne!(fingerprint(&first), fingerprint(&second));
    }

    #[test]
    fn failed_jobs_have_no_result() {
        let variant = library::game("gardner").unwrap();
        let missing = job(PortableKind::Own { options: Vec::new(), forget_history: false });
        assert!(matches!(missing.play(&variant, &own(), &|| false, &|_| {}), Err(PairsFault::Engine { .. })));
        let stopped = job(PortableKind::Random(1)).play(&variant, &own(), &|| true, &|_| {});
        assert!(matches!(stopped, Err(PairsFault::Stopped) | Ok(_)));
        let mut wrong = job(PortableKind::Plain);
        wrong.games[1].fen = "x".into();
        assert_eq!(wrong.play(&variant, &own(), &|| false, &|_| {}), Err(PairsFault::Opening("x".into())));
    }

    #[test]
    fn only_limits_without_time_are_reproducible() {
        let mut job = job(PortableKind::Own { options: Vec::new(), forget_history: false });
        assert!(job.is_reproducible());
        job.engines[1].limit.movetime = Some(Duration::from_millis(5));
        assert!(!job.is_reproducible());
        let options = vec![("Threads".into(), "2".into())];
        let limit = Limit { nodes: Some(1), ..Limit::default() };
        assert!(!engine(PortableKind::Own { options, forget_history: false }, limit).is_reproducible());
    }
}
