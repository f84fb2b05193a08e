//! Live games: a game with players or spectators connected is in memory once, and every change to it goes through
//! [`LiveGames`]: players' actions, the engine's moves, clocks. Not here: connections, accounts, pages.

mod actions;
mod active;
mod chat;
mod cluster_side;
mod engine_player;
mod explorer;
#[cfg(test)]
mod explorer_tests;
mod follower;
#[cfg(test)]
mod four_tests;
mod handle;
mod lifecycle;
mod live_game;
mod node;
mod open_games;
mod ownership;
mod players;
mod rating;
mod record;
mod replica;
mod router;
#[cfg(test)]
mod tests;
mod timers;
mod unloaded;
mod upkeep;
mod variants;

pub use actions::PlayerAction;
pub use active::ActiveGame;
pub use engine_player::{level_ratings, player as engine_player};
pub use follower::Follower;
pub use handle::GameHandle;
pub use lifecycle::{Lifecycle, TurnBegun};
pub use live_game::{Audience, LiveGame, Message, RESTART};
pub use open_games::{ListedGame, MAX_OPEN_GAMES};
pub use rating::with_rating;
pub use record::GameRecord;
pub use variants::{Variants, draw_start};

use crate::cluster::Cluster;
use active::ActiveGames;
use handle::{GameMap, SlotUse};
use lifecycle::LifecycleChannels;
use live_game::LiveGameInner;
use lozenge_game::convert::word;
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, FinishedGame, GameConfig, GameEvent, GameMachine};
use lozenge_rules::position::GamePosition;
use lozenge_store::{Append, CancelFlag, GameOrigin, GameRow, NewGameRow, Store, StoreError, WriteError};
use lozenge_wire::{Color, Player, Status};
use lozenge_worker::Pool;
use std::pin::pin;
use std::sync::Arc;
use timers::Timers;
use tokio::sync::{MutexGuard, Notify};
use unloaded::UnloadedGames;

/// Why a game is not available.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game refused the action.
    #[error(transparent)]
    Refused(#[from] ActionError),
    /// The seek or challenge that was to become a game is not open any more.
    #[error("expected an open seek or challenge, found one that is closed")]
    OriginGone,
    /// The stored events are not those of a game.
    #[error("game {id}: {fault}")]
    Damaged {
        /// The game's id.
        id: String,
        /// The first event that does not fit, and why.
        fault: String,
    },
}

impl From<GameError> for ActionError {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Store(error) => error.into(),
            GameError::Refused(error) => error,
            GameError::Damaged { .. } | GameError::OriginGone => {
                tracing::error!(%error, "an action failed");
                Self::Unavailable
            }
        }
    }
}

/// The games in memory. Clones share them.
#[derive(Clone, Debug)]
pub struct LiveGames {
    shared: Arc<GamesShared>,
}

#[derive(Debug)]
struct GamesShared {
    store: Store,
    variants: Variants,
    engines: Pool,
    games: GameMap,
    timers: Timers,
    lifecycle: LifecycleChannels,
    active: ActiveGames,
    /// This server among others; none where it is alone.
    cluster: Option<Cluster>,
    /// Games of a server that has died wait for another.
    orphans: Notify,
    /// Games that the database may say are this server's, and that it does not have in memory.
    unloaded: UnloadedGames,
}

impl LiveGames {
    /// No games in memory yet, on a server that is alone.
    #[cfg(test)]
    pub(crate) fn new(store: Store, variants: Variants, engines: Pool) -> Self {
        Self::with_cluster(None, store, variants, engines)
    }

