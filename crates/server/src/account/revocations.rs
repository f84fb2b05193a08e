//! Broadcasts whose sessions or tokens have been revoked: by signing out everywhere, a new password, a deleted account or
//! token, a ban. Open sockets and streams listen, since they outlast the request that opened them.

use std::sync::Arc;
use tokio::sync::broadcast;

/// Messages that a slow receiver may be behind before it has to check its own credential.
const BACKLOG: usize = 64;

/// The account whose sessions and tokens may have been revoked.
#[derive(Clone, Debug)]
pub(crate) enum Revoked {
    User(Arc<str>),
    /// A network was banned, from which any user may have come.
    Anybody,
}

impl Revoked {
    /// Whether it may be a session or token of this user.
    pub(crate) fn concerns(&self, user: Option<&str>) -> bool {
        match self {
            Self::User(revoked) => user == Some(&**revoked),
            Self::Anybody => true,
        }
    }
}

/// The channel of revocations. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Revocations(broadcast::Sender<Revoked>);

impl Default for Revocations {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl Revocations {
    /// A session or token of a user has been revoked in the database.
    pub(crate) fn send(&self, user: &str) {
        // There may be no receiver.
        let _ = self.0.send(Revoked::User(user.into()));
    }

    /// A network has been banned.
    pub(crate) fn send_ban(&self) {
        let _ = self.0.send(Revoked::Anybody);
    }

    /// The revocations from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Revoked> {
        self.0.subscribe()
    }
}
