//! Wishes for games; what they meet becomes a game. A wish for a game by correspondence stands for two weeks, and the store
//! keeps it. A live one is for somebody who waits: it ends soon after its maker has stopped listening, or in ten minutes.

use crate::account;
use crate::hub::{Going, Variants};
use crate::store::{Store, StoreError};
use crate::time::{DAY_MS, now_ms};
use lozenge_wire::{Clock, Player, Seek, Side};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// How long a live wish lasts at most, in milliseconds.
const LASTS_MS: i64 = 10 * 60_000;
/// How long a wish for a game by correspondence stands, in milliseconds.
const STANDS_MS: i64 = 14 * DAY_MS;
/// How long a live wish outlasts the last connection of its maker: a page may be loaded anew.
const GRACE: Duration = Duration::from_secs(15);
/// Most wishes of one player.
const MOST_SEEKS: usize = 5;
/// Most wishes of all.
const MOST_OF_ALL: usize = 1000;

/// Why a wish is not put up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Full {
    #[error("expected at most 5 open wishes of one player")]
    OfOne,
    #[error("expected at most 1000 open wishes: the lobby is full")]
    OfAll,
}

/// A wish as the lobby keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Open {
    pub(crate) seek: Seek,
    pub(crate) rating_min: Option<i32>,
    pub(crate) rating_max: Option<i32>,
}

impl Open {
    /// Whether the wish outlasts the server.
    pub(crate) fn is_kept(&self) -> bool {
        matches!(self.seek.clock, Some(Clock::Correspondence { .. }))
    }

    fn is_over(&self, now: i64) -> bool {
        now - self.seek.created_at >= if self.is_kept() { STANDS_MS } else { LASTS_MS }
    }
}

/// What listeners are told.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// The wishes have changed.
    Changed,
    /// A wish of this player has become this game.
    Game { player: String, game: String },
}

#[derive(Debug, Default)]
struct Inside {
    /// Oldest first.
    open: Vec<Open>,
    /// How many connections of a player listen.
    listening: HashMap<String, usize>,
}

/// The open wishes. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Lobby {
    inside: Arc<Mutex<Inside>>,
    news: broadcast::Sender<News>,
}

impl Default for Lobby {
    fn default() -> Self {
        Self { inside: Arc::default(), news: broadcast::channel(64).0 }
    }
}

impl Lobby {
    /// The lobby as it was when the server last ran: the kept wishes, by their makers as they are called now.
    pub(crate) async fn load(store: &Store, variants: &Variants) -> Result<Self, StoreError> {
        let lobby = Self::default();
        Self::tidy(store).await?;
        for (mut wish, owner) in store.seeks().await? {
            if variants.game(&wish.seek.variant).is_none() {
                continue;
            }
            let Player { rating, provisional, .. } = wish.seek.player;
            wish.seek.player = Player { rating, provisional, ..account::player(&owner) };
            lobby.lock().open.push(wish);
        }
        Ok(lobby)
    }

