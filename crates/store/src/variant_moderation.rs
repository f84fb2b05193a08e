//! Moderation of games that users have made: `lozenge games` lists, hides and bans them beside a running server,
//! which checks their status whenever one is opened.

use super::row::from_row;
use super::{ListingSanction, ModerationError, Moderator, StoreError};

/// A game that a user has made, as the host sees it. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct VariantEntry {
    /// Its id, such as `~lake`.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Id of its owner; empty once the account is deleted.
    pub owner: String,
    /// Name of its owner.
    pub owner_name: Option<String>,
    /// `private`, `unlisted` or `public`.
    pub visibility: String,
    /// `active`, `archived`, `hidden` or `banned`.
    pub status: String,
    /// Number of the latest version.
    pub version: i64,
    /// How many games of it have been finished.
    pub plays: i64,
    /// How many users like it.
    pub likes: i64,
    /// When its first version was published.
    pub published_at: i64,
    /// How many open reports there are of it and of comments on it.
    pub reports: i64,
}

from_row!(VariantEntry {
    id,
    name,
    owner,
    owner_name,
    visibility,
    status,
    version,
    plays,
    likes,
    published_at,
    reports
});

/// A report of a game, or of a comment on it. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct VariantReportEntry {
    /// Id of the game.
    pub id: String,
    /// Id of the comment; empty for the game itself.
    pub comment: String,
    /// Text of the comment.
    pub text: Option<String>,
    /// Id of the author of the comment.
    pub author: Option<String>,
    /// Id of the user who reports it.
    pub reporter: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: i64,
}

from_row!(VariantReportEntry { id, comment, text, author, reporter, reason, at });

const ENTRY: &str = "SELECT '~' || variants.slug AS id, variants.name, variants.owner, users.name AS owner_name, \
    variants.visibility, variants.status, variants.version, variants.plays, variants.likes, variants.published_at, \
    (SELECT COUNT(*) FROM variant_reports WHERE variant_reports.variant = variants.id AND closed_at IS NULL) AS reports \
    FROM variants LEFT JOIN users ON users.id = variants.owner WHERE variants.slug IS NOT NULL";

impl Moderator {
    /// Published games, the latest first: all, or only those with open reports.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn variants(&mut self, reported: bool, most: u32) -> Result<Vec<VariantEntry>, StoreError> {
        let sql = format!(
            "{ENTRY} AND ($1 = 0 OR EXISTS (SELECT 1 FROM variant_reports WHERE variant_reports.variant = variants.id \
             AND closed_at IS NULL)) ORDER BY variants.published_at DESC, variants.id LIMIT $2"
        );
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(i64::from(reported)).bind(i64::from(most));
        Ok(query.fetch_all(&mut self.connection).await?)
    }

    /// The open reports of games and of comments on them, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn variant_reports(&mut self, most: u32) -> Result<Vec<VariantReportEntry>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT '~' || variants.slug AS id, variant_reports.comment, variant_comments.text, variant_comments.author, \
             variant_reports.reporter, variant_reports.reason, variant_reports.at FROM variant_reports \
             JOIN variants ON variants.id = variant_reports.variant \
             LEFT JOIN variant_comments ON variant_comments.id = variant_reports.comment \
             WHERE variant_reports.closed_at IS NULL ORDER BY variant_reports.at DESC LIMIT $1",
        )
        .bind(i64::from(most))
        .fetch_all(&mut self.connection)
        .await?)
    }

    /// Does something to a game, and closes the reports of it.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn sanction_variant(
        &mut self,
        id: &str,
        sanction: ListingSanction,
        now: i64,
    ) -> Result<VariantEntry, ModerationError> {
        let slug = id.trim_start_matches('~');
        // An archived game is not brought back by this.
        let sql = match sanction {
            ListingSanction::Restore => {
                "UPDATE variants SET status = $1 WHERE slug = $2 AND status IN ('hidden', 'banned')"
            }
            ListingSanction::Hide | ListingSanction::Ban => "UPDATE variants SET status = $1 WHERE slug = $2",
        };
        sqlx::query(sql).bind(sanction.status()).bind(slug).execute(&mut self.connection).await?;
        self.close_variant_reports(id, now).await
    }

    /// Closes the reports of a game and of comments on it. The game as it is then.
    ///
    /// # Errors
    /// If there is no such game.
    pub async fn close_variant_reports(
        &mut self,
        id: &str,
        now: i64,
    ) -> Result<VariantEntry, ModerationError> {
        let slug = id.trim_start_matches('~');
        let sql = format!("{ENTRY} AND variants.slug = $1");
        let unknown = || ModerationError::NoVariant(id.to_owned());
        sqlx::query(
            "UPDATE variant_reports SET closed_at = $1 WHERE closed_at IS NULL \
             AND variant IN (SELECT id FROM variants WHERE slug = $2)",
        )
        .bind(now)
        .bind(slug)
        .execute(&mut self.connection)
        .await?;
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(slug);
        query.fetch_optional(&mut self.connection).await?.ok_or_else(unknown)
    }

    /// Deletes a comment on a game, and returns whether there was one.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub async fn delete_comment(&mut self, comment: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM variant_comments WHERE id = $1")
            .bind(comment)
            .execute(&mut self.connection)
            .await?;
        Ok(done.rows_affected() == 1)
    }
}
