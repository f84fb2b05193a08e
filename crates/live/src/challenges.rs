//! Notifications of changed challenges, for the pages and programs of both players. Challenges themselves are in the
//! store.

use crate::cluster::Cluster;
use lozenge_wire::Challenge;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::sync::broadcast;

/// Events that a slow listener may be behind before it reads the store again.
const BACKLOG: usize = 256;

/// A change of a challenge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// It was sent.
    Sent,
    /// It was accepted, and has become a game.
    Accepted {
        /// The game's id.
        game: String,
    },
    /// The challenged player has declined it.
    Declined,
    /// The challenger has withdrawn it.
    Canceled,
}

/// A challenge to which something has happened.
#[derive(Clone, Debug)]
pub struct ChallengeEvent {
    /// The challenge.
    pub challenge: Arc<Challenge>,
    /// The change.
    pub change: Change,
    /// Whether it happened on another server, which notifies the players' devices.
    pub remote: bool,
}

impl ChallengeEvent {
    /// Whether a user has sent or received the challenge.
    pub fn concerns(&self, user: &str) -> bool {
        self.challenge.challenger.id == user || self.challenge.challenged.id == user
    }
}

/// The events of all challenges. Clones share them.
#[derive(Clone, Debug)]
pub struct ChallengeEvents {
    sender: broadcast::Sender<ChallengeEvent>,
    cluster: Option<Cluster>,
}

impl ChallengeEvents {
    /// Events of this server, and of others if there are any.
    pub fn new(cluster: Option<Cluster>) -> Self {
        Self { sender: broadcast::channel(BACKLOG).0, cluster }
    }

    /// The events from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<ChallengeEvent> {
        self.sender.subscribe()
    }

    /// Sends an event to all listeners.
    pub fn send(&self, challenge: &Challenge, change: Change) {
        if let Some(cluster) = &self.cluster {
            cluster.announce("challenge", &(challenge, &change));
        }
        let challenge = Arc::new(challenge.clone());
        // There may be no listener.
        let _ = self.sender.send(ChallengeEvent { challenge, change, remote: false });
    }

    /// Broadcasts an event of another server.
    pub fn broadcast_remote(&self, challenge: Challenge, change: Change) {
        let challenge = Arc::new(challenge);
        let _ = self.sender.send(ChallengeEvent { challenge, change, remote: true });
    }
}
