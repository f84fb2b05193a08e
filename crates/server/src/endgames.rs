//! Endgame tables of the built-in games: files of a folder, and classes of few pieces, which are made when they are first
//! looked up.

use crate::error::AppError;
use crate::heavy::{HeavyKind, HeavyWork};
use lozenge_game::ClientAddress;
use lozenge_rules::library;
use lozenge_rules::position::{AnyPosition, Move};
use lozenge_rules::variant::Variant;
use lozenge_tablebase::{Material, Resources, Tables, Value};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Most pieces of a class that is made when it is needed. A class takes up to five seconds of one processor, once; those of
/// all games together take four minutes.
const PIECES_MADE: usize = 3;

/// The resources of making one.
const RESOURCES: Resources = Resources { threads: 1, memory: 256 << 20 };

/// The value of a position and of its legal moves.
type Looked = (Value, Vec<(Move, Value)>);

/// The tables of the built-in games.
#[derive(Debug)]
pub(crate) struct EndgameTables {
    folder: Option<PathBuf>,
    /// By game: opened at the first question.
    games: HashMap<&'static str, Arc<Mutex<Option<Tables>>>>,
    /// Not the threads of other costly work, which would wait while a table is made.
    work: HeavyWork,
}

impl EndgameTables {
    /// Tables whose files are in this folder, if there is one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let games = library::ids().take(library::OWN_GAMES).map(|id| (id, Arc::default())).collect();
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
    ) -> Result<Option<Looked>, AppError> {
        let variant = Arc::clone(position.variant());
        // A host's own game may have the id of none of these.
        let built_in = library::game(variant.id()).is_some_and(|game| game.texts() == variant.texts());
        let Some(game) = self.games.get(variant.id()).filter(|_| built_in) else { return Ok(None) };
        let (game, folder) = (Arc::clone(game), self.folder.clone());
        let work = move || {
            let mut opened = game.lock().unwrap_or_else(PoisonError::into_inner);
            let tables = match &mut *opened {
                Some(tables) => tables,
                none => none.insert(open(&variant, folder.as_deref())?),
            };
            look_up(tables, &position)
        };
        self.work.run(client, HeavyKind::Table, work).await?.map_err(AppError::Internal)
    }
}

fn open(variant: &Arc<Variant>, folder: Option<&Path>) -> Result<Tables, String> {
    let Some(folder) = folder else { return Ok(Tables::new(variant)) };
    let (tables, refused) = Tables::open_whole(variant, folder).map_err(|error| error.to_string())?;
    for error in refused {
        tracing::warn!(%error, "an endgame table is left out");
    }
    Ok(tables)
}

fn look_up(tables: &mut Tables, position: &AnyPosition) -> Result<Option<Looked>, String> {
    let material = Material::of_position(position);
    if material.pieces() <= PIECES_MADE && !tables.has(&material) {
        tables.generate(&material, None, RESOURCES, &mut |_| true).map_err(|error| error.to_string())?;
    }
    let Some(value) = tables.probe(position).map_err(|error| error.to_string())? else { return Ok(None) };
    let moves = tables.moves(position).map_err(|error| error.to_string())?;
    Ok(moves.map(|moves| (value, moves)))
}
