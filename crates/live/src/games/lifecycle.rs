//! Broadcasts the games that begin and end, and the turns of correspondence games.

use super::live_game::LiveGameInner;
use super::{GameError, LiveGames};
use lozenge_wire::{Clock, Player, PlayerKind, Status};
use std::sync::Arc;
use tokio::sync::{Notify, broadcast};

/// Messages that a slow receiver may be behind before it has to read the database.
const BACKLOG: usize = 1024;

/// A game of a player has begun or ended.
#[derive(Clone, Debug)]
pub struct Lifecycle {
    /// The player's id.
    pub player: Arc<str>,
    /// The game's id.
    pub game: Arc<str>,
    /// Whether it has begun, not ended.
    pub started: bool,
    /// Whether it is a correspondence game, beside which its players may play others.
    pub correspondence: bool,
}

/// It has become a player's turn in a correspondence game.
#[derive(Clone, Debug)]
pub struct TurnBegun {
    /// The player's id.
    pub player: Arc<str>,
    /// The game's id.
    pub game: Arc<str>,
    /// Half moves played before it.
    pub(crate) ply: usize,
}

/// The game of a turn that its player has not seen.
#[derive(Clone, Debug)]
pub struct UnseenTurn {
    /// The name of the game's rules.
    pub variant_name: String,
    /// The opponent; `None` if the seat is free.
    pub opponent: Option<Player>,
}

#[derive(Debug)]
pub(super) struct LifecycleChannels {
    games: broadcast::Sender<Lifecycle>,
    turns: broadcast::Sender<TurnBegun>,
    /// The games of four in the lobby have changed.
    pub(super) open_games: Notify,
}

impl Default for LifecycleChannels {
    fn default() -> Self {
        Self {
            games: broadcast::channel(BACKLOG).0,
            turns: broadcast::channel(BACKLOG).0,
            open_games: Notify::new(),
        }
    }
}

impl LiveGames {
    /// The games of all players as they begin and end from now on.
    pub fn lifecycle(&self) -> broadcast::Receiver<Lifecycle> {
        self.shared.lifecycle.games.subscribe()
    }

    /// The turns in correspondence games from now on.
    pub fn turns(&self) -> broadcast::Receiver<TurnBegun> {
        self.shared.lifecycle.turns.subscribe()
    }

    /// The game of a turn; `None` if its player has the game open or has moved, or the game is over.
    pub async fn unseen_turn(&self, turn: &TurnBegun) -> Result<Option<UnseenTurn>, GameError> {
        let Some(live) = self.game(&turn.game).await? else { return Ok(None) };
        let inner = live.lock().await;
        let machine = &inner.machine;
        let color = machine.turn();
        let seen = inner.presence().connected[color];
        if seen || machine.status() != Status::Started || machine.played.len() != turn.ply {
            return Ok(None);
        }
        let variant_name = machine.record.variant_name().to_owned();
        let opponent = machine.record.two().and_then(|_| machine.player(color.opponent()).cloned());
        Ok(Some(UnseenTurn { variant_name, opponent }))
    }

    /// Sends each turn of a correspondence game once; for a game that is loaded the current turn counts as sent.
    fn send_turn(&self, inner: &mut LiveGameInner) {
        let machine = &inner.machine;
        let correspondence = matches!(machine.config.clock, Some(Clock::Correspondence { .. }));
        if !correspondence || machine.status() != Status::Started {
            return;
        }
        let ply = machine.played.len();
        if inner.turn_sent.replace(ply).is_some_and(|sent| ply <= sent) {
            return;
        }
        let Some(seat) = inner.machine.player(inner.machine.turn()) else { return };
        if seat.kind != PlayerKind::Engine {
            let (player, game) = (seat.id.as_str().into(), inner.machine.config.id.as_str().into());
            // There may be no receiver.
            let _ = self.shared.lifecycle.turns.send(TurnBegun { player, game, ply });
        }
    }

    /// Sends the beginning or the end of a game for each of its players, if that is new.
    pub(super) fn announce_lifecycle(&self, inner: &mut LiveGameInner) {
        self.send_turn(inner);
        self.announce_open_seats(inner);
        let status = inner.machine.status();
        let before = core::mem::replace(&mut inner.announced, status);
        let started = match (before, status) {
            (Status::Waiting, Status::Started) => true,
            (Status::Started, Status::Finished) => false,
            _ => return,
        };
        let game: Arc<str> = inner.machine.config.id.as_str().into();
        let correspondence = matches!(inner.machine.config.clock, Some(Clock::Correspondence { .. }));
        for seat in inner.machine.seats.iter().flatten().filter(|seat| seat.kind != PlayerKind::Engine) {
            if let Some(cluster) = self.cluster() {
                cluster.announce("lifecycle", &(&seat.id, &*game, started, correspondence));
            }
            let player = seat.id.as_str().into();
            self.broadcast_lifecycle(Lifecycle { player, game: game.clone(), started, correspondence });
        }
    }

    /// Broadcasts that a game has begun or ended, here or at another server.
    pub fn broadcast_lifecycle(&self, lifecycle: Lifecycle) {
        // There may be no receiver.
        let _ = self.shared.lifecycle.games.send(lifecycle);
    }
}
