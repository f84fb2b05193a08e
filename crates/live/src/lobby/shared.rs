//! The lobby of several servers. The seeks are rows of the database. Each server has a copy of their list, which it reads
//! again when another notifies it, and every two seconds.

use super::feed::{BATCH_INTERVAL, GRACE};
use super::{Lobby, SeekLimit, SeekOutcome, UNCONNECTED_TTL};
use crate::cluster::Cluster;
use crate::games::Variants;
use lozenge_game::OpenSeek;
use lozenge_game::time::now_ms;
use lozenge_store::{Store, StoreError};
use lozenge_wire::Player;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::sync::Mutex;

/// Lifetime of the live seeks of a player who has disconnected from one server: time for a reload, or for another server to
/// renew them, which each does every two seconds.
const LEFT_TTL: Duration = Duration::from_secs(5);

/// The additional parts of a lobby where there are several servers.
#[derive(Clone, Debug)]
pub(super) struct SharedLobby {
    store: Store,
    cluster: Cluster,
    variants: Variants,
    /// Held while the rows and the copy change together, so that a list read before a change does not undo it.
    copying: Arc<Mutex<()>>,
    announcer: Announcer,
}

/// Sends the first message at once and those of the next [`BATCH_INTERVAL`] as one: each makes all servers read the list again.
#[derive(Clone, Debug, Default)]
struct Announcer(Arc<std::sync::Mutex<AnnouncerState>>);

/// The part of the changes that was announced within the last interval.
#[derive(Clone, Copy, Debug, Default)]
enum AnnouncerState {
    #[default]
    Idle,
    Sent,
    /// There have been changes since.
    Pending,
}

impl Announcer {
    fn announce(&self, send: impl Fn() + Send + 'static) {
        if !self.is_to_send() {
            return;
        }
        send();
        let announcer = self.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(BATCH_INTERVAL).await;
                if !announcer.has_more() {
                    return;
                }
                send();
            }
        });
    }

    /// Whether a change is announced now, and not at the end of the interval.
    fn is_to_send(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = matches!(*state, AnnouncerState::Idle);
        *state = if is_first { AnnouncerState::Sent } else { AnnouncerState::Pending };
        is_first
    }

    /// At the end of the interval: whether there is something to announce, and so another interval.
    fn has_more(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let has_more = matches!(*state, AnnouncerState::Pending);
        *state = if has_more { AnnouncerState::Sent } else { AnnouncerState::Idle };
        has_more
    }
}

/// Why a seek was not placed.
#[derive(Debug, thiserror::Error)]
pub enum AddSeekError {
    /// Too many seeks are open.
    #[error(transparent)]
    SeekLimit(#[from] SeekLimit),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl SharedLobby {
    pub(super) fn new(store: Store, cluster: Cluster, variants: Variants) -> Self {
        Self { store, cluster, variants, copying: Arc::default(), announcer: Announcer::default() }
    }

    fn announce(&self) {
        let cluster = self.cluster.clone();
        self.announcer.announce(move || cluster.announce("seeks", &()));
    }
}

impl Lobby {
    /// Removes the first seek that matches a new one; without one, opens the new seek if there is room. Two seeks that come
    /// together match, whichever servers they come to.
    pub async fn submit(&self, new: OpenSeek) -> Result<SeekOutcome, AddSeekError> {
        let Some(shared) = &self.shared else { return Ok(self.match_or_add(new)?) };
        let _copying = shared.copying.lock().await;
        let mut turn = shared.store.lobby_turn().await?;
        self.copy_rows(shared).await?;
        // One by correspondence is a row already.
        self.with(|inner| inner.retain(|open| open.seek.id != new.seek.id));
        let live_until = now_ms() + UNCONNECTED_TTL.as_millis() as i64;
        let placed = self.match_or_add(new.clone())?;
        match &placed {
            SeekOutcome::Matched(other) if !other.is_stored() => drop(turn.take(&other.seek.id).await?),
            SeekOutcome::Matched(_) => {}
            SeekOutcome::Added { evicted } => {
                if let Some(evicted) = evicted.as_ref().filter(|evicted| !evicted.is_stored()) {
                    turn.take(&evicted.seek.id).await?;
                }
                if !new.is_stored() {
                    turn.keep(&new.seek, live_until).await?;
                }
            }
        }
        turn.end().await?;
        shared.announce();
        Ok(placed)
    }

    /// Removes a seek by id, if the player may. If several servers try at once, one succeeds.
    pub async fn take_one(
        &self,
        id: &str,
        may: impl Fn(&OpenSeek) -> bool,
    ) -> Result<Option<OpenSeek>, StoreError> {
        let Some(shared) = &self.shared else { return Ok(self.take(id, may)) };
        let _copying = shared.copying.lock().await;
        let Some(taken) = self.take(id, may) else { return Ok(None) };
        if !taken.is_stored() {
            let mut turn = shared.store.lobby_turn().await?;
            let existed = turn.take(id).await?;
            turn.end().await?;
            shared.announce();
            if !existed {
                return Ok(None);
            }
        }
        Ok(Some(taken))
    }

