//! Follows a game through a socket or a stream, as a player, who counts as present meanwhile, or as a spectator, who may
//! take the open seat later.

use super::{GameHandle, LiveGames};
use lozenge_game::GameMachine;
use lozenge_game::Network;
use lozenge_wire::{Color, Status, Visibility};

/// A connection that follows a game. End it with [`Follower::disconnect`].
#[derive(Debug)]
pub struct Follower {
    games: LiveGames,
    live: GameHandle,
    user: Option<String>,
    network: Option<Network>,
    side: Option<Color>,
    /// Whether a seat was open at the last check: the user may have taken it since, by a request.
    may_join: bool,
    /// Whether the game is private and the user is a spectator, who loses access when both seats are taken.
    spectates_private: bool,
}

impl Follower {
    /// A user opens a connection. Each connection looks the side up again: the seat may have been taken since the last.
    pub async fn connect(
        games: LiveGames,
        live: GameHandle,
        user: Option<String>,
        network: Option<Network>,
    ) -> Self {
        let private = live.lock().await.machine.config.visibility == Visibility::Private;
        let mut follower =
            Self { games, live, user, network, side: None, may_join: true, spectates_private: false };
        follower.update_side().await;
        follower.spectates_private = private && follower.side.is_none();
        follower
    }

    /// The side that the user plays, if any.
    pub fn side(&self) -> Option<Color> {
        self.side
    }

    /// A user who has taken the open seat is a player from now on, and present.
    pub async fn update_side(&mut self) {
        let (true, None, Some(user)) = (self.may_join, self.side, &self.user) else { return };
        {
            let inner = self.live.lock().await;
            self.side = inner.machine.side_of(user);
            self.may_join = inner.machine.status() == Status::Waiting;
        }
        if let Some(color) = self.side {
            // Once, and too large for the task of a socket.
            Box::pin(self.games.note_request(&self.live, user, self.network)).await;
            self.games.connect(&self.live, color, true).await;
        }
    }

    /// Whether the user may not follow the game any more, as it stands.
    pub fn has_lost_access_to(&self, machine: &GameMachine) -> bool {
        self.spectates_private && machine.is_hidden_from(self.user.as_deref())
    }

    /// Whether the user may not follow the game any more.
    pub async fn has_lost_access(&self) -> bool {
        self.spectates_private && self.has_lost_access_to(&self.live.lock().await.machine)
    }

    /// The connection was closed.
    pub async fn disconnect(&self) {
        if let Some(color) = self.side {
            self.games.connect(&self.live, color, false).await;
        }
    }
}
