//! A failure of the store as a game's refusal of an action. Players do not learn the reason, which is logged here.

use crate::{StoreError, WriteError};
use lozenge_game::ActionError;

impl From<StoreError> for ActionError {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "the database failed during an action");
        Self::Unavailable
    }
}

impl From<WriteError> for ActionError {
    fn from(error: WriteError) -> Self {
        if matches!(error, WriteError::Fenced { .. }) {
            tracing::warn!(%error, "another server has a game");
            return Self::NotOwner;
        }
        tracing::error!(%error, "could not save a game");
        Self::Unavailable
    }
}
