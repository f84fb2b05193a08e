//! Some games of a report as a job that any machine can do, and the report of a fleet of machines. With the same engine it is
//! the report of one machine.

use super::play::GameRunner;
use super::record::{GameRecord, Journal, KnownGames};
use super::selection::{GameTask, Selection};
use super::{Part, Plan, ReportError};
use crate::ledger::{FleetWork, Ledger, LocalPlayer};
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Games to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ReportJob {
    /// Id of the variant.
    pub variant: String,
    /// Digest of its rules.
    pub digest: String,
    /// The plan of the report.
    pub plan: Plan,
    /// The games.
    pub games: Vec<GameTask>,
}

impl ReportJob {
    /// The kind of these jobs.
    pub const KIND: &str = "report";

    /// Plays the games; `None` when `stop` was set. `pause` is called before each search, and may wait; `progress` receives
    /// the number of games done after each.
    #[must_use]
    pub fn play(
        &self,
        variant: &Arc<Variant>,
        stop: &AtomicBool,
        pause: &(dyn Fn() + Sync),
        progress: &mut dyn FnMut(usize),
    ) -> Option<Vec<GameRecord>> {
        let runner = GameRunner::new(variant, &self.plan.clone().bounded(), pause);
        let mut engines = GameRunner::engines();
        let mut played = Vec::with_capacity(self.games.len());
        for task in &self.games {
            played.push(runner.play_task(task, &mut engines, stop)?);
            progress(played.len());
        }
        Some(played)
    }
}

/// A report that is made by a fleet of workers.
#[derive(Debug)]
pub struct ReportFleet {
    variant: Arc<Variant>,
    digest: String,
    plan: Plan,
    budget: Option<Duration>,
    known: KnownGames,
    /// Keeps the games.
    journal: Option<Journal>,
    selection: Selection,
    ledger: Ledger<(Part, u32), GameRecord>,
}

impl ReportFleet {
    /// The report of a plan, with the games that were played before. `digest` is that of the rules; `budget` is the time to
    /// play all games, if it is bounded.
    #[must_use]
    pub fn new(
        variant: &Arc<Variant>,
        digest: String,
        plan: &Plan,
        known: KnownGames,
        budget: Option<Duration>,
    ) -> Self {
        let selection = selection(plan, known.clone(), budget);
        let (variant, plan, ledger) = (Arc::clone(variant), plan.clone(), Ledger::default());
        Self { variant, digest, plan, budget, known, journal: None, selection, ledger }
    }

    /// Keeps the games in a journal, which has those that were played before.
    #[must_use]
    pub fn with_journal(self, journal: Option<Journal>) -> Self {
        Self { journal, ..self }
    }

    /// Counts time that was spent on games.
    pub fn spend(&mut self, time: Duration) {
        self.selection.spend(time);
    }

    /// All games that were played, whether they count or not, with those known before.
    pub(super) fn records(&self) -> impl Iterator<Item = &GameRecord> {
        self.known.values().chain(self.ledger.results())
    }

    /// The games so far.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }
}

impl FleetWork for ReportFleet {
    type Job = ReportJob;
    type Record = GameRecord;
    type Error = ReportError;
    const KIND: &'static str = ReportJob::KIND;

    /// `None` until more games have come in, or when no more are wanted.
    fn next_job(&mut self, most: usize) -> Option<(usize, ReportJob)> {
        if self.selection.is_over() {
            return None;
        }
        let open = self.ledger.open().filter_map(|&(part, number)| self.selection.task(part, number));
        let mut games: Vec<GameTask> = open.take(most.max(1)).collect();
        while games.len() < most.max(1) {
            let Some(task) = self.selection.next_task() else { break };
            // After games were revoked the selection starts over, and those in jobs are not to be played twice.
            if !self.ledger.has(&task.key()) {
                games.push(task);
            }
        }
        if games.is_empty() {
            return None;
        }
        let number = self.ledger.begin_job(games.iter().map(GameTask::key).collect());
        let (variant, digest) = (self.variant.id().to_owned(), self.digest.clone());
        Some((number, ReportJob { variant, digest, plan: self.plan.clone(), games }))
    }

    fn units(job: &ReportJob) -> usize {
        job.games.len()
    }

    fn accept(
        &mut self,
        job: usize,
        worker: &str,
        mut records: Vec<GameRecord>,
    ) -> Result<bool, ReportError> {
        let mut taken = Vec::new();
        let complete = self.ledger.accept(job, worker, &mut |&(part, number)| {
            let found = records.iter().position(|record| (record.part, record.number) == (part, number))?;
            taken.push(records.swap_remove(found));
            taken.last().cloned()
        });
        for record in taken {
            if let Some(journal) = &mut self.journal {
                journal.add(&record)?;
            }
            self.selection.take(record);
        }
        Ok(complete)
    }

    fn reopen(&mut self, job: usize) {
        self.ledger.reopen(job);
    }

    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, ReportError> {
        let revoked = self.ledger.revoke(worker, checked).len();
        if revoked > 0 {
            let known = self.records().map(|record| ((record.part, record.number), record.clone()));
            let known: KnownGames = known.collect();
            if let Some(journal) = &mut self.journal {
                journal.replace(known.values())?;
            }
            let spent = self.selection.spent();
            self.selection = selection(&self.plan, known, self.budget);
            self.selection.spend(spent);
        }
        Ok(revoked)
    }

    fn is_over(&self) -> bool {
        self.selection.is_over()
    }

    fn local_player(
        &self,
        job: &ReportJob,
        stop: &'static AtomicBool,
    ) -> LocalPlayer<GameRecord, ReportError> {
        let (job, variant) = (job.clone(), Arc::clone(&self.variant));
        Box::new(move || Ok(job.play(&variant, stop, &|| {}, &mut |_| {})))
    }
}

fn selection(plan: &Plan, known: KnownGames, budget: Option<Duration>) -> Selection {
    let selection = Selection::new(plan, known);
    match budget {
        Some(budget) => selection.within(budget),
        None => selection,
    }
}
