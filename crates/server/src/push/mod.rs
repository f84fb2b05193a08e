//! Web push: players who have chosen it get a message on their devices when it is their turn in a correspondence game, and
//! when a player challenges them. No request waits for it: events are dropped if they come faster than messages can be sent.

mod message;
mod transport;

pub(crate) use message::{PushKey, is_endpoint, subscription_id, valid_keys};
pub(crate) use transport::Https;
pub use transport::PushTransport;

use crate::limits::Limits;
use crate::views::{Texts, clock_text, name};
use axum::http::StatusCode;
use lozenge_live::challenges::{ChallengeEvent, ChallengeEvents, Change};
use lozenge_live::games::{LiveGames, TurnBegun};
use lozenge_store::{PushRow, Store, StoreError};
use lozenge_wire::Challenge;
use quick_cache::sync::Cache;
use serde::Serialize;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// How web push is set up.
#[derive(Clone, Debug)]
pub struct PushConfig {
    /// Sends the requests; none for HTTPS to public addresses.
    pub transport: Option<Arc<dyn PushTransport>>,
    /// How long after a move its message is sent, unless the player has looked at the game or moved by then.
    pub delay: Duration,
}

impl Default for PushConfig {
    fn default() -> Self {
        Self { transport: None, delay: Duration::from_secs(5) }
    }
}

/// Messages that are written and sent at the same time.
const AT_ONCE: usize = 256;
/// Of these, the ones at hosts that have answered before; at all others; and those that wait for the others, which may never
/// answer.
const AT_KNOWN_HOSTS: usize = 8;
const AT_OTHER_HOSTS: usize = 4;
const WAITING_FOR_OTHERS: usize = 64;
/// Hosts that are remembered for their answers.
const KNOWN_HOSTS: usize = 1_000;

/// Turns that wait for their message.
const MAX_WAITING: usize = 10_000;

/// How long a push service keeps a message for a device that is off.
const TURN_TTL: Duration = Duration::from_secs(24 * 60 * 60);

/// A message on a device (`service-worker.js` reads it).
#[derive(Clone, Debug, Serialize)]
struct Message {
    title: String,
    body: String,
    /// The page that a click opens.
    url: String,
    /// A newer message with the same tag replaces an older one.
    tag: String,
}

/// The queue and the transport of messages.
#[derive(Debug)]
pub(crate) struct PushSender {
    pub(crate) store: Store,
    pub(crate) games: LiveGames,
    pub(crate) challenges: ChallengeEvents,
    pub(crate) limits: Limits,
    pub(crate) key: PushKey,
    /// The site's address, which push services may show to complain.
    pub(crate) contact: Option<String>,
    pub(crate) config: PushConfig,
}

impl PushSender {
    /// Sends messages until the database is closed.
    pub(crate) async fn run(self) {
        let delay = self.config.delay;
        let transport = self.config.transport.clone().unwrap_or_else(|| Arc::new(Https::default()));
        let (turns, challenges) = (self.games.turns(), self.challenges.subscribe());
        let store = self.store.clone();
        let sender = Arc::new(Sender { parts: self, transport, hosts: Hosts::default() });
        run(sender, store, turns, challenges, delay).await;
    }
}

