//! The networks that the host has banned (`lozenge users`).

use crate::store::{Store, StoreError};
use ipnet::IpNet;
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

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
    fn a_banned_network_contains_its_addresses_alone() {
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
