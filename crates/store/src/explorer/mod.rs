//! The opening explorer: entries by position and month, and which games they have counted.

use super::games::{COLUMNS, SEATS};
use super::{GameRow, Store, StoreError};
use lozenge_game::{BOOK_MONTH, CountedGame, ExplorerEntry, ExplorerFilter, ExplorerSum};
use sqlx::{Any, AssertSqlSafe, Transaction};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A finished game on its way into the explorer.
#[derive(Clone, Debug)]
pub struct ExploredGame {
    /// The game's id.
    pub id: String,
    /// When it ended, in Unix milliseconds.
    pub at: i64,
    /// Its contribution; `None` for a game that cannot be read, so that it is not tried again.
    pub counted: Option<CountedGame>,
}

impl Store {
    /// When the last game that is in the explorer ended, in Unix milliseconds.
    pub async fn explored_until(&self) -> Result<i64, StoreError> {
        let (at,): (i64,) =
            sqlx::query_as("SELECT at FROM explorer_cursor WHERE one = 1").fetch_one(&self.pool).await?;
        Ok(at)
    }

    /// The first finished public games that ended at a moment or later and are not in the explorer.
    pub async fn unexplored_games(&self, since: i64, most: usize) -> Result<Vec<GameRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM games WHERE updated_at >= $1 AND status = 'finished' AND result <> '*' \
             AND visibility = 'public' AND NOT EXISTS (SELECT 1 FROM explorer_games WHERE game = games.id) \
             ORDER BY updated_at, id LIMIT $2"
        );
        Ok(sqlx::query_as(AssertSqlSafe(sql)).bind(since).bind(most as i64).fetch_all(&self.pool).await?)
    }

    /// Counts games, each once: all of this is one transaction.
    pub async fn explore(&self, games: &[ExploredGame]) -> Result<(), StoreError> {
        let Some(last) = games.iter().map(|game| game.at).max() else { return Ok(()) };
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let (end,): (i64,) = sqlx::query_as(
            "UPDATE explorer_cursor SET number = number + $1, at = CASE WHEN at < $2 THEN $2 ELSE at END \
             WHERE one = 1 RETURNING number",
        )
        .bind(games.len() as i64)
        .bind(last)
        .fetch_one(&mut *transaction)
        .await?;
        let mut changes = BTreeMap::new();
        for (number, game) in (end - games.len() as i64 + 1..).zip(games) {
            let added = sqlx::query(
                "INSERT INTO explorer_games (game, number, at) VALUES ($1, $2, $3) ON CONFLICT (game) DO NOTHING",
            )
            .bind(game.id.as_str())
            .bind(number)
            .bind(game.at)
            .execute(&mut *transaction)
            .await?;
            if let (1, Some(counted)) = (added.rows_affected(), &game.counted) {
                count(&mut changes, counted, u64::try_from(number).ok());
            }
        }
        merge(&mut transaction, changes).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// How many games of a book are in the explorer.
    pub async fn explored_of_book(&self, digest: &str) -> Result<usize, StoreError> {
        let row: Option<(i64,)> = sqlx::query_as("SELECT games FROM explorer_books WHERE digest = $1")
            .bind(digest)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.and_then(|(games,)| usize::try_from(games).ok()).unwrap_or_default())
    }

    /// Counts the next games of a book, after those that have been counted: one transaction.
    pub async fn explore_book(
        &self,
        digest: &str,
        done: usize,
        games: &[CountedGame],
    ) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let moved = sqlx::query(
            "INSERT INTO explorer_books (digest, games) VALUES ($1, $2) \
             ON CONFLICT (digest) DO UPDATE SET games = excluded.games WHERE explorer_books.games = $3",
        )
        .bind(digest)
        .bind((done + games.len()) as i64)
        .bind(done as i64)
        .execute(&mut *transaction)
        .await?;
        if moved.rows_affected() == 1 {
            let mut changes = BTreeMap::new();
            games.iter().for_each(|game| count(&mut changes, game, None));
            merge(&mut transaction, changes).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes the counts of all books if the explorer has counted one that is not among these.
    pub async fn keep_books(&self, digests: &[String]) -> Result<(), StoreError> {
        let known: Vec<(String,)> =
            sqlx::query_as("SELECT digest FROM explorer_books").fetch_all(&self.pool).await?;
        if known.iter().all(|(digest,)| digests.contains(digest)) {
            return Ok(());
        }
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        sqlx::query("DELETE FROM explorer_books").execute(&mut *transaction).await?;
        sqlx::query("DELETE FROM explorer WHERE month = $1")
            .bind(BOOK_MONTH)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The moves played from a position in these months, in games that match a filter.
    pub async fn explored(
        &self,
        key: i64,
        months: RangeInclusive<i64>,
        filter: &ExplorerFilter,
    ) -> Result<ExplorerSum, StoreError> {
        let rows: Vec<(Vec<u8>,)> =
            sqlx::query_as("SELECT entry FROM explorer WHERE key = $1 AND month BETWEEN $2 AND $3")
                .bind(key)
                .bind(*months.start())
                .bind(*months.end())
                .fetch_all(&self.pool)
                .await?;
        let mut sum = ExplorerSum::default();
        for (bytes,) in rows {
            sum.add(&bytes, filter).ok_or_else(|| damaged(&bytes))?;
        }
        Ok(sum)
    }

    /// The public games with these numbers in the explorer, the largest number first.
    pub async fn explored_games(&self, numbers: &[u64]) -> Result<Vec<GameRow>, StoreError> {
        let mut rows = Vec::with_capacity(numbers.len());
        let sql = format!(
            "SELECT {COLUMNS} FROM games WHERE visibility = 'public' \
             AND id = (SELECT game FROM explorer_games WHERE number = $1)"
        );
        for &number in numbers {
            let query = sqlx::query_as(AssertSqlSafe(sql.clone())).bind(number.cast_signed());
            rows.extend(query.fetch_optional(&self.pool).await?);
        }
        Ok(rows)
    }

    /// Whether a player is in the midst of a live game of these rules against a person.
    pub async fn plays_live(&self, player: &str, variant: &str) -> Result<bool, StoreError> {
        let person = |seat| format!("CASE WHEN {seat} IS NULL OR {seat} = 'engine' THEN 0 ELSE 1 END");
        let sql = format!(
            "SELECT CAST(1 AS BIGINT) FROM games WHERE (white = $1 OR black = $1 OR third = $1 OR fourth = $1) \
             AND status = 'started' AND variant = $2 AND speed IN ('bullet', 'blitz', 'rapid', 'classical') \
             AND {} > 1 LIMIT 1",
            SEATS.map(person).join(" + ")
        );
        let row: Option<(i64,)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(player).bind(variant).fetch_optional(&self.pool).await?;
        Ok(row.is_some())
    }
}

/// Contributions of games, by position and month.
type Changes = BTreeMap<(i64, i64), ExplorerEntry>;

fn count(changes: &mut Changes, game: &CountedGame, number: Option<u64>) {
    for visit in &game.visits {
        changes.entry((visit.key, game.month)).or_default().count(game, visit, number);
    }
}

async fn merge(transaction: &mut Transaction<'_, Any>, changes: Changes) -> Result<(), StoreError> {
    for ((key, month), mut change) in changes {
        let old: Option<(Vec<u8>,)> =
            sqlx::query_as("SELECT entry FROM explorer WHERE key = $1 AND month = $2")
                .bind(key)
                .bind(month)
                .fetch_optional(&mut **transaction)
                .await?;
        if let Some((bytes,)) = old {
            change.merge(&decode(&bytes)?);
        }
        sqlx::query(
            "INSERT INTO explorer (key, month, entry) VALUES ($1, $2, $3) \
             ON CONFLICT (key, month) DO UPDATE SET entry = excluded.entry",
        )
        .bind(key)
        .bind(month)
        .bind(change.encode())
        .execute(&mut **transaction)
        .await?;
    }
    Ok(())
}

fn decode(bytes: &[u8]) -> Result<ExplorerEntry, StoreError> {
    ExplorerEntry::decode(bytes).ok_or_else(|| damaged(bytes))
}

fn damaged(bytes: &[u8]) -> StoreError {
    StoreError::Content { expected: "an entry of the explorer", found: format!("{} bytes", bytes.len()) }
}

#[cfg(test)]
mod tests;
