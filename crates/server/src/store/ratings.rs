//! Ratings, and how they came about.

use super::{Store, StoreError, read_word, word};
use crate::rating::beginner;
use lozenge_wire::{RatingEntry, Speed};

type Row = (String, String, f64, f64, f64, i64);

fn entry((variant, speed, rating, deviation, volatility, games): Row) -> Result<RatingEntry, StoreError> {
    let speed = read_word("a speed", &speed)?;
    Ok(RatingEntry { variant, speed, rating, deviation, volatility, games: games as u32 })
}

/// A rating after a game.
#[derive(Clone, Debug, sqlx::FromRow, serde::Serialize)]
pub(crate) struct RatedRow {
    variant: String,
    speed: String,
    at: i64,
    game: String,
    rating: f64,
}

impl Store {
    /// How all ratings of a user went, oldest first.
    pub(crate) async fn rating_histories(&self, owner: &str) -> Result<Vec<RatedRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT variant, speed, at, game, rating FROM rating_history WHERE owner = $1 ORDER BY at, game",
        )
        .bind(owner)
        .fetch_all(&self.pool)
        .await?)
    }

    /// A user's rating, or a beginner's.
    pub(crate) async fn rating(
        &self,
        owner: &str,
        variant: &str,
        speed: Speed,
    ) -> Result<RatingEntry, StoreError> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT variant, speed, rating, deviation, volatility, games FROM ratings \
             WHERE owner = $1 AND variant = $2 AND speed = $3",
        )
        .bind(owner)
        .bind(variant)
        .bind(word(&speed))
        .fetch_optional(&self.pool)
        .await?;
        row.map_or_else(|| Ok(beginner(variant, speed)), entry)
    }

    /// All ratings of a user.
    pub(crate) async fn ratings(&self, owner: &str) -> Result<Vec<RatingEntry>, StoreError> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT variant, speed, rating, deviation, volatility, games FROM ratings WHERE owner = $1 \
             ORDER BY games DESC, variant, speed",
        )
        .bind(owner)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter().map(entry).collect()
    }

    /// How a rating went: times in Unix milliseconds, and ratings.
    pub(crate) async fn rating_history(
        &self,
        owner: &str,
        variant: &str,
        speed: Speed,
    ) -> Result<Vec<(i64, f64)>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT at, rating FROM rating_history WHERE owner = $1 AND variant = $2 AND speed = $3 ORDER BY at",
        )
        .bind(owner)
        .bind(variant)
        .bind(word(&speed))
        .fetch_all(&self.pool)
        .await?)
    }

    /// Keeps a new rating; a game that has been rated already changes nothing.
    pub(crate) async fn keep_rating(
        &self,
        owner: &str,
        entry: &RatingEntry,
        game: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin().await?;
        let added = sqlx::query(
            "INSERT INTO rating_history (owner, variant, speed, at, game, rating) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (owner, variant, speed, game) DO NOTHING",
        )
        .bind(owner)
        .bind(entry.variant.as_str())
        .bind(word(&entry.speed))
        .bind(at)
        .bind(game)
        .bind(entry.rating)
        .execute(&mut *transaction)
        .await?;
        if added.rows_affected() == 1 {
            sqlx::query(
                "INSERT INTO ratings (owner, variant, speed, rating, deviation, volatility, games, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (owner, variant, speed) DO UPDATE SET \
                 rating = excluded.rating, deviation = excluded.deviation, volatility = excluded.volatility, \
                 games = excluded.games, updated_at = excluded.updated_at",
            )
            .bind(owner)
            .bind(entry.variant.as_str())
            .bind(word(&entry.speed))
            .bind(entry.rating)
            .bind(entry.deviation)
            .bind(entry.volatility)
            .bind(i64::from(entry.games))
            .bind(at)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}
