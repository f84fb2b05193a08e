//! The networks of successful sign-ins: there strangers cannot lock users out of their accounts. Only hashes
//! are stored, and of the widest step alone, so that a copy of the database does not reveal where people were.

use super::{Store, StoreError, secret_digest};
use lozenge_game::Network;

/// The key of a network. The account is part of it: equal networks of two accounts do not show.
fn key(owner: &str, network: Network) -> String {
    secret_digest(&format!("{owner} {}", network.widest()))
}

impl Store {
    /// Whether a sign-in to an account has come from a network before.
    pub async fn knows_network(&self, owner: &str, network: Option<Network>) -> Result<bool, StoreError> {
        let Some(network) = network else { return Ok(false) };
        let row: Option<(String,)> =
            sqlx::query_as("SELECT owner FROM known_networks WHERE owner = $1 AND digest = $2")
                .bind(owner)
                .bind(key(owner, network))
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// Records a sign-in from a network.
    pub async fn remember_network(
        &self,
        owner: &str,
        network: Option<Network>,
        now: i64,
    ) -> Result<(), StoreError> {
        let Some(network) = network else { return Ok(()) };
        sqlx::query(
            "INSERT INTO known_networks (owner, digest, seen_at) VALUES ($1, $2, $3) \
             ON CONFLICT (owner, digest) DO UPDATE SET seen_at = excluded.seen_at",
        )
        .bind(owner)
        .bind(key(owner, network))
        .bind(now)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// Forgets the networks of an account, with its old password.
    pub async fn forget_networks(&self, owner: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM known_networks WHERE owner = $1")
            .bind(owner)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Deletes networks without a sign-in since a time.
    pub async fn drop_old_known_networks(&self, before: i64) -> Result<u64, StoreError> {
        let done = sqlx::query("DELETE FROM known_networks WHERE seen_at < $1")
            .bind(before)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use crate::Store;
    use lozenge_game::Network;
    use std::net::IpAddr;

    #[tokio::test]
    async fn known_networks_of_an_account_expire() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
        let at = |address: [u8; 4]| Some(Network::from(IpAddr::from(address)));
        store.remember_network("ann", at([192, 0, 2, 7]), 1).await.unwrap();
        store.remember_network("ann", at([192, 0, 2, 9]), 5).await.unwrap();
        store.remember_network("ann", None, 5).await.unwrap();
        let knows = async |owner, network| store.knows_network(owner, network).await.unwrap();
        assert!(knows("ann", at([192, 0, 2, 200])).await, "another address of the same network");
        assert!(!knows("ann", at([192, 0, 3, 7])).await && !knows("ann", None).await);
        assert!(!knows("bob", at([192, 0, 2, 7])).await);
        assert_eq!(store.drop_old_known_networks(5).await.unwrap(), 0);
        assert_eq!(store.drop_old_known_networks(6).await.unwrap(), 1);
        assert!(!knows("ann", at([192, 0, 2, 7])).await);
    }
}
