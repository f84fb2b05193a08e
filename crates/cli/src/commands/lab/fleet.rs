//! `lozenge lab data --nats` and `lozenge lab report --nats`: the games on the workers of NATS. `commands::fleet` has the jobs done;
//! `lozenge-lab` knows which games are in.

use super::report::ReportFailure;
use crate::commands::fleet::{self, FleetFailure, Player, Shared};
use crate::error::{CliError, CommandError};
use crate::output::{self, Progress};
use lozenge_game::convert::digest_of;
use lozenge_lab::report::{GameRecord, Journal, ReportFleet, ReportJob};
use lozenge_lab::tuning::data;
use lozenge_lab::tuning::fleet::{DataFleet, DataJob};
use lozenge_lab::tuning::record::PlayedGame;
use lozenge_rules::variant::Variant;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

impl CommandError for FleetFailure {}

/// Plays the games of a file of data on the workers of NATS.
pub(super) fn data(
    nats: &str,
    variant: &Arc<Variant>,
    settings: &data::Settings,
    path: &Path,
) -> Result<(), CliError> {
    let digest = digest_of(variant.texts());
    let fleet = DataFleet::new(variant, digest, settings, path)?;
    let mut bar = Progress::new(settings.games);
    let interrupted = super::end_by_interrupt();
    let mut work = DataWork { variant: Arc::clone(variant), fleet, bar: &mut bar, interrupted };
    let done = fleet::run(nats, std::slice::from_ref(variant), &mut work)?;
    let games = work.fleet.games();
    bar.end();
    output::line(format_args!("{games} of {} games", settings.games))?;
    if done { Ok(()) } else { Err(FleetFailure::Interrupted("; the same command goes on".into()).into()) }
}

/// Self-play for data as the work of many machines.
struct DataWork<'w> {
    variant: Arc<Variant>,
    fleet: DataFleet,
    bar: &'w mut Progress,
    interrupted: &'static AtomicBool,
}

impl Shared for DataWork<'_> {
    type Job = DataJob;
    type Record = PlayedGame;
    type Failure = CliError;
    const KIND: &'static str = DataJob::KIND;

    fn next_job(&mut self, most: usize) -> Option<(usize, DataJob)> {
        self.fleet.next_job(most)
    }

    fn units(job: &DataJob) -> usize {
        job.games.len()
    }

    fn accept(&mut self, job: usize, worker: &str, games: Vec<PlayedGame>) -> Result<bool, CliError> {
        Ok(self.fleet.accept(job, worker, games))
    }

    fn reopen(&mut self, job: usize) {
        self.fleet.reopen(job);
    }

    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, CliError> {
        Ok(self.fleet.revoke(worker, checked)?)
    }

    fn advance(&mut self, workers: &str) -> Result<(), CliError> {
        self.fleet.write()?;
        self.bar.show(self.fleet.games_in(), || format!("games of {}  {workers}", self.variant.id()));
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.fleet.is_over()
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn player(&self, job: &DataJob) -> Player<PlayedGame, CliError> {
        let (job, variant, interrupted) = (job.clone(), Arc::clone(&self.variant), self.interrupted);
        Box::new(move || {
            let stop = || interrupted.load(Ordering::Relaxed);
            Ok(job.play(&variant, &mut data::engine(), &stop, &mut |_| {}))
        })
    }
}

/// A report as the work of many machines.
pub(super) struct ReportWork<'w> {
    pub(super) variant: Arc<Variant>,
    pub(super) fleet: ReportFleet,
    pub(super) journal: Option<Journal>,
    pub(super) bar: &'w mut Progress,
    pub(super) interrupted: &'static AtomicBool,
}

impl Shared for ReportWork<'_> {
    type Job = ReportJob;
    type Record = GameRecord;
    type Failure = ReportFailure;
    const KIND: &'static str = ReportJob::KIND;

    fn next_job(&mut self, most: usize) -> Option<(usize, ReportJob)> {
        self.fleet.next_job(most)
    }

    fn units(job: &ReportJob) -> usize {
        job.games.len()
    }

    fn accept(&mut self, job: usize, worker: &str, games: Vec<GameRecord>) -> Result<bool, ReportFailure> {
        let journal = &mut self.journal;
        let mut keep = |record: &GameRecord| journal.as_mut().map_or(Ok(()), |journal| journal.add(record));
        Ok(self.fleet.accept(job, worker, games, &mut keep)?)
    }

    fn reopen(&mut self, job: usize) {
        self.fleet.reopen(job);
    }

    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, ReportFailure> {
        let games = self.fleet.revoke(worker, checked);
        if let Some(journal) = &mut self.journal
            && games > 0
        {
            journal.replace(self.fleet.records())?;
        }
        Ok(games)
    }

    fn advance(&mut self, workers: &str) -> Result<(), ReportFailure> {
        let selection = self.fleet.selection();
        self.bar.show(selection.done(), || format!("{}  {workers}", selection.part().name()));
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.fleet.selection().is_over()
    }

    fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    fn player(&self, job: &ReportJob) -> Player<GameRecord, ReportFailure> {
        let (job, variant, interrupted) = (job.clone(), Arc::clone(&self.variant), self.interrupted);
        Box::new(move || Ok(job.play(&variant, interrupted, &|| {}, &mut |_| {})))
    }
}
