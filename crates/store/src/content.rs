//! Rows shared by studies and the games that users have made: likes, reports, and moderation. `lozenge studies` and `lozenge games`
//! list, hide and ban them beside a running server, which checks their status whenever one is opened.

use super::row::from_row;
use super::{ListingSanction, ModerationError, Moderator, Store, StoreError};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, FromRow, Row as _};

/// Most open reports of one study, game or comment: more would tell the host nothing new.
const MAX_REPORTS: i64 = 10;

/// A kind of content that users make, and others like and report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentKind {
    /// Studies. Their ids are those of their addresses.
    Study,
    /// Games that users have made. The host names them by the ids of published ones, such as `~lake`.
    Variant,
}

/// A study or a game as the host sees it. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ContentEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Id of its owner; empty once the account is deleted, and for the studies of the site itself.
    pub owner: String,
    /// Name of its owner.
    pub owner_name: Option<String>,
    /// `private`, `unlisted` or `public`.
    pub visibility: String,
    /// `active`, `hidden` or `banned`; of a game also `archived`.
    pub status: String,
    /// How many users like it.
    pub likes: i64,
    /// How many open reports there are of it and of comments on it.
    pub reports: i64,
    /// The columns of one kind.
    #[serde(flatten)]
    pub details: ContentDetails,
}

from_row!(ContentEntry { id, name, owner, owner_name, visibility, status, likes, reports; details });

/// The part of an entry that depends on its kind. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum ContentDetails {
    /// Of a study.
    Study {
        /// Number of its chapters.
        chapters: i64,
        /// When it was last changed.
        updated_at: i64,
    },
    /// Of a game.
    Variant {
        /// Number of the latest version.
        version: i64,
        /// How many games of it have been finished.
        plays: i64,
        /// When its first version was published.
        published_at: i64,
    },
}

impl FromRow<'_, AnyRow> for ContentDetails {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        if row.try_column("chapters").is_ok() {
            return Ok(Self::Study {
                chapters: row.try_get("chapters")?,
                updated_at: row.try_get("updated_at")?,
            });
        }
        Ok(Self::Variant {
            version: row.try_get("version")?,
            plays: row.try_get("plays")?,
            published_at: row.try_get("published_at")?,
        })
    }
}

/// A report of a study, a game, or a comment on a game. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ContentReport {
    /// Id of the study or the game.
    pub id: String,
    /// Id of the user who reports it.
    pub reporter: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: i64,
    /// The columns of one kind.
    #[serde(flatten)]
    pub subject: ReportSubject,
}

from_row!(ContentReport { id, reporter, reason, at; subject });

/// The part of a report that depends on its kind.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum ReportSubject {
    /// A study.
    Study {
        /// Its name.
        name: String,
    },
    /// A game, or a comment on it.
    Variant {
        /// Id of the comment; empty for the game itself.
        comment: String,
        /// Text of the comment.
        text: Option<String>,
        /// Id of the author of the comment.
        author: Option<String>,
    },
}

impl FromRow<'_, AnyRow> for ReportSubject {
    fn from_row(row: &AnyRow) -> sqlx::Result<Self> {
        if row.try_column("comment").is_err() {
            return Ok(Self::Study { name: row.try_get("name")? });
        }
        Ok(Self::Variant {
            comment: row.try_get("comment")?,
            text: row.try_get("text")?,
            author: row.try_get("author")?,
        })
    }
}

