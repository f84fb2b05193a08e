//! A game in memory, and the channel that sends its changes to its followers. All changes go through
//! [`LiveGame::commit`]: events are on disk before they are sent.

use super::chat::ChatHistory;
use super::cluster_side::{ClusterSide, GameNews};
use super::engine_player::EngineSearch;
use crate::cluster::Cluster;
use lozenge_game::Network;
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, GameEvent, GameMachine, PresenceInfo, SeatRatingChanges};
use lozenge_store::{Append, CancelFlag, Store, StoreError, WriteError};
use lozenge_wire::{ByPlayer, Clock, Color, Event, PlayerKind, Room, Status};
use std::pin::pin;
use std::sync::{Arc, OnceLock};
use tokio::sync::{Mutex, MutexGuard, broadcast};
use tokio::task::AbortHandle;
use tokio_tungstenite::tungstenite::Utf8Bytes;

/// Messages that a slow receiver may be behind before it has to start over.
const BACKLOG: usize = 32;

/// Length of most events as JSON, in bytes.
const EVENT: usize = 3 << 10;

/// How long a player may be away before the opponent may claim the win, in milliseconds.
const AWAY_LIVE_MS: i64 = 30_000;
const AWAY_UNLIMITED_MS: i64 = 5 * 60_000;

/// How long a player without a connection counts as present after the last request, in milliseconds.
const PRESENT_MS: i64 = 30_000;

/// Most lines of chat that are sent to clients that come later.
const CHAT_LINES: usize = 100;

/// The receivers of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Players and spectators.
    All,
    /// The players.
    Players,
    /// The spectators, and once the game is over also the players.
    Spectators,
}

/// A message to the followers of a game.
#[derive(Clone, Debug)]
pub enum Message {
    /// An event, serialized once for all receivers.
    Event {
        /// The followers who receive it.
        audience: Audience,
        /// The event as JSON, as sockets send it without a copy.
        text: Utf8Bytes,
    },
    /// Sockets and streams end, by this code of RFC 6455, and their clients connect again, perhaps to another server.
    Close(u16),
}

/// The code of RFC 6455 by which sockets are closed when the server restarts: the client is to connect again.
pub const RESTART: u16 = 1012;

/// The code by which they are closed when this server cannot serve the game: the client is to connect again.
pub(crate) const TRY_AGAIN_LATER: u16 = 1013;

/// A game in memory.
#[derive(Debug)]
pub struct LiveGame {
    inner: Mutex<LiveGameInner>,
    messages: broadcast::Sender<Message>,
    /// Where there are several servers: the way to those that follow the game.
    cluster: Option<Cluster>,
    /// The task that follows the game's owner.
    follows: OnceLock<AbortHandle>,
}

impl Drop for LiveGame {
    fn drop(&mut self) {
        if let Some(task) = self.follows.get() {
            task.abort();
        }
    }
}

/// The part of a game that is locked while it changes.
#[derive(Debug)]
pub struct LiveGameInner {
    /// The state of the game.
    pub machine: GameMachine,
    /// Whether the database may have other events, because the outcome of a write is unknown. The game has to be reloaded
    /// before anything else happens in it ([`LiveGames::lock`](super::LiveGames)).
    pub(super) outcome_unknown: bool,
    /// The epoch in which this server owns the game, or another of which it knows.
    pub(super) epoch: i64,
    /// Where there are several servers: which of them owns the game.
    pub(super) side: Option<Box<ClusterSide>>,
    /// The request of another server that is being carried out.
    pub(super) command: Option<String>,
    /// When it came into memory, in Unix milliseconds.
    pub(super) loaded_at: i64,
    /// Open connections of each side.
    connections: ByPlayer<u32>,
    /// Since when a side has had no connection.
    away_since: ByPlayer<Option<i64>>,
    /// When a side last had a connection or sent a request, and from which network.
    last_seen: ByPlayer<Option<i64>>,
    networks: ByPlayer<Option<Network>>,
    /// The engine's search for its move, if one runs or is queued.
    pub(super) search: Option<EngineSearch>,
    /// The status that the players were last sent as [`Lifecycle`](super::Lifecycle).
    pub(super) announced: Status,
    /// How many players sat when the game was last announced to the lobby; `None` if it is not there.
    pub(super) seated_in_lobby: Option<usize>,
    /// In a correspondence game, the half moves before the turn that was last sent as [`TurnBegun`](super::TurnBegun).
    pub(super) turn_sent: Option<usize>,
    /// Whether its end has been rated.
    pub(super) rated: bool,
    /// How its end changed the ratings.
    pub(super) rating_changes: Option<SeatRatingChanges>,
    /// The engine's last score of its position, in centipawns.
    pub(super) engine_score: Option<i32>,
    /// When the next timer of this game fires.
    pub(super) timer: Option<i64>,
    /// The last lines of chat.
    pub chat: Vec<Event>,
    /// Recent lines, for limits on chat.
    pub(super) chat_history: ChatHistory,
}

