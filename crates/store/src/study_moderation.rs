//! Reports of studies, and what a host does about them: `lozenge studies` lists, hides and bans studies beside a running
//! server, which checks their status whenever one is opened.

use super::row::from_row;
use super::variants::MAX_REPORTS;
use super::{ListingSanction, ModerationError, Moderator, Store, StoreError};

/// A study as the host sees it. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StudyEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Id of its owner; empty for the studies of the site itself.
    pub owner: String,
    /// Name of its owner.
    pub owner_name: Option<String>,
    /// `private`, `unlisted` or `public`.
    pub visibility: String,
    /// `active`, `hidden` or `banned`.
    pub status: String,
    /// Number of its chapters.
    pub chapters: i64,
    /// How many users like it.
    pub likes: i64,
    /// When it was last changed.
    pub updated_at: i64,
    /// How many open reports there are of it.
    pub reports: i64,
}

from_row!(StudyEntry {
    id,
    name,
    owner,
    owner_name,
    visibility,
    status,
    chapters,
    likes,
    updated_at,
    reports
});

/// A report of a study. Times are Unix milliseconds.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StudyReportEntry {
    /// Id of the study.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Id of the user who reports it.
    pub reporter: String,
    /// Why.
    pub reason: String,
    /// When.
    pub at: i64,
}

from_row!(StudyReportEntry { id, name, reporter, reason, at });

const ENTRY: &str = "SELECT studies.id, studies.name, studies.owner, users.name AS owner_name, studies.visibility, \
    studies.status, (SELECT COUNT(*) FROM study_chapters WHERE study_chapters.study = studies.id) AS chapters, \
    studies.likes, studies.updated_at, \
    (SELECT COUNT(*) FROM study_reports WHERE study_reports.study = studies.id AND closed_at IS NULL) AS reports \
    FROM studies LEFT JOIN users ON users.id = studies.owner";

impl Store {
    /// Keeps a report of a study. A second one by the same user changes nothing.
    pub async fn report_study(
        &self,
        study: &str,
        reporter: &str,
        reason: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT INTO study_reports (study, reporter, reason, at) \
             SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT) \
             WHERE (SELECT COUNT(*) FROM study_reports WHERE study = $1 AND closed_at IS NULL) < $5 \
             ON CONFLICT (study, reporter) DO NOTHING",
        )
        .bind(study)
        .bind(reporter)
        .bind(reason)
        .bind(now)
        .bind(MAX_REPORTS)
        .execute(&mut *self.writer().await?)
        .await?;
        Ok(())
    }
}

impl Moderator {
    /// Studies that others may see, the last changed first: all, or only those with open reports.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn studies(&mut self, reported: bool, most: u32) -> Result<Vec<StudyEntry>, StoreError> {
        let sql = format!(
            "{ENTRY} WHERE (studies.visibility <> 'private' OR $1 = 1) AND ($1 = 0 OR EXISTS (SELECT 1 FROM study_reports \
             WHERE study_reports.study = studies.id AND closed_at IS NULL)) \
             ORDER BY studies.updated_at DESC, studies.id LIMIT $2"
        );
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(i64::from(reported)).bind(i64::from(most));
        Ok(query.fetch_all(&mut self.connection).await?)
    }

    /// The open reports of studies, the latest first.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn study_reports(&mut self, most: u32) -> Result<Vec<StudyReportEntry>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT studies.id, studies.name, study_reports.reporter, study_reports.reason, study_reports.at \
             FROM study_reports JOIN studies ON studies.id = study_reports.study \
             WHERE study_reports.closed_at IS NULL ORDER BY study_reports.at DESC LIMIT $1",
        )
        .bind(i64::from(most))
        .fetch_all(&mut self.connection)
        .await?)
    }

    /// Does something to a study, and closes the reports of it.
    ///
    /// # Errors
    /// If there is no such study.
    pub async fn sanction_study(
        &mut self,
        id: &str,
        sanction: ListingSanction,
        now: i64,
    ) -> Result<StudyEntry, ModerationError> {
        sqlx::query("UPDATE studies SET status = $1 WHERE id = $2")
            .bind(sanction.status())
            .bind(id)
            .execute(&mut self.connection)
            .await?;
        self.close_study_reports(id, now).await
    }

    /// Closes the reports of a study. The study as it is then.
    ///
    /// # Errors
    /// If there is no such study.
    pub async fn close_study_reports(&mut self, id: &str, now: i64) -> Result<StudyEntry, ModerationError> {
        sqlx::query("UPDATE study_reports SET closed_at = $1 WHERE closed_at IS NULL AND study = $2")
            .bind(now)
            .bind(id)
            .execute(&mut self.connection)
            .await?;
        let sql = format!("{ENTRY} WHERE studies.id = $1");
        let query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id);
        let found = query.fetch_optional(&mut self.connection).await?;
        found.ok_or_else(|| ModerationError::NoStudy(id.to_owned()))
    }
}
