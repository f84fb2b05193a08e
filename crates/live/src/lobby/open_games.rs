//! The games of four in the lobby: each server has a copy of their list, and follows its changes. Not here: the games.

use super::feed::BATCH_INTERVAL;
use super::{Lobby, LobbyInner, SeekLimit};
use crate::games::{ListedGame, LiveGames, MAX_OPEN_GAMES};
use lozenge_game::Network;
use lozenge_game::time::now_ms;
use lozenge_store::StoreError;
use lozenge_wire::{Clock, OpenGame};
use std::collections::HashMap;
use std::time::Duration;

/// The list is read again after this time, also without a message.
const REREAD_INTERVAL: Duration = Duration::from_secs(5);

/// How long an admitted game counts that has not come into the list, in milliseconds.
const ADMISSION_TTL_MS: i64 = 10_000;

/// The games in the lobby.
#[derive(Debug, Default)]
pub(super) struct OpenGames {
    /// By id.
    listed: HashMap<String, ListedGame>,
    /// The games that were made at this server, by id: their limits.
    admitted: HashMap<String, Admission>,
}

/// The maker of a game and the network.
#[derive(Debug)]
struct Admission {
    player: String,
    network: Option<Network>,
    is_stored: bool,
    at: i64,
}

const fn is_by_correspondence(clock: Option<Clock>) -> bool {
    matches!(clock, Some(Clock::Correspondence { .. }))
}

impl OpenGames {
    /// The games, newest first.
    pub(super) fn list(&self) -> Vec<OpenGame> {
        let mut games: Vec<OpenGame> = self.listed.values().map(|listed| listed.game.clone()).collect();
        games.sort_unstable_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        games
    }

    /// How many games of a player there are, by correspondence (`stored`) or not.
    pub(super) fn count_of(&self, player: &str, stored: bool) -> usize {
        let admitted = self.admitted.values().filter(|one| one.player == player && one.is_stored == stored);
        // Those of other servers.
        let others = self.listed.iter().filter(|(id, one)| {
            let of_kind = is_by_correspondence(one.game.clock) == stored;
            of_kind && one.maker == player && !self.admitted.contains_key(*id)
        });
        admitted.count() + others.count()
    }

    /// The networks of the games that were made at this server, by correspondence (`stored`) or not.
    pub(super) fn networks(&self, stored: bool) -> impl Iterator<Item = Option<Network>> {
        self.admitted.values().filter(move |one| one.is_stored == stored).map(|one| one.network)
    }
}

impl LobbyInner {
    /// Replaces the list. Listeners get the changes.
    fn set_games(&mut self, games: Vec<ListedGame>, now: i64) {
        let new: HashMap<String, ListedGame> =
            games.into_iter().map(|listed| (listed.game.id.clone(), listed)).collect();
        let old = core::mem::take(&mut self.games.listed);
        for id in old.keys().filter(|id| !new.contains_key(*id)) {
            self.changed_games.retain(|game| game.id != *id);
            self.removed.push(id.clone());
        }
        for (id, listed) in new.iter().filter(|(id, listed)| old.get(*id) != Some(listed)) {
            self.changed_games.retain(|game| game.id != *id);
            self.changed_games.push(listed.game.clone());
        }
        // One that has left the list does not count any more; one that has not come yet counts for a while.
        let counts = |id: &String, one: &Admission| {
            new.contains_key(id) || (!old.contains_key(id) && now - one.at < ADMISSION_TTL_MS)
        };
        self.games.admitted.retain(|id, one| counts(id, one));
        self.games.listed = new;
    }
}

impl Lobby {
    /// The games of four that wait for players, newest first.
    pub fn open_games(&self) -> Vec<OpenGame> {
        self.with(|inner| inner.games.list())
    }

    /// Admits a game of four to be made, if the limits of its maker and a network allow one more.
    pub fn admit_game(
        &self,
        game: &str,
        player: &str,
        network: Option<Network>,
        clock: Option<Clock>,
    ) -> Result<(), SeekLimit> {
        let (is_stored, at) = (is_by_correspondence(clock), now_ms());
        self.with(|inner| {
            inner.has_room(player, network, is_stored)?;
            if inner.games.listed.len().max(inner.games.admitted.len()) >= MAX_OPEN_GAMES {
                return Err(SeekLimit::Lobby);
            }
            let admission = Admission { player: player.to_owned(), network, is_stored, at };
            inner.games.admitted.insert(game.to_owned(), admission);
            Ok(())
        })
    }

