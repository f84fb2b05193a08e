//! Notifications of changed challenges, for the pages and programs of both players. Challenges themselves are in the
//! store.

use lozenge_wire::Challenge;
use std::sync::Arc;
use tokio::sync::broadcast;

/// Events that a slow listener may be behind before it reads the store again.
const BACKLOG: usize = 256;

/// A change of a challenge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Sent,
    Accepted { game: String },
    Declined,
    Canceled,
}

/// A challenge to which something has happened.
#[derive(Clone, Debug)]
pub(crate) struct ChallengeEvent {
    pub(crate) challenge: Arc<Challenge>,
    pub(crate) change: Change,
}

impl ChallengeEvent {
    /// Whether a user has sent or received the challenge.
    pub(crate) fn concerns(&self, user: &str) -> bool {
        self.challenge.challenger.id == user || self.challenge.challenged.id == user
    }
}

/// The events of all challenges. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct ChallengeEvents(broadcast::Sender<ChallengeEvent>);

impl Default for ChallengeEvents {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl ChallengeEvents {
    /// The events from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<ChallengeEvent> {
        self.0.subscribe()
    }

    /// Sends an event to all listeners.
    pub(crate) fn send(&self, challenge: &Challenge, change: Change) {
        // There may be no listener.
        let _ = self.0.send(ChallengeEvent { challenge: Arc::new(challenge.clone()), change });
    }
}
