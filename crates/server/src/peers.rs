//! Messages of other servers that are not about one game: games that begin and end, revoked sessions, challenges, seeks,
//! edits of studies. A message may be lost; after a loss of NATS everything is read again. Not here: games (`games::replica`).

use crate::state::AppState;
use crate::studies::{RemoteEdits, RemotePlace};
use lozenge_live::challenges::Change;
use lozenge_live::cluster::{BusMessage, Cluster};
use lozenge_live::games::{ActiveGame, GameError, Lifecycle};
use lozenge_store::StoreError;
use lozenge_wire::Challenge;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::MissedTickBehavior;
use tokio_stream::StreamExt as _;

/// The pause before the messages are subscribed to again.
const RESUBSCRIBE_DELAY: Duration = Duration::from_secs(1);

/// How often revocations are read from the database: a message may be lost, also when its sender could not reach NATS.
const REVOCATION_INTERVAL: Duration = Duration::from_secs(3);
/// The time that each read covers again, in milliseconds: a transaction may be written later than it began.
const REVOCATION_OVERLAP_MS: i64 = 10_000;

/// Why a message of another server has no effect.
#[derive(Debug, thiserror::Error)]
enum MessageError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game that it is about is not available.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Its content is not what this version sends under this subject.
    #[error("expected a message of this version under `{subject}`: {error}")]
    Content {
        /// The subject.
        subject: String,
        /// Where the content differs.
        error: serde_json::Error,
    },
}

/// Reads which sessions and tokens other servers have revoked, as long as the process lives.
pub(crate) async fn follow_revocations(state: AppState) {
    let mut ticks = tokio::time::interval(REVOCATION_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut since = None;
    loop {
        ticks.tick().await;
        match read_revocations(&state, since).await {
            Ok(now) => since = Some(now - REVOCATION_OVERLAP_MS),
            Err(StoreError::Closed | StoreError::Database(sqlx::Error::PoolClosed)) => return,
            Err(error) => tracing::warn!(%error, "revoked sessions could not be read"),
        }
    }
}

/// Checks the sockets and streams of users whose sessions were revoked since a moment. Returns the database's time.
async fn read_revocations(state: &AppState, since: Option<i64>) -> Result<i64, StoreError> {
    let now = state.store.database_now().await?;
    for user in state.store.revocations_since(since.unwrap_or(now - REVOCATION_OVERLAP_MS)).await? {
        if user.is_none() {
            state.banned.load(&state.store).await?;
        }
        state.revocations.broadcast(user.as_deref());
    }
    Ok(now)
}

/// Handles the messages of other servers as long as the process lives.
pub(crate) async fn follow_servers(state: AppState, cluster: Cluster) {
    let mut connected = cluster.connected();
    loop {
        let mut messages = match cluster.subscribe_site().await {
            Ok(messages) => messages,
            Err(error) => {
                tracing::warn!(%error, "could not subscribe to the messages of other servers");
                tokio::time::sleep(RESUBSCRIBE_DELAY).await;
                continue;
            }
        };
        loop {
            let handled = tokio::select! {
                message = messages.next() => match message {
                    Some(message) => handle(&state, &message).await,
                    None => break,
                },
                changed = connected.changed() => {
                    if changed.is_err() {
                        return;
                    }
                    if *connected.borrow_and_update() { read_again(&state).await } else { Ok(()) }
                }
            };
            if let Err(error) = handled {
                tracing::warn!(%error, "a message of another server was lost");
            }
        }
    }
}

/// Reloads from the database after an outage of NATS, in which messages were lost.
async fn read_again(state: &AppState) -> Result<(), MessageError> {
    state.banned.load(&state.store).await?;
    state.lobby.read_again().await?;
    state.games.notify_open_games();
    state.studies.compare().await;
    // Each player with a socket or stream is looked up once.
    state.revocations.broadcast(None);
    state.games.look_for_orphans();
    Ok(())
}

async fn handle(state: &AppState, message: &BusMessage) -> Result<(), MessageError> {
    match message.subject.rsplit('.').next().unwrap_or_default() {
        "orphans" => state.games.look_for_orphans(),
        "revoked" => state.revocations.broadcast(Some(&read::<String>(message)?)),
        "banned" => {
            state.banned.load(&state.store).await?;
            state.revocations.broadcast(None);
        }
        "active" => {
            let (node, games) = read::<(String, Vec<ActiveGame>)>(message)?;
            state.games.set_remote_active(node, games);
        }
        "edits" => state.studies.apply_remote(read::<RemoteEdits>(message)?).await,
        "study" => state.studies.announce_here(&read::<String>(message)?),
        "place" => state.studies.place_remote(read::<RemotePlace>(message)?),
        "seeks" => state.lobby.read_again().await?,
        "open_games" => state.games.notify_open_games(),
        "seek_game" => {
            let (player, game) = read::<(String, String)>(message)?;
            state.lobby.broadcast_game(&player, &game);
        }
        "challenge" => {
            let (challenge, change) = read::<(Challenge, Change)>(message)?;
            state.challenges.broadcast_remote(challenge, change);
        }
        "lifecycle" => {
            let (player, game, started, correspondence) = read::<(String, String, bool, bool)>(message)?;
            let (player, game) = (player.into(), game.into());
            state.games.broadcast_lifecycle(Lifecycle { player, game, started, correspondence });
        }
        "chats" => state.games.reload_chats_here(&read::<Vec<String>>(message)?).await?,
        // A newer version has more kinds.
        kind => tracing::debug!(kind, "a message of another version"),
    }
    Ok(())
}

fn read<T: DeserializeOwned>(message: &BusMessage) -> Result<T, MessageError> {
    serde_json::from_slice(&message.payload)
        .map_err(|error| MessageError::Content { subject: message.subject.clone(), error })
}
