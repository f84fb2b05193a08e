//! The lobby: open seeks; two that match become a game. A correspondence seek is open for two weeks and is stored in the
//! database. A live seek ends soon after its maker has disconnected, or in ten minutes. Not here: the stream of the lobby
//! (`feed`).

mod feed;
mod open_games;
mod shared;
#[cfg(test)]
mod tests;

pub use shared::AddSeekError;

use crate::cluster::Cluster;
use crate::games::{Lifecycle, Variants};
use feed::{BATCH_INTERVAL, Changes, GRACE, LobbyMessage, seen_by};
use lozenge_game::Network;
use lozenge_game::OpenSeek;
use lozenge_game::time::{DAY_MS, now_ms};
use lozenge_store::{Store, StoreError};
use lozenge_wire::{LobbyEvent, OpenGame, Player, PlayerKind, Seek};
use open_games::OpenGames;
use shared::SharedLobby;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Lifetime of a correspondence seek after its maker's last visit, for guests and for accounts, in milliseconds.
const GUEST_ABSENT_MS: i64 = 2 * DAY_MS;
const ACCOUNT_ABSENT_MS: i64 = 7 * DAY_MS;
/// Lifetime of a live seek whose maker never connected to the lobby.
const UNCONNECTED_TTL: Duration = Duration::from_secs(30);
/// Most seeks and open games of four of one player, of each kind: live and correspondence.
const SEEKS_OF_PLAYER: usize = 5;
/// Most seeks and open games of four of one network, of each kind.
const SEEKS_OF_NETWORK: usize = 20;
/// Most seeks of all, of each kind.
const MAX_SEEKS: usize = 1_000;
/// Changes that a slow client may miss before it gets the whole list again.
const BACKLOG: usize = 64;

/// Why a seek is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeekLimit {
    /// The player has too many open seeks.
    #[error("expected at most 5 open seeks and games of four of one player, live and by correspondence each")]
    Player,
    /// The player's network has too many open seeks.
    #[error(
        "expected at most 20 open seeks and games of four from one network, live and by correspondence each"
    )]
    Network,
    /// The lobby is full, and no network has more open seeks.
    #[error("expected at most 1000 open seeks, and as many games of four: the lobby is full")]
    Lobby,
}

/// The result of a new seek.
#[derive(Debug)]
pub enum SeekOutcome {
    /// It matches an open seek, which is removed.
    Matched(OpenSeek),
    /// It is open. In a full lobby it has replaced another one.
    Added {
        /// The seek that made room.
        evicted: Option<OpenSeek>,
    },
}

#[derive(Debug, Default)]
struct LobbyInner {
    /// Oldest first.
    open: Vec<OpenSeek>,
    /// Live seeks whose makers have just disconnected, perhaps to reload the page. Others neither see nor join them.
    away: Vec<OpenSeek>,
    /// The number of connections of each player.
    connections: HashMap<String, usize>,
    /// Version of the last published list, and the changes since.
    version: u64,
    added: Vec<Seek>,
    removed: Vec<String>,
    /// The games of four, and those that have come or changed since.
    games: OpenGames,
    changed_games: Vec<OpenGame>,
    /// Whether a task to publish the changes is scheduled.
    scheduled: bool,
}

impl LobbyInner {
    fn push(&mut self, open: OpenSeek) {
        self.added.push(open.seek.clone());
        self.open.push(open);
    }

    fn remove(&mut self, at: usize) -> OpenSeek {
        let open = self.open.remove(at);
        self.note_removed(&open.seek.id);
        open
    }

    fn retain(&mut self, keep: impl Fn(&OpenSeek) -> bool) {
        self.away.retain(&keep);
        self.split_off(keep);
    }

    /// Removes the open seeks that are not kept, and returns them.
    fn split_off(&mut self, keep: impl Fn(&OpenSeek) -> bool) -> Vec<OpenSeek> {
        let (kept, removed): (Vec<_>, Vec<_>) = core::mem::take(&mut self.open).into_iter().partition(keep);
        self.open = kept;
        removed.iter().for_each(|open| self.note_removed(&open.seek.id));
        removed
    }

    /// Hides the live seeks of a player who has disconnected.
    fn hide(&mut self, player: &str) {
        let hidden = self.split_off(|open| open.is_stored() || open.seek.player.id != player);
        self.away.extend(hidden);
    }

