//! NATS as the way of messages: its core, without streams.

use super::bus::{BusError, BusMessage, BusStream, EventBus};
use async_nats::Event;
use async_nats::client::RequestErrorKind;
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_stream::StreamExt as _;

/// How often the connection is checked: a server of NATS that stands still is noticed after two of these.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The longest that an answer may take. Callers wait for less.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A connection to NATS. After a loss it connects again by itself, with all its subscriptions.
#[derive(Debug)]
pub(super) struct NatsBus {
    client: async_nats::Client,
    connected: watch::Receiver<bool>,
}

impl NatsBus {
    /// Connects in the background: a site also starts while NATS cannot be reached.
    pub(super) async fn connect(address: &str) -> Result<Self, BusError> {
        let fault =
            |reason: String| BusError::Address { address: lozenge_queue::without_password(address), reason };
        let (servers, options) = lozenge_queue::servers(address).map_err(&fault)?;
        let (change, connected) = watch::channel(false);
        let failures = Arc::<lozenge_queue::FailureLog>::default();
        let client = options
            .name("lozenge server")
            .no_echo()
            .ping_interval(PING_INTERVAL)
            .connection_timeout(CONNECT_TIMEOUT)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .reconnect_delay_callback(lozenge_queue::reconnect_delay)
            .retry_on_initial_connect()
            .event_callback(move |event| {
                let (change, failures) = (change.clone(), Arc::clone(&failures));
                async move {
                    match event {
                        Event::Connected => drop(change.send_replace(true)),
                        Event::Disconnected | Event::Closed => drop(change.send_replace(false)),
                        event => failures.note_event(&event),
                    }
                }
            })
            .connect(servers)
            .await
            .map_err(|error| fault(error.to_string()))?;
        Ok(Self { client, connected })
    }
}

#[async_trait]
impl EventBus for NatsBus {
    async fn publish(&self, subject: String, payload: Vec<u8>) -> Result<(), BusError> {
        let sent = self.client.publish(subject, payload.into()).await;
        sent.map_err(|error| BusError::Refused(error.to_string()))
    }

    async fn subscribe(&self, subject: String) -> Result<BusStream, BusError> {
        let messages = self.client.subscribe(subject).await;
        let messages = messages.map_err(|error| BusError::Refused(error.to_string()))?;
        Ok(Box::pin(messages.map(|message| BusMessage {
            subject: message.subject.to_string(),
            payload: message.payload.to_vec(),
            reply_to: message.reply.map(|subject| subject.to_string()),
        })))
    }

    async fn request(&self, subject: String, payload: Vec<u8>) -> Result<Vec<u8>, BusError> {
        if !*self.connected.borrow() {
            // It would wait for the connection, and be carried out long after its sender has timed out.
            return Err(BusError::Disconnected);
        }
        let answer = self.client.request(subject, payload.into()).await;
        answer.map(|message| message.payload.to_vec()).map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => BusError::NoResponders,
            RequestErrorKind::TimedOut => BusError::TimedOut,
            _ => BusError::Refused(error.to_string()),
        })
    }

    fn connected(&self) -> watch::Receiver<bool> {
        self.connected.clone()
    }
}