    /// Forgets the kept wishes that are too old.
    pub(crate) async fn tidy(store: &Store) -> Result<(), StoreError> {
        store.drop_old_seeks(now_ms() - STANDS_MS).await
    }

    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, change: impl FnOnce(&mut Vec<Open>) -> T) -> T {
        let mut inside = self.lock();
        let now = now_ms();
        inside.open.retain(|wish| !wish.is_over(now));
        change(&mut inside.open)
    }

    /// The open wishes, newest first, as one player sees them.
    pub(crate) fn list(&self, player: Option<&str>) -> Vec<Seek> {
        self.with(|open| {
            let seen = |wish: &Open| Seek {
                yours: Some(wish.seek.player.id.as_str()) == player,
                ..wish.seek.clone()
            };
            open.iter().rev().map(seen).collect()
        })
    }

    /// Whether a player may have one more wish.
    pub(crate) fn has_room(&self, player: &str) -> Result<(), Full> {
        self.with(|open| room(open, player))
    }

    /// Takes the first wish that fits another one out; if there is none, puts that one up, if its maker may have one more.
    /// Both in one step: of two that come together the second finds the first.
    pub(crate) fn meet_or_add(&self, wish: Open) -> Result<Option<Open>, Full> {
        let met = self.with(|open| {
            let Some(at) = open.iter().position(|other| fits(other, &wish) && fits(&wish, other)) else {
                room(open, &wish.seek.player.id)?;
                open.push(wish);
                return Ok(None);
            };
            Ok(Some(open.remove(at)))
        })?;
        self.tell(News::Changed);
        Ok(met)
    }

    /// Puts a wish up, as one that was there before.
    pub(crate) fn add(&self, wish: Open) {
        self.with(|open| open.push(wish));
        self.tell(News::Changed);
    }

    /// Takes a wish out by id, if the player may.
    pub(crate) fn take(&self, id: &str, may: impl Fn(&Open) -> bool) -> Option<Open> {
        let found = self.with(|open| {
            let at = open.iter().position(|wish| wish.seek.id == id && may(wish))?;
            Some(open.remove(at))
        })?;
        self.tell(News::Changed);
        Some(found)
    }

    /// A player is called otherwise now.
    pub(crate) fn rename(&self, player: &Player) {
        self.with(|open| {
            for wish in open.iter_mut().filter(|wish| wish.seek.player.id == player.id) {
                wish.seek.player.name.clone_from(&player.name);
                wish.seek.player.kind = player.kind;
            }
        });
        self.tell(News::Changed);
    }

    /// Takes all wishes of a player out; with `live` only those that do not outlast a connection.
    pub(crate) fn clear(&self, player: &str, live: bool) {
        let ended = self.with(|open| {
            let before = open.len();
            open.retain(|wish| wish.seek.player.id != player || (live && wish.is_kept()));
            open.len() < before
        });
        if ended {
            self.tell(News::Changed);
        }
    }

    /// As long as there are games: whoever begins one at the board wishes for no other one there meanwhile.
    pub(crate) async fn follow(self, mut goings: broadcast::Receiver<Going>) {
        loop {
            match goings.recv().await {
                Ok(going) if going.on && !going.by_days => self.clear(&going.player, true),
                // Of what it was too slow to hear, wishes end with their makers' connections.
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    pub(crate) fn tell(&self, news: News) {
        // Nobody may be listening.
        let _ = self.news.send(news);
    }

    /// Hears of everything from now on. While somebody listens, the live wishes of theirs stand.
    pub(crate) fn listen(&self, player: Option<&str>) -> Listener {
        if let Some(player) = player {
            *self.lock().listening.entry(player.to_owned()).or_default() += 1;
        }
        Listener { news: self.news.subscribe(), lobby: self.clone(), player: player.map(str::to_owned) }
    }

    /// A connection of a player has ended. Whether it was the last one.
    fn leave(&self, player: &str) -> bool {
        let mut inside = self.lock();
        let Some(count) = inside.listening.get_mut(player) else { return false };
        *count -= 1;
        let last = *count == 0;
        if last {
            inside.listening.remove(player);
        }
        last
    }

    /// The time to come back is over: without a connection the live wishes of a player end.
    fn end_unheard(&self, player: &str) {
        if !self.lock().listening.contains_key(player) {
            self.clear(player, true);
        }
    }
}

/// A connection that hears the lobby's news.
#[derive(Debug)]
pub(crate) struct Listener {
    pub(crate) news: broadcast::Receiver<News>,
    lobby: Lobby,
    player: Option<String>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let Some(player) = self.player.take() else { return };
        if !self.lobby.leave(&player) {
            return;
        }
        let lobby = self.lobby.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(GRACE).await;
                lobby.end_unheard(&player);
            });
        }
    }
}

fn room(open: &[Open], player: &str) -> Result<(), Full> {
    if open.iter().filter(|wish| wish.seek.player.id == player).count() >= MOST_SEEKS {
        Err(Full::OfOne)
    } else if open.len() >= MOST_OF_ALL {
        Err(Full::OfAll)
    } else {
        Ok(())
    }
}

