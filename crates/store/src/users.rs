//! Users: guests, people with an account, bots.

use super::row::from_row;
use super::{Store, StoreError, secret_digest};
use lozenge_game::{guest_name, skeleton};
use lozenge_wire::{Player, PlayerKind};

/// A user as it is stored. A guest has neither name nor password.
#[derive(Clone, Debug, Default)]
pub struct UserRow {
    /// The user's id.
    pub id: String,
    /// The name of the account; `None` for a guest.
    pub name: Option<String>,
    /// The hash of the password; `None` for a guest.
    pub password: Option<String>,
    /// 1 for a bot, otherwise 0.
    pub bot: i64,
    /// The settings as JSON.
    pub settings: String,
    /// Grows when all sessions are to end.
    pub epoch: i64,
    /// When the user first came, in Unix milliseconds.
    pub created_at: i64,
    /// When the account was closed, in Unix milliseconds.
    pub closed_at: Option<i64>,
    /// When the user was banned, in Unix milliseconds.
    pub banned_at: Option<i64>,
    /// Until when the user may not chat.
    pub muted_until: Option<i64>,
    /// The secret of the second factor, if there is one.
    pub totp: Option<String>,
    /// The confirmed address of mail.
    pub email: Option<String>,
}

from_row!(UserRow {
    id,
    name,
    password,
    bot,
    settings,
    epoch,
    created_at,
    closed_at,
    banned_at,
    muted_until,
    totp,
    email
});

impl UserRow {
    /// The user as a player without a rating.
    pub fn player(&self) -> Player {
        let kind = match (&self.name, self.bot) {
            (None, _) => PlayerKind::Guest,
            (Some(_), 0) => PlayerKind::User,
            (Some(_), _) => PlayerKind::Bot,
        };
        let name = self.name.clone().unwrap_or_else(|| guest_name(&self.id));
        Player { kind, id: self.id.clone(), name, rating: None, provisional: false, level: None }
    }

    /// Whether the account is closed or banned.
    pub fn is_closed_or_banned(&self) -> bool {
        self.closed_at.is_some() || self.banned_at.is_some()
    }
}

pub(super) const COLUMNS: &str =
    "id, name, password, bot, settings, epoch, created_at, closed_at, banned_at, muted_until, totp, email";

/// Deletes the games that deleted users have imported.
const ORPHANED_IMPORTS: [&str; 2] = [
    "DELETE FROM reviews WHERE game IN \
     (SELECT id FROM imports WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = imports.owner))",
    "DELETE FROM imports WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.id = imports.owner)",
];

/// Names whose skeletons are written in one transaction.
const SKELETONS_AT_ONCE: usize = 500;

/// The digests by which a name is reserved: of the name in any case, and of what it looks like.
pub(super) fn name_digests(name: &str) -> [String; 2] {
    [name.to_lowercase(), skeleton(name)].map(|text| secret_digest(&text))
}

impl Store {
    /// Makes a guest.
    pub async fn make_guest(&self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO users (id, created_at, seen_at) VALUES ($1, $2, $2)")
            .bind(id)
            .bind(now)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Remembers that a user came by.
    pub async fn record_visit(&self, id: &str, now: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET seen_at = $1 WHERE id = $2")
            .bind(now)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Forgets guests who were not seen since a time and left nothing: no game, no wish.
    pub async fn drop_idle_guests(&self, before: i64) -> Result<u64, StoreError> {
        let done = sqlx::query(
            "DELETE FROM users WHERE name IS NULL AND seen_at < $1 \
             AND NOT EXISTS (SELECT 1 FROM games WHERE white = users.id) \
             AND NOT EXISTS (SELECT 1 FROM games WHERE black = users.id) \
             AND NOT EXISTS (SELECT 1 FROM games WHERE third = users.id) \
             AND NOT EXISTS (SELECT 1 FROM games WHERE fourth = users.id) \
             AND NOT EXISTS (SELECT 1 FROM games WHERE status = 'waiting' AND maker = users.id) \
             AND NOT EXISTS (SELECT 1 FROM seeks WHERE owner = users.id)",
        )
        .bind(before)
        .execute(&mut *self.writer().await?)
        .await?;
        if done.rows_affected() > 0 {
            for statement in ORPHANED_IMPORTS {
                sqlx::query(statement).execute(&mut *self.writer().await?).await?;
            }
        }
        Ok(done.rows_affected())
    }

    /// A user by id.
    pub async fn user(&self, id: &str) -> Result<Option<UserRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE id = $1");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.pool).await?)
    }

    /// The users that have seeks.
    pub(super) async fn seekers(&self) -> Result<Vec<UserRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE id IN (SELECT owner FROM seeks)");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.pool).await?)
    }

