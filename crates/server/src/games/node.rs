//! This server among others: it renews its lease, and takes games over from servers that did not. A life ends with its lease;
//! the next begins without games. Not here: one game (`ownership`).

use super::ownership::{RESUME_PAUSE, RESUME_TRIES};
use super::{GameError, LiveGames, rating};
use crate::cluster::Cluster;
use crate::store::{NodeRow, StoreError};
use crate::time::{CLOCK, now_ms};
use futures_util::StreamExt as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// Games that are taken over at once: few enough that all servers that live get a part.
const LOT: i64 = 200;
/// Games that are read and resumed at the same time: what they write shares transactions.
const AT_ONCE: usize = 64;
/// Correspondence games whose time is over and that are looked at at once.
const OVERDUE: i64 = 50;
/// After so many sweeps: a look for games that nobody has, and for overdue ones; and for games that ended unrated.
const RARELY: u64 = 4;
const SELDOM: u64 = 120;
/// Games that ended within this time are rated if they are not, in milliseconds: their owner may have died.
const UNRATED_MS: i64 = 20 * 60_000;
/// How much later than the first the other servers look at what comes with the program.
const READ_LATER: Duration = Duration::from_secs(20);
/// The pause after the database has failed when a life begins.
const AGAIN: Duration = Duration::from_millis(250);

/// A life of this server.
struct Life {
    incarnation: Arc<str>,
    lease: Duration,
    /// When a server last ran before this one, in Unix milliseconds.
    last_beat: Option<i64>,
    /// Since when its lease has not been interrupted.
    steady_since: Mutex<Instant>,
}

impl Life {
    fn lease_ms(&self) -> i64 {
        self.lease.as_millis() as i64
    }

    /// A lease that was asked for at a moment lasts so long for this server: less than for the others.
    fn valid(&self) -> Duration {
        self.lease * 5 / 6
    }

    /// Whether this server has had its lease for so long that others, which lost the database when it did, have theirs again.
    fn is_steady(&self) -> bool {
        self.steady_since.lock().unwrap_or_else(PoisonError::into_inner).elapsed() >= self.lease
    }

    fn interrupt(&self) {
        *self.steady_since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }
}

impl LiveGames {
    /// Takes part among the servers, one life after the other, until the database is closed. Clocks of games that nobody has
    /// did not run since `last_beat`, when a server last ran.
    pub(crate) async fn run_node(self, last_beat: Option<i64>) {
        let Some(cluster) = self.cluster().cloned() else { return };
        tokio::spawn(self.clone().compare_replicas());
        while !cluster.is_draining() {
            match self.live(&cluster, last_beat).await {
                Ok(()) => {}
                Err(GameError::Store(StoreError::Closed | StoreError::Database(sqlx::Error::PoolClosed))) => {
                    return;
                }
                Err(error) => tracing::warn!(%error, "this server cannot take part yet"),
            }
            self.lose_all().await;
            sleep(AGAIN).await;
        }
    }

    /// Whether this server does what one of several has to do: alone it always does. Two may for a moment, so that must be
    /// harmless.
    pub(crate) async fn leads(&self) -> bool {
        let Some(cluster) = self.cluster() else { return true };
        cluster.may_own() && self.shared.store.is_first_node(&cluster.incarnation()).await.unwrap_or(false)
    }

    /// Whether clients had better go to another server: this one alone cannot reach NATS.
    pub(crate) fn is_isolated(&self) -> bool {
        self.cluster().is_some_and(Cluster::is_isolated)
    }

    /// Where several servers begin at once, lets one of them read into the database what comes with the program; the others
    /// then find that it is there.
    pub(crate) async fn wait_unless_first(&self) {
        if !self.leads().await {
            sleep(READ_LATER).await;
        }
    }

    /// How long the lease of this server lasts, if it is one of several.
    pub(crate) fn lease(&self) -> Option<Duration> {
        self.cluster().map(|cluster| cluster.settings().lease)
    }

