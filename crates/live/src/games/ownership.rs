//! Which server owns a game in memory, where there are several: taking a game, losing it, and the owner's view of players
//! at other servers. Not here: the messages between servers (`replica`, `router`).

use super::replica::GameNews;
use super::{GameError, GameHandle, LiveGame, LiveGameInner, LiveGames, live_game, rating};
use crate::cluster::Cluster;
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, FinishedGame, GameEvent, PresenceInfo};
use lozenge_store::GameHead;
use lozenge_wire::{Color, Event, MAX_PLAYERS, Status};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Results of requests of other servers that are remembered: one that is sent again is answered, not carried out again.
const MAX_REMEMBERED: usize = 32;

/// How often a clock is tried to be resumed while the lease of its new owner is being renewed, and the pause in between.
pub(super) const RESUME_TRIES: usize = 20;
pub(super) const RESUME_DELAY: Duration = Duration::from_millis(50);

/// Connections at another server count for this long after its last report.
const REMOTE_PRESENCE_TTL: Duration = Duration::from_secs(15);

/// The cluster state of a game at one server, beside its machine; only where there are several servers.
#[derive(Debug, Default)]
pub(super) struct ClusterSide {
    /// Whether this server owns the game.
    mine: bool,
    /// The other server that owns it, by its incarnation.
    owner: Option<String>,
    /// Number of the last message that this server has sent or received in this epoch.
    number: Option<u64>,
    /// The connected players, as the owner last reported.
    view: PresenceInfo,
    /// Connections of the players at other servers, by incarnation.
    remote_presence: HashMap<String, RemotePresence>,
    /// Requests of other servers that were carried out.
    done: VecDeque<(String, Result<(), ActionError>)>,
}

#[derive(Debug)]
struct RemotePresence {
    connected: [bool; MAX_PLAYERS],
    at: Instant,
}

impl ClusterSide {
    /// The other server that owns it.
    pub(super) fn owner(&self) -> Option<&str> {
        self.owner.as_deref()
    }

    /// The connected players as the owner sees them; `None` if this server is the owner.
    pub(super) fn view(&self) -> Option<PresenceInfo> {
        (!self.mine).then_some(self.view)
    }

    /// Stores the owner's report of the connected players.
    pub(super) fn set_view(&mut self, view: PresenceInfo) {
        self.view = view;
    }

    /// Whether a player has a connection to another server.
    pub(super) fn is_connected(&self, color: Color) -> bool {
        self.remote_presence.values().any(|presence| presence.connected[color.index()])
    }

    /// The result of a request that was carried out.
    pub(super) fn result(&self, command: &str) -> Option<Result<(), ActionError>> {
        self.done.iter().find(|(id, _)| id == command).map(|(_, result)| result.clone())
    }

    /// Remembers the result of a request.
    pub(super) fn remember(&mut self, command: String, result: Result<(), ActionError>) {
        if self.done.len() == MAX_REMEMBERED {
            self.done.pop_front();
        }
        self.done.push_back((command, result));
    }

    /// Records the number of a message of the owner. Returns whether messages before it are missing.
    pub(super) fn note_number(&mut self, number: u64) -> bool {
        let gap = self.number.is_some_and(|last| number != last + 1);
        self.number = Some(number);
        gap
    }
}

impl LiveGameInner {
    /// Whether this server owns the game: with one server always.
    pub(super) fn is_mine(&self) -> bool {
        self.side.as_ref().is_none_or(|side| side.mine)
    }

    /// Records which server owns the game, and its epoch. Returns whether that is new.
    pub(super) fn note_owner(&mut self, owner: Option<String>, epoch: i64) -> bool {
        let Some(side) = &mut self.side else { return false };
        if !side.mine && side.owner == owner && self.epoch == epoch {
            return false;
        }
        if self.epoch != epoch {
            side.number = None;
        }
        (side.mine, side.owner, self.epoch) = (false, owner, epoch);
        true
    }

