//! The jobs of a worker: each kind from its text to its result. Rules that are not built in are fetched by digest.

use super::KINDS;
use async_trait::async_trait;
use lozenge_analysis::job::SearchJob;
use lozenge_analysis::review::{ReviewFault, ReviewJob};
use lozenge_engine::{Engine, Signals};
use lozenge_game::convert::digest_of;
use lozenge_lab::ledger::GamesResult;
use lozenge_lab::matches::{OwnEngine, PairsFault, PairsJob};
use lozenge_lab::report::ReportJob;
use lozenge_lab::tables::{TableFault, TableJob, TableRecord};
use lozenge_lab::tuning::data;
use lozenge_lab::tuning::fleet::DataJob;
use lozenge_protocol::client::Program;
use lozenge_queue::{Activity, Client, Lease, RemoteQueue, Work, WorkError, file_digest};
use lozenge_rules::library;
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{GenerateError, SharedTables};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tempfile::TempDir;

/// Most compiled games in memory.
const MAX_GAMES: usize = 64;

/// A game with the file that engines read it from, if it is not built in.
#[derive(Clone, Debug)]
struct Loaded {
    variant: Arc<Variant>,
    file: Option<PathBuf>,
}

/// Does the jobs.
#[derive(Debug)]
pub(super) struct Jobs {
    client: Client,
    queue: Arc<RemoteQueue>,
    hash_mib: usize,
    /// Endgame tables for moves and reviews.
    tables: SharedTables,
    /// The program that plays.
    own: PathBuf,
    /// The variant files that were fetched.
    folder: TempDir,
    games: Mutex<HashMap<(String, String), Loaded>>,
    /// Engines that are not in use, by the kind of jobs that they do.
    engines: Mutex<HashMap<&'static str, Vec<Engine>>>,
    running: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(error: impl std::fmt::Display) -> WorkError {
    WorkError::Failed(error.to_string())
}

impl Jobs {
    pub(super) fn new(
        client: Client,
        queue: Arc<RemoteQueue>,
        hash_mib: usize,
        tables: SharedTables,
    ) -> io::Result<Self> {
        Ok(Self {
            client,
            queue,
            hash_mib,
            tables,
            own: std::env::current_exe()?,
            folder: TempDir::new()?,
            games: Mutex::default(),
            engines: Mutex::default(),
            running: AtomicUsize::new(0),
        })
    }

    /// Jobs that are being done.
    pub(super) fn running(&self) -> usize {
        self.running.load(Ordering::Relaxed)
    }

    /// Runs an engine of this kind of jobs on a thread of its own.
    async fn with_engine<T: Send + 'static>(
        &self,
        kind: &'static str,
        activity: &Activity,
        work: impl FnOnce(&mut Engine, &Signals) -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        let idle = lock(&self.engines).get_mut(kind).and_then(Vec::pop);
        let (hash_mib, tables) = (self.hash_mib, self.tables.clone());
        let fresh = move || {
            if kind == DataJob::KIND {
                return data::engine();
            }
            let mut engine = Engine::new(hash_mib);
            engine.set_shared_tables(tables);
            engine
        };
        let signals = Signals::default();
        let stop = signals.clone();
        let working = tokio::task::spawn_blocking(move || {
            let mut engine = idle.unwrap_or_else(fresh);
            let result = work(&mut engine, &signals);
            (result, engine)
        });
        let (result, engine) = stoppable(working, activity, || stop.stop()).await?;
        lock(&self.engines).entry(kind).or_default().push(engine);
        Ok(result)
    }

    async fn search(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: SearchJob = read(&lease.spec)?;
        let variant = self.game(&lease.queue, &job.game.variant, &job.game.digest).await?.variant;
        let work = move |engine: &mut Engine, signals: &Signals| job.run(&variant, engine, signals);
        let found = self.with_engine(SearchJob::KIND, activity, work).await?.map_err(failed)?;
        // A stopped search has no result to send.
        if activity.is_stopped() { Err(WorkError::Stopped) } else { write(&found) }
    }

    async fn review(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: ReviewJob = read(&lease.spec)?;
        let variant = self.game(&lease.queue, &job.game.variant, &job.game.digest).await?.variant;
        let (positions, reporting) = (job.game.moves.len() + 1, activity.clone());
        let work = move |engine: &mut Engine, signals: &Signals| {
            let mut report = |done: usize| reporting.report(format!("{done}/{positions}"));
            job.run(&variant, engine, signals, &mut report)
        };
        match self.with_engine(ReviewJob::KIND, activity, work).await? {
            Ok(review) => write(&review),
            Err(ReviewFault::Stopped) => Err(WorkError::Stopped),
            Err(fault) => Err(failed(fault)),
        }
    }

