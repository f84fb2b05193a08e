//! Ways back into an account, and its second factor: recovery codes, backup codes, links sent by mail. Only hashes of
//! them are stored.

use super::{Store, StoreError, secret_digest};
use lozenge_game::ids::normalized;

/// The purpose of a link in a mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To confirm an address.
    Confirm,
    /// To choose a new password.
    Reset,
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reset => "reset",
        }
    }

    /// For how long such a link is good.
    fn lasts_ms(self) -> i64 {
        const MINUTE_MS: i64 = 60_000;
        match self {
            Self::Confirm => 60 * MINUTE_MS,
            Self::Reset => 30 * MINUTE_MS,
        }
    }
}

/// Most links of one purpose that one account can have open.
const MAX_LINKS: i64 = 3;

impl Store {
    /// Gives an account a new recovery code; the one before is good no more.
    pub async fn set_recovery(&self, id: &str, code: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET recovery = $1 WHERE id = $2")
            .bind(secret_digest(&normalized(code)))
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Whether it is the recovery code of an account.
    pub async fn is_recovery(&self, id: &str, code: &str) -> Result<bool, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT id FROM users WHERE id = $1 AND recovery = $2")
            .bind(id)
            .bind(secret_digest(&normalized(code)))
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.is_some())
    }

    /// Uses a recovery code up: a new password and a new code replace the old ones, and all sessions end.
    /// Whether the old code was still good.
    pub async fn recover(
        &self,
        id: &str,
        code: &str,
        password: &str,
        next: &str,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE users SET password = $1, recovery = $2, epoch = epoch + 1 WHERE id = $3 AND recovery = $4",
        )
        .bind(password)
        .bind(secret_digest(&normalized(next)))
        .bind(id)
        .bind(secret_digest(&normalized(code)))
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Whether an account has a recovery code.
    pub async fn has_recovery(&self, id: &str) -> Result<bool, StoreError> {
        let row: Option<(String,)> =
            sqlx::query_as("SELECT id FROM users WHERE id = $1 AND recovery IS NOT NULL")
                .bind(id)
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// Keeps the secret of a second factor until a code confirms it.
    pub async fn set_pending_totp(&self, id: &str, secret: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET totp_pending = $1 WHERE id = $2")
            .bind(secret)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// The secret that waits for its first code.
    pub async fn pending_totp(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(Option<String>,)> = sqlx::query_as("SELECT totp_pending FROM users WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.and_then(|(secret,)| secret))
    }

    /// Switches a second factor on, with its backup codes. Returns whether that secret was still waiting.
    pub async fn switch_totp_on(
        &self,
        id: &str,
        secret: &str,
        step: i64,
        codes: &[String],
    ) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query(
            "UPDATE users SET totp = $1, totp_pending = NULL, totp_step = $2 WHERE id = $3 AND totp_pending = $1",
        )
        .bind(secret)
        .bind(step)
        .bind(id)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            return Ok(false);
        }
        replace_codes(&mut transaction, id, codes).await?;
        transaction.commit().await?;
        Ok(true)
    }

    /// Switches a second factor off.
    pub async fn switch_totp_off(&self, id: &str) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        sqlx::query("UPDATE users SET totp = NULL, totp_pending = NULL, totp_step = 0 WHERE id = $1")
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        replace_codes(&mut transaction, id, &[]).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Gives an account other backup codes.
    pub async fn set_backup_codes(&self, id: &str, codes: &[String]) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        replace_codes(&mut transaction, id, codes).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Backup codes that are left.
    pub async fn backup_codes_left(&self, id: &str) -> Result<i64, StoreError> {
        let (left,): (i64,) = sqlx::query_as("SELECT COUNT(*) FROM backup_codes WHERE owner = $1")
            .bind(id)
            .fetch_one(&self.pool)
            .await?;
        Ok(left)
    }

    /// Uses up the time step of a code. False if it, or a later one, has been used.
    pub async fn use_totp_step(&self, id: &str, step: i64) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE users SET totp_step = $1 WHERE id = $2 AND totp_step < $1")
            .bind(step)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Uses up a backup code, and returns whether there was one.
    pub async fn use_backup_code(&self, id: &str, code: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM backup_codes WHERE owner = $1 AND digest = $2")
            .bind(id)
            .bind(secret_digest(&normalized(code)))
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Keeps a link that goes to an address by mail. False if there are too many open ones already.
    pub async fn keep_link(
        &self,
        owner: &str,
        purpose: Purpose,
        email: &str,
        secret: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        sqlx::query("DELETE FROM mail_links WHERE expires_at <= $1")
            .bind(now)
            .execute(&mut *self.writer().await?)
            .await?;
        let done = sqlx::query(
            "INSERT INTO mail_links (digest, owner, purpose, email, expires_at) SELECT $1, $2, $3, $4, $5 \
             WHERE (SELECT COUNT(*) FROM mail_links WHERE owner = $2 AND purpose = $3) < $6",
        )
        .bind(secret_digest(secret))
        .bind(owner)
        .bind(purpose.word())
        .bind(email)
        .bind(now + purpose.lasts_ms())
        .bind(MAX_LINKS)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The owner of a link and the address it was sent to; none if it has expired.
    pub async fn link(
        &self,
        purpose: Purpose,
        secret: &str,
        now: i64,
    ) -> Result<Option<(String, String)>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT owner, email FROM mail_links WHERE digest = $1 AND purpose = $2 AND expires_at > $3",
        )
        .bind(secret_digest(secret))
        .bind(purpose.word())
        .bind(now)
        .fetch_optional(&self.pool)
        .await?)
    }

    /// Confirms the address of an account by a link, which is used up. False if the link is not good any more, or another
    /// account has the address.
    pub async fn confirm_email(&self, secret: &str, now: i64) -> Result<bool, StoreError> {
        let Some((owner, email)) = self.link(Purpose::Confirm, secret, now).await? else { return Ok(false) };
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let used = sqlx::query("DELETE FROM mail_links WHERE digest = $1")
            .bind(secret_digest(secret))
            .execute(&mut *transaction)
            .await?;
        let set = sqlx::query(
            "UPDATE users SET email = $1, email_key = $2 WHERE id = $3 \
             AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = $2 AND id <> $3)",
        )
        .bind(email.as_str())
        .bind(email.to_lowercase())
        .bind(owner.as_str())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(used.rows_affected() == 1 && set.rows_affected() == 1)
    }

    /// Removes the address of an account, and links that were sent to it.
    pub async fn remove_email(&self, id: &str) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        for statement in [
            "UPDATE users SET email = NULL, email_key = NULL WHERE id = $1",
            "DELETE FROM mail_links WHERE owner = $1",
        ] {
            sqlx::query(statement).bind(id).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// The account that has confirmed an address.
    pub async fn user_with_email(&self, email: &str) -> Result<Option<super::UserRow>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT id FROM users WHERE email_key = $1")
            .bind(email.to_lowercase())
            .fetch_optional(&self.pool)
            .await?;
        match row {
            Some((id,)) => self.user(&id).await,
            None => Ok(None),
        }
    }

    /// Sets a new password by a link, which is used up with all others of the account; all sessions end. Whether the
    /// link was still good.
    pub async fn reset_password(&self, secret: &str, password: &str) -> Result<bool, StoreError> {
        let Some((owner, _)) = self.link(Purpose::Reset, secret, lozenge_game::time::now_ms()).await? else {
            return Ok(false);
        };
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let used = sqlx::query("DELETE FROM mail_links WHERE digest = $1")
            .bind(secret_digest(secret))
            .execute(&mut *transaction)
            .await?;
        if used.rows_affected() == 0 {
            return Ok(false);
        }
        sqlx::query("DELETE FROM mail_links WHERE owner = $1")
            .bind(owner.as_str())
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE users SET password = $1, epoch = epoch + 1 WHERE id = $2")
            .bind(password)
            .bind(owner.as_str())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(true)
    }
}

async fn replace_codes(
    connection: &mut sqlx::AnyConnection,
    owner: &str,
    codes: &[String],
) -> Result<(), StoreError> {
    sqlx::query("DELETE FROM backup_codes WHERE owner = $1").bind(owner).execute(&mut *connection).await?;
    for code in codes {
        sqlx::query("INSERT INTO backup_codes (owner, digest) VALUES ($1, $2)")
            .bind(owner)
            .bind(secret_digest(&normalized(code)))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
