//! Studies and their members. Likes and reports: `content`. Chapters and edits: [`chapters`].

mod chapters;

pub use chapters::{ChapterRow, EditRow, MAX_CHAPTERS, NewChapterRow};

use super::row::from_row;
use super::{Store, StoreError};
use serde::Serialize;
use sqlx::AnyConnection;
use std::collections::HashSet;

/// Most studies of one user, and most members of one study.
pub(crate) const MAX_STUDIES: i64 = 200;
/// Most members of one study.
pub(crate) const MAX_MEMBERS: i64 = 30;

/// A study among its owner's own data.
#[derive(Serialize)]
struct OwnStudyRow {
    id: String,
    name: String,
    about: String,
    visibility: String,
}

from_row!(OwnStudyRow { id, name, about, visibility });

/// A study that a user is a member of or likes, among their own data.
#[derive(Serialize)]
struct StudyUseRow {
    study: String,
    /// Since when, in Unix milliseconds.
    at: i64,
}

from_row!(StudyUseRow { study, at });

/// A study that a user has reported, among their own data.
#[derive(Serialize)]
struct StudyReportRow {
    study: String,
    reason: String,
    /// When, in Unix milliseconds.
    at: i64,
}

from_row!(StudyReportRow { study, reason, at });

/// A study as it is stored.
#[derive(Clone, Debug)]
pub struct StudyRow {
    /// The study's id.
    pub id: String,
    /// Empty for studies of the site itself, and of deleted accounts.
    pub owner: String,
    /// The owner's name; none without one.
    pub owner_name: Option<String>,
    /// The study's name.
    pub name: String,
    /// The description.
    pub about: String,
    /// Words with spaces between.
    pub tags: String,
    /// The code of its language, if it comes with the program; otherwise empty.
    pub language: String,
    /// Its visibility, as the wire's word.
    pub visibility: String,
    /// Moderation status, set by the host: `active`, `hidden` or `banned`.
    pub status: String,
    /// Users who like it.
    pub likes: i64,
    /// The number of its last edit.
    pub seq: i64,
    /// When it was last changed, in Unix milliseconds.
    pub updated_at: i64,
    /// Number of chapters, and the ids of their games with spaces between.
    pub chapters: i64,
    /// The ids of its games, with spaces between.
    pub variants: String,
}

from_row!(StudyRow {
    id,
    owner,
    owner_name,
    name,
    about,
    tags,
    language,
    visibility,
    status,
    likes,
    seq,
    updated_at,
    chapters,
    variants
});

/// A member of a study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRow {
    /// The member's id.
    pub member: String,
    /// The member's name.
    pub name: String,
    /// 1 if the member may edit, otherwise 0.
    pub writes: i64,
}

from_row!(MemberRow { member, name, writes });

/// A study without its moves.
#[derive(Clone, Debug)]
pub struct StudyOutline {
    /// The study.
    pub row: StudyRow,
    /// Its members.
    pub members: Vec<MemberRow>,
    /// Its chapters, in order.
    pub chapters: Vec<ChapterRow>,
    /// Those of the given users who like it.
    pub liked_by: HashSet<String>,
}

/// A study to be made, or what of it can be changed.
#[derive(Clone, Debug)]
pub struct NewStudyRow {
    /// The study's id.
    pub id: String,
    /// The owner's id; empty for the site's own.
    pub owner: String,
    /// The study's name.
    pub name: String,
    /// The description.
    pub about: String,
    /// Words with spaces between.
    pub tags: String,
    /// The code of its language, if it is the site's own.
    pub language: String,
    /// Its visibility, as the wire's word.
    pub visibility: String,
    /// Digest of the file that it is made from, if it is the site's own.
    pub source: String,
    /// The present, in Unix milliseconds.
    pub now: i64,
}

