//! Several servers on one database: who this server is, whether it may own games, and its messages to the others. A game has
//! one owner, which carries out what the others send it; the others follow. Losing a message, or this whole module's
//! opinion, is safe: the database compares a game's epoch with every write (`lozenge_store`). Not here: what the messages
//! mean (`games::ownership`, and `peers` in `lozenge_server`).

mod bus;
#[cfg(feature = "nats")]
mod nats;

pub use bus::{BusError, BusMessage, BusStream, EventBus};

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout_at;

/// Messages that may wait for NATS; further ones are dropped, and their receivers notice the gap.
const MAX_PENDING: usize = 16_384;

/// The subjects of messages.
const GAME_SUBJECT: &str = "lz.game";
const NODE_SUBJECT: &str = "lz.node";
const SITE_SUBJECT: &str = "lz.site";

/// The settings of a server among others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSettings {
    /// Its name, for people: letters, digits, `-` and `_`.
    pub id: String,
    /// The address at which it can be reached, for people and proxies.
    pub address: String,
    /// How long its lease lasts: others know at the latest then that it has died.
    pub lease: Duration,
}

/// Whether this server may own games.
#[derive(Debug)]
struct NodeState {
    incarnation: Arc<str>,
    /// When its lease ends, by the clock that goes on while the process stands still.
    until: Option<Instant>,
    /// It cannot reach NATS, and others can.
    isolated: bool,
    /// It is about to stop.
    draining: bool,
}

/// This server among the others. Clones share it.
#[derive(Clone, Debug)]
pub struct Cluster {
    shared: Arc<ClusterShared>,
}

#[derive(Debug)]
struct ClusterShared {
    bus: Arc<dyn EventBus>,
    settings: NodeSettings,
    state: Mutex<NodeState>,
    outbox: mpsc::Sender<(String, Vec<u8>)>,
}

impl Cluster {
    /// This server, which reaches the others by NATS. It owns nothing until its lease has begun.
    ///
    /// # Errors
    /// If the address of NATS is not understood.
    #[cfg(feature = "nats")]
    pub async fn connect(nats: &str, settings: NodeSettings) -> Result<Self, BusError> {
        Ok(Self::new(Arc::new(nats::NatsBus::connect(nats).await?), settings))
    }

    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "without NATS there are no others"))]
    fn new(bus: Arc<dyn EventBus>, settings: NodeSettings) -> Self {
        let (outbox, messages) = mpsc::channel(MAX_PENDING);
        tokio::spawn(send_all(Arc::clone(&bus), messages));
        let state = NodeState {
            incarnation: lozenge_game::ids::other().into(),
            until: None,
            isolated: false,
            draining: false,
        };
        Self { shared: Arc::new(ClusterShared { bus, settings, state: Mutex::new(state), outbox }) }
    }

    fn state(&self) -> MutexGuard<'_, NodeState> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The settings of this server.
    pub fn settings(&self) -> &NodeSettings {
        &self.shared.settings
    }

    /// The name of this server until it loses its lease.
    pub fn incarnation(&self) -> Arc<str> {
        Arc::clone(&self.state().incarnation)
    }

    /// Takes a new name, without a lease, and returns it.
    pub(crate) fn begin_incarnation(&self) -> Arc<str> {
        let mut state = self.state();
        state.incarnation = lozenge_game::ids::other().into();
        state.until = None;
        Arc::clone(&state.incarnation)
    }

    /// The lease lasts until then.
    pub(crate) fn set_lease(&self, until: Instant) {
        self.state().until = Some(until);
    }

    /// Records whether others can reach NATS while this server cannot.
    pub(crate) fn set_isolated(&self, isolated: bool) {
        self.state().isolated = isolated;
    }

    /// Whether others can reach NATS while this server cannot.
    pub(crate) fn is_isolated(&self) -> bool {
        self.state().isolated
    }

    /// This server is about to stop: it owns no game any more.
    pub(crate) fn drain(&self) {
        self.state().draining = true;
    }

    /// Whether this server is about to stop.
    pub(crate) fn is_draining(&self) -> bool {
        self.state().draining
    }

    /// Whether this server may own games now. A server that stood still finds out here, before it reads the database.
    pub(crate) fn may_own(&self) -> bool {
        let state = self.state();
        let leased = state.until.is_some_and(|until| Instant::now() < until);
        leased && !state.isolated && !state.draining
    }

    /// Waits for something as long as the lease lasts, which may be renewed meanwhile; `None` if the lease ends first.
    pub(crate) async fn while_leased<T>(&self, mut work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        loop {
            let until = self.state().until?;
            match timeout_at(until.into(), work.as_mut()).await {
                Ok(done) => return Some(done),
                Err(_) if self.state().until.is_none_or(|until| until <= Instant::now()) => return None,
                Err(_) => {}
            }
        }
    }

    /// Whether NATS can be reached, and later changes.
    pub fn connected(&self) -> watch::Receiver<bool> {
        self.shared.bus.connected()
    }

    /// Sends a message that may be lost, after those that were sent before it.
    fn publish(&self, subject: String, message: &impl Serialize) {
        // The types of messages have no case that could fail.
        let Ok(payload) = serde_json::to_vec(message) else { return };
        if !*self.shared.bus.connected().borrow() || self.shared.outbox.try_send((subject, payload)).is_err()
        {
            metrics::counter!("lozenge_cluster_dropped").increment(1);
        }
    }

    /// Sends a message to the followers of a game.
    pub(crate) fn publish_game(&self, game: &str, message: &impl Serialize) {
        self.publish(format!("{GAME_SUBJECT}.{game}.ev"), message);
    }

    /// The messages on a game.
    pub(crate) async fn follow_game(&self, game: &str) -> Result<BusStream, BusError> {
        self.shared.bus.subscribe(format!("{GAME_SUBJECT}.{game}.ev")).await
    }

    /// Sends a message to a server, without an answer.
    pub(crate) fn notify_node(&self, incarnation: &str, message: &impl Serialize) {
        self.publish(format!("{NODE_SUBJECT}.{incarnation}.cmd"), message);
    }

    /// Sends a message to a server, and waits for its answer.
    pub(crate) async fn request<T: DeserializeOwned>(
        &self,
        incarnation: &str,
        message: &impl Serialize,
        timeout: Duration,
    ) -> Result<T, BusError> {
        let payload = serde_json::to_vec(message).map_err(|error| BusError::Format(error.to_string()))?;
        let subject = format!("{NODE_SUBJECT}.{incarnation}.cmd");
        let reply = self.shared.bus.request(subject, payload);
        let answer = tokio::time::timeout(timeout, reply).await.map_err(|_| BusError::TimedOut)??;
        serde_json::from_slice(&answer).map_err(|error| BusError::Format(error.to_string()))
    }

    /// The messages to this server by one of its names.
    pub(crate) async fn subscribe_commands(&self, incarnation: &str) -> Result<BusStream, BusError> {
        self.shared.bus.subscribe(format!("{NODE_SUBJECT}.{incarnation}.cmd")).await
    }

    /// Answers a message.
    pub(crate) fn answer(&self, reply_to: String, message: &impl Serialize) {
        self.publish(reply_to, message);
    }

    /// Sends something to all servers that is not about one game.
    pub fn announce(&self, kind: &str, message: &impl Serialize) {
        self.publish(format!("{SITE_SUBJECT}.{kind}"), message);
    }

    /// The messages of all other servers that are not about one game. The last part of their subject is their kind.
    pub async fn subscribe_site(&self) -> Result<BusStream, BusError> {
        self.shared.bus.subscribe(format!("{SITE_SUBJECT}.*")).await
    }
}

