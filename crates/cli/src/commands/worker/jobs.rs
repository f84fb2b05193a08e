//! The jobs of a worker: each kind from its text to its result. Rules that are not built in are fetched by digest.

use super::{PAIRS, REVIEW};
use async_trait::async_trait;
use lozenge_analysis::review::{ReviewFault, ReviewJob};
use lozenge_engine::{Engine, Signals};
use lozenge_lab::matches::{GameRecord, OwnEngine, PairsFault, PairsJob};
use lozenge_protocol::client::Program;
use lozenge_queue::{Activity, Lease, RemoteQueue, Work, WorkError, digest_of};
use lozenge_rules::library;
use lozenge_rules::variant::Variant;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tempfile::TempDir;

/// Most games that are kept compiled.
const MOST_GAMES: usize = 64;

/// The result of some pairs.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PairsResult {
    /// How long they took.
    pub(crate) seconds: f64,
    /// The games.
    pub(crate) games: Vec<GameRecord>,
}

/// A game with the file that engines read it from, if it is not built in.
#[derive(Clone, Debug)]
struct Loaded {
    variant: Arc<Variant>,
    file: Option<PathBuf>,
}

/// Does the jobs.
#[derive(Debug)]
pub(super) struct Jobs {
    queue: Arc<RemoteQueue>,
    hash_mib: usize,
    /// The program that plays.
    own: PathBuf,
    /// The variant files that were fetched.
    folder: TempDir,
    games: Mutex<HashMap<(String, String), Loaded>>,
    /// Engines that are not in use.
    engines: Mutex<Vec<Engine>>,
    busy: AtomicUsize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed(error: impl std::fmt::Display) -> WorkError {
    WorkError::Failed(error.to_string())
}

impl Jobs {
    pub(super) fn new(queue: Arc<RemoteQueue>, hash_mib: usize) -> io::Result<Self> {
        Ok(Self {
            queue,
            hash_mib,
            own: std::env::current_exe()?,
            folder: TempDir::new()?,
            games: Mutex::default(),
            engines: Mutex::default(),
            busy: AtomicUsize::new(0),
        })
    }

    /// Jobs that are being done.
    pub(super) fn busy(&self) -> usize {
        self.busy.load(Ordering::Relaxed)
    }

    async fn review(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: ReviewJob = read(&lease.spec)?;
        let game = self.game(&lease.queue, &job.variant, &job.digest).await?;
        let mut engine = lock(&self.engines).pop().unwrap_or_else(|| Engine::new(self.hash_mib));
        let (signals, positions, reporting) = (Signals::default(), job.moves.len() + 1, activity.clone());
        let stop = signals.clone();
        let reviewing = tokio::task::spawn_blocking(move || {
            let mut report = |done: usize| reporting.report(format!("{done}/{positions}"));
            let made = job.run(&game.variant, &mut engine, &signals, &mut report);
            (made, engine)
        });
        let (made, engine) = stoppable(reviewing, activity, || stop.stop()).await?;
        lock(&self.engines).push(engine);
        match made {
            Ok(review) => serde_json::to_string(&review).map_err(failed),
            Err(ReviewFault::Stopped) => Err(WorkError::Stopped),
            Err(fault) => Err(failed(fault)),
        }
    }

    async fn pairs(&self, lease: &Lease, activity: &Activity) -> Result<String, WorkError> {
        let job: PairsJob = read(&lease.spec)?;
        let game = self.game(&lease.queue, &job.variant, &job.digest).await?;
        let own = OwnEngine {
            program: Program { path: self.own.clone(), arguments: vec!["engine".into()] },
            variant_file: game.file.map(|file| file.display().to_string()),
        };
        let playing = activity.clone();
        let begun = Instant::now();
        let played = tokio::task::spawn_blocking(move || {
            let report = |done: usize| playing.report(format!("{done}/{}", job.games.len()));
            job.play(&game.variant, &own, &|| playing.is_stopped(), &report)
        });
        match stoppable(played, activity, || {}).await? {
            Ok(games) => {
                let result = PairsResult { seconds: begun.elapsed().as_secs_f64(), games };
                serde_json::to_string(&result).map_err(failed)
            }
            Err(PairsFault::Stopped) => Err(WorkError::Stopped),
            Err(fault) => Err(failed(fault)),
        }
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
        if games.len() >= MOST_GAMES {
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
    let place = |name: &str| {
        // The name of a game, and nothing else that a path could be.
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '~');
        is_name.then(|| folder.join(format!("{name}.toml")))
    };
    for (name, text) in names.iter().zip(texts) {
        let place = place(name)
            .ok_or_else(|| WorkError::Failed(format!("expected the id of a game, found `{name}`")))?;
        std::fs::write(place, text).map_err(failed)?;
    }
    Ok(Loaded { variant, file: place(id) })
}

/// Reads the text of a job.
fn read<T: DeserializeOwned>(spec: &str) -> Result<T, WorkError> {
    serde_json::from_str(spec)
        .map_err(|error| WorkError::Failed(format!("expected a job of this version: {error}")))
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
        self.busy.fetch_add(1, Ordering::Relaxed);
        let done = match lease.kind.as_str() {
            REVIEW => self.review(lease, activity).await,
            PAIRS => self.pairs(lease, activity).await,
            kind => Err(WorkError::Failed(format!(
                "expected a job of the kinds {REVIEW} and {PAIRS}, found `{kind}`"
            ))),
        };
        self.busy.fetch_sub(1, Ordering::Relaxed);
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
