//! Games that begin and end, told at once to whoever follows a player's games.

use super::Hub;
use super::live::Inside;
use lozenge_wire::{Clock, PlayerKind, Status};
use std::sync::Arc;
use tokio::sync::broadcast;

/// News that a slow listener may be behind before it looks for itself.
const BACKLOG: usize = 1024;

/// A game of a player has begun, or is over.
#[derive(Clone, Debug)]
pub(crate) struct Going {
    pub(crate) player: Arc<str>,
    pub(crate) game: Arc<str>,
    /// Whether it goes on from now on.
    pub(crate) on: bool,
    /// Whether it goes by days, so that its players may play others meanwhile.
    pub(crate) by_days: bool,
}

/// Where it is told.
#[derive(Debug)]
pub(super) struct Goings(broadcast::Sender<Going>);

impl Default for Goings {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl Hub {
    /// The games of all players as they begin and end from now on.
    pub(crate) fn goings(&self) -> broadcast::Receiver<Going> {
        self.inner.goings.0.subscribe()
    }

    /// Tells the players of a game that it has begun or is over, if that is new.
    pub(super) fn tell_of(&self, inside: &mut Inside) {
        let status = inside.table.status();
        let before = core::mem::replace(&mut inside.told, status);
        let on = match (before, status) {
            (Status::Waiting, Status::Started) => true,
            (Status::Started, Status::Finished) => false,
            _ => return,
        };
        let game: Arc<str> = inside.table.terms.id.as_str().into();
        let by_days = matches!(inside.table.terms.clock, Some(Clock::Correspondence { .. }));
        for seat in inside.table.seats.iter().flatten().filter(|seat| seat.kind != PlayerKind::Engine) {
            let player = seat.id.as_str().into();
            // Nobody may be listening.
            let _ = self.inner.goings.0.send(Going { player, game: game.clone(), on, by_days });
        }
    }
}
