//! Which server owns a game in memory, where there are several: taking a game, losing it, and the owner's view of players
//! at other servers. Not here: the messages between servers (`replica`, `router`).

use super::cluster_side::ClusterSide;
use super::{GameError, GameHandle, LiveGame, LiveGameInner, LiveGames, live_game, rating};
use crate::cluster::Cluster;
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, FinishedGame};
use lozenge_store::GameHead;
use lozenge_wire::Status;
use std::time::Duration;

/// How often a clock is tried to be resumed while the lease of its new owner is being renewed, and the pause in between.
pub(super) const RESUME_TRIES: usize = 20;
pub(super) const RESUME_DELAY: Duration = Duration::from_millis(50);

impl LiveGames {
    /// This server among others, if there are any.
    pub(super) fn cluster(&self) -> Option<&Cluster> {
        self.shared.cluster.as_ref()
    }

    /// Whether this server may change a game now.
    pub(super) fn may_change(&self, inner: &LiveGameInner) -> bool {
        inner.is_mine() && self.cluster().is_none_or(Cluster::may_own)
    }

    /// Takes a game that no server owns. Returns whether this server owns it now, or did before.
    pub(super) async fn claim(&self, live: &GameHandle) -> Result<bool, GameError> {
        let Some(cluster) = self.cluster() else { return Ok(true) };
        let mut inner = live.lock().await;
        if inner.is_mine() || !cluster.may_own() {
            return Ok(inner.is_mine());
        }
        let id = inner.machine.config.id.clone();
        let Some(head) = self.head(&id).await? else { return Ok(false) };
        if let Some(owner) = head.owner.as_ref().filter(|owner| ***owner != *cluster.incarnation()) {
            inner.note_owner(Some(owner.clone()), head.epoch);
            return Ok(false);
        }
        // The clock of its own game that was not loaded stood still for as long.
        let unloaded = || head.owner.as_ref().and(self.unloaded_since()).map(|since| now_ms() - since);
        let died_ago_ms = head.died_ago_ms.or_else(unloaded);
        let claimed = self.shared.store.claim_game(&id, &cluster.incarnation(), head.epoch).await;
        let Some(epoch) = self.note_failed_takeover(claimed, died_ago_ms)? else { return Ok(false) };
        let begun = self.begin_to_own(live, &mut inner, epoch, died_ago_ms).await;
        self.note_failed_takeover(begun, died_ago_ms).map(|()| true)
    }

    /// How far a game is in the database, and who has it.
    pub(super) async fn head(&self, id: &str) -> Result<Option<GameHead>, GameError> {
        Ok(self.shared.store.game_heads(&[id.to_owned()]).await?.remove(id))
    }

    /// Loads a game that this server owns by the database, and returns whether it had not done so. A live clock did not run
    /// since the last owner died.
    pub(super) async fn adopt(
        &self,
        id: &str,
        epoch: i64,
        died_ago_ms: Option<i64>,
    ) -> Result<bool, GameError> {
        let Some(live) = self.game_as_known(id).await? else { return Ok(false) };
        let mut inner = live.lock().await;
        // It may have been claimed meanwhile, here or elsewhere.
        if inner.epoch > epoch || (inner.is_mine() && inner.epoch == epoch) {
            return Ok(false);
        }
        self.begin_to_own(&live, &mut inner, epoch, died_ago_ms).await.map(|()| true)
    }

    async fn begin_to_own(
        &self,
        live: &GameHandle,
        inner: &mut LiveGameInner,
        epoch: i64,
        died_ago_ms: Option<i64>,
    ) -> Result<(), GameError> {
        // From now on no other server can write, so this is all.
        self.refresh(live, inner).await?;
        if inner.machine.is_to_be_rated() {
            let finished = FinishedGame::of(&inner.machine);
            inner.rating_changes = rating::changes(&self.shared.store, &finished).await?;
            inner.rated = inner.rating_changes.is_some();
        }
        let now = now_ms();
        inner.epoch = epoch;
        if let Some(side) = &mut inner.side {
            **side = ClusterSide::owned();
        }
        inner.reset_absence(now);
        inner.announced = inner.machine.status();
        inner.turn_sent = (inner.announced == Status::Started).then_some(inner.machine.played.len());
        let last_beat = died_ago_ms.map(|ago| now - ago);
        let mut resumed = Ok(());
        for _ in 0..RESUME_TRIES {
            resumed = self.resume(live, inner, last_beat, now_ms()).await;
            // The lease may be renewed in a moment.
            if resumed != Err(ActionError::NotOwner) || !inner.is_mine() {
                break;
            }
            tokio::time::sleep(RESUME_DELAY).await;
        }
        if let Err(error) = resumed
            && let Some(side) = inner.side.as_mut().filter(|side| side.is_mine())
        {
            // Its clock would be charged for the time without an owner: it is taken up again.
            **side = ClusterSide::default();
            (inner.outcome_unknown, inner.search) = (true, None);
            return Err(error.into());
        }
        // Servers whose clients follow it learn its owner, and report their connections.
        live.broadcast_state(inner, now);
        Ok(())
    }

    /// This server does not own a game any more: it follows the next owner. Changes in memory may never have been written.
    pub(super) fn lose(&self, live: &LiveGame, inner: &mut LiveGameInner) {
        if let Some(side) = &mut inner.side {
            **side = ClusterSide::default();
            (inner.outcome_unknown, inner.search) = (true, None);
            live.close_followers(live_game::RESTART);
        }
    }

    /// Loses all games: the lease of this server was over.
    pub(super) async fn lose_all(&self) {
        for live in self.shared.games.all() {
            let mut inner = live.lock().await;
            if inner.is_mine() {
                self.lose(&live, &mut inner);
            }
        }
    }

    /// Loses all games without closing their sockets, which follow the next owners as long as this server runs.
    pub(super) async fn release_all(&self) {
        for live in self.shared.games.all() {
            let mut inner = live.lock().await;
            if inner.is_mine()
                && let Some(side) = &mut inner.side
            {
                // All changes in memory are also in the record.
                **side = ClusterSide::default();
                inner.search = None;
            }
        }
    }

    /// Frees a game that was evicted from memory.
    pub(super) fn free(&self, id: &str, epoch: i64) {
        let Some(cluster) = self.cluster().cloned() else { return };
        let (store, id) = (self.shared.store.clone(), id.to_owned());
        tokio::spawn(async move {
            if let Err(error) = store.free_game(&id, &cluster.incarnation(), epoch).await {
                tracing::warn!(%error, game = id, "could not free a game");
            }
        });
    }
}