    /// Follows the games of four that wait for players, as long as the database is open.
    pub async fn follow_games(self, games: LiveGames) {
        loop {
            match games.open_games().await {
                Ok(list) => self.with(|inner| inner.set_games(list, now_ms())),
                Err(StoreError::Closed) => return,
                Err(error) => tracing::warn!(%error, "could not read the games in the lobby"),
            }
            games.open_games_changed(REREAD_INTERVAL).await;
            // Changes of a short interval are read together.
            tokio::time::sleep(BATCH_INTERVAL).await;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use super::*;
    use lozenge_wire::{LobbyEvent, Speed};

    const LIVE: Option<Clock> = Some(Clock::Live { initial_s: 180, increment_s: 2 });
    const DAYS: Option<Clock> = Some(Clock::Correspondence { days: 3 });

    fn game(id: &str, maker: &str, created_at: i64) -> ListedGame {
        let game = OpenGame {
            id: id.into(),
            variant: "diamondring-four".into(),
            variant_name: "Diamond Ring Chess for four".into(),
            clock: LIVE,
            speed: Speed::Blitz,
            rated: false,
            seats: Vec::new(),
            fill: None,
            created_at,
        };
        ListedGame { game, maker: maker.into() }
    }

    #[test]
    fn limits_count_games_made_here_and_elsewhere() {
        let lobby = Lobby::default();
        let network: Option<Network> = "10.0.0.1/32".parse().ok();
        // Two of Ann's were made at another server.
        lobby.with(|inner| inner.set_games(vec![game("x", "ann", 1), game("y", "ann", 2)], now_ms()));
        let admitted = (0..12).filter(|n| lobby.admit_game(&format!("a{n}"), "ann", network, LIVE).is_ok());
        assert_eq!(admitted.count(), 3);
        assert_eq!(lobby.admit_game("b", "ann", network, DAYS), Ok(()), "by correspondence there is room");
        let of_network =
            (0..40).filter(|n| lobby.admit_game(&format!("n{n}"), &format!("p{n}"), network, LIVE).is_ok());
        assert_eq!(of_network.count(), 17);
        assert_eq!(lobby.admit_game("c", "cid", network, LIVE), Err(SeekLimit::Network));
        // One that leaves the list does not count any more.
        lobby.with(|inner| inner.set_games(vec![game("n0", "p0", 3)], now_ms()));
        assert_eq!(lobby.admit_game("c", "cid", network, LIVE), Err(SeekLimit::Network));
        lobby.with(|inner| inner.set_games(Vec::new(), now_ms()));
        assert_eq!(lobby.admit_game("c", "cid", network, LIVE), Ok(()));
        assert_eq!(lobby.admit_game("d", "dan", network, LIVE), Err(SeekLimit::Network));
        // Those that were not made after all do not count for long.
        lobby.with(|inner| inner.set_games(Vec::new(), now_ms() + ADMISSION_TTL_MS));
        assert_eq!(lobby.admit_game("d", "dan", network, LIVE), Ok(()));
    }

    #[tokio::test]
    async fn listeners_receive_games_that_come_change_and_go() {
        let lobby = Lobby::default();
        let set = |games| lobby.with(|inner| inner.set_games(games, now_ms()));
        set(vec![game("x", "ann", 1)]);
        let (mut listener, first) = lobby.listen(None);
        let LobbyEvent::Seeks { games, .. } = serde_json::from_str(&first).unwrap() else {
            panic!("{first}")
        };
        assert_eq!(games, [game("x", "ann", 1).game]);
        let mut joined = game("x", "ann", 1);
        joined.game.rated = true;
        set(vec![game("y", "bob", 2), joined.clone()]);
        let text = listener.next().await.unwrap();
        let LobbyEvent::Changes { mut games, removed, .. } = serde_json::from_str(&text).unwrap() else {
            panic!("{text}")
        };
        games.sort_by_key(|game| game.created_at);
        assert_eq!((games, removed.len()), (vec![joined.game, game("y", "bob", 2).game], 0));
        set(vec![game("y", "bob", 2)]);
        let text = listener.next().await.unwrap();
        let LobbyEvent::Changes { games, removed, .. } = serde_json::from_str(&text).unwrap() else {
            panic!("{text}")
        };
        assert_eq!((games.len(), removed), (0, vec!["x".to_owned()]));
        assert_eq!(lobby.open_games(), [game("y", "bob", 2).game]);
    }
}
