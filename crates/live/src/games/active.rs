//! The games that are being played now, by the presence of their players: for the list of games to watch, and for limits on
//! games against the engine. Not here: connections.

use super::{LiveGameInner, LiveGames};
use lozenge_game::Network;
use lozenge_game::{ActionError, GameEvent};
use lozenge_store::StoreError;
use lozenge_wire::{Color, GameResult, GameSummary, Reason, Status, Visibility};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a game counts as being played after a player was last seen, in milliseconds.
const LEFT_MS: i64 = 60_000;
/// How long a game without a running clock is listed after its last move, in milliseconds.
const QUIET_MS: i64 = 15 * 60_000;
/// A game against the engine in which not both have moved is aborted after this absence of its player, in milliseconds.
const ABANDONED_MS: i64 = 5 * 60_000;
/// Most games aborted at once, so that players do not wait for the disk.
const ABORTED_AT_ONCE: i64 = 200;

/// Most games against the engine that one player, and one network, may be present in.
const ENGINE_GAMES_OF_PLAYER: usize = 10;
const ENGINE_GAMES_OF_NETWORK: usize = 50;

/// Most games that a server announces to the others, and how long an announcement counts.
const MAX_ANNOUNCED: usize = 24;
const ANNOUNCEMENT_TTL: Duration = Duration::from_secs(6);

/// A game whose players are present.
#[derive(Clone, Debug)]
struct PresentGame {
    public: bool,
    started: bool,
    /// The engine's opponent.
    against_engine: Option<String>,
    network: Option<Network>,
    connected: bool,
    seen_at: i64,
    clock_runs: bool,
    updated_at: i64,
    seq: u64,
}

impl PresentGame {
    fn is_present(&self, now: i64) -> bool {
        self.connected || now - self.seen_at < LEFT_MS
    }

    fn is_listed(&self, now: i64) -> bool {
        let goes_on = self.clock_runs || now - self.updated_at < QUIET_MS;
        self.public && self.started && goes_on && self.is_present(now)
    }
}

/// A game that is being played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveGame {
    /// The game's id.
    pub(crate) id: String,
    /// Number of its last event.
    pub(crate) seq: u64,
    /// When something last happened in it, in Unix milliseconds.
    pub(crate) updated_at: i64,
}

/// The games whose players are present, by id.
#[derive(Debug, Default)]
pub(super) struct ActiveGames {
    here: Mutex<HashMap<String, PresentGame>>,
    /// The last report of each other server, by incarnation.
    remote: Mutex<HashMap<String, (Instant, Vec<ActiveGame>)>>,
}

impl ActiveGames {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, PresentGame>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remote(&self) -> MutexGuard<'_, HashMap<String, (Instant, Vec<ActiveGame>)>> {
        self.remote.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The most recently changed first.
fn sort(games: &mut [ActiveGame]) {
    games.sort_by(|one, other| (other.updated_at, &other.id).cmp(&(one.updated_at, &one.id)));
}

impl LiveGames {
    /// Records who is present in a game, and its state.
    pub(super) fn note_activity(&self, inner: &LiveGameInner) {
        let machine = &inner.machine;
        let mut games = self.shared.active.lock();
        // The owner knows who is present.
        let is_over = machine.status() == Status::Finished || !inner.is_mine();
        let (Some(seen_at), false) = (inner.person_seen_at(), is_over) else {
            games.remove(&machine.config.id);
            return;
        };
        let person = if machine.has_engine() { inner.people().next() } else { None };
        let seat = person.and_then(|color: Color| machine.player(color));
        let entry = PresentGame {
            public: machine.config.visibility == Visibility::Public,
            started: machine.status() == Status::Started,
            against_engine: seat.map(|seat| seat.id.clone()),
            network: person.and_then(|color| inner.network(color)),
            connected: inner.people().any(|color| inner.is_connected(color)),
            seen_at,
            clock_runs: machine
                .clock
                .as_ref()
                .is_some_and(|clock| clock.is_live() && clock.deadline().is_some()),
            updated_at: machine.updated_at,
            seq: machine.seq,
        };
        // Known after its first change.
        match games.get_mut(&machine.config.id) {
            Some(known) => *known = entry,
            None => drop(games.insert(machine.config.id.clone(), entry)),
        }
    }

