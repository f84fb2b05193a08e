//! Ratings, and how they came about.

use super::games::PLAYERS;
use super::row::from_row;
use super::{Store, StoreError, UserRow, read_word, word};
use lozenge_game::{FinishedGame, new_rating};
use lozenge_wire::{Leader, Player, RatingEntry, Speed};

type Row = (String, String, f64, f64, f64, i64);

fn entry((variant, speed, rating, deviation, volatility, games): Row) -> Result<RatingEntry, StoreError> {
    let speed = read_word("a speed", &speed)?;
    Ok(RatingEntry { variant, speed, rating, deviation, volatility, games: games as u32 })
}

/// A rating after a game.
#[derive(Clone, Debug, serde::Serialize)]
pub struct RatedRow {
    variant: String,
    speed: String,
    at: i64,
    game: String,
    rating: f64,
}

from_row!(RatedRow { variant, speed, at, game, rating });

/// The kind of players in a leaderboard.
#[derive(Clone, Copy, Debug)]
pub struct LeaderFilter {
    /// Bots instead of people.
    pub bots: bool,
    /// The highest deviation of a settled rating: all others come after those.
    pub settled: f64,
    /// When the last rated game ended at the earliest, in Unix milliseconds.
    pub active_since: i64,
    /// Most players of one game and speed.
    pub limit: i64,
}

/// A player of a leaderboard as the database has it.
#[derive(Debug)]
struct LeaderRow {
    variant: String,
    speed: String,
    rating: f64,
    deviation: f64,
    games: i64,
    updated_at: i64,
    user: UserRow,
}

from_row!(LeaderRow { variant, speed, rating, deviation, games, updated_at; user });

/// A game that is to be rated, as the database has it.
#[derive(Debug)]
struct UnratedRow {
    id: String,
    variant: String,
    speed: String,
    result: String,
    updated_at: i64,
    white: Option<String>,
    black: Option<String>,
    third: Option<String>,
    fourth: Option<String>,
}

from_row!(UnratedRow { id, variant, speed, result, updated_at, white, black, third, fourth });

impl Store {
    /// The best players of each game and speed, or of one: game, speed and player, the highest settled rating of each first.
    pub async fn leaders(
        &self,
        of: Option<(&str, Speed)>,
        filter: LeaderFilter,
    ) -> Result<Vec<(String, Speed, Leader)>, StoreError> {
        let one = if of.is_some() { "AND ratings.variant = $5 AND ratings.speed = $6" } else { "" };
        let sql = format!(
            "SELECT * FROM (SELECT ratings.variant, ratings.speed, rating, deviation, games, updated_at, {}, \
             ROW_NUMBER() OVER (PARTITION BY ratings.variant, ratings.speed \
             ORDER BY CASE WHEN deviation <= $2 THEN 0 ELSE 1 END, rating DESC, owner) AS place \
             FROM ratings JOIN users ON users.id = ratings.owner WHERE name IS NOT NULL AND bot = $1 \
             AND closed_at IS NULL AND banned_at IS NULL \
             AND updated_at >= $3 {one}) AS ranked WHERE place <= $4 ORDER BY variant, speed, place",
            super::users::COLUMNS
        );
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(i64::from(filter.bots))
            .bind(filter.settled)
            .bind(filter.active_since)
            .bind(filter.limit);
        let query = match of {
            Some((variant, speed)) => query.bind(variant.to_owned()).bind(word(&speed)),
            None => query,
        };
        let rows: Vec<LeaderRow> = query.fetch_all(&self.pool).await?;
        rows.into_iter()
            .map(|row| {
                let speed = read_word("a speed", &row.speed)?;
                let rating = Some(row.rating.round() as i32);
                let provisional = row.deviation > filter.settled;
                let player = Player { rating, provisional, ..row.user.player() };
                let leader = Leader {
                    player,
                    deviation: row.deviation,
                    games: row.games as u32,
                    active_at: row.updated_at,
                };
                Ok((row.variant, speed, leader))
            })
            .collect()
    }

