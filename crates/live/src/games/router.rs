//! Routes an action to the server that owns its game, where there are several. It is carried out here if this one does,
//! sent there otherwise, and to the next owner if the first has gone. An action whose answer was lost is looked up before
//! it is carried out again: moves name their ply, other actions have an id that stands in the record.

use super::{GameError, GameHandle, LiveGames, PlayerAction};
use crate::cluster::{BusError, BusMessage, BusStream, Cluster};
use lozenge_game::Network;
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, PresenceInfo};
use lozenge_wire::{Action, ByPlayer, Color, Player, Status};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio_stream::StreamExt as _;

/// How long the owner may take to answer, unless its lease is shorter. A player's action waits for the next owner for two
/// leases more.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(3);
/// How long another owner's view of a game may take: without it a page shows the record.
const VIEW_TIMEOUT: Duration = Duration::from_millis(300);
/// Pauses between tries.
const PAUSES_MS: [u64; 5] = [5, 20, 50, 100, 200];
/// Requests of other servers that are carried out at the same time.
const AT_ONCE: usize = 1_024;
/// How long a follower waits for the news of what it has sent, before it reads the record.
const NEWS: [u64; 4] = [1, 2, 5, 10];

/// A change of a game that its owner carries out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GameCommand {
    /// Names it in the record.
    id: String,
    change: Change,
    /// Its sender waits until then, in Unix milliseconds; the servers' clocks follow the database's. The owner
    /// ignores a command that arrives later: the player has already received an error.
    #[serde(default)]
    until: Option<i64>,
}

/// The change.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Change {
    Act { player: Player, action: PlayerAction, lag_ms: i64 },
    Join(Player, #[serde(default)] Option<Color>),
    Rename(Player),
    Remove { player: String },
}

/// A message to the owner of a game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ToOwner {
    /// Carry something out; `again` if that may have happened already.
    Perform { game: String, command: GameCommand, again: bool },
    /// Asks which players are connected.
    View { game: String },
    /// These players are connected to another server.
    Presence { game: String, node: String, connected: ByPlayer<bool> },
    /// A player has sent a request to another server.
    Touch { game: String, user: String, network: Option<String> },
}

/// Its answer.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum FromOwner {
    /// It was carried out, or refused; the game's last event is this one.
    Done {
        result: Result<(), ActionError>,
        seq: u64,
    },
    View(PresenceInfo),
    /// The server does not own the game.
    NotOwner,
}

/// The outcome of a try.
enum Attempt {
    Done(Result<(), ActionError>),
    /// Nothing was carried out, or the answer was lost.
    Retry {
        lost: bool,
    },
}

impl LiveGames {
    /// Carries out a change at the owner of a game.
    pub(super) async fn perform(&self, live: &GameHandle, change: Change) -> Result<(), ActionError> {
        let mut command = GameCommand { id: lozenge_game::ids::other(), change, until: None };
        let Some(cluster) = self.cluster() else { return self.carry_out(live, &command, false).await };
        let lease = cluster.settings().lease;
        let timeout = 2 * lease + REQUEST_TIMEOUT.min(lease);
        let (begun, began_at) = (Instant::now(), now_ms());
        command.until = Some(began_at + timeout.as_millis() as i64);
        let mut again = false;
        for count in 0.. {
            match self.try_once(cluster, live, &command, again).await? {
                Attempt::Done(result) => return result,
                Attempt::Retry { lost } => again |= lost,
            }
            if begun.elapsed() >= timeout {
                break;
            }
            let pause = PAUSES_MS[PAUSES_MS.len().min(count + 1) - 1];
            tokio::time::sleep(Duration::from_millis(pause)).await;
            self.catch_up(live).await?;
            if again && self.is_chat_line_saved(live, &command.change, began_at).await? {
                return Ok(());
            }
        }
        Err(ActionError::NotOwner)
    }

