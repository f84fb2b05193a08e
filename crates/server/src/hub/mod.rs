//! Where games are played: every game that somebody plays or watches is in memory once, and everything that changes
//! it goes through here: players, the engine, clocks. Not here: connections, accounts, pages.

mod alarm;
mod chat;
mod clock;
mod fact;
mod follower;
mod going;
mod live;
mod offers;
mod people;
#[cfg(test)]
mod play_tests;
mod presence;
mod refusal;
mod table;
#[cfg(test)]
mod tests;
mod thinking;
mod upkeep;
mod variants;
mod view;

pub(crate) use clock::{check as check_clock, speed};
pub(crate) use fact::Fact;
pub(crate) use follower::Follower;
pub(crate) use going::{Going, Turn};
pub(crate) use live::{Audience, Live, Message};
pub(crate) use presence::Playing;
pub(crate) use refusal::Refusal;
pub(crate) use table::{BEGUN_PLIES, Table, Terms};
pub(crate) use thinking::{level_rating, level_ratings};
pub(crate) use variants::{Variants, draw_start};
pub(crate) use view::status_word;

use crate::account;
use crate::store::{Append, GameRow, NewGameRow, Store, StoreError, word};
use crate::text::is_one_line;
use crate::time::now_ms;
use alarm::Alarms;
use going::Goings;
use lozenge_rules::position::AnyPosition;
use lozenge_wire::{Action, Clock, Color, Event, Hint, Player, Reason, Room, Status, Visibility};
use lozenge_worker::Pool;
use presence::Presence;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{MutexGuard, OnceCell};

/// Letters of a line of chat.
const CHAT_LENGTH: usize = 300;

/// Why a game cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HubError {
    /// The store did not give it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game refused what was to be done.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// What the store gave is no game.
    #[error("game {id}: {fault}")]
    Damaged { id: String, fault: String },
}

type Place = Arc<OnceCell<Option<Arc<Live>>>>;

/// The games in memory. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Hub {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    variants: Variants,
    engines: Pool,
    games: Mutex<HashMap<String, Place>>,
    alarms: Alarms,
    goings: Goings,
    presence: Presence,
}

impl Hub {
    /// A hub with nothing in memory.
    pub(crate) fn new(store: Store, variants: Variants, engines: Pool) -> Self {
        let (games, alarms, goings) = (Mutex::default(), Alarms::default(), Goings::default());
        let presence = Presence::default();
        Self { inner: Arc::new(Inner { store, variants, engines, games, alarms, goings, presence }) }
    }

