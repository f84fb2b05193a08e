//! Whoever follows a game through a socket or a stream: a player of it, who is there meanwhile, or somebody who watches
//! and may take an open place while they do.

use super::Hub;
use super::live::Live;
use super::table::Table;
use crate::account::Visitor;
use crate::network::Network;
use lozenge_wire::{Color, Status, Visibility};
use std::sync::Arc;

/// Somebody who follows a game. To be ended with [`Follower::leave`].
#[derive(Debug)]
pub(crate) struct Follower {
    hub: Hub,
    live: Arc<Live>,
    user: Option<String>,
    network: Option<Network>,
    side: Option<Color>,
    /// Whether a place was open when last looked at: whoever watches may have taken it since, by a request.
    may_join: bool,
    /// Whether the game is private and this is none of its players: they follow it until both places are taken.
    watches_private: bool,
}

impl Follower {
    /// Somebody comes. A side is found anew with every connection: it may have been taken since the last.
    pub(crate) async fn come(hub: Hub, live: Arc<Live>, visitor: &Visitor) -> Self {
        let (user, network) = (visitor.user().map(|user| user.id.clone()), visitor.network());
        let private = live.lock().await.table.terms.visibility == Visibility::Private;
        let mut follower =
            Self { hub, live, user, network, side: None, may_join: true, watches_private: false };
        follower.take_side().await;
        follower.watches_private = private && follower.side.is_none();
        follower
    }

    /// The side that is played, if any.
    pub(crate) fn side(&self) -> Option<Color> {
        self.side
    }

    /// Whoever has taken the open place plays from now on, and is there.
    pub(crate) async fn take_side(&mut self) {
        let (true, None, Some(user)) = (self.may_join, self.side, &self.user) else { return };
        {
            let inside = self.live.lock().await;
            self.side = inside.table.side_of(user);
            self.may_join = inside.table.status() == Status::Waiting;
        }
        if let Some(color) = self.side {
            self.hub.arrive(&self.live, user, self.network).await;
            self.hub.connect(&self.live, color, true).await;
        }
    }

    /// Whether the game, as it stands, has become one of others since.
    pub(crate) fn is_shut_out_of(&self, table: &Table) -> bool {
        self.watches_private && table.is_hidden_from(self.user.as_deref())
    }

    /// Whether the game has become one of others since.
    pub(crate) async fn is_shut_out(&self) -> bool {
        self.watches_private && self.is_shut_out_of(&self.live.lock().await.table)
    }

    /// Whoever played is not there any more, by this connection.
    pub(crate) async fn leave(self) {
        if let Some(color) = self.side {
            self.hub.connect(&self.live, color, false).await;
        }
    }
}
