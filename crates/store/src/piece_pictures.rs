//! Pictures of pieces that users have drawn. Not here: how they are cleaned.

use super::row::from_row;
use super::{Store, StoreError};
use sqlx::AnyConnection;

/// Most pictures of one user.
const MAX_PICTURES: i64 = 200;

/// A picture to be stored.
#[derive(Clone, Debug)]
pub struct PictureRow {
    /// Of the SVG.
    pub digest: String,
    /// The id of the user who drew it.
    pub owner: String,
    /// The cleaned SVG.
    pub svg: String,
    /// When it was stored, in Unix milliseconds.
    pub at: i64,
}

/// A picture in the list of its owner.
#[derive(Clone, Debug)]
pub struct OwnPictureRow {
    /// The digest of the SVG.
    pub digest: String,
    /// When it was stored, in Unix milliseconds.
    pub at: i64,
    /// How many published games have it.
    pub games: i64,
}

from_row!(OwnPictureRow { digest, at, games });

impl Store {
    /// Stores a picture for its owner. Returns false if that exceeds the quota.
    pub async fn keep_picture(&self, row: &PictureRow) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        sqlx::query("INSERT INTO pictures (digest, svg) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING")
            .bind(row.digest.as_str())
            .bind(row.svg.as_str())
            .execute(&mut *transaction)
            .await?;
        let done = sqlx::query(
            "INSERT INTO picture_owners (picture, owner, at) SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT) \
             WHERE (SELECT COUNT(*) FROM picture_owners WHERE owner = $2 AND picture <> $1) < $4 \
             ON CONFLICT (picture, owner) DO UPDATE SET at = excluded.at",
        )
        .bind(row.digest.as_str())
        .bind(row.owner.as_str())
        .bind(row.at)
        .bind(MAX_PICTURES)
        .execute(&mut *transaction)
        .await?;
        if done.rows_affected() == 0 {
            transaction.rollback().await?;
            return Ok(false);
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// The SVG of a picture.
    pub async fn picture(&self, digest: &str) -> Result<Option<String>, StoreError> {
        let row: Option<(String,)> = sqlx::query_as("SELECT svg FROM pictures WHERE digest = $1")
            .bind(digest)
            .fetch_optional(&self.pool)
            .await?;
        Ok(row.map(|(svg,)| svg))
    }

    /// A user's own pictures, the latest first.
    pub async fn pictures_of(&self, owner: &str) -> Result<Vec<OwnPictureRow>, StoreError> {
        let sql = "SELECT picture AS digest, at, \
            (SELECT COUNT(*) FROM variant_pictures WHERE variant_pictures.picture = picture_owners.picture) AS games \
            FROM picture_owners WHERE owner = $1 ORDER BY at DESC, picture";
        Ok(sqlx::query_as(sql).bind(owner).fetch_all(&self.pool).await?)
    }

    /// Removes a picture from a user's own, and returns whether it was there. It is deleted unless another user or a
    /// published game has it.
    pub async fn drop_picture(&self, digest: &str, owner: &str) -> Result<bool, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query("DELETE FROM picture_owners WHERE picture = $1 AND owner = $2")
            .bind(digest)
            .bind(owner)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "DELETE FROM pictures WHERE digest = $1 AND NOT EXISTS (SELECT 1 FROM picture_owners WHERE picture = $1) \
             AND NOT EXISTS (SELECT 1 FROM variant_pictures WHERE picture = $1)",
        )
        .bind(digest)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(done.rows_affected() == 1)
    }
}

/// Keeps the pictures that a published game names for as long as the game.
pub(super) async fn link_pictures(
    connection: &mut AnyConnection,
    variant: &str,
    pictures: &[String],
) -> Result<(), StoreError> {
    for picture in pictures {
        sqlx::query(
            "INSERT INTO variant_pictures (variant, picture) SELECT CAST($1 AS TEXT), digest FROM pictures \
             WHERE digest = $2 ON CONFLICT (variant, picture) DO NOTHING",
        )
        .bind(variant)
        .bind(picture.as_str())
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
