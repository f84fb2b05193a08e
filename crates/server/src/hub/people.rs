//! Players beyond one game: what their games show of them when they take a name, come back, or go with the account.

use super::fact::Fact;
use super::refusal::Refusal;
use super::table::{self, Terms};
use super::{Hub, HubError, live};
use crate::account;
use crate::rating;
use crate::store::{StoreError, UserRow};
use crate::time::now_ms;
use lozenge_wire::{Color, Player, PlayerKind, Reason, Status};

impl Hub {
    /// A guest has taken a name: the games played before bear it, too.
    pub(crate) async fn rename(&self, player: &Player) -> Result<(), HubError> {
        let now = now_ms();
        for id in self.inner.store.games_of(&player.id).await? {
            let Some(live) = self.game(&id).await? else { continue };
            let mut inside = self.lock(&live).await?;
            let sits = |color: &Color| {
                let seat = inside.table.seats[color.index()].as_ref();
                seat.is_some_and(|seat| seat.id == player.id)
            };
            let facts: Vec<Fact> = [Color::White, Color::Black]
                .into_iter()
                .filter(sits)
                .map(|color| Fact::Renamed { color, name: player.name.clone() })
                .collect();
            self.commit(&live, &mut inside, facts, now).await?;
        }
        Ok(())
    }

    /// Takes a player's name out of all games; those that go on are given up, rated if they are to be, and nobody waits
    /// for them any more.
    pub(crate) async fn forget(&self, player: &str) -> Result<(), HubError> {
        for id in self.inner.store.games_of(player).await? {
            let Some(live) = self.game(&id).await? else { continue };
            let mut inside = self.lock(&live).await?;
            while let Some(color) = inside.table.side_of(player) {
                let now = now_ms();
                let (resigned, aborted) = (table::won_by(!color), "*".to_owned());
                let end = match inside.table.status() {
                    Status::Started if inside.table.has_begun() => {
                        Some(Fact::Finished { result: resigned, reason: Reason::Resign, at: now })
                    }
                    Status::Waiting | Status::Started => {
                        Some(Fact::Finished { result: aborted, reason: Reason::Aborted, at: now })
                    }
                    Status::Finished if inside.table.offers.rematch.is_some() => Some(Fact::RematchDeclined),
                    Status::Finished => None,
                };
                if let Some(end) = end {
                    self.commit(&live, &mut inside, vec![end], now).await?;
                }
                self.rate_now(&mut inside).await;
                self.after(&live, &mut inside, now);
                self.commit(&live, &mut inside, vec![Fact::Forgotten { color }], now).await?;
            }
        }
        Ok(())
    }

    /// Rates a game that is over before anything else happens, if that has not been done: one of its players is about to
    /// go, and who was asked to rate it may not have come to it.
    async fn rate_now(&self, inside: &mut live::Inside) {
        if !inside.table.is_to_be_rated() {
            return;
        }
        inside.rated = true;
        match rating::rate(&self.inner.store, rating::Finished::of(&inside.table)).await {
            Ok(changes) => inside.rating_changes = changes,
            Err(error) => {
                tracing::error!(%error, game = inside.table.terms.id, "a game could not be rated");
            }
        }
    }

    /// Takes those out of a game who have gone, with their account, while they were being seated: a request that was on
    /// its way may have come after the account's games were looked through.
    pub(super) async fn see_out_the_gone(&self, players: &[String]) -> Result<(), HubError> {
        for player in players {
            if self.inner.store.user(player).await?.is_none() {
                self.forget(player).await?;
            }
        }
        Ok(())
    }

    /// Remembers anew what was said in these games: an author has been erased from the store, or renamed there.
    pub(crate) async fn recall_chats(&self, games: &[String]) -> Result<(), HubError> {
        for id in games {
            let Some(live) = self.in_memory(id) else { continue };
            self.recall_chat(&mut *live.lock().await).await?;
        }
        Ok(())
    }

    /// Remembers what was said in a game, as it is in the store.
    pub(super) async fn recall_chat(&self, inside: &mut live::Inside) -> Result<(), StoreError> {
        let table = &inside.table;
        let lines = self.inner.store.chat(&table.terms.id, |user| table.side_of(user)).await?;
        inside.chat.clear();
        lines.into_iter().for_each(|line| inside.remember(line));
        Ok(())
    }

    /// Who somebody is now: whoever speaks may have taken a name, or gone, since they came.
    pub(super) async fn user_now(&self, player: &Player) -> Result<UserRow, Refusal> {
        self.inner.store.user(&player.id).await?.ok_or(Refusal::NotAPlayer)
    }

    /// Whoever sat there, with today's name and rating.
    pub(super) async fn as_now(
        &self,
        seat: &Option<Player>,
        variant: &str,
        terms: &Terms,
    ) -> Result<Option<Player>, Refusal> {
        let Some(player) = seat.as_ref().filter(|player| player.kind != PlayerKind::Engine) else {
            return Ok(seat.clone());
        };
        let store = &self.inner.store;
        // Nobody plays against somebody who has gone.
        let user = store.user(&player.id).await?.ok_or(Refusal::Gone)?;
        Ok(Some(rating::with_rating(store, account::player(&user), variant, terms.speed).await?))
    }
}

/// Ids of those at a game's places who have an account, or could have one.
pub(super) fn ids(seats: &[Option<Player>; 2]) -> Vec<String> {
    let people = seats.iter().flatten().filter(|seat| seat.kind != PlayerKind::Engine);
    people.map(|seat| seat.id.clone()).collect()
}