    /// Shows the hidden seeks of a player who has reconnected.
    fn show(&mut self, player: &str) {
        let (shown, away) =
            core::mem::take(&mut self.away).into_iter().partition(|open| open.seek.player.id == player);
        self.away = away;
        let shown: Vec<_> = shown;
        shown.into_iter().for_each(|open| self.push(open));
    }

    fn note_removed(&mut self, id: &str) {
        let before = self.added.len();
        self.added.retain(|seek| seek.id != id);
        // Listeners do not know one that was added since.
        if self.added.len() == before {
            self.removed.push(id.to_owned());
        }
    }

    /// Whether there are changes since the last published version.
    fn has_changes(&self) -> bool {
        !(self.added.is_empty() && self.removed.is_empty() && self.changed_games.is_empty())
    }

    /// Takes the changes since the last published version, and increments the version.
    fn changes(&mut self) -> Option<Changes> {
        if !self.has_changes() {
            return None;
        }
        self.version += 1;
        let (added, removed) = (core::mem::take(&mut self.added), core::mem::take(&mut self.removed));
        Some(Changes::new(self.version, added, removed, core::mem::take(&mut self.changed_games)))
    }

    /// Whether the limits of a player and a network allow one more seek or game of four of a kind.
    fn has_room(&self, player: &str, network: Option<Network>, stored: bool) -> Result<(), SeekLimit> {
        let of_kind = || self.open.iter().chain(&self.away).filter(|open| open.is_stored() == stored);
        let seeks = of_kind().filter(|open| open.seek.player.id == player).count();
        if seeks + self.games.count_of(player, stored) >= SEEKS_OF_PLAYER {
            return Err(SeekLimit::Player);
        }
        let networks = || of_kind().map(|open| open.network).chain(self.games.networks(stored));
        let full = |(network, factor): (Network, u32)| {
            let around = |other: &Option<Network>| {
                other.is_some_and(|other| other.steps().any(|(wider, _)| wider == network))
            };
            networks().filter(around).count() >= SEEKS_OF_NETWORK * factor as usize
        };
        if network.is_some_and(|network| network.steps().any(full)) {
            return Err(SeekLimit::Network);
        }
        Ok(())
    }

    /// Opens a seek if there is room. In a full lobby it replaces the oldest one of a disconnected guest.
    fn insert(&mut self, open: OpenSeek) -> Result<Option<OpenSeek>, SeekLimit> {
        let stored = open.is_stored();
        self.has_room(&open.seek.player.id, open.network, stored)?;
        let mut evicted = None;
        if self.open.iter().filter(|other| other.is_stored() == stored).count() >= MAX_SEEKS {
            let yields = |other: &OpenSeek| {
                let player = &other.seek.player;
                other.is_stored() == stored
                    && player.kind == PlayerKind::Guest
                    && !self.connections.contains_key(&player.id)
            };
            let at = self.open.iter().position(yields).ok_or(SeekLimit::Lobby)?;
            evicted = Some(self.remove(at));
        }
        self.push(open);
        Ok(evicted)
    }
}

/// The open seeks. Clones share them.
#[derive(Clone, Debug)]
pub struct Lobby {
    inner: Arc<Mutex<LobbyInner>>,
    messages: broadcast::Sender<LobbyMessage>,
    /// Where there are several servers.
    shared: Option<SharedLobby>,
}

impl Default for Lobby {
    fn default() -> Self {
        Self { inner: Arc::default(), messages: broadcast::channel(BACKLOG).0, shared: None }
    }
}

impl Lobby {
    /// The lobby with the stored seeks and the current names of their makers.
    pub async fn load(
        store: &Store,
        variants: &Variants,
        cluster: Option<Cluster>,
    ) -> Result<Self, StoreError> {
        let mut lobby = Self::default();
        Self::delete_old(store).await?;
        if let Some(cluster) = cluster {
            lobby.shared = Some(SharedLobby::new(store.clone(), cluster, variants.clone()));
            lobby.read_again().await?;
            return Ok(lobby);
        }
        for (mut seek, owner) in store.seeks().await? {
            // Those by a published game's rules are looked up when they become games.
            let published = seek.variant.starts_with('~') || seek.variant.len() == 64;
            if !published && variants.game(&seek.variant).is_none() {
                continue;
            }
            let Player { rating, provisional, .. } = seek.player;
            seek.player = Player { rating, provisional, ..owner.player() };
            lobby.lock().open.push(OpenSeek { seek, network: None });
        }
        Ok(lobby)
    }

