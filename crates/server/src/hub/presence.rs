//! Which games are being played at this moment, by the presence of their players: for the list of games that can be
//! watched, and for bounds on games against the engine. Not here: connections.

use super::Hub;
use super::live::Inside;
use super::refusal::Refusal;
use crate::network::Network;
use crate::store::StoreError;
use lozenge_wire::{Color, GameSummary, Reason, Status, Visibility};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long after its last player was seen a game counts as being played, in milliseconds.
const LEFT_MS: i64 = 60_000;
/// How long a game without a running clock is shown after its last move, in milliseconds.
const QUIET_MS: i64 = 15 * 60_000;
/// After this time without its player, a game against the engine in which not both have moved is aborted, in milliseconds.
const UNBEGUN_MS: i64 = 5 * 60_000;
/// Most games that are aborted in one go, so that players do not wait for the disk.
const ABORTED_AT_ONCE: i64 = 200;

/// Most games against the engine that one player, and one network, may be present in.
const ENGINE_GAMES_OF_PLAYER: usize = 10;
const ENGINE_GAMES_OF_NETWORK: usize = 50;

/// A game whose players are present.
#[derive(Clone, Debug)]
struct Entry {
    public: bool,
    started: bool,
    /// Who plays against the engine.
    against_engine: Option<String>,
    network: Option<Network>,
    connected: bool,
    seen_at: i64,
    clock_runs: bool,
    updated_at: i64,
    seq: u64,
}

impl Entry {
    fn is_present(&self, now: i64) -> bool {
        self.connected || now - self.seen_at < LEFT_MS
    }

    fn is_shown(&self, now: i64) -> bool {
        let goes_on = self.clock_runs || now - self.updated_at < QUIET_MS;
        self.public && self.started && goes_on && self.is_present(now)
    }
}

/// A game that is being played, as the list of them needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Playing {
    pub(crate) id: String,
    /// Number of its last event.
    pub(crate) seq: u64,
    pub(crate) updated_at: i64,
}

/// The games whose players are present.
#[derive(Debug, Default)]
pub(super) struct Presence(Mutex<HashMap<String, Entry>>);

impl Presence {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hub {
    /// Notes who is present in a game, and how it stands.
    pub(super) fn note_presence(&self, inside: &Inside) {
        let table = &inside.table;
        let mut games = self.inner.presence.lock();
        let (Some(seen_at), false) = (inside.person_seen_at(), table.status() == Status::Finished) else {
            games.remove(&table.terms.id);
            return;
        };
        let person = table.engine().map(|(engine, _)| !engine);
        let seat = person.and_then(|color: Color| table.seats[color.index()].as_ref());
        let entry = Entry {
            public: table.terms.visibility == Visibility::Public,
            started: table.status() == Status::Started,
            against_engine: seat.map(|seat| seat.id.clone()),
            network: person.and_then(|color| inside.network(color)),
            connected: inside.people().any(|color| inside.is_connected(color)),
            seen_at,
            clock_runs: table
                .clock
                .as_ref()
                .is_some_and(|clock| clock.is_live() && clock.deadline().is_some()),
            updated_at: table.updated_at,
            seq: table.seq,
        };
        games.insert(table.terms.id.clone(), entry);
    }

    /// Counts a new game against the engine, before it is made.
    ///
    /// # Errors
    /// If the player, or the network, is present in too many of them.
    pub(crate) fn admit_engine_game(
        &self,
        id: &str,
        player: &str,
        network: Option<Network>,
        now: i64,
    ) -> Result<(), Refusal> {
        let mut games = self.inner.presence.lock();
        let open = || games.values().filter(|entry| entry.against_engine.is_some() && entry.is_present(now));
        let own = open().filter(|entry| entry.against_engine.as_deref() == Some(player)).count();
        let full = |(network, factor): (Network, u32)| {
            let around = |entry: &&Entry| {
                entry.network.is_some_and(|other| other.steps().any(|(wider, _)| wider == network))
            };
            open().filter(around).count() >= ENGINE_GAMES_OF_NETWORK * factor as usize
        };
        if own >= ENGINE_GAMES_OF_PLAYER || network.is_some_and(|network| network.steps().any(full)) {
            return Err(Refusal::TooManyEngineGames { seconds: (LEFT_MS / 1_000) as u64 });
        }
        let entry = Entry {
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

    /// The public games that are being played, the last changed first.
    pub(crate) fn being_played(&self, now: i64) -> Vec<Playing> {
        let games = self.inner.presence.lock();
        let mut playing: Vec<Playing> = games
            .iter()
            .filter(|(_, entry)| entry.is_shown(now))
            .map(|(id, entry)| Playing { id: id.clone(), seq: entry.seq, updated_at: entry.updated_at })
            .collect();
        playing.sort_by(|one, other| (other.updated_at, &other.id).cmp(&(one.updated_at, &one.id)));
        playing
    }

    /// A game as a line of a list, if it is in memory.
    pub(crate) async fn summary(&self, id: &str) -> Option<GameSummary> {
        let live = self.in_memory(id)?;
        let inside = live.lock().await;
        Some(inside.table.line())
    }

    /// Forgets the games that their players have left.
    pub(crate) fn sweep_presence(&self, now: i64) {
        let mut games = self.inner.presence.lock();
        games.retain(|_, entry| entry.is_present(now));
        if games.capacity() > 2 * games.len() + 1_024 {
            games.shrink_to_fit();
        }
    }

    /// Aborts games against the engine that their players left before both had moved.
    pub(crate) async fn abort_unbegun(&self, now: i64) -> Result<(), StoreError> {
        for id in self.inner.store.unbegun_engine_games(now - UNBEGUN_MS, ABORTED_AT_ONCE).await? {
            let live = match self.game(&id).await {
                Ok(Some(live)) => live,
                Ok(None) => continue,
                Err(error) => {
                    tracing::error!(%error, game = id, "a game that was left could not be aborted");
                    continue;
                }
            };
            let mut inside = live.lock().await;
            let away = inside.person_seen_at().is_none_or(|seen| now - seen >= UNBEGUN_MS);
            if inside.has_person(now) || !away || inside.table.has_begun() || inside.table.ended.is_some() {
                continue;
            }
            let end = super::Fact::Finished { result: "*".into(), reason: Reason::Aborted, at: now };
            if let Err(error) = self.commit(&live, &mut inside, vec![end], now).await {
                tracing::error!(%error, game = id, "a game that was left could not be aborted");
                continue;
            }
            self.after(&live, &mut inside, now);
        }
        Ok(())
    }
}
