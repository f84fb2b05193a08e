//! Consequences of a change: the engine's turn, ratings, and timers after which a game is checked again (for a clock that runs
//! out, a missing first move, eviction).

use super::engine_player::{self, EngineSearch};
use super::open_games::deserted_at;
use super::{GameHandle, LiveGame, LiveGameInner, LiveGames, rating};
use lozenge_game::Network;
use lozenge_game::time::{ServerClock, now_ms};
use lozenge_game::{ActionError, ClockState, FinishedGame, GameEvent, GameMachine};
use lozenge_wire::{Color, GameResult, Player, PlayerKind, Reason, Status};

/// A person has to make the first move of a live game within this time, in milliseconds.
const FIRST_MOVE_MS: i64 = 60_000;

/// After this time the engine searches again if its move could not be written, in milliseconds.
const ENGINE_RETRY_MS: i64 = 1_000;

/// A system clock that differs from the server's by more than this has been stepped, in milliseconds.
const STEP_MS: i64 = 1_000;

/// After this time a game is reloaded if the outcome of its last write is unknown, in milliseconds.
const RELOAD_MS: i64 = 1_000;

/// After this time without subscribers, clocks and changes a game may be evicted, in milliseconds.
const IDLE_MS: i64 = 30_000;

/// How often a game is checked for eviction, in milliseconds.
const EVICTION_CHECK_MS: i64 = 60_000;

impl LiveGames {
    /// Writes events and applies them ([`LiveGame::commit`]). A game whose write has an unknown outcome is reloaded soon, also
    /// without a request.
    pub(super) async fn commit(
        &self,
        live: &LiveGame,
        inner: &mut LiveGameInner,
        events: Vec<GameEvent>,
        now: i64,
    ) -> Result<(), ActionError> {
        if !self.may_change(inner) {
            return Err(ActionError::NotOwner);
        }
        let result = live.commit(inner, &self.shared.store, events, now).await;
        if result == Err(ActionError::NotOwner) {
            metrics::counter!("lozenge_cluster_fenced_writes").increment(1);
            self.lose(live, inner);
        }
        if inner.outcome_unknown {
            self.schedule(inner, now + RELOAD_MS);
        }
        result
    }

    /// The consequences of a change: the engine's turn, the next timer, ratings.
    pub(super) fn after_change(&self, live: &GameHandle, inner: &mut LiveGameInner, now: i64) {
        if !inner.is_mine() {
            return self.note_activity(inner);
        }
        let finished = inner.machine.status() == Status::Finished;
        self.update_engine_search(live, inner, now);
        self.schedule_timers(inner, now, finished || !live.has_subscribers());
        self.note_activity(inner);
        self.announce_lifecycle(inner);
        if inner.machine.is_to_be_rated() && !inner.rated {
            inner.rated = true;
            let finished = FinishedGame::of(&inner.machine);
            let (store, live) = (self.shared.store.clone(), live.clone());
            tokio::spawn(async move {
                match rating::rate(&store, finished).await {
                    Ok(changes) => {
                        let mut inner = live.lock().await;
                        inner.rating_changes = changes;
                        live.broadcast_state(&mut inner, now_ms());
                    }
                    Err(error) => tracing::error!(%error, "could not rate a game"),
                }
            });
        }
    }

    /// The engine searches while it is its turn and its opponent is present: abandoned games use no processor time.
    fn update_engine_search(&self, live: &GameHandle, inner: &mut LiveGameInner, now: i64) {
        let level = inner.machine.engine_to_move().filter(|_| inner.has_person(now));
        let ply = inner.machine.played.len();
        match level {
            None => inner.search = None,
            Some(_) if inner.search.as_ref().is_some_and(|search| search.ply == ply) => {}
            Some(level) => inner.search = Some(EngineSearch::start(self, live, level, ply)),
        }
    }

    /// A player has sent a request for this game from a network.
    pub async fn note_request(&self, live: &GameHandle, user: &str, network: Option<Network>) {
        let is_mine = live.lock().await.is_mine();
        if is_mine || self.pass_request_on(live, user, network).await {
            self.note_request_here(live, user, network).await;
        }
    }