    /// Waits until this server may own games, or so long.
    pub(crate) async fn wait_for_lease(&self, patience: Duration) {
        let begun = Instant::now();
        while self.cluster().is_some_and(|cluster| !cluster.may_own()) && begun.elapsed() < patience {
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Gives all games away: others take them over at once. This server still serves pages, and passes actions on.
    pub(crate) async fn retire(&self) {
        let Some(cluster) = self.cluster() else { return };
        cluster.drain();
        // What is being written is written in the epoch that ends here.
        if let Err(error) = self.shared.store.retire_node(&cluster.incarnation()).await {
            tracing::warn!(%error, "the games of this server are taken over when its lease ends");
        }
        cluster.announce("orphans", &());
        self.lose_all_quietly().await;
    }

    /// Another server has given its games away.
    pub(crate) fn look_for_orphans(&self) {
        self.shared.orphans.notify_one();
    }

    async fn live(&self, cluster: &Cluster, last_beat: Option<i64>) -> Result<(), GameError> {
        let life = Arc::new(Life {
            last_beat,
            incarnation: cluster.begin_life(),
            lease: cluster.settings().lease,
            steady_since: Mutex::new(Instant::now()),
        });
        let commands = cluster.hear_commands(&life.incarnation).await;
        let commands = commands.map_err(|error| StoreError::Nats(error.to_string()))?;
        let asked = Instant::now();
        let settings = cluster.settings();
        let row = NodeRow {
            incarnation: life.incarnation.to_string(),
            id: settings.id.clone(),
            address: settings.address.clone(),
        };
        self.shared.store.add_node(&row, life.lease_ms()).await?;
        cluster.set_lease(asked + life.valid());
        tracing::info!(node = settings.id, incarnation = &*life.incarnation, "this server takes part");
        let mut tasks = JoinSet::new();
        tasks.spawn(self.clone().answer_servers(commands));
        tasks.spawn(self.clone().sweep(cluster.clone(), Arc::clone(&life)));
        self.renew(cluster, &life).await
    }

    /// Renews the lease until the life is over.
    async fn renew(&self, cluster: &Cluster, life: &Life) -> Result<(), GameError> {
        let connected = cluster.connected();
        let (mut until, mut seen_at) = (Instant::now() + life.valid(), now_ms());
        let mut without_nats: Option<Instant> = None;
        let mut ticks = interval(life.lease / 3);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if cluster.is_draining() {
                return Ok(());
            }
            let nats_ok = *connected.borrow();
            // Taken before the statement is sent: what the database grants lasts longer.
            let asked = Instant::now();
            let renewed = self.shared.store.renew_node(&life.incarnation, life.lease_ms(), nats_ok);
            match timeout(life.lease / 2, renewed).await {
                Ok(Ok(Some(now))) => {
                    metrics::histogram!("lozenge_cluster_renewal_seconds")
                        .record(asked.elapsed().as_secs_f64());
                    CLOCK.set_reference(now + asked.elapsed().as_millis() as i64 / 2);
                    let lapsed = asked >= until;
                    until = asked + life.valid();
                    cluster.set_lease(until);
                    if lapsed {
                        life.interrupt();
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
            } else if without_nats.get_or_insert_with(Instant::now).elapsed() >= life.lease * 2 / 3 {
                let (_, others) = self.shared.store.other_nodes(&life.incarnation).await?;
                if others > 0 && cluster.may_own() {
                    tracing::warn!("only this server cannot reach NATS: it gives its games away");
                    cluster.set_isolated(true);
                    self.shared.store.retire_node(&life.incarnation).await?;
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
                // Reloaded, if a write of unknown outcome was under way; what fails is logged.
                if let Ok(mut inner) = self.lock(&live).await
                    && (!inner.is_mine()
                        || !inner.is_timed()
                        || self.resume(&live, &mut inner, Some(seen_at), now_ms()).await.is_ok())
                {
                    return;
                }
                sleep(RESUME_PAUSE).await;
            }
        };
        all.for_each_concurrent(AT_ONCE, resume).await;
    }

    /// Looks for servers that have died and takes their games over, as long as this life lasts.
    async fn sweep(self, cluster: Cluster, life: Arc<Life>) {
        let mut ticks = interval(life.lease / 6);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for count in 0u64.. {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.shared.orphans.notified() => {}
            }
            if !cluster.may_own() {
                continue;
            }
            if let Err(error) = self.sweep_once(&life, count).await {
                tracing::warn!(%error, "could not look for games to take over");
            }
        }
    }

    async fn sweep_once(&self, life: &Life, count: u64) -> Result<(), GameError> {
        let store = &self.shared.store;
        self.adopt_adrift(&life.incarnation).await?;
        if life.is_steady() {
            for id in store.bury_nodes(&life.incarnation).await? {
                tracing::warn!(node = id, "a server has not renewed its lease: its games are taken over");
            }
        }
        for dead in store.dead_nodes().await? {
            loop {
                let taken = store.take_over(&dead.incarnation, &life.incarnation, LOT).await;
                let taken = self.taken(taken, Some(dead.seen_ago_ms))?;
                self.adopt_all(&taken, Some(dead.seen_ago_ms)).await;
                if taken.len() < LOT as usize {
                    break;
                }
            }
            while store.free_games(&dead.incarnation, LOT).await? == LOT as u64 {}
            store.forget_node(&dead.incarnation).await?;
        }
        if count.is_multiple_of(RARELY) {
            // Those of a server that had the database for itself.
            let died_ago_ms = life.last_beat.map(|beat| now_ms() - beat);
            let taken = self.taken(store.take_unowned(&life.incarnation, LOT).await, died_ago_ms)?;
            self.adopt_all(&taken, died_ago_ms).await;
            for id in store.overdue_games(now_ms(), OVERDUE).await? {
                if let Some(live) = self.game_as_known(&id).await? {
                    // Its timer fires at once.
                    self.claim(&live).await?;
                }
            }
            metrics::gauge!("lozenge_cluster_unowned_clocked_games")
                .set(store.unowned_clocked().await? as f64);
            metrics::gauge!("lozenge_cluster_games_owned").set(self.owned() as f64);
        }
        if count.is_multiple_of(SELDOM) {
            rating::rate_unrated(store, now_ms() - UNRATED_MS).await?;
        }
        Ok(())
    }

    /// Takes up games that the database says this server owns. Those of which that fails are adrift.
    pub(super) async fn adopt_all(&self, taken: &[(String, i64)], died_ago_ms: Option<i64>) {
        let adopt = |(id, epoch): &(String, i64)| {
            let (id, epoch) = (id.clone(), *epoch);
            async move {
                let adopted = self.adopt(&id, epoch, died_ago_ms).await;
                if let Err(error) = self.taken(adopted, died_ago_ms) {
                    tracing::error!(%error, game = id, "could not take a game over yet");
                }
            }
        };
        futures_util::stream::iter(taken.iter().map(adopt))
            .for_each_concurrent(AT_ONCE, |adopted| adopted)
            .await;
        if !taken.is_empty() {
            metrics::counter!("lozenge_cluster_games_taken").increment(taken.len() as u64);
            tracing::info!(games = taken.len(), "took games over");
        }
    }

    /// How many games this server owns.
    fn owned(&self) -> usize {
        let mine = |live: &super::GameHandle| live.try_lock().is_none_or(|inner| inner.is_mine());
        self.shared.games.all().iter().filter(|live| mine(live)).count()
    }
}
