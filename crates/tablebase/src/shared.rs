//! The tables of all games in one folder, for many threads at once. Those of a game are opened when they are first needed, and can
//! become more at any time.

use crate::file::FileError;
use crate::tables::{Tables, game_folder};
use lozenge_rules::variant::Variant;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The tables of all games. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct SharedTables(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    folder: Option<PathBuf>,
    /// By the id of the game.
    games: Mutex<HashMap<String, Arc<Tables>>>,
}

impl SharedTables {
    /// The tables in this folder; without one, those that are added.
    #[must_use]
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self(Arc::new(Shared { folder, games: Mutex::default() }))
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.0.folder.as_deref()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Tables>>> {
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The tables of a game as they are now; `None` without any, or where the folder cannot be read.
    #[must_use]
    pub fn of(&self, variant: &Arc<Variant>) -> Option<Arc<Tables>> {
        let opened = self.lock().get(variant.id()).filter(|tables| is_of(tables, variant)).cloned();
        // Most games of users have no folder.
        let has_folder = || self.folder().is_some_and(|folder| game_folder(variant, folder).is_dir());
        opened.or_else(|| has_folder().then(|| self.open(variant).ok()).flatten().map(|(tables, _)| tables))
    }

    /// The tables of a game, none if there are no files. Files that are refused are left out, and returned by the call
    /// that opens the folder.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn open(&self, variant: &Arc<Variant>) -> Result<(Arc<Tables>, Vec<FileError>), FileError> {
        let mut games = self.lock();
        if let Some(tables) = games.get(variant.id()).filter(|tables| is_of(tables, variant)) {
            return Ok((Arc::clone(tables), Vec::new()));
        }
        let (tables, refused) = match self.folder() {
            Some(folder) => Tables::open_whole(variant, folder)?,
            None => (Tables::new(variant), Vec::new()),
        };
        let tables = Arc::new(tables);
        games.insert(variant.id().to_owned(), Arc::clone(&tables));
        Ok((tables, refused))
    }

    /// Adds tables that were made since the game's were opened.
    pub fn extend(&self, made: &Tables) {
        let mut games = self.lock();
        let opened = games.get(made.variant().id()).filter(|tables| is_of(tables, made.variant()));
        // Before the game is opened, its files are those that the next call finds.
        let Some(opened) = opened else { return };
        let mut tables = Tables::clone(opened);
        tables.extend(made);
        games.insert(made.variant().id().to_owned(), Arc::new(tables));
    }
}

/// Whether the tables are of this version of the game.
fn is_of(tables: &Tables, variant: &Variant) -> bool {
    tables.variant().texts() == variant.texts()
}