    /// The same, where this server owns the game.
    pub(super) async fn note_request_here(&self, live: &GameHandle, user: &str, network: Option<Network>) {
        let now = now_ms();
        let mut inner = live.lock().await;
        if !inner.is_mine() {
            return;
        }
        if let Some(color) = inner.machine.side_of(user) {
            inner.note_request(color, network, now);
            self.update_engine_search(live, &mut inner, now);
            self.schedule_timers(&mut inner, now, false);
            self.note_activity(&inner);
        }
    }

    /// The engine's move after this many half moves could not be written, or came too late. The engine searches again in a
    /// moment if it is still its turn.
    pub(super) fn retry_engine(&self, inner: &mut LiveGameInner, ply: usize, now: i64) {
        inner.search.take_if(|search| search.ply == ply);
        self.schedule(inner, now + ENGINE_RETRY_MS);
    }

    /// Sets a timer for the next check of the game, unless one fires earlier: that one sets the
    /// next. (A timer for each move would waste memory on clocks that stopped long ago.)
    fn schedule_timers(&self, inner: &mut LiveGameInner, now: i64, check_eviction: bool) {
        let machine = &inner.machine;
        let claimable = machine.record.colors().iter().filter_map(|&color| inner.claimable_from(color));
        let times = [
            inner.flag_at().map(|at| at + 1),
            first_move_deadline(machine),
            fill_time(machine),
            deserted_at(inner),
            claimable.filter(|at| *at > now).min(),
            inner.last_person_until().filter(|at| *at > now && inner.search.is_some()),
            check_eviction.then_some(now + EVICTION_CHECK_MS),
        ];
        if let Some(at) = times.into_iter().flatten().min() {
            self.schedule(inner, at);
        }
    }

    /// Sets the timer of a game that another server owns: only whether it is to be evicted.
    pub(super) fn schedule_eviction(&self, inner: &mut LiveGameInner, now: i64) {
        self.schedule(inner, now + EVICTION_CHECK_MS);
    }

    /// Sets a timer, unless one fires earlier.
    fn schedule(&self, inner: &mut LiveGameInner, at: i64) {
        if inner.timer.is_none_or(|set| at < set) {
            inner.timer = Some(at);
            self.shared.timers.set(at, &inner.machine.config.id);
        }
    }

    /// A timer of this game has fired: ends the game if a clock has run out or a first move is missing, and evicts it if it
    /// is idle.
    pub(super) async fn on_timer(&self, id: &str, now: i64) {
        let Some(live) = self.shared.games.get(id) else { return };
        let mut inner = live.lock().await;
        if inner.timer.take_if(|set| *set <= now).is_none() {
            // This timer was set before an earlier one, which has done its work.
            return;
        }
        if !inner.is_mine() {
            let idle = !live.has_subscribers() && now - inner.loaded_at > IDLE_MS;
            if !(idle && self.shared.games.evict(id, &live)) {
                self.schedule(&mut inner, now + EVICTION_CHECK_MS);
            }
            return;
        }
        if inner.outcome_unknown
            && let Err(error) = self.reload(&live, &mut inner).await
        {
            tracing::error!(%error, game = id, "could not reload a game of unknown state");
            self.schedule(&mut inner, now + RELOAD_MS);
            return;
        }
        let events = events_by_time(&mut inner, now);
        if !events.is_empty() {
            if let Err(error) = self.commit(&live, &mut inner, events, now).await {
                tracing::error!(%error, game = id, "could not write what the clock did in a game");
                inner.timer = Some(now + RELOAD_MS);
                self.shared.timers.set(now + RELOAD_MS, id);
                return;
            }
            self.after_change(&live, &mut inner, now);
        } else if inner.machine.record.colors().iter().any(|&color| inner.claimable_from(color).is_some()) {
            // The absent player may have done something meanwhile, so that the win can be claimed only later.
            live.broadcast_state(&mut inner, now);
        }
        self.update_engine_search(&live, &mut inner, now);
        let machine = &inner.machine;
        // Where there are several servers, they look in the database for correspondence games whose time is over.
        let has_to_watch =
            |clock: &ClockState| clock.deadline().is_some() && (clock.is_live() || self.cluster().is_none());
        let by_the_clock = machine.clock.as_ref().is_some_and(has_to_watch)
            || first_move_deadline(machine).is_some()
            || fill_time(machine).is_some()
            || deserted_at(&inner).is_some();
        let idle = inner.search.is_none()
            && !live.has_subscribers()
            && !by_the_clock
            && now - machine.updated_at > IDLE_MS;
        if idle && self.shared.games.evict(id, &live) {
            self.free(id, inner.epoch);
        } else {
            self.schedule_timers(&mut inner, now, !by_the_clock);
        }
    }

