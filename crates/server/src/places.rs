//! A limited number of places for clients that stay. While all are taken, networks have equal shares. Not here: turns for
//! work that ends (`fair_queue`).

use lozenge_game::{ClientAddress, Network};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// All places are taken, and no other network has more of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("all places are taken")]
pub(crate) struct NoPlace;

/// The places. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    most: usize,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    next: u64,
    /// In the order in which they were taken.
    holders: Vec<Holder>,
}

#[derive(Debug)]
struct Holder {
    id: u64,
    network: Network,
    lost: watch::Sender<bool>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    places: Places,
    id: u64,
    lost: watch::Receiver<bool>,
}

impl Places {
    /// `most` places, all free.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, taken: Arc::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. If all are taken, the newest of the network with the most places is closed for it, unless the
    /// client's own network would then have the most.
    ///
    /// # Errors
    /// If all are taken, and no other network has more of them.
    pub(crate) fn take(&self, client: ClientAddress) -> Result<Place, NoPlace> {
        let network = client.network().widest();
        let mut taken = self.lock();
        if taken.holders.len() >= self.most {
            taken.give_up_for(network)?;
        }
        taken.next += 1;
        let (id, (sender, lost)) = (taken.next, watch::channel(false));
        taken.holders.push(Holder { id, network, lost: sender });
        Ok(Place { places: self.clone(), id, lost })
    }
}

impl Taken {
    fn give_up_for(&mut self, newcomer: Network) -> Result<(), NoPlace> {
        let mut counts: HashMap<Network, usize> = HashMap::new();
        for holder in &self.holders {
            *counts.entry(holder.network).or_default() += 1;
        }
        let own = counts.get(&newcomer).copied().unwrap_or(0);
        let most = counts.values().copied().max().unwrap_or(0);
        if most <= own + 1 {
            return Err(NoPlace);
        }
        let newest = self.holders.iter().rposition(|holder| counts.get(&holder.network) == Some(&most));
        if let Some(newest) = newest {
            self.holders.remove(newest).lost.send_replace(true);
        }
        Ok(())
    }
}

impl Place {
    /// Waits until the place is given to another. Cancel safe.
    pub(crate) async fn lost(&mut self) {
        // Without its sender it was lost, too.
        let _ = self.lost.wait_for(|lost| *lost).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().holders.retain(|holder| holder.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use std::net::IpAddr;

    fn at(address: &str) -> ClientAddress {
        ClientAddress { address: address.parse::<IpAddr>().unwrap(), shared: false }
    }

    #[tokio::test]
    async fn one_network_keeps_its_share_of_full_places() {
        let places = Places::new(6);
        let mut greedy: Vec<Place> =
            (1..=6).map(|last| places.take(at(&format!("2001:db8:0:{last}::1"))).unwrap()).collect();
        assert!(places.take(at("2001:db8:0:7::1")).is_err(), "the network has them all");
        let others: Vec<Place> =
            (1..=3).map(|third| places.take(at(&format!("192.0.{third}.1"))).unwrap()).collect();
        // The newest of the greedy network have lost theirs.
        for place in &mut greedy[3..] {
            place.lost().await;
        }
        assert!(greedy[..3].iter().all(|place| !*place.lost.borrow()));
        let second = places.take(at("192.0.1.9")).unwrap();
        assert!(places.take(at("192.0.1.10")).is_err(), "two of six are its share now");
        drop(greedy);
        let more = places.take(at("192.0.1.10")).unwrap();
        drop((others, second, more));
        assert!(places.lock().holders.is_empty());
    }
}
