//! The pictures of pieces that users have drawn, for the games whose files name them.

use super::is_digest;
use lozenge_picture::Drawing;
use lozenge_rules::library::AnyGame;
use lozenge_rules::variant::{Roles, Variant};
use lozenge_store::{Store, StoreError};
use quick_cache::sync::Cache;
use std::sync::Arc;

/// Pictures in memory, of up to 48 KiB each.
const MAX_CACHED: usize = 400;

/// Pictures by their digests. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Drawings {
    store: Store,
    known: Arc<Cache<String, Drawing>>,
}

/// The digests among the names of pictures of a game's pieces.
pub(crate) fn named(roles: &Roles) -> Vec<String> {
    let names = roles.iter().map(|(_, info)| &info.picture);
    let mut digests: Vec<String> = names.filter(|name| is_digest(name)).cloned().collect();
    digests.sort_unstable();
    digests.dedup();
    digests
}

impl Drawings {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, known: Arc::new(Cache::new(MAX_CACHED)) }
    }

    /// The pictures of a game.
    pub(crate) async fn of(&self, variant: &Variant) -> Result<lozenge_picture::Drawings, StoreError> {
        self.of_roles(variant.roles()).await
    }

    /// The pictures of a game for any number of players.
    pub(crate) async fn of_game(&self, game: &AnyGame) -> Result<lozenge_picture::Drawings, StoreError> {
        self.of_roles(game.roles()).await
    }

    async fn of_roles(&self, roles: &Roles) -> Result<lozenge_picture::Drawings, StoreError> {
        let mut found = Vec::new();
        for digest in named(roles) {
            found.extend(self.get(&digest).await?);
        }
        Ok(found.into_iter().collect())
    }

    /// The picture with a digest.
    pub(crate) async fn get(&self, digest: &str) -> Result<Option<Drawing>, StoreError> {
        if let Some(known) = self.known.get(digest) {
            return Ok(Some(known));
        }
        let svg = self.store.picture(digest).await?;
        let drawing = svg.and_then(|svg| Drawing::read(digest, &svg));
        if let Some(drawing) = &drawing {
            self.known.insert(digest.to_owned(), drawing.clone());
        }
        Ok(drawing)
    }

    /// Forgets a picture that was deleted.
    pub(crate) fn forget(&self, digest: &str) {
        self.known.remove(digest);
    }
}
