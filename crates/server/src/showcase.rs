//! The list of live games on the site: at most [`MAX_GAMES`] of them, updated once a second for all followers, and not at
//! all without followers. It uses the games in memory, not the database. Not here: the presence of players.

use crate::games::{ActiveGame, LiveGames};
use crate::time::now_ms;
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
struct Shown {
    game: GameSummary,
    /// Number of its last event.
    seq: u64,
}

/// The games at the last look.
#[derive(Debug, Default)]
struct Seen {
    games: Vec<Shown>,
    at: Option<Instant>,
    /// Whether the task that looks every second runs.
    watched: bool,
}

/// The list and its followers, shared by clones.
#[derive(Clone, Debug)]
pub(crate) struct Showcase {
    seen: Arc<Mutex<Seen>>,
    news: broadcast::Sender<Arc<str>>,
}

impl Default for Showcase {
    fn default() -> Self {
        Self { seen: Arc::default(), news: broadcast::channel(BACKLOG).0 }
    }
}

impl Showcase {
    /// The current games.
    pub(crate) async fn list(&self, games: &LiveGames) -> Vec<GameSummary> {
        self.fresh(games).await.games.iter().map(|shown| shown.game.clone()).collect()
    }

    /// All current games as a message, and a receiver of later messages.
    pub(crate) async fn follow(&self, games: &LiveGames) -> (Arc<str>, broadcast::Receiver<Arc<str>>) {
        let mut seen = self.fresh(games).await;
        // Under the lock, so that nothing is sent in between.
        let news = self.news.subscribe();
        if !seen.watched {
            seen.watched = true;
            tokio::spawn(watch(self.clone(), games.clone()));
        }
        let games = seen.games.iter().map(|shown| shown.game.clone()).collect();
        (text(&LiveEvent::Games { games }), news)
    }

    /// The games of at most a second ago.
    async fn fresh(&self, games: &LiveGames) -> MutexGuard<'_, Seen> {
        let mut seen = self.seen.lock().await;
        if seen.at.is_none_or(|at| at.elapsed() >= UPDATE_INTERVAL) {
            self.look(games, &mut seen).await;
        }
        seen
    }

    /// Updates the list and sends the changes.
    async fn look(&self, games: &LiveGames, seen: &mut Seen) {
        let playing = games.active_games(now_ms());
        let mut listed = Vec::with_capacity(MAX_GAMES);
        let mut events = Vec::new();
        for shown in &seen.games {
            let id = &shown.game.id;
            let now = playing.iter().find(|game| game.id == *id);
            if now.is_some_and(|now| now.seq == shown.seq) {
                listed.push(shown.clone());
                continue;
            }
            match (now, games.summary(id).await) {
                (_, Some(game)) if game.status == Status::Finished => events.push(LiveEvent::End { game }),
                (Some(now), Some(game)) => {
                    if (game.ply, &game.fen) != (shown.game.ply, &shown.game.fen) {
                        events.push(LiveEvent::Move { game: game.clone() });
                    }
                    listed.push(Shown { game, seq: now.seq });
                }
                _ => events.push(LiveEvent::Left { id: id.clone() }),
            }
        }
        for new in newcomers(&playing, &listed, now_ms()) {
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
            listed.insert(0, Shown { game, seq: new.seq });
        }
        seen.games = listed;
        seen.at = Some(Instant::now());
        for event in &events {
            // There may be no followers.
            let _ = self.news.send(text(event));
        }
    }
}

/// Updates the list every second, until there are no followers.
async fn watch(showcase: Showcase, games: LiveGames) {
    loop {
        tokio::time::sleep(UPDATE_INTERVAL).await;
        let mut seen = showcase.seen.lock().await;
        if showcase.news.receiver_count() == 0 {
            *seen = Seen::default();
            return;
        }
        showcase.look(&games, &mut seen).await;
    }
}

/// Games that could join the showcase, the most recently active first: as many as there is room
/// for, and further ones only if they go on.
fn newcomers<'a>(playing: &'a [ActiveGame], games: &[Shown], now: i64) -> Vec<&'a ActiveGame> {
    let unknown = |game: &&ActiveGame| games.iter().all(|shown| shown.game.id != game.id);
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
fn quietest(games: &[Shown], now: i64) -> Option<usize> {
    let (at, shown) = games.iter().enumerate().min_by_key(|(_, shown)| shown.game.updated_at)?;
    (now - shown.game.updated_at >= QUIET_MS).then_some(at)
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

    fn shown(id: usize, updated_at: i64) -> Shown {
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
            created_at: 0,
            updated_at,
            ply: 0,
            fen: String::new(),
            men: Vec::new(),
            last: Vec::new(),
            turn: Color::White,
            status: Status::Started,
            result: GameResult::Unknown,
            reason: None,
        };
        Shown { game, seq: 1 }
    }

    #[test]
    fn there_is_room_for_the_newest_and_only_quiet_games_make_more() {
        let now = 10 * QUIET_MS;
        let all: Vec<_> = (0..40).map(|id| playing(id, now - id as i64)).collect();
        let ids = |games: Vec<&ActiveGame>| games.iter().map(|game| game.id.clone()).collect::<Vec<_>>();
        // Nothing is listed yet: the newest 24.
        let first = newcomers(&all, &[], now);
        assert_eq!(first.len(), MAX_GAMES);
        assert_eq!(first.iter().filter(|game| game.updated_at > now - MAX_GAMES as i64).count(), MAX_GAMES);
        // One place is free.
        let mut games: Vec<_> = (1..MAX_GAMES).map(|id| shown(id, now - id as i64)).collect();
        assert_eq!(ids(newcomers(&all, &games, now)).first(), Some(&"0".to_owned()));
        // All places are taken by active games.
        games.push(shown(0, now));
        assert_eq!(quietest(&games, now), None);
        games[3].game.updated_at = now - QUIET_MS;
        assert_eq!(quietest(&games, now), Some(3));
        // An old game does not drive out another old one.
        let old: Vec<_> = (50..60).map(|id| playing(id, now - QUIET_MS)).collect();
        assert!(newcomers(&old, &games, now).is_empty());
    }
}
