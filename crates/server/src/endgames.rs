//! Endgame tables of the built-in games: files of a folder, and classes of few pieces, which are made when they are first
//! looked up. The site makes the files that every installation has by itself ([`EndgameTables::install`]).

use crate::drills::{self, Drawn, Drill};
use crate::heavy::{HeavyError, HeavyKind, HeavyWork};
use lozenge_game::ClientAddress;
use lozenge_live::games::LiveGames;
use lozenge_live::jobs::at_lowest_priority;
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{
    EXTENSION, FileError, GenerateError, INSTALLED, Material, Resources, SharedTables, Tables, Value,
};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Most pieces of a class that is made when it is needed. A class takes up to five seconds of one processor, once; those of
/// all games together take four minutes.
const PIECES_MADE: usize = 3;

/// The resources of making one.
const RESOURCES: Resources = Resources { threads: 1, memory: 256 << 20 };

/// Why the tables have no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EndgameError {
    /// The work is not done.
    #[error(transparent)]
    Heavy(#[from] HeavyError),
    /// A file of tables cannot be read or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table cannot be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),
}

/// The value of a position and of its legal moves.
type Looked = (Value, Vec<(Move, Value)>);

/// How often the making of tables checks whether the engine plays a move, and how long it waits at most for one half move.
const PLAYING_POLL: Duration = Duration::from_millis(20);
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// The tables of one game.
#[derive(Debug, Default)]
struct GameTables {
    /// Held while a class is made, so that it is made once.
    making: Arc<Mutex<()>>,
    /// The most pieces of a position that they cover, as the names of the files have it.
    pieces: AtomicUsize,
}

/// The tables of the built-in games.
#[derive(Debug)]
pub(crate) struct EndgameTables {
    tables: SharedTables,
    games: HashMap<&'static str, GameTables>,
    /// Whether the site closes.
    closing: AtomicBool,
    /// Not the threads of other costly work, which would wait while a table is made.
    work: HeavyWork,
}

impl EndgameTables {
    /// These tables.
    pub(crate) fn new(tables: SharedTables) -> Self {
        let game = |id| {
            let in_files = tables.folder().map_or(0, |folder| most_pieces(&folder.join(id)));
            (id, GameTables { making: Arc::default(), pieces: in_files.max(PIECES_MADE).into() })
        };
        let games = library::ids().take(library::OWN_GAMES).map(game).collect();
        Self { tables, games, closing: AtomicBool::new(false), work: HeavyWork::default() }
    }

    /// Makes the files that every installation has, as far as they are missing, on one thread of the lowest priority,
    /// which stands still while the engine plays. What is finished stays: the next start goes on.
    pub(crate) async fn install(self: Arc<Self>, games: LiveGames, delay: Duration) {
        tokio::time::sleep(delay).await;
        let made = at_lowest_priority("tables", move || self.install_now(&games));
        match made {
            Ok(made) => {
                if let Ok(Err(error)) = made.await {
                    tracing::warn!(%error, "endgame tables are not made");
                }
            }
            Err(error) => tracing::warn!(%error, "no thread for endgame tables"),
        }
    }

    fn install_now(&self, games: &LiveGames) -> Result<(), EndgameError> {
        let Some(folder) = self.tables.folder() else { return Ok(()) };
        let is_open = || {
            let mut pause = Duration::ZERO;
            while games.engines().is_playing() && pause < MAX_PAUSE {
                std::thread::sleep(PLAYING_POLL);
                pause += PLAYING_POLL;
            }
            !self.closing.load(Ordering::Relaxed)
        };
        for (id, pieces) in INSTALLED {
            let (Some(variant), Some(game)) = (library::game(id), self.games.get(id)) else { continue };
            // Not those of the site, some of which may be in memory only.
            let (mut tables, _) = Tables::open_whole(&variant, folder)?;
            for material in tables.classes(pieces)? {
                if tables.has(&material) {
                    continue;
                }
                match tables.generate(&material, Some(folder), RESOURCES, &mut |_| is_open()) {
                    Err(GenerateError::Stopped) => return Ok(()),
                    made => made?,
                }
                self.tables.extend(&tables);
                game.pieces.fetch_max(material.pieces(), Ordering::Relaxed);
            }
        }
        tracing::info!(folder = %folder.display(), "all endgame tables of an installation are there");
        Ok(())
    }