    /// Opens a seek again that has not become a game.
    pub async fn put_back(&self, open: OpenSeek) {
        let Some(shared) = self.shared.as_ref().filter(|_| !open.is_stored()) else { return self.add(open) };
        let _copying = shared.copying.lock().await;
        let live_until = now_ms() + UNCONNECTED_TTL.as_millis() as i64;
        if let Err(error) = shared.store.keep_live_seek(&open.seek, live_until).await {
            tracing::warn!(%error, "a seek was lost");
        }
        self.add(open);
        shared.announce();
    }

    /// Deletes the rows of a player's seeks, in the background.
    pub(super) fn drop_rows(&self, player: &str, live: bool) {
        let Some(shared) = self.shared.clone() else { return };
        let (lobby, player) = (self.clone(), player.to_owned());
        tokio::spawn(async move {
            let _copying = shared.copying.lock().await;
            match shared.store.drop_seeks_of(&player, live).await {
                Ok(true) => {
                    lobby.forget(&player, live);
                    shared.announce();
                }
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "seeks of a player were not deleted"),
            }
        });
    }

    /// A seek of a player has become a game: the player may listen to another server.
    pub(super) fn announce_game(&self, player: &str, game: &str) {
        if let Some(shared) = &self.shared {
            shared.cluster.announce("seek_game", &(player, game));
        }
    }

    /// Whether other servers have the same seeks.
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Notifies the other servers that the list has changed.
    pub fn announce_seeks(&self) {
        if let Some(shared) = &self.shared {
            shared.announce();
        }
    }

    /// Renews the live seeks whose makers listen here, and reads the list again.
    pub(super) async fn renew(&self) -> Result<(), StoreError> {
        let Some(shared) = &self.shared else { return Ok(()) };
        let connected: Vec<String> = self.lock().connections.keys().cloned().collect();
        let now = now_ms();
        let until = now + GRACE.as_millis() as i64;
        shared.store.renew_live_seeks(&connected, until, now, now - OpenSeek::LIVE_MS).await?;
        self.read_again().await
    }

    /// Lets the live seeks of a player expire who may have left. The server that the player listens to renews them.
    pub(super) fn expire_soon(&self, player: String) {
        let (Some(shared), Ok(runtime)) = (self.shared.clone(), tokio::runtime::Handle::try_current()) else {
            return;
        };
        runtime.spawn(async move {
            let until = now_ms() + LEFT_TTL.as_millis() as i64;
            if let Err(error) = shared.store.shorten_live_seeks(&player, until).await {
                tracing::warn!(%error, "the seeks of a player who left were not shortened");
            }
        });
    }

    /// Reads the list of seeks from the database. Sends only changes to listeners.
    pub async fn read_again(&self) -> Result<(), StoreError> {
        let Some(shared) = &self.shared else { return Ok(()) };
        let _copying = shared.copying.lock().await;
        self.copy_rows(shared).await
    }

    async fn copy_rows(&self, shared: &SharedLobby) -> Result<(), StoreError> {
        let mut seeks = Vec::new();
        for (mut seek, owner) in shared.store.shared_seeks(now_ms()).await? {
            let published = seek.variant.starts_with('~') || seek.variant.len() == 64;
            if published || shared.variants.game(&seek.variant).is_some() {
                let Player { rating, provisional, .. } = seek.player;
                seek.player = Player { rating, provisional, ..owner.player() };
                seek.yours = false;
                seeks.push(seek);
            }
        }
        self.with(|inner| {
            inner.retain(|open| seeks.iter().any(|seek| seek.id == open.seek.id));
            for seek in seeks {
                match inner.open.iter().position(|open| open.seek.id == seek.id) {
                    None => inner.push(OpenSeek { seek, network: None }),
                    Some(at) if inner.open[at].seek.player != seek.player => {
                        let network = inner.open[at].network;
                        inner.remove(at);
                        inner.push(OpenSeek { seek, network });
                    }
                    Some(_) => {}
                }
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test(start_paused = true)]
    async fn changes_within_an_interval_are_announced_once() {
        let (announcer, sent) = (Announcer::default(), Arc::new(AtomicU32::new(0)));
        let announce = || {
            let sent = Arc::clone(&sent);
            announcer.announce(move || {
                sent.fetch_add(1, Ordering::Relaxed);
            });
        };
        announce();
        assert_eq!(sent.load(Ordering::Relaxed), 1, "the first is not held back");
        (0..20).for_each(|_| announce());
        assert_eq!(sent.load(Ordering::Relaxed), 1);
        tokio::time::sleep(2 * BATCH_INTERVAL).await;
        assert_eq!(sent.load(Ordering::Relaxed), 2, "the last is not lost");
        tokio::time::sleep(2 * BATCH_INTERVAL).await;
        announce();
        assert_eq!(sent.load(Ordering::Relaxed), 3);
    }
}
