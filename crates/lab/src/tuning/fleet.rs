//! Self-play for data on many machines: some games as a job that any machine can do, and which games are out, in, and in the
//! file. With the same engine it is the file of one machine.

use super::TuningError;
use super::data::{DataSettings, open, play};
use super::record::{PlayedGame, RecordWriter};
use crate::ledger::{FleetWork, Ledger, LocalPlayer};
use lozenge_engine::Engine;
use lozenge_rules::variant::Variant;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most games that may wait for an earlier one before they are written.
const MAX_AHEAD: u64 = 20_000;

/// Games to be played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DataJob {
    /// Id of the variant.
    pub variant: String,
    /// Digest of its rules.
    pub digest: String,
    /// Nodes for each move.
    pub nodes: u64,
    /// Random plies before the engine takes over; every other game one more.
    pub plies: u32,
    /// Random seed.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Vec<u64>,
}

impl DataJob {
    /// The kind of these jobs.
    pub const KIND: &str = "data";

    /// Plays the games with an engine of [`super::data::engine`]; `None` when `stop` returned true. `progress` receives the
    /// number of games done after each.
    pub fn play(
        &self,
        variant: &Arc<Variant>,
        engine: &mut Engine,
        stop: &dyn Fn() -> bool,
        progress: &mut dyn FnMut(usize),
    ) -> Option<Vec<PlayedGame>> {
        let Self { nodes, plies, seed, .. } = *self;
        let settings = DataSettings { games: 0, nodes, plies, seed, threads: 1 };
        let mut played = Vec::with_capacity(self.games.len());
        for &number in &self.games {
            if stop() {
                return None;
            }
            played.push(play(variant, &settings, number, engine));
            progress(played.len());
        }
        Some(played)
    }
}

/// Self-play by a fleet of workers.
#[derive(Debug)]
pub struct DataFleet {
    variant: Arc<Variant>,
    digest: String,
    settings: DataSettings,
    writer: RecordWriter,
    /// The games of this run; those that are in the file are `None`.
    ledger: Ledger<u64, Option<PlayedGame>>,
    next: u64,
}

impl DataFleet {
    /// Self-play for a file, which goes on if it was begun with the same settings. `digest` is that of the rules.
    ///
    /// # Errors
    /// When the file cannot be read or written, or was made with other settings.
    pub fn new(
        variant: &Arc<Variant>,
        digest: String,
        settings: &DataSettings,
        path: &Path,
    ) -> Result<Self, TuningError> {
        let writer = open(variant, settings, path)?;
        let (variant, next) = (Arc::clone(variant), writer.games());
        Ok(Self { variant, digest, settings: *settings, writer, ledger: Ledger::default(), next })
    }

    /// Games in the file.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.writer.games()
    }

    /// Games that are in, in the file or not.
    #[must_use]
    pub fn games_in(&self) -> u64 {
        self.writer.games() + self.ledger.results().flatten().count() as u64
    }
}

impl FleetWork for DataFleet {
    type Job = DataJob;
    type Record = PlayedGame;
    type Error = TuningError;
    const KIND: &'static str = DataJob::KIND;

    fn next_job(&mut self, most: usize) -> Option<(usize, DataJob)> {
        let mut games: Vec<u64> = self.ledger.open().copied().take(most.max(1)).collect();
        let end = self.settings.games.min(self.writer.games() + MAX_AHEAD);
        while games.len() < most.max(1) && self.next < end {
            games.push(self.next);
            self.next += 1;
        }
        if games.is_empty() {
            return None;
        }
        let number = self.ledger.begin_job(games.clone());
        let DataSettings { nodes, plies, seed, .. } = self.settings;
        let (variant, digest) = (self.variant.id().to_owned(), self.digest.clone());
        Some((number, DataJob { variant, digest, nodes, plies, seed, games }))
    }

    fn units(job: &DataJob) -> usize {
        job.games.len()
    }

    fn accept(&mut self, job: usize, worker: &str, mut games: Vec<PlayedGame>) -> Result<bool, TuningError> {
        Ok(self.ledger.accept(job, worker, &mut |&number| {
            let found = games.iter().position(|game| game.number == number)?;
            Some(Some(games.swap_remove(found)))
        }))
    }

    fn reopen(&mut self, job: usize) {
        self.ledger.reopen(job);
    }

    /// Takes the games off the file, with those after them.
    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, TuningError> {
        let revoked = self.ledger.revoke(worker, checked);
        if let Some(&first) = revoked.first().filter(|&&first| first < self.writer.games()) {
            for game in self.writer.take_back(first)? {
                if let Some(kept) = self.ledger.get_mut(&game.number) {
                    *kept = Some(game);
                }
            }
        }
        Ok(revoked.len())
    }

    fn advance(&mut self) -> Result<(), TuningError> {
        while let Some(game) = self.ledger.get_mut(&self.writer.games()).and_then(Option::take) {
            self.writer.append(&game)?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.writer.games() >= self.settings.games
    }

    fn local_player(&self, job: &DataJob, stop: &'static AtomicBool) -> LocalPlayer<PlayedGame, TuningError> {
        let (job, variant) = (job.clone(), Arc::clone(&self.variant));
        Box::new(move || {
            let is_stopped = || stop.load(Ordering::Relaxed);
            Ok(job.play(&variant, &mut super::data::engine(), &is_stopped, &mut |_| {}))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::data::{engine, generate};
    use super::*;
    use lozenge_rules::library;

    #[test]
    fn job_order_does_not_change_the_file() {
        let game = library::game("gardner").unwrap();
        let settings = DataSettings { games: 9, nodes: 60, plies: 6, seed: 7, threads: 1 };
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let text = |name: &str| std::fs::read(path(name)).unwrap();
        generate(&game, &settings, &path("here"), &AtomicBool::new(false), &mut |_| {}).unwrap();
        let play = |job: &DataJob| job.play(&game, &mut engine(), &|| false, &mut |_| {}).unwrap();
        let mut fleet = DataFleet::new(&game, "digest".into(), &settings, &path("there")).unwrap();
        let jobs: Vec<_> = std::iter::from_fn(|| fleet.next_job(2)).collect();
        for (number, job) in jobs.iter().skip(1).rev() {
            let mut games = play(job);
            // Bob's results are wrong after his first job.
            let worker = if number.is_multiple_of(2) { "bob" } else { "ann" };
            if *number == 4 {
                games[0].start.push_str(" another");
            }
            assert!(fleet.accept(*number, worker, games).unwrap());
        }
        fleet.advance().unwrap();
        assert_eq!((fleet.games(), fleet.games_in()), (0, 7));
        assert!(!fleet.accept(jobs[0].0, "ann", play(&jobs[1].1)).unwrap(), "those are not its games");
        let (number, job) = fleet.next_job(9).unwrap();
        assert!(fleet.accept(number, "ann", play(&job)).unwrap());
        fleet.advance().unwrap();
        assert!(fleet.is_over() && text("there") != text("here"));
        assert_eq!(fleet.revoke("bob", Some(2)).unwrap(), 1);
        assert_eq!(fleet.revoke("bob", None).unwrap(), 2);
        assert_eq!((fleet.games(), fleet.games_in()), (4, 6));
        while let Some((number, job)) = fleet.next_job(9) {
            assert!(fleet.accept(number, "cy", play(&job)).unwrap());
        }
        fleet.advance().unwrap();
        assert_eq!(text("there"), text("here"));
    }
}