    /// A user by name, in any case.
    pub async fn user_named(&self, name: &str) -> Result<Option<UserRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM users WHERE name_key = $1");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(name.to_lowercase())
            .fetch_optional(&self.pool)
            .await?)
    }

    /// Whether an account has a name, or one that looks like it.
    pub async fn has_user_like(&self, name: &str) -> Result<bool, StoreError> {
        let row: Option<(String,)> =
            sqlx::query_as("SELECT id FROM users WHERE name_key = $1 OR name_skeleton = $2 LIMIT 1")
                .bind(name.to_lowercase())
                .bind(skeleton(name))
                .fetch_optional(&self.pool)
                .await?;
        Ok(row.is_some())
    }

    /// The accounts whose names begin so, by name.
    pub async fn users_with_prefix(&self, prefix: &str, limit: i64) -> Result<Vec<UserRow>, StoreError> {
        // The bounds let the database use the index of names.
        let sql = format!(
            "SELECT {COLUMNS} FROM users WHERE name_key >= $1 AND name_key <= $2 AND substr(name_key, 1, $3) = $1 \
             AND closed_at IS NULL AND banned_at IS NULL ORDER BY name_key LIMIT $4"
        );
        let prefix = prefix.to_lowercase();
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(prefix.clone())
            .bind(format!("{prefix}\u{10ffff}"))
            .bind(prefix.chars().count() as i32)
            .bind(limit)
            .fetch_all(&self.pool)
            .await?)
    }

    /// Gives a guest a name and a password. Whether the name was free: reserved ones are not, nor those that look like one
    /// that is taken or reserved.
    pub async fn name_user(&self, id: &str, name: &str, password: &str) -> Result<bool, StoreError> {
        let [key, looks] = name_digests(name);
        let named = sqlx::query(
            "UPDATE users SET name = $1, name_key = $2, name_skeleton = $3, password = $4 WHERE id = $5 \
             AND name IS NULL AND NOT EXISTS (SELECT 1 FROM users WHERE name_key = $2 OR name_skeleton = $3) \
             AND NOT EXISTS (SELECT 1 FROM reserved_names WHERE digest = $6 OR digest = $7)",
        )
        .bind(name)
        .bind(name.to_lowercase())
        .bind(skeleton(name))
        .bind(password)
        .bind(id)
        .bind(key)
        .bind(looks)
        .execute(&mut *self.writer().await?)
        .await;
        match named {
            Ok(done) => Ok(done.rows_affected() == 1),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Computes what the names of accounts and published games look like, where an earlier version has not.
    pub async fn fill_skeletons(&self) -> Result<(), StoreError> {
        for (select, update) in [
            (
                "SELECT id, name FROM users WHERE name IS NOT NULL AND name_skeleton IS NULL",
                "UPDATE users SET name_skeleton = $1 WHERE id = $2 AND name = $3",
            ),
            (
                "SELECT id, name FROM variants WHERE version > 0 AND name_skeleton IS NULL",
                "UPDATE variants SET name_skeleton = $1 WHERE id = $2 AND name = $3",
            ),
        ] {
            let names: Vec<(String, String)> = sqlx::query_as(select).fetch_all(&self.pool).await?;
            for lot in names.chunks(SKELETONS_AT_ONCE) {
                let mut writer = self.writer().await?;
                let mut transaction = writer.begin().await?;
                for (id, name) in lot {
                    let query =
                        sqlx::query(update).bind(skeleton(name)).bind(id.as_str()).bind(name.as_str());
                    query.execute(&mut *transaction).await?;
                }
                transaction.commit().await?;
            }
        }
        Ok(())
    }

    /// Changes the password and ends all sessions.
    pub async fn set_password(&self, id: &str, password: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET password = $1, epoch = epoch + 1 WHERE id = $2")
            .bind(password)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Ends all sessions of a user.
    pub async fn end_sessions(&self, id: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET epoch = epoch + 1 WHERE id = $1")
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }

    /// Keeps what a user likes, as JSON.
    pub async fn set_settings(&self, id: &str, settings: &str) -> Result<(), StoreError> {
        sqlx::query("UPDATE users SET settings = $1 WHERE id = $2")
            .bind(settings)
            .bind(id)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop where it is")]

    use crate::Store;

    #[tokio::test]
    async fn idle_guests_without_data_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Store::sqlite_url(folder.path())).await.unwrap();
        let users = ["gone", "came-again", "named", "wishes", "waits", "played", "answered"];
        for id in users {
            store.make_guest(id, 1).await.unwrap();
        }
        store.make_guest("new", 9).await.unwrap();
        store.record_visit("came-again", 5).await.unwrap();
        assert!(store.name_user("named", "Ada", "-").await.unwrap());
        for left in [
            "INSERT INTO seeks (id, owner, wish, created_at) VALUES ('a', 'wishes', '{}', 1)",
            "INSERT INTO rules (digest, variant, name, texts) VALUES ('', '', '', '')",
            "INSERT INTO games (id, digest, variant, start_fen, speed, rated, visibility, maker, white, black, \
             created_at, updated_at, seq, status, result, ply, fen) VALUES \
             ('b', '', '', '', '', 0, '', 'waits', NULL, NULL, 1, 1, 1, 'waiting', '*', 0, ''), \
             ('c', '', '', '', '', 0, '', 'gone', 'played', 'answered', 1, 1, 1, 'finished', '*', 0, '')",
            "INSERT INTO imports (id, owner, variant, digest, pgn, created_at) VALUES \
             ('d', 'gone', '', '', '', 1), ('e', 'named', '', '', '', 1)",
        ] {
            sqlx::query(left).execute(&store.pool).await.unwrap();
        }
        assert_eq!(store.drop_idle_guests(5).await.unwrap(), 1);
        assert!(store.user("gone").await.unwrap().is_none());
        assert!(store.import("d").await.unwrap().is_none());
        assert!(store.import("e").await.unwrap().is_some());
        for id in users[1..].iter().chain(&["new"]) {
            assert!(store.user(id).await.unwrap().is_some(), "{id}");
        }
    }
}
