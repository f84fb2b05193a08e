//! The games being played, as those who follow the list of them are told: at most [`MOST`] of them, looked at once a second
//! however many follow, and not at all while nobody does. Not here: who follows.

use crate::app::AppState;
use crate::error::AppError;
use crate::routes::game_line;
use crate::store::{GameRow, Listing};
use crate::time::now_ms;
use lozenge_wire::{GameSummary, LiveEvent};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, broadcast};
use tokio::time::Instant;

/// Most games that are told at once.
pub(crate) const MOST: usize = 24;

/// How often the games are looked at; so a game is told of at most once in this time, however fast it is.
const LOOK: Duration = Duration::from_secs(1);

/// A game in which nothing has happened for so long makes room for one that goes on, in milliseconds.
const QUIET_MS: i64 = 5 * 60_000;

/// Without a clock, a game in which nothing has happened for so long has been left, in milliseconds.
const LEFT_MS: i64 = 24 * 60 * 60_000;

/// Messages that a slow follower may be behind before it is told everything anew.
const BACKLOG: usize = 2 * MOST;

/// A game that is told.
#[derive(Clone, Debug)]
struct Shown {
    game: GameSummary,
    updated_at: i64,
}

/// What was seen when the games were last looked at.
#[derive(Debug, Default)]
struct Seen {
    games: Vec<Shown>,
    at: Option<Instant>,
    /// Whether somebody looks again every second.
    watched: bool,
}

/// The list and those who follow it. Clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Showcase {
    seen: Arc<Mutex<Seen>>,
    news: broadcast::Sender<Arc<str>>,
}

/// The public games being played, at most so many.
pub(crate) fn being_played(most: usize, now: i64) -> Listing {
    let alive_since = Some(now - LEFT_MS);
    Listing { status: Some("started"), alive_since, limit: most as i64, ..Listing::default() }
}

impl Default for Showcase {
    fn default() -> Self {
        Self { seen: Arc::default(), news: broadcast::channel(BACKLOG).0 }
    }
}

impl Showcase {
    /// All games as they are now, as a message, and what happens from now on.
    pub(crate) async fn follow(
        &self,
        state: &AppState,
    ) -> Result<(Arc<str>, broadcast::Receiver<Arc<str>>), AppError> {
        let mut seen = self.seen.lock().await;
        if seen.at.is_none_or(|at| at.elapsed() >= LOOK) {
            self.look(state, &mut seen).await?;
        }
        // Under the lock, so that nothing is told in between.
        let news = self.news.subscribe();
        if !seen.watched {
            seen.watched = true;
            tokio::spawn(watch(self.clone(), state.clone()));
        }
        let games = seen.games.iter().map(|shown| shown.game.clone()).collect();
        Ok((text(&LiveEvent::Games { games }), news))
    }

    /// Looks at the games, and tells what has changed since the last time.
    async fn look(&self, state: &AppState, seen: &mut Seen) -> Result<(), AppError> {
        let rows = state.store.games(&being_played(2 * MOST, now_ms())).await?;
        let mut games = Vec::with_capacity(MOST);
        let mut events = Vec::new();
        for shown in &seen.games {
            let id = &shown.game.id;
            let row = match rows.iter().find(|row| row.id == *id) {
                Some(row) => Some(row.clone()),
                None => state.store.game_row(id).await?,
            };
            match row.filter(|row| row.visibility == "public") {
                Some(row)
                    if row.status != "started"
                        || row.updated_at != shown.updated_at
                        || row.ply != i64::from(shown.game.ply) =>
                {
                    match game_line(state, &row).await {
                        Ok(game) if row.status != "started" => events.push(LiveEvent::End { game }),
                        Ok(game) => {
                            events.push(LiveEvent::Move { game: game.clone() });
                            games.push(Shown { game, updated_at: row.updated_at });
                        }
                        // One that cannot be read takes nobody the others.
                        Err(error) => {
                            tracing::error!(%error, game = id, "a game could not be shown any more");
                            events.push(LiveEvent::Left { id: id.clone() });
                        }
                    }
                }
                Some(_) => games.push(shown.clone()),
                None => events.push(LiveEvent::Left { id: id.clone() }),
            }
        }
        for row in newcomers(&rows, &games, now_ms()) {
            if games.len() == MOST {
                let Some(at) = quietest(&games, now_ms()) else { break };
                events.push(LiveEvent::Left { id: games.remove(at).game.id });
            }
            match game_line(state, row).await {
                Ok(game) => {
                    events.push(LiveEvent::Begin { game: game.clone() });
                    games.insert(0, Shown { game, updated_at: row.updated_at });
                }
                Err(error) => tracing::debug!(%error, game = row.id, "a game could not be shown"),
            }
        }
        seen.games = games;
        seen.at = Some(Instant::now());
        for event in &events {
            // Nobody may be following.
            let _ = self.news.send(text(event));
        }
        Ok(())
    }
}

