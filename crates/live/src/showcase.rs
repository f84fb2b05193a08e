//! The list of live games on the site: at most `MAX_GAMES` of them, updated once a second for all followers, and not at
//! all without followers. It uses the games in memory, not the database. Not here: the presence of players.

use crate::games::{ActiveGame, LiveGames};
use lozenge_game::time::now_ms;
use lozenge_wire::{GameSummary, LiveEvent, Status};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard, broadcast};
use tokio::time::Instant;

/// Most games in the list.
const MAX_GAMES: usize = 24;

/// Interval of updates: a game is sent at most once in it.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// After this time without a move a game may be replaced by an active one, in milliseconds.
const QUIET_MS: i64 = 5 * 60_000;

/// Messages that a slow follower may miss before it gets the whole list again.
const BACKLOG: usize = 2 * MAX_GAMES;

/// A game in the list.
#[derive(Clone, Debug)]
struct ListedGame {
    game: GameSummary,
    /// Number of its last event.
    seq: u64,
}

/// The games at the last update.
#[derive(Debug, Default)]
struct GameList {
    games: Vec<ListedGame>,
    at: Option<Instant>,
    /// Whether the task that updates every second runs.
    is_polled: bool,
}

/// The list and its followers, shared by clones.
#[derive(Clone, Debug)]
pub struct Showcase {
    list: Arc<Mutex<GameList>>,
    messages: broadcast::Sender<Arc<str>>,
}

impl Default for Showcase {
    fn default() -> Self {
        Self { list: Arc::default(), messages: broadcast::channel(BACKLOG).0 }
    }
}

impl Showcase {
    /// The current games.
    pub async fn list(&self, games: &LiveGames) -> Vec<GameSummary> {
        self.fresh(games).await.games.iter().map(|entry| entry.game.clone()).collect()
    }

    /// All current games as a message, and a receiver of later messages.
    pub async fn follow(&self, games: &LiveGames) -> (Arc<str>, broadcast::Receiver<Arc<str>>) {
        let mut list = self.fresh(games).await;
        // Under the lock, so that nothing is sent in between.
        let messages = self.messages.subscribe();
        if !list.is_polled {
            list.is_polled = true;
            tokio::spawn(update_while_followed(self.clone(), games.clone()));
        }
        let games = list.games.iter().map(|entry| entry.game.clone()).collect();
        (text(&LiveEvent::Games { games }), messages)
    }

    /// The games of at most a second ago.
    async fn fresh(&self, games: &LiveGames) -> MutexGuard<'_, GameList> {
        let mut list = self.list.lock().await;
        if list.at.is_none_or(|at| at.elapsed() >= UPDATE_INTERVAL) {
            self.update(games, &mut list).await;
        }
        list
    }

    /// Updates the list and sends the changes.
    async fn update(&self, games: &LiveGames, list: &mut GameList) {
        let playing = games.active_games(now_ms());
        let mut listed = Vec::with_capacity(MAX_GAMES);
        let mut events = Vec::new();
        for entry in &list.games {
            let id = &entry.game.id;
            let now = playing.iter().find(|game| game.id == *id);
            if now.is_some_and(|now| now.seq == entry.seq) {
                listed.push(entry.clone());
                continue;
            }
            match (now, games.summary(id).await) {
                (_, Some(game)) if game.status == Status::Finished => events.push(LiveEvent::End { game }),
                (Some(now), Some(game)) => {
                    if (game.ply, &game.fen) != (entry.game.ply, &entry.game.fen) {
                        events.push(LiveEvent::Move { game: game.clone() });
                    }
                    listed.push(ListedGame { game, seq: now.seq });
                }
                _ => events.push(LiveEvent::Left { id: id.clone() }),
            }
        }
        for new in candidates(&playing, &listed, now_ms()) {
            if listed.len() == MAX_GAMES {
                let Some(at) = quietest(&listed, now_ms()) else { break };
                events.push(LiveEvent::Left { id: listed.remove(at).game.id });
            }
            // It may have ended since.
            let Some(game) = games.summary(&new.id).await.filter(|game| game.status == Status::Started)
            else {
                continue;
            };
            events.push(LiveEvent::Begin { game: game.clone() });
            listed.insert(0, ListedGame { game, seq: new.seq });
        }
        list.games = listed;
        list.at = Some(Instant::now());
        for event in &events {
            // There may be no followers.
            let _ = self.messages.send(text(event));
        }
    }
}

