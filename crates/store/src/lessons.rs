//! The progress of users in the courses of games: the levels that they have solved. Not here: what a level is (`lessons`).

use super::row::from_row;
use super::{Store, StoreError};
use serde::Serialize;
use std::collections::BTreeMap;

/// Most levels that are kept for a user; the oldest go first. The longest course has fewer than 40.
const MAX_LEVELS: i64 = 4_000;

/// The progress of a user in a course.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CourseRow {
    /// The id of the game.
    pub variant: String,
    /// The digest of its rules.
    pub digest: String,
    /// How many levels are solved.
    pub levels: i64,
    /// The stars of all of them.
    pub stars: i64,
    /// When the last one was solved or improved, in Unix milliseconds.
    pub at: i64,
}

from_row!(CourseRow { variant, digest, levels, stars, at });

impl Store {
    /// Adds levels that a user has solved, with their stars; of each level the most stars count. Returns all solved levels of
    /// the course.
    pub async fn add_lesson_stars(
        &self,
        owner: &str,
        variant: &str,
        digest: &str,
        solved: &BTreeMap<String, u8>,
        now: i64,
    ) -> Result<BTreeMap<String, u8>, StoreError> {
        let mut known = self.lesson_stars(owner, digest).await?;
        // Each visit sends all that the browser has, and most of it is known.
        let better: Vec<(&String, u8)> = solved
            .iter()
            .map(|(level, stars)| (level, *stars))
            .filter(|(level, stars)| known.get(*level).is_none_or(|before| before < stars))
            .collect();
        if !better.is_empty() {
            let mut writer = self.writer().await?;
            let mut transaction = writer.begin().await?;
            for &(level, stars) in &better {
                sqlx::query(
                    "INSERT INTO lesson_stars (owner, digest, level, variant, stars, at) VALUES ($1, $2, $3, $4, $5, $6) \
                     ON CONFLICT (owner, digest, level) DO UPDATE SET stars = excluded.stars, at = excluded.at \
                     WHERE lesson_stars.stars < excluded.stars",
                )
                .bind(owner)
                .bind(digest)
                .bind(level.as_str())
                .bind(variant)
                .bind(i64::from(stars))
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            }
            sqlx::query(
                "DELETE FROM lesson_stars WHERE owner = $1 AND at < (SELECT at FROM lesson_stars WHERE owner = $1 \
                 ORDER BY at DESC LIMIT 1 OFFSET $2)",
            )
            .bind(owner)
            .bind(MAX_LEVELS)
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            // Another request may have added some meanwhile.
            known = self.lesson_stars(owner, digest).await?;
        }
        Ok(known)
    }

    /// The solved levels of a course, with their stars.
    async fn lesson_stars(&self, owner: &str, digest: &str) -> Result<BTreeMap<String, u8>, StoreError> {
        let rows: Vec<(String, i64)> =
            sqlx::query_as("SELECT level, stars FROM lesson_stars WHERE owner = $1 AND digest = $2")
                .bind(owner)
                .bind(digest)
                .fetch_all(&self.pool)
                .await?;
        Ok(rows.into_iter().map(|(level, stars)| (level, u8::try_from(stars).unwrap_or(u8::MAX))).collect())
    }

    /// The courses in which a user has solved levels, the latest first; at most `most`.
    pub async fn courses_of(&self, owner: &str, most: i64) -> Result<Vec<CourseRow>, StoreError> {
        Ok(sqlx::query_as(
            "SELECT MAX(variant) AS variant, digest, COUNT(*) AS levels, CAST(SUM(stars) AS BIGINT) AS stars, MAX(at) AS at \
             FROM lesson_stars WHERE owner = $1 GROUP BY digest ORDER BY MAX(at) DESC, digest LIMIT $2",
        )
        .bind(owner)
        .bind(most)
        .fetch_all(&self.pool)
        .await?)
    }
}
