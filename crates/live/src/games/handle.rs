//! The games in memory, and their users. A game is not evicted while a [`GameHandle`] exists: a socket that
//! is about to subscribe would otherwise receive nothing from the copy that is loaded next.

use super::live_game::LiveGame;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// A game in memory, or on its way there. It becomes `None` if the database does not have it.
#[derive(Debug, Default)]
struct Slot {
    game: OnceCell<Option<Arc<LiveGame>>>,
    /// Handles, and requests that wait for the game. Grows from 0 only under the lock of the map.
    users: AtomicUsize,
}

/// A use of a slot, counted until it is dropped.
#[derive(Debug)]
pub(super) struct SlotUse(Arc<Slot>);

impl SlotUse {
    fn new(slot: &Arc<Slot>) -> Self {
        slot.users.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(slot))
    }

    /// The game, loaded by the first who asks for it.
    pub(super) async fn get_or_load<E>(
        &self,
        load: impl Future<Output = Result<Option<Arc<LiveGame>>, E>>,
    ) -> Result<Option<Arc<LiveGame>>, E> {
        self.0.game.get_or_try_init(|| load).await.cloned()
    }
}

impl Clone for SlotUse {
    fn clone(&self) -> Self {
        Self::new(&self.0)
    }
}

impl Drop for SlotUse {
    fn drop(&mut self) {
        self.0.users.fetch_sub(1, Ordering::AcqRel);
    }
}

/// A game in memory. It stays there as long as the handle exists.
#[derive(Clone, Debug)]
pub struct GameHandle {
    slot: SlotUse,
    game: Arc<LiveGame>,
}

impl GameHandle {
    pub(super) fn new(slot: SlotUse, game: Arc<LiveGame>) -> Self {
        Self { slot, game }
    }
}

impl Deref for GameHandle {
    type Target = LiveGame;

    fn deref(&self) -> &LiveGame {
        &self.game
    }
}

/// The games in memory by id.
#[derive(Debug, Default)]
pub(super) struct GameMap(Mutex<HashMap<String, Arc<Slot>>>);

impl GameMap {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The slot of a game, new if the game is not in memory.
    pub(super) fn slot(&self, id: &str) -> SlotUse {
        SlotUse::new(self.lock().entry(id.to_owned()).or_default())
    }

    /// A game, if it is in memory.
    pub(super) fn get(&self, id: &str) -> Option<GameHandle> {
        let games = self.lock();
        let slot = games.get(id)?;
        let game = slot.game.get()?.clone()?;
        Some(GameHandle::new(SlotUse::new(slot), game))
    }

    /// The games in memory.
    pub(super) fn all(&self) -> Vec<GameHandle> {
        let games = self.lock();
        let loaded = games.values().filter_map(|slot| {
            let game = slot.game.get()?.clone()?;
            Some(GameHandle::new(SlotUse::new(slot), game))
        });
        loaded.collect()
    }

    /// Adds a new game.
    pub(super) fn insert(&self, id: &str, game: &Arc<LiveGame>) -> GameHandle {
        let slot = Arc::new(Slot { game: OnceCell::from(Some(Arc::clone(game))), ..Slot::default() });
        let slot_use = SlotUse::new(&slot);
        self.lock().insert(id.to_owned(), slot);
        GameHandle::new(slot_use, Arc::clone(game))
    }

    /// Removes a game even if it is in use: it could not be saved.
    pub(super) fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    /// Removes a slot unless others use it, and returns whether it has been removed.
    pub(super) fn remove_unused(&self, id: &str, slot: &SlotUse) -> bool {
        let mut games = self.lock();
        let unused = slot.0.users.load(Ordering::Acquire) == 1;
        if unused && games.get(id).is_some_and(|known| Arc::ptr_eq(known, &slot.0)) {
            games.remove(id);
        }
        unused
    }

    /// Evicts a game unless others use it, and returns whether it has been evicted.
    pub(super) fn evict(&self, id: &str, game: &GameHandle) -> bool {
        self.remove_unused(id, &game.slot)
    }

    /// Does something unless a game is being loaded or is of this kind; meanwhile no game is loaded.
    pub(super) fn run_unless_any(&self, is: impl Fn(&LiveGame) -> bool, run: impl FnOnce()) {
        let games = self.lock();
        let blocks = |slot: &Arc<Slot>| match slot.game.get() {
            None => true,
            Some(game) => game.as_ref().is_some_and(|game| is(game)),
        };
        if !games.values().any(blocks) {
            run();
        }
    }

    /// How many games are in memory.
    pub(super) fn len(&self) -> usize {
        self.lock().len()
    }
}
