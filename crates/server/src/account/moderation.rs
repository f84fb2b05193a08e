//! What the host does while the server runs (`lozenge users`): noticed within seconds, and carried out for sessions,
//! sockets, seeks and games. Not here: the commands themselves; they write to the database.

use crate::app::AppState;
use crate::error::AppError;
use crate::store::{Order, Store, StoreError};
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

/// Carries out what the host has done since the last time. What fails is tried again the next time.
pub(crate) async fn carry_out(state: &AppState) -> Result<(), AppError> {
    for order in state.store.orders().await? {
        tracing::info!(action = order.action, subject = order.subject, "moderation");
        one(state, &order).await?;
        state.store.carried_out(order.number).await?;
    }
    Ok(())
}

async fn one(state: &AppState, order: &Order) -> Result<(), AppError> {
    if order.is_of_network() {
        state.banned.load(&state.store).await?;
        state.endings.tell_all();
        return Ok(());
    }
    let Some(user) = state.store.user(&order.subject).await? else { return Ok(()) };
    if user.is_shut_out() {
        state.lobby.clear(&user.id, false);
        state.endings.tell(&user.id);
    }
    if order.action == "rename" {
        let player = user.player();
        state.lobby.rename(&player);
        state.games.rename(&player).await?;
        state.games.reload_chats(&state.store.games_with_lines_of(&user.id).await?).await?;
    }
    Ok(())
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