/// Selection of studies by owner, member or liker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudiesOf {
    /// All public ones; of the site's own those in this language, or all.
    All(Option<String>),
    /// Those that a user owns or is a member of, also private ones.
    Mine(String),
    /// Those that a user likes and may see.
    Liked(String),
    /// The public ones of a user.
    Owner(String),
}

/// Which studies to list.
#[derive(Clone, Debug)]
pub struct StudyListing {
    /// Whose studies.
    pub of: StudiesOf,
    /// Words that all have to be there.
    pub words: Vec<String>,
    /// By likes, not by the time of the last change.
    pub by_likes: bool,
    /// Sort key and id of the last row before.
    pub after: Option<(i64, String)>,
    /// Most rows.
    pub limit: i64,
}

const COLUMNS: &str = "studies.id, studies.owner, users.name AS owner_name, studies.name, studies.about, studies.tags, \
    studies.language, studies.visibility, studies.status, studies.likes, studies.seq, studies.updated_at, \
    (SELECT COUNT(*) FROM study_chapters WHERE study_chapters.study = studies.id) AS chapters, \
    studies.variants";
const FROM: &str = "FROM studies LEFT JOIN users ON users.id = studies.owner";

impl Store {
    /// A study.
    pub async fn study(&self, id: &str) -> Result<Option<StudyRow>, StoreError> {
        let sql = format!("SELECT {COLUMNS} {FROM} WHERE studies.id = $1");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.pool).await?)
    }

    /// A study without its moves, and which of these users like it.
    pub async fn study_outline(
        &self,
        id: &str,
        users: &HashSet<String>,
    ) -> Result<Option<StudyOutline>, StoreError> {
        let Some(row) = self.study(id).await? else { return Ok(None) };
        let (members, chapters) = (self.study_members(id).await?, self.chapters(id).await?);
        let mut liked_by = HashSet::new();
        if !users.is_empty() {
            let numbers: Vec<String> = (2..).take(users.len()).map(|number| format!("${number}")).collect();
            let sql = format!(
                "SELECT owner FROM study_likes WHERE study = $1 AND owner IN ({})",
                numbers.join(", ")
            );
            let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id);
            let query = users.iter().fold(query, |query, user| query.bind(user.as_str()));
            let rows: Vec<(String,)> = query.fetch_all(&self.pool).await?;
            liked_by.extend(rows.into_iter().map(|(user,)| user));
        }
        Ok(Some(StudyOutline { row, members, chapters, liked_by }))
    }

    /// Studies, the latest or most liked first.
    pub async fn studies(&self, listing: &StudyListing) -> Result<Vec<StudyRow>, StoreError> {
        let column = if listing.by_likes { "likes" } else { "updated_at" };
        let (condition, of) = match &listing.of {
            StudiesOf::All(language) => (
                "studies.visibility = 'public' AND studies.status = 'active' \
                 AND ($3 = '' OR studies.language = '' OR studies.language = $3)",
                language.as_deref().unwrap_or_default(),
            ),
            StudiesOf::Mine(user) => (
                "(studies.owner = $3 OR studies.id IN (SELECT study FROM study_members WHERE member = $3))",
                user.as_str(),
            ),
            StudiesOf::Liked(user) => (
                "studies.id IN (SELECT study FROM study_likes WHERE owner = $3) AND (studies.visibility <> 'private' \
                 OR studies.owner = $3 OR studies.id IN (SELECT study FROM study_members WHERE member = $3))",
                user.as_str(),
            ),
            StudiesOf::Owner(user) => (
                "studies.owner = $3 AND studies.visibility = 'public' AND studies.status = 'active'",
                user.as_str(),
            ),
        };
        // Accounts that were closed or banned do not address the public.
        let mut sql = format!(
            "SELECT {COLUMNS} {FROM} WHERE {condition} AND users.banned_at IS NULL AND studies.status <> 'banned' \
             AND (studies.{column} < $1 OR (studies.{column} = $1 AND studies.id < $2))"
        );
        for number in 0..listing.words.len() {
            sql += &format!(" AND studies.words LIKE ${} ESCAPE '\\'", 5 + number);
        }
        sql += &format!(" ORDER BY studies.{column} DESC, studies.id DESC LIMIT $4");
        let (after, after_id) = listing.after.clone().unwrap_or((i64::MAX, String::new()));
        let query =
            sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(after).bind(after_id).bind(of).bind(listing.limit);
        let words = listing.words.iter().map(|word| super::variants::pattern(word));
        Ok(words.fold(query, sqlx::query::QueryAs::bind).fetch_all(&self.pool).await?)
    }

    /// Stores a new study with its chapters. Returns false if there is no room for it.
    pub async fn make_study(
        &self,
        new: &NewStudyRow,
        chapters: &[NewChapterRow],
    ) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let inserted = insert_study(&mut transaction, new).await?
            && chapters::insert_chapters(&mut transaction, &new.id, chapters, new.now).await?
                == chapters.len();
        if inserted {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        Ok(inserted)
    }

    /// Replaces an earlier study of the site itself by one with the same id; its likes stay.
    pub async fn renew_study(&self, new: &NewStudyRow, chapters: &[NewChapterRow]) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query(
            "UPDATE studies SET name = $2, about = $3, tags = $4, language = $5, source = $6, updated_at = $7 \
             WHERE id = $1",
        )
        .bind(new.id.as_str())
        .bind(new.name.as_str())
        .bind(new.about.as_str())
        .bind(new.tags.as_str())
        .bind(new.language.as_str())
        .bind(new.source.as_str())
        .bind(new.now)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            insert_study(&mut transaction, new).await?;
        }
        sqlx::query("DELETE FROM study_chapters WHERE study = $1")
            .bind(new.id.as_str())
            .execute(&mut *transaction)
            .await?;
        chapters::insert_chapters(&mut transaction, &new.id, chapters, new.now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The digest of the file that a study was made from.
    pub async fn study_source(&self, id: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT source FROM studies WHERE id = $1")
            .bind(id)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|(source,)| source))
    }

    /// Changes the properties of a study.
    pub async fn change_study(&self, row: &NewStudyRow) -> Result<(), StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "UPDATE studies SET name = $2, about = $3, tags = $4, visibility = $5, updated_at = $6 WHERE id = $1",
        )
        .bind(row.id.as_str())
        .bind(row.name.as_str())
        .bind(row.about.as_str())
        .bind(row.tags.as_str())
        .bind(row.visibility.as_str())
        .bind(row.now)
        .execute(&mut *transaction)
        .await?;
        index_words(&mut transaction, &row.id).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes a study with all that belongs to it.
    pub async fn delete_study(&self, id: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM studies WHERE id = $1").bind(id).execute(&mut *self.writer().await?).await?;
        Ok(())
    }

    /// The members of a study, in the order in which they came.
    pub async fn study_members(&self, study: &str) -> Result<Vec<MemberRow>, StoreError> {
        let sql = "SELECT study_members.member, users.name, study_members.writes FROM study_members \
            JOIN users ON users.id = study_members.member WHERE study = $1 AND users.name IS NOT NULL \
            ORDER BY study_members.at, study_members.member";
        Ok(sqlx::query_as(sql).bind(study).fetch_all(&self.pool).await?)
    }

    /// Adds a member, or changes what they may do. Returns false if the study is full.
    pub async fn keep_study_member(
        &self,
        study: &str,
        member: &str,
        writes: bool,
        now: i64,
    ) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT INTO study_members (study, member, writes, at) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS BIGINT) \
             WHERE (SELECT COUNT(*) FROM study_members WHERE study = $1 AND member <> $2) < $5 \
             ON CONFLICT (study, member) DO UPDATE SET writes = excluded.writes",
        )
        .bind(study)
        .bind(member)
        .bind(i64::from(writes))
        .bind(now)
        .bind(MAX_MEMBERS)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Removes a member, and returns whether there was one.
    pub async fn drop_study_member(&self, study: &str, member: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("DELETE FROM study_members WHERE study = $1 AND member = $2")
            .bind(study)
            .bind(member)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// A user's stored studies, memberships, likes and reports, each kind under its name. Chapters and edits are many:
    /// [`Store::chapter_text`], [`Store::edits_by`].
    pub async fn study_data(&self, user: &str) -> Result<[(&'static str, serde_json::Value); 4], StoreError> {
        let own: Vec<OwnStudyRow> = sqlx::query_as(
            "SELECT id, name, about, visibility FROM studies WHERE owner = $1 ORDER BY created_at",
        )
        .bind(user)
        .fetch_all(&self.pool)
        .await?;
        let rows = |sql: &'static str| {
            sqlx::query_as::<_, StudyUseRow>(sql).bind(user.to_owned()).fetch_all(&self.pool)
        };
        let member_of = rows("SELECT study, at FROM study_members WHERE member = $1 ORDER BY at").await?;
        let likes = rows("SELECT study, at FROM study_likes WHERE owner = $1 ORDER BY at").await?;
        let reports: Vec<StudyReportRow> =
            sqlx::query_as("SELECT study, reason, at FROM study_reports WHERE reporter = $1 ORDER BY at")
                .bind(user)
                .fetch_all(&self.pool)
                .await?;
        Ok([
            ("own", serde_json::json!(own)),
            ("member_of", serde_json::json!(member_of)),
            ("likes", serde_json::json!(likes)),
            ("reports", serde_json::json!(reports)),
        ])
    }
}