impl ContentKind {
    /// The beginning of the names of its tables.
    fn one(self) -> &'static str {
        match self {
            Self::Study => "study",
            Self::Variant => "variant",
        }
    }

    /// Its own table.
    fn table(self) -> &'static str {
        match self {
            Self::Study => "studies",
            Self::Variant => "variants",
        }
    }

    /// The column by which the host names content, and its value.
    fn key(self, id: &str) -> (&'static str, &str) {
        match self {
            Self::Study => ("id", id),
            Self::Variant => ("slug", id.trim_start_matches('~')),
        }
    }

    /// The columns of [`ContentDetails`].
    fn details(self) -> &'static str {
        match self {
            Self::Study => {
                "studies.id, studies.updated_at, \
                 (SELECT COUNT(*) FROM study_chapters WHERE study_chapters.study = studies.id) AS chapters"
            }
            Self::Variant => {
                "'~' || variants.slug AS id, variants.version, variants.plays, variants.published_at"
            }
        }
    }

    /// The query of entries that satisfy a condition.
    fn entries(self, condition: &str) -> String {
        let (one, table, details) = (self.one(), self.table(), self.details());
        format!(
            "SELECT {details}, {table}.name, {table}.owner, users.name AS owner_name, {table}.visibility, {table}.status, \
             {table}.likes, (SELECT COUNT(*) FROM {one}_reports WHERE {one}_reports.{one} = {table}.id AND closed_at IS NULL) \
             AS reports FROM {table} LEFT JOIN users ON users.id = {table}.owner WHERE {condition}"
        )
    }
}

impl Store {
    /// Sets whether a user likes a study or a game, by its id in the database.
    pub async fn like(
        &self,
        kind: ContentKind,
        id: &str,
        owner: &str,
        like: bool,
        now: i64,
    ) -> Result<(), StoreError> {
        let (one, table) = (kind.one(), kind.table());
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let sql = if like {
            format!(
                "INSERT INTO {one}_likes ({one}, owner, at) VALUES ($1, $2, $3) ON CONFLICT ({one}, owner) DO NOTHING"
            )
        } else {
            format!("DELETE FROM {one}_likes WHERE {one} = $1 AND owner = $2 AND $3 > 0")
        };
        sqlx::query(AssertSqlSafe(sql)).bind(id).bind(owner).bind(now).execute(&mut *transaction).await?;
        let count = format!(
            "UPDATE {table} SET likes = (SELECT COUNT(*) FROM {one}_likes WHERE {one} = $1) WHERE id = $1"
        );
        sqlx::query(AssertSqlSafe(count)).bind(id).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Whether a user likes a study or a game.
    pub async fn likes(&self, kind: ContentKind, id: &str, owner: &str) -> Result<bool, StoreError> {
        let one = kind.one();
        let sql = format!("SELECT at FROM {one}_likes WHERE {one} = $1 AND owner = $2");
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(id).bind(owner);
        let row: Option<(i64,)> = query.fetch_optional(&self.pool).await?;
        Ok(row.is_some())
    }

    /// Keeps a report of a study, a game, or a comment on a game (empty for the game itself). A second one by the same user changes
    /// nothing.
    pub async fn report(
        &self,
        kind: ContentKind,
        id: &str,
        comment: &str,
        reporter: &str,
        reason: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        let one = kind.one();
        // Studies have no comments.
        let (column, value, condition) = match kind {
            ContentKind::Study => ("", "", ""),
            ContentKind::Variant => (", comment", ", CAST($6 AS TEXT)", " AND comment = $6"),
        };
        let sql = format!(
            "INSERT INTO {one}_reports ({one}, reporter, reason, at{column}) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT){value} \
             WHERE (SELECT COUNT(*) FROM {one}_reports WHERE {one} = $1 AND closed_at IS NULL{condition}) < $5 \
             ON CONFLICT ({one}, reporter{column}) DO NOTHING"
        );
        let query =
            sqlx::query(AssertSqlSafe(sql)).bind(id).bind(reporter).bind(reason).bind(now).bind(MAX_REPORTS);
        let query = if column.is_empty() { query } else { query.bind(comment) };
        query.execute(&mut *self.writer().await?).await?;
        Ok(())
    }
}

impl Moderator {
    /// Studies that others may see, the last changed first, or published games, the latest first: all, or only those with open
    /// reports, private ones included.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn content(
        &mut self,
        kind: ContentKind,
        reported: bool,
        most: u32,
    ) -> Result<Vec<ContentEntry>, StoreError> {
        let (one, table) = (kind.one(), kind.table());
        let (listed, latest) = match kind {
            ContentKind::Study => ("(studies.visibility <> 'private' OR $1 = 1)", "updated_at"),
            ContentKind::Variant => ("variants.slug IS NOT NULL", "published_at"),
        };
        let sql = kind.entries(&format!(
            "{listed} AND ($1 = 0 OR EXISTS (SELECT 1 FROM {one}_reports WHERE {one}_reports.{one} = {table}.id \
             AND closed_at IS NULL)) ORDER BY {table}.{latest} DESC, {table}.id LIMIT $2"
        ));
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(i64::from(reported)).bind(i64::from(most));
        Ok(query.fetch_all(&mut self.connection).await?)
    }