    /// How all ratings of a user went, oldest first.
    pub async fn rating_histories(&self, owner: &str) -> Result<Vec<RatedRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT variant, speed, at, game, rating FROM rating_history WHERE owner = $1 ORDER BY at, game",
        )
        .bind(owner)
        .fetch_all(&self.pool)
        .await?)
    }

    /// A user's rating, or a beginner's.
    pub async fn rating(&self, owner: &str, variant: &str, speed: Speed) -> Result<RatingEntry, StoreError> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT variant, speed, rating, deviation, volatility, games FROM ratings \
             WHERE owner = $1 AND variant = $2 AND speed = $3",
        )
        .bind(owner)
        .bind(variant)
        .bind(word(&speed))
        .fetch_optional(&self.pool)
        .await?;
        row.map_or_else(|| Ok(new_rating(variant, speed)), entry)
    }

    /// All ratings of a user.
    pub async fn ratings(&self, owner: &str) -> Result<Vec<RatingEntry>, StoreError> {
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
    pub async fn rating_history(
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

    /// Keeps what a game has made of its players' ratings, all or none: `change` makes the new ones of the old. A game that has
    /// been rated already changes nothing. Players without an account count with the rating of a beginner.
    pub async fn rate_game(
        &self,
        game: &FinishedGame,
        owners: &[Option<&str>],
        change: impl FnOnce(&[RatingEntry]) -> Vec<RatingEntry>,
    ) -> Result<(), StoreError> {
        let (variant, speed) = (game.variant.as_str(), word(&game.speed));
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        // All rows are written first, so that no other transaction changes them meanwhile; always in the same order, so that no two
        // wait for each other.
        let mut in_order: Vec<&str> = owners.iter().flatten().copied().collect();
        in_order.sort_unstable();
        let new = new_rating(variant, game.speed);
        for owner in in_order {
            sqlx::query(
                "INSERT INTO ratings (owner, variant, speed, rating, deviation, volatility, games, updated_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, 0, $7) ON CONFLICT (owner, variant, speed) DO UPDATE SET \
                 games = ratings.games",
            )
            .bind(owner)
            .bind(variant)
            .bind(speed.as_str())
            .bind(new.rating)
            .bind(new.deviation)
            .bind(new.volatility)
            .bind(game.at)
            .execute(&mut *transaction)
            .await?;
        }
        let mut old = Vec::with_capacity(owners.len());
        for owner in owners {
            let Some(owner) = *owner else {
                old.push(new.clone());
                continue;
            };
            let row: Row = sqlx::query_as(
                "SELECT variant, speed, rating, deviation, volatility, games FROM ratings \
                 WHERE owner = $1 AND variant = $2 AND speed = $3",
            )
            .bind(owner)
            .bind(variant)
            .bind(speed.as_str())
            .fetch_one(&mut *transaction)
            .await?;
            old.push(entry(row)?);
        }
        for ((owner, old), new) in owners.iter().zip(&old).zip(change(&old)) {
            let Some(owner) = *owner else { continue };
            let added = sqlx::query(
                "INSERT INTO rating_history (owner, variant, speed, at, game, rating, rating_before) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (owner, variant, speed, game) DO NOTHING",
            )
            .bind(owner)
            .bind(variant)
            .bind(speed.as_str())
            .bind(game.at)
            .bind(game.game.as_str())
            .bind(new.rating)
            .bind(old.rating)
            .execute(&mut *transaction)
            .await?;
            if added.rows_affected() == 1 {
                sqlx::query(
                    "UPDATE ratings SET rating = $1, deviation = $2, volatility = $3, games = $4, updated_at = $5 \
                     WHERE owner = $6 AND variant = $7 AND speed = $8",
                )
                .bind(new.rating)
                .bind(new.deviation)
                .bind(new.volatility)
                .bind(i64::from(new.games))
                .bind(game.at)
                .bind(owner)
                .bind(variant)
                .bind(speed.as_str())
                .execute(&mut *transaction)
                .await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// A player's rating before and after a game; none if it has not been rated.
    pub async fn rating_change(
        &self,
        game: &FinishedGame,
        owner: &str,
    ) -> Result<Option<(f64, f64)>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT COALESCE(rating_before, rating), rating FROM rating_history \
             WHERE owner = $1 AND variant = $2 AND speed = $3 AND game = $4",
        )
        .bind(owner)
        .bind(game.variant.as_str())
        .bind(word(&game.speed))
        .bind(game.game.as_str())
        .fetch_optional(&self.pool)
        .await?)
    }

    /// Rated games in which all players have moved, that have ended since a moment (Unix milliseconds) and have not been rated
    /// for all of them who have an account, in the order in which they ended. Both players of a game of two must have one.
    pub async fn unrated_games(&self, since: i64) -> Result<Vec<FinishedGame>, StoreError> {
        const SEATS: &str = "(games.white, games.black, games.third, games.fourth)";
        const LEAST_ACCOUNTS: &str = "CASE WHEN games.third IS NULL THEN 2 ELSE 1 END";
        const ACCOUNTS: &str = "SELECT COUNT(*) FROM users WHERE users.id IN";
        let sql = format!(
            "SELECT id, variant, speed, result, updated_at, white, black, third, fourth FROM games \
             WHERE updated_at >= $1 AND rated = 1 AND status = 'finished' AND result <> '*' AND ply >= {PLAYERS} \
             AND ({ACCOUNTS} {SEATS}) >= {LEAST_ACCOUNTS} \
             AND (SELECT COUNT(*) FROM rating_history AS h WHERE h.owner IN {SEATS} \
             AND h.variant = games.variant AND h.speed = games.speed AND h.game = games.id) < ({ACCOUNTS} {SEATS}) \
             ORDER BY updated_at"
        );
        let rows: Vec<UnratedRow> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(since).fetch_all(&self.pool).await?;
        rows.into_iter()
            .map(|row| {
                let UnratedRow { id: game, variant, speed, result, updated_at: at, .. } = row;
                let (speed, result) = (read_word("a speed", &speed)?, read_word("a result", &result)?);
                let mut players = vec![row.white, row.black];
                players.extend([row.third, row.fourth].into_iter().filter(Option::is_some));
                // Deleted accounts have no id.
                let players = players.into_iter().map(|id| id.filter(|id| !id.is_empty())).collect();
                Ok(FinishedGame { game, variant, speed, players, result, at })
            })
            .collect()
    }
}
