//! The limits on open connections, in all and of one network, and which idle one is closed when another needs its permit.
//! Not here: sockets.

use lozenge_game::{Network, TrustedProxies};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// File descriptors that are not for connections: the database, its log, listeners, those of the runtime.
const OTHER_FILES: usize = 64;
/// Connections beyond the others, on which only health checks are answered.
const RESERVE: usize = 16;
/// Most connections of one network; the wider networks around it may have a few times as many.
const PER_NETWORK: usize = 512;

/// How many connections there may be.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// In all, without the reserve.
    pub total: usize,
    /// Beyond those, only for health checks.
    pub reserve: usize,
    /// Of one network; the wider networks around it may have a few times as many.
    pub per_network: usize,
}

impl Capacity {
    /// As many as the system lets this process have open.
    pub fn of_files(files: usize) -> Self {
        let total = files.saturating_sub(OTHER_FILES + RESERVE).max(files / 2);
        Self { total, reserve: RESERVE, per_network: PER_NETWORK.min(total / 4).max(1) }
    }
}

/// Raises the limit on open files as far as the system lets an ordinary process, and returns it.
pub fn raise_file_limit() -> usize {
    /// The default without a known limit.
    const DEFAULT_LIMIT: u64 = 65_536;
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let target = limit.maximum.unwrap_or(DEFAULT_LIMIT).min(1 << 20);
        let raised = limit.current.is_some_and(|current| current < target)
            && setrlimit(Resource::Nofile, Rlimit { current: Some(target), ..limit }).is_ok();
        let files = if raised { target } else { limit.current.unwrap_or(DEFAULT_LIMIT) };
        usize::try_from(files).unwrap_or(usize::MAX)
    }
    #[cfg(not(unix))]
    {
        DEFAULT_LIMIT as usize
    }
}

/// The counts of connections, shared by clones.
#[derive(Clone, Debug)]
pub struct ConnectionLimiter {
    capacity: Capacity,
    proxies: TrustedProxies,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    open: HashMap<u64, Open>,
    counts: HashMap<Network, usize>,
    reserved: usize,
    next: u64,
}

/// An open connection.
#[derive(Debug)]
struct Open {
    network: Network,
    /// Whether it counts for its network: not where a proxy stands for many clients.
    counted: bool,
    reserved: bool,
    /// When its last request ended; none during a request.
    idle_since: Option<Instant>,
    closing: Arc<Notify>,
}

/// Permits one connection, until it is dropped.
#[derive(Debug)]
pub(super) struct ConnectionPermit {
    limiter: ConnectionLimiter,
    id: u64,
    /// Whether only health checks are answered on it.
    pub(super) reserved: bool,
    /// True when the connection has to make room for another.
    pub(super) closing: Arc<Notify>,
}

impl ConnectionLimiter {
    /// For clients whose proxies are `proxies`.
    pub fn new(capacity: Capacity, proxies: TrustedProxies) -> Self {
        Self { capacity, proxies, inner: Arc::default() }
    }

    /// A permit for a new connection; none if this client may have no more.
    pub(super) fn admit(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let peer = peer.to_canonical();
        let network = Network::from(peer);
        let Capacity { total, reserve, per_network } = self.capacity;
        // An undeclared proxy may run on this machine: it may have most of the connections.
        let is_loopback = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()].contains(&peer);
        let counted = !self.proxies.contain(peer);
        let mut inner = self.lock();
        if counted {
            for (network, factor) in network.steps() {
                let most = match (is_loopback, factor) {
                    (true, _) => total - total / 4,
                    (false, 1) => per_network,
                    (false, _) => (per_network * factor as usize).min(total / 2),
                };
                let count = inner.counts.get(&network).copied().unwrap_or(0);
                if count >= most && !inner.close_idle(|open| open.network.steps().any(|(n, _)| n == network))
                {
                    return None;
                }
            }
        }
        let full = inner.open.len() - inner.reserved >= total && !inner.close_idle_of_largest();
        if full && inner.reserved >= reserve && !inner.close_idle(|open| open.reserved) {
            return None;
        }
        Some(inner.add(self, network, counted, full))
    }

    /// The proxies that it does not count.
    pub fn proxies(&self) -> &TrustedProxies {
        &self.proxies
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Open connections, and the active ones among them.
    #[cfg(test)]
    pub(super) fn open(&self) -> (usize, usize) {
        let inner = self.lock();
        (inner.open.len(), inner.open.values().filter(|open| open.idle_since.is_none()).count())
    }
}

impl Inner {
    fn add(
        &mut self,
        limiter: &ConnectionLimiter,
        network: Network,
        counted: bool,
        reserved: bool,
    ) -> ConnectionPermit {
        let (id, closing) = (self.next, Arc::<Notify>::default());
        self.next += 1;
        if counted {
            for (network, _) in network.steps() {
                *self.counts.entry(network).or_default() += 1;
            }
        }
        self.reserved += usize::from(reserved);
        let idle_since = Some(Instant::now());
        self.open.insert(id, Open { network, counted, reserved, idle_since, closing: Arc::clone(&closing) });
        ConnectionPermit { limiter: limiter.clone(), id, reserved, closing }
    }