    async fn try_once(
        &self,
        cluster: &Cluster,
        live: &GameHandle,
        command: &GameCommand,
        again: bool,
    ) -> Result<Attempt, ActionError> {
        let (mine, owner, game) = {
            let inner = live.lock().await;
            let owner = inner.side.as_ref().and_then(|side| side.owner()).map(str::to_owned);
            (inner.is_mine(), owner, inner.machine.config.id.clone())
        };
        if mine {
            return Ok(match self.carry_out_once(live, command, again, false).await {
                Err(ActionError::NotOwner) => Attempt::Retry { lost: false },
                result => Attempt::Done(result),
            });
        }
        let Some(owner) = owner else {
            let is_claimed = self.claim(live).await?;
            // The next try is the real one.
            return Ok(Attempt::Retry { lost: again && !is_claimed });
        };
        let message = ToOwner::Perform { game, command: command.clone(), again };
        match cluster.request(&owner, &message, REQUEST_TIMEOUT.min(cluster.settings().lease)).await {
            Ok(FromOwner::Done { result, seq }) => {
                if let Err(error) = self.wait_for_news(live, seq).await {
                    // It is in the record, whether or not this server can read that now.
                    tracing::warn!(%error, "could not read what the owner of a game has done");
                }
                Ok(Attempt::Done(result))
            }
            Ok(_) | Err(BusError::NoResponders | BusError::Disconnected) => {
                Ok(Attempt::Retry { lost: false })
            }
            Err(error) => {
                tracing::warn!(%error, owner, "the owner of a game did not answer");
                Ok(Attempt::Retry { lost: true })
            }
        }
    }