    async fn report(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: ReportJob = read(&lease.spec)?;
        let variant = self.game(&lease.queue, &job.variant, &job.digest).await?.variant;
        let (begun, stop, reporting) = (Instant::now(), Arc::<AtomicBool>::default(), activity.clone());
        let stopped = Arc::clone(&stop);
        let playing = tokio::task::spawn_blocking(move || {
            let mut report = |done: usize| reporting.report(format!("{done}/{}", job.games.len()));
            job.play(&variant, &stopped, &|| {}, &mut report)
        });
        let played = stoppable(playing, activity, || stop.store(true, Ordering::Relaxed)).await?;
        write(&games_result(begun, played.ok_or(WorkError::Stopped)?))
    }

    async fn data(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: DataJob = read(&lease.spec)?;
        let variant = self.game(&lease.queue, &job.variant, &job.digest).await?.variant;
        let (begun, playing) = (Instant::now(), activity.clone());
        let work = move |engine: &mut Engine, _: &Signals| {
            let mut report = |done: usize| playing.report(format!("{done}/{}", job.games.len()));
            job.play(&variant, engine, &|| playing.is_stopped(), &mut report)
        };
        let played = self.with_engine(DataJob::KIND, activity, work).await?;
        write(&games_result(begun, played.ok_or(WorkError::Stopped)?))
    }

    async fn pairs(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: PairsJob = read(&lease.spec)?;
        let game = self.game(&lease.queue, &job.variant, &job.digest).await?;
        let own = OwnEngine {
            program: Program { path: self.own.clone(), arguments: vec!["engine".into()] },
            variant_file: game.file.map(|file| file.display().to_string()),
        };
        let (begun, playing) = (Instant::now(), activity.clone());
        let played = tokio::task::spawn_blocking(move || {
            let report = |done: usize| playing.report(format!("{done}/{}", job.games.len()));
            job.play(&game.variant, &own, &|| playing.is_stopped(), &report)
        });
        match stoppable(played, activity, || {}).await? {
            Ok(games) => write(&games_result(begun, games)),
            Err(PairsFault::Stopped) => Err(WorkError::Stopped),
            Err(fault) => Err(failed(fault)),
        }
    }

    /// Makes an endgame table from those that it leads to, which stay here for the next one.
    async fn table(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: TableJob = read(&lease.spec)?;
        let variant = self.game(&lease.queue, &job.variant, &job.digest).await?.variant;
        let folder = self.folder.path().join(format!("tables-{}", job.digest));
        for (class, digest) in &job.children {
            let path = job.file(class, &folder);
            if std::fs::read(&path).is_ok_and(|bytes| file_digest(&bytes) == *digest) {
                continue;
            }
            let bytes = self.client.fetch_file(digest).await.map_err(failed)?;
            // Another job may do the same.
            let unfinished = path.with_extension(&lease.id);
            std::fs::create_dir_all(folder.join(variant.id())).map_err(failed)?;
            std::fs::write(&unfinished, bytes).map_err(failed)?;
            std::fs::rename(&unfinished, &path).map_err(failed)?;
        }
        let (begun, stop, reporting) = (Instant::now(), Arc::<AtomicBool>::default(), activity.clone());
        let stopped = Arc::clone(&stop);
        let class = job.class.clone();
        let working = tokio::task::spawn_blocking(move || {
            job.make(&variant, &folder, &mut |distance| {
                reporting.report(format!("{distance} half moves"));
                !stopped.load(Ordering::Relaxed)
            })
        });
        let bytes = match stoppable(working, activity, || stop.store(true, Ordering::Relaxed)).await? {
            Err(TableFault::Generate(GenerateError::Stopped)) => return Err(WorkError::Stopped),
            made => made.map_err(failed)?,
        };
        let file = self.client.put_file(&bytes).await.map_err(failed)?;
        write(&games_result(begun, vec![TableRecord { class, file }]))
    }

