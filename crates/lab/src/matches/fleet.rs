//! A match on many machines: which pairs are out, which are in, and how their games become the results of the match in the
//! order of one machine. So the sequential test decides at the same game, whichever worker is the fastest. *Not here*: how jobs
//! travel.

use super::arbiter::Pairing;
use super::journal::Journal;
use super::pairs::{NotPortable, OwnEngine, PairGame, PairsFault, PairsJob, PortableEngine, fingerprint};
use super::record::GameRecord;
use super::run::{MatchError, decided, openings, openings_of, pairings};
use super::settings::{EngineKind, MatchSettings};
use super::table::Table;
use crate::ledger::{FleetWork, Ledger, LocalPlayer};
use crate::openings::Openings;
use crate::stats::Verdict;
use lozenge_protocol::client::Program;
use lozenge_rules::position::AnyPosition;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A match that is played by a fleet of workers.
#[derive(Debug)]
pub struct Fleet<'m> {
    settings: &'m MatchSettings,
    engines: [PortableEngine; 2],
    /// The engine of this program.
    own: OwnEngine,
    /// Keeps the games.
    journal: Option<&'m mut Journal>,
    /// Digests of the variants' rules.
    digests: Vec<String>,
    openings: Vec<Openings>,
    /// The openings of games played before; their partners begin there, too.
    played: HashMap<(String, usize), String>,
    known: Vec<GameRecord>,
    /// The games of each pair that are still to be played.
    pairs: Vec<Vec<Pairing>>,
    /// The state of the pairs, by their index in `pairs`.
    ledger: Ledger<usize, Vec<GameRecord>>,
    /// All pairs before this one are counted in the table.
    counted: usize,
    table: Table,
    verdict: Option<Verdict>,
}

impl<'m> Fleet<'m> {
    /// A match with the games that were played before, which are in the journal. `digests` are those of its variants' rules;
    /// `program` is this program as an engine.
    ///
    /// # Errors
    /// If an engine is not one that every machine has.
    pub fn new(
        settings: &'m MatchSettings,
        digests: Vec<String>,
        known: &[GameRecord],
        program: Program,
        journal: Option<&'m mut Journal>,
    ) -> Result<Self, NotPortable> {
        let [first, second] = &settings.engines;
        let engines =
            [PortableEngine::new(first, &program.path)?, PortableEngine::new(second, &program.path)?];
        let variant_file = settings.engines.iter().find_map(|engine| match &engine.kind {
            EngineKind::Uci(uci) => uci.variant_path.clone(),
            EngineKind::Random(_) | EngineKind::Greedy(_) | EngineKind::Plain => None,
        });
        let mut pairs: Vec<Vec<Pairing>> = Vec::new();
        for pairing in pairings(settings, known) {
            let is_partner = |game: &Pairing| (game.variant, game.pair) == (pairing.variant, pairing.pair);
            match pairs.last_mut() {
                Some(last) if last.iter().any(is_partner) => last.push(pairing),
                _ => pairs.push(vec![pairing]),
            }
        }
        let mut ledger = Ledger::default();
        (0..pairs.len()).for_each(|at| ledger.add(at));
        let mut fleet = Self {
            settings,
            engines,
            own: OwnEngine { program, variant_file },
            journal,
            digests,
            openings: openings(settings),
            played: openings_of(settings, known),
            known: known.to_vec(),
            pairs,
            ledger,
            counted: 0,
            table: Table::default(),
            verdict: None,
        };
        fleet.recount();
        Ok(fleet)
    }

    fn opening(&mut self, pairing: Pairing) -> AnyPosition {
        let variant = &self.settings.variants[pairing.variant];
        let number = self.settings.opening_number(pairing.pair, pairing.swapped);
        let before = self.played.get(&(variant.id().to_owned(), number));
        if let Some(position) = before.and_then(|fen| AnyPosition::from_fen(variant, fen).ok()) {
            return position;
        }
        self.openings[pairing.variant].number(number)
    }

    /// Begins again with the games that were known before.
    fn recount(&mut self) {
        self.table = Table::default();
        for record in &self.known {
            self.table.add(record);
        }
        self.counted = 0;
        self.verdict = decided(self.settings, &self.table);
    }

    /// The games counted so far, with those known before.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> {
        let counted = (0..self.counted).filter_map(|at| self.ledger.get(&at)).flatten();
        // The test may have decided within a pair.
        self.known.iter().chain(counted).take(self.table.total.score.games() as usize)
    }

    /// Games that are in, counted or not, with those known before.
    #[must_use]
    pub fn games_in(&self) -> u64 {
        (self.known.len() + self.ledger.results().map(Vec::len).sum::<usize>()) as u64
    }

    /// The results so far.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The decision of the sequential test.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.verdict
    }
}

