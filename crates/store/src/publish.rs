//! Publishing: a version of a game that a user has made, with the rules that it is played by.

use super::piece_pictures::link_pictures;
use super::variants::insert_draft;
use super::{DraftRow, RulesRow, Store, StoreError, write_json};
use lozenge_game::skeleton;
use sqlx::AnyConnection;

/// Most versions of one game.
const MAX_VERSIONS: i64 = 100;

/// A version to be published.
#[derive(Clone, Debug)]
pub struct PublishRow {
    /// The id of the user who publishes it.
    pub owner: String,
    /// When the owner's account was made, in Unix milliseconds.
    pub owner_since: i64,
    /// The draft that it is published from; without one, the owner's game with the same `id` in its file.
    pub draft: Option<String>,
    /// The game's id in its file.
    pub file_id: String,
    /// The game's name.
    pub name: String,
    /// The author that the file names.
    pub author: String,
    /// The version in lists, as JSON.
    pub summary: String,
    /// Words with spaces around each.
    pub tags: String,
    /// The visibility of the game, as the wire's word.
    pub visibility: String,
    /// The text of the file.
    pub source: String,
    /// The rules that it extends, if they are another game's.
    pub parent: Option<RulesRow>,
    /// The digest of the rules.
    pub digest: String,
    /// The texts of the rules, the game's own first.
    pub texts: Vec<String>,
    /// Pictures that users have drawn, which the pieces name.
    pub pictures: Vec<String>,
    /// The present, in Unix milliseconds.
    pub now: i64,
}

/// The outcome of a publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PublishOutcome {
    /// Published: the row's id, the public id and the number of the version.
    Version {
        /// The id of the row.
        row: String,
        /// The public id.
        id: String,
        /// The number of the version, from 1.
        number: i64,
    },
    /// The owner has reached the limit of games.
    TooManyGames,
    /// The game has reached the limit of versions.
    TooManyVersions,
    /// Another user's public game has the name, or one that looks like it.
    NameTaken,
    /// There is no such draft, or it is banned.
    NoDraft,
}

impl Store {
    /// Publishes a version. The same rules as in the latest version are no new one.
    pub async fn publish(&self, new: &PublishRow) -> Result<PublishOutcome, StoreError> {
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let published = publish(&mut transaction, new).await?;
        if matches!(published, PublishOutcome::Version { .. }) {
            transaction.commit().await?;
        } else {
            transaction.rollback().await?;
        }
        Ok(published)
    }
}

/// Id, slug, latest version and its digest.
type Known = (String, Option<String>, i64, Option<String>);

async fn publish(connection: &mut AnyConnection, new: &PublishRow) -> Result<PublishOutcome, StoreError> {
    let (name_key, looks) = (new.name.to_lowercase(), skeleton(&new.name));
    // Writes first: SQLite refuses a transaction that reads first and is overtaken.
    for rules in new.parent.iter().chain([&RulesRow {
        digest: new.digest.clone(),
        variant: new.file_id.clone(),
        name: new.name.clone(),
        texts: new.texts.clone(),
    }]) {
        sqlx::query(
            "INSERT INTO rules (digest, variant, name, texts) VALUES ($1, $2, $3, $4) ON CONFLICT (digest) DO NOTHING",
        )
        .bind(rules.digest.as_str())
        .bind(rules.variant.as_str())
        .bind(rules.name.as_str())
        .bind(write_json(&rules.texts))
        .execute(&mut *connection)
        .await?;
    }
    let (condition, value) = match &new.draft {
        Some(draft) => ("id = $2", draft),
        None => ("file_id = $2", &new.file_id),
    };
    let sql = format!(
        "SELECT id, slug, version, digest FROM variants WHERE owner = $1 AND {condition} AND status <> 'banned' \
         ORDER BY updated_at DESC LIMIT 1"
    );
    let known: Option<Known> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(new.owner.as_str())
        .bind(value.as_str())
        .fetch_optional(&mut *connection)
        .await?;
    let (id, slug, version, digest) = match known {
        Some(known) => known,
        None if new.draft.is_some() => return Ok(PublishOutcome::NoDraft),
        None => {
            let draft = DraftRow {
                id: lozenge_game::ids::other(),
                owner: new.owner.clone(),
                owner_since: new.owner_since,
                file_id: new.file_id.clone(),
                name: new.name.clone(),
                source: new.source.clone(),
                now: new.now,
            };
            if !insert_draft(connection, &draft).await? {
                return Ok(PublishOutcome::TooManyGames);
            }
            (draft.id, None, 0, None)
        }
    };
    if new.visibility == "public" {
        let taken: Option<(String,)> = sqlx::query_as(
            "SELECT id FROM variants WHERE (name_skeleton = $1 OR name_key = $2) AND visibility = 'public' AND version > 0 \
             AND id <> $3 AND owner <> $4 LIMIT 1",
        )
        .bind(looks.as_str())
        .bind(name_key.as_str())
        .bind(id.as_str())
        .bind(new.owner.as_str())
        .fetch_optional(&mut *connection)
        .await?;
        if taken.is_some() {
            return Ok(PublishOutcome::NameTaken);
        }
    }
    let same = digest.as_deref() == Some(new.digest.as_str());
    let number = if same { version } else { version + 1 };
    if number > MAX_VERSIONS {
        return Ok(PublishOutcome::TooManyVersions);
    }
    let slug = match slug {
        Some(slug) => slug,
        None => free_slug(connection, &new.file_id).await?,
    };
    sqlx::query(
        "UPDATE variants SET slug = $1, name = $2, name_key = $3, author = $4, summary = $5, tags = $6, visibility = $7, \
         source = $8, version = $9, digest = $10, updated_at = $11, \
         published_at = CASE WHEN published_at = 0 THEN $11 ELSE published_at END, file_id = $12, name_skeleton = $13 WHERE id = $14",
    )
    .bind(slug.as_str())
    .bind(new.name.as_str())
    .bind(name_key.as_str())
    .bind(new.author.as_str())
    .bind(new.summary.as_str())
    .bind(new.tags.as_str())
    .bind(new.visibility.as_str())
    .bind(new.source.as_str())
    .bind(number)
    .bind(new.digest.as_str())
    .bind(new.now)
    .bind(new.file_id.as_str())
    .bind(looks)
    .bind(id.as_str())
    .execute(&mut *connection)
    .await?;
    if !same {
        sqlx::query("INSERT INTO variant_versions (variant, number, digest, at) VALUES ($1, $2, $3, $4)")
            .bind(id.as_str())
            .bind(number)
            .bind(new.digest.as_str())
            .bind(new.now)
            .execute(&mut *connection)
            .await?;
    }
    link_pictures(connection, &id, &new.pictures).await?;
    Ok(PublishOutcome::Version { row: id, id: format!("~{slug}"), number })
}

/// The id of a file, or the same with a number, that no published game has.
async fn free_slug(connection: &mut AnyConnection, file_id: &str) -> Result<String, StoreError> {
    for number in 1..20 {
        let slug = if number == 1 { file_id.to_owned() } else { format!("{file_id}-{number}") };
        let taken: Option<(String,)> = sqlx::query_as("SELECT id FROM variants WHERE slug = $1")
            .bind(slug.as_str())
            .fetch_optional(&mut *connection)
            .await?;
        if taken.is_none() {
            return Ok(slug);
        }
    }
    Ok(format!("{file_id}-{}", lozenge_game::ids::other().to_lowercase()))
}
