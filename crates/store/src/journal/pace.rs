//! Whether moves of several games come so fast that they are worth waiting for: then they share transactions.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;
use tokio::time::Instant;

/// There are several games if the last [`WINDOW`] appends are of at least [`MIN_GAMES`], all of them within
/// [`WINDOW_TIME`], and in few transactions: a task that writes one game after the other would wait in vain.
const WINDOW: usize = 16;
const MIN_GAMES: usize = 8;
const WINDOW_TIME: Duration = Duration::from_millis(250);
const MAX_TRANSACTIONS: usize = 13;

/// The last appends, which show whether several games are played at once.
#[derive(Debug, Default)]
pub(super) struct Pace(VecDeque<(String, Instant)>);

impl Pace {
    /// Notes an append of a transaction that begins now.
    pub(super) fn note(&mut self, game: &str, now: Instant) {
        if self.0.len() == WINDOW {
            self.0.pop_front();
        }
        self.0.push_back((game.to_owned(), now));
    }

    /// Whether moves of several games come so fast that they share transactions already.
    pub(super) fn is_shared(&self, now: Instant) -> bool {
        let is_fast =
            self.0.front().is_some_and(|(_, first)| self.0.len() == WINDOW && now - *first < WINDOW_TIME);
        let games: BTreeSet<&str> = self.0.iter().map(|(game, _)| game.as_str()).collect();
        let transactions: BTreeSet<Instant> = self.0.iter().map(|(_, begun)| *begun).collect();
        is_fast && games.len() >= MIN_GAMES && transactions.len() <= MAX_TRANSACTIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_many_games_share_transactions_and_few_do_not_wait() {
        let shared = |games: u64, together: u64, apart_ms: u64| {
            let (mut pace, start) = (Pace::default(), Instant::now());
            let mut now = start;
            for number in 0..48 {
                now = start + Duration::from_millis(apart_ms * (number / together));
                pace.note(&format!("game {}", number % games), now);
            }
            pace.is_shared(now)
        };
        assert!(shared(200, 2, 10) && shared(200, 20, 10) && shared(8, 4, 2));
        assert!(!shared(2, 2, 1), "two bots that play as fast as they can");
        assert!(!shared(200, 1, 1), "one task that writes all games");
        assert!(!shared(200, 2, 40), "so few moves that none would come meanwhile");
        assert!(!Pace::default().is_shared(Instant::now()));
    }
}
