//! How messages travel between servers. They may be lost, and come once at most.

use async_trait::async_trait;
use std::fmt::Debug;
use std::pin::Pin;
use tokio::sync::watch;
use tokio_stream::Stream;

/// Why a message was not sent or answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "without NATS nothing is sent"))]
pub enum BusError {
    /// The address of NATS, without a password, is not understood.
    #[error("expected NATS as nats://HOST:PORT, found {address}: {reason}")]
    Address {
        /// The address, without a password.
        address: String,
        /// Why it is not understood.
        reason: String,
    },
    /// NATS cannot be reached.
    #[error("NATS cannot be reached")]
    Disconnected,
    /// No server listens there.
    #[error("no server listens there")]
    NoResponders,
    /// The answer did not come in time; the message may have arrived.
    #[error("no answer came in time")]
    TimedOut,
    /// The message is not one of this version.
    #[error("expected a message of this version: {0}")]
    Format(String),
    /// NATS refused it.
    #[error("NATS: {0}")]
    Refused(String),
}

/// A message of another server.
#[derive(Clone, Debug)]
pub struct BusMessage {
    /// The subject that it was sent to.
    pub subject: String,
    /// The JSON of the message.
    pub payload: Vec<u8>,
    /// Where an answer is expected.
    pub(crate) reply_to: Option<String>,
}

/// The messages of a subscription, until it is dropped.
pub type BusStream = Pin<Box<dyn Stream<Item = BusMessage> + Send>>;

/// A way for messages between servers. A server does not receive its own messages.
#[async_trait]
pub trait EventBus: Debug + Send + Sync {
    /// Sends a message to all subscribers of the subject.
    async fn publish(&self, subject: String, payload: Vec<u8>) -> Result<(), BusError>;

    /// The messages with a subject from now on.
    async fn subscribe(&self, subject: String) -> Result<BusStream, BusError>;

    /// Sends a message, and waits for the answer.
    async fn request(&self, subject: String, payload: Vec<u8>) -> Result<Vec<u8>, BusError>;

    /// Whether messages can be sent now, and later changes.
    fn connected(&self) -> watch::Receiver<bool>;
}