    /// Ends the making of tables.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// The value of a position and of its legal moves, the best first; `None` where no table covers it.
    ///
    /// # Errors
    /// When a table is damaged or cannot be made, or too many requests wait.
    pub(crate) async fn look_up(
        &self,
        client: ClientAddress,
        position: AnyPosition,
    ) -> Result<Option<Looked>, EndgameError> {
        let variant = Arc::clone(position.variant());
        self.run(client, &variant, move |opened| opened.look_up(&position)).await
    }

    /// The games, and the most pieces of a position that their tables cover.
    pub(crate) fn coverage(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.games.iter().map(|(id, game)| (*id, game.pieces.load(Ordering::Relaxed)))
    }

    /// The drills of a game, the easiest first.
    ///
    /// # Errors
    /// As for [`Self::look_up`].
    pub(crate) async fn drills(
        &self,
        client: ClientAddress,
        variant: &Arc<Variant>,
    ) -> Result<Vec<Drill>, EndgameError> {
        let list = self.run(client, variant, |opened| Ok(Some(drills::list(&*opened.now()?)))).await?;
        Ok(list.unwrap_or_default())
    }

    /// A position for a drill; `None` where there is no such drill.
    ///
    /// # Errors
    /// As for [`Self::look_up`].
    pub(crate) async fn draw(
        &self,
        client: ClientAddress,
        variant: &Arc<Variant>,
        class: String,
    ) -> Result<Option<Drawn>, EndgameError> {
        self.run(client, variant, move |opened| opened.draw(&class)).await
    }

    /// Does something with the tables of a built-in game; `None` for other games.
    async fn run<T: Send + 'static>(
        &self,
        client: ClientAddress,
        variant: &Arc<Variant>,
        work: impl FnOnce(Opened) -> Result<Option<T>, EndgameError> + Send + 'static,
    ) -> Result<Option<T>, EndgameError> {
        // A host's own game may have the id of none of these.
        let built_in = library::game(variant.id()).is_some_and(|game| game.texts() == variant.texts());
        let Some(game) = self.games.get(variant.id()).filter(|_| built_in) else { return Ok(None) };
        let (tables, variant) = (self.tables.clone(), Arc::clone(variant));
        let opened = Opened { tables, variant, making: Arc::clone(&game.making) };
        self.work.run(client, HeavyKind::Table, move || work(opened)).await?
    }
}

/// The tables of one game, on a thread for costly work.
struct Opened {
    tables: SharedTables,
    variant: Arc<Variant>,
    making: Arc<Mutex<()>>,
}

impl Opened {
    /// The tables that there are. Files that are refused are reported once.
    fn now(&self) -> Result<Arc<Tables>, FileError> {
        let (tables, refused) = self.tables.open(&self.variant)?;
        for error in refused {
            tracing::warn!(%error, "an endgame table is left out");
        }
        Ok(tables)
    }

    /// The tables with that of a class, which is made in memory if it is missing and has few pieces.
    fn with(&self, material: &Material) -> Result<Arc<Tables>, EndgameError> {
        let is_enough = |tables: &Tables| material.pieces() > PIECES_MADE || tables.has(material);
        let tables = self.now()?;
        if is_enough(&tables) {
            return Ok(tables);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        let tables = self.now()?;
        if is_enough(&tables) {
            return Ok(tables);
        }
        let mut more = Tables::clone(&tables);
        more.generate(material, None, RESOURCES, &mut |_| true)?;
        self.tables.extend(&more);
        Ok(Arc::new(more))
    }

    fn look_up(&self, position: &AnyPosition) -> Result<Option<Looked>, EndgameError> {
        let tables = self.with(&Material::of_position(position))?;
        let Some(value) = tables.probe(position)? else { return Ok(None) };
        let moves = tables.moves(position)?;
        Ok(moves.map(|moves| (value, moves)))
    }

    fn draw(&self, class: &str) -> Result<Option<Drawn>, EndgameError> {
        let drills = drills::list(&*self.now()?);
        let Some(drill) = drills.into_iter().find(|drill| drill.class == class) else { return Ok(None) };
        let Some(material) = Material::parse(&self.variant, class) else { return Ok(None) };
        Ok(drills::draw(&*self.with(&material)?, &material, drill.longest)?)
    }
}

/// The most pieces of a class that has a file in this folder: `KRvK.lzt` has three.
fn most_pieces(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let tables = files.filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    let pieces = |path: PathBuf| Some(path.file_stem()?.to_string_lossy().chars().count() - 1);
    tables.filter_map(pieces).max().unwrap_or(0)
}