impl LiveGame {
    pub(super) fn new(machine: GameMachine, epoch: i64, cluster: Option<Cluster>) -> Self {
        let inner = LiveGameInner {
            machine,
            outcome_unknown: false,
            epoch,
            side: cluster.as_ref().map(|_| Box::default()),
            command: None,
            loaded_at: now_ms(),
            connections: ByPlayer::filled(0),
            away_since: ByPlayer::filled(None),
            last_seen: ByPlayer::filled(None),
            networks: ByPlayer::filled(None),
            search: None,
            announced: Status::Waiting,
            seated_in_lobby: None,
            turn_sent: None,
            rated: false,
            rating_changes: None,
            engine_score: None,
            timer: None,
            chat: Vec::new(),
            chat_history: ChatHistory::default(),
        };
        let (inner, messages) = (Mutex::new(inner), broadcast::channel(BACKLOG).0);
        Self { inner, messages, cluster, follows: OnceLock::new() }
    }

    /// The task that follows the owner ends with the game.
    pub(super) fn set_follower(&self, task: AbortHandle) {
        if let Err(second) = self.follows.set(task) {
            second.abort();
        }
    }

    /// Locks the game until the guard is dropped: nothing else changes it.
    pub async fn lock(&self) -> MutexGuard<'_, LiveGameInner> {
        self.inner.lock().await
    }

    /// Locks the game unless it is being changed.
    pub(super) fn try_lock(&self) -> Option<MutexGuard<'_, LiveGameInner>> {
        self.inner.try_lock().ok()
    }

    /// The messages from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<Message> {
        self.messages.subscribe()
    }

    /// Whether the game has followers.
    pub(super) fn has_subscribers(&self) -> bool {
        self.messages.receiver_count() > 0
    }

    /// Sends an event to an audience.
    pub(super) fn broadcast(&self, audience: Audience, event: &Event) {
        if !self.has_subscribers() {
            return;
        }
        // Most events have room in it, so that the text does not grow in steps.
        let mut text = Vec::with_capacity(EVENT);
        // Serializing the wire's types cannot fail, and gives UTF-8.
        let Ok(()) = serde_json::to_writer(&mut text, event) else { return };
        let Ok(text) = String::from_utf8(text) else { return };
        let _ = self.messages.send(Message::Event { audience, text: text.into() });
    }

    /// Ends the sockets and streams of the game.
    pub(super) fn close_followers(&self, code: u16) {
        // There may be none.
        let _ = self.messages.send(Message::Close(code));
    }

    /// Writes events, applies them, and broadcasts the new state. On an error nothing has changed.
    pub(super) async fn commit(
        &self,
        inner: &mut LiveGameInner,
        store: &Store,
        events: Vec<GameEvent>,
        now: i64,
    ) -> Result<(), ActionError> {
        if events.is_empty() {
            return Ok(());
        }
        if inner.outcome_unknown {
            return Err(ActionError::Unavailable);
        }
        // The events are applied first and rolled back if they cannot be written: readers wait for the lock. (Applying them
        // to a copy would copy the whole game for every move.)
        let machine = &mut inner.machine;
        let (snapshot, plies) = (machine.snapshot(&events), machine.played.len());
        if let Some(error) = events.iter().find_map(|event| machine.apply(event).err()) {
            machine.rollback(snapshot);
            return Err(error);
        }
        let cancel_flag = CancelFlag::default();
        let append = Append {
            new: None,
            game: machine.config.id.clone(),
            first: snapshot.seq() + 1,
            update: machine.row_update(&events),
            epoch: inner.epoch,
            command: inner.command.take(),
            events,
            cancel_flag: cancel_flag.clone(),
        };
        let news = self.cluster.is_some().then(|| append.events.clone());
        let mut writing = pin!(store.append(append));
        let written = match &self.cluster {
            None => writing.await,
            // If the lease ends first, events already sent may still be written: they are read when the game is loaded again.
            // Its followers can go elsewhere meanwhile.
            Some(cluster) => {
                let written = cluster.while_leased(writing.as_mut()).await;
                written.unwrap_or_else(|| {
                    cancel_flag.cancel();
                    Err(WriteError::Unknown(Arc::new(StoreError::LeaseOver)))
                })
            }
        };
        if let Err(error) = written {
            inner.machine.rollback(snapshot);
            inner.outcome_unknown = error.needs_reload();
            return Err(error.into());
        }
        let moved = inner.machine.played.len() == plies + 1;
        if let Some(events) = news {
            self.publish_change(inner, events, None);
        }
        self.broadcast_locally(inner, moved, now);
        Ok(())
    }

    /// Broadcasts the state after a change that is not in the record, here and to the servers that follow the game.
    pub(super) fn broadcast_state(&self, inner: &mut LiveGameInner, now: i64) {
        self.publish_change(inner, Vec::new(), None);
        self.broadcast_locally(inner, false, now);
    }

    /// Broadcasts a line of chat, here and to the servers that follow the game.
    pub(super) fn broadcast_chat(&self, inner: &mut LiveGameInner, room: Room, line: &Event) {
        self.publish_change(inner, Vec::new(), Some(line));
        self.broadcast(Audience::of(room), line);
    }

    /// Sends a change to the servers that follow the game, if this one owns it.
    fn publish_change(&self, inner: &mut LiveGameInner, events: Vec<GameEvent>, chat: Option<&Event>) {
        let Some(cluster) = &self.cluster else { return };
        if let Some(news) = inner.news(cluster, events, chat) {
            cluster.publish_game(&inner.machine.config.id, &news);
        }
    }

    /// Broadcasts the state on this server, with the last move if it has just been played.
    pub(super) fn broadcast_locally(&self, inner: &LiveGameInner, moved: bool, now: i64) {
        if !self.has_subscribers() {
            return;
        }
        let machine = &inner.machine;
        let state = Box::new(machine.state(now, inner.presence()));
        let played = if moved { machine.last_move() } else { None };
        self.broadcast(Audience::All, &Event::State { played, state, next: machine.next.clone() });
    }
}