    fn remove(&mut self, id: u64) {
        let Some(open) = self.open.remove(&id) else { return };
        self.reserved -= usize::from(open.reserved);
        if open.counted {
            for (network, _) in open.network.steps() {
                if let Some(count) = self.counts.get_mut(&network) {
                    *count -= 1;
                    if *count == 0 {
                        self.counts.remove(&network);
                    }
                }
            }
        }
    }

    /// Closes the connection of some that has been idle for the longest, if one is.
    fn close_idle(&mut self, of: impl Fn(&Open) -> bool) -> bool {
        let idle = self.open.iter().filter(|(_, open)| of(open));
        let oldest = idle.filter_map(|(id, open)| Some((open.idle_since?, *id))).min();
        let Some((_, id)) = oldest else { return false };
        if let Some(open) = self.open.get(&id) {
            open.closing.notify_one();
        }
        // At once, so that the next newcomer does not choose it again.
        self.remove(id);
        true
    }

    /// The same, of the network that has the most idle ones.
    fn close_idle_of_largest(&mut self) -> bool {
        let mut idle: HashMap<Network, usize> = HashMap::new();
        for open in self.open.values().filter(|open| open.idle_since.is_some() && !open.reserved) {
            *idle.entry(open.network.widest()).or_default() += 1;
        }
        let Some((largest, _)) = idle.into_iter().max_by_key(|(_, count)| *count) else { return false };
        self.close_idle(|open| open.network.widest() == largest && !open.reserved)
    }
}

impl ConnectionPermit {
    /// Marks the connection active until the returned value is dropped.
    pub(super) fn begin_request(&self) -> ActiveRequest {
        set_idle(&self.limiter, self.id, None);
        ActiveRequest { limiter: self.limiter.clone(), id: self.id }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.limiter.lock().remove(self.id);
    }
}

/// A request that is being answered.
#[derive(Debug)]
pub(super) struct ActiveRequest {
    limiter: ConnectionLimiter,
    id: u64,
}

impl ActiveRequest {
    /// The connection has become a socket: it is active until it is closed.
    pub(super) fn keep_active(self) {
        let mut request = self;
        request.id = u64::MAX;
    }
}

impl Drop for ActiveRequest {
    fn drop(&mut self) {
        set_idle(&self.limiter, self.id, Some(Instant::now()));
    }
}

fn set_idle(limiter: &ConnectionLimiter, id: u64, since: Option<Instant>) {
    if let Some(open) = limiter.lock().open.get_mut(&id) {
        open.idle_since = since;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn limiter(total: usize) -> ConnectionLimiter {
        ConnectionLimiter::new(Capacity { total, reserve: 2, per_network: 4 }, "10.0.0.0/8".parse().unwrap())
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn clients_and_networks_have_a_share_of_the_places() {
        let limiter = limiter(16);
        let active: Vec<_> = (0..40)
            .map_while(|_| {
                let permit = limiter.admit(ip("192.0.2.1"))?;
                Some((permit.begin_request(), permit))
            })
            .collect();
        assert_eq!(active.len(), 4);
        // A whole /24, and a /48, take half of the connections at most.
        let more: Vec<_> = (2..100u8).filter_map(|last| limiter.admit([192, 0, 2, last].into())).collect();
        assert_eq!(limiter.open().0, 8);
        assert_eq!(more.iter().filter(|permit| !permit.reserved).count(), more.len());
        assert!(limiter.admit(ip("203.0.113.1")).is_some_and(|permit| !permit.reserved));
    }

    #[tokio::test]
    async fn idle_connections_make_room_for_others() {
        let limiter = limiter(8);
        let idle: Vec<_> = (0..8).map(|_| limiter.admit(ip("10.0.0.1")).unwrap()).collect();
        let other = limiter.admit(ip("203.0.113.1")).unwrap();
        assert!(!other.reserved);
        idle[0].closing.notified().await;
        assert_eq!(limiter.open().0, 8);
        drop((idle, other));
        assert_eq!(limiter.open().0, 0);
        assert!(limiter.lock().counts.is_empty());
    }

    #[test]
    fn health_checks_have_a_reserve() {
        let limiter = limiter(4);
        let active: Vec<_> = (0..4).map(|_| limiter.admit(ip("10.0.0.1")).unwrap()).collect();
        let active: Vec<_> = active.iter().map(|permit| (permit.begin_request(), permit)).collect();
        let checks: Vec<_> = (0..3).map(|_| limiter.admit(ip("127.0.0.1")).unwrap()).collect();
        assert!(checks.iter().all(|permit| permit.reserved));
        assert_eq!(limiter.open().0, 6, "the oldest idle one of the reserve was closed");
        drop(active);
        assert!(limiter.admit(ip("127.0.0.1")).is_some_and(|permit| !permit.reserved));
    }

    #[test]
    fn capacity_reserves_files_for_other_uses() {
        let of = |files| {
            let Capacity { total, reserve, per_network } = Capacity::of_files(files);
            (total, reserve, per_network)
        };
        assert_eq!(of(300), (220, 16, 55));
        assert_eq!(of(65_536), (65_456, 16, 512));
        assert_eq!(of(100), (50, 16, 12));
    }
}
