//! Open challenges of one player to another.

use super::{Store, StoreError, read_json, write_json};
use lozenge_wire::NewChallenge;

/// A challenge as it is stored.
#[derive(Clone, Debug)]
pub struct ChallengeRow {
    /// The challenge's id.
    pub id: String,
    /// The id of the user who sent it.
    pub challenger: String,
    /// The id of the user it was sent to.
    pub challenged: String,
    /// The game that is proposed.
    pub terms: NewChallenge,
    /// When it was sent, in Unix milliseconds.
    pub created_at: i64,
    /// When it expires, in Unix milliseconds.
    pub expires_at: i64,
}

/// Most open challenges that one player has sent, and received.
const MAX_SENT: i64 = 10;
const MAX_RECEIVED: i64 = 30;

type Row = (String, String, String, String, i64, i64);

fn read(row: Row) -> Result<ChallengeRow, StoreError> {
    let (id, challenger, challenged, terms, created_at, expires_at) = row;
    let terms = read_json("the terms of a challenge", &terms)?;
    Ok(ChallengeRow { id, challenger, challenged, terms, created_at, expires_at })
}

const COLUMNS: &str = "id, challenger, challenged, terms, created_at, expires_at";

impl Store {
    /// Stores a challenge, unless one of the two has too many or there is one between them. Returns whether it was
    /// stored.
    pub async fn keep_challenge(&self, row: &ChallengeRow) -> Result<bool, StoreError> {
        self.drop_old_challenges(row.created_at).await?;
        let done = sqlx::query(
            "INSERT INTO challenges (id, challenger, challenged, terms, created_at, expires_at) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS BIGINT), \
             CAST($6 AS BIGINT) WHERE (SELECT COUNT(*) FROM challenges WHERE challenger = $2) < $7 \
             AND (SELECT COUNT(*) FROM challenges WHERE challenged = $3) < $8 \
             ON CONFLICT (challenger, challenged) DO NOTHING",
        )
        .bind(row.id.as_str())
        .bind(row.challenger.as_str())
        .bind(row.challenged.as_str())
        .bind(write_json(&row.terms))
        .bind(row.created_at)
        .bind(row.expires_at)
        .bind(MAX_SENT)
        .bind(MAX_RECEIVED)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// An open challenge by id.
    pub async fn challenge(&self, id: &str, now: i64) -> Result<Option<ChallengeRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM challenges WHERE id = $1 AND expires_at > $2");
        let row: Option<Row> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).bind(now).fetch_optional(&self.pool).await?;
        row.map(read).transpose()
    }

    /// The open challenges that a player has sent or received, newest first.
    pub async fn challenges_of(&self, user: &str, now: i64) -> Result<Vec<ChallengeRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM challenges WHERE (challenger = $1 OR challenged = $1) AND expires_at > $2 \
             ORDER BY created_at DESC, id"
        );
        let rows: Vec<Row> =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(user).bind(now).fetch_all(&self.pool).await?;
        rows.into_iter().map(read).collect()
    }

    /// Deletes a challenge, and returns whether it was there: of several callers only one gets `true`.
    pub async fn drop_challenge(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM challenges WHERE id = $1")
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Deletes the challenges that have expired.
    pub async fn drop_old_challenges(&self, now: i64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM challenges WHERE expires_at <= $1")
            .bind(now)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }
}
