//! A player's games after a change of the account: a new name, a deletion, a rematch.

use super::router::Change;
use super::{GameError, GameHandle, LiveGameInner, LiveGames, rating};
use lozenge_game::time::now_ms;
use lozenge_game::{ActionError, FinishedGame, GameConfig, GameEvent};
use lozenge_store::{StoreError, UserRow};
use lozenge_wire::{Action, Color, GameResult, Player, PlayerKind, Reason, Status};

impl LiveGames {
    /// A guest has taken a name: earlier games show it too.
    pub async fn rename(&self, player: &Player) -> Result<(), GameError> {
        for id in self.shared.store.games_of(&player.id).await? {
            let Some(live) = self.game(&id).await? else { continue };
            self.perform(&live, Change::Rename(player.clone())).await?;
        }
        Ok(())
    }

    /// The same in one game.
    pub(super) async fn rename_here(&self, live: &GameHandle, player: &Player) -> Result<(), ActionError> {
        let mut inner = self.lock(live).await?;
        let is_seated =
            |color: &&Color| inner.machine.player(**color).is_some_and(|seat| seat.id == player.id);
        let colors = inner.machine.record.colors().iter();
        let events: Vec<GameEvent> = colors
            .filter(is_seated)
            .map(|&color| GameEvent::Renamed { color, name: player.name.clone() })
            .collect();
        self.commit(live, &mut inner, events, now_ms()).await
    }

    /// Removes a deleted player from all games. Games in progress are resigned or aborted, and rated if they are to be; open
    /// rematch offers are declined.
    pub async fn remove_player(&self, player: &str) -> Result<(), GameError> {
        for id in self.shared.store.games_of(player).await? {
            let Some(live) = self.game(&id).await? else { continue };
            // Boxed, as a rematch may find that one of its players was deleted.
            Box::pin(self.perform(&live, Change::Remove { player: player.to_owned() })).await?;
        }
        Ok(())
    }

    /// The same in one game.
    pub(super) async fn remove_here(&self, live: &GameHandle, player: &str) -> Result<(), ActionError> {
        let mut inner = self.lock(live).await?;
        while let Some(color) = inner.machine.side_of(player) {
            let now = now_ms();
            let end = match inner.machine.status() {
                // In a game of four the others go on.
                Status::Started if inner.machine.has_begun() => match inner.machine.record.two() {
                    Some(_) => inner.machine.act(color, &Action::Resign, now, 0)?,
                    None => inner.machine.resign_for_good(color, now),
                },
                Status::Waiting | Status::Started => {
                    let result = GameResult::Unknown;
                    vec![GameEvent::Finished { result, reason: Reason::Aborted, at: now }]
                }
                Status::Finished if inner.machine.offers.rematch.is_some() => {
                    vec![GameEvent::RematchDeclined]
                }
                Status::Finished => Vec::new(),
            };
            self.commit(live, &mut inner, end, now).await?;
            self.rate_now(&mut inner).await;
            self.after_change(live, &mut inner, now);
            self.commit(live, &mut inner, vec![GameEvent::Forgotten { color }], now).await?;
        }
        Ok(())
    }

    /// Rates a finished game at once, unless it has been rated: one of its players is about to be removed, and the task that
    /// rates it may not have run yet.
    async fn rate_now(&self, inner: &mut LiveGameInner) {
        if !inner.machine.is_to_be_rated() {
            return;
        }
        inner.rated = true;
        match rating::rate(&self.shared.store, FinishedGame::of(&inner.machine)).await {
            Ok(changes) => inner.rating_changes = changes,
            Err(error) => {
                tracing::error!(%error, game = inner.machine.config.id, "could not rate a game");
            }
        }
    }

    /// Removes players whose accounts were deleted while they were being seated: their requests may have come after their
    /// games were searched.
    pub(super) async fn remove_deleted_players(&self, players: &[String]) -> Result<(), GameError> {
        for player in players {
            if self.shared.store.user(player).await?.is_none() {
                self.remove_player(player).await?;
            }
        }
        Ok(())
    }

    /// Reloads the chat of these games: an author has been erased or renamed in the database.
    pub async fn reload_chats(&self, games: &[String]) -> Result<(), GameError> {
        if let Some(cluster) = self.cluster() {
            cluster.announce("chats", &games);
        }
        self.reload_chats_here(games).await
    }

    /// The same on this server.
    pub async fn reload_chats_here(&self, games: &[String]) -> Result<(), GameError> {
        for id in games {
            let Some(live) = self.shared.games.get(id) else { continue };
            self.reload_chat(&mut *live.lock().await).await?;
        }
        Ok(())
    }

    /// Reloads the chat of a game from the database.
    pub(super) async fn reload_chat(&self, inner: &mut LiveGameInner) -> Result<(), StoreError> {
        let machine = &inner.machine;
        let lines = self.shared.store.chat(&machine.config.id, |user| machine.side_of(user)).await?;
        inner.chat.clear();
        lines.into_iter().for_each(|line| inner.remember(line));
        Ok(())
    }

    /// The user's current row: the account may have been renamed or deleted since the connection was opened.
    pub(super) async fn current_user(&self, player: &Player) -> Result<UserRow, ActionError> {
        self.shared.store.user(&player.id).await?.ok_or(ActionError::NotAPlayer)
    }

    /// The player of a seat with the current name and rating.
    pub(super) async fn refreshed_player(
        &self,
        seat: &Option<Player>,
        variant: &str,
        config: &GameConfig,
    ) -> Result<Option<Player>, ActionError> {
        let Some(player) = seat.as_ref().filter(|player| player.kind != PlayerKind::Engine) else {
            return Ok(seat.clone());
        };
        let store = &self.shared.store;
        let user = store.user(&player.id).await?.ok_or(ActionError::Gone)?;
        Ok(Some(rating::with_rating(store, user.player(), variant, config.speed).await?))
    }
}

/// Ids of the people on a game's seats.
pub(super) fn ids(seats: &[Option<Player>]) -> Vec<String> {
    let people = seats.iter().flatten().filter(|seat| seat.kind != PlayerKind::Engine);
    people.map(|seat| seat.id.clone()).collect()
}
