//! A game in memory, with those who follow it. Everything that changes a game goes through [`Live::commit`]: facts
//! are on the disk before anybody hears of them.

use super::chat::Spoken;
use super::fact::Fact;
use super::refusal::Refusal;
use super::table::Table;
use super::thinking::Thinking;
use super::view::Attendance;
use crate::network::Network;
use crate::store::{Append, Store};
use lozenge_wire::{Clock, Color, Event, PlayerKind, Present, RatingChanges, Room, Status};
use std::sync::Arc;
use tokio::sync::{Mutex, MutexGuard, broadcast};

/// Messages that a slow listener may be behind before it is told to begin again.
const BACKLOG: usize = 32;

/// How long a player may be away before the other may claim the win, in milliseconds.
const AWAY_LIVE_MS: i64 = 30_000;
const AWAY_UNLIMITED_MS: i64 = 5 * 60_000;

/// How long a player without a connection counts as present after the last request, in milliseconds.
const PRESENT_MS: i64 = 30_000;

/// Most lines of chat that are remembered for those who come later.
const CHAT_LINES: usize = 100;

/// Who hears a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Audience {
    /// Everybody.
    All,
    /// The players.
    Players,
    /// Those who watch, and the players once the game is over.
    Spectators,
}

/// A message as it is sent: written once for all.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) audience: Audience,
    /// The event as JSON.
    pub(crate) text: Arc<str>,
}

/// A game in memory.
#[derive(Debug)]
pub(crate) struct Live {
    inside: Mutex<Inside>,
    /// Those who are told everything at length, and those who are told it in few words.
    listeners: broadcast::Sender<Message>,
    slim_listeners: broadcast::Sender<Message>,
}

/// What is locked while a game changes.
#[derive(Debug)]
pub(crate) struct Inside {
    pub(crate) table: Table,
    /// Whether the record may have more than this, or other things: a write's outcome is unknown. Nothing is done until
    /// the game has been read again ([`Hub::lock`](super::Hub::lock)).
    pub(super) in_doubt: bool,
    /// Open connections of each side.
    connections: [u32; 2],
    /// Since when a side has had none.
    away_since: [Option<i64>; 2],
    /// When a side last had a connection or sent a request, and from where.
    last_seen: [Option<i64>; 2],
    networks: [Option<Network>; 2],
    /// The engine's search for its move, if one runs or waits.
    pub(super) thinking: Option<Thinking>,
    /// What [`Hub::tell_of`](super::Hub::tell_of) last told the players of it: nothing of a game that comes to memory.
    pub(super) told: Status,
    /// Half moves before the turn of a correspondence game that was last sent to push messages.
    pub(super) turn_sent: Option<usize>,
    /// Whether its end has been rated.
    pub(crate) rated: bool,
    /// What that made of the ratings.
    pub(crate) rating_changes: Option<RatingChanges>,
    /// What the engine last thought of its position, in centipawns.
    pub(crate) engine_score: Option<i32>,
    /// When the next alarm rings for this game.
    pub(crate) alarm: Option<i64>,
    /// The last lines of chat.
    pub(crate) chat: Vec<Event>,
    /// What was said lately, for limits on how much may be said.
    pub(super) spoken: Spoken,
}

impl Live {
    pub(crate) fn new(table: Table) -> Self {
        let inside = Inside {
            table,
            in_doubt: false,
            connections: [0; 2],
            away_since: [None; 2],
            last_seen: [None; 2],
            networks: [None; 2],
            thinking: None,
            told: Status::Waiting,
            turn_sent: None,
            rated: false,
            rating_changes: None,
            engine_score: None,
            alarm: None,
            chat: Vec::new(),
            spoken: Spoken::default(),
        };
        Self {
            inside: Mutex::new(inside),
            listeners: broadcast::channel(BACKLOG).0,
            slim_listeners: broadcast::channel(BACKLOG).0,
        }
    }

