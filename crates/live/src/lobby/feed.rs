//! The stream of the lobby: first the list of open seeks, then its changes. Changes of a short
//! interval share one message, which is serialized once. Not here: the seeks.

use super::Lobby;
use lozenge_wire::{LobbyEvent, OpenGame, Seek};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Interval in which changes are collected before they are sent.
pub(super) const BATCH_INTERVAL: Duration = Duration::from_millis(200);
/// Time for which a live seek survives without a connection of its maker, who may be reloading the page.
pub(super) const GRACE: Duration = Duration::from_secs(15);

/// Changes from one version of the list to the next.
#[derive(Debug)]
pub(super) struct Changes {
    version: u64,
    added: Vec<Seek>,
    removed: Vec<String>,
    games: Vec<OpenGame>,
    /// The message for players who made none of the new seeks.
    text: Arc<str>,
}

impl Changes {
    pub(super) fn new(version: u64, added: Vec<Seek>, removed: Vec<String>, games: Vec<OpenGame>) -> Self {
        let mut changes = Self { version, added, removed, games, text: Arc::default() };
        changes.text = changes.text_as_seen_by(None);
        changes
    }

    fn text_as_seen_by(&self, player: Option<&str>) -> Arc<str> {
        text(&LobbyEvent::Changes {
            version: self.version,
            added: self.added.iter().map(|seek| seen_by(seek, player)).collect(),
            removed: self.removed.clone(),
            games: self.games.clone(),
        })
    }

    /// The message for one player.
    fn text_for(&self, player: Option<&str>) -> Arc<str> {
        if !self.added.iter().any(|seek| Some(seek.player.id.as_str()) == player) {
            return Arc::clone(&self.text);
        }
        self.text_as_seen_by(player)
    }
}

/// A message of the lobby.
#[derive(Clone, Debug)]
pub(super) enum LobbyMessage {
    /// The list has changed.
    Changed(Arc<Changes>),
    /// A seek of this player has become this game.
    Game { player: String, game: String },
}

/// A seek as one player sees it.
pub(super) fn seen_by(seek: &Seek, player: Option<&str>) -> Seek {
    Seek { yours: Some(seek.player.id.as_str()) == player, ..seek.clone() }
}

/// A message as a line. Serializing the wire's types cannot fail.
fn text(event: &LobbyEvent) -> Arc<str> {
    (serde_json::to_string(event).unwrap_or_default() + "\n").into()
}

/// A connection to the lobby. A player's live seeks stay open as long as there is one.
#[derive(Debug)]
pub struct Listener {
    messages: broadcast::Receiver<LobbyMessage>,
    lobby: Lobby,
    player: Option<String>,
}

impl Lobby {
    /// Subscribes to the lobby: the list as the first message, and later changes.
    pub fn listen(&self, player: Option<&str>) -> (Listener, Arc<str>) {
        if let Some(player) = player {
            self.add_connection(player);
        }
        let messages = self.messages.subscribe();
        let mut listener = Listener { messages, lobby: self.clone(), player: player.map(str::to_owned) };
        let list = listener.list();
        (listener, list)
    }
}

impl Listener {
    /// The whole list; later messages follow it.
    fn list(&mut self) -> Arc<str> {
        let (list, messages) = self.lobby.list_and_subscribe(self.player.as_deref());
        self.messages = messages;
        text(&list)
    }

    /// The next message; the whole list after missed messages. `None` once the lobby closes.
    pub async fn next(&mut self) -> Option<Arc<str>> {
        loop {
            match self.messages.recv().await {
                Ok(LobbyMessage::Changed(changes)) => return Some(changes.text_for(self.player.as_deref())),
                Ok(LobbyMessage::Game { player, game }) if Some(&player) == self.player.as_ref() => {
                    return Some(text(&LobbyEvent::Game { game }));
                }
                Ok(LobbyMessage::Game { .. }) => {}
                Err(RecvError::Lagged(_)) => return Some(self.list()),
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let Some(player) = self.player.take() else { return };
        if self.lobby.remove_connection(&player) {
            self.lobby.clear_left(player);
        }
    }
}
