//! The connection to NATS, and the stream of jobs.

use super::call::{Call, Reply, message};
use super::requests;
use crate::job::{Class, QueueError};
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::consumer::{self, AckPolicy, PullConsumer};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{ConnectOptions, Event, ServerAddr};
use futures_util::future::BoxFuture;
use percent_encoding::percent_decode_str;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the connection is checked: a server that has stopped is noticed after two of these.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// The first pauses between two tries, how many tries have the same pause, and how often it doubles.
const FIRST_RECONNECT_DELAY: Duration = Duration::from_millis(250);
const TRIES_PER_DELAY: usize = 8;
const MAX_DOUBLINGS: u32 = 4;
/// How long the same failure is not logged again.
const REPEAT_INTERVAL: Duration = Duration::from_secs(60);
/// How long an answer may take.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a job may stay in the stream: its host sends it again if it still waits.
const MAX_AGE: Duration = Duration::from_secs(3_600);
/// Most bytes of the stream.
const MAX_STREAM_BYTES: i64 = 64 << 20;
/// How long a worker may take from a message to the lease.
const ACK_WAIT: Duration = Duration::from_secs(10);
/// How long NATS keeps the consumer of workers of a kind after the last of them has gone.
const INACTIVE_THRESHOLD: Duration = Duration::from_secs(600);

/// Why NATS cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum NatsError {
    /// It cannot be reached.
    #[error("NATS at {address}: {reason}")]
    Connect {
        /// Its address without a password.
        address: String,
        /// Why not.
        reason: String,
    },
    /// It has no JetStream, or does not let this client use it.
    #[error("the stream of jobs in NATS (JetStream must be enabled): {0}")]
    Stream(String),
    /// A subscription failed.
    #[error("subscribing in NATS: {0}")]
    Subscribe(String),
}

/// A connection to NATS. Clones share it. After a loss it connects again by itself.
#[derive(Clone, Debug)]
pub struct Client {
    pub(super) nats: async_nats::Client,
    jetstream: Context,
    stream: String,
}

impl Client {
    /// Connects to NATS: see [`servers`].
    ///
    /// # Errors
    /// If it cannot be reached or has no JetStream.
    pub fn connect(address: &str) -> BoxFuture<'_, Result<Self, NatsError>> {
        // Boxed, so that its code is compiled here and not in each crate that waits for it.
        Box::pin(Self::connect_now(address))
    }

    async fn connect_now(address: &str) -> Result<Self, NatsError> {
        let fault = |reason: String| NatsError::Connect { address: without_password(address), reason };
        let (servers, options) = servers(address).map_err(&fault)?;
        let failures = Arc::<FailureLog>::default();
        let nats = options
            .name("lozenge")
            .ping_interval(PING_INTERVAL)
            .connection_timeout(CONNECT_TIMEOUT)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .reconnect_delay_callback(reconnect_delay)
            .event_callback(move |event| {
                let failures = Arc::clone(&failures);
                async move { failures.note_event(&event) }
            })
            .connect(servers)
            .await
            .map_err(|error| fault(error.to_string()))?;
        let client = Self { jetstream: jetstream::new(nats.clone()), nats, stream: "LZ_JOBS".into() };
        client.stream().await?;
        Ok(client)
    }

    /// The connection itself.
    pub(crate) fn nats(&self) -> &async_nats::Client {
        &self.nats
    }

    /// The streams.
    pub(super) fn jetstream(&self) -> &Context {
        &self.jetstream
    }

    /// The stream of jobs; made if it is not there.
    pub(super) async fn stream(&self) -> Result<Stream, NatsError> {
        let config = stream::Config {
            name: self.stream.clone(),
            subjects: vec!["lz.job.>".into()],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::Memory,
            // A job that is sent again replaces itself.
            max_messages_per_subject: 1,
            discard: DiscardPolicy::Old,
            max_age: MAX_AGE,
            max_bytes: MAX_STREAM_BYTES,
            ..stream::Config::default()
        };
        let stream = self.jetstream.get_or_create_stream(config).await;
        stream.map_err(|error| NatsError::Stream(error.to_string()))
    }

    /// Deletes the stream with all jobs in it. Their hosts create it again and send them again.
    ///
    /// # Errors
    /// If NATS refuses.
    pub async fn wipe(&self) -> Result<(), NatsError> {
        let wiped = self.jetstream.delete_stream(&self.stream).await;
        wiped.map(|_| ()).map_err(|error| NatsError::Stream(error.to_string()))
    }

    /// The consumer that the workers of a kind share; made if it is not there.
    pub(super) async fn consumer(
        &self,
        class: Class,
        kind: &str,
        signature: &str,
    ) -> Result<PullConsumer, NatsError> {
        let name = format!("{}-{kind}-{signature}", class.word());
        let config = consumer::pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: format!("lz.job.{}.{kind}.{signature}.*", class.word()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ACK_WAIT,
            inactive_threshold: INACTIVE_THRESHOLD,
            ..consumer::pull::Config::default()
        };
        let consumer = self.stream().await?.get_or_create_consumer(&name, config).await;
        consumer.map_err(|error| NatsError::Stream(error.to_string()))
    }

    /// Puts a job or a part of a file into its stream, and waits until it is there.
    pub(super) async fn publish_job(&self, subject: String, payload: Vec<u8>) -> Result<(), NatsError> {
        let fault =
            |error: async_nats::jetstream::context::PublishError| NatsError::Stream(error.to_string());
        self.jetstream.publish(subject, payload.into()).await.map_err(fault)?.await.map_err(fault)?;
        Ok(())
    }

    /// Sends a message that may be lost.
    pub(super) async fn publish(&self, subject: &'static str, payload: Vec<u8>) {
        if let Err(error) = self.nats.publish(subject, payload.into()).await {
            tracing::debug!(%error, subject, "a message was not sent");
        }
    }

    /// Asks the host of a queue.
    pub(super) async fn request(&self, queue: &str, call: &Call) -> Result<Reply, QueueError> {
        let answer = self.nats.request(requests(queue), message(call).into()).await;
        let answer = answer.map_err(|error| {
            QueueError::Unreachable(match error.kind() {
                RequestErrorKind::NoResponders => format!("no server answers for the queue `{queue}`"),
                RequestErrorKind::TimedOut => format!("the queue `{queue}` did not answer in time"),
                _ => error.to_string(),
            })
        })?;
        match serde_json::from_slice(&answer.payload) {
            Ok(Reply::Failed(reason)) => Err(QueueError::Remote(reason)),
            Ok(Reply::Barred(reason)) => Err(QueueError::Barred(reason)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(QueueError::Remote(format!("expected an answer of this version ({error})"))),
        }
    }
}

