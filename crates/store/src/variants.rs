//! Games that users make: drafts, their published versions, comments. Not here: likes and reports (`content`); whether a file is
//! a game.

use super::row::from_row;
use super::{Store, StoreError};
use serde::Serialize;
use sqlx::AnyConnection;

/// Most games of one user that are not archived.
pub(crate) const MAX_ACTIVE: i64 = 20;
/// Most games of one user, archived ones too.
const MAX_OF_USER: i64 = 500;
/// Most comments on one game.
const MAX_COMMENTS: i64 = 1_000;

/// A game as it is stored.
#[derive(Clone, Debug)]
pub struct VariantRow {
    /// The row's id.
    pub id: String,
    /// The owner's id; empty once the account is deleted.
    pub owner: String,
    /// The owner's name; none once the account is deleted.
    pub owner_name: Option<String>,
    /// The public id without its `~`; `None` before the first version.
    pub(crate) slug: Option<String>,
    /// The game's name.
    pub name: String,
    /// The latest version in lists, as JSON; empty before the first.
    pub summary: String,
    /// Words with spaces around each.
    pub tags: String,
    /// Its visibility, as the wire's word.
    pub visibility: String,
    /// `active`, `archived` by its owner, or what the host has made of it: `hidden` or `banned`.
    pub status: String,
    /// The draft.
    pub source: String,
    /// Number of the latest version; 0 before the first.
    pub version: i64,
    /// The digest of the latest version's rules.
    pub digest: Option<String>,
    /// Users who like it.
    pub likes: i64,
    /// Finished games.
    pub plays: i64,
    /// When it was last changed, in Unix milliseconds.
    pub updated_at: i64,
    /// When the first version was published, in Unix milliseconds.
    pub published_at: i64,
}

from_row!(VariantRow {
    id,
    owner,
    owner_name,
    slug,
    name,
    summary,
    tags,
    visibility,
    status,
    source,
    version,
    digest,
    likes,
    plays,
    updated_at,
    published_at
});

impl VariantRow {
    /// The id under which it is played, once it is published.
    pub fn public_id(&self) -> Option<String> {
        self.slug.as_ref().map(|slug| format!("~{slug}"))
    }

    /// Whether the reader may open and play it. The owner may, and others unless it is private; a banned one is closed to
    /// all.
    pub fn is_open_to(&self, reader: Option<&str>) -> bool {
        let own = reader.is_some_and(|reader| !reader.is_empty() && reader == self.owner);
        self.status != "banned" && (own || self.visibility != "private")
    }
}

/// A draft: its file, and the properties that the file gives.
#[derive(Clone, Debug)]
pub struct DraftRow {
    /// The row's id.
    pub id: String,
    /// The owner's id.
    pub owner: String,
    /// When the owner's account was made, in Unix milliseconds.
    pub owner_since: i64,
    /// The game's id in the file.
    pub file_id: String,
    /// The game's name.
    pub name: String,
    /// The text of the file.
    pub source: String,
    /// The present, in Unix milliseconds.
    pub now: i64,
}

/// How a gallery is sorted, the greatest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// By the time of publication.
    #[default]
    New,
    /// By finished games.
    Played,
    /// By likes.
    Liked,
}

impl Sort {
    const fn column(self) -> &'static str {
        match self {
            Self::New => "published_at",
            Self::Played => "plays",
            Self::Liked => "likes",
        }
    }

    /// The sort key of a row.
    pub fn value(self, row: &VariantRow) -> i64 {
        match self {
            Self::New => row.published_at,
            Self::Played => row.plays,
            Self::Liked => row.likes,
        }
    }
}

/// Which public games to list.
#[derive(Clone, Debug, Default)]
pub struct VariantListing {
    /// Letters of the name, the author or the owner.
    pub words: Option<String>,
    /// Only games with this tag.
    pub tag: Option<String>,
    /// The order.
    pub sort: Sort,
    /// Sort key and id of the last row before.
    pub after: Option<(i64, String)>,
    /// Only games of accounts made before this moment.
    pub owner_before: i64,
    /// Least number of finished games.
    pub least_plays: i64,
    /// The reader, whose own public games are listed in any case.
    pub reader: String,
    /// Most rows.
    pub limit: i64,
}

/// A version of a game.
#[derive(Clone, Debug)]
pub struct VersionRow {
    /// Its number, from 1.
    pub number: i64,
    /// The digest of its rules.
    pub digest: String,
    /// When it was published, in Unix milliseconds.
    pub at: i64,
}

from_row!(VersionRow { number, digest, at });