    pub(crate) async fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().await
    }

    /// The game, unless somebody else changes it at this moment.
    pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, Inside>> {
        self.inside.try_lock().ok()
    }

    /// Hears everything from now on; changes of the game in few words, if `slim`.
    pub(crate) fn listen(&self, slim: bool) -> broadcast::Receiver<Message> {
        if slim { self.slim_listeners.subscribe() } else { self.listeners.subscribe() }
    }

    /// Whether anybody listens.
    pub(crate) fn is_heard(&self) -> bool {
        self.listeners.receiver_count() + self.slim_listeners.receiver_count() > 0
    }

    /// Tells everybody in an audience.
    pub(crate) fn tell(&self, audience: Audience, event: &Event) {
        tell(&[&self.listeners, &self.slim_listeners], audience, event);
    }

    /// Writes facts down, lets them happen, and tells everybody. On an error nothing has changed.
    pub(crate) async fn commit(
        &self,
        inside: &mut Inside,
        store: &Store,
        facts: Vec<Fact>,
        now: i64,
    ) -> Result<(), Refusal> {
        if facts.is_empty() {
            return Ok(());
        }
        if inside.in_doubt {
            return Err(Refusal::Unavailable);
        }
        // The facts happen at once, and are taken back if they cannot be written: whoever looks at the game waits for
        // the lock. (Copying the table instead would copy the whole game with every move.)
        let table = &mut inside.table;
        let (mark, plies) = (table.mark(&facts), table.played.len());
        if let Some(refusal) = facts.iter().find_map(|fact| table.apply(fact).err()) {
            table.return_to(mark);
            return Err(refusal);
        }
        let append = Append {
            new: None,
            game: table.terms.id.clone(),
            first: mark.seq() + 1,
            summary: table.summary(&facts),
            facts,
        };
        if let Err(error) = store.append(append).await {
            inside.table.return_to(mark);
            inside.in_doubt = error.needs_reload();
            return Err(error.into());
        }
        let moved = inside.table.played.len() == plies + 1;
        self.tell_state(inside, moved, now);
        Ok(())
    }

    /// Tells everybody how the game stands, with the last move if it has just been played.
    pub(crate) fn tell_state(&self, inside: &Inside, moved: bool, now: i64) {
        let table = &inside.table;
        let last = if moved { table.played.len().checked_sub(1) } else { None };
        if self.slim_listeners.receiver_count() > 0 {
            let state = Box::new(table.slim_state(now, inside.attendance()));
            let played = last.and_then(|last| table.step(last));
            let event = Event::Change { played, state, next: table.next.clone() };
            tell(&[&self.slim_listeners], Audience::All, &event);
        }
        if self.listeners.receiver_count() > 0 {
            let state = Box::new(table.state(now, inside.attendance()));
            let played = last.and_then(|last| table.entry(last));
            let event = Event::State { played, state, next: table.next.clone() };
            tell(&[&self.listeners], Audience::All, &event);
        }
    }
}

/// Writes an event once and gives it to all who listen.
fn tell(listeners: &[&broadcast::Sender<Message>], audience: Audience, event: &Event) {
    let mut heard = listeners.iter().filter(|listeners| listeners.receiver_count() > 0).peekable();
    if heard.peek().is_none() {
        return;
    }
    // The wire's types have no case that could fail.
    let Ok(text) = serde_json::to_string(event) else { return };
    let text: Arc<str> = text.into();
    for listeners in heard {
        let _ = listeners.send(Message { audience, text: Arc::clone(&text) });
    }
}

impl Inside {
    /// Who is there, and who may claim the win over somebody who is not.
    pub(crate) fn attendance(&self) -> Attendance {
        let engine = self.table.engine().map(|(color, _)| color);
        let there = |color: Color| self.connections[color.index()] > 0 || engine == Some(color);
        let present = Present { white: there(Color::White), black: there(Color::Black) };
        Attendance { present, claim_victory_at: self.claim_victory_at(), rating_changes: self.rating_changes }
    }

    /// A connection of a side was opened or closed. Whether others have to hear of it.
    pub(crate) fn connect(&mut self, color: Color, open: bool, now: i64) -> bool {
        let count = &mut self.connections[color.index()];
        let before = *count > 0;
        *count = if open { *count + 1 } else { count.saturating_sub(1) };
        let after = *count > 0;
        self.last_seen[color.index()] = Some(now);
        self.away_since[color.index()] = if after { None } else { Some(now) };
        before != after
    }

    /// A side has done something, with or without a connection: it is not away.
    pub(crate) fn seen(&mut self, color: Color, now: i64) {
        self.last_seen[color.index()] = Some(now);
        if let Some(since) = &mut self.away_since[color.index()] {
            *since = now;
        }
    }

    /// A side has been seen, coming from a network.
    pub(super) fn arrive(&mut self, color: Color, network: Option<Network>, now: i64) {
        self.seen(color, now);
        self.networks[color.index()] = network;
    }

