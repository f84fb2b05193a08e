//! What follows from a change by itself: the engine's turn, ratings, and alarms for when a game has to be looked at again
//! (a clock that is over, a first move that is missing, a game that nobody follows any more).

use super::live::{self, Live};
use super::table::{Table, won_by};
use super::thinking::Thinking;
use super::{Fact, Hub, Refusal, clock};
use crate::network::Network;
use crate::rating;
use crate::time::{ServerClock, now_ms};
use lozenge_wire::{Color, Player, PlayerKind, Reason, Status};
use std::sync::{Arc, PoisonError};

/// A person's first moves of a live game have to come within this time, in milliseconds.
const FIRST_MOVE_MS: i64 = 60_000;

/// When the engine is asked again whose move could not be written, in milliseconds.
const ENGINE_AGAIN_MS: i64 = 1_000;

/// A system clock that is further off than this has been stepped, in milliseconds.
const STEP_MS: i64 = 1_000;

/// When a game is read again whose last write has an unknown outcome, in milliseconds.
const DOUBT_AGAIN_MS: i64 = 1_000;

impl Hub {
    /// Writes facts down and lets them happen ([`Live::commit`]). A game whose write has an unknown outcome is read again
    /// soon, also when nobody asks.
    pub(super) async fn commit(
        &self,
        live: &Live,
        inside: &mut live::Inside,
        facts: Vec<Fact>,
        now: i64,
    ) -> Result<(), Refusal> {
        let result = live.commit(inside, &self.inner.store, facts, now).await;
        if inside.in_doubt {
            self.wake(inside, now + DOUBT_AGAIN_MS);
        }
        result
    }

    /// What follows from a change: the engine's turn, the next alarm, ratings.
    pub(super) fn after(&self, live: &Arc<Live>, inside: &mut live::Inside, now: i64) {
        let finished = inside.table.status() == Status::Finished;
        self.ask_engine(live, inside, now);
        // Looked at again when it may be let go.
        self.remind(inside, now, finished || !live.is_heard());
        self.note_presence(inside);
        self.tell_of(inside);
        let table = &inside.table;
        if table.is_to_be_rated() && !inside.rated {
            inside.rated = true;
            let finished = rating::Finished::of(table);
            let (store, live) = (self.inner.store.clone(), Arc::clone(live));
            tokio::spawn(async move {
                match rating::rate(&store, finished).await {
                    Ok(changes) => {
                        let mut inside = live.lock().await;
                        inside.rating_changes = changes;
                        live.tell_state(&inside, false, now_ms());
                    }
                    Err(error) => tracing::error!(%error, "a game could not be rated"),
                }
            });
        }
    }

    /// Lets the engine think while it is its turn and its opponent is present: a game that was left costs no time.
    fn ask_engine(&self, live: &Arc<Live>, inside: &mut live::Inside, now: i64) {
        let level = inside.table.engine_to_move().filter(|_| inside.has_person(now));
        let ply = inside.table.played.len();
        match level {
            None => inside.thinking = None,
            Some(_) if inside.thinking.as_ref().is_some_and(|thinking| thinking.ply == ply) => {}
            Some(level) => inside.thinking = Some(Thinking::begin(self, live, level, ply)),
        }
    }

    /// A player has just sent a request for this game from a network.
    pub(crate) async fn arrive(&self, live: &Arc<Live>, user: &str, network: Option<Network>) {
        let now = now_ms();
        let mut inside = live.lock().await;
        if let Some(color) = inside.table.side_of(user) {
            inside.arrive(color, network, now);
            self.ask_engine(live, &mut inside, now);
            self.remind(&mut inside, now, false);
            self.note_presence(&inside);
        }
    }

    /// The engine has thought about this half move in vain: its move could not be written, or came too late. It is asked
    /// again in a moment, if it is still its turn.
    pub(super) fn engine_failed(&self, inside: &mut live::Inside, ply: usize, now: i64) {
        inside.thinking.take_if(|thinking| thinking.ply == ply);
        self.wake(inside, now + ENGINE_AGAIN_MS);
    }

    /// Sets an alarm for when the game has to be looked at, unless one rings before: when it does, the next is set.
    /// (One for each move would fill the memory with those of clocks that have long been stopped.)
    fn remind(&self, inside: &mut live::Inside, now: i64, look: bool) {
        let table = &inside.table;
        let times = [
            inside.flag_at().map(|at| at + 1),
            first_move_deadline(table),
            inside.claimable_from(Color::White).filter(|at| *at > now),
            inside.claimable_from(Color::Black).filter(|at| *at > now),
            inside.last_person_until().filter(|at| *at > now && inside.thinking.is_some()),
            look.then_some(now + 60_000),
        ];
        if let Some(at) = times.into_iter().flatten().min() {
            self.wake(inside, at);
        }
    }