    /// Deletes stored seeks that have expired, and those of players who have not visited the site for long.
    pub async fn delete_old(store: &Store) -> Result<(), StoreError> {
        let now = now_ms();
        store
            .drop_old_seeks(now - OpenSeek::CORRESPONDENCE_MS, now - GUEST_ABSENT_MS, now - ACCOUNT_ABSENT_MS)
            .await
    }

    /// Removes seeks that have expired, or were deleted from the database by the host or by [`Self::delete_old`].
    pub async fn follow_store(&self, store: &Store) -> Result<(), StoreError> {
        if self.shared.is_some() {
            return self.renew().await;
        }
        // Each of these was on the disk before it came here.
        let known: HashSet<String> = self.with(|inner| {
            let stored = inner.open.iter().filter(|open| open.is_stored());
            stored.map(|open| open.seek.id.clone()).collect()
        });
        if known.is_empty() {
            return Ok(());
        }
        let stored = store.seek_ids().await?;
        if known.iter().any(|id| !stored.contains(id)) {
            let deleted = |open: &OpenSeek| known.contains(&open.seek.id) && !stored.contains(&open.seek.id);
            self.with(|inner| inner.retain(|open| !deleted(open)));
        }
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, LobbyInner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, change: impl FnOnce(&mut LobbyInner) -> T) -> T {
        let mut inner = self.lock();
        let now = now_ms();
        if inner.open.iter().chain(&inner.away).any(|open| open.is_expired(now)) {
            inner.retain(|open| !open.is_expired(now));
        }
        let changed = change(&mut inner);
        if inner.has_changes() && !inner.scheduled {
            match tokio::runtime::Handle::try_current() {
                Ok(runtime) => {
                    inner.scheduled = true;
                    let lobby = self.clone();
                    runtime.spawn(async move {
                        tokio::time::sleep(BATCH_INTERVAL).await;
                        let mut inner = lobby.lock();
                        inner.scheduled = false;
                        lobby.send_changes(&mut inner);
                    });
                }
                Err(_) => self.send_changes(&mut inner),
            }
        }
        changed
    }

    /// Publishes the changes, under the lock, so that versions are in order.
    fn send_changes(&self, inner: &mut LobbyInner) {
        if let Some(changes) = inner.changes() {
            self.send(LobbyMessage::Changed(Arc::new(changes)));
        }
    }

    fn send(&self, message: LobbyMessage) {
        // There may be no followers.
        let _ = self.messages.send(message);
    }

    /// The open seeks, newest first, as one player sees them.
    pub fn list(&self, player: Option<&str>) -> Vec<Seek> {
        self.with(|inner| inner.open.iter().rev().map(|open| seen_by(&open.seek, player)).collect())
    }

    /// The list with its version, and a receiver of later changes.
    fn list_and_subscribe(&self, player: Option<&str>) -> (LobbyEvent, broadcast::Receiver<LobbyMessage>) {
        self.with(|inner| {
            self.send_changes(inner);
            let seeks = inner.open.iter().rev().map(|open| seen_by(&open.seek, player)).collect();
            let list = LobbyEvent::Seeks { version: inner.version, seeks, games: inner.games.list() };
            (list, self.messages.subscribe())
        })
    }

    /// Whether the limits of a player and a network allow one more seek, live or stored.
    pub fn has_room(&self, player: &str, network: Option<Network>, stored: bool) -> Result<(), SeekLimit> {
        self.with(|inner| inner.has_room(player, network, stored))
    }

    /// Removes the first seek that matches a new one; without one, opens the new seek if there is room.
    /// Both in one step, so that two simultaneous seeks match.
    pub(crate) fn match_or_add(&self, new: OpenSeek) -> Result<SeekOutcome, SeekLimit> {
        let (player, live) = (new.seek.player.id.clone(), !new.is_stored());
        let placed = self.with(|inner| match inner.open.iter().position(|other| new.matches(other)) {
            Some(at) => Ok(SeekOutcome::Matched(inner.remove(at))),
            None => inner.insert(new).map(|evicted| SeekOutcome::Added { evicted }),
        })?;
        if live
            && matches!(placed, SeekOutcome::Added { .. })
            && !self.lock().connections.contains_key(&player)
        {
            self.clear_disconnected_after(UNCONNECTED_TTL, player);
        }
        Ok(placed)
    }

