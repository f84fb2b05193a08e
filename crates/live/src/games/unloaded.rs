//! Games that are owned but not loaded. By the database this server owns them, or may own them, but they are not in memory:
//! they are being taken over, or the database failed meanwhile. No server would watch their clocks, so this one searches
//! for them until all are found.

use super::{GameError, LiveGames};
use lozenge_game::time::now_ms;
use std::sync::{Mutex, PoisonError};

/// Since when the clocks of such games have stood still, in Unix milliseconds; `None` if there are none.
#[derive(Debug, Default)]
pub(super) struct UnloadedGames(Mutex<Option<i64>>);

impl LiveGames {
    /// Records that owned games may be missing in memory, whose clocks have not run since a moment. Of several moments the
    /// first counts: downtime does not count against a clock.
    pub(super) fn set_unloaded(&self, since: i64) {
        if self.cluster().is_some() {
            let mut unloaded = self.shared.unloaded.0.lock().unwrap_or_else(PoisonError::into_inner);
            *unloaded = Some(unloaded.map_or(since, |known| known.min(since)));
        }
    }

    /// Since when the clocks of such games have stood still, if there may be some.
    pub(super) fn unloaded_since(&self) -> Option<i64> {
        *self.shared.unloaded.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Passes on the result of a statement that takes games. A statement that failed may still have been carried out, so this
    /// server searches for its games.
    pub(super) fn note_failed_takeover<T, E>(
        &self,
        result: Result<T, E>,
        died_ago_ms: Option<i64>,
    ) -> Result<T, E> {
        if result.is_err() {
            self.set_unloaded(now_ms() - died_ago_ms.unwrap_or(0));
        }
        result
    }

    /// Loads all games that are owned but not loaded, if there are any.
    pub(super) async fn adopt_unloaded(&self, incarnation: &str) -> Result<(), GameError> {
        let Some(since) = self.unloaded_since() else { return Ok(()) };
        let owned = self.shared.store.clocked_games_of(incarnation).await?;
        *self.shared.unloaded.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        // Games in memory stay as they are; games that fail again are searched for again.
        self.adopt_all(&owned, Some(now_ms() - since)).await;
        Ok(())
    }
}