    /// The rules with a digest: built in, or fetched from the queue that names them.
    async fn game(&self, queue: &str, id: &str, digest: &str) -> Result<Loaded, WorkError> {
        let built_in = library::game(id).filter(|game| digest_of(game.texts()) == digest);
        if let Some(variant) = built_in {
            return Ok(Loaded { variant, file: None });
        }
        let key = (id.to_owned(), digest.to_owned());
        if let Some(game) = lock(&self.games).get(&key) {
            return Ok(game.clone());
        }
        let texts = self.queue.texts(queue, digest).await.map_err(failed)?;
        let texts =
            texts.ok_or_else(|| WorkError::Failed(format!("expected the rules {digest}, found none")))?;
        if digest_of(&texts) != digest {
            return Err(WorkError::Failed(format!("expected the rules {digest}, found others")));
        }
        let folder = self.folder.path().join(digest);
        let loaded = tokio::task::spawn_blocking({
            let id = id.to_owned();
            move || load(&id, &texts, &folder)
        });
        let loaded = loaded.await.map_err(failed)??;
        let mut games = lock(&self.games);
        if games.len() >= MAX_GAMES {
            games.clear();
        }
        games.insert(key, loaded.clone());
        Ok(loaded)
    }
}

/// Compiles a game, and writes its files for engines: its own, and beside it those that it extends.
fn load(id: &str, texts: &[String], folder: &Path) -> Result<Loaded, WorkError> {
    let names = RefCell::new(vec![id.to_owned()]);
    let extended = |name: &str| {
        let mut names = names.borrow_mut();
        names.push(name.to_owned());
        texts.get(names.len() - 1).cloned()
    };
    let own = texts.first().map_or("", String::as_str);
    let variant = Variant::parse_stored(id, own, &extended).map_err(failed)?;
    std::fs::create_dir_all(folder).map_err(failed)?;
    let names = names.into_inner();
    let path_of = |name: &str| {
        // The name of a game, and nothing else that a path could be.
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '~');
        is_name.then(|| folder.join(format!("{name}.toml")))
    };
    for (name, text) in names.iter().zip(texts) {
        let path = path_of(name)
            .ok_or_else(|| WorkError::Failed(format!("expected the id of a game, found `{name}`")))?;
        std::fs::write(path, text).map_err(failed)?;
    }
    Ok(Loaded { variant, file: path_of(id) })
}

/// Reads the text of a job.
fn read<T: DeserializeOwned>(spec: &str) -> Result<T, WorkError> {
    serde_json::from_str(spec)
        .map_err(|error| WorkError::Failed(format!("expected a job of this version: {error}")))
}

/// Writes a result.
fn write(result: &impl Serialize) -> Result<String, WorkError> {
    serde_json::to_string(result).map_err(failed)
}

fn games_result<G>(begun: Instant, games: Vec<G>) -> GamesResult<G> {
    GamesResult { seconds: begun.elapsed().as_secs_f64(), games }
}

/// Waits for work on a thread; calls `stop` when it should stop.
async fn stoppable<T>(
    mut work: tokio::task::JoinHandle<T>,
    activity: &Activity,
    stop: impl FnOnce(),
) -> Result<T, WorkError> {
    let ended = tokio::select! {
        ended = &mut work => ended,
        () = activity.stopped() => {
            stop();
            work.await
        }
    };
    ended.map_err(|error| WorkError::Failed(format!("internal error: {error}")))
}

#[async_trait]
impl Work for Jobs {
    async fn run(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        self.running.fetch_add(1, Ordering::Relaxed);
        let done = match lease.kind.as_str() {
            SearchJob::KIND => self.search(lease, activity).await,
            ReviewJob::KIND => self.review(lease, activity).await,
            ReportJob::KIND => self.report(lease, activity).await,
            DataJob::KIND => self.data(lease, activity).await,
            PairsJob::KIND => self.pairs(lease, activity).await,
            TableJob::KIND => self.table(lease, activity).await,
            kind => {
                let kinds = KINDS.join(", ");
                Err(WorkError::Failed(format!("expected a job of the kinds {kinds}, found `{kind}`")))
            }
        };
        self.running.fetch_sub(1, Ordering::Relaxed);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_game_load_as_the_same_game() {
        let own = "extends = \"middle\"\nid = \"own\"\nname = \"Own Chess\"\n";
        let middle = "extends = \"chess\"\nid = \"middle\"\nname = \"Middle\"\n";
        let texts = [own.to_owned(), middle.to_owned(), library::text("chess").unwrap()];
        let folder = TempDir::new().unwrap();
        let loaded = load("own", &texts, folder.path()).unwrap();
        let again = crate::games::load(loaded.file.unwrap().to_str().unwrap()).unwrap();
        assert_eq!((again.id(), digest_of(again.texts())), ("own", digest_of(&texts)));
        assert_eq!(digest_of(loaded.variant.texts()), digest_of(&texts));
        assert!(matches!(load("../own", &texts, folder.path()), Err(WorkError::Failed(_))));
    }
}