    /// A rematch, with the other colors: whoever was present in the game before is present here.
    pub(super) fn arrive_from(&mut self, before: &Self, now: i64) {
        for color in [Color::White, Color::Black].into_iter().filter(|color| before.is_present(!*color, now))
        {
            self.arrive(color, before.networks[(!color).index()], now);
        }
    }

    /// Whether a side has a connection.
    pub(super) fn is_connected(&self, color: Color) -> bool {
        self.connections[color.index()] > 0
    }

    /// Whether a side has a connection, or had one or sent a request lately.
    fn is_present(&self, color: Color, now: i64) -> bool {
        self.present_until(color).is_some_and(|until| now < until)
    }

    /// Until when a side counts as present if it is not seen again.
    fn present_until(&self, color: Color) -> Option<i64> {
        if self.is_connected(color) {
            return Some(i64::MAX);
        }
        self.last_seen[color.index()].map(|seen| seen + PRESENT_MS)
    }

    /// The sides that people play.
    pub(super) fn people(&self) -> impl Iterator<Item = Color> + use<'_> {
        [Color::White, Color::Black].into_iter().filter(|color| {
            self.table.seats[color.index()].as_ref().is_some_and(|seat| seat.kind != PlayerKind::Engine)
        })
    }

    /// Whether one of the people who play is present.
    pub(super) fn has_person(&self, now: i64) -> bool {
        self.people().any(|color| self.is_present(color, now))
    }

    /// Until when one of the people who play counts as present; none while one has a connection.
    pub(super) fn last_person_until(&self) -> Option<i64> {
        self.people().filter_map(|color| self.present_until(color)).max().filter(|until| *until < i64::MAX)
    }

    /// When one of the people who play was last seen.
    pub(super) fn person_seen_at(&self) -> Option<i64> {
        self.people().filter_map(|color| self.last_seen[color.index()]).max()
    }

    /// Where a side was last seen.
    pub(super) fn network(&self, color: Color) -> Option<Network> {
        self.networks[color.index()]
    }

    /// The game begins, or has been loaded: who is not connected is away from now on, and what went before is held
    /// against nobody.
    pub(crate) fn begin_anew(&mut self, now: i64) {
        for color in [Color::White, Color::Black] {
            let there = self.connections[color.index()] > 0;
            self.away_since[color.index()] = (!there).then_some(now);
        }
    }

    /// When the time of the side to move is surely over: a move of somebody who is connected may be on its way for as
    /// long as it would be compensated.
    pub(crate) fn flag_at(&self) -> Option<i64> {
        let clock = self.table.clock.as_ref()?;
        let turn = self.table.turn();
        let on_its_way = clock.is_live() && self.connections[turn.index()] > 0;
        Some(clock.deadline()? + if on_its_way { clock.lag_quota(turn) } else { 0 })
    }

    /// Whether its moves are timed within minutes at this moment.
    pub(crate) fn is_timed(&self) -> bool {
        self.table.status() == Status::Started && self.table.clock.is_some_and(|clock| clock.is_live())
    }

    /// From when on the win over a side that is away can be claimed. A game that has not begun is broken off instead.
    pub(crate) fn claimable_from(&self, color: Color) -> Option<i64> {
        let bound = match self.table.terms.clock {
            Some(Clock::Live { .. }) => AWAY_LIVE_MS,
            Some(Clock::Correspondence { .. }) => return None,
            None => AWAY_UNLIMITED_MS,
        };
        let goes_on = self.table.status() == Status::Started && self.table.has_begun();
        if !goes_on || self.table.engine().is_some() {
            return None;
        }
        self.away_since[color.index()].map(|since| since + bound)
    }

    fn claim_victory_at(&self) -> Option<i64> {
        let turn = self.table.turn();
        [turn, !turn].into_iter().find_map(|color| self.claimable_from(color))
    }

    /// Remembers a line for those who come later.
    pub(crate) fn remember(&mut self, line: Event) {
        if self.chat.len() == CHAT_LINES {
            self.chat.remove(0);
        }
        self.chat.push(line);
    }
}

impl Audience {
    /// Who reads a room.
    pub(crate) fn of(room: Room) -> Self {
        match room {
            Room::Players => Self::Players,
            Room::Spectators => Self::Spectators,
        }
    }

    /// Whether somebody hears it.
    pub(crate) fn includes(self, player: bool, over: bool) -> bool {
        match self {
            Self::All => true,
            Self::Players => player,
            Self::Spectators => !player || over,
        }
    }
}