    /// Sets an alarm, unless one rings before.
    fn wake(&self, inside: &mut live::Inside, at: i64) {
        if inside.alarm.is_none_or(|set| at < set) {
            inside.alarm = Some(at);
            self.inner.alarms.set(at, &inside.table.terms.id);
        }
    }

    /// Somebody set an alarm for this game: is a clock over, is a first move missing, may it be let go?
    pub(super) async fn ring(&self, id: &str, now: i64) {
        let Some(live) = self.in_memory(id) else { return };
        let mut inside = live.lock().await;
        if inside.alarm.take_if(|set| *set <= now).is_none() {
            // Of an alarm that was set before an earlier one.
            return;
        }
        if inside.in_doubt
            && let Err(error) = self.read_again(&live, &mut inside).await
        {
            tracing::error!(%error, game = id, "a game of unknown state could not be read again");
            self.wake(&mut inside, now + DOUBT_AGAIN_MS);
            return;
        }
        let first_move = first_move_deadline(&inside.table).is_some_and(|at| at <= now);
        let fact = if first_move {
            Some(Fact::Finished { result: "*".into(), reason: Reason::Aborted, at: now })
        } else {
            inside.flag_at().filter(|at| *at <= now).and_then(|_| match inside.table.engine() {
                // The engine does not think about a game that its opponent has left, and does not lose by that.
                Some((engine, _)) if engine == inside.table.turn() && !inside.has_person(now) => {
                    Some(Fact::Finished { result: won_by(engine), reason: Reason::Abandoned, at: now })
                }
                _ => inside.table.flag(now),
            })
        };
        if let Some(fact) = fact {
            if let Err(error) = self.commit(&live, &mut inside, vec![fact], now).await {
                tracing::error!(%error, game = id, "the end of a game could not be written");
                inside.alarm = Some(now + 1_000);
                self.inner.alarms.set(now + 1_000, id);
                return;
            }
            self.after(&live, &mut inside, now);
        } else if [Color::White, Color::Black].into_iter().any(|color| inside.claimable_from(color).is_some())
        {
            // Or can be claimed only later than was told: who is away has done something meanwhile.
            live.tell_state(&inside, false, now);
        }
        self.ask_engine(&live, &mut inside, now);
        let table = &inside.table;
        let by_the_clock = table.clock.as_ref().is_some_and(|clock| clock.deadline().is_some())
            || first_move_deadline(table).is_some();
        let thinks = inside.thinking.is_some();
        let idle = !thinks && !live.is_heard() && !by_the_clock && now - table.updated_at > 30_000;
        if !(idle && self.let_go(id, &live)) {
            self.remind(&mut inside, now, !by_the_clock);
        }
    }

    /// Lets the server's clock follow a step of the system's, unless a live game runs, whose clocks it would move. (Live
    /// games that run are always in memory.)
    pub(crate) fn follow_system_clock(&self, clock: &ServerClock) {
        let offset_ms = clock.offset_ms();
        metrics::gauge!("lozenge_clock_offset_seconds").set(offset_ms as f64 / 1000.0);
        if offset_ms.abs() < STEP_MS {
            return;
        }
        let games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
        // Games that are being loaded, or are locked, may be live.
        let timed = |place: &super::Place| match place.get() {
            None => true,
            Some(game) => {
                game.as_ref().is_some_and(|live| live.try_lock().is_none_or(|inside| inside.is_timed()))
            }
        };
        if !games.values().any(timed) {
            clock.follow_system();
            self.inner.alarms.look_again();
            tracing::info!(offset_ms, "the system's clock was stepped: the server's follows");
        }
    }

    /// Takes a game out of memory, unless somebody has it in hand: a socket that is about to listen to it would hear
    /// nothing of the one that is loaded next. Whether it is out.
    fn let_go(&self, id: &str, live: &Arc<live::Live>) -> bool {
        let mut games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
        // Its place is the map's alone; the game is its place's, and whoever's asks.
        let alone =
            games.get(id).is_none_or(|place| Arc::strong_count(place) == 1) && Arc::strong_count(live) <= 2;
        if alone {
            games.remove(id);
        }
        alone
    }
}

/// When a live game between people is broken off because a first move is missing.
fn first_move_deadline(table: &Table) -> Option<i64> {
    let live = table.clock.as_ref().is_some_and(clock::ClockState::is_live);
    let person =
        |seat: &Option<Player>| seat.as_ref().is_some_and(|player| player.kind != PlayerKind::Engine);
    let people = table.seats.iter().all(person);
    let early = table.played.len() < 2 && table.status() == Status::Started;
    (live && people && early).then_some(table.updated_at + FIRST_MOVE_MS)
}