async fn send_all(bus: Arc<dyn EventBus>, mut messages: mpsc::Receiver<(String, Vec<u8>)>) {
    while let Some((subject, payload)) = messages.recv().await {
        if let Err(error) = bus.publish(subject, payload).await {
            metrics::counter!("lozenge_cluster_dropped").increment(1);
            tracing::debug!(%error, "a message to other servers was not sent");
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use async_trait::async_trait;
    use std::future::pending;
    use std::pin::pin;

    #[derive(Debug)]
    struct NoBus;

    #[async_trait]
    impl EventBus for NoBus {
        async fn publish(&self, _: String, _: Vec<u8>) -> Result<(), BusError> {
            Err(BusError::Disconnected)
        }

        async fn subscribe(&self, _: String) -> Result<BusStream, BusError> {
            Err(BusError::Disconnected)
        }

        async fn request(&self, _: String, _: Vec<u8>) -> Result<Vec<u8>, BusError> {
            Err(BusError::Disconnected)
        }

        fn connected(&self) -> watch::Receiver<bool> {
            watch::channel(false).1
        }
    }

    #[tokio::test]
    async fn server_owns_games_only_while_its_lease_lasts() {
        let settings = NodeSettings { id: "a".into(), address: String::new(), lease: Duration::from_secs(3) };
        let cluster = Cluster::new(Arc::new(NoBus), settings);
        assert!(!cluster.may_own(), "no lease yet");
        cluster.set_lease(Instant::now() + Duration::from_secs(60));
        assert!(cluster.may_own());
        cluster.set_isolated(true);
        assert!(!cluster.may_own());
        cluster.set_isolated(false);
        cluster.set_lease(Instant::now());
        assert!(!cluster.may_own(), "the lease is over");
        cluster.set_lease(Instant::now() + Duration::from_secs(60));
        let before = cluster.incarnation();
        assert_ne!(cluster.begin_incarnation(), before);
        assert!(!cluster.may_own(), "a new incarnation begins without a lease");
        cluster.set_lease(Instant::now() + Duration::from_secs(60));
        cluster.drain();
        assert!(!cluster.may_own());
    }

    #[tokio::test]
    async fn server_waits_for_the_database_until_its_lease_ends() {
        let settings = NodeSettings { id: "a".into(), address: String::new(), lease: Duration::from_secs(3) };
        let cluster = Cluster::new(Arc::new(NoBus), settings);
        assert_eq!(cluster.while_leased(pin!(pending::<()>())).await, None, "no lease yet");
        cluster.set_lease(Instant::now() + Duration::from_millis(10));
        let renewed = cluster.clone();
        let begun = Instant::now();
        tokio::spawn(async move { renewed.set_lease(begun + Duration::from_millis(40)) });
        assert_eq!(cluster.while_leased(pin!(pending::<()>())).await, None);
        assert!(begun.elapsed() >= Duration::from_millis(40));
        cluster.set_lease(Instant::now() + Duration::from_secs(60));
        assert_eq!(cluster.while_leased(pin!(async { 1 })).await, Some(1));
    }
}