    /// No games in memory yet, on a server among others, if there are any.
    pub fn with_cluster(cluster: Option<Cluster>, store: Store, variants: Variants, engines: Pool) -> Self {
        let (games, timers, lifecycle) =
            (GameMap::default(), Timers::default(), LifecycleChannels::default());
        let (active, orphans, unloaded) = (ActiveGames::default(), Notify::new(), UnloadedGames::default());
        let shared = GamesShared {
            store,
            variants,
            engines,
            games,
            timers,
            lifecycle,
            active,
            cluster,
            orphans,
            unloaded,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Rates the games that ended unrated, loads all games with a clock, and handles timers from now on. Live clocks did
    /// not run between `last_beat`, when the server last ran, and now. A server among others takes its part of the games
    /// later ([`Self::run_node`]).
    ///
    /// # Errors
    /// If the database does not list the games.
    pub async fn start(&self, last_beat: Option<i64>) -> Result<(), GameError> {
        let now = now_ms();
        if let Some(last_beat) = last_beat {
            rating::catch_up(&self.shared.store, last_beat).await?;
        }
        let clocked = match self.shared.cluster {
            None => self.shared.store.games_by_the_clock().await?,
            Some(_) => Vec::new(),
        };
        for id in clocked {
            match self.game(&id).await {
                Ok(Some(live)) => drop(self.resume(&live, &mut *live.lock().await, last_beat, now).await),
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "could not load a game with a clock"),
            }
        }
        let games = self.clone();
        tokio::spawn(async move {
            loop {
                let id = games.shared.timers.next().await;
                let games = games.clone();
                tokio::spawn(async move { games.on_timer(&id, now_ms()).await });
            }
        });
        Ok(())
    }

    /// Lets a live clock go on that did not run since `last_beat`.
    async fn resume(
        &self,
        live: &GameHandle,
        inner: &mut LiveGameInner,
        last_beat: Option<i64>,
        now: i64,
    ) -> Result<(), ActionError> {
        let machine = &inner.machine;
        let mut resumed = Ok(());
        let running = machine.clock.filter(|clock| clock.is_live() && machine.status() == Status::Started);
        if let (Some(clock), Some(beat)) = (running, last_beat) {
            // The player to move pays for the time until the last heartbeat and from now on, not in between.
            let turn = machine.turn();
            let used = (beat - machine.updated_at).max(0);
            let given = clock.left(turn, machine.updated_at) - clock.left(turn, machine.updated_at + used);
            let events = vec![
                GameEvent::TimeGiven { to: turn, ms: -given.max(0), at: None },
                GameEvent::Resumed { at: now },
            ];
            resumed = self.commit(live, inner, events, now).await;
            if let Err(error) = &resumed {
                tracing::error!(%error, "could not resume a game");
            }
        }
        self.after_change(live, inner, now);
        resumed
    }

    /// A game, from memory or the database.
    pub async fn game(&self, id: &str) -> Result<Option<GameHandle>, GameError> {
        let game = self.game_as_known(id).await?;
        if let Some(live) = game.as_ref().filter(|_| self.cluster().is_some()) {
            self.catch_up(live).await?;
        }
        Ok(game)
    }

    /// Locks a game for a change. If the outcome of its last write is unknown, it is reloaded first, and its state is
    /// sent to all its followers.
    async fn lock<'a>(&self, live: &'a GameHandle) -> Result<MutexGuard<'a, LiveGameInner>, ActionError> {
        let mut inner = live.lock().await;
        if inner.outcome_unknown {
            if inner.is_mine() && !self.may_change(&inner) {
                return Err(ActionError::NotOwner);
            }
            self.reload(live, &mut inner).await?;
        }
        Ok(inner)
    }

    async fn reload(&self, live: &GameHandle, inner: &mut LiveGameInner) -> Result<(), GameError> {
        let id = inner.machine.config.id.clone();
        let missing =
            || GameError::Damaged { id: id.clone(), fault: "the game is not in the database".into() };
        let mut reading = pin!(async {
            // A write that is still under way would come after what is read.
            self.shared.store.wait_for_writes().await;
            self.shared.store.game(&id).await
        });
        let read = match self.cluster() {
            None => reading.await,
            // Do not wait for the game longer than the lease: another server may own it afterwards.
            Some(cluster) => {
                cluster.while_leased(reading.as_mut()).await.unwrap_or(Err(StoreError::LeaseOver))
            }
        };
        let (row, events) = read?.ok_or_else(missing)?;
        let record = self.record_of(row, events).await?;
        inner.machine = record.replay()?;
        (inner.outcome_unknown, inner.search) = (false, None);
        let now = now_ms();
        tracing::info!(
            game = id,
            events = record.events.len(),
            "reloaded a game after a write of unknown outcome"
        );
        live.broadcast_state(inner, now);
        self.after_change(live, inner, now);
        Ok(())
    }

    async fn load(&self, id: &str, slot: &SlotUse) -> Result<Option<Arc<LiveGame>>, GameError> {
        // Before the record is read, so that nothing is missed in between.
        let messages = self.messages_on(id).await;
        let Some(record) = self.record(id).await? else { return Ok(None) };
        let (machine, row) = (record.replay()?, record.row);
        let game = Arc::new(LiveGame::new(machine, row.epoch, self.shared.cluster.clone()));
        self.follow(&game, messages);
        let mut inner = game.lock().await;
        self.reload_chat(&mut inner).await?;
        let now = now_ms();
        if let Some(cluster) = self.cluster() {
            self.load_replica(&mut inner, row.owner, cluster).await?;
            self.schedule_eviction(&mut inner, now);
            drop(inner);
            return Ok(Some(game));
        }
        inner.reset_absence(now);
        inner.announced = inner.machine.status();
        if inner.machine.is_to_be_rated() {
            let finished = FinishedGame::of(&inner.machine);
            inner.rating_changes = rating::changes(&self.shared.store, &finished).await?;
            inner.rated = inner.rating_changes.is_some();
        }
        inner.turn_sent = (inner.announced == Status::Started).then(|| inner.machine.played.len());
        self.after_change(&GameHandle::new(slot.clone(), Arc::clone(&game)), &mut inner, now);
        drop(inner);
        Ok(Some(game))
    }

    /// The record of a game, which exports replay: they read thousands and load none.
    pub async fn record(&self, id: &str) -> Result<Option<GameRecord>, GameError> {
        match self.shared.store.game(id).await? {
            Some((row, events)) => Ok(Some(self.record_of(row, events).await?)),
            None => Ok(None),
        }
    }

    async fn record_of(&self, row: GameRow, events: Vec<GameEvent>) -> Result<GameRecord, GameError> {
        let variant = self.shared.variants.any_rules(&self.shared.store, &row.variant, &row.digest).await?;
        Ok(GameRecord { row, events, variant })
    }
    /// Creates a game and seats its players.
    pub async fn create(
        &self,
        config: GameConfig,
        start: impl Into<GamePosition>,
        seats: impl Into<Vec<Option<Player>>>,
    ) -> Result<GameHandle, GameError> {
        self.create_from(Vec::new(), config, start, seats).await
    }

    /// The same, and deletes the stored seeks or the challenge that it is made of: both in one transaction, so a crash
    /// loses neither and never makes two games of one.
    pub async fn create_from(
        &self,
        origins: Vec<GameOrigin>,
        config: GameConfig,
        start: impl Into<GamePosition>,
        seats: impl Into<Vec<Option<Player>>>,
    ) -> Result<GameHandle, GameError> {
        let seats = seats.into();
        let people = players::ids(&seats);
        let live = self.insert(origins, config, start.into(), seats).await?;
        self.remove_deleted_players(&people).await?;
        Ok(live)
    }

    async fn insert(
        &self,
        origins: Vec<GameOrigin>,
        config: GameConfig,
        start: GamePosition,
        seats: Vec<Option<Player>>,
    ) -> Result<GameHandle, GameError> {
        let owner = self.cluster().filter(|cluster| cluster.may_own()).map(Cluster::incarnation);
        let row = NewGameRow {
            id: config.id.clone(),
            digest: self.shared.variants.save_any(&self.shared.store, &start.variant()).await?,
            variant: start.variant().id().into(),
            start_fen: start.fen(),
            clock: config.clock.and_then(|clock| serde_json::to_string(&clock).ok()),
            speed: word(&config.speed),
            rated: config.rated,
            visibility: word(&config.visibility),
            maker: config.maker.clone(),
            previous: config.previous.clone(),
            created_at: config.created_at,
            fill: config.fill.and_then(|fill| serde_json::to_string(&fill).ok()),
            open_seats: (!config.open_seats.is_empty())
                .then(|| serde_json::to_string(&config.open_seats).ok())
                .flatten(),
            origins,
            owner: owner.as_ref().map(ToString::to_string),
        };
        let (id, now) = (config.id.clone(), config.created_at);
        let mut machine = GameMachine::new(config, start);
        let joined = |(&color, player): (&Color, Option<Player>)| {
            Some(GameEvent::Joined { color, player: player?, at: now })
        };
        let events: Vec<GameEvent> = machine.record.colors().iter().zip(seats).filter_map(joined).collect();
        for event in &events {
            machine
                .apply(event)
                .map_err(|fault| GameError::Damaged { id: id.clone(), fault: fault.to_string() })?;
        }
        // The game and its seats are one transaction: any player could join a game without seats.
        let append = Append {
            new: Some(Box::new(row)),
            game: id.clone(),
            first: 1,
            update: machine.row_update(&events),
            events,
            epoch: 0,
            command: None,
            cancel_flag: CancelFlag::default(),
        };
        // In memory before it is in the database, so that no second copy is loaded; locked until it is written.
        let game = Arc::new(LiveGame::new(machine, 0, self.shared.cluster.clone()));
        self.follow(&game, self.messages_on(&id).await);
        let mut inner = game.lock().await;
        if let Some(side) = &mut inner.side {
            side.set_mine(owner.is_some());
        }
        let live = self.shared.games.insert(&id, &game);
        if let Err(error) = self.shared.store.append(append).await {
            self.shared.games.remove(&id);
            if error.needs_reload() {
                self.set_unloaded(now);
            }
            return Err(match error {
                WriteError::NotWritten(cause) if matches!(*cause, StoreError::OriginGone) => {
                    GameError::OriginGone
                }
                error => ActionError::from(error).into(),
            });
        }
        inner.reset_absence(now);
        if inner.is_mine() {
            self.after_change(&live, &mut inner, now);
        } else {
            self.schedule_eviction(&mut inner, now);
        }
        drop(inner);
        metrics::counter!("lozenge_games_made").increment(1);
        Ok(live)
    }

    /// The threads of the engine.
    pub fn engines(&self) -> &Pool {
        &self.shared.engines
    }

    /// How many games are in memory.
    pub fn count(&self) -> usize {
        self.shared.games.len()
    }
}
