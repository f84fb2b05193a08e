//! Erasing deleted accounts: afterwards neither a name nor an id in the database links a user's data.

use super::users::name_digests;
use super::{ReviewRow, Store, StoreError, read_json, write_json};
use lozenge_game::GameEvent;
use lozenge_wire::Color;
use sqlx::AnyConnection;
use std::collections::BTreeSet;

/// Takes the author out of lines of chat. `$1` is the user's id.
const CHAT: &str = "UPDATE chat SET author = '', author_name = 'Guest' WHERE author = $1 RETURNING game";

/// Takes author and reporter out of reports. `$1` is the user's id.
const REPORTS: [&str; 2] = [
    "UPDATE reports SET author = '', author_name = 'Guest' WHERE author = $1",
    // One line is reported once by each: the report's own id replaces the reporter.
    "UPDATE reports SET reporter = id, reporter_name = 'Guest' WHERE reporter = $1",
];

/// Deletes what belongs to a user. `$1` is the user's id.
const OWNED: [&str; 35] = [
    "UPDATE reserved_names SET owner = NULL WHERE owner = $1",
    "DELETE FROM reviews WHERE game IN (SELECT id FROM imports WHERE owner = $1)",
    "DELETE FROM imports WHERE owner = $1",
    "UPDATE reviews SET asked_by = '' WHERE asked_by = $1",
    "UPDATE jobs SET asker = '' WHERE asker = $1",
    "DELETE FROM challenges WHERE challenger = $1 OR challenged = $1",
    "DELETE FROM push_subscriptions WHERE owner = $1",
    "UPDATE games SET maker = '' WHERE maker = $1",
    "DELETE FROM sessions WHERE data LIKE '%\"user\":\"' || $1 || '\"%'",
    "DELETE FROM moderation WHERE subject = $1",
    "DELETE FROM tokens WHERE owner = $1",
    "DELETE FROM seeks WHERE owner = $1",
    "DELETE FROM ratings WHERE owner = $1",
    "DELETE FROM known_networks WHERE owner = $1",
    "DELETE FROM rating_history WHERE owner = $1",
    // Others play by published rules; these stay without an owner.
    "DELETE FROM variants WHERE owner = $1 AND (version = 0 OR visibility = 'private')",
    "UPDATE variants SET owner = '', source = '' WHERE owner = $1",
    "DELETE FROM pictures WHERE digest IN (SELECT picture FROM picture_owners WHERE owner = $1) \
     AND digest NOT IN (SELECT picture FROM picture_owners WHERE owner <> $1) \
     AND digest NOT IN (SELECT picture FROM variant_pictures)",
    "DELETE FROM picture_owners WHERE owner = $1",
    "DELETE FROM lab_jobs WHERE asked_by = $1 AND state = 'open'",
    "UPDATE lab_jobs SET asked_by = '' WHERE asked_by = $1",
    "UPDATE variants SET likes = likes - 1 WHERE id IN (SELECT variant FROM variant_likes WHERE owner = $1)",
    "DELETE FROM variant_likes WHERE owner = $1",
    "UPDATE variant_comments SET author = '', author_name = 'Guest' WHERE author = $1",
    "DELETE FROM variant_reports WHERE reporter = $1",
    "DELETE FROM study_reports WHERE reporter = $1",
    // What a user has added to studies of other owners stays there without an author.
    "DELETE FROM studies WHERE owner = $1",
    "DELETE FROM study_members WHERE member = $1",
    "UPDATE studies SET likes = likes - 1 WHERE id IN (SELECT study FROM study_likes WHERE owner = $1)",
    "DELETE FROM study_likes WHERE owner = $1",
    "UPDATE study_edits SET author = '' WHERE author = $1",
    "UPDATE puzzles SET votes = votes - solved.vote, standing = standing - solved.vote * solved.vote_weight \
     FROM puzzle_rounds AS solved \
     WHERE solved.owner = $1 AND solved.puzzle = puzzles.id AND solved.vote <> 0 AND solved.rating IS NOT NULL",
    "DELETE FROM puzzle_rounds WHERE owner = $1",
    "DELETE FROM puzzle_ratings WHERE owner = $1",
    "DELETE FROM lesson_stars WHERE owner = $1",
];

