//! `lozenge tables generate --nats`: the tables on the workers of NATS. `commands::fleet` has the jobs done; the files travel beside
//! them. Here: which class comes next, and the check of each file that comes.

use super::TablesError;
use crate::commands::fleet::{self, FleetFailure};
use crate::error::CliError;
use crate::output::Progress;
use lozenge_game::convert::digest_of;
use lozenge_lab::ledger::{FleetWork, Ledger, LocalPlayer};
use lozenge_lab::tables::{TableFault, TableJob, TableRecord};
use lozenge_queue::{Client, NatsError};
use lozenge_tablebase::{Material, Tables};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::runtime::Handle;
use tokio::task::block_in_place;

/// Positions of each file that are compared with those after their moves.
const SAMPLE: usize = 20_000;

/// Has the missing tables of these classes made by workers, and those that they lead to.
pub(super) fn make(
    nats: &str,
    tables: Tables,
    classes: &[Material],
    folder: &Path,
    memory: usize,
) -> Result<Tables, CliError> {
    let variant = Arc::clone(tables.variant());
    let classes = tables.missing(classes).map_err(TablesError::from)?;
    let mut ledger = Ledger::default();
    (0..classes.len()).for_each(|number| ledger.add(number));
    let mut bar = Progress::new(classes.len() as u64);
    let mut work = TablesWork {
        nats: nats.to_owned(),
        client: None,
        tables,
        classes,
        folder: folder.to_owned(),
        memory,
        ledger,
        sent: HashMap::new(),
        failure: None,
    };
    let mut show = |work: &TablesWork, workers: &str| {
        let done = work.ledger.results().count() as u64;
        bar.show(done, || format!("tables of {}  {workers}", variant.id()));
    };
    let (variants, stop) = (std::slice::from_ref(&variant), crate::interrupt::end_by_interrupt());
    let done = fleet::run::<_, CliError>(nats, variants, &mut work, stop, &mut show);
    let tables = work.tables;
    bar.end();
    if done? {
        Ok(tables)
    } else {
        Err(FleetFailure::Interrupted("; the same command goes on".into()).into())
    }
}

/// Tables as the work of many machines.
struct TablesWork {
    nats: String,
    client: Option<Client>,
    tables: Tables,
    /// Each after those it leads to.
    classes: Vec<Material>,
    folder: PathBuf,
    memory: usize,
    ledger: Ledger<usize, ()>,
    /// The digests of the files that workers can fetch, by class.
    sent: HashMap<String, String>,
    failure: Option<CliError>,
}

impl TablesWork {
    fn name(&self, material: &Material) -> String {
        material.name(self.tables.variant())
    }

    fn client(&mut self) -> Result<Client, NatsError> {
        if let Some(client) = &self.client {
            return Ok(client.clone());
        }
        let client = wait(Client::connect(&self.nats))?;
        Ok(self.client.insert(client).clone())
    }

    /// The job of a class. The files that it leads to are there for the workers.
    fn job(&mut self, material: &Material) -> Result<TableJob, CliError> {
        let client = self.client().map_err(FleetFailure::from)?;
        let variant = Arc::clone(self.tables.variant());
        let mut job = TableJob {
            variant: variant.id().to_owned(),
            digest: digest_of(variant.texts()),
            class: self.name(material),
            children: Vec::new(),
            memory: self.memory,
        };
        for child in self.tables.leads_to(material) {
            let class = self.name(&child);
            let digest = match self.sent.get(&class) {
                Some(digest) => digest.clone(),
                None => {
                    let bytes = std::fs::read(job.file(&class, &self.folder)).map_err(FleetFailure::from)?;
                    let digest = wait(client.put_file(&bytes)).map_err(FleetFailure::from)?;
                    self.sent.insert(class.clone(), digest.clone());
                    digest
                }
            };
            job.children.push((class, digest));
        }
        Ok(job)
    }

    /// Fetches the file of a class and checks it.
    fn take(&mut self, material: &Material, file: &str) -> Result<(), CliError> {
        let client = self.client().map_err(FleetFailure::from)?;
        let bytes = wait(client.fetch_file(file)).map_err(FleetFailure::from)?;
        self.tables.take_file(material, &bytes, &self.folder, SAMPLE).map_err(TablesError::from)?;
        self.sent.insert(self.name(material), file.to_owned());
        Ok(())
    }
}

