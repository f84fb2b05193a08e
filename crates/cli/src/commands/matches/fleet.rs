//! `lozenge match --nats`: the match on the workers of NATS. `commands::fleet` has the jobs done;
//! `lozenge_lab::matches::Fleet` knows which games are in.

use super::{MatchFailure, files};
use crate::commands::fleet::{self, Player, Shared};
use crate::output::Progress;
use lozenge_game::convert::digest_of;
use lozenge_lab::matches::{
    Fleet, GameRecord, Journal, Kind, MatchEnd, MatchError, OwnEngine, PairsFault, PairsJob, Settings, Table,
    fingerprint,
};
use lozenge_protocol::client::Program;

/// The outputs of a match while it is played, and the check for interruption.
pub(super) struct Outputs<'o> {
    pub(super) journal: Option<&'o mut Journal>,
    pub(super) pgn: Option<&'o mut files::Pgn>,
    pub(super) bar: &'o mut Progress,
    pub(super) interrupted: &'o (dyn Fn() -> bool + Sync),
}

/// Plays a match on the workers of NATS.
pub(super) fn play(
    nats: &str,
    settings: &Settings,
    known: &[GameRecord],
    outputs: Outputs<'_>,
) -> Result<(Table, MatchEnd), MatchFailure> {
    let program = std::env::current_exe().map_err(MatchError::Report)?;
    let digests = settings.variants.iter().map(|variant| digest_of(variant.texts())).collect();
    let fleet = Fleet::new(settings, digests, known, &program)?;
    let variant_file = settings.engines.iter().find_map(|engine| match &engine.kind {
        Kind::Uci(uci) => uci.variant_path.clone(),
        Kind::Random(_) | Kind::Greedy(_) | Kind::Plain => None,
    });
    let program = Program { path: program, arguments: vec!["engine".into()] };
    let own = OwnEngine { program, variant_file };
    let mut shared = MatchWork { settings, known, outputs, fleet, own };
    if !fleet::run(nats, &settings.variants, &mut shared)? {
        return Ok((shared.fleet.table().clone(), MatchEnd::Interrupted));
    }
    for record in shared.fleet.games().skip(known.len()) {
        if let Some(pgn) = &mut shared.outputs.pgn {
            pgn.add(settings, record).map_err(MatchError::Report)?;
        }
    }
    let end = shared.fleet.verdict().map_or(MatchEnd::Complete, MatchEnd::Decided);
    Ok((shared.fleet.table().clone(), end))
}

/// A match as the work of many machines.
struct MatchWork<'m> {
    settings: &'m Settings,
    known: &'m [GameRecord],
    outputs: Outputs<'m>,
    fleet: Fleet<'m>,
    own: OwnEngine,
}

impl Shared for MatchWork<'_> {
    type Job = PairsJob;
    type Record = GameRecord;
    type Failure = MatchFailure;
    const KIND: &'static str = PairsJob::KIND;
    const MAX_UNITS: usize = 64;

    fn next_job(&mut self, most: usize) -> Option<(usize, PairsJob)> {
        self.fleet.next_job(most)
    }

    fn units(job: &PairsJob) -> usize {
        job.games.len().div_ceil(2)
    }

    fn is_reproducible(job: &PairsJob) -> bool {
        job.is_reproducible()
    }

    fn fingerprint(games: &[GameRecord]) -> String {
        fingerprint(games)
    }

    fn accept(&mut self, job: usize, worker: &str, games: Vec<GameRecord>) -> Result<bool, MatchFailure> {
        Ok(self.fleet.accept(job, worker, games))
    }

    fn reopen(&mut self, job: usize) {
        self.fleet.reopen(job);
    }

    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, MatchFailure> {
        let pairs = self.fleet.revoke(worker, checked);
        // The games are counted again from the beginning, without those of this worker.
        if let Some(journal) = &mut self.outputs.journal
            && pairs > 0
        {
            journal.replace(self.known.iter()).map_err(MatchError::Report)?;
        }
        Ok(pairs)
    }

    fn advance(&mut self, workers: &str) -> Result<(), MatchFailure> {
        let journal = &mut self.outputs.journal;
        self.fleet
            .count(&mut |record, _| journal.as_mut().map_or(Ok(()), |journal| journal.add(record)))
            .map_err(MatchError::Report)?;
        let table = self.fleet.table();
        let message = || format!("{}  {workers}", super::report::short(self.settings, table));
        self.outputs.bar.show(self.fleet.games_in(), message);
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.fleet.is_over()
    }

    fn is_interrupted(&self) -> bool {
        (self.outputs.interrupted)()
    }

    fn player(&self, job: &PairsJob) -> Player<GameRecord, MatchFailure> {
        let variant = self.settings.variants.iter().find(|variant| variant.id() == job.variant).cloned();
        let (job, own) = (job.clone(), self.own.clone());
        Box::new(move || {
            let Some(variant) = variant else { return Ok(None) };
            match job.play(&variant, &own, &|| super::is_interrupted(), &|_| {}) {
                Ok(games) => Ok(Some(games)),
                Err(PairsFault::Stopped) => Ok(None),
                Err(PairsFault::Engine { engine, what }) => Err(MatchError::Engine { engine, what }.into()),
                Err(fault) => Err(MatchError::Report(std::io::Error::other(fault)).into()),
            }
        })
    }
}