    /// Waits until what its owner has done with a game is known here.
    async fn wait_for_news(&self, live: &GameHandle, seq: u64) -> Result<(), GameError> {
        for pause in NEWS {
            if live.lock().await.machine.seq >= seq {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        self.catch_up(live).await
    }

    /// Whether a line of chat whose acknowledgment was lost has been written.
    async fn is_chat_line_saved(
        &self,
        live: &GameHandle,
        change: &Change,
        since: i64,
    ) -> Result<bool, ActionError> {
        let Change::Act { player, action: PlayerAction::Game(Action::Chat { text, .. }), .. } = change else {
            return Ok(false);
        };
        let id = live.lock().await.machine.config.id.clone();
        // Both servers' clocks follow the database's.
        Ok(self.shared.store.has_line(&id, &player.id, text.trim(), since - 1_000).await?)
    }

    /// Carries out a command that may have been carried out already.
    async fn carry_out_once(
        &self,
        live: &GameHandle,
        command: &GameCommand,
        again: bool,
        for_other: bool,
    ) -> Result<(), ActionError> {
        if again {
            let (id, known) = {
                let inner = live.lock().await;
                let known = inner.side.as_ref().and_then(|side| side.result(&command.id));
                (inner.machine.config.id.clone(), known)
            };
            if let Some(result) = known {
                return result;
            }
            if self.shared.store.has_command(&id, &command.id).await? {
                return Ok(());
            }
        }
        let result = self.carry_out(live, command, for_other).await;
        if for_other
            && result != Err(ActionError::NotOwner)
            && let Some(side) = &mut live.lock().await.side
        {
            side.remember(command.id.clone(), result.clone());
        }
        result
    }

    async fn carry_out(
        &self,
        live: &GameHandle,
        command: &GameCommand,
        for_other: bool,
    ) -> Result<(), ActionError> {
        // Only an answer to another server can be lost.
        let id = for_other.then_some(command.id.as_str());
        match &command.change {
            Change::Act { player, action, lag_ms } => self.act_here(live, player, action, *lag_ms, id).await,
            Change::Join(player, seat) => self.join_here(live, player.clone(), *seat, id).await,
            Change::Rename(player) => self.rename_here(live, player).await,
            Change::Remove { player } => self.remove_here(live, player).await,
        }
    }

    /// Answers the messages of other servers to this one.
    pub(super) async fn answer_servers(self, mut messages: BusStream) {
        let slots = Arc::new(Semaphore::new(AT_ONCE));
        while let Some(message) = messages.next().await {
            let Ok(slot) = Arc::clone(&slots).acquire_owned().await else { return };
            let games = self.clone();
            tokio::spawn(async move {
                let _slot = slot;
                games.answer(message).await;
            });
        }
    }

    async fn answer(&self, message: BusMessage) {
        let Some(cluster) = self.cluster() else { return };
        let answer = match serde_json::from_slice::<ToOwner>(&message.payload) {
            Ok(ToOwner::Perform { game, command, again }) => self.perform_for(&game, &command, again).await,
            Ok(ToOwner::View { game }) => match self.shared.games.get(&game) {
                Some(live) => {
                    let inner = live.lock().await;
                    if inner.is_mine() { FromOwner::View(inner.presence()) } else { FromOwner::NotOwner }
                }
                None => FromOwner::NotOwner,
            },
            Ok(ToOwner::Presence { game, node, connected }) => {
                return self.note_remote_presence(&game, node, connected).await;
            }
            Ok(ToOwner::Touch { game, user, network }) => {
                if let Some(live) = self.shared.games.get(&game) {
                    let network = network.and_then(|network| network.parse::<Network>().ok());
                    self.note_request_here(&live, &user, network).await;
                }
                return;
            }
            Err(error) => {
                tracing::warn!(%error, "expected a request in the form of this version");
                FromOwner::NotOwner
            }
        };
        if let Some(reply_to) = message.reply_to {
            cluster.answer(reply_to, &answer);
        }
    }

    async fn perform_for(&self, game: &str, command: &GameCommand, again: bool) -> FromOwner {
        let Some(live) = self.shared.games.get(game) else { return FromOwner::NotOwner };
        let is_late = command.until.is_some_and(|until| now_ms() > until);
        if is_late || !live.lock().await.is_mine() {
            return FromOwner::NotOwner;
        }
        match self.carry_out_once(&live, command, again, true).await {
            Err(ActionError::NotOwner) => FromOwner::NotOwner,
            result => FromOwner::Done { result, seq: live.lock().await.machine.seq },
        }
    }

    async fn note_remote_presence(&self, game: &str, node: String, connected: ByPlayer<bool>) {
        let Some(live) = self.shared.games.get(game) else { return };
        let (mut inner, now) = (live.lock().await, now_ms());
        if inner.is_mine() && inner.note_remote_presence(node, connected, now) {
            live.broadcast_state(&mut inner, now);
            self.after_change(&live, &mut inner, now);
        }
    }

    /// Asks the owner of a game who is connected, before the game is shown first.
    pub(super) async fn request_view(&self, game: &str, owner: &str) -> Option<PresenceInfo> {
        let message = ToOwner::View { game: game.to_owned() };
        match self.cluster()?.request(owner, &message, VIEW_TIMEOUT).await {
            Ok(FromOwner::View(view)) => Some(view),
            _ => None,
        }
    }

    /// Reports to the owner of a game which players are connected to this server.
    pub(super) fn send_presence(&self, inner: &super::LiveGameInner, connected: ByPlayer<bool>) {
        let owner = inner.side.as_ref().and_then(|side| side.owner());
        if let (Some(cluster), Some(owner)) = (self.cluster(), owner) {
            let (game, node) = (inner.machine.config.id.clone(), cluster.incarnation().to_string());
            cluster.notify_node(owner, &ToOwner::Presence { game, node, connected });
        }
    }

    /// Reports a player's request in a game that another server owns, or none. Returns whether this server is to own it.
    pub(super) async fn pass_request_on(
        &self,
        live: &GameHandle,
        user: &str,
        network: Option<Network>,
    ) -> bool {
        let (owner, game) = {
            let inner = live.lock().await;
            if inner.machine.side_of(user).is_none() || inner.machine.status() == Status::Finished {
                return false;
            }
            let owner = inner.side.as_ref().and_then(|side| side.owner()).map(str::to_owned);
            (owner, inner.machine.config.id.clone())
        };
        match (self.cluster(), owner) {
            (Some(cluster), Some(owner)) => {
                let network = network.map(|network| network.to_string());
                cluster.notify_node(&owner, &ToOwner::Touch { game, user: user.to_owned(), network });
                false
            }
            _ => self.claim(live).await.unwrap_or_else(|error| {
                tracing::warn!(%error, game, "could not take a game");
                false
            }),
        }
    }

    /// A player's connection to this server was opened or closed, in a game that another server owns.
    pub(super) fn pass_connection_on(&self, inner: &super::LiveGameInner) {
        let connected = inner.connected_here();
        self.send_presence(inner, connected);
    }
}
