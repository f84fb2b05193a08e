//! Chapters of studies, and the edits of their moves.

use super::super::row::from_row;
use super::index_words;
use crate::{Store, StoreError};
use sqlx::AnyConnection;

/// Most chapters of one study.
pub const MAX_CHAPTERS: usize = 64;
/// Most bytes of all chapters of one user.
pub(crate) const MAX_BYTES: i64 = 32 << 20;
/// Edits that stay stored although the chapter's moves contain them: another server may have read the moves before.
const KEPT_EDITS: i64 = 100;
/// Bytes of an edit's row beside the edit.
const EDIT_ROW_BYTES: i64 = 128;

/// A chapter as it is stored.
#[derive(Clone, Debug)]
pub struct ChapterRow {
    /// The chapter's id, unique in its study.
    pub id: String,
    /// The chapter's name.
    pub name: String,
    /// The id of its game.
    pub variant: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// Its first position.
    pub fen: String,
}

from_row!(ChapterRow { id, name, variant, digest, fen });

/// A chapter to be made.
#[derive(Clone, Debug)]
pub struct NewChapterRow {
    /// The chapter's id, unique in its study.
    pub id: String,
    /// The chapter's name.
    pub name: String,
    /// The id of its game.
    pub variant: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// Its first position.
    pub fen: String,
    /// Its moves as JSON.
    pub tree: String,
}

/// The moves of a chapter after an edit.
#[derive(Clone, Debug)]
pub struct SnapshotRow {
    /// The id of the chapter's game.
    pub variant: String,
    /// The digest of the game's rules.
    pub digest: String,
    /// The first position.
    pub fen: String,
    /// The moves as JSON.
    pub tree: String,
    /// The number of the last edit that the moves contain.
    pub(crate) seq: i64,
}

from_row!(SnapshotRow { variant, digest, fen, tree, seq });

/// An edit of a chapter.
#[derive(Clone, Debug)]
pub struct EditRow {
    /// Its number in the study.
    pub seq: i64,
    /// The chapter's id.
    pub chapter: String,
    /// The number of the client that sent it.
    pub client: i64,
    /// The client's own number for it.
    pub number: i64,
    /// The author's id.
    pub author: String,
    /// The edit as JSON.
    pub edit: String,
    /// When it was made, in Unix milliseconds.
    pub at: i64,
}

from_row!(EditRow { seq, chapter, client, number, author, edit, at });

impl EditRow {
    /// Its size in the quota.
    pub fn bytes(&self) -> i64 {
        self.edit.len() as i64 + EDIT_ROW_BYTES
    }
}

/// The row of a chapter's position in the order.
type IdRow = (String,);

impl Store {
    /// The chapters of a study, in order.
    pub async fn chapters(&self, study: &str) -> Result<Vec<ChapterRow>, StoreError> {
        let sql =
            "SELECT id, name, variant, digest, fen FROM study_chapters WHERE study = $1 ORDER BY place, id";
        Ok(sqlx::query_as(sql).bind(study).fetch_all(&self.pool).await?)
    }

    /// A chapter with its moves, and the edits that are not in them.
    pub async fn chapter(
        &self,
        study: &str,
        id: &str,
    ) -> Result<Option<(SnapshotRow, Vec<EditRow>)>, StoreError> {
        let row: Option<SnapshotRow> = sqlx::query_as(
            "SELECT variant, digest, fen, tree, seq FROM study_chapters WHERE study = $1 AND id = $2",
        )
        .bind(study)
        .bind(id)
        .fetch_optional(&self.pool)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let edits = sqlx::query_as(
            "SELECT seq, chapter, client, number, author, edit, at FROM study_edits \
             WHERE study = $1 AND chapter = $2 AND seq > $3 ORDER BY seq",
        )
        .bind(study)
        .bind(id)
        .bind(row.seq)
        .fetch_all(&self.pool)
        .await?;
        Ok(Some((row, edits)))
    }