impl FleetWork for TablesWork {
    type Job = TableJob;
    type Record = TableRecord;
    type Error = CliError;
    const KIND: &'static str = TableJob::KIND;
    const MAX_UNITS: usize = 1;

    fn next_job(&mut self, _: usize) -> Option<(usize, TableJob)> {
        let is_ready = |at: &&usize| {
            self.tables.leads_to(&self.classes[**at]).iter().all(|child| self.tables.has(child))
        };
        let at = *self.ledger.open().find(is_ready)?;
        match self.job(&self.classes[at].clone()) {
            Ok(job) => Some((self.ledger.begin_job(vec![at]), job)),
            Err(error) => {
                self.failure = Some(error);
                None
            }
        }
    }

    fn units(_: &TableJob) -> usize {
        1
    }

    fn accept(&mut self, job: usize, worker: &str, records: Vec<TableRecord>) -> Result<bool, CliError> {
        let classes: Vec<Material> = self.classes.clone();
        let mut failure = None;
        let variant = Arc::clone(self.tables.variant());
        let mut ledger = std::mem::take(&mut self.ledger);
        let complete = ledger.accept(job, worker, &mut |&at| {
            let class = classes[at].name(&variant);
            let record = records.iter().find(|record| record.class == class)?;
            match self.take(&classes[at], &record.file) {
                Ok(()) => Some(()),
                Err(error) => {
                    let error = format!("{class}: {error}");
                    failure = Some(TablesError::Worker { worker: worker.to_owned(), error });
                    None
                }
            }
        });
        self.ledger = ledger;
        // One wrong file may have others beside it: the operator has to look at that worker.
        failure.map_or(Ok(complete), |failure| Err(failure.into()))
    }

    fn reopen(&mut self, job: usize) {
        self.ledger.reopen(job);
    }

    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, CliError> {
        let revoked = self.ledger.revoke(worker, checked);
        // What they lead to was made from them.
        let mut wrong: Vec<Material> = revoked.iter().map(|&at| self.classes[at].clone()).collect();
        for material in &self.classes {
            let leads_to_wrong = self.tables.leads_to(material).iter().any(|child| wrong.contains(child));
            if leads_to_wrong && self.tables.has(material) && !wrong.contains(material) {
                wrong.push(material.clone());
            }
        }
        for material in &wrong {
            let name = format!("{}.{}", self.name(material), lozenge_tablebase::EXTENSION);
            let path = self.folder.join(self.tables.variant().id()).join(name);
            std::fs::remove_file(path).map_err(FleetFailure::from)?;
        }
        if wrong.is_empty() {
            return Ok(0);
        }
        let error = format!("its {} tables and those made from them are deleted", revoked.len());
        Err(TablesError::Worker { worker: worker.to_owned(), error }.into())
    }

    fn advance(&mut self) -> Result<(), CliError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    fn is_over(&self) -> bool {
        self.ledger.results().count() == self.classes.len()
    }

    fn local_player(&self, job: &TableJob, stop: &'static AtomicBool) -> LocalPlayer<TableRecord, CliError> {
        let (job, variant) = (job.clone(), Arc::clone(self.tables.variant()));
        let (client, source) = (self.client.clone(), self.folder.clone());
        Box::new(move || {
            // Not in the folder of those that were checked.
            let folder = tempfile::tempdir().map_err(FleetFailure::from)?;
            std::fs::create_dir_all(folder.path().join(variant.id())).map_err(FleetFailure::from)?;
            for (class, _) in &job.children {
                std::fs::copy(job.file(class, &source), job.file(class, folder.path()))
                    .map_err(FleetFailure::from)?;
            }
            let made = job.make(&variant, folder.path(), &mut |_| !stop.load(Ordering::Relaxed));
            let bytes = match made {
                Ok(bytes) => bytes,
                Err(TableFault::Generate(lozenge_tablebase::GenerateError::Stopped)) => return Ok(None),
                Err(fault) => return Err(TablesError::from(fault).into()),
            };
            let Some(client) = client else { return Ok(None) };
            let file = Handle::current().block_on(client.put_file(&bytes)).map_err(FleetFailure::from)?;
            Ok(Some(vec![TableRecord { class: job.class, file }]))
        })
    }
}

/// Waits for NATS where the work is not asynchronous.
fn wait<T>(answer: impl Future<Output = T>) -> T {
    block_in_place(|| Handle::current().block_on(answer))
}