/// Looks every second, until nobody follows any more.
async fn watch(showcase: Showcase, state: AppState) {
    loop {
        tokio::time::sleep(LOOK).await;
        let mut seen = showcase.seen.lock().await;
        if showcase.news.receiver_count() == 0 {
            *seen = Seen::default();
            return;
        }
        if let Err(error) = showcase.look(&state, &mut seen).await {
            tracing::warn!(%error, "the games being played could not be looked at");
        }
    }
}

/// Games that could be told and are not, those in which something has just happened first: as many as there is room
/// for, and further ones only if they go on.
fn newcomers<'a>(rows: &'a [GameRow], games: &[Shown], now: i64) -> Vec<&'a GameRow> {
    let unknown = |row: &&GameRow| games.iter().all(|shown| shown.game.id != row.id);
    let room = MOST.saturating_sub(games.len());
    let mut rows: Vec<_> = rows
        .iter()
        .filter(unknown)
        .enumerate()
        .filter(|(index, row)| *index < room || now - row.updated_at < QUIET_MS)
        .map(|(_, row)| row)
        .collect();
    // The newest is put in last, and so stands first; but it must not be the one that finds no room.
    rows.truncate(MOST);
    if rows.len() <= room {
        rows.reverse();
    }
    rows
}

/// The game that makes room for another: the one in which nothing has happened for longest, if that is long.
fn quietest(games: &[Shown], now: i64) -> Option<usize> {
    let (at, shown) = games.iter().enumerate().min_by_key(|(_, shown)| shown.updated_at)?;
    (now - shown.updated_at >= QUIET_MS).then_some(at)
}

/// A message as a line. The wire's types have no case that could fail.
fn text(event: &LiveEvent) -> Arc<str> {
    (serde_json::to_string(event).unwrap_or_default() + "\n").into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lozenge_wire::{Color, Speed, Status};

    fn row(id: usize, updated_at: i64) -> GameRow {
        GameRow {
            id: id.to_string(),
            digest: String::new(),
            variant: "diamond".into(),
            start_fen: String::new(),
            clock: None,
            rated: 0,
            visibility: "public".into(),
            maker: String::new(),
            white_player: None,
            black_player: None,
            previous: None,
            created_at: 0,
            updated_at,
            status: "started".into(),
            result: "*".into(),
            reason: None,
            ply: 0,
            fen: String::new(),
            last_move: None,
        }
    }

    fn shown(id: usize, updated_at: i64) -> Shown {
        let game = GameSummary {
            id: id.to_string(),
            variant: "diamond".into(),
            variant_name: "Diamond Chess".into(),
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
            result: "*".into(),
            reason: None,
        };
        Shown { game, updated_at }
    }

    #[test]
    fn there_is_room_for_the_newest_and_only_quiet_games_make_more() {
        let now = 10 * QUIET_MS;
        let rows: Vec<_> = (0..40).map(|id| row(id, now - id as i64)).collect();
        let ids = |rows: Vec<&GameRow>| rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>();
        // Nothing is told yet: the newest 24.
        let first = newcomers(&rows, &[], now);
        assert_eq!(first.len(), MOST);
        assert_eq!(first.iter().filter(|row| row.updated_at > now - MOST as i64).count(), MOST);
        // One place is free.
        let mut games: Vec<_> = (1..MOST).map(|id| shown(id, now - id as i64)).collect();
        assert_eq!(ids(newcomers(&rows, &games, now)).first(), Some(&"0".to_owned()));
        // All are taken, and nobody is quiet.
        games.push(shown(0, now));
        assert_eq!(quietest(&games, now), None);
        games[3].updated_at = now - QUIET_MS;
        assert_eq!(quietest(&games, now), Some(3));
        // An old game does not drive out another old one.
        let old: Vec<_> = (50..60).map(|id| row(id, now - QUIET_MS)).collect();
        assert!(newcomers(&old, &games, now).is_empty());
    }
}
