//! Endgame tables of the built-in games: files of a folder, and classes of few pieces, which are made when somebody first
//! looks one up.

use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_tablebase::{Material, Resources, Tables, Value};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{Mutex, OwnedMutexGuard, Semaphore};

/// Classes of so many pieces are made when they are needed: some seconds of one processor for a game, once.
const PIECES_MADE: usize = 3;

/// With what they are made.
const RESOURCES: Resources = Resources { threads: 1, memory: 256 << 20 };

/// The value of a position and of its legal moves.
type Looked = (Value, Vec<(Move, Value)>);

/// The tables of the built-in games.
#[derive(Debug)]
pub(crate) struct EndgameTables {
    folder: Option<PathBuf>,
    /// By game: opened at the first question.
    games: HashMap<&'static str, Arc<Mutex<Option<Tables>>>>,
    /// One table is made at a time.
    making: Arc<Semaphore>,
}

impl EndgameTables {
    /// Tables whose files are in this folder, if there is one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let games = library::ids().take(library::OWN_GAMES).map(|id| (id, Arc::default())).collect();
        Self { folder, games, making: Arc::new(Semaphore::new(1)) }
    }

    /// The value of a position and of its legal moves, the best first; `None` where no table covers it.
    ///
    /// # Errors
    /// When a table is damaged or cannot be made.
    pub(crate) async fn look_up(&self, position: AnyPosition) -> Result<Option<Looked>, String> {
        let variant = Arc::clone(position.variant());
        // A host's own game may have the id of none of these.
        let built_in = library::game(variant.id()).is_some_and(|game| game.texts() == variant.texts());
        let Some(game) = self.games.get(variant.id()).filter(|_| built_in) else { return Ok(None) };
        let mut tables = Arc::clone(game).lock_owned().await;
        let material = Material::of_position(&position);
        let is_made = |tables: &Tables| tables.has(&material) || material.pieces() > PIECES_MADE;
        if tables.as_ref().is_some_and(is_made) {
            return look_up(tables.as_mut(), &position);
        }
        let Ok(making) = Arc::clone(&self.making).acquire_owned().await else { return Ok(None) };
        let folder = self.folder.clone();
        let work = move || {
            let _making = making;
            let mut tables: OwnedMutexGuard<Option<Tables>> = tables;
            if tables.is_none() {
                *tables = Some(open(&variant, folder)?);
            }
            let opened = tables.as_mut();
            if let Some(tables) = opened
                && material.pieces() <= PIECES_MADE
                && !tables.has(&material)
            {
                tables
                    .generate(&material, None, RESOURCES, &mut |_| true)
                    .map_err(|error| error.to_string())?;
            }
            look_up(tables.as_mut(), &position)
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?
    }
}

fn open(variant: &Arc<lozenge_rules::variant::Variant>, folder: Option<PathBuf>) -> Result<Tables, String> {
    let Some(folder) = folder else { return Ok(Tables::new(variant)) };
    let (tables, refused) = Tables::open_whole(variant, &folder).map_err(|error| error.to_string())?;
    for error in refused {
        tracing::warn!(%error, "an endgame table is left out");
    }
    Ok(tables)
}

fn look_up(tables: Option<&mut Tables>, position: &AnyPosition) -> Result<Option<Looked>, String> {
    let Some(tables) = tables else { return Ok(None) };
    let Some(value) = tables.probe(position).map_err(|error| error.to_string())? else { return Ok(None) };
    let moves = tables.moves(position).map_err(|error| error.to_string())?;
    Ok(moves.map(|moves| (value, moves)))
}
