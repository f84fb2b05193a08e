//! Tokens for programs. Only the digest of a token is stored.

use super::{Store, StoreError, UserRow, read_json, secret_digest, write_json};
use lozenge_wire::{Scope, Token};

/// Whether a token was stored, or why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenOutcome {
    /// The token is stored.
    Saved,
    /// The user has as many as there may be.
    TooMany,
    /// The user has played, and can become no bot.
    HasPlayed,
    /// There is no such user any more.
    NoUser,
}

impl Store {
    /// Keeps a new token of a user who has fewer than `most`. With `bot` the user becomes a bot with it, for good: only
    /// one that has not played. All or nothing, and one token after the other.
    pub async fn keep_token(
        &self,
        owner: &str,
        token: &Token,
        secret: &str,
        most: i64,
        bot: bool,
    ) -> Result<TokenOutcome, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        // Written first, so that concurrent changes of this user's tokens wait.
        let updated = sqlx::query("UPDATE users SET epoch = epoch WHERE id = $1")
            .bind(owner)
            .execute(&mut *transaction)
            .await?;
        if updated.rows_affected() == 0 {
            return Ok(TokenOutcome::NoUser);
        }
        let (count,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM tokens WHERE owner = $1")
            .bind(owner)
            .fetch_one(&mut *transaction)
            .await?;
        if count >= most {
            return Ok(TokenOutcome::TooMany);
        }
        if bot {
            let updated = sqlx::query(
                "UPDATE users SET bot = 1 WHERE id = $1 \
                 AND (bot = 1 OR NOT EXISTS (SELECT 1 FROM games \
                 WHERE white = $1 OR black = $1 OR third = $1 OR fourth = $1))",
            )
            .bind(owner)
            .execute(&mut *transaction)
            .await?;
            if updated.rows_affected() == 0 {
                return Ok(TokenOutcome::HasPlayed);
            }
        }
        sqlx::query("INSERT INTO tokens (id, owner, digest, label, scopes, created_at) VALUES ($1, $2, $3, $4, $5, $6)")
            .bind(token.id.as_str())
            .bind(owner)
            .bind(secret_digest(secret))
            .bind(token.label.as_str())
            .bind(write_json(&token.scopes))
            .bind(token.created_at)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(TokenOutcome::Saved)
    }

    /// The tokens of a user.
    pub async fn tokens(&self, owner: &str) -> Result<Vec<Token>, StoreError> {
        let rows: Vec<(String, String, String, i64)> = sqlx::query_as(
            "SELECT id, label, scopes, created_at FROM tokens WHERE owner = $1 ORDER BY created_at",
        )
        .bind(owner)
        .fetch_all(&self.pool)
        .await?;
        rows.into_iter()
            .map(|(id, label, scopes, created_at)| {
                Ok(Token { id, label, scopes: read_json("scopes", &scopes)?, created_at, secret: None })
            })
            .collect()
    }

    /// Revokes a token, and returns whether it was there.
    pub async fn revoke_token(&self, owner: &str, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM tokens WHERE owner = $1 AND id = $2")
            .bind(owner)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The owner of a token, and its scopes.
    pub async fn token_user(&self, secret: &str) -> Result<Option<(UserRow, Vec<Scope>)>, StoreError> {
        let row: Option<(String, String)> =
            sqlx::query_as("SELECT owner, scopes FROM tokens WHERE digest = $1")
                .bind(secret_digest(secret))
                .fetch_optional(&self.pool)
                .await?;
        let Some((owner, scopes)) = row else { return Ok(None) };
        let scopes = read_json("scopes", &scopes)?;
        let user = self.user(&owner).await?.filter(|user| !user.is_closed_or_banned());
        Ok(user.map(|user| (user, scopes)))
    }

    /// The owner of the token with a digest.
    pub async fn token_owner(&self, digest: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as(
            "SELECT owner FROM tokens JOIN users ON users.id = tokens.owner WHERE digest = $1 \
             AND closed_at IS NULL AND banned_at IS NULL",
        )
        .bind(digest)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|(owner,)| owner))
    }
}