    /// The chapters of all studies of a user: study and chapter.
    pub async fn chapters_of_owner(&self, owner: &str) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT study, id FROM study_chapters WHERE study IN (SELECT id FROM studies WHERE owner = $1) \
            ORDER BY study, place";
        Ok(sqlx::query_as(sql).bind(owner).fetch_all(&self.pool).await?)
    }

    /// The name and the stored moves of a chapter.
    pub async fn chapter_text(&self, study: &str, id: &str) -> Result<Option<(String, String)>, StoreError> {
        let sql = "SELECT name, tree FROM study_chapters WHERE study = $1 AND id = $2";
        Ok(sqlx::query_as(sql).bind(study).bind(id).fetch_optional(&self.pool).await?)
    }

    /// The studies that have stored edits of a user.
    pub async fn studies_edited_by(&self, author: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT DISTINCT study FROM study_edits WHERE author = $1 ORDER BY study";
        let rows: Vec<IdRow> = sqlx::query_as(sql).bind(author).fetch_all(&self.pool).await?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }

    /// Stored edits of a study by a user, in their order, after one.
    pub async fn edits_by(
        &self,
        author: &str,
        study: &str,
        after: i64,
        most: i64,
    ) -> Result<Vec<EditRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT seq, chapter, client, number, author, edit, at FROM study_edits \
             WHERE study = $1 AND seq > $2 AND author = $3 ORDER BY seq LIMIT $4",
        )
        .bind(study)
        .bind(after)
        .bind(author)
        .bind(most)
        .fetch_all(&self.pool)
        .await?)
    }

    /// Adds chapters at the end of a study, as many as there is room for, and returns how many.
    pub async fn add_chapters(
        &self,
        study: &str,
        chapters: &[NewChapterRow],
        now: i64,
    ) -> Result<usize, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let inserted = insert_chapters(&mut transaction, study, chapters, now).await?;
        transaction.commit().await?;
        Ok(inserted)
    }

    /// Renames a chapter, and returns whether there is one.
    pub async fn rename_chapter(&self, study: &str, id: &str, name: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("UPDATE study_chapters SET name = $3 WHERE study = $1 AND id = $2")
            .bind(study)
            .bind(id)
            .bind(name)
            .execute(&mut *self.writer().await?)
            .await?;
        Ok(done.rows_affected() == 1)
    }

    /// Moves a chapter to another position. Returns whether there is one.
    pub async fn move_chapter(&self, study: &str, id: &str, place: usize) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        // Writes first: SQLite refuses a transaction that reads first and is overtaken.
        sqlx::query("UPDATE study_chapters SET place = place WHERE study = $1")
            .bind(study)
            .execute(&mut *transaction)
            .await?;
        let rows: Vec<IdRow> =
            sqlx::query_as("SELECT id FROM study_chapters WHERE study = $1 ORDER BY place, id")
                .bind(study)
                .fetch_all(&mut *transaction)
                .await?;
        let mut order: Vec<String> = rows.into_iter().map(|(id,)| id).collect();
        let Some(from) = order.iter().position(|known| known == id) else { return Ok(false) };
        let moved = order.remove(from);
        order.insert(place.min(order.len()), moved);
        for (place, id) in (0_i64..).zip(&order) {
            sqlx::query("UPDATE study_chapters SET place = $3 WHERE study = $1 AND id = $2")
                .bind(study)
                .bind(id.as_str())
                .bind(place)
                .execute(&mut *transaction)
                .await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Deletes a chapter with its edits, and returns whether there was one.
    pub async fn drop_chapter(&self, study: &str, id: &str) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query("DELETE FROM study_chapters WHERE study = $1 AND id = $2")
            .bind(study)
            .bind(id)
            .execute(&mut *transaction)
            .await?;
        index_words(&mut transaction, study).await?;
        transaction.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// Number of the last edit of an author's client; 0 before the first.
    pub async fn last_edit_of(&self, study: &str, author: &str, client: i64) -> Result<i64, StoreError> {
        let row: (Option<i64>,) = sqlx::query_as(
            "SELECT MAX(number) FROM study_edits WHERE study = $1 AND author = $2 AND client = $3",
        )
        .bind(study)
        .bind(author)
        .bind(client)
        .fetch_one(&self.pool)
        .await?;
        Ok(row.0.unwrap_or(0))
    }

    /// How many bytes the owner of a study may still fill.
    pub async fn study_room(&self, study: &str) -> Result<i64, StoreError> {
        let (used,): (i64,) = sqlx::query_as(
            "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM study_chapters WHERE study IN \
             (SELECT id FROM studies WHERE owner <> '' AND owner = (SELECT owner FROM studies WHERE id = $1))",
        )
        .bind(study)
        .fetch_one(&self.pool)
        .await?;
        Ok(MAX_BYTES - used)
    }

    /// Stores edits, and the moves of chapters after them.
    ///
    /// # Errors
    /// [`StoreError::Overtaken`] if another server has edited the study meanwhile, or it is gone: nothing was stored.
    pub async fn keep_edits(
        &self,
        study: &str,
        edits: &[EditRow],
        snapshots: &[(String, String)],
    ) -> Result<(), StoreError> {
        let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return Ok(()) };
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let next = sqlx::query("UPDATE studies SET seq = $2, updated_at = $3 WHERE id = $1 AND seq = $4")
            .bind(study)
            .bind(last.seq)
            .bind(last.at)
            .bind(first.seq - 1)
            .execute(&mut *transaction)
            .await?;
        if next.rows_affected() == 0 {
            return Err(StoreError::Overtaken);
        }
        for edit in edits {
            sqlx::query(
                "INSERT INTO study_edits (study, seq, chapter, client, number, author, edit, at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(study)
            .bind(edit.seq)
            .bind(edit.chapter.as_str())
            .bind(edit.client)
            .bind(edit.number)
            .bind(edit.author.as_str())
            .bind(edit.edit.as_str())
            .bind(edit.at)
            .execute(&mut *transaction)
            .await?;
            sqlx::query("UPDATE study_chapters SET size = size + $3 WHERE study = $1 AND id = $2")
                .bind(study)
                .bind(edit.chapter.as_str())
                .bind(edit.bytes())
                .execute(&mut *transaction)
                .await?;
        }
        for (chapter, tree) in snapshots {
            // The last edit of each client stays: the client may send it again after any time.
            sqlx::query(
                "DELETE FROM study_edits WHERE study = $1 AND chapter = $2 AND seq <= $3 AND EXISTS \
                 (SELECT 1 FROM study_edits AS later WHERE later.study = study_edits.study \
                 AND later.author = study_edits.author AND later.client = study_edits.client \
                 AND later.number > study_edits.number AND later.chapter = study_edits.chapter)",
            )
            .bind(study)
            .bind(chapter.as_str())
            .bind(last.seq - KEPT_EDITS)
            .execute(&mut *transaction)
            .await?;
            sqlx::query(
                "UPDATE study_chapters SET tree = $3, seq = $5, size = $4 + (SELECT CAST(COALESCE(SUM(LENGTH(edit) + $6), 0) \
                 AS BIGINT) FROM study_edits WHERE study = $1 AND chapter = $2) WHERE study = $1 AND id = $2",
            )
            .bind(study)
            .bind(chapter.as_str())
            .bind(tree.as_str())
            .bind(tree.len() as i64)
            .bind(last.seq)
            .bind(EDIT_ROW_BYTES)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

/// Inserts chapters at the end of a study, as many as there is room for, and returns how many.
pub(super) async fn insert_chapters(
    connection: &mut AnyConnection,
    study: &str,
    chapters: &[NewChapterRow],
    now: i64,
) -> Result<usize, StoreError> {
    sqlx::query("UPDATE studies SET updated_at = $2 WHERE id = $1")
        .bind(study)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    let mut inserted = 0;
    for chapter in chapters {
        let done = sqlx::query(
            "INSERT INTO study_chapters (study, id, place, name, variant, digest, fen, tree, size, seq) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), \
             (SELECT COALESCE(MAX(place), -1) + 1 FROM study_chapters WHERE study = $1), \
             CAST($3 AS TEXT), CAST($4 AS TEXT), CAST($5 AS TEXT), CAST($6 AS TEXT), CAST($7 AS TEXT), \
             CAST($8 AS BIGINT), (SELECT seq FROM studies WHERE id = $1) \
             WHERE (SELECT COUNT(*) FROM study_chapters WHERE study = $1) < $9 AND ( \
             (SELECT owner FROM studies WHERE id = $1) = '' OR \
             (SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) FROM study_chapters WHERE study IN \
             (SELECT id FROM studies WHERE owner = (SELECT owner FROM studies WHERE id = $1))) < $10)",
        )
        .bind(study)
        .bind(chapter.id.as_str())
        .bind(chapter.name.as_str())
        .bind(chapter.variant.as_str())
        .bind(chapter.digest.as_str())
        .bind(chapter.fen.as_str())
        .bind(chapter.tree.as_str())
        .bind(chapter.tree.len() as i64)
        .bind(MAX_CHAPTERS as i64)
        .bind(MAX_BYTES)
        .execute(&mut *connection)
        .await?;
        if done.rows_affected() == 0 {
            break;
        }
        inserted += 1;
    }
    index_words(connection, study).await?;
    Ok(inserted)
}
