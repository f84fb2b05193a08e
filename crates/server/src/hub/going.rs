//! Games that begin and end, told at once to whoever follows a player's games.

use super::live::Inside;
use super::{Hub, HubError};
use lozenge_wire::{Clock, Color, Player, PlayerKind, Status};
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

/// It has become a player's turn in a correspondence game.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) player: Arc<str>,
    pub(crate) game: Arc<str>,
    /// Half moves played before it.
    pub(crate) ply: usize,
}

/// The game in which a turn has not been seen by its player.
#[derive(Clone, Debug)]
pub(crate) struct UnseenTurn {
    pub(crate) variant_name: String,
    /// The other player.
    pub(crate) player: Option<Player>,
}

/// Where it is told.
#[derive(Debug)]
pub(super) struct Goings(broadcast::Sender<Going>, broadcast::Sender<Turn>);

impl Default for Goings {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0, broadcast::channel(BACKLOG).0)
    }
}

impl Hub {
    /// The games of all players as they begin and end from now on.
    pub(crate) fn goings(&self) -> broadcast::Receiver<Going> {
        self.inner.goings.0.subscribe()
    }

    /// The turns in correspondence games from now on.
    pub(crate) fn turns(&self) -> broadcast::Receiver<Turn> {
        self.inner.goings.1.subscribe()
    }

    /// The game of a turn, unless its player has the game open, has moved, or the game is over.
    pub(crate) async fn unseen_turn(&self, turn: &Turn) -> Result<Option<UnseenTurn>, HubError> {
        let Some(live) = self.game(&turn.game).await? else { return Ok(None) };
        let inside = live.lock().await;
        let table = &inside.table;
        let color = table.turn();
        let present = inside.attendance().present;
        let seen = match color {
            Color::White => present.white,
            Color::Black => present.black,
        };
        if seen || table.status() != Status::Started || table.played.len() != turn.ply {
            return Ok(None);
        }
        let variant_name = table.position().variant().name().to_owned();
        Ok(Some(UnseenTurn { variant_name, player: table.seats[(!color).index()].clone() }))
    }

    /// Sends the turn of a correspondence game once; a game that comes to memory has had its turn sent.
    fn send_turn(&self, inside: &mut Inside) {
        let table = &inside.table;
        let by_days = matches!(table.terms.clock, Some(Clock::Correspondence { .. }));
        if !by_days || table.status() != Status::Started {
            return;
        }
        let ply = table.played.len();
        if inside.turn_sent.replace(ply).is_some_and(|sent| ply <= sent) {
            return;
        }
        let Some(seat) = &inside.table.seats[inside.table.turn().index()] else { return };
        if seat.kind != PlayerKind::Engine {
            let (player, game) = (seat.id.as_str().into(), inside.table.terms.id.as_str().into());
            // There may be no listener.
            let _ = self.inner.goings.1.send(Turn { player, game, ply });
        }
    }

    /// Tells the players of a game that it has begun or is over, if that is new.
    pub(super) fn tell_of(&self, inside: &mut Inside) {
        self.send_turn(inside);
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
