//! Broadcasts whose sessions or tokens have been revoked: by signing out everywhere, a new password, a deleted account or
//! token, a ban. Open sockets and streams listen, since they outlast the request that opened them. Also the networks that
//! the host has banned (`lozenge users`).

use ipnet::IpNet;
use lozenge_live::cluster::Cluster;
use lozenge_store::{Store, StoreError};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};
use tokio::sync::broadcast;

/// Messages that a slow receiver may be behind before it has to check its own credential.
const BACKLOG: usize = 64;

/// The account whose sessions and tokens may have been revoked.
#[derive(Clone, Debug)]
pub(crate) enum Revoked {
    User(Arc<str>),
    /// A network was banned, from which any user may have come.
    Anyone,
}

impl Revoked {
    /// Whether it may be a session or token of this user.
    pub(crate) fn concerns(&self, user: Option<&str>) -> bool {
        match self {
            Self::User(revoked) => user == Some(&**revoked),
            Self::Anyone => true,
        }
    }
}

/// The channel of revocations. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Revocations {
    sender: broadcast::Sender<Revoked>,
    /// The other servers, and the record in which they read what they did not hear.
    others: Option<(Cluster, Store)>,
}

impl Revocations {
    /// Revocations of this server, and of others if there are any.
    pub(crate) fn new(cluster: Option<Cluster>, store: &Store) -> Self {
        let others = cluster.map(|cluster| (cluster, store.clone()));
        Self { sender: broadcast::channel(BACKLOG).0, others }
    }

    /// A session or token of a user has been revoked in the database.
    pub(crate) async fn send(&self, user: &str) {
        self.broadcast(Some(user));
        if let Some((cluster, store)) = &self.others {
            cluster.announce("revoked", &user);
            record(store, Some(user)).await;
        }
    }

    /// A network has been banned.
    pub(crate) async fn send_ban(&self) {
        self.broadcast(None);
        if let Some((cluster, store)) = &self.others {
            cluster.announce("banned", &());
            record(store, None).await;
        }
    }

    /// Broadcasts that a session or token of a user, or of any user, may have been revoked.
    pub(crate) fn broadcast(&self, user: Option<&str>) {
        // There may be no receiver.
        let _ = self.sender.send(user.map_or(Revoked::Anyone, |user| Revoked::User(user.into())));
    }

    /// The revocations from now on.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Revoked> {
        self.sender.subscribe()
    }
}

async fn record(store: &Store, user: Option<&str>) {
    if let Err(error) = store.record_revocation(user).await {
        tracing::error!(%error, "another server may have missed that a session was revoked");
    }
}

/// The banned networks. Clones share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct BannedNetworks(Arc<RwLock<Vec<IpNet>>>);

impl BannedNetworks {
    /// Reads them from the store.
    pub(crate) async fn load(&self, store: &Store) -> Result<(), StoreError> {
        let networks = store.banned_networks().await?;
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = networks;
        Ok(())
    }

    /// Whether an address is banned.
    pub(crate) fn contains(&self, address: Option<IpAddr>) -> bool {
        let networks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        address.is_some_and(|address| networks.iter().any(|network| network.contains(&address)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banned_network_contains_only_its_addresses() {
        let networks = ["203.0.113.0/24", "2001:db8:1::/64"].map(|text| text.parse().expect("a network"));
        let banned = BannedNetworks(Arc::new(RwLock::new(networks.to_vec())));
        for (address, is) in [
            ("203.0.113.7", true),
            ("203.0.114.7", false),
            ("2001:db8:1::9", true),
            ("2001:db8:1:1::9", false),
        ] {
            assert_eq!(banned.contains(address.parse().ok()), is, "{address}");
        }
        assert!(!banned.contains(None));
    }
}