    /// This server has made the game, and owns it if it may.
    pub(super) fn set_mine(&mut self, mine: bool) {
        if let Some(side) = &mut self.side {
            side.mine = mine;
        }
    }

    /// The message to other servers about a change, if this one owns the game.
    pub(super) fn news(
        &mut self,
        cluster: &Cluster,
        events: Vec<GameEvent>,
        chat: Option<&Event>,
    ) -> Option<GameNews> {
        let (presence, seq, epoch) = (self.presence(), self.machine.seq, self.epoch);
        let side = self.side.as_mut().filter(|side| side.mine)?;
        let number = side.number.map_or(1, |last| last + 1);
        side.number = Some(number);
        let node = cluster.incarnation().to_string();
        Some(GameNews { node, epoch, number, seq, events, presence, chat: chat.cloned() })
    }

    /// Records which players are connected to another server. Returns whether that changes the presence.
    pub(super) fn note_remote_presence(
        &mut self,
        node: String,
        connected: [bool; MAX_PLAYERS],
        now: i64,
    ) -> bool {
        let before = self.connected();
        let Some(side) = &mut self.side else { return false };
        side.remote_presence.retain(|_, presence| presence.at.elapsed() < REMOTE_PRESENCE_TTL);
        if connected == [false; MAX_PLAYERS] {
            side.remote_presence.remove(&node);
        } else {
            side.remote_presence.insert(node, RemotePresence { connected, at: Instant::now() });
        }
        let mut changed = false;
        for &color in self.machine.record.colors() {
            if before[color.index()] != self.is_connected(color) {
                self.note_connection(color, now);
                changed = true;
            }
        }
        changed
    }

    /// Drops connections of servers that have not reported for a while. Returns whether that changes the presence.
    pub(super) fn expire_remote_presence(&mut self, now: i64) -> bool {
        let late = |side: &ClusterSide| {
            side.remote_presence.values().any(|presence| presence.at.elapsed() >= REMOTE_PRESENCE_TTL)
        };
        self.side.as_deref().is_some_and(late)
            && self.note_remote_presence(String::new(), [false; MAX_PLAYERS], now)
    }
}

impl LiveGames {
    /// This server among others, if there are any.
    pub(super) fn cluster(&self) -> Option<&Cluster> {
        self.shared.cluster.as_ref()
    }

    /// Whether this server may change a game now.
    pub(super) fn may_change(&self, inner: &LiveGameInner) -> bool {
        inner.is_mine() && self.cluster().is_none_or(Cluster::may_own)
    }

    /// Takes a game that no server owns. Returns whether this server owns it now, or did before.
    pub(super) async fn claim(&self, live: &GameHandle) -> Result<bool, GameError> {
        let Some(cluster) = self.cluster() else { return Ok(true) };
        let mut inner = live.lock().await;
        if inner.is_mine() || !cluster.may_own() {
            return Ok(inner.is_mine());
        }
        let id = inner.machine.config.id.clone();
        let Some(head) = self.head(&id).await? else { return Ok(false) };
        if let Some(owner) = head.owner.as_ref().filter(|owner| ***owner != *cluster.incarnation()) {
            inner.note_owner(Some(owner.clone()), head.epoch);
            return Ok(false);
        }
        // The clock of its own game that was not loaded stood still for as long.
        let unloaded = || head.owner.as_ref().and(self.unloaded_since()).map(|since| now_ms() - since);
        let died_ago_ms = head.died_ago_ms.or_else(unloaded);
        let claimed = self.shared.store.claim_game(&id, &cluster.incarnation(), head.epoch).await;
        let Some(epoch) = self.note_failed_takeover(claimed, died_ago_ms)? else { return Ok(false) };
        let begun = self.begin_to_own(live, &mut inner, epoch, died_ago_ms).await;
        self.note_failed_takeover(begun, died_ago_ms).map(|()| true)
    }

    /// How far a game is in the database, and who has it.
    pub(super) async fn head(&self, id: &str) -> Result<Option<GameHead>, GameError> {
        Ok(self.shared.store.game_heads(&[id.to_owned()]).await?.remove(id))
    }