    /// Rates the games that ended without, takes up all games with a clock, and looks after them from now on. Between
    /// `last_beat`, when the server last ran, and now no live clock has run.
    ///
    /// # Errors
    /// If the store does not give the games.
    pub(crate) async fn start(&self, last_beat: Option<i64>) -> Result<(), HubError> {
        let now = now_ms();
        if let Some(last_beat) = last_beat {
            crate::rating::catch_up(&self.inner.store, last_beat).await?;
        }
        for id in self.inner.store.games_by_the_clock().await? {
            match self.game(&id).await {
                Ok(Some(live)) => self.resume(&live, last_beat, now).await,
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "a game could not be taken up"),
            }
        }
        let hub = self.clone();
        tokio::spawn(async move {
            loop {
                let id = hub.inner.alarms.next().await;
                let hub = hub.clone();
                tokio::spawn(async move { hub.ring(&id, now_ms()).await });
            }
        });
        Ok(())
    }

    async fn resume(&self, live: &Arc<Live>, last_beat: Option<i64>, now: i64) {
        let mut inside = live.lock().await;
        let table = &inside.table;
        if let (Some(clock), Some(beat)) = (table.clock.filter(|clock| clock.is_live()), last_beat) {
            // Charged until the last sign of life, and from now on; not in between.
            let turn = table.turn();
            let used = (beat - table.updated_at).max(0);
            let given = clock.left(turn, table.updated_at) - clock.left(turn, table.updated_at + used);
            let facts =
                vec![Fact::TimeGiven { to: turn, ms: -given.max(0), at: None }, Fact::Resumed { at: now }];
            if let Err(error) = self.commit(live, &mut inside, facts, now).await {
                tracing::error!(%error, "a game could not be resumed");
            }
        }
        self.after(live, &mut inside, now);
    }

    /// A game, from memory or the store.
    pub(crate) async fn game(&self, id: &str) -> Result<Option<Arc<Live>>, HubError> {
        let place = {
            let mut games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(games.entry(id.to_owned()).or_default())
        };
        let live = place.get_or_try_init(|| self.load(id)).await.cloned();
        if !matches!(live, Ok(Some(_))) {
            let mut games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
            // The last who waited for it: another's try may succeed.
            if games.get(id).is_some_and(|known| Arc::ptr_eq(known, &place) && Arc::strong_count(known) <= 2)
            {
                games.remove(id);
            }
        }
        live
    }

    /// Locks a game for a change. If the outcome of its last write is unknown, the game is first read again from the
    /// record, and everybody who follows it is told how it stands.
    pub(super) async fn lock<'a>(
        &self,
        live: &'a Arc<Live>,
    ) -> Result<MutexGuard<'a, live::Inside>, Refusal> {
        let mut inside = live.lock().await;
        if inside.in_doubt {
            self.read_again(live, &mut inside).await?;
        }
        Ok(inside)
    }

    async fn read_again(&self, live: &Arc<Live>, inside: &mut live::Inside) -> Result<(), HubError> {
        let id = inside.table.terms.id.clone();
        let missing =
            || HubError::Damaged { id: id.clone(), fault: "the game is not in the database".into() };
        let (row, facts) = self.inner.store.game(&id).await?.ok_or_else(missing)?;
        inside.table = self.rebuild(&row, &facts).await?;
        (inside.in_doubt, inside.thinking) = (false, None);
        let now = now_ms();
        tracing::info!(game = id, events = facts.len(), "read again after a write of unknown outcome");
        live.tell_state(inside, false, now);
        self.after(live, inside, now);
        Ok(())
    }

    async fn load(&self, id: &str) -> Result<Option<Arc<Live>>, HubError> {
        let Some((row, facts)) = self.inner.store.game(id).await? else { return Ok(None) };
        let table = self.rebuild(&row, &facts).await?;
        let live = Arc::new(Live::new(table));
        let mut inside = live.lock().await;
        self.recall_chat(&mut inside).await?;
        let now = now_ms();
        inside.begin_anew(now);
        inside.told = inside.table.status();
        if inside.table.is_to_be_rated() {
            let finished = crate::rating::Finished::of(&inside.table);
            inside.rating_changes = crate::rating::changes(&self.inner.store, &finished).await?;
            inside.rated = inside.rating_changes.is_some();
        }
        inside.turn_sent = (inside.told == Status::Started).then(|| inside.table.played.len());
        self.after(&live, &mut inside, now);
        drop(inside);
        Ok(Some(live))
    }

    /// A game as PGN. One that is not in memory is replayed and does not stay there: exports read thousands.
    pub(crate) async fn pgn(&self, id: &str, site: &str) -> Result<Option<String>, HubError> {
        let place = {
            let games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
            games.get(id).cloned()
        };
        if let Some(live) = place.and_then(|place| place.get().cloned().flatten()) {
            return Ok(live.lock().await.table.pgn(site));
        }
        let Some((row, facts)) = self.inner.store.game(id).await? else { return Ok(None) };
        Ok(self.rebuild(&row, &facts).await?.pgn(site))
    }

    async fn rebuild(&self, row: &GameRow, facts: &[Fact]) -> Result<Table, HubError> {
        let damaged = |fault: String| HubError::Damaged { id: row.id.clone(), fault };
        let variant = self.inner.variants.rules(&self.inner.store, &row.variant, &row.digest).await?;
        let start = AnyPosition::from_fen(&variant, &row.start_fen).map_err(|e| damaged(e.to_string()))?;
        let clock: Option<Clock> = match &row.clock {
            Some(text) => Some(serde_json::from_str(text).map_err(|e| damaged(e.to_string()))?),
            None => None,
        };
        let terms = Terms {
            id: row.id.clone(),
            digest: row.digest.clone(),
            clock,
            speed: speed(clock),
            rated: row.rated != 0,
            visibility: if row.visibility == "private" { Visibility::Private } else { Visibility::Public },
            maker: row.maker.clone(),
            previous: row.previous.clone(),
            created_at: row.created_at,
        };
        let mut table = Table::new(terms, start);
        for fact in facts {
            table.apply(fact).map_err(|e| damaged(e.to_string()))?;
        }
        Ok(table)
    }

    /// Makes a game and puts players at its places.
    pub(crate) async fn make(
        &self,
        terms: Terms,
        start: AnyPosition,
        seats: [Option<Player>; 2],
    ) -> Result<Arc<Live>, HubError> {
        let people = people::ids(&seats);
        let live = self.set_up(terms, start, seats).await?;
        self.see_out_the_gone(&people).await?;
        Ok(live)
    }

    async fn set_up(
        &self,
        terms: Terms,
        start: AnyPosition,
        seats: [Option<Player>; 2],
    ) -> Result<Arc<Live>, HubError> {
        let row = NewGameRow {
            id: terms.id.clone(),
            digest: self.inner.variants.keep(&self.inner.store, start.variant()).await?,
            variant: start.variant().id().into(),
            start_fen: start.fen(),
            clock: terms.clock.and_then(|clock| serde_json::to_string(&clock).ok()),
            speed: word(&terms.speed),
            rated: terms.rated,
            visibility: word(&terms.visibility),
            maker: terms.maker.clone(),
            previous: terms.previous.clone(),
            created_at: terms.created_at,
        };
        let (id, now) = (terms.id.clone(), terms.created_at);
        let facts: Vec<Fact> = [Color::White, Color::Black]
            .into_iter()
            .zip(seats)
            .filter_map(|(color, player)| player.map(|player| Fact::Joined { color, player, at: now }))
            .collect();
        let mut table = Table::new(terms, start);
        for fact in &facts {
            table
                .apply(fact)
                .map_err(|fault| HubError::Damaged { id: id.clone(), fault: fault.to_string() })?;
        }
        // The game and its seats are one transaction: a game without seats would be anybody's to join.
        let append = Append {
            new: Some(Box::new(row)),
            game: id.clone(),
            first: 1,
            summary: table.summary(&facts),
            facts,
        };
        let live = Arc::new(Live::new(table));
        let mut inside = live.lock().await;
        // In memory before it can be found on the disk, so that nobody loads it a second time; locked until it is there.
        let games = || self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
        games().insert(id.clone(), Arc::new(OnceCell::from(Some(Arc::clone(&live)))));
        if let Err(error) = self.inner.store.append(append).await {
            games().remove(&id);
            return Err(Refusal::from(error).into());
        }
        inside.begin_anew(now);
        self.after(&live, &mut inside, now);
        drop(inside);
        metrics::counter!("lozenge_games_made").increment(1);
        Ok(live)
    }

    /// Somebody takes the open place of a game.
    pub(crate) async fn join(&self, live: &Arc<Live>, player: Player) -> Result<(), Refusal> {
        let now = now_ms();
        let mut inside = self.lock(live).await?;
        let table = &inside.table;
        if table.side_of(&player.id).is_some() {
            return Ok(());
        }
        // Whoever made it may have gone since, with the account.
        let gone = table.seats.iter().flatten().any(|seat| seat.id.is_empty());
        if table.status() != Status::Waiting || gone {
            return Err(Refusal::PlaceTaken);
        }
        let open = |color: &Color| table.seats[color.index()].is_none();
        let color = [Color::White, Color::Black].into_iter().find(open).ok_or(Refusal::PlaceTaken)?;
        let id = player.id.clone();
        // First, so that those who are told of it hear from when on somebody is away.
        inside.begin_anew(now);
        self.commit(live, &mut inside, vec![Fact::Joined { color, player, at: now }], now).await?;
        self.after(live, &mut inside, now);
        drop(inside);
        Ok(self.see_out_the_gone(&[id]).await?)
    }

    /// A player's action. `lag_ms` is the measured round trip of the player's messages.
    pub(crate) async fn act(
        &self,
        live: &Arc<Live>,
        player: &Player,
        action: &Action,
        lag_ms: i64,
    ) -> Result<(), Refusal> {
        let now = now_ms();
        let mut inside = self.lock(live).await?;
        if matches!(action, Action::Ping) {
            if let Some(color) = inside.table.side_of(&player.id) {
                inside.seen(color, now);
            }
            return Ok(());
        }
        if let Action::Chat { room, text } = action {
            return self.say(live, &mut inside, player, *room, text, now).await;
        }
        let color = inside.table.side_of(&player.id).ok_or(Refusal::NotAPlayer)?;
        inside.seen(color, now);
        let facts = match action {
            Action::Claim => match victory(&inside, color, now) {
                Some(fact) => vec![fact],
                None => inside.table.act(color, action, now, lag_ms)?,
            },
            Action::Draw if inside.table.engine().is_some() && inside.table.status() == Status::Started => {
                thinking::answer_draw(&inside, color, now)?
            }
            Action::Rematch if inside.table.wants_rematch(color) => {
                let people = people::ids(&inside.table.seats);
                self.rematch(live, &mut inside, now).await?;
                drop(inside);
                return Ok(self.see_out_the_gone(&people).await?);
            }
            _ => inside.table.act(color, action, now, lag_ms)?,
        };
        self.commit(live, &mut inside, facts, now).await?;
        self.after(live, &mut inside, now);
        Ok(())
    }

    /// A player claims the win over somebody who is away, and no draw.
    pub(crate) async fn claim_victory(&self, live: &Arc<Live>, player: &Player) -> Result<(), Refusal> {
        self.claim(live, player, |inside, color, now| match inside.table.status() {
            Status::Waiting => Err(Refusal::NotStarted),
            Status::Started => {
                victory(inside, color, now).map(|fact| vec![fact]).ok_or(Refusal::NothingToClaim)
            }
            Status::Finished => Err(Refusal::Over),
        })
        .await
    }

    /// A player claims a draw by the rules, and no win.
    pub(crate) async fn claim_draw(&self, live: &Arc<Live>, player: &Player) -> Result<(), Refusal> {
        self.claim(live, player, |inside, color, now| inside.table.act(color, &Action::Claim, now, 0)).await
    }

    /// A player claims what `judge` says follows from it, at this time.
    async fn claim(
        &self,
        live: &Arc<Live>,
        player: &Player,
        judge: impl FnOnce(&live::Inside, Color, i64) -> Result<Vec<Fact>, Refusal>,
    ) -> Result<(), Refusal> {
        let now = now_ms();
        let mut inside = self.lock(live).await?;
        let color = inside.table.side_of(&player.id).ok_or(Refusal::NotAPlayer)?;
        inside.seen(color, now);
        let facts = judge(&inside, color, now)?;
        self.commit(live, &mut inside, facts, now).await?;
        self.after(live, &mut inside, now);
        Ok(())
    }

    /// What the engine would play for a person who plays against it.
    pub(crate) async fn hint(&self, live: &Live, user: &str) -> Result<Hint, Refusal> {
        thinking::hint(self, live, user).await
    }

    /// The same game once more, with the other colors.
    async fn rematch(&self, live: &Arc<Live>, inside: &mut live::Inside, now: i64) -> Result<(), Refusal> {
        let old = &inside.table;
        let terms = Terms {
            id: crate::ids::game(),
            previous: Some(old.terms.id.clone()),
            created_at: now,
            ..old.terms.clone()
        };
        let game = terms.id.clone();
        let variant = old.position().variant();
        let [white, black] = &old.seats;
        let seats = [
            self.as_now(black, variant.id(), &terms).await?,
            self.as_now(white, variant.id(), &terms).await?,
        ];
        let start = variants::start_again(old.record.start());
        let next = self.set_up(terms, start, seats).await?;
        let mut there = next.lock().await;
        there.arrive_from(inside, now);
        self.after(&next, &mut there, now);
        drop(there);
        self.commit(live, inside, vec![Fact::Rematched { game }], now).await
    }

    async fn say(
        &self,
        live: &Arc<Live>,
        inside: &mut live::Inside,
        player: &Player,
        room: Room,
        text: &str,
        now: i64,
    ) -> Result<(), Refusal> {
        let side = inside.table.side_of(&player.id);
        match (room, side.is_some(), inside.table.status()) {
            (Room::Players, false, _) => return Err(Refusal::NotAPlayer),
            (Room::Spectators, true, Status::Started) => {
                return Err(Refusal::Chat("expected players to read the spectators only after the game"));
            }
            _ => {}
        }
        let line = text.trim();
        if line.is_empty() || line.chars().count() > CHAT_LENGTH || !is_one_line(line) {
            return Err(Refusal::Chat("expected one line of 1 to 300 characters that are seen"));
        }
        let user = self.user_now(player).await?;
        if user.muted_until.is_some_and(|until| until > now) {
            return Err(Refusal::Muted);
        }
        inside.spoken.check(&user, room, line, now)?;
        let from = account::player(&user).name;
        let said = crate::store::ChatRow {
            game: inside.table.terms.id.clone(),
            at: now,
            room,
            author: player.id.clone(),
            author_name: from.clone(),
            line: line.to_owned(),
        };
        let number = self.inner.store.keep_chat(&said).await?;
        if let Err(gone @ Refusal::NotAPlayer) = self.user_now(player).await {
            // With the account, between asking for the name and keeping the line.
            self.inner.store.erase_author(&player.id).await?;
            self.recall_chat(inside).await?;
            return Err(gone);
        }
        inside.spoken.add(&user, room, line, now);
        let event = Event::Chat { number, room, from, side, text: line.to_owned(), at: now };
        inside.remember(event.clone());
        live.tell(Audience::of(room), &event);
        Ok(())
    }

    /// A player's connection was opened or closed.
    pub(crate) async fn connect(&self, live: &Arc<Live>, color: Color, open: bool) {
        let now = now_ms();
        let mut inside = live.lock().await;
        if inside.connect(color, open, now) {
            live.tell_state(&inside, false, now);
        }
        self.after(live, &mut inside, now);
    }

    /// A game, if it is in memory.
    fn in_memory(&self, id: &str) -> Option<Arc<Live>> {
        let games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.get(id)?.get().cloned().flatten()
    }

    /// Games in memory.
    pub(crate) fn len(&self) -> usize {
        self.inner.games.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The win of a side over the other, if that has been away for long enough.
fn victory(inside: &live::Inside, color: Color, now: i64) -> Option<Fact> {
    inside.claimable_from(!color).filter(|at| *at <= now)?;
    Some(Fact::Finished { result: table::won_by(color), reason: Reason::Abandoned, at: now })
}