async fn run(
    sender: Arc<Sender>,
    store: Store,
    mut turns: Receiver<TurnBegun>,
    mut challenges: Receiver<ChallengeEvent>,
    delay: Duration,
) {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut waiting: VecDeque<(Instant, TurnBegun)> = VecDeque::new();
    loop {
        let due = waiting.front().map(|(at, _)| *at);
        let next = async {
            match due {
                Some(at) => tokio::time::sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = store.closed() => return,
            () = next => {
                let (Some((_, turn)), Some(permit)) = (waiting.pop_front(), permit(&permits).await) else { return };
                let sender = Arc::clone(&sender);
                tokio::spawn(async move { sender.turn(&turn, permit).await });
            }
            turn = turns.recv() => match turn {
                Ok(turn) if waiting.len() < MAX_WAITING => waiting.push_back((Instant::now() + delay, turn)),
                Ok(_) => {}
                Err(RecvError::Lagged(missed)) => tracing::warn!(missed, "push messages were dropped"),
                Err(RecvError::Closed) => return,
            },
            event = challenges.recv() => match event {
                Ok(ChallengeEvent { challenge, change: Change::Sent, remote: false }) => {
                    let Some(permit) = permit(&permits).await else { return };
                    let sender = Arc::clone(&sender);
                    tokio::spawn(async move { sender.challenge(&challenge, permit).await });
                }
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
        }
    }
}

async fn permit(permits: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    Arc::clone(permits).acquire_owned().await.ok()
}

/// Writes and sends messages.
#[derive(Debug)]
struct Sender {
    parts: PushSender,
    transport: Arc<dyn PushTransport>,
    hosts: Hosts,
}

/// Places for messages by the host that they go to, so that hosts that never answer delay no message to those that do.
#[derive(Debug)]
struct Hosts {
    /// The hosts whose last answer came in time.
    answered: Cache<String, ()>,
    at_known: Semaphore,
    at_others: Semaphore,
    waiting: Semaphore,
}

impl Default for Hosts {
    fn default() -> Self {
        Self {
            answered: Cache::new(KNOWN_HOSTS),
            at_known: Semaphore::new(AT_KNOWN_HOSTS),
            at_others: Semaphore::new(AT_OTHER_HOSTS),
            waiting: Semaphore::new(WAITING_FOR_OTHERS),
        }
    }
}

impl Hosts {
    /// Waits for a place for a message, and sends it; none if too many wait for hosts that have not answered yet.
    async fn send<T>(
        &self,
        host: &str,
        send: impl Future<Output = Result<T, String>>,
    ) -> Option<Result<T, String>> {
        let is_known = || self.answered.get(host).is_some();
        let place = if is_known() { Some(self.at_known.acquire().await.ok()?) } else { None };
        // It may have stopped answering while this message waited.
        let (_waiting, _place) = match place.filter(|_| is_known()) {
            Some(place) => (None, place),
            None => (Some(self.waiting.try_acquire().ok()?), self.at_others.acquire().await.ok()?),
        };
        let answer = send.await;
        if answer.is_ok() {
            self.answered.insert(host.to_owned(), ());
        } else {
            self.answered.remove(host);
        }
        Some(answer)
    }
}

impl Sender {
    /// Notifies a player that it is their turn, unless they have seen it.
    async fn turn(&self, turn: &TurnBegun, _permit: OwnedSemaphorePermit) {
        let unseen = match self.parts.games.unseen_turn(turn).await {
            Ok(Some(found)) => found,
            Ok(None) => return,
            Err(error) => return tracing::debug!(%error, "a turn could not be looked at"),
        };
        let write = |texts: &Texts| {
            let name = unseen.opponent.as_ref().map_or_else(|| "?".into(), |player| name(texts, player));
            Message {
                title: texts.get("push-turn"),
                body: texts.with_all(
                    "push-turn-text",
                    [("game", unseen.variant_name.clone().into()), ("name", name.into())],
                ),
                url: format!("/game/{}", turn.game),
                tag: format!("game-{}", turn.game),
            }
        };
        self.send(&turn.player, TURN_TTL, &turn.game, write).await;
    }

    /// Notifies a player of a challenge.
    async fn challenge(&self, challenge: &Challenge, _permit: OwnedSemaphorePermit) {
        let write = |texts: &Texts| {
            let rated = texts.get(if challenge.rated { "rated" } else { "casual" });
            Message {
                title: texts.with("push-challenge", "name", name(texts, &challenge.challenger)),
                body: format!(
                    "{} · {} · {rated}",
                    challenge.variant_name,
                    clock_text(texts, challenge.clock)
                ),
                url: "/#challenges".into(),
                tag: format!("challenge-{}", challenge.id),
            }
        };
        let open_ms = (challenge.expires_at - challenge.created_at).max(0) as u64;
        let ttl = Duration::from_millis(open_ms).min(TURN_TTL);
        self.send(&challenge.challenged.id, ttl, &challenge.id, write).await;
    }

    /// Sends a message to all devices of a player.
    async fn send(&self, user: &str, ttl: Duration, topic: &str, write: impl Fn(&Texts) -> Message) {
        let rows = match self.parts.store.push_of(user).await {
            Ok(rows) => rows,
            Err(error) => return tracing::debug!(%error, "push subscriptions could not be read"),
        };
        if rows.is_empty() || self.parts.limits.check_push(user).is_err() {
            return;
        }
        for row in rows {
            let text =
                serde_json::to_string(&write(&Texts::choose(Some(&row.language), ""))).unwrap_or_default();
            if let Err(error) = self.deliver(&row, &text, ttl, topic).await {
                tracing::debug!(%error, "a push message could not be recorded");
            }
        }
    }

    /// Sends a message to one device. A subscription that has ended is deleted.
    async fn deliver(&self, row: &PushRow, text: &str, ttl: Duration, topic: &str) -> Result<(), StoreError> {
        let contact = self.parts.contact.as_deref();
        let request = match self.parts.key.request(row, text, ttl, topic, contact) {
            Ok(request) => request,
            Err(fault) => {
                tracing::debug!(fault, "a push message could not be encrypted");
                return self.parts.store.count_push(&row.id, true).await;
            }
        };
        let host = request.uri().host().unwrap_or_default().to_owned();
        let Some(status) = self.hosts.send(&host, self.transport.send(request)).await else {
            metrics::counter!("lozenge_push_messages", "outcome" => "dropped").increment(1);
            return Ok(());
        };
        let outcome = match status {
            Ok(StatusCode::NOT_FOUND | StatusCode::GONE) => {
                self.parts.store.drop_push(&row.owner, &row.id).await?;
                "ended"
            }
            Ok(status) if status.is_success() => {
                self.parts.store.count_push(&row.id, false).await?;
                "sent"
            }
            refused => {
                tracing::debug!(?refused, "a push message was not delivered");
                self.parts.store.count_push(&row.id, true).await?;
                "failed"
            }
        };
        metrics::counter!("lozenge_push_messages", "outcome" => outcome).increment(1);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn hosts_that_never_answer_delay_no_others() {
        let hosts = Arc::new(Hosts::default());
        let answered = async || hosts.send("push.example", async { Ok(()) }).await;
        assert_eq!(answered().await, Some(Ok(())));
        let mut silent = Vec::new();
        for number in 0..2 * WAITING_FOR_OTHERS {
            let hosts = Arc::clone(&hosts);
            silent.push(tokio::spawn(async move {
                let never = async {
                    tokio::time::sleep(Duration::from_secs(10)).await;
                    Err::<(), _>("no answer".to_owned())
                };
                hosts.send(&format!("{number}.example"), never).await
            }));
        }
        tokio::task::yield_now().await;
        let begun = Instant::now();
        assert_eq!(answered().await, Some(Ok(())));
        assert_eq!(begun.elapsed(), Duration::ZERO, "it has waited for nobody");
        let mut dropped = 0;
        for one in silent {
            dropped += usize::from(matches!(one.await, Ok(None)));
        }
        assert_eq!(dropped, WAITING_FOR_OTHERS);
        assert_eq!(answered().await, Some(Ok(())));
    }
}