/// Whether a wish is for what another offers, seen from the first.
fn fits(wish: &Open, other: &Open) -> bool {
    let (a, b) = (&wish.seek, &other.seek);
    let sides = !matches!((a.side, b.side), (Side::White, Side::White) | (Side::Black, Side::Black));
    let rating = b.player.rating.unwrap_or(1500);
    a.player.id != b.player.id
        && a.variant == b.variant
        && a.clock == b.clock
        && a.rated == b.rated
        && sides
        && wish.rating_min.is_none_or(|least| rating >= least)
        && wish.rating_max.is_none_or(|most| rating <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_wire::{PlayerKind, Speed};

    fn wish(player: &str, clock: Option<Clock>, created_at: i64) -> Open {
        let player = Player {
            kind: PlayerKind::Guest,
            id: player.into(),
            name: "Guest".into(),
            rating: None,
            provisional: false,
            level: None,
        };
        let seek = Seek {
            id: crate::ids::other(),
            player,
            variant: "diamond".into(),
            variant_name: "Diamond Chess".into(),
            clock,
            speed: Speed::Blitz,
            side: Side::Random,
            rated: false,
            yours: true,
            created_at,
        };
        Open { seek, rating_min: None, rating_max: None }
    }

    fn count(lobby: &Lobby, player: &str) -> (usize, usize) {
        lobby.with(|open| (open.iter().filter(|wish| wish.seek.player.id == player).count(), open.len()))
    }

    const LIVE: Option<Clock> = Some(Clock::Live { initial_s: 180, increment_s: 2 });
    const DAYS: Option<Clock> = Some(Clock::Correspondence { days: 3 });

    #[test]
    fn wishes_stand_for_as_long_as_their_clock_says() {
        let (lobby, now) = (Lobby::default(), now_ms());
        for (clock, age, stands) in [
            (LIVE, LASTS_MS - 1_000, true),
            (LIVE, LASTS_MS, false),
            (None, LASTS_MS, false),
            (DAYS, LASTS_MS, true),
            (DAYS, STANDS_MS - 60_000, true),
            (DAYS, STANDS_MS, false),
        ] {
            lobby.add(wish("ann", clock, now - age));
            assert_eq!(count(&lobby, "ann").0 == 1, stands, "{clock:?} after {age} ms");
            lobby.clear("ann", false);
        }
    }

    #[test]
    fn a_player_has_five_wishes_at_most_also_of_those_that_come_together() {
        let lobby = Lobby::default();
        let made = std::thread::scope(|scope| {
            let all: Vec<_> = (0..12)
                .map(|_| scope.spawn(|| lobby.meet_or_add(wish("ann", LIVE, now_ms())).is_ok()))
                .collect();
            all.into_iter().filter_map(|one| one.join().ok()).filter(|made| *made).count()
        });
        assert_eq!((made, count(&lobby, "ann").0), (5, 5));
        assert_eq!(lobby.has_room("ann"), Err(Full::OfOne));
        assert_eq!(lobby.has_room("bob"), Ok(()));
    }

    #[test]
    fn two_equal_wishes_that_come_together_meet() {
        for _ in 0..200 {
            let lobby = Lobby::default();
            let met = std::thread::scope(|scope| {
                let both = ["ann", "bob"]
                    .map(|name| scope.spawn(|| lobby.meet_or_add(wish(name, LIVE, now_ms())).expect("room")));
                both.into_iter().filter_map(|one| one.join().expect("no panic")).count()
            });
            assert_eq!((met, lobby.list(None).len()), (1, 0));
        }
    }

    #[test]
    fn live_wishes_end_with_the_last_connection_and_a_page_may_be_loaded_anew() {
        let lobby = Lobby::default();
        let (first, second) = (lobby.listen(Some("ann")), lobby.listen(Some("ann")));
        for (player, clock) in [("ann", LIVE), ("ann", DAYS), ("bob", LIVE)] {
            lobby.add(wish(player, clock, now_ms()));
        }
        drop(first);
        lobby.end_unheard("ann");
        assert_eq!(count(&lobby, "ann").0, 2, "she still listens");
        drop(second);
        let third = lobby.listen(Some("ann"));
        lobby.end_unheard("ann");
        assert_eq!(count(&lobby, "ann").0, 2, "she came back in time");
        drop(third);
        lobby.end_unheard("ann");
        assert_eq!(count(&lobby, "ann"), (1, 2), "what is not hers stands, and the one by correspondence");
        assert!(lobby.with(|open| open.iter().all(|wish| wish.seek.player.id == "bob" || wish.is_kept())));
    }

    #[test]
    fn a_name_is_changed_everywhere_and_an_account_goes_with_all() {
        let lobby = Lobby::default();
        lobby.add(wish("ann", LIVE, now_ms()));
        lobby.add(wish("ann", DAYS, now_ms()));
        let named = Player { name: "Ann".into(), kind: PlayerKind::User, ..wish("ann", LIVE, 0).seek.player };
        lobby.rename(&named);
        assert!(lobby.list(None).iter().all(|seek| seek.player == named));
        lobby.clear("ann", false);
        assert_eq!(lobby.list(Some("ann")), []);
    }
}
