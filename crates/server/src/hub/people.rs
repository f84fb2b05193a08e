//! Players beyond one game: what their games show of them when they take a name, come back, or go with the account.

use super::fact::Fact;
use super::refusal::Refusal;
use super::table::{self, Terms};
use super::{Hub, HubError};
use crate::account;
use crate::rating;
use crate::store::StoreError;
use crate::time::now_ms;
use lozenge_wire::{Color, Player, PlayerKind, Reason, Status};
use std::sync::PoisonError;

impl Hub {
    /// A guest has taken a name: the games played before bear it, too.
    pub(crate) async fn rename(&self, player: &Player) -> Result<(), HubError> {
        let now = now_ms();
        for id in self.inner.store.games_of(&player.id).await? {
            let Some(live) = self.game(&id).await? else { continue };
            let mut inside = live.lock().await;
            let sits = |color: &Color| {
                let seat = inside.table.seats[color.index()].as_ref();
                seat.is_some_and(|seat| seat.id == player.id)
            };
            let facts: Vec<Fact> = [Color::White, Color::Black]
                .into_iter()
                .filter(sits)
                .map(|color| Fact::Renamed { color, name: player.name.clone() })
                .collect();
            live.commit(&mut inside, &self.inner.store, facts, now)
                .await
                .map_err(|fault| HubError::Damaged { id: id.clone(), fault: fault.to_string() })?;
        }
        Ok(())
    }

    /// Takes a player's name out of all games; those that go on are given up, and nobody waits for them any more.
    pub(crate) async fn forget(&self, player: &str) -> Result<(), HubError> {
        let now = now_ms();
        for id in self.inner.store.games_of(player).await? {
            let Some(live) = self.game(&id).await? else { continue };
            let mut inside = live.lock().await;
            let mut facts = Vec::new();
            while let Some(color) = inside.table.side_of(player) {
                let (resigned, aborted) = (table::won_by(!color), "*".to_owned());
                match inside.table.status() {
                    Status::Started => {
                        facts.push(Fact::Finished { result: resigned, reason: Reason::Resign, at: now });
                    }
                    Status::Waiting => {
                        facts.push(Fact::Finished { result: aborted, reason: Reason::Aborted, at: now });
                    }
                    Status::Finished if inside.table.offers.rematch.is_some() => {
                        facts.push(Fact::RematchDeclined);
                    }
                    Status::Finished => {}
                }
                facts.push(Fact::Forgotten { color });
                live.commit(&mut inside, &self.inner.store, core::mem::take(&mut facts), now)
                    .await
                    .map_err(|fault| HubError::Damaged { id: id.clone(), fault: fault.to_string() })?;
            }
        }
        Ok(())
    }

    /// What somebody has said stays, without the name that has been taken out of the store: in memory, too.
    pub(crate) async fn forget_lines(&self, author: &str) -> Result<(), HubError> {
        for id in self.inner.store.games_with_lines_of(author).await? {
            let place = {
                let games = self.inner.games.lock().unwrap_or_else(PoisonError::into_inner);
                games.get(&id).cloned()
            };
            let Some(live) = place.and_then(|place| place.get().cloned().flatten()) else { continue };
            let mut inside = live.lock().await;
            inside.chat.clear();
            for line in self.inner.store.chat(&id).await? {
                inside.remember(line);
            }
        }
        Ok(())
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
        let unavailable = |error: StoreError| Refusal::Store(error.to_string());
        // Nobody plays against somebody who has gone.
        let user = store.user(&player.id).await.map_err(unavailable)?.ok_or(Refusal::NothingOffered)?;
        let player = rating::with_rating(store, account::player(&user), variant, terms.speed).await;
        Ok(Some(player.map_err(unavailable)?))
    }
}
