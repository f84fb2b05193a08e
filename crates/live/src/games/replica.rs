//! A game in memory that another server owns: it follows the owner's messages, and what it missed it reads from the record.
//! Not here: requests to the owner (`router`).

use super::cluster_side::GameNews;
use super::{Audience, GameError, GameHandle, LiveGame, LiveGameInner, LiveGames, live_game, rating};
use crate::cluster::{BusMessage, BusStream, Cluster};
use lozenge_game::time::now_ms;
use lozenge_game::{FinishedGame, PresenceInfo};
use lozenge_wire::{ByPlayer, Event, Status};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio_stream::StreamExt as _;

/// How often games with followers are compared with the record: the last message before a silence may have been lost.
const COMPARE_INTERVAL: Duration = Duration::from_secs(1);
/// Comparisons after which a server reports again to owners which players are connected to it.
const PRESENCE_EVERY: u64 = 5;
/// Sockets of games that others own are closed this long after NATS was lost, in leases: their clients may reach the owner.
const WITHOUT_NATS: f64 = 5.0 / 3.0;

/// The number of a line of chat in its game.
fn number_of(line: &Event) -> i64 {
    if let Event::Chat { number, .. } = line { *number } else { -1 }
}

impl LiveGames {
    /// The messages on a game from now on; none with one server.
    pub(super) async fn messages_on(&self, id: &str) -> Option<BusStream> {
        match self.cluster()?.follow_game(id).await {
            Ok(messages) => Some(messages),
            Err(error) => {
                // It is compared with the record every second.
                tracing::warn!(%error, game = id, "could not follow a game");
                None
            }
        }
    }

    /// Follows the messages on a game as long as it is in memory.
    pub(super) fn follow(&self, live: &Arc<LiveGame>, messages: Option<BusStream>) {
        let Some(mut messages) = messages else { return };
        let (games, game) = (self.clone(), Arc::downgrade(live));
        let task = tokio::spawn(async move {
            while let Some(message) = messages.next().await {
                let Some(live) = Weak::upgrade(&game) else { return };
                games.on_message(&live, &message).await;
            }
        });
        live.set_follower(task.abort_handle());
    }

    /// Prepares a game that was read from the record. Its owner reports who is connected.
    pub(super) async fn load_replica(
        &self,
        inner: &mut LiveGameInner,
        owner: Option<String>,
        cluster: &Cluster,
    ) -> Result<(), GameError> {
        // If this server owned the game without having it in memory, it has to claim it again.
        let owner = owner.filter(|owner| **owner != *cluster.incarnation());
        inner.announced = inner.machine.status();
        if inner.machine.is_to_be_rated() {
            let finished = FinishedGame::of(&inner.machine);
            inner.rating_changes = rating::changes(&self.shared.store, &finished).await?;
        }
        let mut view = PresenceInfo { rating_changes: inner.rating_changes, ..PresenceInfo::default() };
        if let Some(owner) = &owner
            && inner.machine.status() != Status::Finished
            && let Some(known) = self.request_view(&inner.machine.config.id, owner).await
        {
            view = known;
        }
        inner.note_owner(owner, inner.epoch);
        if let Some(side) = &mut inner.side {
            side.set_view(view);
        }
        Ok(())
    }

    async fn on_message(&self, live: &Arc<LiveGame>, message: &BusMessage) {
        let mut inner = live.lock().await;
        let result = match serde_json::from_slice::<GameNews>(&message.payload) {
            Ok(news) => self.take_news(live, &mut inner, news).await,
            // A newer version has an event that this one does not know.
            Err(error) => {
                tracing::warn!(%error, "expected news of a game in the form of this version");
                self.refresh(live, &mut inner).await
            }
        };
        if let Err(error) = result {
            tracing::warn!(%error, "could not follow a game; it is compared with the record in a moment");
        }
    }

    async fn take_news(
        &self,
        live: &LiveGame,
        inner: &mut LiveGameInner,
        news: GameNews,
    ) -> Result<(), GameError> {
        if news.epoch < inner.epoch || (inner.is_mine() && news.epoch == inner.epoch) {
            return Ok(());
        }
        if inner.is_mine() {
            self.lose(live, inner);
        }
        let is_new_owner = inner.note_owner(Some(news.node), news.epoch);
        let Some(side) = &mut inner.side else { return Ok(()) };
        side.set_view(news.presence);
        let gap = side.note_number(news.number);
        let (seq, plies) = (inner.machine.seq, inner.machine.played.len());
        let first = (news.seq + 1).saturating_sub(news.events.len() as u64);
        if !(inner.outcome_unknown || gap || (news.seq > seq && first != seq + 1)) {
            // An event that does not fit differs from the record.
            inner.outcome_unknown =
                news.seq > seq && news.events.iter().any(|event| inner.machine.apply(event).is_err());
        } else {
            metrics::counter!("lozenge_cluster_gap_fills").increment(1);
            self.refresh(live, inner).await?;
        }
        if inner.outcome_unknown {
            self.refresh(live, inner).await?;
        }
        match &news.chat {
            Some(line) if number_of(line) > inner.chat.last().map_or(-1, number_of) => {
                inner.remember(line.clone());
                if let Event::Chat { room, .. } = line {
                    live.broadcast(Audience::of(*room), line);
                }
            }
            Some(_) => {}
            None => {
                let moved = inner.machine.seq == news.seq && inner.machine.played.len() == plies + 1;
                live.broadcast_locally(inner, moved, now_ms());
            }
        }
        self.note_activity(inner);
        if is_new_owner {
            self.publish_presence(inner);
        }
        Ok(())
    }

