//! Work that many machines share: which parts are done, by which worker of a fleet and in which job; and a fingerprint that two
//! machines with the same job must agree on. Not here: the parts themselves, and how jobs travel.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;

/// The result of a job: some games, and how long they took.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GamesResult<G> {
    /// Seconds.
    pub seconds: f64,
    /// The games.
    pub games: Vec<G>,
}

/// The fingerprint of games, as hexadecimal digits. Two machines with the same engine must get the same one.
#[must_use]
pub fn fingerprint_of<T: Serialize>(games: &[T]) -> String {
    // Games are numbers, texts and lists, which can always be written.
    let text = serde_json::to_string(games).unwrap_or_default();
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Plays a job on this machine; `None` if that was interrupted.
pub type LocalPlayer<R, E> = Box<dyn FnOnce() -> Result<Option<Vec<R>>, E> + Send>;

/// Games that a fleet of workers plays, as jobs.
pub trait FleetWork {
    /// The data of a job: all that a worker needs to play some games.
    type Job: Clone + Serialize + Send + 'static;
    /// A game of its result.
    type Record: Serialize + DeserializeOwned + Send + 'static;
    /// Why the work fails.
    type Error: Send + 'static;
    /// The kind of the jobs.
    const KIND: &'static str;
    /// Most units in a job.
    const MAX_UNITS: usize = 1_000;

    /// The next job, of at most `most` units, with its number. `None` while no job is open.
    fn next_job(&mut self, most: usize) -> Option<(usize, Self::Job)>;

    /// The units of a job: games, or pairs of games.
    fn units(job: &Self::Job) -> usize;

    /// Whether a job has the same result on every machine.
    #[must_use]
    fn is_reproducible(_: &Self::Job) -> bool {
        true
    }

    /// The fingerprint of the games of a job; it must be equal on two machines.
    #[must_use]
    fn fingerprint(games: &[Self::Record]) -> String {
        fingerprint_of(games)
    }

    /// Takes the games of a job. `false` if they are not those of the job; then the missing ones are open again.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn accept(&mut self, job: usize, worker: &str, games: Vec<Self::Record>) -> Result<bool, Self::Error>;

    /// Opens the games of a job again, which has no result.
    fn reopen(&mut self, job: usize);

    /// Opens all units again that a worker has played since a job of it that was checked, and counts again. Returns how many
    /// there are.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Result<usize, Self::Error>;

    /// Counts and writes the games that are in, up to the first that is missing.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn advance(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether the work is done.
    fn is_over(&self) -> bool;

    /// Plays a job on this machine until `stop` is set.
    fn local_player(
        &self,
        job: &Self::Job,
        stop: &'static AtomicBool,
    ) -> LocalPlayer<Self::Record, Self::Error>;
}

/// A part that is done.
#[derive(Debug)]
struct Done<R> {
    result: R,
    worker: String,
    job: usize,
}

/// The parts of some work by key, in their order.
#[derive(Debug)]
pub struct Ledger<K, R> {
    open: BTreeSet<K>,
    /// By job.
    out: HashMap<usize, Vec<K>>,
    done: BTreeMap<K, Done<R>>,
    jobs: usize,
}

impl<K, R> Default for Ledger<K, R> {
    fn default() -> Self {
        Self { open: BTreeSet::new(), out: HashMap::new(), done: BTreeMap::new(), jobs: 0 }
    }
}

impl<K: Ord + Clone, R> Ledger<K, R> {
    /// Adds a part that is to be done.
    pub fn add(&mut self, key: K) {
        self.open.insert(key);
    }

    /// The parts that are neither done nor in a job, in order.
    pub fn open(&self) -> impl Iterator<Item = &K> {
        self.open.iter()
    }

    /// Whether a part was added before.
    #[must_use]
    pub fn has(&self, key: &K) -> bool {
        self.open.contains(key)
            || self.done.contains_key(key)
            || self.out.values().any(|keys| keys.contains(key))
    }

    /// Puts parts into a job, and returns its number.
    pub fn begin_job(&mut self, keys: Vec<K>) -> usize {
        for key in &keys {
            self.open.remove(key);
        }
        let number = self.jobs;
        self.jobs += 1;
        self.out.insert(number, keys);
        number
    }

    /// Takes the results of a job. Parts without one are open again; `false` if there are any. A job that was taken before
    /// changes nothing.
    pub fn accept(&mut self, job: usize, worker: &str, result_of: &mut dyn FnMut(&K) -> Option<R>) -> bool {
        let mut complete = true;
        for key in self.out.remove(&job).unwrap_or_default() {
            match result_of(&key) {
                Some(result) => {
                    self.done.insert(key, Done { result, worker: worker.to_owned(), job });
                }
                None => {
                    complete = false;
                    self.open.insert(key);
                }
            }
        }
        complete
    }

    /// Opens the parts of a job again, which has no result.
    pub fn reopen(&mut self, job: usize) {
        self.open.extend(self.out.remove(&job).unwrap_or_default());
    }

    /// Opens the parts again that a worker has done since a job of it that was checked, and returns them.
    pub fn revoke(&mut self, worker: &str, checked: Option<usize>) -> Vec<K> {
        let is_revoked =
            |done: &Done<R>| done.worker == worker && checked.is_none_or(|checked| done.job > checked);
        let revoked: Vec<K> =
            self.done.iter().filter(|(_, done)| is_revoked(done)).map(|(key, _)| key.clone()).collect();
        for key in &revoked {
            self.done.remove(key);
            self.open.insert(key.clone());
        }
        revoked
    }

    /// The result of a part that is done.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&R> {
        self.done.get(key).map(|done| &done.result)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut R> {
        self.done.get_mut(key).map(|done| &mut done.result)
    }

    /// The results of all parts that are done, in order.
    pub fn results(&self) -> impl Iterator<Item = &R> {
        self.done.values().map(|done| &done.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_without_a_result_are_reopened() {
        let mut ledger = Ledger::default();
        (0..4).for_each(|key| ledger.add(key));
        let job = ledger.begin_job(vec![0, 1, 2]);
        assert_eq!(ledger.open().collect::<Vec<_>>(), [&3]);
        assert!(!ledger.accept(job, "ann", &mut |&key| (key != 1).then_some(10 * key)));
        assert!(ledger.accept(job, "bob", &mut |_| Some(7)), "it was taken before");
        assert_eq!((ledger.get(&2), ledger.get(&1)), (Some(&20), None));
        let job = ledger.begin_job(vec![1, 3]);
        assert!(ledger.has(&3) && !ledger.has(&4));
        ledger.reopen(job);
        assert_eq!(ledger.open().collect::<Vec<_>>(), [&1, &3]);
    }

    #[test]
    fn work_since_the_last_correct_job_can_be_revoked() {
        let mut ledger = Ledger::default();
        for (key, worker) in [(0, "ann"), (1, "bob"), (2, "ann"), (3, "ann")] {
            ledger.add(key);
            let job = ledger.begin_job(vec![key]);
            assert!(ledger.accept(job, worker, &mut |_| Some(())));
        }
        assert_eq!(ledger.revoke("ann", Some(0)), [2, 3]);
        assert_eq!(ledger.revoke("bob", None), [1]);
        assert_eq!(ledger.results().count(), 1);
    }
}
