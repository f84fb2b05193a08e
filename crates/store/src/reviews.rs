//! Reviews of games, and the games that were imported to be reviewed.

use super::row::from_row;
use super::{Store, StoreError, read_json, write_json};
use lozenge_wire::review::GameReview;

/// A game that was played elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRow {
    /// The imported game's id.
    pub id: String,
    /// The id of the user who imported it.
    pub owner: String,
    /// The id of the game's rules.
    pub variant: String,
    /// The digest of the rules.
    pub digest: String,
    /// The game as PGN.
    pub pgn: String,
    /// When it was imported, in Unix milliseconds.
    pub created_at: i64,
}

from_row!(ImportRow { id, owner, variant, digest, pgn, created_at });

/// A review that was requested.
#[derive(Clone, Debug)]
pub struct ReviewRow {
    /// The id of the game that is reviewed.
    pub game: String,
    /// The rules it is made by.
    pub digest: String,
    /// The version of the engine.
    pub engine: String,
    /// Nodes for each position.
    pub nodes: i64,
    /// None until it is finished. Without names: who played is the game's to say, under today's names.
    pub data: Option<GameReview>,
    /// The id of the user who requested it.
    pub asked_by: String,
    /// When it was requested, in Unix milliseconds.
    pub at: i64,
}

type Row = (String, String, String, i64, Option<String>, String, i64);

fn read(row: Row) -> Result<ReviewRow, StoreError> {
    let (game, digest, engine, nodes, data, asked_by, at) = row;
    let data = data.map(|text| read_json("a review", &text)).transpose()?;
    Ok(ReviewRow { game, digest, engine, nodes, data, asked_by, at })
}

const COLUMNS: &str = "game, digest, engine, nodes, data, asked_by, at";

impl Store {
    /// Keeps an imported game, unless its owner has too many.
    pub async fn keep_import(&self, row: &ImportRow, most: i64) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT INTO imports (id, owner, variant, digest, pgn, created_at) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
             CAST($6 AS BIGINT) WHERE (SELECT COUNT(*) FROM imports WHERE owner = $2) < $7",
        )
        .bind(row.id.as_str())
        .bind(row.owner.as_str())
        .bind(row.variant.as_str())
        .bind(row.digest.as_str())
        .bind(row.pgn.as_str())
        .bind(row.created_at)
        .bind(most)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// An imported game.
    pub async fn import(&self, id: &str) -> Result<Option<ImportRow>, StoreError> {
        let sql = "SELECT id, owner, variant, digest, pgn, created_at FROM imports WHERE id = $1";
        Ok(sqlx::query_as(sql).bind(id).fetch_optional(&self.pool).await?)
    }

    /// Records that a review was requested; one that is there stays.
    pub async fn begin_review(&self, row: &ReviewRow) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO reviews (game, digest, engine, nodes, data, asked_by, at) \
             VALUES ($1, $2, $3, $4, NULL, $5, $6) ON CONFLICT (game) DO NOTHING",
        )
        .bind(row.game.as_str())
        .bind(row.digest.as_str())
        .bind(row.engine.as_str())
        .bind(row.nodes)
        .bind(row.asked_by.as_str())
        .bind(row.at)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }

    /// Writes a finished review down, without the names of the players: accounts are renamed and deleted.
    pub async fn finish_review(&self, game: &str, review: GameReview) -> Result<(), StoreError> {
        let unnamed = GameReview { white: String::new(), black: String::new(), ..review };
        sqlx::query("UPDATE reviews SET data = $2 WHERE game = $1")
            .bind(game)
            .bind(write_json(&unnamed))
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Forgets a review that is not finished.
    pub async fn cancel_review(&self, game: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM reviews WHERE game = $1 AND data IS NULL")
            .bind(game)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// The review of a game.
    pub async fn review(&self, game: &str) -> Result<Option<ReviewRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM reviews WHERE game = $1");
        let row: Option<Row> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(game).fetch_optional(&self.pool).await?;
        row.map(read).transpose()
    }

    /// The reviews that are not finished, the oldest first.
    pub async fn open_reviews(&self) -> Result<Vec<ReviewRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM reviews WHERE data IS NULL ORDER BY at, game");
        let rows: Vec<Row> = sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await?;
        rows.into_iter().map(read).collect()
    }
}
