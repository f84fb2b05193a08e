//! Feeds the opening explorer: finished public games, a few at a time, and the books of engine games that come with the
//! program. Follows the games by when they ended and goes back a little each time, because a game may be written later
//! than one that ended after it. A game that has been counted is not counted again.

use super::{GameError, LiveGames};
use lozenge_game::CountedGame;
use lozenge_game::time::DAY_MS;
use lozenge_rules::notation::book::Book;
use lozenge_rules::variant::Variant;
use lozenge_store::{ExploredGame, StoreError};
use sha2::{Digest as _, Sha256};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Most games of one transaction: moves wait for it.
const AT_ONCE: usize = 4;
/// Between two transactions while there is more to count.
const BATCH_DELAY: Duration = Duration::from_millis(20);
/// Counting a book takes at most this part of the time: it is not urgent, and large.
const BOOK_SHARE: u32 = 5;
/// The pause between two searches for finished games.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The pause after a failure of the database.
const RETRY_DELAY: Duration = Duration::from_secs(20);
/// How far to look back: a game is written seconds after it has ended, or not at all.
const OVERLAP_MS: i64 = 10 * 60_000;
/// How far to look back after a start, when the clock may have been set back.
const FIRST_OVERLAP_MS: i64 = DAY_MS;

/// A book that the explorer counts.
struct OpenBook<'b> {
    book: Book<'b>,
    variant: Arc<Variant>,
    /// The digest of the variant's rules.
    rules: String,
    /// That of the book and the rules together.
    digest: String,
    /// How many of its games have been counted.
    done: usize,
}

impl LiveGames {
    /// Feeds the explorer until the database is closed: games as they end, and between them these books, once
    /// `books_after` has passed.
    pub async fn feed_explorer(self, books: Arc<[Cow<'static, [u8]>]>, books_after: Duration) {
        let start = Instant::now();
        let mut overlap = FIRST_OVERLAP_MS;
        let mut open: Vec<OpenBook<'_>> = books.iter().filter_map(|bytes| self.open_book(bytes)).collect();
        let mut found = false;
        loop {
            if !self.is_leader().await {
                tokio::time::sleep(RETRY_DELAY).await;
                // Another server may have counted some.
                found = false;
                continue;
            }
            let is_book_due = start.elapsed() >= books_after;
            let mut taken = Duration::ZERO;
            let counting = async {
                let games = self.explore_some(overlap).await?;
                if !is_book_due {
                    return Ok::<_, GameError>((games, false));
                }
                if !found {
                    self.find_counted_books(&mut open).await?;
                    found = true;
                }
                let begun = Instant::now();
                let more = self.explore_books(&mut open).await?;
                taken = begun.elapsed();
                Ok((games, more))
            };
            let pause = match counting.await {
                Ok((_, true)) => BATCH_DELAY.max(taken * (BOOK_SHARE - 1)),
                Ok((AT_ONCE, false)) => BATCH_DELAY,
                Ok(_) => {
                    overlap = OVERLAP_MS;
                    POLL_INTERVAL
                }
                Err(GameError::Store(StoreError::Database(sqlx::Error::PoolClosed))) => return,
                Err(error) => {
                    tracing::warn!(%error, "could not count games for the explorer");
                    RETRY_DELAY
                }
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Counts the next games, and returns how many.
    pub(super) async fn explore_some(&self, overlap: i64) -> Result<usize, GameError> {
        let store = &self.shared.store;
        let since = store.explored_until().await? - overlap;
        let mut games = Vec::new();
        for row in store.unexplored_games(since, AT_ONCE).await? {
            let counted = match self.count_game(&row.id).await {
                Ok(counted) => counted,
                Err(error @ GameError::Store(StoreError::Database(_))) => return Err(error),
                Err(error) => {
                    tracing::error!(%error, game = row.id, "a game could not be counted for the explorer");
                    None
                }
            };
            games.push(ExploredGame { id: row.id, at: row.updated_at, counted });
        }
        store.explore(&games).await?;
        Ok(games.len())
    }

    async fn count_game(&self, id: &str) -> Result<Option<CountedGame>, GameError> {
        let Some(record) = self.record(id).await? else { return Ok(None) };
        Ok(CountedGame::of(&record.replay()?))
    }

    /// A book of a game that is here.
    fn open_book<'b>(&self, bytes: &'b [u8]) -> Option<OpenBook<'b>> {
        let book = match Book::parse(bytes) {
            Ok(book) => book,
            Err(error) => {
                tracing::error!(%error, "a book cannot be read");
                return None;
            }
        };
        let variant = self.shared.variants.game(book.variant)?;
        let rules = self.shared.variants.digest(&variant);
        let digest = Sha256::new().chain_update(&rules).chain_update(bytes).finalize();
        let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(OpenBook { book, variant, rules, digest, done: 0 })
    }

    /// Deletes the counts of all books if a counted one is gone, and looks up how many games of each have been counted.
    async fn find_counted_books(&self, open: &mut [OpenBook<'_>]) -> Result<(), StoreError> {
        let digests: Vec<String> = open.iter().map(|open| open.digest.clone()).collect();
        self.shared.store.keep_books(&digests).await?;
        for open in open {
            open.done = self.shared.store.explored_of_book(&open.digest).await?;
        }
        Ok(())
    }

    /// Counts some games of the first book that has not been counted, and returns whether there are more.
    async fn explore_books(&self, open: &mut Vec<OpenBook<'_>>) -> Result<bool, StoreError> {
        open.retain(|open| open.done < open.book.len());
        let Some(next) = open.first_mut() else { return Ok(false) };
        let last = next.book.len().min(next.done + AT_ONCE);
        let mut counted = Vec::with_capacity(AT_ONCE);
        for number in next.done..last {
            match next.book.game(&next.variant, number) {
                Some(Ok(game)) => counted.push(CountedGame::of_book(&next.rules, &game)),
                Some(Err(error)) => {
                    tracing::error!(%error, variant = next.variant.id(), number, "a book does not fit its game");
                    next.done = next.book.len();
                    return Ok(true);
                }
                None => {}
            }
        }
        self.shared.store.explore_book(&next.digest, next.done, &counted).await?;
        next.done = last;
        Ok(true)
    }
}