/// The servers of an address of NATS (`nats://HOST:PORT`, several separated by commas), and options with the user and password,
/// or the token, of the first server that has any: `async-nats` itself does not look there.
///
/// # Errors
/// If the address is invalid; the text is the reason.
pub fn servers(address: &str) -> Result<(Vec<ServerAddr>, ConnectOptions), String> {
    let parse = |server: &str| server.trim().parse::<ServerAddr>().map_err(|error| error.to_string());
    let servers: Vec<ServerAddr> = address.split(',').map(parse).collect::<Result<_, _>>()?;
    let decode = |text: &str| {
        let text = percent_decode_str(text).decode_utf8();
        text.map(String::from).map_err(|_| "expected a user and password in UTF-8".to_owned())
    };
    let mut options = ConnectOptions::new();
    if let Some((user, password)) =
        servers.iter().find_map(|server| Some((server.username()?, server.password())))
    {
        let user = decode(user)?;
        options = match password {
            Some(password) => options.user_and_password(user, decode(password)?),
            None => options.token(user),
        };
    }
    Ok((servers, options))
}

/// Logs why NATS cannot be used: the same reason once a minute, because every try has it.
#[derive(Debug, Default)]
pub struct FailureLog(Mutex<Option<(String, Instant)>>);

impl FailureLog {
    /// Notes a failed try.
    pub fn note(&self, reason: &dyn std::fmt::Display) {
        let reason = reason.to_string();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_known = |(known, at): &(String, Instant)| *known == reason && at.elapsed() < REPEAT_INTERVAL;
        if !last.as_ref().is_some_and(is_known) {
            tracing::warn!(reason, "NATS cannot be used; tried again until it can");
            *last = Some((reason, Instant::now()));
        }
    }

    /// Notes an event of a connection, if it is a failure.
    pub fn note_event(&self, event: &Event) {
        match event {
            Event::ClientError(error) => self.note(error),
            Event::ServerError(error) => self.note(error),
            event => tracing::debug!(%event, "NATS"),
        }
    }
}

/// The pause before a try to connect: short at first, so that games go on soon after NATS does.
#[must_use]
pub fn reconnect_delay(attempts: usize) -> Duration {
    let doublings = u32::try_from(attempts / TRIES_PER_DELAY).unwrap_or(u32::MAX).min(MAX_DOUBLINGS);
    FIRST_RECONNECT_DELAY * (1 << doublings)
}

/// An address of NATS without its user and password, for messages.
#[must_use]
pub fn without_password(address: &str) -> String {
    let server = |text: &str| match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => text.to_owned(),
    };
    address.split(',').map(|text| server(text.trim())).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every test with a real NATS sends a user and a password, which it requires.
    #[test]
    fn pause_between_tries_grows() {
        let delays = [0, 7, 8, 16, 32, 1_000].map(|attempts| reconnect_delay(attempts).as_millis());
        assert_eq!(delays, [250, 250, 500, 1_000, 4_000, 4_000]);
    }

    #[test]
    fn addresses_may_have_a_user_and_a_password() {
        for address in ["a", "nats://a:1, nats://ann:p%40ss@b:2", "nats://token@a"] {
            assert!(servers(address).is_ok(), "{address}");
        }
        assert_eq!(
            servers("nats://ann:%ff@a").err().as_deref(),
            Some("expected a user and password in UTF-8")
        );
        assert!(servers("http://a").is_err());
    }

    #[test]
    fn errors_show_no_password() {
        for (address, expected) in [
            ("nats://127.0.0.1:4222", "nats://127.0.0.1:4222"),
            ("nats://ann:secret@a:1, b:2", "nats://a:1,b:2"),
            ("ann:secret@host", "host"),
        ] {
            assert_eq!(without_password(address), expected);
        }
    }
}