impl Store {
    /// Erases the author of lines of chat and of reports.
    pub async fn erase_author(&self, id: &str) -> Result<(), StoreError> {
        for statement in [CHAT].into_iter().chain(REPORTS) {
            sqlx::query(statement).bind(id).execute(&mut *self.writer().await?).await?;
        }
        Ok(())
    }

    /// Deletes a user with all that belongs to them, and reserves the name. Returns the ids of the games in which they
    /// have written chat. (Their games are erased one by one, as each is changed.)
    pub async fn delete_user(&self, id: &str, now: i64) -> Result<Vec<String>, StoreError> {
        // Writes from its first statement on: SQLite refuses a transaction that reads first and is overtaken.
        let mut writer = self.writer().await?;
        let mut transaction = writer.begin().await?;
        let chatted_games: Vec<(String,)> =
            sqlx::query_as(CHAT).bind(id).fetch_all(&mut *transaction).await?;
        for statement in REPORTS.into_iter().chain(OWNED) {
            sqlx::query(statement).bind(id).execute(&mut *transaction).await?;
        }
        let name: Option<(Option<String>,)> =
            sqlx::query_as("DELETE FROM users WHERE id = $1 RETURNING name")
                .bind(id)
                .fetch_optional(&mut *transaction)
                .await?;
        for digest in name.and_then(|(name,)| name).iter().flat_map(|name| name_digests(name)) {
            sqlx::query(
                "INSERT INTO reserved_names (digest, reserved_at) VALUES ($1, $2) ON CONFLICT (digest) DO UPDATE SET owner = NULL",
            )
            .bind(digest)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        let chatted_games: BTreeSet<String> = chatted_games.into_iter().map(|(game,)| game).collect();
        Ok(chatted_games.into_iter().collect())
    }

    /// Erases what an earlier version has left of deleted accounts: in the events of their games, and in reviews.
    pub async fn finish_erasures(&self) -> Result<(), StoreError> {
        self.erase_names_in_reviews().await?;
        let games: Vec<(String,)> =
            sqlx::query_as("SELECT game FROM unerased_games").fetch_all(&self.pool).await?;
        for (game,) in games {
            let mut writer = self.writer().await?;
            let mut transaction = writer.begin().await?;
            sqlx::query("DELETE FROM unerased_games WHERE game = $1")
                .bind(&*game)
                .execute(&mut *transaction)
                .await?;
            let forgotten: Vec<(String,)> = sqlx::query_as(
                "SELECT fact FROM facts WHERE game = $1 AND fact LIKE '{\"fact\":\"forgotten\"%'",
            )
            .bind(&*game)
            .fetch_all(&mut *transaction)
            .await?;
            for (event,) in forgotten {
                if let GameEvent::Forgotten { color } = read_json("an event of a game", &event)? {
                    erase_player(&mut transaction, &game, color).await?;
                }
            }
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Takes the players' names out of reviews that an earlier version has written.
    async fn erase_names_in_reviews(&self) -> Result<(), StoreError> {
        let games: Vec<(String,)> =
            sqlx::query_as("SELECT game FROM named_reviews").fetch_all(&self.pool).await?;
        for (game,) in games {
            if let Some(ReviewRow { data: Some(review), .. }) = self.review(&game).await? {
                self.finish_review(&game, review).await?;
            }
            sqlx::query("DELETE FROM named_reviews WHERE game = $1")
                .bind(game)
                .execute(&mut *self.writer().await?)
                .await?;
        }
        Ok(())
    }
}

/// Erases a side's player from the events of a game.
pub(super) async fn erase_player(
    connection: &mut AnyConnection,
    game: &str,
    color: Color,
) -> Result<(), StoreError> {
    let events: Vec<(i64, String)> = sqlx::query_as(
        "SELECT seq, fact FROM facts WHERE game = $1 \
         AND (fact LIKE '{\"fact\":\"joined\"%' OR fact LIKE '{\"fact\":\"renamed\"%')",
    )
    .bind(game)
    .fetch_all(&mut *connection)
    .await?;
    for (seq, text) in events {
        let mut event: GameEvent = read_json("an event of a game", &text)?;
        if event.erase(color) {
            sqlx::query("UPDATE facts SET fact = $1 WHERE game = $2 AND seq = $3")
                .bind(write_json(&event))
                .bind(game)
                .bind(seq)
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}
