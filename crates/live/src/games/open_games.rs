//! The games of three and four in the lobby, which wait for players. They are rows of the database, for all servers. Not here: the list of the
//! lobby.

use super::LiveGames;
use super::live_game::LiveGameInner;
use super::variants::GameTable;
use lozenge_game::time::now_ms;
use lozenge_game::{OpenSeek, seats, speed, with_guest_number};
use lozenge_store::{GameRow, StoreError};
use lozenge_wire::{Clock, Color, OpenGame, Player};
use std::time::Duration;

/// Most games of four in the lobby.
pub const MAX_OPEN_GAMES: usize = 1_000;

/// After this time without players a game in the lobby is aborted if it is not by correspondence, in milliseconds.
const DESERTED_MS: i64 = 30_000;

/// A game in the lobby, and who made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// The game.
    pub game: OpenGame,
    /// The id of its maker.
    pub maker: String,
}

impl LiveGames {
    /// The games of four in the lobby, newest first.
    ///
    /// # Errors
    /// If the database does not list them.
    pub async fn open_games(&self) -> Result<Vec<ListedGame>, StoreError> {
        let now = now_ms();
        let since = [OpenSeek::CORRESPONDENCE_MS, OpenSeek::LIVE_MS].map(|lifetime| now - lifetime);
        let rows = self.shared.store.open_games(since, MAX_OPEN_GAMES as i64).await?;
        let mut games = Vec::with_capacity(rows.len());
        for row in &rows {
            match self.shared.variants.table(&self.shared.store, &row.variant, &row.digest).await {
                Ok(table) => games.extend(listed(&table, row)),
                // One game with rules that cannot be read leaves the others in the lobby.
                Err(error @ StoreError::Content { .. }) => {
                    tracing::warn!(%error, game = row.id, "a game in the lobby could not be listed");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(games)
    }

    /// Waits until the games in the lobby have changed, or for a time: games expire, and a message may be lost.
    pub async fn open_games_changed(&self, timeout: Duration) {
        let _ = tokio::time::timeout(timeout, self.shared.lifecycle.open_games.notified()).await;
    }

    /// The games in the lobby have changed, here or at another server.
    pub fn notify_open_games(&self) {
        self.shared.lifecycle.open_games.notify_one();
    }

    /// Announces that a game has come into the lobby or left it, or that a player has sat down in it.
    pub(super) fn announce_open_seats(&self, inner: &mut LiveGameInner) {
        let machine = &inner.machine;
        let is_open = machine.open_seats().next().is_some();
        let seated = is_open.then(|| machine.seats.iter().flatten().count());
        if core::mem::replace(&mut inner.seated_in_lobby, seated) != seated {
            if let Some(cluster) = self.cluster() {
                cluster.announce("open_games", &());
            }
            self.notify_open_games();
        }
    }
}

/// A game of the list from its row; `None` if it does not belong there any more.
fn listed(table: &GameTable, row: &GameRow) -> Option<ListedGame> {
    let player = |text: &Option<String>| {
        text.as_ref().and_then(|text| serde_json::from_str::<Player>(text).ok()).map(with_guest_number)
    };
    let columns = [&row.white_player, &row.black_player, &row.third_player, &row.fourth_player];
    let open: Option<Vec<Color>> = row.open_seats.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let players = columns.into_iter().take(table.seats).map(player);
    let seats = seats(table.is_teams, players.collect(), &open.unwrap_or_default());
    if !seats.iter().any(|seat| seat.open) {
        return None;
    }
    let clock = row.clock.as_deref().and_then(|text| serde_json::from_str(text).ok());
    let game = OpenGame {
        id: row.id.clone(),
        variant: row.variant.clone(),
        variant_name: table.name.to_string(),
        clock,
        speed: speed(clock),
        rated: row.rated != 0,
        seats,
        fill: row.fill.as_deref().and_then(|text| serde_json::from_str(text).ok()),
        created_at: row.created_at,
    };
    Some(ListedGame { game, maker: row.maker.clone() })
}

/// When a game in the lobby is aborted because all its players have left: others would take a seat for nothing.
pub(super) fn deserted_at(inner: &LiveGameInner) -> Option<i64> {
    let machine = &inner.machine;
    let is_live = !matches!(machine.config.clock, Some(Clock::Correspondence { .. }));
    machine.open_seats().next().filter(|_| is_live)?;
    inner.last_person_until().map(|until| until + DESERTED_MS)
}