impl FleetWork for Fleet<'_> {
    type Job = PairsJob;
    type Record = GameRecord;
    type Error = MatchError;
    const KIND: &'static str = PairsJob::KIND;
    const MAX_UNITS: usize = 64;

    /// A job has pairs of one variant. No job follows after the test has decided.
    fn next_job(&mut self, most: usize) -> Option<(usize, PairsJob)> {
        if self.verdict.is_some() {
            return None;
        }
        let variant = self.pairs[*self.ledger.open().next()?][0].variant;
        let of_variant = self.ledger.open().filter(|&&at| self.pairs[at][0].variant == variant);
        let chosen: Vec<usize> = of_variant.copied().take(most.max(1)).collect();
        let mut games = Vec::new();
        for pairing in chosen.iter().flat_map(|&at| self.pairs[at].clone()).collect::<Vec<_>>() {
            let fen = self.opening(pairing).fen();
            games.push(PairGame { pair: pairing.pair, swapped: pairing.swapped, fen });
        }
        let number = self.ledger.begin_job(chosen);
        let job = PairsJob {
            engines: self.engines.clone(),
            variant: self.settings.variants[variant].id().to_owned(),
            digest: self.digests[variant].clone(),
            games,
            adjudication: self.settings.adjudication,
            margin: self.settings.margin,
            patience: self.settings.move_timeout,
        };
        Some((number, job))
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

    fn accept(&mut self, job: usize, worker: &str, mut records: Vec<GameRecord>) -> Result<bool, MatchError> {
        let (pairs, variants) = (&self.pairs, &self.settings.variants);
        Ok(self.ledger.accept(job, worker, &mut |&at| {
            let of_game = |game: &Pairing| {
                let is_same_game = |record: &GameRecord| {
                    (record.game.as_str(), record.pair, record.swapped)
                        == (variants[game.variant].id(), game.pair, game.swapped)
                };
                records.iter().position(is_same_game).map(|found| records.swap_remove(found))
            };
            pairs[at].iter().map(of_game).collect()
        }))
    }

    fn reopen(&mut self, job: usize) {
        self.ledger.reopen(job);
    }

    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, MatchError> {
        let revoked = self.ledger.revoke(worker, checked).len();
        if revoked > 0 {
            self.recount();
            if let Some(journal) = &mut self.journal {
                journal.replace(self.known.iter())?;
            }
        }
        Ok(revoked)
    }

    /// A test that has decided counts no more games, as on one machine.
    fn advance(&mut self) -> Result<(), MatchError> {
        while self.verdict.is_none()
            && let Some(records) = self.ledger.get(&self.counted)
        {
            for record in records {
                if self.verdict.is_some() {
                    break;
                }
                self.table.add(record);
                if let Some(journal) = &mut self.journal {
                    journal.add(record)?;
                }
                self.verdict = decided(self.settings, &self.table);
            }
            self.counted += 1;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.verdict.is_some() || self.counted == self.pairs.len()
    }

    fn local_player(&self, job: &PairsJob, stop: &'static AtomicBool) -> LocalPlayer<GameRecord, MatchError> {
        let variant = self.settings.variants.iter().find(|variant| variant.id() == job.variant).cloned();
        let (job, own) = (job.clone(), self.own.clone());
        Box::new(move || {
            let Some(variant) = variant else { return Ok(None) };
            match job.play(&variant, &own, &|| stop.load(Ordering::Relaxed), &|_| {}) {
                Ok(games) => Ok(Some(games)),
                Err(PairsFault::Stopped) => Ok(None),
                Err(PairsFault::Engine { engine, what }) => Err(MatchError::Engine { engine, what }),
                Err(fault) => Err(MatchError::Report(std::io::Error::other(fault))),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matches::{
        Adjudication, EngineKind, EngineSettings, OpeningSource, OwnEngine, fingerprint, run,
    };
    use crate::openings::Plan;
    use crate::players::Limit;
    use crate::stats::{Model, Sprt};
    use lozenge_rules::library;
    use std::time::Duration;

    fn settings(pairs: u32, sprt: Option<Sprt>) -> MatchSettings {
        let engine = |name: &str, kind| {
            let limit = Limit { nodes: Some(100), ..Limit::default() };
            EngineSettings { name: name.into(), kind, limit }
        };
        MatchSettings {
            engines: [engine("plain", EngineKind::Plain), engine("random", EngineKind::Random(1))],
            variants: ["gardner", "diagonal"].map(|id| library::game(id).unwrap()).into(),
            pairs,
            openings: OpeningSource::Random(Plan { nodes: 100, ..Plan::default() }),
            adjudication: Adjudication { max_plies: Some(40), ..Adjudication::default() },
            tables: Vec::new(),
            margin: Duration::from_millis(50),
            move_timeout: Duration::from_secs(10),
            concurrency: 1,
            sprt,
        }
    }

    fn here(settings: &MatchSettings) -> Vec<GameRecord> {
        let mut games = Vec::new();
        let mut report = |progress: crate::matches::MatchProgress<'_>| {
            let crate::matches::MatchProgress::Finished { record, .. } = progress;
            games.push(record.clone());
            Ok(())
        };
        run(settings, &[], &mut report, &|| false).unwrap();
        games
    }

    fn play(settings: &MatchSettings, job: &PairsJob) -> Vec<GameRecord> {
        let variant = settings.variants.iter().find(|variant| variant.id() == job.variant).unwrap();
        let program = Program { path: "/nonexistent".into(), arguments: Vec::new() };
        let own = OwnEngine { program, variant_file: None };
        job.play(variant, &own, &|| false, &|_| {}).unwrap()
    }

    fn fleet<'s>(settings: &'s MatchSettings, known: &[GameRecord]) -> Fleet<'s> {
        let program = Program { path: "/own".into(), arguments: Vec::new() };
        Fleet::new(settings, vec!["a".into(), "b".into()], known, program, None).unwrap()
    }

    fn counted(fleet: &mut Fleet<'_>) -> Vec<GameRecord> {
        let before = fleet.games().count();
        fleet.advance().unwrap();
        fleet.games().skip(before).cloned().collect()
    }

    #[test]
    fn job_order_does_not_change_the_match() {
        let settings = settings(3, None);
        let expected = here(&settings);
        let mut fleet = fleet(&settings, &expected[..3]);
        let mut jobs: Vec<_> = std::iter::from_fn(|| fleet.next_job(2)).collect();
        assert_eq!(jobs.iter().map(|(_, job)| job.games.len()).sum::<usize>(), 9);
        let (first, job) = jobs.remove(0);
        let mut games = Vec::new();
        for (number, job) in jobs.iter().rev() {
            assert!(fleet.accept(*number, "ann", play(&settings, job)).unwrap());
            games.extend(counted(&mut fleet));
        }
        assert_eq!(
            (games.len(), fleet.games_in()),
            (0, 12 - job.games.len() as u64),
            "the first job is not in"
        );
        assert!(!fleet.accept(first, "bob", Vec::new()).unwrap(), "those are not its games");
        assert!(!fleet.is_over());
        let (number, job) = fleet.next_job(2).unwrap();
        assert!(fleet.accept(number, "bob", play(&settings, &job)).unwrap());
        games.extend(counted(&mut fleet));
        assert!(fleet.is_over());
        assert_eq!(fingerprint(&games), fingerprint(&expected[3..]));
        assert_eq!(fingerprint(&fleet.games().cloned().collect::<Vec<_>>()), fingerprint(&expected));
    }

    #[test]
    fn games_of_a_barred_worker_since_its_last_correct_job_are_replayed() {
        let settings = settings(2, None);
        let expected = here(&settings);
        let mut fleet = fleet(&settings, &[]);
        let jobs: Vec<_> = std::iter::from_fn(|| fleet.next_job(1)).collect();
        for (number, job) in &jobs {
            let mut games = play(&settings, job);
            if *number > 0 {
                games[0].moves.clear();
            }
            assert!(fleet.accept(*number, if *number == 3 { "bob" } else { "ann" }, games).unwrap());
        }
        assert_eq!((counted(&mut fleet).len(), fleet.is_over()), (8, true));
        assert_eq!(fleet.revoke("ann", Some(0)).unwrap(), 2);
        assert_eq!(fleet.revoke("bob", None).unwrap(), 1);
        assert_eq!(counted(&mut fleet).len(), 2, "the job that was right stays");
        while let Some((number, job)) = fleet.next_job(1) {
            assert!(fleet.accept(number, "cy", play(&settings, &job)).unwrap());
        }
        counted(&mut fleet);
        assert_eq!(fingerprint(&fleet.games().cloned().collect::<Vec<_>>()), fingerprint(&expected));
    }

    #[test]
    fn decided_test_counts_no_more_games() {
        let sprt = Sprt::new(0.0, 200.0, 0.2, 0.2, Model::Logistic).unwrap();
        let settings = settings(30, Some(sprt));
        let expected = here(&settings);
        assert!(expected.len() < 120);
        let mut fleet = fleet(&settings, &[]);
        let jobs: Vec<_> = std::iter::from_fn(|| fleet.next_job(7)).collect();
        for (number, job) in &jobs {
            fleet.accept(*number, "ann", play(&settings, job)).unwrap();
        }
        assert_eq!(fingerprint(&counted(&mut fleet)), fingerprint(&expected));
        assert!(fleet.is_over() && fleet.verdict().is_some() && fleet.next_job(1).is_none());
    }
}
