//! State of a game for several servers: its owner, the players at other servers, the requests carried out; and
//! the owner's messages. Not here: taking and losing a game (`ownership`), following its owner (`replica`).

use lozenge_game::{ActionError, GameEvent, PresenceInfo};
use lozenge_wire::{ByPlayer, Color, Event};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Results of requests of other servers that are remembered: one that is sent again is answered, not carried out again.
const MAX_REMEMBERED: usize = 32;

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
    connected: ByPlayer<bool>,
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
        self.remote_presence.values().any(|presence| presence.connected[color])
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

    /// That of a server that has begun to own the game.
    pub(super) fn owned() -> Self {
        Self { mine: true, ..Self::default() }
    }

    /// Whether this server owns the game.
    pub(super) fn is_mine(&self) -> bool {
        self.mine
    }

    /// This server has made the game, and owns it if it may.
    pub(super) fn set_mine(&mut self, mine: bool) {
        self.mine = mine;
    }

    /// Records the other server that owns the game, in a new epoch or the same. Returns whether that is new.
    pub(super) fn note_owner(&mut self, owner: Option<String>, is_new_epoch: bool) -> bool {
        if !self.mine && self.owner == owner && !is_new_epoch {
            return false;
        }
        if is_new_epoch {
            self.number = None;
        }
        (self.mine, self.owner) = (false, owner);
        true
    }

    /// The number of the owner's next message.
    pub(super) fn next_number(&mut self) -> u64 {
        let number = self.number.map_or(1, |last| last + 1);
        self.number = Some(number);
        number
    }

    /// Records which players are connected to another server; drops those of servers that have not reported for a while.
    pub(super) fn note_remote_presence(&mut self, node: String, connected: ByPlayer<bool>) {
        self.remote_presence.retain(|_, presence| presence.at.elapsed() < REMOTE_PRESENCE_TTL);
        if connected == ByPlayer::default() {
            self.remote_presence.remove(&node);
        } else {
            self.remote_presence.insert(node, RemotePresence { connected, at: Instant::now() });
        }
    }

    /// Whether a server has not reported for a while.
    pub(super) fn has_late_presence(&self) -> bool {
        self.remote_presence.values().any(|presence| presence.at.elapsed() >= REMOTE_PRESENCE_TTL)
    }
}

/// A change of a game, for the servers that follow it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GameNews {
    /// The owner.
    pub(super) node: String,
    pub(super) epoch: i64,
    /// Number of the message in its epoch, from 1.
    pub(super) number: u64,
    /// Number of the last event, these included.
    pub(super) seq: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) events: Vec<GameEvent>,
    pub(super) presence: PresenceInfo,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) chat: Option<Event>,
}