impl LiveGameInner {
    /// Whether this server owns the game: with one server always.
    pub(super) fn is_mine(&self) -> bool {
        self.side.as_ref().is_none_or(|side| side.is_mine())
    }

    /// Records which server owns the game, and its epoch. Returns whether that is new.
    pub(super) fn note_owner(&mut self, owner: Option<String>, epoch: i64) -> bool {
        let Some(side) = &mut self.side else { return false };
        let is_new = side.note_owner(owner, self.epoch != epoch);
        self.epoch = epoch;
        is_new
    }

    /// The message to other servers about a change, if this one owns the game.
    fn news(&mut self, cluster: &Cluster, events: Vec<GameEvent>, chat: Option<&Event>) -> Option<GameNews> {
        let (presence, seq, epoch) = (self.presence(), self.machine.seq, self.epoch);
        let number = self.side.as_mut().filter(|side| side.is_mine())?.next_number();
        let node = cluster.incarnation().to_string();
        Some(GameNews { node, epoch, number, seq, events, presence, chat: chat.cloned() })
    }

    /// Records which players are connected to another server. Returns whether that changes the presence.
    pub(super) fn note_remote_presence(&mut self, node: String, connected: ByPlayer<bool>, now: i64) -> bool {
        let before = self.connected();
        let Some(side) = &mut self.side else { return false };
        side.note_remote_presence(node, connected);
        let mut changed = false;
        for &color in self.machine.record.colors() {
            if before[color] != self.is_connected(color) {
                self.note_connection(color, now);
                changed = true;
            }
        }
        changed
    }

