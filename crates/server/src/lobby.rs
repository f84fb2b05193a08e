//! Wishes for games. Live ones last as long as their makers listen, or ten minutes; what they meet becomes a game.

use crate::time::now_ms;
use lozenge_wire::{Seek, Side};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::broadcast;

/// How long a wish lasts, in milliseconds.
const LASTS_MS: i64 = 10 * 60_000;
/// Most wishes of one player.
pub(crate) const MOST_SEEKS: usize = 5;

/// A wish as the lobby keeps it.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub(crate) seek: Seek,
    pub(crate) rating_min: Option<i32>,
    pub(crate) rating_max: Option<i32>,
}

/// What listeners are told.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// The wishes have changed.
    Changed,
    /// A wish of this player has become this game.
    Game { player: String, game: String },
}

/// The open wishes. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Lobby {
    open: Arc<Mutex<Vec<Open>>>,
    news: broadcast::Sender<News>,
}

impl Default for Lobby {
    fn default() -> Self {
        Self { open: Arc::default(), news: broadcast::channel(64).0 }
    }
}

impl Lobby {
    fn with<T>(&self, change: impl FnOnce(&mut Vec<Open>) -> T) -> T {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now_ms();
        open.retain(|wish| now - wish.seek.created_at < LASTS_MS);
        change(&mut open)
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

    /// How many wishes a player has.
    pub(crate) fn count(&self, player: &str) -> usize {
        self.with(|open| open.iter().filter(|wish| wish.seek.player.id == player).count())
    }

    /// Puts a wish up.
    pub(crate) fn add(&self, wish: Open) {
        self.with(|open| open.push(wish));
        self.tell(News::Changed);
    }

    /// Takes the first wish that fits another one out.
    pub(crate) fn take_match(&self, wanted: &Open) -> Option<Open> {
        let found = self.with(|open| {
            let at = open.iter().position(|other| fits(other, wanted) && fits(wanted, other))?;
            Some(open.remove(at))
        })?;
        self.tell(News::Changed);
        Some(found)
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

    pub(crate) fn tell(&self, news: News) {
        // Nobody may be listening.
        let _ = self.news.send(news);
    }

    pub(crate) fn listen(&self) -> broadcast::Receiver<News> {
        self.news.subscribe()
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