    /// Loads a game that this server owns by the database, and returns whether it had not done so. A live clock did not run
    /// since the last owner died.
    pub(super) async fn adopt(
        &self,
        id: &str,
        epoch: i64,
        died_ago_ms: Option<i64>,
    ) -> Result<bool, GameError> {
        let Some(live) = self.game_as_known(id).await? else { return Ok(false) };
        let mut inner = live.lock().await;
        // It may have been claimed meanwhile, here or elsewhere.
        if inner.epoch > epoch || (inner.is_mine() && inner.epoch == epoch) {
            return Ok(false);
        }
        self.begin_to_own(&live, &mut inner, epoch, died_ago_ms).await.map(|()| true)
    }

    async fn begin_to_own(
        &self,
        live: &GameHandle,
        inner: &mut LiveGameInner,
        epoch: i64,
        died_ago_ms: Option<i64>,
    ) -> Result<(), GameError> {
        // From now on no other server can write, so this is all.
        self.refresh(live, inner).await?;
        if inner.machine.is_to_be_rated() {
            let finished = FinishedGame::of(&inner.machine);
            inner.rating_changes = rating::changes(&self.shared.store, &finished).await?;
            inner.rated = inner.rating_changes.is_some();
        }
        let now = now_ms();
        inner.epoch = epoch;
        if let Some(side) = &mut inner.side {
            **side = ClusterSide { mine: true, ..ClusterSide::default() };
        }
        inner.reset_absence(now);
        inner.announced = inner.machine.status();
        inner.turn_sent = (inner.announced == Status::Started).then_some(inner.machine.played.len());
        let last_beat = died_ago_ms.map(|ago| now - ago);
        let mut resumed = Ok(());
        for _ in 0..RESUME_TRIES {
            resumed = self.resume(live, inner, last_beat, now_ms()).await;
            // The lease may be renewed in a moment.
            if resumed != Err(ActionError::NotOwner) || !inner.is_mine() {
                break;
            }
            tokio::time::sleep(RESUME_DELAY).await;
        }
        if let Err(error) = resumed
            && let Some(side) = inner.side.as_mut().filter(|side| side.mine)
        {
            // Its clock would be charged for the time without an owner: it is taken up again.
            **side = ClusterSide::default();
            (inner.outcome_unknown, inner.search) = (true, None);
            return Err(error.into());
        }
        // Servers whose clients follow it learn its owner, and report their connections.
        live.broadcast_state(inner, now);
        Ok(())
    }

    /// This server does not own a game any more: it follows the next owner. Changes in memory may never have been written.
    pub(super) fn lose(&self, live: &LiveGame, inner: &mut LiveGameInner) {
        if let Some(side) = &mut inner.side {
            **side = ClusterSide::default();
            (inner.outcome_unknown, inner.search) = (true, None);
            live.close_followers(live_game::RESTART);
        }
    }

    /// Loses all games: the lease of this server was over.
    pub(super) async fn lose_all(&self) {
        for live in self.shared.games.all() {
            let mut inner = live.lock().await;
            if inner.is_mine() {
                self.lose(&live, &mut inner);
            }
        }
    }

    /// Loses all games without closing their sockets, which follow the next owners as long as this server runs.
    pub(super) async fn release_all(&self) {
        for live in self.shared.games.all() {
            let mut inner = live.lock().await;
            if inner.is_mine()
                && let Some(side) = &mut inner.side
            {
                // All changes in memory are also in the record.
                **side = ClusterSide::default();
                inner.search = None;
            }
        }
    }

    /// Frees a game that was evicted from memory.
    pub(super) fn free(&self, id: &str, epoch: i64) {
        let Some(cluster) = self.cluster().cloned() else { return };
        let (store, id) = (self.shared.store.clone(), id.to_owned());
        tokio::spawn(async move {
            if let Err(error) = store.free_game(&id, &cluster.incarnation(), epoch).await {
                tracing::warn!(%error, game = id, "could not free a game");
            }
        });
    }
}