    /// Drops connections of servers that have not reported for a while. Returns whether that changes the presence.
    pub(super) fn expire_remote_presence(&mut self, now: i64) -> bool {
        self.side.as_deref().is_some_and(ClusterSide::has_late_presence)
            && self.note_remote_presence(String::new(), ByPlayer::default(), now)
    }

    /// The connected players, and from when on a player may claim the win over an absent opponent.
    pub fn presence(&self) -> PresenceInfo {
        let view = self.side.as_ref().and_then(|side| side.view());
        let mut connected = view.map_or(ByPlayer::default(), |view| view.connected);
        for &color in self.machine.record.colors() {
            connected[color] |= self.is_connected(color) || self.machine.is_engine(color);
        }
        if let Some(view) = view {
            return PresenceInfo { connected, ..view };
        }
        PresenceInfo {
            connected,
            claim_victory_at: self.claim_victory_at(),
            rating_changes: self.rating_changes,
        }
    }

    /// Records that a connection of a side was opened or closed. Returns whether that changes the presence.
    pub(super) fn connect(&mut self, color: Color, open: bool, now: i64) -> bool {
        let before = self.is_connected(color);
        let count = &mut self.connections[color];
        *count = if open { *count + 1 } else { count.saturating_sub(1) };
        self.note_connection(color, now);
        before != self.is_connected(color)
    }

    /// The connections of a side have changed, here or at another server.
    pub(super) fn note_connection(&mut self, color: Color, now: i64) {
        self.last_seen[color] = Some(now);
        self.away_since[color] = (!self.is_connected(color)).then_some(now);
    }

    /// Whether a side has a connection to this server.
    pub(super) fn is_connected_here(&self, color: Color) -> bool {
        self.connections[color] > 0
    }

    /// A side sent a request, with or without a connection: it is not away.
    pub(super) fn touch(&mut self, color: Color, now: i64) {
        self.last_seen[color] = Some(now);
        if let Some(since) = &mut self.away_since[color] {
            *since = now;
        }
    }

    /// A side sent a request from a network.
    pub(super) fn note_request(&mut self, color: Color, network: Option<Network>, now: i64) {
        self.touch(color, now);
        self.networks[color] = network;
    }

    /// Of a rematch, in which everyone sits some seats further: players who were present in the game before are present here.
    pub(super) fn copy_presence(&mut self, before: &Self, further: usize, now: i64) {
        let colors = self.machine.record.colors();
        for (&seat, &next) in colors.iter().zip(colors.iter().cycle().skip(further)) {
            if before.is_present(seat, now) {
                self.note_request(next, before.networks[seat], now);
            }
        }
    }

    /// Whether a side has a connection.
    pub(super) fn is_connected(&self, color: Color) -> bool {
        self.is_connected_here(color) || self.side.as_ref().is_some_and(|side| side.is_connected(color))
    }

    /// Which players have a connection, by the order of the turns.
    pub(super) fn connected(&self) -> ByPlayer<bool> {
        self.by_turn(|color| self.is_connected(color))
    }

    /// Which players have a connection to this server, by the order of the turns.
    pub(super) fn connected_here(&self) -> ByPlayer<bool> {
        self.by_turn(|color| self.is_connected_here(color))
    }

    fn by_turn(&self, is: impl Fn(Color) -> bool) -> ByPlayer<bool> {
        let mut all = ByPlayer::default();
        for &color in self.machine.record.colors() {
            all[color] = is(color);
        }
        all
    }

    /// Whether a side has a connection, or recently had one or sent a request.
    fn is_present(&self, color: Color, now: i64) -> bool {
        self.present_until(color).is_some_and(|until| now < until)
    }

