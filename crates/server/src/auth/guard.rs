//! Closes sockets and streams whose session or token has been revoked since they were opened.

use super::Visitor;
use crate::account::Revoked;
use crate::error::AppError;
use crate::state::AppState;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use std::net::IpAddr;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// The revocations from now on. A handler extracts it before the [`Visitor`], so that it misses none in between.
#[derive(Debug)]
pub(crate) struct CredentialGuard {
    revocations: broadcast::Receiver<Revoked>,
    /// Whether the credential may have been revoked.
    in_doubt: bool,
    address: Option<IpAddr>,
}

impl FromRequestParts<AppState> for CredentialGuard {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let revocations = state.revocations.subscribe();
        let address = state.client_address(&parts.extensions, &parts.headers).individual();
        if state.banned.contains(address) {
            return Err(AppError::Banned);
        }
        Ok(Self { revocations, in_doubt: false, address })
    }
}

impl CredentialGuard {
    /// Whether the visitor's session or token is still valid. Reads the database only after a revocation that may concern it.
    pub(crate) async fn is_valid(&mut self, state: &AppState, visitor: &Visitor) -> bool {
        loop {
            match self.revocations.try_recv() {
                Ok(revoked) => self.in_doubt |= concerns(visitor, &revoked),
                Err(TryRecvError::Lagged(_)) => self.in_doubt = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        if self.in_doubt {
            let valid = visitor.is_still_valid(state).await;
            // After a failed query the credential stays in doubt.
            self.in_doubt = !matches!(valid, Ok(true)) || state.banned.contains(self.address);
        }
        !self.in_doubt
    }

    /// Waits until the visitor's session or token is revoked. Cancel safe.
    pub(crate) async fn revoked(&mut self, state: &AppState, visitor: &Visitor) {
        while self.is_valid(state, visitor).await {
            match self.revocations.recv().await {
                Ok(revoked) => self.in_doubt |= concerns(visitor, &revoked),
                Err(RecvError::Lagged(_)) => self.in_doubt = true,
                Err(RecvError::Closed) => return,
            }
        }
    }
}

fn concerns(visitor: &Visitor, revoked: &Revoked) -> bool {
    revoked.concerns(visitor.user().map(|me| me.id.as_str()))
}
