//! An open seek: whom it is for, how long it stands, and which other seek it makes a game with.

use crate::network::Network;
use crate::time::DAY_MS;
use lozenge_wire::{Clock, Player, Seek, Side};

/// The rating assumed for a player without one.
const UNRATED: i32 = 1_500;

/// A seek in the lobby.
#[derive(Clone, Debug)]
pub struct OpenSeek {
    /// The seek as clients see it.
    pub seek: Seek,
    /// The network that it came from; not stored.
    pub network: Option<Network>,
}

impl OpenSeek {
    /// How long a live seek stands at most, in milliseconds.
    pub const LIVE_MS: i64 = 10 * 60_000;
    /// How long a seek for a correspondence game stands, in milliseconds.
    pub const CORRESPONDENCE_MS: i64 = 14 * DAY_MS;

    /// How long a seek or an open game of four with a clock stands, in milliseconds.
    pub const fn lifetime_ms(clock: Option<Clock>) -> i64 {
        match clock {
            Some(Clock::Correspondence { .. }) => Self::CORRESPONDENCE_MS,
            Some(Clock::Live { .. }) | None => Self::LIVE_MS,
        }
    }

    /// Whether the seek is stored, and so outlasts the server.
    pub fn is_stored(&self) -> bool {
        matches!(self.seek.clock, Some(Clock::Correspondence { .. }))
    }

    /// Whether the seek is too old.
    pub fn is_expired(&self, now: i64) -> bool {
        now - self.seek.created_at >= Self::lifetime_ms(self.seek.clock)
    }

    /// Whether the seek is for players of this rating.
    pub fn accepts(&self, player: &Player) -> bool {
        let rating = player.rating.unwrap_or(UNRATED);
        let (least, most) = (self.seek.rating_min, self.seek.rating_max);
        least.is_none_or(|least| rating >= least) && most.is_none_or(|most| rating <= most)
    }

    /// Whether the two seeks make a game.
    pub fn matches(&self, other: &Self) -> bool {
        let (a, b) = (&self.seek, &other.seek);
        let sides = !matches!((a.side, b.side), (Side::White, Side::White) | (Side::Black, Side::Black));
        a.player.id != b.player.id
            && a.variant == b.variant
            && a.clock == b.clock
            && a.rated == b.rated
            && sides
            && self.accepts(&b.player)
            && other.accepts(&a.player)
    }
}