/// Updates the list every second, until there are no followers.
async fn update_while_followed(showcase: Showcase, games: LiveGames) {
    loop {
        tokio::time::sleep(UPDATE_INTERVAL).await;
        let mut list = showcase.list.lock().await;
        if showcase.messages.receiver_count() == 0 {
            *list = GameList::default();
            return;
        }
        showcase.update(&games, &mut list).await;
    }
}

/// Games that could join the showcase, the most recently active first: as many as there is room
/// for, and further ones only if they go on.
fn candidates<'a>(playing: &'a [ActiveGame], games: &[ListedGame], now: i64) -> Vec<&'a ActiveGame> {
    let unknown = |game: &&ActiveGame| games.iter().all(|entry| entry.game.id != game.id);
    let room = MAX_GAMES.saturating_sub(games.len());
    let mut new: Vec<_> = playing
        .iter()
        .filter(unknown)
        .enumerate()
        .filter(|(index, game)| *index < room || now - game.updated_at < QUIET_MS)
        .map(|(_, game)| game)
        .collect();
    // The newest is put in last, and so stands first; but it must not be the one that finds no room.
    new.truncate(MAX_GAMES);
    if new.len() <= room {
        new.reverse();
    }
    new
}

/// The game to replace: the one without a move for the longest time, if that is long enough.
fn quietest(games: &[ListedGame], now: i64) -> Option<usize> {
    let (at, entry) = games.iter().enumerate().min_by_key(|(_, entry)| entry.game.updated_at)?;
    (now - entry.game.updated_at >= QUIET_MS).then_some(at)
}

/// A message as a line. Serializing the wire's types cannot fail.
fn text(event: &LiveEvent) -> Arc<str> {
    (serde_json::to_string(event).unwrap_or_default() + "\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_wire::{Color, GameResult, Speed};

    fn playing(id: usize, updated_at: i64) -> ActiveGame {
        ActiveGame { id: id.to_string(), seq: 1, updated_at }
    }

    fn entry(id: usize, updated_at: i64) -> ListedGame {
        let game = GameSummary {
            id: id.to_string(),
            variant: "diamond".into(),
            variant_name: "Diamond Chess".into(),
            digest: String::new(),
            rated: false,
            speed: Speed::Unlimited,
            clock: None,
            white: None,
            black: None,
            seats: Vec::new(),
            created_at: 0,
            updated_at,
            ply: 0,
            fen: String::new(),
            last: Vec::new(),
            turn: Color::White,
            status: Status::Started,
            result: GameResult::Unknown,
            reason: None,
        };
        ListedGame { game, seq: 1 }
    }

    #[test]
    fn newest_games_replace_only_quiet_games() {
        let now = 10 * QUIET_MS;
        let all: Vec<_> = (0..40).map(|id| playing(id, now - id as i64)).collect();
        let ids = |games: Vec<&ActiveGame>| games.iter().map(|game| game.id.clone()).collect::<Vec<_>>();
        // Nothing is listed yet: the newest 24.
        let first = candidates(&all, &[], now);
        assert_eq!(first.len(), MAX_GAMES);
        assert_eq!(first.iter().filter(|game| game.updated_at > now - MAX_GAMES as i64).count(), MAX_GAMES);
        // One slot is free.
        let mut games: Vec<_> = (1..MAX_GAMES).map(|id| entry(id, now - id as i64)).collect();
        assert_eq!(ids(candidates(&all, &games, now)).first(), Some(&"0".to_owned()));
        // All slots are taken by active games.
        games.push(entry(0, now));
        assert_eq!(quietest(&games, now), None);
        games[3].game.updated_at = now - QUIET_MS;
        assert_eq!(quietest(&games, now), Some(3));
        // An old game does not drive out another old one.
        let old: Vec<_> = (50..60).map(|id| playing(id, now - QUIET_MS)).collect();
        assert!(candidates(&old, &games, now).is_empty());
    }
}