/// Inserts a study unless its owner has too many. The site itself may have any number.
async fn insert_study(connection: &mut AnyConnection, new: &NewStudyRow) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO studies (id, owner, name, about, tags, language, visibility, words, variants, source, created_at, updated_at) \
         SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), \
         CAST($6 AS TEXT), CAST($7 AS TEXT), '', '', CAST($8 AS TEXT), CAST($9 AS BIGINT), CAST($9 AS BIGINT) \
         WHERE $2 = '' OR (SELECT COUNT(*) FROM studies WHERE owner = $2) < $10",
    )
    .bind(new.id.as_str())
    .bind(new.owner.as_str())
    .bind(new.name.as_str())
    .bind(new.about.as_str())
    .bind(new.tags.as_str())
    .bind(new.language.as_str())
    .bind(new.visibility.as_str())
    .bind(new.source.as_str())
    .bind(new.now)
    .bind(MAX_STUDIES)
    .execute(&mut *connection)
    .await?;
    index_words(connection, &new.id).await?;
    Ok(done.rows_affected() == 1)
}

/// Updates the words by which a study is found, after a change of its name, tags or chapters.
async fn index_words(connection: &mut AnyConnection, id: &str) -> Result<(), StoreError> {
    let row: Option<(String, String)> = sqlx::query_as("SELECT name, tags FROM studies WHERE id = $1")
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    let Some((name, tags)) = row else { return Ok(()) };
    let games: Vec<(String, String)> = sqlx::query_as(
        "SELECT DISTINCT study_chapters.variant, rules.name FROM study_chapters \
         JOIN rules ON rules.digest = study_chapters.digest WHERE study_chapters.study = $1 ORDER BY study_chapters.variant",
    )
    .bind(id)
    .fetch_all(&mut *connection)
    .await?;
    let variants: Vec<&str> = games.iter().map(|(variant, _)| variant.as_str()).collect();
    let names: Vec<&str> = games.iter().map(|(_, name)| name.as_str()).collect();
    let words = format!("{name} {tags} {} {}", variants.join(" "), names.join(" ")).to_lowercase();
    sqlx::query("UPDATE studies SET words = $2, variants = $3 WHERE id = $1")
        .bind(id)
        .bind(words)
        .bind(variants.join(" "))
        .execute(&mut *connection)
        .await?;
    Ok(())
}