    /// Reads what has happened since from the record, and sends it to the game's followers here.
    pub(super) async fn refresh(&self, live: &LiveGame, inner: &mut LiveGameInner) -> Result<(), GameError> {
        let id = inner.machine.config.id.clone();
        if inner.outcome_unknown {
            let missing =
                || GameError::Damaged { id: id.clone(), fault: "the game is not in the database".into() };
            inner.machine = self.record(&id).await?.ok_or_else(missing)?.replay()?;
            inner.outcome_unknown = false;
            live.broadcast_locally(inner, false, now_ms());
        }
        for event in self.shared.store.events_after(&id, inner.machine.seq).await? {
            let plies = inner.machine.played.len();
            inner
                .machine
                .apply(&event)
                .map_err(|fault| GameError::Damaged { id: id.clone(), fault: fault.to_string() })?;
            live.broadcast_locally(inner, inner.machine.played.len() == plies + 1, now_ms());
        }
        let last = inner.chat.last().map_or(-1, number_of);
        self.reload_chat(inner).await?;
        for line in inner.chat.iter().filter(|line| number_of(line) > last) {
            if let Event::Chat { room, .. } = line {
                live.broadcast(Audience::of(*room), line);
            }
        }
        Ok(())
    }

    /// Brings a game that another server owns up to date with the record, so that a request to any server after an
    /// acknowledged move sees that move. Another server may also own it when this one stood still until its lease was over
    /// and does not know it yet.
    pub(super) async fn catch_up(&self, live: &LiveGame) -> Result<(), GameError> {
        let mut inner = live.lock().await;
        let is_mine = inner.is_mine();
        if is_mine && self.cluster().is_none_or(|cluster| cluster.may_own()) {
            return Ok(());
        }
        let id = inner.machine.config.id.clone();
        let Some(head) = self.head(&id).await? else { return Ok(()) };
        if head.seq < inner.machine.seq {
            inner.outcome_unknown = true;
        }
        if head.seq != inner.machine.seq || inner.outcome_unknown {
            self.refresh(live, &mut inner).await?;
        }
        if is_mine {
            // The end or the renewal of the lease decides who owns it now.
            return Ok(());
        }
        let me = self.cluster().map(|cluster| cluster.incarnation());
        let owner = head.owner.filter(|owner| Some(owner.as_str()) != me.as_deref());
        if inner.note_owner(owner, head.epoch) {
            self.publish_presence(&inner);
        }
        Ok(())
    }

    /// Reports to the owner which players are connected to this server.
    pub(super) fn publish_presence(&self, inner: &LiveGameInner) {
        let connected = inner.connected_here();
        if connected != ByPlayer::default() {
            self.send_presence(inner, connected);
        }
    }

    /// Compares games that others own, and that clients follow here, with the record every second, as long as the process
    /// lives.
    pub(super) async fn compare_replicas(self) {
        let Some(cluster) = self.cluster().cloned() else { return };
        let (connected, timeout) = (cluster.connected(), cluster.settings().lease.mul_f64(WITHOUT_NATS));
        // Since when NATS is away, and whether sockets were closed for that.
        let mut without_nats: Option<(Instant, bool)> = None;
        for count in 0u64.. {
            tokio::time::sleep(COMPARE_INTERVAL).await;
            let mut is_cut_off = false;
            if *connected.borrow() {
                without_nats = None;
            } else {
                let (since, closed) = without_nats.get_or_insert_with(|| (Instant::now(), false));
                let is_long = since.elapsed() > timeout;
                is_cut_off = is_long && !core::mem::replace(closed, is_long);
            }
            let all = self.shared.games.all();
            let mut followed = Vec::new();
            for live in all {
                let Some(mut inner) = live.try_lock() else { continue };
                if inner.is_mine() {
                    if inner.expire_remote_presence(now_ms()) {
                        live.broadcast_state(&mut inner, now_ms());
                        self.after_change(&live, &mut inner, now_ms());
                    }
                    continue;
                }
                if !live.has_subscribers() {
                    continue;
                }
                if is_cut_off && inner.machine.status() == Status::Started {
                    live.close_followers(live_game::TRY_AGAIN_LATER);
                }
                if count.is_multiple_of(PRESENCE_EVERY) {
                    self.publish_presence(&inner);
                }
                followed.push((inner.machine.config.id.clone(), inner.machine.seq, inner.epoch));
            }
            if let Err(error) = self.compare(&followed).await {
                tracing::debug!(%error, "games could not be compared with the record");
            }
        }
    }

    async fn compare(&self, followed: &[(String, u64, i64)]) -> Result<(), GameError> {
        if followed.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = followed.iter().map(|(id, ..)| id.clone()).collect();
        let heads = self.shared.store.game_heads(&ids).await?;
        for (id, seq, epoch) in followed {
            let Some(head) = heads.get(id).filter(|head| (head.seq, head.epoch) != (*seq, *epoch)) else {
                continue;
            };
            let Some(live) = self.shared.games.get(id) else { continue };
            // A message may have come since.
            if head.seq > live.lock().await.machine.seq {
                metrics::counter!("lozenge_cluster_gap_fills").increment(1);
            }
            self.catch_up(&live).await?;
        }
        Ok(())
    }

    /// A game as it was known last, without reading the record.
    pub(super) async fn game_as_known(&self, id: &str) -> Result<Option<GameHandle>, GameError> {
        let slot = self.shared.games.slot(id);
        // Seldom necessary, and larger than all that waits for it.
        let loaded = slot.get_or_load(Box::pin(self.load(id, &slot))).await;
        if let Ok(Some(game)) = loaded {
            return Ok(Some(GameHandle::new(slot, game)));
        }
        // The next request may succeed.
        self.shared.games.remove_unused(id, &slot);
        loaded.map(|_| None)
    }
}