    /// Opens a seek again.
    pub fn add(&self, open: OpenSeek) {
        self.with(|inner| inner.push(open));
    }

    /// A seek by id.
    pub fn get(&self, id: &str) -> Option<OpenSeek> {
        self.with(|inner| inner.open.iter().find(|open| open.seek.id == id).cloned())
    }

    /// Removes a seek by id, if the player may.
    pub(crate) fn take(&self, id: &str, may: impl Fn(&OpenSeek) -> bool) -> Option<OpenSeek> {
        self.with(|inner| {
            let at = inner.open.iter().position(|open| open.seek.id == id && may(open))?;
            Some(inner.remove(at))
        })
    }

    /// Renames a player.
    pub fn rename(&self, player: &Player) {
        self.with(|inner| {
            for open in inner.away.iter_mut().filter(|open| open.seek.player.id == player.id) {
                open.seek.player.name.clone_from(&player.name);
                open.seek.player.kind = player.kind;
            }
            for at in 0..inner.open.len() {
                let seek = &mut inner.open[at].seek;
                if seek.player.id == player.id {
                    seek.player.name.clone_from(&player.name);
                    seek.player.kind = player.kind;
                    let seek = seek.clone();
                    inner.note_removed(&seek.id);
                    inner.added.push(seek);
                }
            }
        });
    }

    /// Removes all seeks of a player; with `live` only the live ones.
    pub fn clear(&self, player: &str, live: bool) {
        self.forget(player, live);
        self.drop_rows(player, live);
    }

    fn forget(&self, player: &str, live: bool) {
        self.with(|inner| inner.retain(|open| open.seek.player.id != player || (live && open.is_stored())));
    }

    /// Removes the live seeks of players who begin a live game, as long as the server runs.
    pub async fn follow(self, mut games: broadcast::Receiver<Lifecycle>) {
        loop {
            match games.recv().await {
                Ok(game) if game.started && !game.correspondence => self.clear(&game.player, true),
                // The seeks of games that it missed end with their makers' connections.
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// A seek of a player has become a game.
    pub fn send_game(&self, player: &str, game: &str) {
        self.announce_game(player, game);
        self.broadcast_game(player, game);
    }

    /// Broadcasts it to the listeners of this server.
    pub fn broadcast_game(&self, player: &str, game: &str) {
        self.send(LobbyMessage::Game { player: player.to_owned(), game: game.to_owned() });
    }

    /// A player has opened a connection.
    fn add_connection(&self, player: &str) {
        self.with(|inner| {
            *inner.connections.entry(player.to_owned()).or_default() += 1;
            inner.show(player);
        });
    }

    /// A player has closed a connection. Returns whether it was the last one.
    fn remove_connection(&self, player: &str) -> bool {
        let is_shared = self.is_shared();
        self.with(|inner| {
            let Some(count) = inner.connections.get_mut(player) else { return false };
            *count -= 1;
            let last = *count == 0;
            if last {
                inner.connections.remove(player);
                // The player may listen to another server.
                if !is_shared {
                    inner.hide(player);
                }
            }
            last
        })
    }

    /// Removes the live seeks of a player who has left and does not come back.
    fn clear_left(&self, player: String) {
        if self.shared.is_some() {
            self.expire_soon(player);
        } else {
            self.clear_disconnected_after(GRACE, player);
        }
    }

    /// Removes the live seeks of a player who has not reconnected by then.
    fn clear_disconnected_after(&self, time: Duration, player: String) {
        if self.shared.is_some() {
            // The player may listen to another server, which renews them; otherwise their rows end by themselves.
            return;
        }
        let lobby = self.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(time).await;
                lobby.clear_disconnected(&player);
            });
        }
    }

    fn clear_disconnected(&self, player: &str) {
        let is_connected = self.lock().connections.contains_key(player);
        if !is_connected {
            self.clear(player, true);
        }
    }
}