    /// The open reports of studies, or of games and of comments on them, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn content_reports(
        &mut self,
        kind: ContentKind,
        most: u32,
    ) -> Result<Vec<ContentReport>, StoreError> {
        let sql = match kind {
            ContentKind::Study => {
                "SELECT studies.id, studies.name, study_reports.reporter, study_reports.reason, study_reports.at \
                 FROM study_reports JOIN studies ON studies.id = study_reports.study \
                 WHERE study_reports.closed_at IS NULL ORDER BY study_reports.at DESC LIMIT $1"
            }
            ContentKind::Variant => {
                "SELECT '~' || variants.slug AS id, variant_reports.comment, variant_comments.text, variant_comments.author, \
                 variant_reports.reporter, variant_reports.reason, variant_reports.at FROM variant_reports \
                 JOIN variants ON variants.id = variant_reports.variant \
                 LEFT JOIN variant_comments ON variant_comments.id = variant_reports.comment \
                 WHERE variant_reports.closed_at IS NULL ORDER BY variant_reports.at DESC LIMIT $1"
            }
        };
        Ok(sqlx::query_as(sql).bind(i64::from(most)).fetch_all(&mut self.connection).await?)
    }

    /// Does something to a study or a game, and closes the reports of it. The entry as it is then.
    ///
    /// # Errors
    /// If no entry has this id.
    pub async fn sanction_content(
        &mut self,
        kind: ContentKind,
        id: &str,
        sanction: ListingSanction,
        now: i64,
    ) -> Result<ContentEntry, ModerationError> {
        let (table, (column, key)) = (kind.table(), kind.key(id));
        // An archived game is not brought back by this.
        let condition = match sanction {
            ListingSanction::Restore => " AND status IN ('hidden', 'banned')",
            ListingSanction::Hide | ListingSanction::Ban => "",
        };
        let sql = format!("UPDATE {table} SET status = $1 WHERE {column} = $2{condition}");
        let query = sqlx::query(AssertSqlSafe(sql)).bind(sanction.status()).bind(key);
        query.execute(&mut self.connection).await?;
        self.close_content_reports(kind, id, now).await
    }

    /// Closes the reports of a study, or of a game and of comments on it. The entry as it is then.
    ///
    /// # Errors
    /// If no entry has this id.
    pub async fn close_content_reports(
        &mut self,
        kind: ContentKind,
        id: &str,
        now: i64,
    ) -> Result<ContentEntry, ModerationError> {
        let (one, table, (column, key)) = (kind.one(), kind.table(), kind.key(id));
        let sql = format!(
            "UPDATE {one}_reports SET closed_at = $1 WHERE closed_at IS NULL \
             AND {one} IN (SELECT id FROM {table} WHERE {column} = $2)"
        );
        sqlx::query(AssertSqlSafe(sql)).bind(now).bind(key).execute(&mut self.connection).await?;
        let sql = kind.entries(&format!("{table}.{column} = $1"));
        let query = sqlx::query_as(AssertSqlSafe(sql)).bind(key);
        let found = query.fetch_optional(&mut self.connection).await?;
        found.ok_or_else(|| match kind {
            ContentKind::Study => ModerationError::NoStudy(id.to_owned()),
            ContentKind::Variant => ModerationError::NoVariant(id.to_owned()),
        })
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
