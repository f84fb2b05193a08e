//! What is open while whoever opened it signs out everywhere, changes the password, deletes the account or takes a token
//! back: sockets and streams outlast the request that was asked with a session or token, so they hear when it ends.

use super::Visitor;
use crate::app::AppState;
use crate::error::AppError;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// Users that a slow listener may be behind before it looks for itself.
const BACKLOG: usize = 64;

/// Stands for all users where a network was banned. No id is empty.
const EVERYBODY: &str = "";

/// Tells whose sessions or tokens have ended. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Endings(broadcast::Sender<Arc<str>>);

impl Default for Endings {
    fn default() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }
}

impl Endings {
    /// A session or a token of a user has ended: to be said when that is on the disk.
    pub(crate) fn tell(&self, user: &str) {
        // Nobody may be listening.
        let _ = self.0.send(user.into());
    }

    /// Something has ended for everybody who comes from some network.
    pub(crate) fn tell_all(&self) {
        self.tell(EVERYBODY);
    }
}

/// The endings from now on. In a handler it stands before the [`Visitor`], so that none falls between the two.
#[derive(Debug)]
pub(crate) struct CredentialGuard {
    endings: broadcast::Receiver<Arc<str>>,
    /// Whether something of the user's has ended that may have been this.
    doubt: bool,
    address: Option<IpAddr>,
}

impl FromRequestParts<AppState> for CredentialGuard {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let endings = state.endings.0.subscribe();
        let address = state.client_address(&parts.extensions, &parts.headers).individual();
        if state.banned.contains(address) {
            return Err(AppError::Banned);
        }
        Ok(Self { endings, doubt: false, address })
    }
}

impl CredentialGuard {
    /// Whether what a visitor came with is still good. The store is asked only when there is reason to.
    pub(crate) async fn holds(&mut self, state: &AppState, visitor: &Visitor) -> bool {
        loop {
            match self.endings.try_recv() {
                Ok(user) => self.doubt |= is(visitor, &user),
                Err(TryRecvError::Lagged(_)) => self.doubt = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        if self.doubt {
            let holds = visitor.is_still_good(state).await;
            // QueryParams in vain is not sure.
            self.doubt = !matches!(holds, Ok(true)) || state.banned.contains(self.address);
        }
        !self.doubt
    }

    /// Until what a visitor came with has ended. May be dropped at any time and asked again.
    pub(crate) async fn ended(&mut self, state: &AppState, visitor: &Visitor) {
        while self.holds(state, visitor).await {
            match self.endings.recv().await {
                Ok(user) => self.doubt |= is(visitor, &user),
                Err(RecvError::Lagged(_)) => self.doubt = true,
                Err(RecvError::Closed) => return,
            }
        }
    }
}

fn is(visitor: &Visitor, user: &str) -> bool {
    user == EVERYBODY || visitor.user().is_some_and(|me| me.id == user)
}