/// A comment on a game.
#[derive(Clone, Debug, Serialize)]
pub struct CommentRow {
    /// The comment's id.
    pub id: String,
    /// The author's id.
    pub author: String,
    /// The author's name.
    pub author_name: String,
    /// The text.
    pub text: String,
    /// When it was written, in Unix milliseconds.
    pub at: i64,
}

from_row!(CommentRow { id, author, author_name, text, at });

const COLUMNS: &str = "variants.id, variants.owner, users.name AS owner_name, variants.slug, variants.name, \
    variants.summary, variants.tags, variants.visibility, variants.status, variants.source, \
    variants.version, variants.digest, variants.likes, variants.plays, variants.updated_at, variants.published_at";
const FROM: &str = "FROM variants LEFT JOIN users ON users.id = variants.owner";

/// A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere.
pub(super) fn pattern(text: &str) -> String {
    let escaped = text.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// Inserts a draft, if there is room for one more game of its owner.
pub(super) async fn insert_draft(
    connection: &mut AnyConnection,
    draft: &DraftRow,
) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO variants (id, owner, owner_since, file_id, name, name_key, author, summary, tags, visibility, \
         status, source, created_at, updated_at) \
         SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
         CAST($6 AS TEXT), '', '', '', 'private', 'active', CAST($7 AS TEXT), CAST($8 AS BIGINT), CAST($8 AS BIGINT) \
         WHERE (SELECT COUNT(*) FROM variants WHERE owner = $2 AND status <> 'archived') < $9 \
         AND (SELECT COUNT(*) FROM variants WHERE owner = $2) < $10",
    )
    .bind(draft.id.as_str())
    .bind(draft.owner.as_str())
    .bind(draft.owner_since)
    .bind(draft.file_id.as_str())
    .bind(draft.name.as_str())
    .bind(draft.name.to_lowercase())
    .bind(draft.source.as_str())
    .bind(draft.now)
    .bind(MAX_ACTIVE)
    .bind(MAX_OF_USER)
    .execute(&mut *connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// A variant among its owner's own data.
#[derive(Serialize)]
struct OwnVariantRow {
    name: String,
    visibility: String,
    source: String,
}

from_row!(OwnVariantRow { name, visibility, source });

/// A game that a user likes, among their own data.
#[derive(Serialize)]
struct VariantLikeRow {
    variant: String,
    /// Since when, in Unix milliseconds.
    at: i64,
}

from_row!(VariantLikeRow { variant, at });

/// A game that a user has reported, among their own data.
#[derive(Serialize)]
struct OwnVariantReportRow {
    variant: String,
    reason: String,
    /// When, in Unix milliseconds.
    at: i64,
}

from_row!(OwnVariantReportRow { variant, reason, at });

/// A picture that a user has drawn, among their own data.
#[derive(Serialize)]
struct OwnPictureRow {
    digest: String,
    svg: String,
    /// When, in Unix milliseconds.
    at: i64,
}

from_row!(OwnPictureRow { digest, svg, at });

/// A measurement that a user has asked for, among their own data.
#[derive(Serialize)]
struct OwnMeasurementRow {
    name: String,
    state: String,
    /// When, in Unix milliseconds.
    at: i64,
}

from_row!(OwnMeasurementRow { name, state, at });

impl Store {
    /// The game with this public id, without its `~`.
    pub async fn variant_by_slug(&self, slug: &str) -> Result<Option<VariantRow>, StoreError> {
        self.variant_where("variants.slug = $1", slug).await
    }

    /// A game, also a draft, by the id of its row.
    pub async fn variant(&self, id: &str) -> Result<Option<VariantRow>, StoreError> {
        self.variant_where("variants.id = $1", id).await
    }

    /// The first game that was published by these rules and is not banned.
    pub async fn variant_by_digest(&self, digest: &str) -> Result<Option<VariantRow>, StoreError> {
        let condition = "variants.status <> 'banned' AND variants.id IN \
            (SELECT variant FROM variant_versions WHERE digest = $1) ORDER BY variants.created_at LIMIT 1";
        self.variant_where(condition, digest).await
    }

    /// Whether rules are those of banned games alone.
    pub async fn is_banned(&self, digest: &str) -> Result<bool, StoreError> {
        let (all, banned): (i64, i64) = sqlx::query_as(
            "SELECT COUNT(*), COUNT(CASE WHEN status = 'banned' THEN 1 END) FROM variants WHERE id IN \
             (SELECT variant FROM variant_versions WHERE digest = $1)",
        )
        .bind(digest)
        .fetch_one(&self.pool)
        .await?;
        Ok(all > 0 && all == banned)
    }

    /// The slug of the published game with a name: one of the reader's own, or else a public one.
    pub async fn slug_of_name(&self, name: &str, reader: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as(
            "SELECT slug FROM variants WHERE name_key = $1 AND slug IS NOT NULL AND status <> 'banned' \
             AND (owner = $2 OR visibility = 'public') \
             ORDER BY CASE WHEN owner = $2 THEN 0 ELSE 1 END, created_at LIMIT 1",
        )
        .bind(name.to_lowercase())
        .bind(reader)
        .fetch_optional(&self.pool)
        .await?;
        Ok(row.map(|(slug,)| slug))
    }

    async fn variant_where(&self, condition: &str, value: &str) -> Result<Option<VariantRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} {FROM} WHERE {condition}");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(value).fetch_optional(&self.pool).await?)
    }

    /// A user's own games, those first that were changed last.
    pub async fn variants_of(&self, owner: &str) -> Result<Vec<VariantRow>, StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} {FROM} WHERE variants.owner = $1 ORDER BY variants.updated_at DESC, variants.id LIMIT $2"
        );
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(owner).bind(MAX_OF_USER);
        Ok(query.fetch_all(&self.pool).await?)
    }

    /// The versions of a game, the latest first.
    pub async fn versions(&self, variant: &str) -> Result<Vec<VersionRow>, StoreError> {
        let sql = "SELECT number, digest, at FROM variant_versions WHERE variant = $1 ORDER BY number DESC";
        Ok(sqlx::query_as(sql).bind(variant).fetch_all(&self.pool).await?)
    }

    /// Public games.
    pub async fn public_variants(&self, listing: &VariantListing) -> Result<Vec<VariantRow>, StoreError> {
        let column = listing.sort.column();
        let mut conditions = format!(
            "variants.visibility = 'public' AND variants.status = 'active' AND variants.version > 0 \
             AND ((variants.owner_since <= $1 AND variants.plays >= $2) OR variants.owner = $3) \
             AND (variants.{column} < $4 OR (variants.{column} = $4 AND variants.id < $5))"
        );
        let mut words = Vec::new();
        if let Some(text) = &listing.words {
            words.push(pattern(text));
            conditions += " AND (variants.name_key LIKE $7 ESCAPE '\\' OR LOWER(variants.author) LIKE $7 ESCAPE '\\' \
                OR users.name_key LIKE $7 ESCAPE '\\')";
        }
        if let Some(tag) = &listing.tag {
            words.push(pattern(&format!(" {tag} ")));
            conditions += &format!(" AND variants.tags LIKE ${} ESCAPE '\\'", 6 + words.len());
        }
        let sql = format!(
            "SELECT {COLUMNS} {FROM} WHERE {conditions} ORDER BY variants.{column} DESC, variants.id DESC LIMIT $6"
        );
        let (after, after_id) = listing.after.clone().unwrap_or((i64::MAX, String::new()));
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(listing.owner_before)
            .bind(listing.least_plays)
            .bind(listing.reader.as_str())
            .bind(after)
            .bind(after_id)
            .bind(listing.limit);
        Ok(words.into_iter().fold(query, |query, word| query.bind(word)).fetch_all(&self.pool).await?)
    }

    /// Stores a new draft. Returns false if that exceeds its owner's quota.
    pub async fn keep_draft(&self, draft: &DraftRow) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let kept = insert_draft(&mut transaction, draft).await?;
        transaction.commit().await?;
        Ok(kept)
    }

    /// Changes a draft of an owner, and returns whether there is such a draft.
    pub async fn change_draft(&self, draft: &DraftRow) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "UPDATE variants SET source = $1, updated_at = $2, \
             name = CASE WHEN version = 0 THEN $3 ELSE name END, \
             name_key = CASE WHEN version = 0 THEN $4 ELSE name_key END, \
             file_id = CASE WHEN version = 0 THEN $5 ELSE file_id END WHERE id = $6 AND owner = $7",
        )
        .bind(draft.source.as_str())
        .bind(draft.now)
        .bind(draft.name.as_str())
        .bind(draft.name.to_lowercase())
        .bind(draft.file_id.as_str())
        .bind(draft.id.as_str())
        .bind(draft.owner.as_str())
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Changes the visibility of an owner's game. A game that the host has hidden or banned stays so.
    pub async fn change_visibility(
        &self,
        id: &str,
        owner: &str,
        visibility: &str,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE variants SET visibility = $1 WHERE id = $2 AND owner = $3")
            .bind(visibility)
            .bind(id)
            .bind(owner)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Archives a game of an owner, or restores it. Returns whether that was possible.
    pub async fn archive_variant(&self, id: &str, owner: &str, archived: bool) -> Result<bool, StoreError> {
        let (from, to) = if archived { ("active", "archived") } else { ("archived", "active") };
        let done = sqlx::query(
            "UPDATE variants SET status = $1 WHERE id = $2 AND owner = $3 AND status = $4 AND ($5 = 1 OR \
             (SELECT COUNT(*) FROM variants WHERE owner = $3 AND status <> 'archived') < $6)",
        )
        .bind(to)
        .bind(id)
        .bind(owner)
        .bind(from)
        .bind(i64::from(archived))
        .bind(MAX_ACTIVE)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Deletes an owner's draft that was never published, and returns whether there was one.
    pub async fn drop_draft(&self, id: &str, owner: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM variants WHERE id = $1 AND owner = $2 AND version = 0")
            .bind(id)
            .bind(owner)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// The comments on a game, the latest first; only those before a moment.
    pub async fn comments(
        &self,
        variant: &str,
        before: i64,
        limit: i64,
    ) -> Result<Vec<CommentRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT id, author, author_name, text, at FROM variant_comments WHERE variant = $1 AND at < $2 \
             ORDER BY at DESC, id DESC LIMIT $3",
        )
        .bind(variant)
        .bind(before)
        .bind(limit)
        .fetch_all(&self.pool)
        .await?)
    }

    /// Stores a comment. Returns false if that exceeds the limit.
    pub async fn keep_comment(&self, variant: &str, comment: &CommentRow) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT INTO variant_comments (id, variant, author, author_name, text, at) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
             CAST($6 AS BIGINT) WHERE (SELECT COUNT(*) FROM variant_comments WHERE variant = $2) < $7",
        )
        .bind(comment.id.as_str())
        .bind(variant)
        .bind(comment.author.as_str())
        .bind(comment.author_name.as_str())
        .bind(comment.text.as_str())
        .bind(comment.at)
        .bind(MAX_COMMENTS)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Deletes a comment: its author's own, or one on the owner's game.
    pub async fn drop_comment(&self, variant: &str, id: &str, who: &str) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "DELETE FROM variant_comments WHERE id = $1 AND variant = $2 AND \
             (author = $3 OR EXISTS (SELECT 1 FROM variants WHERE variants.id = $2 AND variants.owner = $3))",
        )
        .bind(id)
        .bind(variant)
        .bind(who)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// A user's stored games, likes, comments and reports.
    pub async fn variant_data(&self, user: &str) -> Result<serde_json::Value, StoreError> {
        let drafts: Vec<OwnVariantRow> = sqlx::query_as(
            "SELECT name, visibility, source FROM variants WHERE owner = $1 ORDER BY created_at",
        )
        .bind(user)
        .fetch_all(&self.pool)
        .await?;
        let likes: Vec<VariantLikeRow> =
            sqlx::query_as("SELECT variant, at FROM variant_likes WHERE owner = $1 ORDER BY at")
                .bind(user)
                .fetch_all(&self.pool)
                .await?;
        let comments: Vec<CommentRow> = sqlx::query_as(
            "SELECT id, author, author_name, text, at FROM variant_comments WHERE author = $1 ORDER BY at",
        )
        .bind(user)
        .fetch_all(&self.pool)
        .await?;
        let reports: Vec<OwnVariantReportRow> =
            sqlx::query_as("SELECT variant, reason, at FROM variant_reports WHERE reporter = $1 ORDER BY at")
                .bind(user)
                .fetch_all(&self.pool)
                .await?;
        let pictures: Vec<OwnPictureRow> =
            sqlx::query_as("SELECT digest, svg, at FROM picture_owners JOIN pictures ON digest = picture WHERE owner = $1 ORDER BY at")
                .bind(user)
                .fetch_all(&self.pool)
                .await?;
        let measurements: Vec<OwnMeasurementRow> =
            sqlx::query_as("SELECT name, state, at FROM lab_jobs WHERE asked_by = $1 ORDER BY at")
                .bind(user)
                .fetch_all(&self.pool)
                .await?;
        Ok(serde_json::json!({"drafts": drafts, "likes": likes, "comments": comments, "reports": reports,
            "pictures": pictures, "measurements": measurements}))
    }

    /// Counts the finished games of published games in which some have ended since a moment.
    pub async fn count_plays(&self, since: i64) -> Result<(), StoreError> {
        let played: Vec<(String,)> = sqlx::query_as(
            "SELECT DISTINCT variant FROM games WHERE status = 'finished' AND updated_at >= $1 AND variant LIKE '~%'",
        )
        .bind(since)
        .fetch_all(&self.pool)
        .await?;
        for (id,) in played {
            sqlx::query(
                "UPDATE variants SET plays = (SELECT COUNT(*) FROM games WHERE variant = $1 \
                 AND status = 'finished' AND result <> '*') WHERE slug = $2",
            )
            .bind(id.as_str())
            .bind(id.trim_start_matches('~'))
            .execute(&mut *self.writer().await?)
            .await?;
        }
        Ok(())
    }
}