    /// Until when a side counts as present without further requests.
    fn present_until(&self, color: Color) -> Option<i64> {
        if self.is_connected(color) {
            return Some(i64::MAX);
        }
        self.last_seen[color].map(|seen| seen + PRESENT_MS)
    }

    /// The sides played by people, not by the engine.
    pub(super) fn people(&self) -> impl Iterator<Item = Color> + use<'_> {
        let is_person =
            |color| self.machine.player(color).is_some_and(|seat| seat.kind != PlayerKind::Engine);
        self.machine.record.colors().iter().copied().filter(move |&color| is_person(color))
    }

    /// Whether a person who plays is present.
    pub(super) fn has_person(&self, now: i64) -> bool {
        self.people().any(|color| self.is_present(color, now))
    }

    /// Until when a person who plays counts as present; `None` while one has a connection.
    pub(super) fn last_person_until(&self) -> Option<i64> {
        self.people().filter_map(|color| self.present_until(color)).max().filter(|until| *until < i64::MAX)
    }

    /// When a person who plays was last seen.
    pub(super) fn person_seen_at(&self) -> Option<i64> {
        self.people().filter_map(|color| self.last_seen[color]).max()
    }

    /// The network from which a side was last seen.
    pub(super) fn network(&self, color: Color) -> Option<Network> {
        self.networks[color]
    }

    /// The game begins or was loaded: absent players count as away from now on, not since earlier.
    pub(super) fn reset_absence(&mut self, now: i64) {
        for &color in self.machine.record.colors() {
            let is_connected = self.is_connected(color);
            self.away_since[color] = (!is_connected).then_some(now);
        }
    }

    /// When the side to move has certainly run out of time: the move of a connected player may still be on its way, for as
    /// long as lag would be compensated.
    pub(super) fn flag_at(&self) -> Option<i64> {
        let clock = self.machine.clock.as_ref()?;
        let turn = self.machine.turn();
        let on_its_way = clock.is_live() && self.is_connected(turn);
        Some(clock.deadline()? + if on_its_way { clock.lag_quota(turn) } else { 0 })
    }

    /// Whether a live clock may be running.
    pub(super) fn is_timed(&self) -> bool {
        self.machine.status() == Status::Started && self.machine.clock.is_some_and(|clock| clock.is_live())
    }

    /// From when on the win over an absent side can be claimed, in a game of four that the absent player to move goes out. A game
    /// that has not begun is aborted instead.
    pub(super) fn claimable_from(&self, color: Color) -> Option<i64> {
        let bound = match self.machine.config.clock {
            Some(Clock::Live { .. }) => AWAY_LIVE_MS,
            Some(Clock::Correspondence { .. }) => return None,
            None => AWAY_UNLIMITED_MS,
        };
        let goes_on = self.machine.status() == Status::Started && self.machine.has_begun();
        let may_leave = match self.machine.record.colors().len() {
            2 => self.machine.has_engine(),
            _ => self.machine.is_engine(color) || color != self.machine.turn(),
        };
        if !goes_on || may_leave {
            return None;
        }
        self.away_since[color].map(|since| since + bound)
    }

    fn claim_victory_at(&self) -> Option<i64> {
        let turn = self.machine.turn();
        let colors = [turn].into_iter().chain(self.machine.record.colors().iter().copied());
        colors.into_iter().find_map(|color| self.claimable_from(color))
    }

    /// Adds a line of chat for clients that come later.
    pub(super) fn remember(&mut self, line: Event) {
        if self.chat.len() == CHAT_LINES {
            self.chat.remove(0);
        }
        self.chat.push(line);
    }
}

impl Audience {
    /// The readers of a room.
    pub fn of(room: Room) -> Self {
        match room {
            Room::Players => Self::Players,
            Room::Spectators => Self::Spectators,
        }
    }

    /// Whether a player or spectator belongs to it.
    pub fn includes(self, player: bool, over: bool) -> bool {
        match self {
            Self::All => true,
            Self::Players => player,
            Self::Spectators => !player || over,
        }
    }
}
