//! This server among others: it renews its lease, and takes games over from servers that did not. An incarnation ends with its
//! lease; the next begins without games. Not here: one game (`ownership`).

use super::ownership::{RESUME_DELAY, RESUME_TRIES};
use super::{GameError, LiveGames, rating};
use crate::cluster::Cluster;
use futures_util::StreamExt as _;
use lozenge_game::time::{CLOCK, now_ms};
use lozenge_store::{NodeRow, StoreError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// Most games that are taken over at once: few enough that every live server gets a part.
const TAKEOVER_BATCH: i64 = 200;
/// Games that are read and resumed at the same time: their writes share transactions.
const MAX_CONCURRENT_RESUMES: usize = 64;
/// Most correspondence games that are checked at once after their time is over.
const OVERDUE_BATCH: i64 = 50;
/// Sweeps between two searches: for games that no server owns and overdue ones, and for games that ended unrated.
const ORPHAN_SCAN_SWEEPS: u64 = 4;
const RATING_SCAN_SWEEPS: u64 = 120;
/// Games that ended within this time are rated if they are not, in milliseconds: their owner may have died.
const UNRATED_MS: i64 = 20 * 60_000;
/// How much later than the first the other servers check what comes with the program.
const SEED_DELAY: Duration = Duration::from_secs(20);
/// The pause after the database has failed at the start of an incarnation.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// This server from one loss of its lease to the next.
struct Incarnation {
    /// Its name among the servers.
    name: Arc<str>,
    lease: Duration,
    /// When a server last ran before this one, in Unix milliseconds.
    last_beat: Option<i64>,
    /// Since when its lease has not been interrupted.
    steady_since: Mutex<Instant>,
}

impl Incarnation {
    fn lease_ms(&self) -> i64 {
        self.lease.as_millis() as i64
    }

    /// How long a lease lasts for this server from the moment it was asked for: less than for the others.
    fn valid(&self) -> Duration {
        self.lease * 5 / 6
    }

    /// Whether this server has had its lease long enough that others, which lost the database when it did, have theirs again.
    fn is_steady(&self) -> bool {
        self.steady_since.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= self.lease
    }

    fn lease_was_interrupted(&self) {
        *self.steady_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

impl LiveGames {
    /// Runs this server as one of several, one incarnation after the other, until the database is closed. The clocks of
    /// games that no server owns stand still since `last_beat`, when a server last ran.
    pub async fn run_node(self, last_beat: Option<i64>) {
        let Some(cluster) = self.cluster().cloned() else { return };
        tokio::spawn(self.clone().compare_replicas());
        while !cluster.is_draining() {
            match self.join_cluster(&cluster, last_beat).await {
                Ok(()) => {}
                Err(GameError::Store(StoreError::Closed | StoreError::Database(sqlx::Error::PoolClosed))) => {
                    return;
                }
                Err(error) => tracing::warn!(%error, "this server cannot take part yet"),
            }
            self.lose_all().await;
            sleep(RETRY_DELAY).await;
        }
    }

    /// Whether this server does what one of several has to do: alone it always does. Two may for a moment, so that must be
    /// harmless.
    pub(crate) async fn is_leader(&self) -> bool {
        let Some(cluster) = self.cluster() else { return true };
        cluster.may_own() && self.shared.store.is_first_node(&cluster.incarnation()).await.unwrap_or(false)
    }

    /// Whether clients had better go to another server: this one alone cannot reach NATS.
    pub fn is_isolated(&self) -> bool {
        self.cluster().is_some_and(Cluster::is_isolated)
    }

    /// Where several servers begin at once, lets one of them read into the database what comes with the program; the others
    /// then find that it is there.
    pub async fn wait_unless_first(&self) {
        if !self.is_leader().await {
            sleep(SEED_DELAY).await;
        }
    }

    /// How long the lease of this server lasts, if it is one of several.
    pub fn lease(&self) -> Option<Duration> {
        self.cluster().map(|cluster| cluster.settings().lease)
    }

    /// Waits until this server may own games, or until the timeout.
    pub async fn wait_for_lease(&self, timeout: Duration) {
        let begun = Instant::now();
        while self.cluster().is_some_and(|cluster| !cluster.may_own()) && begun.elapsed() < timeout {
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Gives all games away: others take them over at once. This server still serves pages, and passes actions on.
    pub async fn retire(&self) {
        let Some(cluster) = self.cluster() else { return };
        cluster.drain();
        // Writes in progress belong to the epoch that ends here.
        if let Err(error) = self.shared.store.retire_node(&cluster.incarnation()).await {
            tracing::warn!(%error, "the games of this server are taken over when its lease ends");
        }
        cluster.announce("orphans", &());
        self.release_all().await;
    }

    /// Another server has given its games away.
    pub fn look_for_orphans(&self) {
        self.shared.orphans.notify_one();
    }

    async fn join_cluster(&self, cluster: &Cluster, last_beat: Option<i64>) -> Result<(), GameError> {
        let incarnation = Arc::new(Incarnation {
            last_beat,
            name: cluster.begin_incarnation(),
            lease: cluster.settings().lease,
            steady_since: Mutex::new(Instant::now()),
        });
        let commands = cluster.subscribe_commands(&incarnation.name).await;
        let commands = commands.map_err(|error| StoreError::Nats(error.to_string()))?;
        let sent_at = Instant::now();
        let settings = cluster.settings();
        let row = NodeRow {
            incarnation: incarnation.name.to_string(),
            id: settings.id.clone(),
            address: settings.address.clone(),
        };
        self.shared.store.add_node(&row, incarnation.lease_ms()).await?;
        cluster.set_lease(sent_at + incarnation.valid());
        tracing::info!(node = settings.id, incarnation = &*incarnation.name, "this server takes part");
        let mut tasks = JoinSet::new();
        tasks.spawn(self.clone().answer_servers(commands));
        tasks.spawn(self.clone().sweep(cluster.clone(), Arc::clone(&incarnation)));
        self.renew(cluster, &incarnation).await
    }

    /// Renews the lease until the incarnation is over.
    async fn renew(&self, cluster: &Cluster, incarnation: &Incarnation) -> Result<(), GameError> {
        let connected = cluster.connected();
        let (mut until, mut seen_at) = (Instant::now() + incarnation.valid(), now_ms());
        let mut without_nats: Option<Instant> = None;
        let mut ticks = interval(incarnation.lease / 3);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if cluster.is_draining() {
                return Ok(());
            }
            let nats_ok = *connected.borrow();
            // Taken before the statement is sent: the lease that the database grants ends later.
            let sent_at = Instant::now();
            let renewed = self.shared.store.renew_node(&incarnation.name, incarnation.lease_ms(), nats_ok);
            match timeout(incarnation.lease / 2, renewed).await {
                Ok(Ok(Some(now))) => {
                    metrics::histogram!("lozenge_cluster_renewal_seconds")
                        .record(sent_at.elapsed().as_secs_f64());
                    CLOCK.set_reference(now + sent_at.elapsed().as_millis() as i64 / 2);
                    let lapsed = sent_at >= until;
                    until = sent_at + incarnation.valid();
                    cluster.set_lease(until);
                    if lapsed {
                        incarnation.lease_was_interrupted();
                        tracing::warn!("the lease was interrupted; no other server has taken the games");
                        // Beside the renewals, which must not wait for it.
                        let games = self.clone();
                        tokio::spawn(async move { games.resume_all(seen_at).await });
                    }
                    seen_at = now_ms();
                }
                Ok(Ok(None)) => {
                    tracing::warn!("this server was declared dead, and begins anew");
                    return Ok(());
                }
                Ok(Err(error @ (StoreError::Closed | StoreError::Database(sqlx::Error::PoolClosed)))) => {
                    return Err(error.into());
                }
                Ok(Err(error)) => tracing::warn!(%error, "the lease was not renewed"),
                Err(_) => tracing::warn!("the lease was not renewed: no answer in time"),
            }
            if nats_ok {
                without_nats = None;
                cluster.set_isolated(false);
            } else if without_nats.get_or_insert_with(Instant::now).elapsed() >= incarnation.lease * 2 / 3 {
                let (_, others) = self.shared.store.other_nodes(&incarnation.name).await?;
                if others > 0 && cluster.may_own() {
                    tracing::warn!("only this server cannot reach NATS: it gives its games away");
                    cluster.set_isolated(true);
                    self.shared.store.retire_node(&incarnation.name).await?;
                    return Ok(());
                }
                cluster.set_isolated(others > 0);
            }
        }
    }

    /// The database was away: live clocks did not run meanwhile.
    async fn resume_all(&self, seen_at: i64) {
        let all = futures_util::stream::iter(self.shared.games.all());
        let resume = |live: super::GameHandle| async move {
            for _ in 0..RESUME_TRIES {
                // Reloaded, if a write of unknown outcome was under way; failures are logged.
                if let Ok(mut inner) = self.lock(&live).await
                    && (!inner.is_mine()
                        || !inner.is_timed()
                        || self.resume(&live, &mut inner, Some(seen_at), now_ms()).await.is_ok())
                {
                    return;
                }
                sleep(RESUME_DELAY).await;
            }
        };
        all.for_each_concurrent(MAX_CONCURRENT_RESUMES, resume).await;
    }

    /// Searches for servers that have died and takes their games over, as long as this incarnation lasts.
    async fn sweep(self, cluster: Cluster, incarnation: Arc<Incarnation>) {
        let mut ticks = interval(incarnation.lease / 6);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for count in 0u64.. {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.shared.orphans.notified() => {}
            }
            if !cluster.may_own() {
                continue;
            }
            if let Err(error) = self.sweep_once(&incarnation, count).await {
                tracing::warn!(%error, "could not look for games to take over");
            }
        }
    }

    async fn sweep_once(&self, incarnation: &Incarnation, count: u64) -> Result<(), GameError> {
        let store = &self.shared.store;
        self.adopt_unloaded(&incarnation.name).await?;
        if incarnation.is_steady() {
            for id in store.mark_dead_nodes(&incarnation.name).await? {
                tracing::warn!(node = id, "a server has not renewed its lease: its games are taken over");
            }
        }
        for dead in store.dead_nodes().await? {
            // A request may find one of the games taken over before it is loaded here.
            self.set_unloaded(now_ms() - dead.seen_ago_ms);
            loop {
                let taken = store.take_over(&dead.incarnation, &incarnation.name, TAKEOVER_BATCH).await;
                let taken = self.note_failed_takeover(taken, Some(dead.seen_ago_ms))?;
                self.adopt_all(&taken, Some(dead.seen_ago_ms)).await;
                if taken.len() < TAKEOVER_BATCH as usize {
                    break;
                }
            }
            while store.free_games(&dead.incarnation, TAKEOVER_BATCH).await? == TAKEOVER_BATCH as u64 {}
            store.forget_node(&dead.incarnation).await?;
        }
        if count.is_multiple_of(ORPHAN_SCAN_SWEEPS) {
            // Those of a server that had the database for itself.
            let died_ago_ms = incarnation.last_beat.map(|beat| now_ms() - beat);
            let taken = self.note_failed_takeover(
                store.take_unowned(&incarnation.name, TAKEOVER_BATCH).await,
                died_ago_ms,
            )?;
            self.adopt_all(&taken, died_ago_ms).await;
            for id in store.overdue_games(now_ms(), OVERDUE_BATCH).await? {
                if let Some(live) = self.game_as_known(&id).await? {
                    // Its timer fires at once.
                    self.claim(&live).await?;
                }
            }
            metrics::gauge!("lozenge_cluster_unowned_clocked_games")
                .set(store.unowned_clocked().await? as f64);
            metrics::gauge!("lozenge_cluster_games_owned").set(self.count_owned() as f64);
        }
        if count.is_multiple_of(RATING_SCAN_SWEEPS) {
            rating::rate_unrated(store, now_ms() - UNRATED_MS).await?;
        }
        Ok(())
    }

    /// Loads the games that this server owns by the database. Games that fail to load are owned but not loaded.
    pub(super) async fn adopt_all(&self, taken: &[(String, i64)], died_ago_ms: Option<i64>) {
        let adopt = |(id, epoch): &(String, i64)| {
            let (id, epoch) = (id.clone(), *epoch);
            async move {
                let adopted = self.adopt(&id, epoch, died_ago_ms).await;
                self.note_failed_takeover(adopted, died_ago_ms).unwrap_or_else(|error| {
                    tracing::error!(%error, game = id, "could not take a game over yet");
                    false
                })
            }
        };
        let adopted =
            futures_util::stream::iter(taken.iter().map(adopt)).buffer_unordered(MAX_CONCURRENT_RESUMES);
        let games = adopted.filter(|adopted| std::future::ready(*adopted)).count().await;
        if games > 0 {
            metrics::counter!("lozenge_cluster_games_taken").increment(games as u64);
            tracing::info!(games, "took games over");
        }
    }

    /// How many games this server owns.
    fn count_owned(&self) -> usize {
        let mine = |live: &super::GameHandle| live.try_lock().is_none_or(|inner| inner.is_mine());
        self.shared.games.all().iter().filter(|live| mine(live)).count()
    }
}
