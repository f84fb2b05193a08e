//! Endgame tables of the built-in games: files of a folder, and classes of few pieces, which are made when they are first
//! looked up.

use crate::drills::{self, Drawn, Drill};
use crate::heavy::{HeavyError, HeavyKind, HeavyWork};
use lozenge_game::ClientAddress;
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{EXTENSION, FileError, GenerateError, Material, Resources, Tables, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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

/// The tables of one game.
#[derive(Debug)]
struct GameTables {
    /// Opened at the first question.
    opened: Arc<Mutex<Option<Tables>>>,
    /// The most pieces of a position that they cover, as the names of the files have it.
    pieces: usize,
}

/// The tables of the built-in games.
#[derive(Debug)]
pub(crate) struct EndgameTables {
    folder: Option<PathBuf>,
    games: HashMap<&'static str, GameTables>,
    /// Not the threads of other costly work, which would wait while a table is made.
    work: HeavyWork,
}

impl EndgameTables {
    /// Tables whose files are in this folder, if there is one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let game = |id| {
            let in_files = folder.as_deref().map_or(0, |folder| most_pieces(&folder.join(id)));
            (id, GameTables { opened: Arc::default(), pieces: in_files.max(PIECES_MADE) })
        };
        let games = library::ids().take(library::OWN_GAMES).map(game).collect();
        Self { folder, games, work: HeavyWork::default() }
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
        self.run(client, &variant, move |tables| look_up(tables, &position)).await
    }

    /// The games, and the most pieces of a position that their tables cover.
    pub(crate) fn coverage(&self) -> impl Iterator<Item = (&'static str, usize)> {
        self.games.iter().map(|(id, game)| (*id, game.pieces))
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
        let list = self.run(client, variant, |tables| Ok(Some(drills::list(tables)))).await?;
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
        self.run(client, variant, move |tables| draw(tables, &class)).await
    }

    /// Does something with the tables of a built-in game; `None` for other games.
    async fn run<T: Send + 'static>(
        &self,
        client: ClientAddress,
        variant: &Arc<Variant>,
        work: impl FnOnce(&mut Tables) -> Result<Option<T>, EndgameError> + Send + 'static,
    ) -> Result<Option<T>, EndgameError> {
        // A host's own game may have the id of none of these.
        let built_in = library::game(variant.id()).is_some_and(|game| game.texts() == variant.texts());
        let Some(game) = self.games.get(variant.id()).filter(|_| built_in) else { return Ok(None) };
        let (game, folder, variant) = (Arc::clone(&game.opened), self.folder.clone(), Arc::clone(variant));
        let work = move || {
            let mut opened = game.lock().unwrap_or_else(PoisonError::into_inner);
            let tables = match &mut *opened {
                Some(tables) => tables,
                none => none.insert(open(&variant, folder.as_deref())?),
            };
            work(tables)
        };
        self.work.run(client, HeavyKind::Table, work).await?
    }
}

/// The most pieces of a class that has a file in this folder: `KRvK.lzt` has three.
fn most_pieces(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let tables = files.filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION));
    let pieces = |path: PathBuf| Some(path.file_stem()?.to_string_lossy().chars().count() - 1);
    tables.filter_map(pieces).max().unwrap_or(0)
}

fn open(variant: &Arc<Variant>, folder: Option<&Path>) -> Result<Tables, FileError> {
    let Some(folder) = folder else { return Ok(Tables::new(variant)) };
    let (tables, refused) = Tables::open_whole(variant, folder)?;
    for error in refused {
        tracing::warn!(%error, "an endgame table is left out");
    }
    Ok(tables)
}

fn look_up(tables: &mut Tables, position: &AnyPosition) -> Result<Option<Looked>, EndgameError> {
    complete(tables, &Material::of_position(position))?;
    let Some(value) = tables.probe(position)? else { return Ok(None) };
    let moves = tables.moves(position)?;
    Ok(moves.map(|moves| (value, moves)))
}

fn draw(tables: &mut Tables, class: &str) -> Result<Option<Drawn>, EndgameError> {
    let Some(drill) = drills::list(tables).into_iter().find(|drill| drill.class == class) else {
        return Ok(None);
    };
    let Some(material) = Material::parse(tables.variant(), class) else { return Ok(None) };
    complete(tables, &material)?;
    Ok(drills::draw(tables, &material, drill.longest)?)
}

/// Makes the table of a class with few pieces if it is missing.
fn complete(tables: &mut Tables, material: &Material) -> Result<(), GenerateError> {
    if material.pieces() > PIECES_MADE || tables.has(material) {
        return Ok(());
    }
    tables.generate(material, None, RESOURCES, &mut |_| true)
}