    /// Counts a new game against the engine, before it is created.
    ///
    /// # Errors
    /// If the player, or the network, is present in too many of them.
    pub fn admit_engine_game(
        &self,
        id: &str,
        player: &str,
        network: Option<Network>,
        now: i64,
    ) -> Result<(), ActionError> {
        let mut games = self.shared.active.lock();
        let open = || games.values().filter(|entry| entry.against_engine.is_some() && entry.is_present(now));
        let own = open().filter(|entry| entry.against_engine.as_deref() == Some(player)).count();
        let full = |(network, factor): (Network, u32)| {
            let around = |entry: &&PresentGame| {
                entry.network.is_some_and(|other| other.steps().any(|(wider, _)| wider == network))
            };
            open().filter(around).count() >= ENGINE_GAMES_OF_NETWORK * factor as usize
        };
        if own >= ENGINE_GAMES_OF_PLAYER || network.is_some_and(|network| network.steps().any(full)) {
            return Err(ActionError::TooManyEngineGames { seconds: (LEFT_MS / 1_000) as u64 });
        }
        let entry = PresentGame {
            public: false,
            started: false,
            against_engine: Some(player.to_owned()),
            network,
            connected: false,
            seen_at: now,
            clock_runs: false,
            updated_at: now,
            seq: 0,
        };
        games.insert(id.to_owned(), entry);
        Ok(())
    }

    /// The public games that are being played, the most recently changed first.
    pub(crate) fn active_games(&self, now: i64) -> Vec<ActiveGame> {
        let mut playing = self.local_active_games(now);
        let mut remote = self.shared.active.remote();
        remote.retain(|_, (at, _)| at.elapsed() < ANNOUNCEMENT_TTL);
        playing.extend(remote.values().flat_map(|(_, games)| games.iter().cloned()));
        drop(remote);
        sort(&mut playing);
        // A game that has just changed its owner may come twice.
        let mut known = HashSet::new();
        playing.retain(|game| known.insert(game.id.clone()));
        playing
    }

    /// Announces to the other servers the games that are being played here.
    pub fn announce_active(&self, now: i64) {
        let Some(cluster) = self.cluster() else { return };
        let mut games = self.local_active_games(now);
        games.truncate(MAX_ANNOUNCED);
        cluster.announce("active", &(&*cluster.incarnation(), games));
    }

    /// Stores the games that are being played at another server.
    pub fn set_remote_active(&self, node: String, mut games: Vec<ActiveGame>) {
        games.truncate(MAX_ANNOUNCED);
        self.shared.active.remote().insert(node, (Instant::now(), games));
    }

    fn local_active_games(&self, now: i64) -> Vec<ActiveGame> {
        let games = self.shared.active.lock();
        let mut playing: Vec<ActiveGame> = games
            .iter()
            .filter(|(_, entry)| entry.is_listed(now))
            .map(|(id, entry)| ActiveGame { id: id.clone(), seq: entry.seq, updated_at: entry.updated_at })
            .collect();
        sort(&mut playing);
        playing
    }

    /// The summary of a game, if it is in memory, here or at another server.
    pub(crate) async fn summary(&self, id: &str) -> Option<GameSummary> {
        let live = match self.cluster() {
            None => self.shared.games.get(id)?,
            Some(_) => self.game_as_known(id).await.ok()??,
        };
        let inner = live.lock().await;
        Some(inner.machine.to_summary())
    }

    /// Removes the games that their players have left.
    pub fn drop_inactive(&self, now: i64) {
        let mut games = self.shared.active.lock();
        games.retain(|_, entry| entry.is_present(now));
        if games.capacity() > 2 * games.len() + 1_024 {
            games.shrink_to_fit();
        }
    }

    /// Aborts games against the engine whose players left before both had moved.
    pub async fn abort_abandoned(&self, now: i64) -> Result<(), StoreError> {
        for id in self.shared.store.unbegun_engine_games(now - ABANDONED_MS, ABORTED_AT_ONCE).await? {
            let live = match self.game(&id).await {
                Ok(Some(live)) => live,
                Ok(None) => continue,
                Err(error) => {
                    tracing::error!(%error, game = id, "could not abort an abandoned game");
                    continue;
                }
            };
            // Where there are several servers, each checks its own games and those that no server owns.
            if !self.claim(&live).await.unwrap_or(false) {
                continue;
            }
            let mut inner = live.lock().await;
            let away = inner.person_seen_at().is_none_or(|seen| now - seen >= ABANDONED_MS);
            if inner.has_person(now) || !away || inner.machine.has_begun() || inner.machine.ended.is_some() {
                continue;
            }
            let end = GameEvent::Finished { result: GameResult::Unknown, reason: Reason::Aborted, at: now };
            if let Err(error) = self.commit(&live, &mut inner, vec![end], now).await {
                tracing::error!(%error, game = id, "could not abort an abandoned game");
                continue;
            }
            self.after_change(&live, &mut inner, now);
        }
        Ok(())
    }
}