    /// Lets the server's clock follow a step of the system clock, unless a live game is running, whose clocks would jump.
    /// (Running live games are always in memory.)
    pub fn follow_system_clock(&self, clock: &ServerClock) {
        let offset_ms = clock.offset_ms();
        metrics::gauge!("lozenge_clock_offset_seconds").set(offset_ms as f64 / 1000.0);
        if offset_ms.abs() < STEP_MS {
            return;
        }
        // A locked game may be live.
        let timed = |game: &LiveGame| game.try_lock().is_none_or(|inner| inner.is_timed());
        self.shared.games.run_unless_any(timed, || {
            clock.follow_system();
            self.shared.timers.clock_changed();
            tracing::info!(offset_ms, "the system clock was stepped, and the server's clock follows");
        });
    }
}

/// Events that time alone causes: a missing first move, missing players of a game in the lobby, a clock that has run out, or the
/// engine on free seats.
fn events_by_time(inner: &mut LiveGameInner, now: i64) -> Vec<GameEvent> {
    if fill_time(&inner.machine).is_some_and(|at| at <= now) {
        return fill(&inner.machine, now);
    }
    if first_move_deadline(&inner.machine).or(deserted_at(inner)).is_some_and(|at| at <= now) {
        return vec![GameEvent::Finished { result: GameResult::Unknown, reason: Reason::Aborted, at: now }];
    }
    if inner.flag_at().is_none_or(|at| at > now) {
        return Vec::new();
    }
    let turn = inner.machine.turn();
    // The engine does not search in a game that its opponent has left, and must not lose on time by that.
    if inner.machine.is_engine(turn) && !inner.has_person(now) {
        let result = match inner.machine.record.two() {
            Some(_) => GameResult::win(turn),
            None => GameResult::Unknown,
        };
        return vec![GameEvent::Finished { result, reason: Reason::Abandoned, at: now }];
    }
    inner.machine.flag(now)
}

/// When the engine takes the free seats of a game of four.
fn fill_time(machine: &GameMachine) -> Option<i64> {
    let fill = machine.config.fill.filter(|_| machine.status() == Status::Waiting)?;
    Some(machine.config.created_at + i64::from(fill.after_s) * 1_000)
}

/// The engine takes the free seats.
fn fill(machine: &GameMachine, now: i64) -> Vec<GameEvent> {
    let Some(fill) = machine.config.fill else { return Vec::new() };
    let engine = Player { rating: None, ..engine_player::player(fill.level) };
    let free = machine.record.colors().iter().filter(|color| machine.player(**color).is_none());
    let join = |&color: &Color| GameEvent::Joined { color, player: engine.clone(), at: now };
    free.map(join).collect()
}

/// When a live game between people is aborted because a first move is missing.
fn first_move_deadline(machine: &GameMachine) -> Option<i64> {
    let live = machine.clock.as_ref().is_some_and(ClockState::is_live);
    let person =
        |seat: &Option<Player>| seat.as_ref().is_some_and(|player| player.kind != PlayerKind::Engine);
    let people = machine.seats.iter().all(person);
    let early = !machine.has_begun() && machine.status() == Status::Started;
    (live && people && early).then_some(machine.updated_at + FIRST_MOVE_MS)
}
